/* SPDX-License-Identifier: MIT */
/* Groups of runs are those of a plain flood, on maps of several strips and words a row. */
#include "measure/kernels/components.h"
#include "support/probe.h"

#include <thalweg/kernel.h>

enum { W = 131, H = 140, CELLS = W * H };

static struct {
    float share; /* of ones */
    uint64_t seed;
} given;

static uint8_t in[CELLS];
static int32_t expected[CELLS];

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
            const int32_t near[4] = {y * W + tw_wrap(x - 1, W), y * W + tw_wrap(x + 1, W),
                                     tw_wrap(y - 1, H) * W + x, tw_wrap(y + 1, H) * W + x};
            for (int k = 0; k < 4; k++)
                if (in[near[k]] && expected[near[k]] < 0) {
                    expected[near[k]] = first;
                    stack[count++] = near[k];
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

static enum tw_status compare(struct tw_task *task)
{
    static int32_t label[CELLS];
    struct tw_bitmap map;
    struct tw_cell_runs runs;
    probe_require(tw_bitmap_init(task, &map) == TW_OK && tw_cell_runs_init(task, &runs) == TW_OK);
    memset(map.words, 0, (size_t)map.stride * H * sizeof *map.words);
    for (int32_t cell = 0; cell < CELLS; cell++)
        tw_bitmap_row(&map, cell / W)[cell % W / 64] |= (uint64_t)in[cell] << cell % W % 64;
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
            for (int32_t cell = 0; cell < CELLS; cell++)
                in[cell] =
                    tw_uniform(tw_random(given.seed, (uint32_t)cell, 0, 0, 0).at[0]) < given.share;
            flood();
            probe_run(compare, W, H, 1 + (int32_t)given.seed % 3);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels_are_those_of_a_flood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
