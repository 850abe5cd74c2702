/* SPDX-License-Identifier: MIT */
/* A pinhole camera that looks at the middle of a map. */
#ifndef TW_NODES_RENDER_KERNELS_CAMERA_H
#define TW_NODES_RENDER_KERNELS_CAMERA_H

#include "render/kernels/heightfield_raycast.h"

struct tw_camera {
    double eye[3];                      /* x east, y south, z up, in cells */
    double forward[3], right[3], up[3]; /* right and up end at the picture's border */
};

/* Where it stands: degrees clockwise from north, degrees downwards, and cells from the point
 * `middle` cells above the map's middle; `view` degrees over the width of a picture of the map's
 * own shape. */
struct tw_camera tw_camera_place(double azimuth, double pitch, double away, double view,
                                 double middle, int32_t width, int32_t height);

/* The ray through a point of the picture: u and v run from -1 to 1, to the right and up. */
struct tw_ray tw_camera_ray(const struct tw_camera *camera, double u, double v);

#endif
