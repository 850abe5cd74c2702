/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 37, HEIGHT = 21 };

/* Rows of value and colour; between them mixed, the outer of two at the ends lies beyond. */
static const double rows[][4] = {{-1, 9, 9, 9},      {-1, 0, 10, 20},  {0.25, 100, 50, 0},
                                 {0.25, 0, 200, 40}, {2, 250, 0, 130}, {2, 7, 7, 7}};
enum { ROWS = sizeof rows / sizeof *rows };
static const char ramp[] = "ramp: [[-1, 9, 9, 9], [-1, 0, 10, 20], [0.25, 100, 50, 0], "
                           "[0.25, 0, 200, 40], [2, 250, 0, 130], [2, 7, 7, 7]]";

static double reference(double value, int channel)
{
    if (value < rows[0][0])
        return rows[0][1 + channel];
    if (value > rows[ROWS - 1][0])
        return rows[ROWS - 1][1 + channel];
    for (int i = ROWS - 2; i > 0; i--)
        if (value >= rows[i][0] && rows[i + 1][0] > rows[i][0])
            return rows[i][1 + channel] + (rows[i + 1][1 + channel] - rows[i][1 + channel]) *
                                              (value - rows[i][0]) / (rows[i + 1][0] - rows[i][0]);
    return rows[ROWS - 2][1 + channel]; /* the last value itself */
}

static struct tw_result *paint(const struct tw_value *map, const char *options)
{
    char nodes[600];
    snprintf(nodes, sizeof nodes,
             "a: {type: test.map}\nm: {type: test.mask, slot: 1}\n"
             "out: {type: render.colour, in: a, mask: m, %s, %s}",
             ramp, options);
    harness_give(0, map);
    return harness_run(&(struct harness){
        .width = map->width, .height = map->height, .nodes = nodes, .head = "borders: closed\n"});
}

/* Straight on beyond borders. */
static double height_at(const float *z, int x, int y)
{
    int border_x = x < 0 ? 0 : WIDTH - 1, border_y = y < 0 ? 0 : HEIGHT - 1;
    if (x < 0 || x >= WIDTH)
        return 2 * height_at(z, border_x, y) - height_at(z, 2 * border_x - x, y);
    if (y < 0 || y >= HEIGHT)
        return 2 * height_at(z, x, border_y) - height_at(z, x, 2 * border_y - y);
    return (double)z[y * WIDTH + x];
}

static double slope_at(const float *z, int x, int y)
{
    double sum[2] = {0, 0};
    for (int i = -1; i <= 1; i++) {
        double weight = i == 0 ? 2 : 1;
        sum[0] += weight * (height_at(z, x + 1, y + i) - height_at(z, x - 1, y + i));
        sum[1] += weight * (height_at(z, x + i, y + 1) - height_at(z, x + i, y - 1));
    }
    return hypot(sum[0], sum[1]) / 8 * WIDTH;
}

static void colours_follow_what_the_ramp_is_by(void **state)
{
    static const char *const by[] = {"height", "slope", "mask"};
    struct tw_value map = harness_terrain(WIDTH, HEIGHT, 4);
    struct tw_value mask = harness_terrain(WIDTH, HEIGHT, 5);
    float *z = tw_floats(&map);
    (void)state;
    mask.type = TW_MASK;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        z[i] = 4 * z[i] - 1.5f; /* beyond both ends */
    z[0] = -1;
    z[1] = 2;
    z[2] = 0.25f;
    harness_give(1, &mask);
    for (int k = 0; k < 3; k++) {
        char options[80];
        snprintf(options, sizeof options, "ramp_fit: false, ramp_by: %s", by[k]);
        struct tw_result *result = paint(&map, options);
        const uint8_t *found = tw_pixels(tw_result_output(result, "out"));
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            double value = k == 0   ? (double)z[i]
                           : k == 1 ? slope_at(z, i % WIDTH, i / WIDTH)
                                    : (double)tw_floats(&mask)[i];
            for (int c = 0; c < 3; c++)
                if (fabs(reference(value, c) - found[3 * i + c]) > 0.51)
                    fail_msg("%s, cell %d, value %g: %d, expected %g", by[k], i, value,
                             found[3 * i + c], reference(value, c));
        }
        tw_result_release(result);
    }
    free(map.data);
    free(mask.data);
}

/* Stretched, the lowest cell has the first colour, the highest the last, and the sea the hinge. */
static void a_stretched_ramp_keeps_0_at_the_sea(void **state)
{
    float cells[] = {-3, -1, 0, 1, 5, 17};
    const struct tw_value map = {TW_HEIGHTMAP, 6, 1, cells};
    float none[6] = {0};
    const struct tw_value mask = {TW_MASK, 6, 1, none};
    (void)state;
    harness_give(1, &mask);
    struct tw_result *result = paint(&map, "sea: 1");
    const uint8_t *at = tw_pixels(tw_result_output(result, "out"));
    assert_true(at[0] == 0 && at[1] == 10 && at[2] == 20);
    assert_true(at[15] == 250 && at[16] == 0 && at[17] == 130);
    assert_true(abs(at[9] - (int)reference(0, 0)) <= 1 && abs(at[10] - (int)reference(0, 1)) <= 1);
    tw_result_release(result);
    float flat[6] = {5, 5, 5, 5, 5, 5};
    const struct tw_value plain = {TW_HEIGHTMAP, 6, 1, flat};
    result = paint(&plain, "ramp_fit: true");
    at = tw_pixels(tw_result_output(result, "out"));
    assert_true(at[0] == 0 && at[1] == 10 && at[2] == 20);
    tw_result_release(result);
}

static void gives_the_same_bytes_everywhere(void **state)
{
    (void)state;
    everywhere_image((struct harness){.width = 65,
                                      .height = 33,
                                      .nodes = "a: {type: noise.midpoint}\n"
                                               "out: {type: render.colour, in: a, ramp_by: slope, "
                                               "ramp: [[0, 1, 2, 3], [1, 200, 100, 50]]}"},
                     "out");
}

static void expect_fault(const char *options, const char *message)
{
    char nodes[300];
    snprintf(nodes, sizeof nodes, "a: {type: noise.midpoint}\nout: {type: render.colour, in: a%s}",
             options);
    struct tw_error error = harness_fail(&(struct harness){.nodes = nodes});
    if (!strstr(error.message, message))
        fail_msg("%s: %s", options, error.message);
}

static void says_which_ramp_it_cannot_use(void **state)
{
    (void)state;
    expect_fault("", "at least two rows");
    expect_fault(", ramp: [[0, 1, 2, 3]]", "at least two rows");
    expect_fault(", ramp: [[1, 1, 2, 3], [0, 1, 2, 3]]",
                 "expected at least the value in the row before");
    expect_fault(", ramp: [[1, 1, 2, 3], [1, 1, 2, 3]]", "two different values");
    expect_fault(", ramp: [[1, 1, 2, 300], [2, 1, 2, 3]]", "300");
    expect_fault(", ramp: [[0, 1, 2, 3], [1, 1, 2, 3]], ramp_by: mask", "needs the input 'mask'");
    expect_fault(", ramp: none.cpt", "none.cpt");
    expect_fault(", ramp: {a: 1}", "a list of rows or a .cpt file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(colours_follow_what_the_ramp_is_by),
                                       cmocka_unit_test(a_stretched_ramp_keeps_0_at_the_sea),
                                       cmocka_unit_test(gives_the_same_bytes_everywhere),
                                       cmocka_unit_test(says_which_ramp_it_cannot_use)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
