/* SPDX-License-Identifier: MIT */
/* Parameters that Olsen's erosions, thermal and hydraulic, have in common. */
#ifndef TW_NODES_EROSION_KERNELS_OLSEN_PARAMS_H
#define TW_NODES_EROSION_KERNELS_OLSEN_PARAMS_H

#include <thalweg/node.h>

#define TW_PARAM_PASSES(S, otherwise)                                                              \
    TW_PARAM_I32(S, iterations, otherwise, 0, 100000, "passes", "passes over the map",             \
                 TW_USUAL(5, 250))
#define TW_PARAM_REST_TALUS(S)                                                                     \
    TW_PARAM_F32(S, talus, 4, 1e-6, 1e6, TW_UNIT_RISE_PER_SIDE,                                    \
                 "steepest slope that stays at rest", TW_USUAL(1, 30))
#define TW_PARAM_RAIN(S)                                                                           \
    TW_PARAM_F32(S, rain, 0.01, 0, 1, TW_UNIT_HEIGHT, "water that falls in a pass",                \
                 TW_USUAL(0, 0.1))
#define TW_PARAM_EVAPORATION(S)                                                                    \
    TW_PARAM_F32(S, evaporation, 0.5, 0, 1, TW_UNIT_SHARE,                                         \
                 "share of the water that evaporates in a pass")

/* The paper does not say whether water is in heights of the map or in units of the world, of which
 * a height of 1 has N / 16 in his game. In the latter reading a = h + w / height_scale, while Ks w
 * and Kc w are still heights; with w in heights throughout that is rain divided, and solubility and
 * capacity multiplied by it. */
#define TW_PARAM_HEIGHT_SCALE(S)                                                                   \
    TW_PARAM_F32(S, height_scale, 1, 1e-3, 1e6, "units per height",                                \
                 "units of water that a height of 1 measures; 32 in Olsen's game at 512",          \
                 TW_USUAL(0.1, 64))

/* What `.detail` says of height_scale. */
#define TW_HEIGHT_SCALE_DETAIL                                                                     \
    "rain is in units of which a height of 1 measures height_scale, and solubility and capacity "  \
    "are heights of ground per such unit: with w in heights, as here, they are rain / "            \
    "height_scale, solubility height_scale and capacity height_scale."

#endif
