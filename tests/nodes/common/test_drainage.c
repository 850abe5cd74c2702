/* SPDX-License-Identifier: MIT */
/* Receivers and areas have the bytes of a plain version: every basin offers all of its edges, in
 * the order of its cells, and of the open passes the lowest is taken; of equal ones that whose
 * lower cell is lowest, then that found first. */
#include "common/drainage/basins.h"
#include "common/drainage/flow_accumulation.h"
#include "common/drainage/outlets.h"
#include "support/probe.h"

#include <thalweg/kernel.h>

#include <math.h>

enum { W = 47, H = 100, CELLS = W * H, LEVELS = 4 };

enum outlets { BORDER, INNER, TORUS, EVERY, KINDS };

static struct {
    int32_t levels; /* of heights, so that there are ties; 0: no two are alike */
    enum outlets outlets;
    uint64_t seed;
} given;

static float heights[CELLS];
static uint8_t outlet[CELLS];

static void draw(void)
{
    for (int32_t i = 0; i < CELLS; i++) {
        float fine = tw_uniform(tw_random(given.seed, (uint32_t)i, 0, 0, 0).at[0]);
        float hills = tw_uniform(
            tw_random(given.seed, (uint32_t)(i % W / 12), (uint32_t)(i / W / 12), 1, 0).at[0]);
        float height = 0.6f * hills + 0.4f * fine;
        heights[i] = given.levels ? (float)(int32_t)(height * (float)given.levels) : height;
        bool border = i % W == 0 || i / W == 0 || i % W == W - 1 || i / W == H - 1;
        outlet[i] = given.outlets == EVERY    ? true
                    : given.outlets == BORDER ? border
                                              : i == CELLS / 3 || i == 7;
    }
}

static int32_t neighbour(int32_t cell, int k)
{
    static const int8_t east[8] = {-1, 0, 1, -1, 1, -1, 0, 1};
    static const int8_t south[8] = {-1, -1, -1, 0, 0, 1, 1, 1};
    int32_t x = cell % W + east[k], y = cell / W + south[k];
    if (given.outlets == TORUS)
        return tw_wrap(y, H) * W + tw_wrap(x, W);
    return x < 0 || y < 0 || x >= W || y >= H ? -1 : y * W + x;
}

static bool straight(int k) { return k == 1 || k == 3 || k == 4 || k == 6; }

static struct {
    uint8_t to[CELLS];
    int32_t basin[CELLS], order[CELLS], start[CELLS + 1];
    float level[CELLS], pass[CELLS];
    int32_t found[CELLS], entry[CELLS], basins; /* found: when; 0: not yet, -1: joined */
    uint8_t exit[CELLS];
    uint32_t area[CELLS];
} plain;

static void find_receivers(void)
{
    for (int32_t cell = 0; cell < CELLS; cell++) {
        float best = 0;
        plain.to[cell] = TW_OUTLET;
        for (int k = 0; k < 8 && !outlet[cell]; k++) {
            int32_t next = neighbour(cell, k);
            if (next < 0)
                continue;
            float drop = (heights[cell] - heights[next]) * (straight(k) ? 1.0f : 0.70710678f);
            if (drop > best) {
                best = drop;
                plain.to[cell] = (uint8_t)k;
            }
        }
    }
}

/* All that drains to a cell, in the order of distance. */
static int32_t append_tree(int32_t root, int32_t length)
{
    int32_t head = length;
    for (plain.order[length++] = root; head < length; head++)
        for (int k = 0; k < 8; k++) {
            int32_t from = neighbour(plain.order[head], k);
            if (from >= 0 && plain.to[from] == 7 - k)
                plain.order[length++] = from;
        }
    return length;
}

static void label_basins(void)
{
    int32_t length = 0;
    plain.basins = 0;
    for (int pits = 0; pits < 2; pits++)
        for (int32_t cell = 0; cell < CELLS; cell++) {
            if (plain.to[cell] != TW_OUTLET || outlet[cell] == pits)
                continue;
            if (pits || plain.basins == 0)
                plain.start[plain.basins++] = length;
            int32_t begin = length;
            length = append_tree(cell, length);
            for (int32_t i = begin; i < length; i++)
                plain.basin[plain.order[i]] = plain.basins - 1;
        }
    plain.start[plain.basins] = length;
}

/* The lower cell of a pass. */
static float low_of(int32_t inside, int k)
{
    return tw_min(heights[inside], heights[neighbour(inside, k)]);
}

static void offer(int32_t basin, int32_t *finds)
{
    plain.found[basin] = -1;
    for (int32_t i = plain.start[basin]; i < plain.start[basin + 1]; i++)
        for (int k = 0; k < 8; k++) {
            int32_t cell = plain.order[i], inside = neighbour(cell, k);
            int32_t other = inside < 0 ? basin : plain.basin[inside];
            float height = inside < 0 ? 0 : tw_max(heights[cell], heights[inside]);
            if (plain.found[other] == -1 || (plain.found[other] > 0 && height > plain.pass[other]))
                continue;
            if (plain.found[other] == 0 || height < plain.pass[other])
                plain.found[other] = ++*finds;
            else if (low_of(inside, 7 - k) >= low_of(plain.entry[other], plain.exit[other]))
                continue;
            plain.pass[other] = height;
            plain.entry[other] = inside;
            plain.exit[other] = (uint8_t)(7 - k);
        }
}

static int32_t lowest_basin(void)
{
    int32_t best = -1;
    for (int32_t b = 0; b < plain.basins; b++)
        if (plain.found[b] > 0 &&
            (best < 0 || plain.pass[b] < plain.pass[best] ||
             (plain.pass[b] <= plain.pass[best] && plain.found[b] < plain.found[best])))
            best = b;
    return best;
}

/* From the pass to the pit every cell drains to that which drained to it. */
static void reverse(int32_t basin)
{
    int32_t cell = plain.entry[basin];
    for (int way = plain.exit[basin]; cell >= 0;) {
        int old = plain.to[cell];
        int32_t next = old == TW_OUTLET ? -1 : neighbour(cell, old);
        plain.to[cell] = (uint8_t)way;
        way = 7 - old;
        cell = next;
    }
}

static void join(void)
{
    int32_t finds = 0;
    memset(plain.found, 0, sizeof plain.found);
    plain.level[0] = -1;
    offer(0, &finds);
    for (int32_t basin; (basin = lowest_basin()) >= 0;) {
        int32_t other = plain.basin[neighbour(plain.entry[basin], plain.exit[basin])];
        plain.level[basin] = tw_max(plain.level[other], plain.pass[basin]);
        reverse(basin);
        offer(basin, &finds);
    }
}

static void sum_areas(void)
{
    for (int32_t i = 0; i < CELLS; i++)
        plain.area[i] = 0;
    for (int32_t i = 0; i < CELLS; i++)
        for (int32_t cell = i;; cell = neighbour(cell, plain.to[cell])) {
            plain.area[cell]++;
            if (plain.to[cell] == TW_OUTLET)
                break;
        }
}

/* Groves share all cells, and each is of whole trees. */
static enum tw_status check_groves(struct tw_task *task, const struct tw_drainage *d)
{
    probe_require(d->groves > 0 && d->groves <= 2 * (W + H));
    probe_require(d->grove[0] == 0 && d->grove[d->groves] == CELLS);
    for (int32_t i = 0; i < d->groves; i++) {
        probe_require(d->grove[i] < d->grove[i + 1]);
        probe_require(d->to[d->order[d->grove[i]]] == TW_OUTLET);
    }
    return TW_OK;
}

static enum tw_status compare(struct tw_task *task)
{
    static uint32_t area[CELLS];
    static float filled[CELLS];
    struct tw_drainage d;
    probe_require(tw_drainage_init(task, &d) == TW_OK);
    if (given.outlets != BORDER)
        probe_require(tw_drainage_open(task, outlet, given.outlets == TORUS, &d) == TW_OK);
    probe_require(tw_drainage_receivers(task, &d, heights) == TW_OK);
    tw_drainage_fill(task, &d, heights, filled);
    tw_flow_area(task, &d, area);
    probe_require(memcmp(d.to, plain.to, sizeof plain.to) == 0);
    probe_require(memcmp(area, plain.area, sizeof area) == 0);
    for (int32_t i = 0; i < CELLS; i++)
        probe_require(filled[i] == tw_max(heights[i], plain.level[plain.basin[i]]));
    probe_require(tw_drainage_levels(task, &d, heights) == TW_OK);
    tw_drainage_fill(task, &d, heights, filled);
    for (int32_t i = 0; i < CELLS; i++)
        probe_require(filled[i] == tw_max(heights[i], plain.level[plain.basin[i]]));
    probe_require(tw_drainage_route(task, &d, heights) == TW_OK);
    return check_groves(task, &d);
}

static void test_basins_are_joined_as_cell_by_cell(void **state)
{
    static const int32_t levels[LEVELS] = {0, 1, 4, 30};
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < LEVELS; i++)
            for (uint64_t seed = 0; seed < 2; seed++) {
                given.levels = levels[i];
                given.outlets = (enum outlets)kind;
                given.seed = seed;
                draw();
                find_receivers();
                label_basins();
                join();
                sum_areas();
                probe_run(compare, W, H, 1 + (int32_t)seed * 2);
            }
}

/* Heights that overflowed become infinite or no numbers. The bytes do not matter, but every cell
 * must reach an outlet: what follows courses would leave the map. */
static enum tw_status route_any(struct tw_task *task)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f};
    for (uint32_t kind = 0; kind < 4 * 5; kind++) {
        const struct tw_scratch_mark mark = tw_task_scratch_mark(task);
        struct tw_drainage d;
        for (uint32_t i = 0; i < CELLS; i++) { /* one, few, most, all of them odd */
            const uint32_t draw = tw_random(kind, i, 0, 0, 0).at[0] % 1000;
            const uint32_t below[4] = {i == 5 ? 1000 : 0, 100, 900, 1000};
            heights[i] = draw < below[kind / 5]
                             ? odd[(kind + (below[kind / 5] < 1000 ? draw % 2 : 0)) % 5]
                             : (float)draw;
        }
        const struct tw_exits exits = {.wrap = kind % 2 == 0, .closed = TW_SIDES_ALL};
        probe_require(tw_drainage_init_world(task, &d, heights, &exits) == TW_OK);
        probe_require(tw_drainage_route(task, &d, heights) == TW_OK);
        for (int32_t i = 0; i < CELLS; i++) {
            int32_t cell = i, steps = 0;
            for (; d.to[cell] != TW_OUTLET && steps < CELLS; steps++)
                cell = tw_drainage_neighbour(&d, cell, d.to[cell]);
            probe_require(d.to[cell] == TW_OUTLET && d.outlet[cell]);
        }
        tw_task_scratch_return(task, mark);
    }
    return TW_OK;
}

static void test_all_cells_reach_outlets_whatever_heights_are(void **state)
{
    (void)state;
    probe_run(route_any, W, H, 2);
}

/* Natural land has what is forecast, a basin for each 16 cells; other land may have more. */
static enum tw_status reserve(struct tw_task *task)
{
    static const struct {
        int32_t basins, capacity;
    } first[] = {{20, 40}, {140, 280}, {200, CELLS / 16 + 1}, {1500, 1500}, {CELLS, CELLS}};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        struct tw_drainage d;
        probe_require(tw_drainage_init(task, &d) == TW_OK);
        probe_require(tw_drainage_reserve(task, &d, first[i].basins) == TW_OK);
        probe_require(d.capacity == first[i].capacity);
        probe_require(tw_drainage_reserve(task, &d, first[i].capacity) == TW_OK);
        probe_require(d.capacity == first[i].capacity);
        if (first[i].capacity == CELLS)
            continue;
        probe_require(tw_drainage_reserve(task, &d, first[i].capacity + 1) == TW_OK);
        probe_require(d.capacity == 2 * first[i].capacity + 2);
    }
    return TW_OK;
}

static void test_memory_for_basins_is_what_is_needed_then_doubles(void **state)
{
    (void)state;
    probe_run(reserve, W, H, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_basins_are_joined_as_cell_by_cell),
        cmocka_unit_test(test_all_cells_reach_outlets_whatever_heights_are),
        cmocka_unit_test(test_memory_for_basins_is_what_is_needed_then_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
