/* SPDX-License-Identifier: MIT */
/* layer.slide against a plain version of its equations; sums, slopes at rest, and what keeps still.
 */
#include "support/everywhere.h"
#include "support/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 61, H = 45, CELLS = W * H };

struct map {
    int width, height;
    double *cells;
};

static struct map new_map(int width, int height)
{
    return (struct map){width, height, calloc((size_t)(width * height), sizeof(double))};
}

static double *at(const struct map *m, int x, int y, bool wrap)
{
    if (!wrap && (x < 0 || x >= m->width || y < 0 || y >= m->height))
        return NULL;
    x = (x + m->width) % m->width;
    y = (y + m->height) % m->height;
    return &m->cells[y * m->width + x];
}

static double sum_of(const struct map *m)
{
    double sum = 0;
    for (int y = 0; y < m->height; y++) {
        double row = 0;
        for (int x = 0; x < m->width; x++)
            row += *at(m, x, y, false);
        sum += row;
    }
    return sum;
}

struct world {
    struct map rock, loose, keep;
    bool wrap;
};

static struct {
    float top;
    int cell;
} order[CELLS];

static int by_falling_top(const void *a, const void *b)
{
    const float *left = a, *right = b;
    const int *first = (const int *)a + 1, *second = (const int *)b + 1;
    return *left > *right ? -1 : *left < *right ? 1 : *first - *second;
}

static void visit(const struct world *w, int cell, double rise)
{
    const int x = cell % w->rock.width, y = cell / w->rock.width;
    const double top = w->rock.cells[cell] + w->loose.cells[cell];
    const double keep = w->keep.cells[cell], spare = w->loose.cells[cell] - keep;
    double e[9] = {0}, sum = 0, greatest = 0;
    for (int i = 0; i < 9; i++) {
        const int nx = x + i % 3 - 1, ny = y + i / 3 - 1;
        const double *rock = at(&w->rock, nx, ny, w->wrap);
        if (i == 4 || !rock)
            continue;
        e[i] = top - (*rock + *at(&w->loose, nx, ny, w->wrap)) - rise * (i % 2 ? 1 : sqrt(2));
        e[i] = fmax(e[i], 0);
        sum += e[i];
        greatest = fmax(greatest, e[i]);
    }
    if (spare <= 0 || sum == 0)
        return;
    const double moved = fmin(spare, greatest / (1 + greatest / sum));
    w->loose.cells[cell] = moved == spare ? keep : w->loose.cells[cell] - moved;
    for (int i = 0; i < 9; i++)
        if (e[i] > 0)
            *at(&w->loose, x + i % 3 - 1, y + i / 3 - 1, w->wrap) += moved * (e[i] / sum);
}

static void plain_sweep(const struct world *w, double rise)
{
    const int cells = w->rock.width * w->rock.height;
    for (int i = 0; i < cells; i++) {
        order[i].top = (float)(w->rock.cells[i] + w->loose.cells[i]);
        order[i].cell = i;
    }
    qsort(order, (size_t)cells, sizeof *order, by_falling_top);
    for (int i = 0; i < cells; i++)
        visit(w, order[i].cell, rise);
}

static struct map halved(const struct map *m)
{
    struct map half = new_map((m->width + 1) / 2, (m->height + 1) / 2);
    for (int y = 0; y < half.height; y++)
        for (int x = 0; x < half.width; x++) {
            double cells[4];
            for (int i = 0; i < 4; i++)
                cells[i] = *at(m, (int)fmin(2 * x + i % 2, m->width - 1),
                               (int)fmin(2 * y + i / 2, m->height - 1), false);
            *at(&half, x, y, false) =
                (double)(float)(0.25 * ((cells[0] + cells[1]) + (cells[2] + cells[3])));
        }
    return half;
}

static double cell_near(const struct map *m, int x, int y, bool wrap)
{
    if (!wrap) {
        x = (int)fmax(0, fmin(x, m->width - 1));
        y = (int)fmax(0, fmin(y, m->height - 1));
    }
    return *at(m, x, y, wrap);
}

/* Bilinear in a map of half the size. */
static double between(const struct map *m, int x, int y, bool wrap)
{
    const int cx = x / 2, cy = y / 2, nx = cx + (x % 2 ? 1 : -1), ny = cy + (y % 2 ? 1 : -1);
    return 0.5625 * cell_near(m, cx, cy, wrap) + 0.1875 * cell_near(m, nx, cy, wrap) +
           0.1875 * cell_near(m, cx, ny, wrap) + 0.0625 * cell_near(m, nx, ny, wrap);
}

/* Moves material as from `before` to `after` on the coarser level. */
static void bring_up(struct map *loose, const struct map *before, const struct map *after,
                     bool wrap)
{
    const double sum = sum_of(loose);
    struct map stayed = new_map(before->width, before->height);
    struct map came = new_map(before->width, before->height);
    for (int i = 0; i < before->width * before->height; i++) {
        stayed.cells[i] = fmin(before->cells[i], after->cells[i]);
        came.cells[i] = fmax(after->cells[i] - before->cells[i], 0);
    }
    for (int y = 0; y < loose->height; y++)
        for (int x = 0; x < loose->width; x++) {
            const double was = between(before, x, y, wrap);
            const double share = was > 0 ? between(&stayed, x, y, wrap) / was : 1;
            double *depth = at(loose, x, y, false);
            *depth = *depth * share + between(&came, x, y, wrap);
        }
    const double now = sum_of(loose);
    for (int i = 0; i < loose->width * loose->height; i++)
        loose->cells[i] *= sum / now;
    free(stayed.cells);
    free(came.cells);
}

/* Slides the material of `w` on `levels` coarser maps first, then `sweeps` times on its own. */
static void plain_slide(struct world *w, double rise, int levels, int sweeps)
{
    if (levels > 0) {
        struct world half = {halved(&w->rock), halved(&w->loose), halved(&w->keep), w->wrap};
        struct map before = halved(&w->loose);
        plain_slide(&half, 2 * rise, levels - 1, 24);
        for (int i = 0; i < before.width * before.height; i++)
            half.loose.cells[i] = (double)(float)half.loose.cells[i];
        bring_up(&w->loose, &before, &half.loose, w->wrap);
        free(half.rock.cells);
        free(half.loose.cells);
        free(half.keep.cells);
        free(before.cells);
    }
    for (int i = 0; i < sweeps; i++)
        plain_sweep(w, rise);
}

static struct map map_of(const struct tw_value *value, double least)
{
    struct map map = new_map(value->width, value->height);
    for (int i = 0; i < map.width * map.height; i++)
        map.cells[i] = fmax((double)tw_floats(value)[i], least);
    return map;
}

/* Rough ground with heaps on a third of its cells, some of which may be kept; depths below 0 count
 * as 0. */
static void give(int width, int height, bool keeps)
{
    static float cells[3][CELLS];
    static struct tw_value maps[3];
    struct tw_value rough = harness_terrain(width, height, 5);
    for (int i = 0; i < width * height; i++) {
        cells[0][i] = tw_floats(&rough)[i];
        cells[1][i] = i / 7 % 3 == 0 ? 0.1f * (float)(i % 13 - 1) / 13 : 0;
        cells[2][i] = keeps ? 0.05f * (float)(i % 5 - 1) : 0;
    }
    free(rough.data);
    for (int i = 0; i < 3; i++) {
        maps[i] = (struct tw_value){TW_HEIGHTMAP, width, height, cells[i]};
        harness_give(i, &maps[i]);
    }
}

#define MAPS                                                                                       \
    "rock: {type: test.map}\nloose: {type: test.map, slot: 1}\nkeep: {type: test.map, slot: 2}\n"
#define ALL "depth: out.loose\nmask: out.mask\nledger: out.ledger\n"

static void check(int width, int height, int levels, bool wrap, bool keeps)
{
    char nodes[400];
    float expected[CELLS];
    give(width, height, keeps);
    snprintf(nodes, sizeof nodes,
             MAPS "out: {type: layer.slide, rock: rock, loose: loose%s, repose: 1.5, sweeps: 5, "
                  "levels: %d, border: %s}\n",
             keeps ? ", keep: keep" : "", levels, wrap ? "wrap" : "closed");
    const struct harness harness = {
        .width = width, .height = height, .nodes = nodes, .outputs = ALL};
    struct tw_result *result = harness_run(&harness);
    struct world w = {map_of(tw_result_output(result, "rock"), -1),
                      map_of(tw_result_output(result, "loose"), 0),
                      map_of(tw_result_output(result, "keep"), 0), wrap};
    const double before = sum_of(&w.loose);
    plain_slide(&w, 1.5 / width, levels, 5);
    for (int i = 0; i < width * height; i++)
        expected[i] = (float)w.loose.cells[i];
    harness_same(tw_result_output(result, "depth"), expected);
    struct map depth = map_of(tw_result_output(result, "depth"), 0);
    assert_true(fabs(sum_of(&depth) - before) <= 1e-6 * before);
    everywhere(harness, "depth", expected);
    tw_result_release(result);
    free(w.rock.cells);
    free(w.loose.cells);
    free(w.keep.cells);
    free(depth.cells);
}

static void equals_plain_sweeps(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++)
        check(W, H, i / 4 * 3, i % 2, i / 2 % 2);
    check(1, 1, 0, true, false);
    check(1, 40, 2, false, false);
    check(40, 1, 3, true, true);
    check(2, 2, 1, true, false);
}

/* A column of material on a plain becomes a cone, at repose in all directions. */
static void a_heap_becomes_a_cone(void **state)
{
    enum { N = 128, MIDDLE = N / 2 * N + N / 2 };
    static float rock[N * N], loose[N * N];
    const struct tw_value maps[2] = {{TW_HEIGHTMAP, N, N, rock}, {TW_HEIGHTMAP, N, N, loose}};
    (void)state;
    loose[MIDDLE] = 600; /* a cone 26 cells wide */
    harness_give(0, &maps[0]);
    harness_give(1, &maps[1]);
    struct tw_result *result = harness_run(
        &(struct harness){.width = N,
                          .height = N,
                          .nodes = "rock: {type: test.map}\nloose: {type: test.map, slot: 1}\n"
                                   "out: {type: layer.slide, rock: rock, loose: loose, repose: 4, "
                                   "border: closed, sweeps: 200}\n",
                          .outputs = ALL});
    const float *depth = tw_floats(tw_result_output(result, "depth"));
    const int steps[8] = {1, -1, N, -N, N + 1, N - 1, -N + 1, -N - 1};
    for (int i = 0; i < 8; i++) {
        const double near = (double)depth[MIDDLE + 4 * steps[i]];
        const double far = (double)depth[MIDDLE + 12 * steps[i]];
        const double length = 8.0 / N * (i < 4 ? 1 : sqrt(2));
        assert_true(fabs((near - far) / length - 4) < 0.2);
    }
    assert_true(record_number(tw_result_output(result, "ledger"), "over") < 0.01);
    tw_result_release(result);
}

/* The greatest fall to a neighbour, as a slope over cells. */
static double fall(const float *z, int n, int cell)
{
    double greatest = 0;
    for (int i = 0; i < 9; i++) {
        const int x = cell % n + i % 3 - 1, y = cell / n + i / 3 - 1;
        if (i == 4 || x < 0 || x >= n || y < 0 || y >= n)
            continue;
        const double drop = (double)z[cell] - (double)z[y * n + x];
        greatest = fmax(greatest, drop / (i % 2 ? 1 : sqrt(2)));
    }
    return greatest;
}

#define MOUNTAINS                                                                                  \
    "land: {type: noise.perlin, frequency: 2.5, octaves: 8}\n"                                     \
    "rock: {type: shape.remap, in: land, from: [0.2, 0.8]}\n"                                      \
    "deep: {type: source.constant, value: 0.004}\n"                                                \
    "out: {type: layer.slide, rock: rock, loose: deep, border: closed}\n"                          \
    "again: {type: layer.slide, rock: rock, loose: out.loose, border: closed}\n"

/* At the default of 35 degrees, with height 1 = 0.15 sides: over 36.1 degrees lie 0.03 % of the
 * cells with material at most, and what has slid once rests. */
static void mountains_come_to_rest(void **state)
{
    enum { N = 512 };
    const double pi = acos(-1), steep = tan(36.1 * pi / 180) / 0.15 / N;
    int64_t over = 0, cells = 0;
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .width = N,
        .height = N,
        .nodes = MOUNTAINS,
        .outputs = "depth: out.loose\nfirst: out.ledger\nsecond: again.ledger\n"});
    const float *z = tw_floats(tw_result_output(result, "out"));
    const float *depth = tw_floats(tw_result_output(result, "depth"));
    for (int i = 0; i < N * N; i++) {
        cells += depth[i] > 1e-5f;
        over += depth[i] > 1e-5f && fall(z, N, i) > steep;
    }
    assert_true(cells > N * N / 2 && (double)over <= 0.0003 * (double)cells);
    assert_true(record_number(tw_result_output(result, "first"), "moved") > 0.05 * 0.004 * N * N);
    assert_true(record_number(tw_result_output(result, "second"), "moved") < 0.01 * 0.004 * N * N);
    tw_result_release(result);
}

/* Rock without material keeps its bits, and so does material that is kept. */
static void what_rests_keeps_its_bits(void **state)
{
    static float none[CELLS], same[CELLS];
    const struct tw_value empty = {TW_HEIGHTMAP, W, H, none};
    (void)state;
    give(W, H, true);
    harness_give(1, &empty);
    none[7] = -0.0f;
    const struct harness harness = {
        .width = W,
        .height = H,
        .nodes = MAPS "out: {type: layer.slide, rock: rock, loose: loose}\n"
                      "held: {type: layer.slide, rock: rock, loose: rock, keep: rock}\n",
        .outputs = ALL "held_depth: held.loose\nheld_ledger: held.ledger\n"};
    struct tw_result *result = harness_run(&harness);
    harness_same(tw_result_output(result, "out"), tw_floats(tw_result_output(result, "rock")));
    harness_same(tw_result_output(result, "mask"), same);
    harness_same(tw_result_output(result, "held_depth"),
                 tw_floats(tw_result_output(result, "rock")));
    assert_true(record_number(tw_result_output(result, "ledger"), "moved") == 0);
    assert_true(record_number(tw_result_output(result, "ledger"), "over") == 0);
    assert_true(record_number(tw_result_output(result, "held_ledger"), "moved") == 0);
    assert_true(record_number(tw_result_output(result, "held_ledger"), "over") == 0);
    tw_result_release(result);
}

static void takes_the_scale_of_the_world(void **state)
{
    char nodes[300];
    (void)state;
    give(W, H, false);
    for (int i = 0; i < 2; i++) {
        snprintf(nodes, sizeof nodes,
                 "rock: {type: test.map}\nloose: {type: test.map, slot: 1}\n"
                 "out: {type: layer.slide, rock: rock, loose: loose}\n"
                 "same: {type: layer.slide, rock: rock, loose: loose, repose: %.9g}\n",
                 tan(35 * acos(-1) / 180) / (i ? 0.3 : 0.15));
        struct tw_result *result = harness_run(
            &(struct harness){.width = W,
                              .height = H,
                              .nodes = nodes,
                              .head = i ? "world: {side_m: 1000, height_m: 300}\n" : NULL});
        for (int c = 0; c < CELLS; c++)
            assert_true(fabs((double)tw_floats(tw_result_output(result, "out"))[c] -
                             (double)tw_floats(tw_result_output(result, "same"))[c]) < 1e-5);
        tw_result_release(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_plain_sweeps),          cmocka_unit_test(a_heap_becomes_a_cone),
        cmocka_unit_test(mountains_come_to_rest),       cmocka_unit_test(what_rests_keeps_its_bits),
        cmocka_unit_test(takes_the_scale_of_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
