/* SPDX-License-Identifier: MIT */
/* layer.sand against a plain version that visits cells in the opposite order; sums, slopes and what
 * keeps still. */
#include "support/everywhere.h"
#include "support/record.h"
#include "support/seed.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 40, H = 27, CELLS = W * H, SWEEPS = 25, OFF = -1 };

static struct {
    float rock[CELLS], hold[CELLS], tops[CELLS], around[CELLS];
    int sand[CELLS], change[CELLS];
    bool shade[CELLS], wrap, holds;
    double east, south;
    float rise, corner;
    uint64_t seed;
} w;

static int cell_at(int x, int y)
{
    if (!w.wrap && (x < 0 || x >= W || y < 0 || y >= H))
        return OFF;
    return tw_wrap(y, H) * W + tw_wrap(x, W);
}

/* The shadow on a cell: it falls from the ground upwind, along the line of cells through this one
 * that a column (or a row) has one of. */
static float shadow_on(int x, int y)
{
    const bool across = fabs(w.east) >= fabs(w.south);
    const double slope = across ? w.south / fabs(w.east) : w.east / fabs(w.south);
    const int side = across ? w.east < 0 ? -1 : 1 : w.south < 0 ? -1 : 1;
    const int steps = across ? W : H, along = across ? x : y, first = w.wrap ? -64 : 0;
    const int here = side > 0 ? along : steps - 1 - along;
    const float fall = (float)(3 * tan(15 * acos(-1) / 180) * sqrt(1 + slope * slope));
    const int begin = (int)floor(slope * here + 0.5);
    float shadow = -1e30f;
    for (int i = first; i < here; i++) {
        const int sideways = (int)floor(slope * i + 0.5) - begin;
        const int move = side * (i - here);
        const int cell = across ? cell_at(x + move, y + sideways) : cell_at(x + sideways, y + move);
        if (cell != OFF)
            shadow = fmaxf(w.tops[cell], shadow) - fall;
    }
    return shadow;
}

static uint32_t draw_of(int cell, int sweep, int i)
{
    const struct tw_random4 words =
        tw_random(w.seed, (uint32_t)cell, (uint32_t)sweep, 1, (uint32_t)i / 8);
    return words.at[i % 8 / 2] >> (i % 2 * 16) & 0xFFFF;
}

/* The means of the tops, in whole slabs, over as much as fits of 97 x 97 cells. */
static void look_around(void)
{
    const int across = W / 2 - (W % 2 == 0), down = H / 2 - (H % 2 == 0);
    for (int i = 0; i < CELLS; i++) {
        double sum = 0;
        int count = 0;
        for (int y = -down; y <= down; y++)
            for (int x = -across; x <= across; x++) {
                const int cell = cell_at(i % W + x, i / W + y);
                sum += cell == OFF ? 0 : trunc((double)w.tops[cell]);
                count += cell != OFF;
            }
        w.around[i] = (float)(sum / count);
    }
}

/* Where a slab is after so many cells of way. */
static int cell_after(int cell, int way)
{
    return cell_at(cell % W + (int)floor(w.east * way + 0.5),
                   cell / W + (int)floor(w.south * way + 0.5));
}

static bool stays(int to, uint32_t draw)
{
    const float bare = (w.sand[to] > 0 ? 0.6f : 0.4f) * 65536;
    return (float)draw < (w.holds ? bare + (65536 - bare) * w.hold[to] : bare);
}

/* Returns where a slab comes to rest that does leave. */
static int flight(int cell, int sweep)
{
    const float faster = 5 + 0.8f * (w.tops[cell] - w.around[cell]);
    const int hop = (int)floor((double)fmaxf(1, fminf(24, faster)) + 0.5);
    for (int way = 1;; way++) {
        const int to = cell_after(cell, way);
        if (to == OFF || w.shade[to] || way == 32 * hop ||
            (way % hop == 0 && stays(to, draw_of(cell, sweep, way / hop))))
            return to;
    }
}

static void blow(int cell, int sweep)
{
    const struct tw_random4 words = tw_random(w.seed, (uint32_t)cell / 64, (uint32_t)sweep, 0, 0);
    const bool leaves = (words.at[cell % 64 / 16] >> (cell % 16 * 2) & 3) == 0;
    const float hold = w.holds ? w.hold[cell] : 0;
    if (!leaves || w.sand[cell] == 0 || w.shade[cell] ||
        (float)draw_of(cell, sweep, 0) < 65536 * hold)
        return;
    const int to = flight(cell, sweep);
    w.change[cell]--;
    if (to != OFF)
        w.change[to]++;
}

static void update(void)
{
    for (int i = 0; i < CELLS; i++) {
        w.sand[i] += w.change[i];
        w.change[i] = 0;
        w.tops[i] = w.rock[i] + (float)w.sand[i];
    }
}

/* Lets the sand of a cell fall; returns whether any did. */
static bool fall(int cell, int turn)
{
    float greatest = 0;
    int steepest = OFF;
    for (int i = 0; i < 8; i++) {
        const int place = (i + turn) % 8 + ((i + turn) % 8 > 3), x = cell % W + place % 3 - 1;
        const int to = cell_at(x, cell / W + place / 3 - 1);
        const float most = place % 2 ? w.rise : w.corner;
        const float excess = to == OFF ? 0 : w.tops[cell] - w.tops[to] - most;
        steepest = excess > greatest ? to : steepest;
        greatest = fmaxf(excess, greatest);
    }
    if (greatest < 1 || w.sand[cell] == 0)
        return false;
    const int gives = (int)fmin(fmax(1, floor((double)greatest / 2)), w.sand[cell]);
    w.change[cell] -= gives;
    w.change[steepest] += gives;
    return true;
}

static void all_fall(int sweep, int passes)
{
    bool fell = true;
    for (int i = 0; i < passes && fell; i++) {
        fell = false;
        for (int cell = CELLS - 1; cell >= 0; cell--)
            fell |= fall(cell, (sweep + i) * 3 % 8);
        update();
    }
}

static void plain_sweep(int sweep)
{
    if (sweep % 16 == 0)
        look_around();
    for (int i = 0; i < CELLS; i++)
        w.shade[i] = w.tops[i] < shadow_on(i % W, i / W);
    for (int cell = CELLS - 1; cell >= 0; cell--)
        blow(cell, sweep);
    update();
    all_fall(sweep, 4);
}

static float flux(const float *sand, int from, int to)
{
    const float drop = (w.rock[from] + sand[from]) - (w.rock[to] + sand[to]);
    return fmaxf(-0.2f * sand[to], fminf(0.15f * drop, 0.2f * sand[from]));
}

static void settle(float *sand)
{
    static float next[CELLS];
    for (int cell = 0; cell < CELLS; cell++) {
        const int x = cell % W, y = cell / W;
        const int around[4] = {cell_at(x, y - 1), cell_at(x - 1, y), cell_at(x + 1, y),
                               cell_at(x, y + 1)};
        next[cell] = sand[cell];
        for (int i = 0; i < 4; i++)
            next[cell] -= around[i] == OFF ? 0 : flux(sand, cell, around[i]);
    }
    memcpy(sand, next, sizeof next);
}

/* Slabs at the start, and the depth of sand at the end in the map's heights. */
static void plain_sand(const float *rock, const float *supply, const double azimuths[2],
                       float *expected)
{
    const double cell = 1 / (W * 0.15), slab = cell / 3;
    double given = 0, sum = 0;
    long before = 0, after = 0;
    w.rise = (float)(4.0 / W / cell * 3);
    w.corner = (float)(4.0 / W / cell * 3 * sqrt(2));
    for (int i = 0; i < CELLS; i++) {
        const float draw = tw_uniform(tw_random(w.seed, (uint32_t)i, 0, 2, 0).at[0]);
        w.rock[i] = (float)((double)rock[i] * 3 / cell);
        w.sand[i] = (int)((double)supply[i] / slab + (double)draw);
        given += (double)supply[i];
        before += w.sand[i];
    }
    update();
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        const double azimuth = azimuths[sweep / 10 % 2];
        w.east = -tw_sin_degrees(azimuth);
        w.south = tw_cos_degrees(azimuth);
        plain_sweep(sweep);
    }
    all_fall(SWEEPS, 10000);
    for (int i = 0; i < CELLS; i++) {
        expected[i] = (float)w.sand[i];
        after += w.sand[i];
    }
    for (int i = 0; i < 6; i++)
        settle(expected);
    for (int i = 0; i < CELLS; i++)
        sum += (double)expected[i];
    for (int i = 0; i < CELLS; i++)
        expected[i] =
            (float)((double)expected[i] * (given * ((double)after / (double)before) / sum));
}

static void check(bool wrap, bool holds, const double azimuths[2])
{
    static float cells[3][CELLS], expected[CELLS];
    char nodes[600];
    struct tw_value rough = harness_terrain(W, H, 5), maps[3];
    for (int i = 0; i < CELLS; i++) {
        cells[0][i] = 1.5f * tw_floats(&rough)[i];
        cells[1][i] = 0.03f * (float)(i % 11);
        cells[2][i] = w.hold[i] = (float)(i % 4) / 4;
    }
    free(rough.data);
    for (int i = 0; i < 3; i++) {
        maps[i] = (struct tw_value){i == 2 ? TW_MASK : TW_HEIGHTMAP, W, H, cells[i]};
        harness_give(i, &maps[i]);
    }
    w.wrap = wrap;
    w.holds = holds;
    w.seed = seed_of(7);
    snprintf(nodes, sizeof nodes,
             "rock: {type: test.map}\nsupply: {type: test.map, slot: 1}\n"
             "hold: {type: test.mask, slot: 2}\n"
             "out: {type: layer.sand, rock: rock, supply: supply%s, seed: 7, lattice: %d, "
             "repose: 4, sweeps: %d, winds: [{azimuth: %g}, {azimuth: %g}], border: %s}\n",
             holds ? ", hold: hold" : "", W, SWEEPS, azimuths[0], azimuths[1],
             wrap ? "wrap" : "closed");
    plain_sand(cells[0], cells[1], azimuths, expected);
    everywhere(
        (struct harness){.width = W, .height = H, .nodes = nodes, .outputs = "sand: out.sand\n"},
        "sand", expected);
}

static void equals_plain_sweeps(void **state)
{
    static const double azimuths[][2] = {{270, 90}, {0, 180}, {250, 300}, {20, 160}, {-45, 200}};
    (void)state;
    for (int i = 0; i < 10; i++)
        check(i % 2, i / 2 % 2, azimuths[i / 2]);
}

static struct tw_result *run_on(int width, int height, const char *border, const char *settings)
{
    char nodes[500];
    snprintf(nodes, sizeof nodes,
             "rock: {type: source.constant, value: 0}\n"
             "out: {type: layer.sand, rock: rock, border: %s, %s}\n",
             border, settings);
    return harness_run(&(struct harness){.width = width,
                                         .height = height,
                                         .nodes = nodes,
                                         .outputs = "sand: out.sand\nledger: out.ledger\n"});
}

static double sum_of(const struct tw_value *map)
{
    double sum = 0;
    for (size_t i = 0; i < tw_value_count(map); i++)
        sum += (double)tw_floats(map)[i];
    return sum;
}

/* in - out = sum of the sand, whatever the sizes of lattice and map; only a closed border loses
 * sand. */
static void books_balance(void **state)
{
    static const struct {
        int width, height;
        const char *settings;
    } rows[] = {
        {96, 40, "lattice: 64, sweeps: 40"},  {40, 96, "lattice: 130, sweeps: 40"},
        {64, 64, "lattice: 64, sweeps: 40"},  {1, 30, "lattice: 20, sweeps: 10"},
        {30, 1, "lattice: 40, sweeps: 10"},   {1, 1, "lattice: 8, sweeps: 10"},
        {50, 50, "lattice: 20, sweeps: 300"},
    };
    (void)state;
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        struct tw_result *result = run_on(rows[i / 2].width, rows[i / 2].height,
                                          i % 2 ? "closed" : "wrap", rows[i / 2].settings);
        const struct tw_value *ledger = tw_result_output(result, "ledger");
        const double in = record_number(ledger, "in"), out = record_number(ledger, "out");
        const double sand = sum_of(tw_result_output(result, "sand"));
        assert_true(fabs(in - out - sand) <= 1e-4 * in);
        assert_true(fabs(record_number(ledger, "sand") - sand) <= 1e-6 * in);
        assert_true(i % 2 ? out > 0.01 * in : out < 1e-6 * in);
        tw_result_release(result);
    }
}

/* From level sand grow dunes: steeper to the lee than to windward, and nowhere steeper than
 * repose, but for half a slab. */
static void dunes_have_slip_faces(void **state)
{
    enum { N = 128 };
    double lee = 0, windward = 0, mean = 0, square = 0, steepest = 0;
    int falls = 0, rises = 0;
    (void)state;
    struct tw_result *result = run_on(N, N, "wrap", "lattice: 128, sweeps: 500");
    const float *sand = tw_floats(tw_result_output(result, "sand"));
    for (int i = 0; i < N * N; i++) {
        const double depth = (double)sand[i] * 0.15 * N; /* in cells */
        const double east = (double)sand[i / N * N + (i + 1) % N] * 0.15 * N;
        lee += east < depth - 0.1 ? depth - east : 0;
        falls += east < depth - 0.1;
        windward += east > depth + 0.1 ? east - depth : 0;
        rises += east > depth + 0.1;
        mean += depth / (N * N);
        square += depth * depth / (N * N);
        steepest = fmax(steepest, fabs(east - depth));
    }
    assert_true(falls > N * N / 10 && lee / falls > 1.2 * windward / rises);
    assert_true(sqrt(square - mean * mean) > 1);
    assert_true(steepest < tan(33 * acos(-1) / 180) + 0.5 / 3);
    tw_result_release(result);
}

#define EMPTY "none: {type: source.constant, value: 0}\n"

/* Without sand, and where none stays, rock keeps its bits; sand thinner than slabs lies as given.
 */
static void rock_without_sand_keeps_its_bits(void **state)
{
    struct tw_value rough = harness_terrain(W, H, 5);
    (void)state;
    tw_floats(&rough)[3] = -0.0f;
    harness_give(0, &rough);
    struct tw_result *result = harness_run(&(struct harness){
        .width = W,
        .height = H,
        .nodes =
            "rock: {type: test.map}\n" EMPTY "thin: {type: source.constant, value: 0.0000001}\n"
            "nowhere: {type: mask.height, in: none, low: 1, high: 2, softness: 0}\n"
            "a: {type: layer.sand, rock: rock, supply: none, lattice: 32, sweeps: 9}\n"
            "b: {type: layer.sand, rock: rock, where: nowhere, lattice: 32, sweeps: 9}\n"
            "c: {type: layer.sand, rock: rock, supply: thin, lattice: 32, sweeps: 9}\n",
        .outputs = "left: b.ledger\nempty: a.ledger\nfilm: c.sand\n"});
    harness_same(tw_result_output(result, "a"), tw_floats(&rough));
    harness_same(tw_result_output(result, "b"), tw_floats(&rough));
    harness_same(tw_result_output(result, "film"), tw_floats(tw_result_output(result, "thin")));
    const struct tw_value *left = tw_result_output(result, "left");
    const struct tw_value *empty = tw_result_output(result, "empty");
    assert_true(record_number(empty, "in") == 0 && record_number(empty, "sand") == 0);
    assert_true(record_number(left, "in") > 0 && record_number(left, "sand") == 0);
    assert_true(fabs(record_number(left, "in") / record_number(left, "out") - 1) < 1e-4);
    tw_result_release(result);
    free(rough.data);
}

/* Plants everywhere let no slab go: level sand stays level. */
static void plants_hold_sand(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .width = W,
        .height = H,
        .nodes =
            EMPTY "plants: {type: mask.height, in: none, low: -1, high: 1, softness: 0}\n"
                  "out: {type: layer.sand, rock: none, hold: plants, lattice: 40, sweeps: 9}\n"});
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int i = 1; i < CELLS; i++)
        assert_true(fabsf(out[i] - out[0]) < 1e-6f);
    tw_result_release(result);
}

static void refuses_dunes_that_are_too_wide(void **state)
{
    (void)state;
    const struct tw_error error = harness_fail(
        &(struct harness){.width = W,
                          .height = H,
                          .nodes = EMPTY "out: {type: layer.sand, rock: none, spacing: 0.71}\n"});
    assert_non_null(strstr(error.message, "spacing is 0.71"));
    assert_non_null(strstr(error.message, "at most 0.7"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_plain_sweeps),   cmocka_unit_test(books_balance),
        cmocka_unit_test(dunes_have_slip_faces), cmocka_unit_test(rock_without_sand_keeps_its_bits),
        cmocka_unit_test(plants_hold_sand),      cmocka_unit_test(refuses_dunes_that_are_too_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
