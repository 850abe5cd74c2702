/* SPDX-License-Identifier: MIT */
/* Areas along flow lines have the bytes of one walk over the whole map, which is written out here.
 */
#include "common/drainage/flow_areas.h"
#include "common/drainage/outlets.h"
#include "support/probe.h"

#include <thalweg/kernel.h>

#include <stdlib.h>

enum { W = 70, H = 300, CELLS = W * H };

enum land { ROUGH, STEPS, SLOPE, FLAT, LANDS };

static struct {
    enum land land;
    bool wrap;
    uint64_t seed;
} given;

static float height_at(int32_t cell)
{
    float fine = tw_uniform(tw_random(given.seed, (uint32_t)cell, 0, 0, 0).at[0]);
    float slope = (float)(cell / W) * 0.1f;
    return given.land == ROUGH   ? fine
           : given.land == STEPS ? (float)(int32_t)(fine * 3 + slope)
           : given.land == SLOPE ? slope + 0.3f * fine
                                 : 0.5f;
}

/* ---- one walk ---- */

static float plain_area[CELLS];
static uint8_t plain_donors[CELLS];

static void give(int32_t to, float share)
{
    plain_area[to] += share;
    plain_donors[to]--;
}

static struct tw_receivers receivers(const struct tw_flow_lines *f, int32_t cell)
{
    const struct tw_flow_lines_steps steps = tw_flow_lines_steps(f->d);
    return tw_flow_lines_receivers(f, &steps, cell, f->facet[cell]);
}

/* Gives to both, then follows the cardinal neighbour, then the corner. */
static void follow(const struct tw_flow_lines *f, int32_t cell)
{
    float corner = f->corner[cell], all = plain_area[cell];
    bool cardinal_done = false, corner_done = false;
    if (f->facet[cell] == TW_FLOW_LINES_NONE)
        return;
    struct tw_receivers to = receivers(f, cell);
    if (corner < 1) {
        give(to.cardinal, all - corner * all);
        cardinal_done = plain_donors[to.cardinal] == 0;
    }
    if (corner > 0) {
        give(to.corner, corner * all);
        corner_done = plain_donors[to.corner] == 0;
    }
    if (cardinal_done)
        follow(f, to.cardinal);
    if (corner_done)
        follow(f, to.corner);
}

static void walk(const struct tw_flow_lines *f)
{
    static bool source[CELLS];
    memset(plain_donors, 0, sizeof plain_donors);
    for (int32_t cell = 0; cell < CELLS; cell++) {
        plain_area[cell] = 1;
        if (f->facet[cell] == TW_FLOW_LINES_NONE)
            continue;
        struct tw_receivers to = receivers(f, cell);
        if (f->corner[cell] < 1)
            plain_donors[to.cardinal]++;
        if (f->corner[cell] > 0)
            plain_donors[to.corner]++;
    }
    for (int32_t cell = 0; cell < CELLS; cell++)
        source[cell] = plain_donors[cell] == 0;
    for (int32_t cell = 0; cell < CELLS; cell++)
        if (source[cell])
            follow(f, cell);
}

/* ---- the order ---- */

/* When a cell's turn comes: the own cells of all strips together, then the rest. */
static int32_t turn[CELLS], home[CELLS]; /* home: strip, or -1 in the rest */

static int32_t number(const struct tw_flow_lines *f, struct tw_flow_range range, int32_t strip,
                      int32_t count)
{
    for (int32_t i = range.begin; i < range.end; i++) {
        turn[f->order[i]] = count++;
        home[f->order[i]] = strip;
    }
    return count;
}

/* Donors come before receivers, and a strip's own cells give to no other strip's. */
static bool follows(int32_t cell, int32_t to)
{
    return turn[cell] < turn[to] && (home[to] == -1 || home[to] == home[cell]);
}

static bool is_ordered(const struct tw_flow_lines *f)
{
    int32_t count = 0;
    for (int32_t i = 0; i < CELLS; i++)
        turn[i] = -1;
    for (int32_t k = 0; k < f->strips; k++)
        count = number(f, tw_flow_areas_own(f, k), k, count);
    for (int32_t k = 0; k < f->strips; k++)
        count = number(f, tw_flow_areas_rest(f, k), -1, count);
    for (int32_t cell = 0; cell < CELLS; cell++) {
        if (turn[cell] < 0)
            return false;
        if (f->facet[cell] == TW_FLOW_LINES_NONE)
            continue;
        struct tw_receivers to = receivers(f, cell);
        if ((f->corner[cell] < 1 && !follows(cell, to.cardinal)) ||
            (f->corner[cell] > 0 && !follows(cell, to.corner)))
            return false;
    }
    return count == CELLS;
}

static enum tw_status route(struct tw_task *task)
{
    struct tw_drainage d;
    struct tw_flow_lines f;
    static float heights[CELLS], area[CELLS];
    static uint8_t outlet[CELLS];
    for (int32_t i = 0; i < CELLS; i++) {
        heights[i] = height_at(i);
        outlet[i] = i == CELLS / 3 || (!given.wrap && i % W == 0);
    }
    probe_require(tw_drainage_init(task, &d) == TW_OK);
    probe_require(tw_drainage_open(task, outlet, given.wrap, &d) == TW_OK);
    probe_require(tw_flow_lines_init(task, &f, &d) == TW_OK);
    probe_require(tw_flow_lines_route(task, &f, &d, heights, area) == TW_OK);
    probe_require(f.strips > 1);
    probe_require(is_ordered(&f));
    walk(&f);
    probe_require(memcmp(area, plain_area, sizeof area) == 0);
    return TW_OK;
}

static void test_areas_are_those_of_one_walk(void **state)
{
    (void)state;
    for (int land = 0; land < LANDS; land++)
        for (int wrap = 0; wrap < 2; wrap++)
            for (uint64_t seed = 0; seed < 6; seed++) {
                given.land = (enum land)land;
                given.wrap = wrap;
                given.seed = seed;
                probe_run(route, W, H, 1 + (int32_t)seed % 3);
            }
}

/* Columns of water that comes from above, and beside each two whose cells all give some of theirs
 * to it and complete the next. That is more to note than there is room for. */
static void draw_columns(const struct tw_flow_lines *f)
{
    enum { SOUTH_WEST = 6, SOUTH_EAST = 7 }; /* facets */
    memset(f->gives, 0, CELLS);
    for (int32_t cell = 0; cell < CELLS; cell++) {
        int32_t x = cell % W, y = cell / W;
        bool inner = x > 0 && y > 0 && x < W - 1 && y < H - 1, trunk = x % 3 == 0;
        bool ends = !inner || (!trunk && y % 25 == 24);
        f->facet[cell] = ends ? TW_FLOW_LINES_NONE : x % 3 == 1 ? SOUTH_WEST : SOUTH_EAST;
        f->corner[cell] = trunk ? 0.0f : 0.3f;
        if (!ends)
            f->gives[cell] = (uint8_t)(1 << 6 | (trunk ? 0 : x % 3 == 1 ? 1 << 5 : 1 << 7));
    }
}

static enum tw_status collect_columns(struct tw_task *task)
{
    struct tw_drainage d;
    struct tw_flow_lines f;
    static float area[CELLS];
    probe_require(tw_drainage_init(task, &d) == TW_OK);
    probe_require(tw_flow_lines_init(task, &f, &d) == TW_OK);
    draw_columns(&f);
    tw_flow_areas_collect(task, &f, area);
    probe_require(f.strips == 1);
    probe_require(is_ordered(&f));
    walk(&f);
    probe_require(memcmp(area, plain_area, sizeof area) == 0);
    return TW_OK;
}

static void test_what_cannot_be_noted_is_walked_at_once(void **state)
{
    (void)state;
    probe_run(collect_columns, W, H, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_areas_are_those_of_one_walk),
        cmocka_unit_test(test_what_cannot_be_noted_is_walked_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
