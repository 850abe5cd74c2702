/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double entry(const struct tw_value *record, const char *name)
{
    for (int32_t i = 0; i < record->width; i++)
        if (strcmp(tw_entries(record)[i].name, name) == 0)
            return tw_entries(record)[i].number;
    fail_msg("no entry %s", name);
    return 0;
}

static struct tw_result *run(const struct tw_value *map, const char *nodes, int threads)
{
    harness_give(0, map);
    return harness_run(&(struct harness){
        .width = map->width, .height = map->height, .threads = threads, .nodes = nodes});
}

static double pyramid(const struct tw_value *map, size_t x, size_t y)
{
    const float *h = tw_floats(map);
    size_t w = (size_t)map->width, at = y * w + x;
    double around = 0;
    for (size_t v = y - 1; v <= y + 1; v++)
        for (size_t u = x - 1; u <= x + 1; u++)
            around += v * w + u == at ? 0 : (double)h[v * w + u];
    return (8 * (double)h[at] + 2 * around) / 6;
}

static void is_the_sum_of_his_pyramids(void **state)
{
    static const int32_t sides[][2] = {{3, 3}, {5, 3}, {257, 129}};
    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        struct tw_value map = harness_terrain(sides[i][0], sides[i][1], 6);
        double expected = 0;
        for (size_t y = 1; y < (size_t)map.height; y += 2)
            for (size_t x = 1; x < (size_t)map.width; x += 2)
                expected += 9 * pyramid(&map, x, y);
        for (int threads = 1; threads <= 8; threads *= 2) {
            struct tw_result *result =
                run(&map, "in: {type: test.map}\nv: {type: measure.volume, in: in, spacing: 3}\n",
                    threads);
            double volume = entry(tw_result_output(result, "v"), "volume");
            assert_true(fabs(volume - expected) < 1e-9 * expected);
            tw_result_release(result);
        }
        free(map.data);
    }
}

static void even_ground_is_area_times_height(void **state)
{
    static const int32_t sides[][2] = {{1, 1}, {1, 7}, {2, 2}, {6, 4}, {7, 4}, {8, 9}};
    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        struct tw_result *result =
            harness_run(&(struct harness){.width = sides[i][0],
                                          .height = sides[i][1],
                                          .nodes = "in: {type: source.constant, value: 0.75}\n"
                                                   "v: {type: measure.volume, in: in}\n"});
        const struct tw_value *record = tw_result_output(result, "v");
        int squares = (sides[i][0] - 1) * (sides[i][1] - 1), cells = sides[i][0] * sides[i][1];
        assert_true(fabs(entry(record, "volume") - 0.75 * squares) < 1e-12);
        assert_true(fabs(entry(record, "sum") - 0.75 * cells) < 1e-12);
        assert_int_equal(record->width, 2);
        tw_result_release(result);
    }
}

/* What one cell adds: 4/3 in the middle of a pyramid and on its corners, 2/3 on its sides. */
static void a_change_weighs_by_its_place(void **state)
{
    static const struct {
        size_t x, y;
        double weight;
    } places[] = {{3, 3, 4.0 / 3}, {2, 2, 4.0 / 3}, {2, 3, 2.0 / 3}, {3, 2, 2.0 / 3},
                  {0, 0, 1.0 / 3}, {0, 3, 1.0 / 3}, {0, 2, 2.0 / 3}};
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct tw_value map = harness_terrain(9, 7, 6), changed = harness_terrain(9, 7, 6);
        tw_floats(&changed)[places[i].y * 9 + places[i].x] += 1;
        harness_give(1, &map);
        struct tw_result *result = run(&changed,
                                       "in: {type: test.map}\nbefore: {type: test.map, slot: 1}\n"
                                       "v: {type: measure.volume, in: in, before: before}\n",
                                       1);
        const struct tw_value *record = tw_result_output(result, "v");
        assert_true(fabs(entry(record, "volume_change") - places[i].weight) < 1e-6);
        assert_true(fabs(entry(record, "sum_change") - 1) < 1e-6);
        tw_result_release(result);
        free(map.data);
        free(changed.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_sum_of_his_pyramids),
        cmocka_unit_test(even_ground_is_area_times_height),
        cmocka_unit_test(a_change_weighs_by_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
