/* SPDX-License-Identifier: MIT */
/* Openings of bits are those of plain loops over cells, in rows of any number of words. */
#include "common/opening.h"
#include "support/probe.h"

#include <thalweg/kernel.h>

enum { SIDE = 200 };

static struct {
    int32_t width, height, size;
    float share; /* of ones */
    bool cover, wrap;
} given;

static uint8_t in[SIDE * SIDE], across[SIDE * SIDE], expected[SIDE * SIDE];

static int32_t place(int32_t x, int32_t y)
{
    return tw_wrap(y, given.height) * given.width + tw_wrap(x, given.width);
}

static bool inside(int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && x < given.width && y < given.height;
}

/* Of `size` cells from each on, to the east or south, or to the west or north where they cover. */
static void scan(const uint8_t *from, bool down, uint8_t *to)
{
    for (int32_t y = 0; y < given.height; y++)
        for (int32_t x = 0; x < given.width; x++) {
            int32_t ones = 0;
            for (int32_t i = 0; i < given.size; i++) {
                int32_t k = given.cover ? -i : i;
                int32_t east = down ? x : x + k, south = down ? y + k : y;
                ones += (given.wrap || inside(east, south)) && from[place(east, south)];
            }
            to[place(x, y)] = given.cover ? ones > 0 : ones == given.size;
        }
}

static enum tw_status compare(struct tw_task *task)
{
    struct tw_bitmap map, spare;
    probe_require(tw_bitmap_lay_out(&(struct tw_scratch){.task = task}, given.wrap, &map) &&
                  tw_bitmap_lay_out(&(struct tw_scratch){.task = task}, given.wrap, &spare));
    memset(map.words, 0, (size_t)map.stride * (size_t)map.height * sizeof *map.words);
    for (int32_t y = 0; y < given.height; y++)
        for (int32_t x = 0; x < given.width; x++)
            tw_bitmap_row(&map, y)[x / 64] |= (uint64_t)in[place(x, y)] << x % 64;
    (given.cover ? tw_opening_dilate : tw_opening_erode)(task, given.size, &map, &spare);
    int64_t ones = 0;
    for (int32_t y = 0; y < given.height; y++) {
        const uint64_t *row = tw_bitmap_row(&map, y);
        probe_require((row[map.stride - 1] & ~tw_bitmap_tail(&map)) == 0);
        for (int32_t x = 0; x < given.width; x++) {
            probe_require((row[x / 64] >> x % 64 & 1) == expected[place(x, y)]);
            ones += expected[place(x, y)];
        }
    }
    probe_require(tw_bitmap_count(&map) == ones);
    return TW_OK;
}

static void check(int32_t size, bool cover)
{
    given.size = size;
    given.cover = cover;
    given.share = cover ? 1 / (float)(1 + size * size / 2) : 1 - 1 / (float)(2 * size);
    for (int32_t i = 0; i < given.width * given.height; i++)
        in[i] = tw_uniform(tw_random(7, (uint32_t)i, (uint32_t)size, 0, 0).at[0]) < given.share;
    scan(in, false, across);
    scan(across, true, expected);
    probe_run(compare, given.width, given.height, 1 + size % 3);
}

static void test_openings_are_those_of_plain_loops(void **state)
{
    static const int32_t maps[][2] = {{1, 1},  {1, 40},  {63, 9},  {64, 3},
                                      {65, 6}, {128, 2}, {131, 7}, {SIDE, 5}};
    static const int32_t sizes[] = {1, 2, 3, 9, 63, 64, 65, 100, 199, 250};
    (void)state;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 40; k++) {
            given.wrap = k < 20;
            given.width = maps[i][0];
            given.height = maps[i][1];
            check(sizes[k % 20 / 2], k % 2);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_openings_are_those_of_plain_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
