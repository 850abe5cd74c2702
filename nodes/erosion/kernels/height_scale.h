/* SPDX-License-Identifier: MIT */
/* The parameter `height_scale` of Olsen's hydraulic erosions. The paper does not say whether water
 * is in heights of the map or in units of the world, of which a height of 1 has N / 16 in his game.
 * In the latter reading a = h + w / height_scale, while Ks w and Kc w are still heights; with w in
 * heights throughout that is rain divided, and solubility and capacity multiplied by it. */
#ifndef TW_NODES_EROSION_KERNELS_HEIGHT_SCALE_H
#define TW_NODES_EROSION_KERNELS_HEIGHT_SCALE_H

#include <thalweg/node.h>

#define TW_PARAM_HEIGHT_SCALE(S, field)                                                            \
    TW_PARAM_F32(S, field, 1, 1e-3, 1e6, "units per height",                                       \
                 "units of water that a height of 1 measures; 32 in Olsen's game at 512")

/* Documents the scale in a node's `.detail`. */
#define TW_HEIGHT_SCALE_DETAIL                                                                     \
    "Units: rain is in units of which a height of 1 measures height_scale, and solubility and "    \
    "capacity are heights of ground per such unit. With w in heights, as in the equations, these " \
    "become rain / height_scale, solubility height_scale and capacity height_scale."

#endif
