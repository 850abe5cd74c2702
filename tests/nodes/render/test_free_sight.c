/* SPDX-License-Identifier: MIT */
#include "support/harness.h"
#include "support/probe.h"

#include "render/kernels/free_sight.h"

#include <stdlib.h>

enum { WIDTH = 61, HEIGHT = 45, SIDE = 16, RAYS = 5, PEAK_SIDE = 65 };
#define BOTTOM (-4.0)

static struct tw_value terrain;

struct seen {
    int hits, early; /* rays that meet the ground; before the sight ends */
    double share;    /* sum of how much of the way of each was free */
};

/* Rays through a rectangle of the picture. */
static void cast_rays(const struct tw_pyramid *p, const struct tw_camera *c, const double u[2],
                      const double v[2], struct seen *seen)
{
    double sight = tw_free_sight(p, c, u, v);
    for (int k = 0; k < RAYS * RAYS; k++) {
        struct tw_ray ray = tw_camera_ray(c, u[0] + k % RAYS / (RAYS - 1.0) * (u[1] - u[0]),
                                          v[0] + k / RAYS / (RAYS - 1.0) * (v[1] - v[0]));
        struct tw_hit hit;
        if (!tw_raycast(p, BOTTOM, &ray, &hit) || hit.wall)
            continue;
        double depth = 0;
        for (int axis = 0; axis < 3; axis++)
            depth += hit.t * ray.along[axis] * c->forward[axis];
        seen->early += depth < sight;
        seen->share += sight / depth;
        seen->hits++;
    }
}

/* Of a whole picture: from outside, straight down, level with the ground, and wide. */
static enum tw_status cast_pictures(struct tw_task *task)
{
    struct tw_pyramid p;
    const struct tw_camera_aim aims[] = {
        {200, 25, 30, 64, 36}, {0, 90, 40, 64, 36}, {270, 0, 60, 64, 36}, {135, 8, 100, 64, 36}};
    struct seen seen = {0, 0, 0};
    probe_require(tw_pyramid_build(task, terrain.data, WIDTH, HEIGHT, &p) == TW_OK);
    for (int i = 0; i < 4 * SIDE * SIDE; i++) {
        const struct tw_camera_aim *aim = &aims[i / (SIDE * SIDE)];
        struct tw_camera c = i < 2 * SIDE * SIDE ? tw_camera_fit(aim, &p, BOTTOM)
                                                 : tw_camera_place(aim, &p, 0.45 * WIDTH, 16);
        const double u[2] = {2.0 * (i % SIDE) / SIDE - 1, 2.0 * (i % SIDE + 0.3) / SIDE - 1};
        const double v[2] = {2.0 * (i / SIDE % SIDE) / SIDE - 1,
                             2.0 * (i / SIDE % SIDE + 0.4) / SIDE - 1};
        cast_rays(&p, &c, u, v, &seen);
    }
    probe_require(seen.hits > 5000 && seen.early == 0);
    probe_require(seen.share > 0.8 * seen.hits); /* else it says little, and that is slow */
    return TW_OK;
}

static void nothing_is_met_in_free_sight(void **state)
{
    (void)state;
    terrain = harness_terrain(WIDTH, HEIGHT, 3);
    for (size_t i = 0; i < tw_value_count(&terrain); i++)
        tw_floats(&terrain)[i] *= 15;
    probe_run(cast_pictures, WIDTH, HEIGHT, 1);
    free(terrain.data);
}

/* Rays that pass a corner of squares at 5e-7 cells and meet a peak behind it, in four directions,
 * wherever they begin. */
static enum tw_status pass_corners(struct tw_task *task)
{
    static const double from[3] = {1.160029308911703, -4.71997456007632, 6.23999152002544};
    const double length = sqrt(0.7 * 0.7 + 0.6 * 0.6 + 0.2 * 0.2), last = PEAK_SIDE - 1;
    for (int turn = 0; turn < 4; turn++) {
        bool west = turn & 1, north = turn & 2;
        int32_t x = west ? PEAK_SIDE - 18 : 17, y = north ? PEAK_SIDE - 10 : 9;
        struct tw_ray ray = {
            {west ? last - from[0] : from[0], north ? last - from[1] : from[1], from[2]},
            {(west ? -0.7 : 0.7) / length, (north ? -0.6 : 0.6) / length, -0.2 / length}};
        struct tw_ray_packet rays;
        struct tw_pyramid p;
        struct tw_hit hit;
        tw_floats(&terrain)[y * PEAK_SIDE + x] = 10;
        probe_require(tw_pyramid_build(task, terrain.data, PEAK_SIDE, PEAK_SIDE, &p) == TW_OK);
        probe_require(tw_raycast(&p, BOTTOM, &ray, &hit) && !hit.wall);
        for (int k = 0; k < TW_RAYS; k++) {
            for (int axis = 0; axis < 3; axis++) {
                rays.from[axis] = ray.from[axis];
                rays.along[axis][k] = ray.along[axis];
            }
            rays.free[k] = hit.t - 0.25 * k;
        }
        for (int simd = TW_SIMD_BASE; simd <= (int)tw_task_simd(task); simd++) {
            struct tw_hit_packet hits;
            tw_ray_packet_cast((enum tw_simd)simd, &p, BOTTOM, &rays, &hits);
            for (int k = 0; k < TW_RAYS; k++)
                probe_require(hits.kind[k] == TW_HIT_GROUND && fabs(hits.t[k] - hit.t) < 1e-4);
        }
        tw_floats(&terrain)[y * PEAK_SIDE + x] = 0;
    }
    return TW_OK;
}

/* Places are not exact there. */
static enum tw_status look_from_afar(struct tw_task *task)
{
    struct tw_pyramid p;
    struct tw_camera near = {{0, 0, 1000}, {0.6, 0.6, -0.5}, {0.1, -0.1, 0}, {0, 0, 0.1}},
                     far = near;
    const double u[2] = {-1, 1}, v[2] = {-1, 1};
    far.eye[0] = -0x1p37;
    probe_require(tw_pyramid_build(task, terrain.data, PEAK_SIDE, PEAK_SIDE, &p) == TW_OK);
    probe_require(tw_free_sight(&p, &near, u, v) > 0 && tw_free_sight(&p, &far, u, v) == 0);
    return TW_OK;
}

static void corners_are_passed_alike(void **state)
{
    (void)state;
    terrain = harness_terrain(PEAK_SIDE, PEAK_SIDE, 3);
    for (size_t i = 0; i < tw_value_count(&terrain); i++)
        tw_floats(&terrain)[i] = 0;
    probe_run(pass_corners, PEAK_SIDE, PEAK_SIDE, 1);
    probe_run(look_from_afar, PEAK_SIDE, PEAK_SIDE, 1);
    free(terrain.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_met_in_free_sight),
                                       cmocka_unit_test(corners_are_passed_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
