/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STARTS_MAX = 4, FAR = 1 << 30 };

static struct tw_result *run_reach(const struct tw_value *in, const struct tw_value *starts,
                                   const char *more, int32_t threads)
{
    char nodes[600];
    harness_give(0, in);
    harness_give(1, starts);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\nstarts: {type: test.points, slot: 1}\n"
             "targets: {type: test.points, slot: 2}\nblock: {type: test.mask, slot: 3}\n"
             "r: {type: measure.reach, in: in, starts: starts%s}\n",
             more);
    harness_give(2, starts);
    return harness_run(&(struct harness){.width = in->width,
                                         .height = in->height,
                                         .threads = threads,
                                         .nodes = nodes,
                                         .outputs =
                                             "own: r.own\ndistance: r.distance\nchoke: r.choke\n"
                                             "record: r.record\n"});
}

static double entry(const struct tw_result *result, const char *name)
{
    const double *number = tw_record_find(tw_result_output(result, "record"), name);
    assert_non_null(number);
    return *number;
}

static void near(double a, double b)
{
    if (fabs(a - b) > 1e-12)
        fail_msg("%.17g is not %.17g", a, b);
}

static struct tw_value no_mask(int32_t width, int32_t height)
{
    return (struct tw_value){TW_MASK, width, height,
                             calloc((size_t)width * (size_t)height, sizeof(float))};
}

/* Points at the centres of cells. */
static struct tw_value points_of(struct tw_point *at, int32_t side, const int32_t (*cells)[2],
                                 int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        at[i] = (struct tw_point){.x = ((float)cells[i][0] + 0.5f) / (float)side,
                                  .y = ((float)cells[i][1] + 0.5f) / (float)side};
    return (struct tw_value){TW_POINTS, count, 1, at};
}

static void has_the_known_values(void **state)
{
    float flat[81] = {0};
    struct tw_point at[2];
    struct tw_value in = {TW_HEIGHTMAP, 9, 9, flat}, block = no_mask(9, 9);
    (void)state;
    harness_give(3, &block);
    struct tw_value corners = points_of(at, 9, (const int32_t[][2]){{0, 0}, {8, 8}}, 2);
    struct tw_result *result = run_reach(&in, &corners, ", targets: targets", 1);
    near(entry(result, "area_control"), 34.0 / 81);
    near(entry(result, "exploration"), 1);
    near(entry(result, "area_balance"), 1);
    near(entry(result, "exploration_balance"), 1);
    near(entry(result, "resource_control"), 1); /* the starts are the targets */
    near(entry(result, "resource_balance"), 1);
    near(entry(result, "share"), 1);
    near(entry(result, "way_least"), 8 * 1.4142 / 9);
    tw_result_release(result);
    struct tw_value middle = points_of(at, 9, (const int32_t[][2]){{0, 0}, {4, 4}}, 2);
    result = run_reach(&in, &middle, "", 1);
    near(entry(result, "area_control"), 47.0 / 81);
    near(entry(result, "exploration"), 63.0 / 81);
    near(entry(result, "area_balance"), 6.0 / 41);
    near(entry(result, "exploration_balance"), 5.0 / 9);
    near(entry(result, "resource_control"), 0);
    tw_result_release(result);
    struct tw_value alone = points_of(at, 9, (const int32_t[][2]){{4, 4}}, 1);
    result = run_reach(&in, &alone, ", targets: targets", 1);
    static const char *const ones[] = {"area_control", "area_balance",     "exploration",
                                       "area_least",   "resource_balance", "exploration_balance"};
    for (int i = 0; i < 6; i++)
        near(entry(result, ones[i]), 1);
    near(entry(result, "cut"), -1);
    near(entry(result, "way_greatest"), 0);
    tw_result_release(result);
    free(block.data);
}

/* ---- a plain reference ---- */

struct plain {
    int32_t width, height, size;
    uint8_t *fits;
    int64_t *way[STARTS_MAX];
};

static bool gentle(const struct tw_value *in, const float *block, int32_t x, int32_t y, float talus)
{
    const float *h = tw_floats(in);
    float here = h[y * in->width + x], s = 0;
    for (int k = 0; k < 4; k++) {
        int32_t i = x + (k == 0) - (k == 1), j = y + (k == 2) - (k == 3);
        if (i >= 0 && j >= 0 && i < in->width && j < in->height)
            s = tw_max(s, fabsf(here - h[j * in->width + i]));
    }
    return s < talus / (float)in->width && block[y * in->width + x] < 0.5f;
}

static bool fits(const struct plain *p, int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && x < p->width && y < p->height && p->fits[y * p->width + x];
}

static void find_fits(struct plain *p, const struct tw_value *in, const float *block, float talus)
{
    for (int32_t y = 0; y < p->height; y++)
        for (int32_t x = 0; x < p->width; x++) {
            bool fit = x + p->size <= p->width && y + p->size <= p->height;
            for (int32_t i = 0; fit && i < p->size * p->size; i++)
                fit = gentle(in, block, x + i % p->size, y + i / p->size, talus);
            p->fits[y * p->width + x] = fit;
        }
}

/* Takes the best step until no way gets shorter. */
static void relax(const struct plain *p, int32_t start, int64_t *way)
{
    for (int32_t i = 0; i < p->width * p->height; i++)
        way[i] = i == start ? 0 : FAR;
    for (bool more = true; more;) {
        more = false;
        for (int32_t i = 0; i < p->width * p->height; i++)
            for (int32_t k = 0; k < 9; k++) {
                int32_t x = i % p->width, y = i / p->width, dx = k % 3 - 1, dy = k / 3 - 1;
                if (!fits(p, x, y) || !fits(p, x + dx, y + dy) || !fits(p, x + dx, y) ||
                    !fits(p, x, y + dy) || way[i] == FAR)
                    continue;
                int64_t to = way[i] + (dx && dy ? 14142 : dx || dy ? 10000 : 0);
                int64_t *old = &way[(y + dy) * p->width + x + dx];
                more |= to < *old;
                *old = to < *old ? to : *old;
            }
    }
}

/* Number of the nearest start of a place, from 1; -1 on ties, 0 where none reaches it. */
static int32_t owner(const struct plain *p, int32_t place, int32_t starts, int64_t *best)
{
    int32_t who = 0;
    *best = FAR;
    for (int32_t i = 0; i < starts; i++) {
        if (p->way[i][place] == FAR)
            continue;
        who = p->way[i][place] < *best ? i + 1 : p->way[i][place] == *best ? -1 : who;
        *best = p->way[i][place] < *best ? p->way[i][place] : *best;
    }
    return who;
}

static void check_cell(const struct plain *p, const struct tw_result *result, int32_t cell,
                       int32_t starts)
{
    int32_t own = 0;
    int64_t least = FAR;
    bool shared = false;
    for (int32_t i = 0; i < p->size * p->size; i++) {
        int32_t x = cell % p->width - i % p->size, y = cell / p->width - i / p->size;
        int64_t best = FAR;
        int32_t who = fits(p, x, y) ? owner(p, y * p->width + x, starts, &best) : 0;
        least = best < least ? best : least;
        shared |= own > 0 && who > 0 && who != own;
        own = who > 0 ? who : own;
    }
    assert_int_equal(tw_labels(tw_result_output(result, "own"))[cell], shared ? 0 : own);
    float distance = tw_floats(tw_result_output(result, "distance"))[cell];
    assert_true(distance == (least == FAR ? -1.0f : (float)((double)least / 10000 / p->width)));
}

static void compare(int32_t width, int32_t height, int32_t size, float talus, uint64_t seed)
{
    struct tw_value in = harness_terrain(width, height, seed), block = no_mask(width, height);
    struct tw_point at[STARTS_MAX];
    struct tw_value starts = {TW_POINTS, 0, 1, at};
    size_t cells = tw_value_count(&in);
    struct plain p = {width, height, size, malloc(cells), {0}};
    char more[200];
    for (size_t i = 0; i < cells; i++)
        tw_floats(&block)[i] = tw_random(seed, (uint32_t)i, 7, 0, 0).at[0] % 16 ? 0.4f : 0.5f;
    find_fits(&p, &in, tw_floats(&block), talus);
    for (int32_t i = 0; i < (int32_t)cells && starts.width < 3; i++) {
        int32_t place = (int32_t)((i * 7919LL + (int64_t)seed) % (int64_t)cells);
        if (!p.fits[place])
            continue;
        p.way[starts.width] = malloc(cells * sizeof *p.way[0]);
        relax(&p, place, p.way[starts.width]);
        at[starts.width++] =
            (struct tw_point){.x = ((float)(place % width) + (float)size * 0.5f) / (float)width,
                              .y = ((float)(place / width) + (float)size * 0.5f) / (float)height};
    }
    assert_int_equal(starts.width, 3);
    harness_give(3, &block);
    snprintf(more, sizeof more, ", block: block, unit_size: %d, unit_talus: %g", size,
             (double)talus);
    struct tw_result *result = run_reach(&in, &starts, more, 1 + (int32_t)seed % 4);
    for (int32_t i = 0; i < (int32_t)cells; i++)
        check_cell(&p, result, i, starts.width);
    tw_result_release(result);
    for (int32_t i = 0; i < 3; i++)
        free(p.way[i]);
    free(p.fits);
    free(in.data);
    free(block.data);
}

static void matches_the_slow_reference(void **state)
{
    (void)state;
    compare(31, 23, 1, 9, 1);
    compare(31, 23, 1, 14, 2);
    compare(23, 31, 2, 14, 3);
    compare(40, 40, 3, 30, 4);
    compare(70, 9, 2, 40, 5);
    compare(40, 1, 1, 9, 6);
}

/* ---- passes ---- */

/* Two rooms of flat ground with a wall between them, in columns 20 and 21, and a gate. */
static void finds_the_narrowest_pass(void **state)
{
    enum { SIDE = 42 };
    struct tw_value in = no_mask(SIDE, SIDE), block = no_mask(SIDE, SIDE);
    struct tw_value closed = no_mask(SIDE, SIDE);
    struct tw_point at[2];
    struct tw_value starts = points_of(at, SIDE, (const int32_t[][2]){{8, 8}, {33, 30}}, 2);
    (void)state;
    in.type = TW_HEIGHTMAP;
    for (int i = 0; i < SIDE; i++)
        for (int x = 20; x < 22; x++)
            tw_floats(&block)[i * SIDE + x] = i < 15 || i >= 20 ? 1.0f : 0.0f;
    harness_give(3, &block);
    for (int32_t size = 1; size <= 6; size++) {
        char more[80];
        snprintf(more, sizeof more, ", block: block, unit_size: %d", size);
        struct tw_result *result = run_reach(&in, &starts, more, 1);
        double width = size > 5 ? 0 : 6 - size; /* of the gate, in places */
        near(entry(result, "cut"), width);
        near(entry(result, "clearance"), (double)(int32_t)((width + 1) / 2) / SIDE);
        double marked = 0;
        const float *choke = tw_floats(tw_result_output(result, "choke"));
        for (int i = 0; i < SIDE * SIDE; i++)
            marked += (double)choke[i];
        if (size % 2)
            near(marked, 2 * width); /* either end of the gate has its own */
        for (int i = 0; i < SIDE * SIDE; i++)
            tw_floats(&closed)[i] = tw_max(choke[i], tw_floats(&block)[i]);
        harness_give(3, &closed);
        struct tw_result *after = run_reach(&in, &starts, more, 1);
        near(entry(after, "cut"), 0);
        near(entry(after, "way_greatest"), 0);
        near(entry(after, "clearance"), 0);
        tw_result_release(after);
        harness_give(3, &block);
        tw_result_release(result);
    }
    free(in.data);
    free(closed.data);
    free(block.data);
}

/* On open ground the least cut is the ring around a base. */
static void cuts_off_a_base_on_open_ground(void **state)
{
    enum { SIDE = 40 };
    struct tw_value in = no_mask(SIDE, SIDE), block = no_mask(SIDE, SIDE);
    struct tw_point at[3];
    struct tw_value starts = points_of(at, SIDE, (const int32_t[][2]){{9, 9}, {30, 9}, {9, 30}}, 3);
    (void)state;
    in.type = TW_HEIGHTMAP;
    harness_give(3, &block);
    struct tw_result *result = run_reach(&in, &starts, ", building_size: 5", 1);
    near(entry(result, "cut"), 20);
    for (int i = 0; i < SIDE * SIDE; i++) {
        int dx = i % SIDE % 21 - 9, dy = i / SIDE % 21 - 9;
        bool base = i % SIDE < 21 || i / SIDE < 21;
        bool ring = (abs(dx) == 3 && abs(dy) < 3) || (abs(dy) == 3 && abs(dx) < 3);
        assert_true(tw_floats(tw_result_output(result, "choke"))[i] == (base && ring ? 1 : 0));
    }
    tw_result_release(result);
    free(in.data);
    free(block.data);
}

/* ---- symmetry ---- */

static void turn(const struct tw_value *in, float *out)
{
    int32_t n = in->width;
    for (int32_t y = 0; y < n; y++)
        for (int32_t x = 0; x < n; x++)
            out[x * n + n - 1 - y] = tw_floats(in)[y * n + x];
}

/* Makes a map that has equal bytes after each quarter turn. */
static struct tw_value turned_terrain(int32_t side, uint64_t seed)
{
    struct tw_value map = harness_terrain(side, side, seed), next = harness_terrain(side, side, 0);
    for (int i = 0; i < 4; i++) {
        turn(&map, tw_floats(&next));
        for (int32_t k = 0; k < side * side; k++)
            tw_floats(&next)[k] = tw_max(tw_floats(&map)[k], tw_floats(&next)[k]);
        struct tw_value swap = map;
        map = next;
        next = swap;
    }
    free(next.data);
    return map;
}

/* Starts at corners of cells for units of even size, at centres for odd ones. */
static void is_fair_on_turned_maps(void **state)
{
    enum { SIDE = 64 };
    static const char *const pairs[][2] = {{"area_least", "area_greatest"},
                                           {"build_least", "build_greatest"}};
    static const char *const ones[] = {"area_balance", "exploration_balance", "resource_balance"};
    (void)state;
    for (int32_t size = 1; size <= 4; size++)
        for (int32_t count = 2; count <= 4; count += 2) {
            float a = (size % 2 ? 9.5f : 10.0f) / SIDE, b = 1 - a;
            struct tw_point at[4] = {
                {.x = a, .y = a}, {.x = b, .y = b}, {.x = b, .y = a}, {.x = a, .y = b}};
            struct tw_value starts = {TW_POINTS, count, 1, at}, in = turned_terrain(SIDE, 5);
            struct tw_value block = no_mask(SIDE, SIDE);
            char more[160];
            harness_give(3, &block);
            snprintf(more, sizeof more,
                     ", unit_size: %d, building_size: %d, unit_talus: 40, building_talus: 25, "
                     "targets: targets",
                     size, 2 + size % 2);
            struct tw_result *result = run_reach(&in, &starts, more, 1);
            for (int i = 0; i < 2; i++)
                assert_true(entry(result, pairs[i][0]) == entry(result, pairs[i][1]));
            assert_true(entry(result, "area_least") > 0 && entry(result, "build_least") > 0);
            for (int i = 0; i < 3; i++)
                assert_true(entry(result, ones[i]) == 1);
            tw_result_release(result);
            free(in.data);
            free(block.data);
        }
}

/* ---- degenerate inputs ---- */

static void names_the_nearest_place_for_a_start(void **state)
{
    float flat[64] = {0}, closed[64] = {0};
    struct tw_point at[1] = {{.x = 0.3f, .y = 0.3f}};
    struct tw_value in = {TW_HEIGHTMAP, 8, 8, flat}, starts = {TW_POINTS, 1, 1, at};
    struct tw_value block = {TW_MASK, 8, 8, closed};
    static const char nodes[] = "in: {type: test.map}\nstarts: {type: test.points, slot: 1}\n"
                                "block: {type: test.mask, slot: 3}\n"
                                "r: {type: measure.reach, in: in, starts: starts, block: block}\n";
    struct harness harness = {.width = 8, .height = 8, .nodes = nodes};
    (void)state;
    for (int i = 0; i < 64; i++)
        closed[i] = i % 8 < 5 ? 1.0f : 0.0f;
    harness_give(0, &in);
    harness_give(1, &starts);
    harness_give(3, &block);
    struct tw_error error = harness_fail(&harness);
    assert_non_null(strstr(error.message, "{x: 0.6875, y: 0.3125}"));
    for (int i = 0; i < 64; i++)
        closed[i] = 1;
    harness_give(0, &in);
    harness_give(1, &starts);
    harness_give(3, &block);
    error = harness_fail(&harness);
    assert_non_null(strstr(error.message, "no place for a unit"));
}

static void measures_a_single_cell(void **state)
{
    float cell = 3;
    struct tw_point at[2] = {{.x = 0.5f, .y = 0.5f}, {.x = 1, .y = 1}};
    struct tw_value in = {TW_HEIGHTMAP, 1, 1, &cell}, starts = {TW_POINTS, 2, 1, at};
    struct tw_value block = no_mask(1, 1);
    (void)state;
    harness_give(3, &block);
    struct tw_result *result = run_reach(&in, &starts, ", targets: targets", 1);
    near(entry(result, "share"), 1);
    near(entry(result, "area_greatest"), 0); /* both tie everywhere */
    near(entry(result, "area_balance"), 1);
    near(entry(result, "cut"), -1);
    tw_result_release(result);
    free(block.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(has_the_known_values),
                                       cmocka_unit_test(matches_the_slow_reference),
                                       cmocka_unit_test(finds_the_narrowest_pass),
                                       cmocka_unit_test(cuts_off_a_base_on_open_ground),
                                       cmocka_unit_test(is_fair_on_turned_maps),
                                       cmocka_unit_test(names_the_nearest_place_for_a_start),
                                       cmocka_unit_test(measures_a_single_cell)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
