/* SPDX-License-Identifier: MIT */
/* Groups of runs are those of a plain flood, on maps of several strips and words a row, and of
 * squares the group that covers most is found. */
#include "common/components.h"
#include "support/probe.h"

#include <thalweg/kernel.h>

enum { W = 131, H = 140, CELLS = W * H };

static struct {
    float share; /* of ones */
    uint64_t seed;
    int32_t size; /* of the squares */
    bool wrap;
} given;

static uint8_t in[CELLS];
static int32_t expected[CELLS];

/* The cell at (x, y), which may lie one beyond the border; -1 for none. */
static int32_t neighbour(int32_t x, int32_t y)
{
    bool inside = x >= 0 && y >= 0 && x < W && y < H;
    return inside || given.wrap ? tw_wrap(y, H) * W + tw_wrap(x, W) : -1;
}

/* Every place gets the first cell, in raster order, from which a flood reaches it. */
static void flood(void)
{
    static int32_t stack[CELLS];
    for (int32_t i = 0; i < CELLS; i++)
        expected[i] = -1;
    for (int32_t first = 0; first < CELLS; first++) {
        int32_t count = 0;
        if (!in[first] || expected[first] >= 0)
            continue;
        expected[first] = first;
        for (stack[count++] = first; count;) {
            int32_t cell = stack[--count], x = cell % W, y = cell / W;
            for (int k = 0; k < 4; k++) {
                int32_t near = neighbour(x + (k == 0) - (k == 1), y + (k == 2) - (k == 3));
                if (near >= 0 && in[near] && expected[near] < 0) {
                    expected[near] = first;
                    stack[count++] = near;
                }
            }
        }
    }
}

/* Labels from runs: the first cell of each one's group. */
static void label_cells(const struct tw_cell_runs *runs, int32_t *label)
{
    memset(label, 0xff, CELLS * sizeof *label);
    for (int32_t y = 0; y < H; y++)
        for (int32_t i = runs->row[y]; i < runs->row[y + 1]; i++) {
            int32_t group = runs->run[i].group, first_row = 0;
            while (runs->row[first_row + 1] <= group)
                first_row++;
            for (int32_t x = runs->run[i].begin; x < runs->run[i].end; x++)
                label[y * W + x] = first_row * W + runs->run[group].begin;
        }
}

static void draw_ones(void)
{
    for (int32_t cell = 0; cell < CELLS; cell++)
        in[cell] = tw_uniform(tw_random(given.seed, (uint32_t)cell, 0, 0, 0).at[0]) < given.share;
}

static enum tw_status set_ones(struct tw_task *task, struct tw_bitmap *map)
{
    probe_require(tw_bitmap_lay_out(&(struct tw_scratch){.task = task}, given.wrap, map));
    memset(map->words, 0, (size_t)map->stride * H * sizeof *map->words);
    for (int32_t cell = 0; cell < CELLS; cell++)
        tw_bitmap_row(map, cell / W)[cell % W / 64] |= (uint64_t)in[cell] << cell % W % 64;
    return TW_OK;
}

static enum tw_status compare(struct tw_task *task)
{
    static int32_t label[CELLS];
    struct tw_bitmap map;
    struct tw_cell_runs runs;
    probe_require(set_ones(task, &map) == TW_OK &&
                  tw_cell_runs_lay_out(&(struct tw_scratch){.task = task}, &runs));
    probe_require(tw_cell_runs_find(task, &map, &runs) == TW_OK);
    label_cells(&runs, label);
    probe_require(memcmp(label, expected, sizeof label) == 0);
    return TW_OK;
}

static void test_labels_are_those_of_a_flood(void **state)
{
    static const float shares[] = {0.4f, 0.55f, 0.593f, 0.65f, 0.8f, 1};
    (void)state;
    for (int i = 0; i < 6; i++)
        for (given.seed = 0; given.seed < 8; given.seed++) {
            given.share = shares[i];
            given.wrap = given.seed % 2;
            draw_ones();
            flood();
            probe_run(compare, W, H, 1 + (int32_t)given.seed % 3);
        }
}

/* The cell that lies so many cells east and south of `cell`, on the torus. */
static int32_t beside(int32_t cell, int32_t east, int32_t south)
{
    return (cell / W + south) % H * W + (cell % W + east) % W;
}

/* Leaves the upper left cells of the squares that hold nothing but ones. */
static void erode(void)
{
    static uint8_t whole[CELLS];
    memcpy(whole, in, sizeof whole);
    for (int32_t cell = 0; cell < CELLS; cell++)
        for (int32_t k = 0; k < given.size * given.size; k++) {
            bool inside = cell % W + k % given.size < W && cell / W + k / given.size < H;
            in[cell] &=
                (inside || given.wrap) && whole[beside(cell, k % given.size, k / given.size)];
        }
}

/* The group of square k of those that cover a cell; -1 where there is no such square. */
static int32_t group_over(int32_t cell, int32_t k)
{
    return expected[beside(cell, W - k % given.size, H - k / given.size)];
}

/* The first cell of the group whose squares cover most; -1 when there is none. Squares of several
 * groups may cover one cell, and it counts once for each group. */
static int32_t widest(void)
{
    static int32_t covered[CELLS];
    int32_t best = -1;
    memset(covered, 0, sizeof covered);
    for (int32_t cell = 0; cell < CELLS; cell++)
        for (int32_t k = 0; k < given.size * given.size; k++) {
            int32_t group = group_over(cell, k), before = 0;
            while (before < k && group_over(cell, before) != group)
                before++;
            if (group >= 0 && before == k)
                covered[group]++;
        }
    for (int32_t cell = 0; cell < CELLS; cell++)
        if (covered[cell] > (best < 0 ? 0 : covered[best]))
            best = cell;
    return best;
}

static enum tw_status keep(struct tw_task *task)
{
    struct tw_bitmap map;
    int32_t best = widest();
    probe_require(set_ones(task, &map) == TW_OK);
    probe_require(tw_components_keep_widest(task, given.size, &map) == TW_OK);
    for (int32_t cell = 0; cell < CELLS; cell++) {
        bool kept = tw_bitmap_row(&map, cell / W)[cell % W / 64] >> cell % W % 64 & 1;
        probe_require(kept == (in[cell] && expected[cell] == best));
    }
    return TW_OK;
}

/* Few squares stand alone, so that a group has the rows of others beside it. */
static void test_the_widest_group_is_kept(void **state)
{
    static const float shares[][3] = {
        {0.3f, 0.5f, 0.6f}, {0.7f, 0.8f, 0.9f}, {0.85f, 0.9f, 0.95f}, {0.95f, 0.97f, 0.98f}};
    static const int32_t sizes[] = {1, 2, 3, 6};
    (void)state;
    for (int i = 0; i < 4; i++)
        for (given.seed = 0; given.seed < 6; given.seed++) {
            given.size = sizes[i];
            given.share = shares[i][given.seed % 3];
            given.wrap = given.seed % 2;
            draw_ones();
            erode();
            flood();
            probe_run(keep, W, H, 1 + (int32_t)given.seed % 3);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels_are_those_of_a_flood),
        cmocka_unit_test(test_the_widest_group_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
