/* SPDX-License-Identifier: MIT */
/* A pinhole camera: its position, and the rays through its picture. */
#ifndef TW_NODES_RENDER_KERNELS_CAMERA_H
#define TW_NODES_RENDER_KERNELS_CAMERA_H

#include "render/kernels/ray_packet.h"

#include <math.h>

struct tw_camera {
    double eye[3];                      /* x east, y south, z up, in cells */
    double forward[3], right[3], up[3]; /* right and up end at the picture's border */
};

/* How the camera looks: its direction from the map in degrees clockwise from north, degrees
 * downwards, degrees of view over the picture's width, and the picture in pixels. */
struct tw_camera_aim {
    double azimuth, pitch, view;
    int32_t width, height;
};

/* Places the camera so far away that the whole block down to `bottom` fills the picture and is not
 * cut. */
struct tw_camera tw_camera_fit(const struct tw_camera_aim *aim, const struct tw_pyramid *pyramid,
                               double bottom);

/* Places the camera `away` cells from the point `middle` cells above the map's middle. */
struct tw_camera tw_camera_place(const struct tw_camera_aim *aim, const struct tw_pyramid *pyramid,
                                 double away, double middle);

/* Places the camera above the ground, `away` cells from the map's middle or, if that is 0, so far
 * that no border in front shows. The pitch is that at which the foot of the middle would be seen;
 * then the camera turns until the highest part ends 12 % below the picture's top. */
struct tw_camera tw_camera_stand(const struct tw_camera_aim *aim, const struct tw_pyramid *pyramid,
                                 double away, double foot);

/* The ray through a point of the picture: u and v run from -1 to 1, to the right and up. */
static TW_INLINE struct tw_ray tw_camera_ray(const struct tw_camera *camera, double u, double v)
{
    struct tw_ray ray;
    double square = 0;
    for (int i = 0; i < 3; i++) {
        ray.from[i] = camera->eye[i];
        ray.along[i] = camera->forward[i] + u * camera->right[i] + v * camera->up[i];
        square += ray.along[i] * ray.along[i];
    }
    for (int i = 0; i < 3; i++)
        ray.along[i] /= sqrt(square);
    return ray;
}

/* Those through TW_RAYS points, which meet nothing up to the depths `sight`. */
void tw_camera_rays(enum tw_simd simd, const struct tw_camera *camera, const double *u,
                    const double *v, const double *sight, struct tw_ray_packet *rays);

#endif
