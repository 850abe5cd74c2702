/* SPDX-License-Identifier: MIT */
#include "support/record.h"

#include <math.h>
#include <stdlib.h>

static const char *const names[] = {"min", "max", "mean", "deviation", "volume"};

static struct tw_result *measure(const struct tw_value *map, int32_t threads, const char *simd)
{
    harness_give(0, map);
    return harness_run(&(struct harness){.width = map->width,
                                         .height = map->height,
                                         .threads = threads,
                                         .simd = simd,
                                         .nodes = "in: {type: test.map}\n"
                                                  "s: {type: measure.statistics, in: in}"});
}

static void knows_a_map_of_three_heights(void **state)
{
    float cells[] = {1, 1, 4, 1, 1, -2};
    struct tw_value map = {TW_HEIGHTMAP, 3, 2, cells};
    (void)state;
    struct tw_result *result = measure(&map, 1, NULL);
    const struct tw_value *record = tw_result_output(result, "s");
    assert_true(record->width == 5);
    assert_true(record_number(record, "min") == -2 && record_number(record, "max") == 4);
    assert_true(record_number(record, "mean") == 1);
    assert_true(fabs(record_number(record, "deviation") - sqrt(3)) < 1e-12);
    assert_true(fabs(record_number(record, "volume") - 6.0 / 9.0) < 1e-12);
    tw_result_release(result);
}

/* A naive sum of squares would lose the deviation next to so large a mean. */
static void keeps_a_small_deviation_at_a_large_height(void **state)
{
    struct tw_value map = harness_terrain(257, 129, 4);
    double mean = 0, variance = 0, count = (double)tw_value_count(&map);
    (void)state;
    for (size_t i = 0; i < tw_value_count(&map); i++)
        mean += (double)(tw_floats(&map)[i] = 8000 + tw_floats(&map)[i]) / count;
    for (size_t i = 0; i < tw_value_count(&map); i++)
        variance += pow((double)tw_floats(&map)[i] - mean, 2) / count;
    struct tw_result *result = measure(&map, 2, NULL);
    const struct tw_value *record = tw_result_output(result, "s");
    assert_true(fabs(record_number(record, "mean") - mean) < 1e-9);
    assert_true(fabs(record_number(record, "deviation") / sqrt(variance) - 1) < 1e-9);
    tw_result_release(result);
    free(map.data);
}

/* Eight lanes of a row, the lanes one after the other, then the rows. */
static double sum_in_order(const double *at, int32_t width, int32_t height)
{
    double sum = 0;
    for (int32_t y = 0; y < height; y++) {
        double lanes[8] = {0}, row = 0;
        for (int32_t x = 0; x < width; x++)
            lanes[x % 8] += at[y * width + x];
        for (int k = 0; k < 8; k++)
            row += lanes[k];
        sum += row;
    }
    return sum;
}

/* Heights whose sum depends on the order: it is the documented one, to the last bit. */
static void sums_are_in_the_documented_order(void **state)
{
    enum { WIDTH = 61, HEIGHT = 7, CELLS = WIDTH * HEIGHT };
    struct tw_value map = harness_terrain(WIDTH, HEIGHT, 5);
    static double cells[CELLS];
    (void)state;
    for (int i = 0; i < CELLS; i++) {
        tw_floats(&map)[i] = ldexpf(tw_floats(&map)[i] - 0.5f, i * 7 % 60);
        cells[i] = (double)tw_floats(&map)[i];
    }
    double mean = sum_in_order(cells, WIDTH, HEIGHT) / CELLS;
    for (int i = 0; i < CELLS; i++)
        cells[i] = (cells[i] - mean) * (cells[i] - mean);
    struct tw_result *result = measure(&map, 2, NULL);
    const struct tw_value *record = tw_result_output(result, "s");
    assert_true(record_number(record, "mean") == mean);
    assert_true(record_number(record, "deviation") ==
                sqrt(sum_in_order(cells, WIDTH, HEIGHT) / CELLS));
    tw_result_release(result);
    free(map.data);
}

static void gives_the_same_bits_everywhere(void **state)
{
    struct tw_value map = harness_terrain(261, 300, 9);
    const char *const levels[] = {"base", "avx2", NULL};
    const int32_t threads[] = {1, 2, 8};
    (void)state;
    struct tw_result *first = measure(&map, 1, "base");
    for (int i = 1; i < 9; i++) {
        struct tw_result *result = measure(&map, threads[i / 3], levels[i % 3]);
        for (int k = 0; k < 5; k++)
            assert_true(record_number(tw_result_output(result, "s"), names[k]) ==
                        record_number(tw_result_output(first, "s"), names[k]));
        tw_result_release(result);
    }
    tw_result_release(first);
    free(map.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(knows_a_map_of_three_heights),
                                       cmocka_unit_test(keeps_a_small_deviation_at_a_large_height),
                                       cmocka_unit_test(sums_are_in_the_documented_order),
                                       cmocka_unit_test(gives_the_same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
