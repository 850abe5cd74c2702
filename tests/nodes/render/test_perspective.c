/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"
#include "support/probe.h"

#include "reference/ray.h"
#include "render/kernels/camera.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 61, HEIGHT = 45 };

static const double bottom = -4;
#define FOOT 3.0
static float z[403 * 344];
static int32_t across, down;

/* Bilinear between cells. */
static double value_at(double x, double y)
{
    int left = (int)x < across - 2 ? (int)x : across - 2,
        top = (int)y < down - 2 ? (int)y : down - 2;
    double fx = x - left, fy = y - top;
    const float *c = z + top * across + left;
    return (1 - fy) * ((1 - fx) * (double)c[0] + fx * (double)c[1]) +
           fy * ((1 - fx) * (double)c[across] + fx * (double)c[across + 1]);
}

enum { AROUND, WALL, GROUND };

/* Small steps along the ray until it is in the block. */
static int march(const struct tw_ray *ray, double *at)
{
    bool inside = false;
    for (int step = 0; step < 800 * WIDTH; step++) {
        double t = step * 0.01;
        for (int i = 0; i < 3; i++)
            at[i] = ray->from[i] + t * ray->along[i];
        if (at[0] < 0 || at[1] < 0 || at[0] > across - 1 || at[1] > down - 1 || at[2] < bottom)
            continue;
        if (at[2] < value_at(at[0], at[1]))
            return inside ? GROUND : WALL;
        inside = true;
    }
    return AROUND;
}

static void fill(int32_t width, int32_t height, float scale)
{
    struct tw_value terrain = harness_terrain(width, height, 7);
    across = width;
    down = height;
    for (int32_t i = 0; i < width * height; i++)
        z[i] = scale * tw_floats(&terrain)[i];
    free(terrain.data);
}

static enum tw_status compare_rays(struct tw_task *task)
{
    struct tw_pyramid p;
    int kinds[3] = {0}, wrong = 0;
    const struct tw_camera_aim aim = {200, 25, 30, 64, 36};
    probe_require(tw_pyramid_build(task, z, across, down, &p) == TW_OK);
    struct tw_camera camera = tw_camera_fit(&aim, &p, bottom);
    for (int i = 0; i < 64 * 36; i++) {
        struct tw_ray ray =
            tw_camera_ray(&camera, 2 * (i % 64 + 0.5) / 64 - 1, 1 - 2 * (i / 64 + 0.5) / 36);
        struct tw_hit hit;
        double at[3];
        int kind = march(&ray, at);
        int seen = !tw_raycast(&p, bottom, &ray, &hit) ? AROUND : hit.wall ? WALL : GROUND;
        kinds[kind]++;
        wrong += kind != seen;
        for (int k = 0; kind == GROUND && seen == GROUND && k < 3; k++)
            wrong += fabs(at[k] - hit.at[k]) > 0.15;
    }
    probe_require(kinds[AROUND] > 200 && kinds[WALL] > 50 && kinds[GROUND] > 500);
    probe_require(wrong <= 12); /* outlines, where a hair decides */
    return TW_OK;
}

static void rays_find_what_small_steps_find(void **state)
{
    (void)state;
    fill(WIDTH, HEIGHT, 15);
    probe_run(compare_rays, WIDTH, HEIGHT, 1);
}

/* Any part of the way to a hit may be called free; 0 says nothing. */
static void set_free(const struct tw_pyramid *p, int number, struct tw_ray_packet *rays)
{
    for (int k = 0; k < TW_RAYS; k++) {
        struct tw_random4 draw = tw_random(9, (uint32_t)(number + k), 0, 0, 0);
        struct tw_ray ray = tw_ray_of(rays, k);
        struct tw_hit hit;
        double share = (double)tw_uniform(draw.at[0]);
        double most = tw_raycast(p, bottom, &ray, &hit) ? hit.t : 1e4;
        rays->free[k] = draw.at[1] % 4 == 0 ? 0 : draw.at[1] % 4 == 1 ? most : most * sqrt(share);
    }
}

#define NEAR 0.001 /* cells */

struct cast {
    int kinds[3]; /* hits of tw_raycast() */
    int wrong;    /* rays with other bits than the reference's */
    int astray;   /* those of other kinds than it finds */
};

/* Sixteen rays at a time find what the reference does one by one, bit for bit, at every width of
 * vectors; and what tw_raycast() finds by exact squares, but for rounding. */
static void compare_packet(const struct tw_pyramid *p, const struct tw_ray_packet *rays,
                           enum tw_simd simd, struct cast *cast)
{
    struct tw_hit_packet hits;
    tw_ray_packet_cast(simd, p, bottom, rays, &hits);
    for (int k = 0; k < TW_RAYS; k++) {
        struct tw_ray ray = tw_ray_of(rays, k);
        struct tw_hit hit;
        double t = 0;
        int32_t kind = (int32_t)reference_cast(p, bottom, &ray, rays->free[k], &t);
        cast->wrong += hits.kind[k] != kind || (kind != TW_HIT_NONE && hits.t[k] != t);
        for (int axis = 0; kind != TW_HIT_NONE && axis < 3; axis++)
            cast->wrong += hits.at[axis][k] != ray.from[axis] + t * ray.along[axis];
        bool found = tw_raycast(p, bottom, &ray, &hit);
        int32_t expected = !found ? TW_HIT_NONE : hit.wall ? TW_HIT_WALL : TW_HIT_GROUND;
        cast->kinds[expected]++;
        cast->astray += kind != expected || (found && fabs(t - hit.t) > NEAR);
    }
}

/* Through the picture, from the eye straight down, along axes and past the map. */
static enum tw_status compare_packets(struct tw_task *task)
{
    struct tw_pyramid p;
    const struct tw_camera_aim aims[] = {
        {200, 25, 30, 64, 36}, {0, 90, 40, 64, 36}, {270, 0, 60, 64, 36}, {135, 8, 100, 64, 36}};
    static const double unknown[TW_RAYS];
    struct cast cast = {{0}, 0, 0};
    probe_require(tw_pyramid_build(task, z, across, down, &p) == TW_OK);
    for (int i = 0; i < 4 * 64 * 36; i += TW_RAYS) {
        const struct tw_camera_aim *aim = &aims[i / (64 * 36)];
        struct tw_camera camera = i / (64 * 36) < 2 ? tw_camera_fit(aim, &p, bottom)
                                                    : tw_camera_place(aim, &p, 0.45 * across, 16);
        double u[TW_RAYS], v[TW_RAYS];
        struct tw_ray_packet rays;
        for (int k = 0; k < TW_RAYS; k++) {
            u[k] = ((i + k) % 64 - 32) / 32.0;
            v[k] = 1 - (i + k) / 64 % 36 / 18.0;
        }
        for (int simd = TW_SIMD_BASE; simd <= (int)tw_task_simd(task); simd++) {
            tw_camera_rays((enum tw_simd)simd, &camera, u, v, unknown, &rays);
            set_free(&p, i, &rays);
            compare_packet(&p, &rays, (enum tw_simd)simd, &cast);
        }
    }
    probe_require(across < WIDTH ||
                  (cast.kinds[0] > 500 && cast.kinds[1] > 100 && cast.kinds[2] > 2000));
    probe_require(cast.wrong == 0);
    probe_require(cast.astray <= 6); /* of 18432, where a hair decides */
    return TW_OK;
}

static void packets_find_what_single_rays_find(void **state)
{
    (void)state;
    fill(WIDTH, HEIGHT, 15);
    probe_run(compare_packets, WIDTH, HEIGHT, 1);
}

/* Of one to four levels of squares, above which rays begin at none that is not there. */
static void packets_find_the_smallest_blocks(void **state)
{
    static const int32_t sizes[][2] = {{2, 2}, {3, 2}, {2, 4}, {5, 5}, {4, 9}, {9, 9}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        fill(sizes[i][0], sizes[i][1], 15);
        probe_run(compare_packets, sizes[i][0], sizes[i][1], 1);
    }
}

/* Single precision has a few thousandths of a cell at the far end of so long a map. */
enum { LONG = 40000, NARROW = 3 };
static struct tw_value long_map;

static enum tw_status compare_afar(struct tw_task *task)
{
    struct tw_pyramid p;
    int hits = 0, astray = 0;
    probe_require(tw_pyramid_build(task, long_map.data, LONG, NARROW, &p) == TW_OK);
    for (uint32_t i = 0; i < 200; i++) {
        struct tw_ray_packet rays = {.from = {-90, 1, 3000}};
        struct tw_hit_packet met;
        for (uint32_t k = 0; k < TW_RAYS; k++) {
            struct tw_random4 draw = tw_random(11, i, k, 0, 0);
            double far = 1000 + 38000 * (double)tw_uniform(draw.at[0]);
            double aside = 0.9 * (double)tw_uniform(draw.at[1]);
            double length = sqrt(far * far + aside * aside + 3000.0 * 3000);
            rays.along[0][k] = far / length;
            rays.along[1][k] = aside / length;
            rays.along[2][k] = -3000 / length;
        }
        tw_ray_packet_cast(tw_task_simd(task), &p, -10, &rays, &met);
        for (int k = 0; k < TW_RAYS; k++) {
            struct tw_ray ray = tw_ray_of(&rays, k);
            struct tw_hit hit;
            bool found = tw_raycast(&p, -10, &ray, &hit);
            hits += found;
            astray +=
                found != (met.kind[k] == TW_HIT_GROUND) || (found && fabs(hit.t - met.t[k]) > 0.1);
        }
    }
    probe_require(hits > 3000 && astray <= 3);
    return TW_OK;
}

static void rays_of_a_long_map_go_astray_by_a_hair(void **state)
{
    (void)state;
    long_map = harness_terrain(LONG, NARROW, 5);
    for (size_t i = 0; i < tw_value_count(&long_map); i++)
        tw_floats(&long_map)[i] *= 20;
    probe_run(compare_afar, LONG, NARROW, 1);
    free(long_map.data);
}

/* The picture's coordinates of a point: -1..1 to the right and up. */
static void project(const struct tw_camera *c, double x, double y, double height, double *u,
                    double *v)
{
    const double point[3] = {x - c->eye[0], y - c->eye[1], height - c->eye[2]};
    double dots[3] = {0}, squares[2] = {0};
    for (int i = 0; i < 3; i++) {
        dots[0] += point[i] * c->right[i];
        dots[1] += point[i] * c->up[i];
        dots[2] += point[i] * c->forward[i];
        squares[0] += c->right[i] * c->right[i];
        squares[1] += c->up[i] * c->up[i];
    }
    *u = dots[0] / squares[0] / dots[2];
    *v = dots[1] / squares[1] / dots[2];
}

static enum tw_status check_fit(struct tw_task *task)
{
    struct tw_pyramid p;
    probe_require(tw_pyramid_build(task, z, across, down, &p) == TW_OK);
    for (int i = 0; i < 24; i++) {
        const struct tw_camera_aim aim = {15.0 * i, 8 + 77.0 * i / 23, 24, 1920, 1080};
        struct tw_camera c = tw_camera_fit(&aim, &p, bottom);
        double most[2] = {0, 0};
        for (int32_t at = 0; at < across * down; at++)
            for (int floor = 0; floor < 2; floor++) {
                double u, v;
                project(&c, at % across, at / across, floor ? bottom : (double)z[at], &u, &v);
                most[0] = fmax(most[0], fabs(u));
                most[1] = fmax(most[1], fabs(v));
            }
        /* Within the margins, and as large as the nearer of them allows but for the squares of 32
         * cells that the fit looks at. */
        probe_require(most[0] <= 0.94 + 1e-9 && most[1] <= 0.90 + 1e-9);
        probe_require(most[0] > 0.94 - 0.03 || most[1] > 0.90 - 0.06);
    }
    return TW_OK;
}

static void the_block_fills_the_picture_and_is_not_cut(void **state)
{
    (void)state;
    fill(403, 344, 60);
    probe_run(check_fit, 403, 344, 1);
}

/* From every side: the highest part is 12 % below the top, and the lowest row shows ground. */
static enum tw_status check_stand(struct tw_task *task)
{
    struct tw_pyramid p;
    probe_require(tw_pyramid_build(task, z, across, down, &p) == TW_OK);
    for (int i = 0; i < 12; i++) {
        const struct tw_camera_aim aim = {30.0 * i, 14, 30, 1920, 1080};
        struct tw_camera c = tw_camera_stand(&aim, &p, 0, 0);
        double highest = -2;
        for (int32_t at = 0; at < across * down; at++) {
            double u, v;
            project(&c, at % across, at / across, (double)z[at], &u, &v);
            highest = fabs(u) < 1 && v > highest ? v : highest;
        }
        probe_require(highest > 0.60 && highest < 0.86);
        int ground = 0;
        for (int x = 0; x <= 96; x++) {
            struct tw_ray ray = tw_camera_ray(&c, x / 48.0 - 1, -1);
            struct tw_hit hit;
            ground += tw_raycast(&p, -1e6, &ray, &hit) && !hit.wall;
        }
        probe_require(ground >= 96);
    }
    return TW_OK;
}

static void a_scene_shows_no_border_in_front(void **state)
{
    (void)state;
    fill(403, 344, 60);
    probe_run(check_stand, 403, 344, 1);
}

/* Needles in the middle of some squares of 32 cells, and none elsewhere. */
static void place_needles(uint32_t number)
{
    across = 12 * 32 + 1;
    down = 10 * 32 + 1;
    memset(z, 0, (size_t)(across * down) * sizeof *z);
    for (uint32_t square = 0; square < 12 * 10; square++) {
        struct tw_random4 draw = tw_random(5, number, square, 0, 0);
        if (draw.at[0] % 16 == 0)
            z[(32 * (square / 12) + 16) * (uint32_t)across + 32 * (square % 12) + 16] =
                (float)(draw.at[1] % 64);
    }
}

static double ground_at(double x, double y)
{
    return value_at(fmin(fmax(x, 0), across - 1), fmin(fmax(y, 0), down - 1));
}

/* Of an eye on the ground, which is level before the camera turns. */
static void stand(const struct tw_camera_aim *aim, double away, double *eye, double *forward)
{
    double angle = aim->azimuth * acos(-1) / 180, longest = fmax(across, down);
    forward[0] = -sin(angle);
    forward[1] = cos(angle);
    for (int i = 0; i < 2; i++)
        eye[i] = 0.5 * ((i ? down : across) - 1) - away * forward[i];
    double before =
        ground_at(eye[0] + 0.05 * longest * forward[0], eye[1] + 0.05 * longest * forward[1]);
    double ground = fmax(ground_at(eye[0], eye[1]), before) + 0.025 * longest;
    eye[2] = fmax(FOOT + away * tan(aim->pitch * acos(-1) / 180), ground);
}

static bool is_at(const struct tw_camera *c, const double *eye)
{
    return fabs(c->eye[0] - eye[0]) + fabs(c->eye[1] - eye[1]) + fabs(c->eye[2] - eye[2]) < 1e-6;
}

/* What is steepest of all squares within 45 degrees of the view and more than two of them away is
 * 12 % below the picture's top. */
static bool is_steepest_below_top(const struct tw_camera *c, const double *eye,
                                  const double *forward)
{
    double highest = -1e9;
    for (int32_t row = 16; row < down; row += 32)
        for (int32_t column = 16; column < across; column += 32) {
            double dx = column - eye[0], dy = row - eye[1], u, v;
            double ahead = dx * forward[0] + dy * forward[1];
            if (ahead <= 64 || fabs(dx * forward[1] - dy * forward[0]) >= ahead)
                continue;
            project(c, column, row, (double)z[row * across + column], &u, &v);
            highest = fmax(highest, v);
        }
    return fabs(highest - 0.76) < 1e-6;
}

static uint32_t scene;

static enum tw_status stand_in_scene(struct tw_task *task)
{
    const struct tw_camera_aim aim = {11.0 * scene, scene % 15, 20 + scene % 40, 1600, 900};
    double away = 80 + scene % 100, eye[3], forward[2];
    struct tw_pyramid p;
    stand(&aim, away, eye, forward);
    probe_require(tw_pyramid_build(task, z, across, down, &p) == TW_OK);
    struct tw_camera c = tw_camera_stand(&aim, &p, away, FOOT);
    probe_require(is_at(&c, eye));
    probe_require(across == 403 || is_steepest_below_top(&c, eye, forward));
    return TW_OK;
}

static void a_scene_turns_to_what_is_steepest(void **state)
{
    (void)state;
    for (scene = 0; scene < 300; scene++) {
        place_needles(scene);
        probe_run(stand_in_scene, across, down, 1);
    }
}

static void an_eye_is_above_the_ground(void **state)
{
    (void)state;
    fill(403, 344, 60);
    for (scene = 0; scene < 100; scene++)
        probe_run(stand_in_scene, across, down, 1);
}

/* The share of pixels that differ from those of the backdrop of a mood without haze: black. */
static void a_whole_picture_shows_the_whole_block(void **state)
{
    struct tw_value map = harness_terrain(WIDTH, HEIGHT, 3);
    int32_t left = 320, right = 0, top = 180, low = 0;
    (void)state;
    harness_give(0, &map);
    struct tw_result *result = harness_run(
        &(struct harness){.width = WIDTH,
                          .height = HEIGHT,
                          .nodes = "a: {type: test.map}\n"
                                   "out: {type: render.perspective, in: a, mood: moon, sun: "
                                   "[205, 40], size: [320, 180]}"});
    const struct tw_value *out = tw_result_output(result, "out");
    assert_true(out->width == 320 && out->height == 180);
    for (int32_t i = 0; i < 320 * 180; i++) {
        const uint8_t *pixel = tw_pixels(out) + 3 * i;
        if (pixel[0] < 30)
            continue;
        left = i % 320 < left ? i % 320 : left;
        right = i % 320 > right ? i % 320 : right;
        top = i / 320 < top ? i / 320 : top;
        low = i / 320 > low ? i / 320 : low;
    }
    assert_true(left >= 8 && right <= 311 && top >= 8 && low <= 171);
    assert_true(right - left > 240 || low - top > 140);
    tw_result_release(result);
    free(map.data);
}

/* A step of a float is 2 cells high where this map lies, and rays would meet stairs. */
static void a_map_far_from_0_looks_like_one_at_0(void **state)
{
    static float near[32 * 32], far[32 * 32];
    struct tw_value maps[] = {{TW_HEIGHTMAP, 32, 32, near}, {TW_HEIGHTMAP, 32, 32, far}};
    struct tw_result *results[2];
    (void)state;
    for (int i = 0; i < 32 * 32; i++) {
        near[i] = 0.0625f * (float)(i % 32 / 8);
        far[i] = near[i] + 1e6f;
    }
    for (int i = 0; i < 2; i++) {
        harness_give(0, &maps[i]);
        results[i] = harness_run(
            &(struct harness){.width = 32,
                              .height = 32,
                              .nodes = "a: {type: test.map}\n"
                                       "out: {type: render.perspective, in: a, size: [160, 90]}"});
    }
    assert_memory_equal(tw_pixels(tw_result_output(results[0], "out")),
                        tw_pixels(tw_result_output(results[1], "out")), 3 * 160 * 90);
    tw_result_release(results[0]);
    tw_result_release(results[1]);
}

static void gives_the_same_bytes_everywhere(void **state)
{
    static const char *const views[] = {
        "size: [96, 54]", "mood: island, sea: 0.5, size: [160, 90]",
        "mode: scene, mood: temperate, sea: 0.3, size: [96, 54], view: 40",
        "mood: desert, lakes: b, size: 40"};
    const int32_t sizes[][2] = {{1, 1}, {2, 9}, {65, 65}, {257, 129}};
    char nodes[200];
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct tw_value map = harness_terrain(sizes[i][0], sizes[i][1], 3);
        harness_give(0, &map);
        snprintf(nodes, sizeof nodes,
                 "a: {type: test.map}\nb: {type: shape.remap, in: a, to: [-0.004, 0.006]}\n"
                 "out: {type: render.perspective, in: a, %s}",
                 views[i]);
        everywhere_image((struct harness){.width = map.width, .height = map.height, .nodes = nodes},
                         "out");
        free(map.data);
    }
}

/* Rays of an eye that is billions of cells away must get on as others do. */
static void an_eye_may_be_far_away(void **state)
{
    static const char *const views[] = {"3.6459494e-06", "1e-6", "1e-5", "0.0001"};
    struct tw_value map = harness_terrain(23, 17, 3);
    char nodes[200];
    (void)state;
    harness_give(0, &map);
    for (int i = 0; i < 4; i++) {
        snprintf(nodes, sizeof nodes,
                 "a: {type: test.map}\nout: {type: render.perspective, in: a, sea: 0.3, "
                 "exaggeration: 52, view: %s, size: [256, 144]}",
                 views[i]);
        tw_result_release(
            harness_run(&(struct harness){.width = 23, .height = 17, .nodes = nodes}));
    }
    free(map.data);
}

static void expect_fault(const char *options, const char *message)
{
    char nodes[300];
    snprintf(nodes, sizeof nodes,
             "a: {type: noise.midpoint}\nout: {type: render.perspective, in: a, %s}", options);
    struct tw_error error = harness_fail(&(struct harness){.nodes = nodes});
    if (!strstr(error.message, message))
        fail_msg("%s: %s", options, error.message);
}

static void says_what_it_cannot_show(void **state)
{
    (void)state;
    struct tw_error error = harness_fail(
        &(struct harness){.width = 1,
                          .height = 9,
                          .nodes = "a: {type: source.constant}\n"
                                   "out: {type: render.perspective, in: a, size: [4, 4]}"});
    assert_non_null(strstr(error.message, "at least 2 x 2 cells; the map has 1 x 9"));
    expect_fault("exaggeration: 9, pitch: 0, distance: 0.4, size: 64", "below the terrain");
    expect_fault("size: [0, 9]", "size");
    expect_fault("size: [1.5, 9]", "whole numbers of pixels");
    expect_fault("size: [60000, 60000]", "at most 2^28 pixels");
    expect_fault("size: [2, 3, 4]", "one side, or [width, height]");
    expect_fault("sun: [1]", "[azimuth, altitude]");
    expect_fault("sun: [10, 91]", "altitude from -90 to 90");
    expect_fault("time: 25", "time");
}

/* 3e38 of alternating sign, which pass the largest float where they are drawn. */
static void says_that_heights_are_too_large(void **state)
{
    static const char *const views[] = {"mode: block", "mode: block, distance: 2",
                                        "mode: block, distance: 2, view: 0.1, pitch: 0"};
    struct tw_value map = harness_terrain(25, 23, 3);
    (void)state;
    for (int i = 0; i < 25 * 23; i++)
        tw_floats(&map)[i] = i % 3 ? 3e38f : -3e38f;
    harness_give(0, &map);
    for (int i = 0; i < 3; i++) {
        char nodes[200];
        snprintf(nodes, sizeof nodes,
                 "a: {type: test.map}\nout: {type: render.perspective, in: a, size: 64, %s}",
                 views[i]);
        struct tw_error error =
            harness_fail(&(struct harness){.width = 25, .height = 23, .nodes = nodes});
        if (!strstr(error.message, "too large to be drawn with an exaggeration of 0.15"))
            fail_msg("%s: %s", views[i], error.message);
    }
    free(map.data);
}

static void a_surface_is_no_map(void **state)
{
    (void)state;
    struct tw_error error = harness_fail(
        &(struct harness){.nodes = "a: {type: noise.midpoint}\n"
                                   "out: {type: render.perspective, in: a, surface: a, size: 64}"});
    assert_non_null(strstr(error.message, "expects surface"));
}

/* Night has light of its own, and no time of day fails. */
static void the_sun_may_be_below_the_horizon(void **state)
{
    (void)state;
    int light[3];
    static const char *const suns[] = {"time: 12", "time: 18.2", "time: 0"};
    for (int i = 0; i < 3; i++) {
        char nodes[200];
        snprintf(nodes, sizeof nodes,
                 "a: {type: noise.midpoint}\n"
                 "out: {type: render.perspective, in: a, %s, size: [64, 36]}",
                 suns[i]);
        struct tw_result *result = harness_run(&(struct harness){.nodes = nodes});
        light[i] = tw_pixels(tw_result_output(result, "out"))[3 * (20 * 64 + 32) + 1];
        tw_result_release(result);
    }
    assert_true(light[0] > light[1] && light[1] >= light[2] && light[2] > 2);
}

/* The picture of `cells`, WIDE x HIGH. */
enum { SIDE = 128, WIDE = 160, HIGH = 90 };
static struct tw_result *look(const float *cells, const char *options)
{
    static float copy[SIDE * SIDE];
    struct tw_value map = {TW_HEIGHTMAP, SIDE, SIDE, copy};
    char nodes[300];
    memcpy(copy, cells, sizeof copy);
    harness_give(0, &map);
    snprintf(nodes, sizeof nodes,
             "a: {type: test.map}\nlakes: {type: source.constant, value: 0.1}\n"
             "out: {type: render.perspective, in: a, size: [160, 90], %s}",
             options);
    return harness_run(&(struct harness){.width = SIDE, .height = SIDE, .nodes = nodes});
}

static int grey_at(const struct tw_result *result, int x, int y)
{
    const uint8_t *pixel = tw_pixels(tw_result_output(result, "out")) + 3 * (y * WIDE + x);
    return pixel[0] + pixel[1] + pixel[2];
}

/* A lake that the border cuts is water on the block's side, as a sea is. */
static void a_lake_is_cut_as_water(void **state)
{
    static float cells[SIDE * SIDE];
    struct tw_result *result = look(cells, "mood: alpine, lakes: lakes, exaggeration: 1");
    const uint8_t *pixels = tw_pixels(tw_result_output(result, "out"));
    int water = 0;
    (void)state;
    for (int i = 0; i < WIDE * HIGH; i++) {
        assert_false(pixels[3 * i] > pixels[3 * i + 1] + 60);
        water += pixels[3 * i + 2] > pixels[3 * i] + 60;
    }
    assert_true(water > WIDE * HIGH / 4);
    tw_result_release(result);
}

/* From row to row, where the map ends and the sea goes on, too: no band lies there. */
static void a_sea_fades_evenly_into_the_distance(void **state)
{
    static float cells[SIDE * SIDE];
    static const char *const suns[] = {"sun: [290, 30]", "sun: [110, 5]", "sun: [200, 12]"};
    enum { LEFT = WIDE / 4 }; /* of the needle that the camera turns to */
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++)
        cells[i] = i == SIDE / 2 * SIDE + SIDE / 2 ? 0.5f : -0.5f;
    for (int k = 0; k < 3; k++) {
        char options[100];
        snprintf(options, sizeof options, "mode: scene, mood: island, sea: 0, %s", suns[k]);
        struct tw_result *result = look(cells, options);
        for (int y = 1; y < HIGH; y++) {
            int step = 0;
            for (int x = 0; x < LEFT; x++)
                step += grey_at(result, x, y - 1) - grey_at(result, x, y);
            assert_true(step > -4 * LEFT && step < 8 * LEFT);
        }
        tw_result_release(result);
    }
}

/* Below a low sun ahead, not in the outer quarters. */
static void the_sun_glints_where_the_sea_mirrors_it(void **state)
{
    static float cells[SIDE * SIDE];
    static const char *const ways[] = {"azimuth: 0, sun: [180, 14]", "azimuth: 270, sun: [90, 14]"};
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++)
        cells[i] = -0.5f;
    for (int k = 0; k < 2; k++) {
        char options[100];
        int ahead = 0, aside = 0;
        snprintf(options, sizeof options, "mode: scene, mood: island, sea: 0, %s", ways[k]);
        struct tw_result *result = look(cells, options);
        for (int y = HIGH / 2; y < HIGH; y++)
            for (int x = 0; x < WIDE / 4; x++) {
                ahead += grey_at(result, WIDE / 2 + x, y) + grey_at(result, WIDE / 2 - 1 - x, y);
                aside += grey_at(result, x, y) + grey_at(result, WIDE - 1 - x, y);
            }
        assert_true(5 * ahead > 6 * aside);
        tw_result_release(result);
    }
}

/* A ridge that stands on the far border stands out against what is behind, near the top. */
static void a_ridge_at_the_border_keeps_its_outline(void **state)
{
    static float cells[SIDE * SIDE];
    int sharp = 0;
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++)
        cells[i] = i / SIDE < 4 ? 1.0f : i / SIDE < 24 ? (24 - (float)(i / SIDE)) / 20 : 0.0f;
    struct tw_result *result =
        look(cells, "mode: scene, mood: desert, azimuth: 180, sun: [180, 30]");
    for (int x = 0; x < WIDE; x++) {
        bool found = false;
        for (int y = 0; y < 14; y++)
            found |= abs(grey_at(result, x, y + 2) - grey_at(result, x, y)) > 60;
        sharp += found;
    }
    assert_true(sharp > WIDE * 9 / 10);
    tw_result_release(result);
}

/* All squares between cells, then a quarter of them, and so on to one. */
static void a_pyramid_takes_what_is_forecast(void **state)
{
    static const int32_t sizes[][3] = {
        {2, 2, 1}, {3, 2, 2 + 1}, {5, 4, 12 + 4 + 1}, {4, 6, 15 + 6 + 2 + 1}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct tw_forecast forecast = {.scratch = 0};
        tw_pyramid_forecast(&forecast, sizes[i][0], sizes[i][1]);
        assert_int_equal(forecast.scratch, (size_t)sizes[i][2] * sizeof(float));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_pyramid_takes_what_is_forecast),
                                       cmocka_unit_test(rays_find_what_small_steps_find),
                                       cmocka_unit_test(packets_find_what_single_rays_find),
                                       cmocka_unit_test(packets_find_the_smallest_blocks),
                                       cmocka_unit_test(rays_of_a_long_map_go_astray_by_a_hair),
                                       cmocka_unit_test(the_block_fills_the_picture_and_is_not_cut),
                                       cmocka_unit_test(a_scene_shows_no_border_in_front),
                                       cmocka_unit_test(a_scene_turns_to_what_is_steepest),
                                       cmocka_unit_test(an_eye_is_above_the_ground),
                                       cmocka_unit_test(a_whole_picture_shows_the_whole_block),
                                       cmocka_unit_test(a_map_far_from_0_looks_like_one_at_0),
                                       cmocka_unit_test(gives_the_same_bytes_everywhere),
                                       cmocka_unit_test(an_eye_may_be_far_away),
                                       cmocka_unit_test(says_what_it_cannot_show),
                                       cmocka_unit_test(says_that_heights_are_too_large),
                                       cmocka_unit_test(a_surface_is_no_map),
                                       cmocka_unit_test(the_sun_may_be_below_the_horizon),
                                       cmocka_unit_test(a_lake_is_cut_as_water),
                                       cmocka_unit_test(a_sea_fades_evenly_into_the_distance),
                                       cmocka_unit_test(the_sun_glints_where_the_sea_mirrors_it),
                                       cmocka_unit_test(a_ridge_at_the_border_keeps_its_outline)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
