/* SPDX-License-Identifier: MIT */
#include "feature/kernels/cost_profile.h"
#include "support/everywhere.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the reference: Algorithm 1 with a plain binary heap, in double ---- */

enum { SIDE_MAX = 130 };

struct entry {
    double cost;
    int32_t feature, cell, source;
};

struct scene {
    int32_t width, height;
    const float *image; /* g */
    double diagonal, sea, mean;
    const struct tw_point *points;
    int32_t count;
    const float *profile; /* pairs, or NULL */
    int32_t pairs;
    const double *field; /* C_a for the second rule; NULL for none */
    double limit, share;
    int32_t feature; /* -1: all */
};

static struct entry heap[SIDE_MAX * SIDE_MAX * 9];
static int32_t heap_count;

static bool before(struct entry a, struct entry b)
{
    if (a.cost != b.cost)
        return a.cost < b.cost;
    return a.feature != b.feature ? a.feature < b.feature : a.cell < b.cell;
}

static void push(struct entry entry)
{
    int32_t i = heap_count++;
    for (; i && before(entry, heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = entry;
}

static struct entry pop(void)
{
    struct entry top = heap[0], last = heap[--heap_count];
    int32_t i = 0;
    for (int32_t child; (child = 2 * i + 1) < heap_count; i = child) {
        child += child + 1 < heap_count && before(heap[child + 1], heap[child]);
        if (!before(heap[child], last))
            break;
        heap[i] = heap[child];
    }
    heap[i] = last;
    return top;
}

/* Slope of the profile, stretched to costs 0..c_s, at cost c, over mu_w. */
static double slope(const struct scene *s, double c)
{
    double top = (double)s->profile[1], found = 0;
    double fall = top - (double)s->profile[2 * s->pairs - 1];
    for (int32_t i = 0; i + 1 < s->pairs; i++) {
        double from = s->sea * (top - (double)s->profile[2 * i + 1]) / fall;
        double to = s->sea * (top - (double)s->profile[2 * i + 3]) / fall;
        if (to > from && (from <= c || found == 0))
            found =
                (to - from) / ((double)s->profile[2 * i + 2] - (double)s->profile[2 * i]) / s->mean;
    }
    return found;
}

/* Settled costs, HUGE_VAL elsewhere; labels may be NULL. */
static void reference(const struct scene *s, double *cost, int32_t *labels)
{
    static int32_t held[SIDE_MAX * SIDE_MAX], source[SIDE_MAX * SIDE_MAX];
    static uint8_t state[SIDE_MAX * SIDE_MAX]; /* 1 settled or dropped, 2 generator */
    int32_t cells = s->width * s->height;
    memset(state, 0, sizeof state);
    heap_count = 0;
    for (int32_t i = 0; i < cells; i++)
        cost[i] = HUGE_VAL;
    for (int32_t i = 0; i < s->count; i++) {
        const struct tw_point *p = &s->points[i];
        int32_t cell =
            (int32_t)(p->y * (float)s->height) * s->width + (int32_t)(p->x * (float)s->width);
        double c = (double)p->cost;
        if ((s->feature >= 0 && p->feature != s->feature) || cost[cell] < c ||
            (cost[cell] == c && held[cell] <= p->feature))
            continue;
        cost[cell] = c;
        held[cell] = p->feature;
        source[cell] = i;
        state[cell] = 2;
    }
    for (int32_t i = 0; i < cells; i++)
        if (state[i] == 2 && cost[i] < s->sea)
            push((struct entry){cost[i], held[i], i, source[i]});
    while (heap_count) {
        struct entry e = pop();
        if (e.cost >= s->limit)
            break;
        if ((state[e.cell] & 1) || e.cost != cost[e.cell] || e.feature != held[e.cell] ||
            e.source != source[e.cell])
            continue;
        state[e.cell] |= 1;
        if (s->field && state[e.cell] == 1 &&
            s->sea - e.cost < s->share * (s->sea - s->field[e.cell])) {
            cost[e.cell] = -1; /* dropped */
            continue;
        }
        double c_g = (double)s->points[e.source].cost;
        double scale = s->profile ? slope(s, (e.cost - c_g) / (s->sea - c_g) * s->sea) : 1;
        for (int32_t k = 0; k < 9; k++) {
            int32_t dx = k % 3 - 1, dy = k / 3 - 1;
            int32_t x = e.cell % s->width + dx, y = e.cell / s->width + dy;
            int32_t to = y * s->width + x;
            if (k == 4 || x < 0 || y < 0 || x >= s->width || y >= s->height || state[to])
                continue;
            float weight =
                0.5f * (s->image[e.cell] + s->image[to]) * (dx && dy ? (float)s->diagonal : 1.0f);
            double c = e.cost + (double)weight * scale;
            if (c < cost[to] || (c == cost[to] && e.feature < held[to])) {
                cost[to] = c;
                held[to] = e.feature;
                source[to] = e.source;
                push((struct entry){c, e.feature, to, e.source});
            }
        }
    }
    for (int32_t i = 0; i < cells; i++) {
        bool settled = (state[i] & 1) && cost[i] >= 0;
        if (labels)
            labels[i] = held[i];
        if (!settled && !(state[i] == 2 && s->limit == HUGE_VAL))
            cost[i] = HUGE_VAL;
    }
}

/* ---- scenes ---- */

static struct tw_point points[64];
static float image[SIDE_MAX * SIDE_MAX];
static double whole[SIDE_MAX * SIDE_MAX], field[SIDE_MAX * SIDE_MAX];
static double over[SIDE_MAX * SIDE_MAX], under[SIDE_MAX * SIDE_MAX];
static int32_t labels[SIDE_MAX * SIDE_MAX];

static struct tw_result *run_scene(const struct scene *s, const char *nodes, int level)
{
    static struct tw_value list, mask;
    list = (struct tw_value){TW_POINTS, s->count, 1, points};
    mask = (struct tw_value){TW_MASK, s->width, s->height, image};
    harness_give(0, &list);
    harness_give(1, &mask);
    return harness_run(&(struct harness){.width = s->width,
                                         .height = s->height,
                                         .threads = 1 + level % 2,
                                         .simd = everywhere_levels[level],
                                         .nodes = nodes,
                                         .outputs = "cost: out.cost\nfeature: out.feature\n"});
}

static void make_scene(int32_t width, int32_t height, int32_t count, int levels)
{
    for (int32_t i = 0; i < width * height; i++) {
        float u = tw_uniform(tw_random(7, (uint32_t)i, 0, 0, 0).at[0]);
        image[i] =
            levels ? (float)(1 + tw_floor(u * (float)levels)) / (float)levels : 0.2f + 0.8f * u;
    }
    for (int32_t i = 0; i < count; i++) {
        struct tw_random4 words = tw_random(9, (uint32_t)i, 0, 0, 0);
        points[i] = (struct tw_point){tw_uniform(words.at[0]), tw_uniform(words.at[1]),
                                      (float)tw_floor(tw_uniform(words.at[2]) * 9), i / 3, 0};
    }
}

/* mu_w of image weights: the mean, rows in order. */
static double mean_of_image(int32_t width, int32_t height)
{
    double sum = 0;
    for (int32_t y = 0; y < height; y++) {
        double row = 0;
        for (int32_t x = 0; x < width; x++)
            row += (double)image[y * width + x];
        sum += row;
    }
    return sum / ((double)width * (double)height);
}

static void compare(struct scene *s, const struct tw_result *result, double bias)
{
    int32_t cells = s->width * s->height;
    const struct tw_value *cost = tw_result_output(result, "cost");
    const struct tw_value *feature = tw_result_output(result, "feature");
    const struct tw_value *out = tw_result_output(result, "out");
    struct scene all = *s;
    all.feature = -1;
    all.limit = HUGE_VAL;
    all.field = NULL;
    reference(&all, whole, labels);
    memset(over, 0, sizeof over);
    memset(under, 0, sizeof under);
    for (int32_t f = 0; f <= (s->count - 1) / 3; f++) {
        s->feature = f;
        s->field = whole;
        reference(s, field, NULL);
        for (int32_t i = 0; i < cells; i++)
            if (field[i] < s->sea) {
                over[i] += pow(s->sea - field[i], bias + 1);
                under[i] += pow(s->sea - field[i], bias);
            }
    }
    for (int32_t i = 0; i < cells; i++) {
        float expected = (float)(whole[i] < s->sea ? whole[i] : s->sea);
        if (tw_floats(cost)[i] != expected || tw_labels(feature)[i] != labels[i])
            fail_msg("cell %d: cost %.9g of %d, expected %.9g of %d", (int)i,
                     (double)tw_floats(cost)[i], (int)tw_labels(feature)[i], (double)expected,
                     (int)labels[i]);
        double height = under[i] > 0 ? over[i] / under[i] : 0;
        if (fabs((double)tw_floats(out)[i] - height) > 1e-6 * s->sea)
            fail_msg("cell %d: height %.9g, expected %.9g", (int)i, (double)tw_floats(out)[i],
                     height);
    }
}

static struct scene scene_of(int32_t width, int32_t height, int32_t count, double sea_level)
{
    float highest = 0;
    for (int32_t i = 0; i < count; i++)
        highest = tw_max(highest, points[i].cost);
    double sea = sea_level * (double)highest;
    return (struct scene){.width = width,
                          .height = height,
                          .image = image,
                          .diagonal = 1,
                          .sea = sea,
                          .mean = mean_of_image(width, height),
                          .points = points,
                          .count = count,
                          .limit = sea - 0.5,
                          .share = 0.05};
}

/* On every instruction set. */
static void equals_the_reference(struct scene s, const char *nodes, double bias)
{
    for (int level = 0; level < 3; level++) {
        if (everywhere_twice(level))
            continue;
        struct tw_result *result = run_scene(&s, nodes, level);
        compare(&s, result, bias);
        tw_result_release(result);
    }
}

#define FRAME "p: {type: test.points}\nw: {type: test.mask, slot: 1}\n"
#define DISTANCE "out: {type: feature.distance, generators: p, weights: w, "

static void equals_a_heap(void **state)
{
    (void)state;
    make_scene(129, 77, 30, 0);
    struct scene s = scene_of(129, 77, 30, 2.5);
    equals_the_reference(s, FRAME DISTANCE "bias: 3, sea_level: 2.5}\n", 3);
}

static void equals_a_heap_with_many_ties(void **state)
{
    (void)state;
    for (int levels = 1; levels < 4; levels++) {
        make_scene(101, 93, 30, levels);
        struct scene s = scene_of(101, 93, 30, 3);
        equals_the_reference(s, FRAME DISTANCE "bias: 0, sea_level: 3}\n", 0);
    }
}

/* A profile, so that costs are found in order: in sixteen strips of rows, between whose cells and
 * sources there are ties everywhere. */
static void equals_a_heap_in_strips(void **state)
{
    static const float profile[] = {0, 1, 90, 0};
    (void)state;
    for (int levels = 0; levels < 3; levels++) {
        make_scene(26, 640, 60, levels);
        for (int i = 0; i < 60; i++) /* in the rows on both sides of a border between strips */
            points[i].y = ((float)(41 * (1 + i % 15) - 1 - i / 15 % 2) + 0.5f) / 640;
        struct scene s = scene_of(26, 640, 60, 4);
        s.profile = profile;
        s.pairs = 2;
        equals_the_reference(s,
                             FRAME
                             "f: {type: feature.profile, points: [[0, 1], [90, 0]]}\n" DISTANCE
                             "bias: 0, sea_level: 4, profiles: [f]}\n",
                             0);
    }
}

static void equals_a_heap_with_a_profile(void **state)
{
    static const float profile[] = {0, 1, 5, 0.9f, 9, 0.4f, 12, 0.4f, 40, 0};
    (void)state;
    make_scene(129, 77, 30, 0);
    struct scene s = scene_of(129, 77, 30, 2);
    s.profile = profile;
    s.pairs = 5;
    s.diagonal = (double)1.41421356f;
    equals_the_reference(
        s,
        FRAME "f: {type: feature.profile, points: [[0, 1], [5, 0.9], [9, 0.4], [12, 0.4], [40, 0]]}"
              "\n" DISTANCE "bias: 2, sea_level: 2, profiles: [f], metric: octile}\n",
        2);
}

/* Weights of 1 and 20,000 make buckets wider than the least increment. */
static void equals_a_heap_with_extreme_weights(void **state)
{
    (void)state;
    make_scene(90, 80, 12, 0);
    for (int32_t i = 0; i < 90 * 80; i++)
        image[i] = image[i] > 0.7f ? 1.0f : image[i] > 0.6f ? 0.01f : 0.00005f;
    struct scene s = scene_of(90, 80, 12, 2);
    equals_the_reference(s, FRAME DISTANCE "bias: 1, sea_level: 2}\n", 1);
}

static void uniform_weights_give_pyramids(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .width = 61,
        .height = 47,
        .nodes = "p: {type: feature.points, points: [[0.5, 0.5, 20]]}\n"
                 "out: {type: feature.distance, generators: p, mean_weight: 2, deviation: 0, "
                 "sea_level: 5, bias: 0}\n"
                 "oct: {type: feature.distance, generators: p, mean_weight: 2, deviation: 0, "
                 "sea_level: 5, metric: octile}\n",
        .outputs = "cost: out.cost\noctile: oct.cost\n"});
    for (int32_t y = 0; y < 47; y++)
        for (int32_t x = 0; x < 61; x++) {
            int32_t dx = abs(x - 30), dy = abs(y - 23);
            int32_t far = dx > dy ? dx : dy, near = dx > dy ? dy : dx;
            float cost = 20.0f + 2.0f * (float)far;
            double octile = 20 + 2 * (far + near * ((double)1.41421356f - 1));
            size_t at = (size_t)(y * 61 + x);
            assert_true(tw_floats(tw_result_output(result, "cost"))[at] == cost);
            assert_true(tw_floats(tw_result_output(result, "out"))[at] == 100.0f - cost);
            assert_true(fabs((double)tw_floats(tw_result_output(result, "octile"))[at] - octile) <
                        1e-4);
        }
    tw_result_release(result);
}

/* A node of cost c_0 shows the profile scaled by f = 1 - c_0 / c_s: h(d) = f P(d / f). */
static void a_cross_section_is_the_profile(void **state)
{
    const float knots[] = {0, 1, 10, 0.8f, 30, 0.3f, 60, 0};
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .width = 161,
        .height = 5,
        .nodes = "p: {type: feature.points, points: [[0.5, 0.5, 25]]}\n"
                 "f: {type: feature.profile, points: [[0, 1], [10, 0.8], [30, 0.3], [60, 0]]}\n"
                 "out: {type: feature.distance, generators: p, profiles: [f], deviation: 0, "
                 "mean_weight: 1.5, sea_level: 4, stop_share: 0}\n"});
    const struct tw_value *out = tw_result_output(result, "out");
    for (int32_t d = 0; d < 80; d++) {
        double f = 0.75, x = d / f, p = 0;
        for (int i = 0; i < 3; i++)
            if (x >= (double)knots[2 * i] && x < (double)knots[2 * i + 2])
                p = (double)knots[2 * i + 1] + (double)(knots[2 * i + 3] - knots[2 * i + 1]) *
                                                   (x - (double)knots[2 * i]) /
                                                   (double)(knots[2 * i + 2] - knots[2 * i]);
        double height = (double)tw_floats(out)[2 * 161 + 80 + d];
        assert_true(fabs(height - 100 * f * p) <= 2.5 + 1e-4); /* the steepest piece's step */
    }
    tw_result_release(result);
}

static void bias_goes_from_the_mean_to_the_maximum(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .width = 65,
        .height = 65,
        .nodes = "p: {type: feature.points, points: [[0.3, 0.5, 2], [0.7, 0.5, 20]]}\n"
                 "q: {type: feature.points, points: [[0.3, 0.5, 2]]}\n"
                 "a: {type: feature.distance, generators: p, deviation: 0, bias: 0, sea_level: 5, "
                 "stop_share: 0}\n"
                 "b: {type: feature.distance, generators: p, deviation: 0, bias: 1.5, sea_level: 5,"
                 " stop_share: 0}\n"
                 "c: {type: feature.distance, generators: p, deviation: 0, bias: 1000, "
                 "sea_level: 5, stop_share: 0}\n"});
    const float *a = tw_floats(tw_result_output(result, "a"));
    const float *b = tw_floats(tw_result_output(result, "b"));
    const float *c = tw_floats(tw_result_output(result, "c"));
    for (int32_t i = 0; i < 65 * 65; i++) {
        int32_t x = i % 65, y = i / 65, dy = abs(y - 32);
        int32_t first = abs(x - 19) > dy ? abs(x - 19) : dy;
        int32_t second = abs(x - 45) > dy ? abs(x - 45) : dy;
        float one = 98.0f - (float)first, two = 80.0f - (float)second;
        assert_true(fabsf(a[i] - 0.5f * (one + two)) < 1e-4f);
        float highest = one > two ? one : two, gap = fabsf(one - two);
        assert_true(c[i] <= highest && c[i] >= highest - (gap < 2 ? 1.0f : 1e-3f));
        assert_true(a[i] <= b[i] + 1e-4f && b[i] <= c[i] + 1e-4f);
    }
    tw_result_release(result);
}

/* A ring with two profiles: without limits the gentle inner one would spill outside. */
static void limited_features_stay_inside(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .width = 96,
        .height = 96,
        .nodes =
            "ring: {type: feature.strokes, strokes: [{stroke: 0, x: 0.5, y: 0.5, radius: 0.2, "
            "cost: 10}]}\n"
            "out: {type: feature.distance, generators: ring, domain: ring.inside, limits: [[0, 1]],"
            " sea_level: 6}\n",
        .outputs = "inside: ring.inside\n"});
    const float *out = tw_floats(tw_result_output(result, "out"));
    const int32_t *inside = tw_labels(tw_result_output(result, "inside"));
    int32_t outer = 0;
    for (int32_t i = 0; i < 96 * 96; i++) {
        double dx = i % 96 - 47.5, dy = i / 96 - 47.5, d = sqrt(dx * dx + dy * dy);
        assert_true(inside[i] != 1 || out[i] > 0);
        if (d > 0.2 * 96 + 1.5) {
            assert_true(out[i] == 0.0f);
            outer++;
        }
    }
    assert_true(outer > 7000);
    tw_result_release(result);
}

static void same_bytes_on_any_machine(void **state)
{
    static const char *const simd[] = {"base", "avx2", NULL};
    const char *nodes = "p: {type: feature.points, count: 60, cost: [2, 9], profiles: 2}\n"
                        "f: {type: feature.profile, points: [[0, 1], [10, 0.4], [50, 0]]}\n"
                        "g: {type: feature.profile, points: [[0, 1], [20, 0.8], [40, 0]]}\n"
                        "out: {type: feature.distance, generators: p, profiles: [f, g], bias: 3}\n";
    struct tw_result *first =
        harness_run(&(struct harness){.width = 257, .height = 129, .simd = "base", .nodes = nodes});
    (void)state;
    for (int32_t threads = 1; threads <= 8; threads *= SANITIZED ? 8 : 2)
        for (int i = 0; i < 3; i++) {
            if (everywhere_twice(i))
                continue;
            struct tw_result *result = harness_run(&(struct harness){
                .width = 257, .height = 129, .simd = simd[i], .threads = threads, .nodes = nodes});
            harness_same(tw_result_output(result, "out"),
                         tw_floats(tw_result_output(first, "out")));
            tw_result_release(result);
        }
    tw_result_release(first);
}

/* The base level settles cells in the order of costs; wider ones relax tiles in rounds. */
static void relaxing_gives_what_the_order_of_costs_gives(void **state)
{
    static const char *const generators[] = {
        "p: {type: feature.points, points: [[0.1, 0.9, 3]]}\n",
        "p: {type: feature.points, count: 80, cost: [2, 30]}\n",
        ("p: {type: feature.strokes, strokes: [[0, 0.1, 0.2, 1], [0, 0.9, 0.8, 20], "
         "[1, 0.9, 0.1, 4], [1, 0.2, 0.9, 4]]}\n"),
    };
    static const char *const weights[] = {"deviation: 0", "deviation: 0.9", "metric: octile",
                                          "deviation: 0, metric: octile", "sea_level: 0.4"};
    char nodes[512];
    (void)state;
    for (size_t g = 0; g < sizeof generators / sizeof generators[0]; g++)
        for (size_t w = 0; w < sizeof weights / sizeof weights[0]; w++) {
            snprintf(nodes, sizeof nodes, "%sout: {type: feature.distance, generators: p, %s}\n",
                     generators[g], weights[w]);
            struct harness h = {.width = 203,
                                .height = 134,
                                .simd = "base",
                                .nodes = nodes,
                                .outputs = "cost: out.cost\nfeature: out.feature\n"};
            struct tw_result *first = harness_run(&h), *result;
            h.simd = NULL;
            for (h.threads = SANITIZED ? 8 : 1; h.threads <= 8; h.threads *= 2) {
                result = harness_run(&h);
                harness_same(tw_result_output(result, "cost"),
                             tw_floats(tw_result_output(first, "cost")));
                harness_same(tw_result_output(result, "out"),
                             tw_floats(tw_result_output(first, "out")));
                assert_memory_equal(tw_labels(tw_result_output(result, "feature")),
                                    tw_labels(tw_result_output(first, "feature")),
                                    203 * 134 * sizeof(int32_t));
                tw_result_release(result);
            }
            tw_result_release(first);
        }
}

static void odd_sizes_work(void **state)
{
    static const int32_t sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {31, 3}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        tw_result_release(harness_run(
            &(struct harness){.width = sizes[i][0],
                              .height = sizes[i][1],
                              .nodes = "p: {type: feature.points, count: 5, cost: [1, 3]}\n"
                                       "out: {type: feature.distance, generators: p}\n"}));
}

static void names_what_is_wrong(void **state)
{
    const struct {
        const char *nodes, *part;
    } cases[] = {
        {"p: {type: feature.points, points: [[0.5, 0.5, 0]]}\n"
         "out: {type: feature.distance, generators: p}\n",
         "must be above 0"},
        {"p: {type: feature.points, points: [{x: 0, y: 0, cost: 1, profile: 2}]}\n"
         "out: {type: feature.distance, generators: p}\n",
         "has profile 2; expected 0, as the input 'profiles' is empty"},
        {"p: {type: feature.points}\n"
         "out: {type: feature.distance, generators: p, deviation: 1}\n",
         "expected less than mean_weight"},
        {"p: {type: feature.points}\n"
         "out: {type: feature.distance, generators: p, limits: [[0, 1]]}\n",
         "limits needs the domain input"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tw_error error = harness_fail(&(struct harness){.nodes = cases[i].nodes});
        if (!strstr(error.message, cases[i].part))
            fail_msg("'%s' should say '%s'", error.message, cases[i].part);
    }
    tw_result_release(harness_run(&(struct harness){
        .nodes = "p: {type: feature.points, points: [[0, 0, 1], [1, 1, 9]]}\n"
                 "out: {type: feature.distance, generators: p, sea_level: 0.9}\n"}));
    assert_non_null(strstr(harness_warning(), "1 of 2 generators lie at or below the sea"));
}

/* Without the features no labels are searched; without the terrain nothing is blended. */
static void unused_outputs_change_nothing(void **state)
{
    static const char *const profiles[] = {"", ", profiles: f"};
    static const char *const outputs[] = {"cost: out.cost\n", "feature: out.feature\n",
                                          "cost: out.cost\nfeature: out.feature\n"};
    char nodes[512];
    (void)state;
    for (int p = 0; p < 2; p++) {
        struct tw_result *result[3], *plain;
        snprintf(nodes, sizeof nodes,
                 "p: {type: feature.points, count: 30, cost: [2, 30]}\n"
                 "f: {type: feature.profile, points: [[0, 1], [10, 0.4], [50, 0]]}\n"
                 "out: {type: feature.distance, generators: p%s}\n",
                 profiles[p]);
        struct harness h = {.width = 131, .height = 70, .threads = 3, .nodes = nodes};
        plain = harness_run(&h);
        for (int i = 0; i < 3; i++) {
            h.outputs = outputs[i];
            result[i] = harness_run(&h);
            harness_same(tw_result_output(result[i], "out"),
                         tw_floats(tw_result_output(plain, "out")));
        }
        harness_same(tw_result_output(result[0], "cost"),
                     tw_floats(tw_result_output(result[2], "cost")));
        assert_memory_equal(tw_result_output(result[1], "feature")->data,
                            tw_result_output(result[2], "feature")->data, 131 * 70 * 4);
        for (int i = 0; i < 3; i++)
            tw_result_release(result[i]);
        tw_result_release(plain);
    }
}

/* feature.points and feature.profile give neither; a cache that others write to may. */
static void impossible_lists_are_refused(void **state)
{
    static const float pairs[][6] = {
        {0, 1, 1, 1, 2, 1}, {0, 1, 1, 2, 2, 0}, {0, 1, 0, 0.5f, 2, 0}, {2, 1, 1, 0.5f, 0, 0}};
    float falling[] = {0, 1, 1, 1, 2, 0};
    struct tw_point point = {0.5f, 0.5f, -1e30f, 0, 0};
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_false(tw_cost_profile_falls(
            &(struct tw_value){TW_PROFILE, 3, 1, memcpy((float[6]){0}, pairs[i], sizeof *pairs)}));
    for (int32_t count = 0; count <= 3; count++)
        assert_int_equal(tw_cost_profile_falls(&(struct tw_value){TW_PROFILE, count, 1, falling}),
                         count == 3);
    harness_give(0, &(struct tw_value){TW_POINTS, 1, 1, &point});
    struct tw_error error =
        harness_fail(&(struct harness){.nodes = "p: {type: test.points}\n"
                                                "out: {type: feature.distance, generators: p}\n"});
    assert_non_null(strstr(error.message, "has the cost -1e+30; expected 0 or more"));
}

/* w_s at cost c: the slope of the last piece that begins at or below it. */
static double last_below(const struct tw_cost_profile *slopes, double c)
{
    int32_t piece = 0;
    for (int32_t i = 1; i < slopes->count; i++)
        piece = slopes->knot[i] <= c ? i : piece;
    return slopes->scale[piece];
}

/* At every knot and next to it, for few pieces and more than there are ranges. */
static void slopes_are_found_by_ranges(void **state)
{
    enum { PAIRS_MAX = 500 };
    const int32_t counts[] = {2, 3, 6, 70, PAIRS_MAX};
    static double knots[PAIRS_MAX], scales[PAIRS_MAX];
    (void)state;
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        const double sea = 0.1 + 61.7 * (double)n;
        static float pairs[2 * PAIRS_MAX];
        struct tw_cost_profile slopes = {.knot = knots, .scale = scales};
        for (int32_t i = 0; i < counts[n]; i++) {
            struct tw_random4 words = tw_random(5, (uint32_t)i, (uint32_t)n, 0, 0);
            pairs[2 * i] = (float)i;
            pairs[2 * i + 1] =
                i ? pairs[2 * i - 1] - tw_uniform(words.at[0]) * (words.at[1] % 9 ? 1e-4f : 1) : 7;
        }
        tw_cost_profile_fill(&(struct tw_value){TW_PROFILE, counts[n], 1, pairs}, sea, 1.5,
                             &slopes);
        for (int32_t i = 0; i < slopes.count; i++)
            for (int32_t k = -1; k <= 1; k++) {
                double c = k ? nextafter(knots[i], k * 1e300) : knots[i];
                assert_true(tw_cost_profile_scale(&slopes, c) == last_below(&slopes, c));
            }
        for (int32_t i = -3; i < 1000; i++)
            assert_true(tw_cost_profile_scale(&slopes, i * sea / 997) ==
                        last_below(&slopes, i * sea / 997));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_a_heap),
        cmocka_unit_test(equals_a_heap_with_many_ties),
        cmocka_unit_test(equals_a_heap_in_strips),
        cmocka_unit_test(equals_a_heap_with_a_profile),
        cmocka_unit_test(equals_a_heap_with_extreme_weights),
        cmocka_unit_test(uniform_weights_give_pyramids),
        cmocka_unit_test(a_cross_section_is_the_profile),
        cmocka_unit_test(bias_goes_from_the_mean_to_the_maximum),
        cmocka_unit_test(limited_features_stay_inside),
        cmocka_unit_test(same_bytes_on_any_machine),
        cmocka_unit_test(relaxing_gives_what_the_order_of_costs_gives),
        cmocka_unit_test(odd_sizes_work),
        cmocka_unit_test(names_what_is_wrong),
        cmocka_unit_test(impossible_lists_are_refused),
        cmocka_unit_test(slopes_are_found_by_ranges),
        cmocka_unit_test(unused_outputs_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
