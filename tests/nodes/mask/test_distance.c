/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdlib.h>

/* A set cell about every `spacing` cells in all. */
static struct tw_value make_mask(int32_t width, int32_t height, uint32_t spacing, uint64_t seed)
{
    struct tw_value mask = {TW_MASK, width, height, NULL};
    mask.data = calloc(tw_value_count(&mask), sizeof(float));
    assert_non_null(mask.data);
    for (size_t i = 0; i < tw_value_count(&mask); i++)
        tw_floats(&mask)[i] =
            tw_random(seed, (uint32_t)i, 0, 0, 0).at[0] % spacing == 0 ? 0.5f : 0.49f;
    return mask;
}

static int64_t apart(int64_t d, int64_t sides, bool wraps)
{
    d = d < 0 ? -d : d;
    return wraps && sides - d < d ? sides - d : d;
}

/* Every cell against every cell. */
static void reference(const struct tw_value *mask, float reach, bool wraps, float *out)
{
    int32_t w = mask->width, count = (int32_t)tw_value_count(mask);
    for (int32_t i = 0; i < count; i++) {
        int64_t nearest = INT64_C(1) << 40;
        for (int32_t k = 0; k < count; k++) {
            int64_t dx = apart(i % w - k % w, w, wraps);
            int64_t dy = apart(i / w - k / w, mask->height, wraps);
            if (tw_floats(mask)[k] >= 0.5f && dx * dx + dy * dy < nearest)
                nearest = dx * dx + dy * dy;
        }
        float d = (float)sqrt((double)nearest) * (1.0f / (reach * (float)w));
        out[i] = d < 1 ? d : 1;
    }
}

static void check(int32_t width, int32_t height, uint32_t spacing, bool wraps)
{
    struct tw_value mask = make_mask(width, height, spacing, spacing);
    float *expected = malloc(tw_value_count(&mask) * sizeof *expected);
    assert_non_null(expected);
    reference(&mask, 0.75f, wraps, expected);
    harness_give(0, &mask);
    everywhere((struct harness){.width = width,
                                .height = height,
                                .head = wraps ? "borders: wrap\n" : "borders: closed\n",
                                .nodes = "in: {type: test.mask}\n"
                                         "d: {type: mask.distance, in: in, reach: 0.75}"},
               "d", expected);
    free(expected);
    free(mask.data);
}

static void equals_the_search_over_all_cells(void **state)
{
    const int32_t sizes[][2] = {{1, 1}, {1, 60}, {60, 1}, {2, 3}, {71, 43}, {43, 130}};
    const uint32_t spacings[] = {1, 2, 9, 100, 1000};
    (void)state;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 5; k++)
            for (int wraps = 0; wraps < 2; wraps++)
                check(sizes[i][0], sizes[i][1], spacings[k], wraps);
}

static void is_1_everywhere_around_nothing(void **state)
{
    (void)state;
    struct tw_result *result =
        harness_run(&(struct harness){.nodes = "flat: {type: source.constant, value: 0}\n"
                                               "none: {type: mask.threshold, in: flat}\n"
                                               "d: {type: mask.distance, in: none, reach: 2}"});
    for (int i = 0; i < 64 * 64; i++)
        assert_true(tw_floats(tw_result_output(result, "d"))[i] == 1);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_search_over_all_cells),
                                       cmocka_unit_test(is_1_everywhere_around_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
