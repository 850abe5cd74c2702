/* SPDX-License-Identifier: MIT */
#include "common/biome.h"
#include "support/harness.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 37, HEIGHT = 23 };

static int32_t labels[WIDTH * HEIGHT];
static const struct tw_value map = {TW_LABELS, WIDTH, HEIGHT, labels};

/* Table I as printed. */
static const double table[16][2] = {{.5, .7}, {.5, .5}, {.4, .4}, {.7, .3}, {.4, .3}, {.5, .2},
                                    {.1, .1}, {.3, .2}, {.3, .4}, {.4, .5}, {.3, .2}, {.3, .2},
                                    {.3, .6}, {.3, .5}, {.2, .2}, {.2, .1}};

static int32_t in(int32_t i, int32_t n) { return i < 0 ? 0 : i < n ? i : n - 1; }

static void check(const char *nodes, int32_t blend, double factor)
{
    harness_give(0, &map);
    struct tw_result *result = harness_run(&(struct harness){.width = WIDTH,
                                                             .height = HEIGHT,
                                                             .threads = 2,
                                                             .nodes = nodes,
                                                             .outputs = "r: o.roughness"});
    const float *a = tw_floats(tw_result_output(result, "o"));
    const float *r = tw_floats(tw_result_output(result, "r"));
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 0; x < WIDTH; x++) {
            double sum[2] = {0}, count = 0;
            for (int32_t j = y - blend; j <= y + blend; j++)
                for (int32_t i = x - blend; i <= x + blend; i++, count++)
                    for (int k = 0; k < 2; k++)
                        sum[k] += table[labels[in(j, HEIGHT) * WIDTH + in(i, WIDTH)]][k];
            assert_true(fabs((double)a[y * WIDTH + x] - factor * sum[0] / count) < 1e-6);
            assert_true(fabs((double)r[y * WIDTH + x] - sum[1] / count) < 1e-6);
        }
    tw_result_release(result);
}

static void table_and_blends(void **state)
{
    (void)state;
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++)
        labels[i] = i * 7 / 5 % 16;
    check("b: {type: test.labels}\no: {type: island.biome_noise, biome: b}\n", 0, 1);
    check("b: {type: test.labels}\no: {type: island.biome_noise, biome: b, blend: 0.08, "
          "amplitude: 0.5}\n",
          3, 0.5);
    check("b: {type: test.labels}\no: {type: island.biome_noise, biome: b, blend: 1}\n", WIDTH, 1);
}

static void other_labels_are_refused(void **state)
{
    (void)state;
    labels[100] = 16;
    harness_give(0, &map);
    struct tw_error error = harness_fail(&(struct harness){
        .width = WIDTH,
        .height = HEIGHT,
        .nodes = "b: {type: test.labels}\no: {type: island.biome_noise, biome: b}\n"});
    assert_non_null(strstr(error.message, "16"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(table_and_blends),
                                       cmocka_unit_test(other_labels_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
