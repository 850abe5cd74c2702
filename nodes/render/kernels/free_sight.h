/* SPDX-License-Identifier: MIT */
/* How far the rays through a part of a picture see nothing, found for all of them at once. */
#ifndef TW_NODES_RENDER_KERNELS_FREE_SIGHT_H
#define TW_NODES_RENDER_KERNELS_FREE_SIGHT_H

#include "render/kernels/camera.h"

/* A depth up to which all rays through u[0]..u[1] and v[0]..v[1] are above the surface or beside
 * the map, in cells along the camera's `forward`; may be less than possible. */
double tw_free_sight(const struct tw_pyramid *pyramid, const struct tw_camera *camera,
                     const double u[2], const double v[2]);

#endif
