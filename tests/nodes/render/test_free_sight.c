/* SPDX-License-Identifier: MIT */
#include "support/harness.h"
#include "support/probe.h"

#include "render/kernels/free_sight.h"

#include <stdlib.h>

enum { WIDTH = 61, HEIGHT = 45, SIDE = 16, RAYS = 5 };
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_met_in_free_sight)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
