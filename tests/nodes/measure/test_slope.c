/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <thalweg/kernel.h>

#include <stdlib.h>

/* The definition; on a torus with every neighbour by its wrapped index, else with those there are.
 */
static void reference(const struct tw_value *map, bool wraps, float *out)
{
    const int dx[] = {0, -1, 1, 0}, dy[] = {-1, 0, 0, 1};
    int32_t w = map->width, h = map->height;
    for (int32_t y = 0; y < h; y++)
        for (int32_t x = 0; x < w; x++) {
            float steepest = 0;
            for (int i = 0; i < 4; i++) {
                if (!wraps && (y + dy[i] < 0 || y + dy[i] >= h || x + dx[i] < 0 || x + dx[i] >= w))
                    continue;
                int32_t at = tw_wrap(y + dy[i], h) * w + tw_wrap(x + dx[i], w);
                float d = fabsf(tw_floats(map)[y * w + x] - tw_floats(map)[at]);
                steepest = d > steepest ? d : steepest;
            }
            out[y * w + x] = steepest;
        }
}

static void equals_the_definition_at_every_size(void **state)
{
    const int32_t sizes[][2] = {{1, 1}, {1, 40}, {40, 1}, {2, 3}, {257, 129}, {65, 200}};
    (void)state;
    for (int i = 0; i < 12; i++) {
        bool wraps = i >= 6;
        struct tw_value terrain = harness_terrain(sizes[i % 6][0], sizes[i % 6][1], 3);
        float *expected = malloc(tw_value_count(&terrain) * sizeof *expected);
        assert_non_null(expected);
        reference(&terrain, wraps, expected);
        harness_give(0, &terrain);
        everywhere((struct harness){.width = sizes[i % 6][0],
                                    .height = sizes[i % 6][1],
                                    .head = wraps ? "borders: wrap\n" : "borders: closed\n",
                                    .nodes = "in: {type: test.map}\n"
                                             "s: {type: measure.slope, in: in}"},
                   "s", expected);
        free(expected);
        free(terrain.data);
    }
}

static void sees_a_step_across_the_border(void **state)
{
    float cells[5 * 4] = {0};
    struct tw_value map = {TW_HEIGHTMAP, 5, 4, cells};
    (void)state;
    cells[0] = 2; /* the corner's neighbours to the left and above lie at the other borders */
    harness_give(0, &map);
    struct tw_result *result = harness_run(
        &(struct harness){.width = 5,
                          .height = 4,
                          .nodes = "in: {type: test.map}\ns: {type: measure.slope, in: in}"});
    const float *s = tw_floats(tw_result_output(result, "s"));
    assert_true(s[0] == 2 && s[1] == 2 && s[4] == 2 && s[5] == 2 && s[15] == 2);
    assert_true(s[2] == 0 && s[6] == 0 && s[19] == 0);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_definition_at_every_size),
                                       cmocka_unit_test(sees_a_step_across_the_border)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
