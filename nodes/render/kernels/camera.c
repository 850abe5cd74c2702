/* SPDX-License-Identifier: MIT */
/* From angles to rays. */
#include "render/kernels/camera.h"

#include <thalweg/kernel.h>

struct tw_camera tw_camera_place(double azimuth, double pitch, double away, double view,
                                 double middle, int32_t width, int32_t height)
{
    double sin_a = tw_sin_degrees(azimuth), cos_a = tw_cos_degrees(azimuth);
    double sin_p = tw_sin_degrees(pitch), cos_p = tw_cos_degrees(pitch);
    double spread = tw_sin_degrees(view / 2) / tw_cos_degrees(view / 2);
    double tall = spread * height / width;
    struct tw_camera c = {.forward = {-sin_a * cos_p, cos_a * cos_p, -sin_p},
                          .right = {-cos_a * spread, -sin_a * spread, 0},
                          .up = {-sin_a * sin_p * tall, cos_a * sin_p * tall, cos_p * tall}};
    const double target[3] = {0.5 * (width - 1), 0.5 * (height - 1), middle};
    for (int i = 0; i < 3; i++)
        c.eye[i] = target[i] - away * c.forward[i];
    return c;
}

struct tw_ray tw_camera_ray(const struct tw_camera *camera, double u, double v)
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
