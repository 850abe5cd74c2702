/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 19, HEIGHT = 7, MASKS = 3 };

static const double colours[MASKS][3] = {{10, 200, 30}, {255, 0, 128}, {255, 255, 255}};

#define THREE                                                                                      \
    "a: {type: test.mask}\nb: {type: test.mask, slot: 1}\nc: {type: test.mask, slot: 2}\n"         \
    "out: {type: render.splat, masks: [a, b, c], colours: [[10, 200, 30], [255, 0, 128], "         \
    "[255, 255, 255]]}"

static float shares[MASKS][WIDTH * HEIGHT];

static double reference(int cell, int channel)
{
    double sum = 0, mixed = 0;
    for (int m = 0; m < MASKS; m++) {
        sum += (double)shares[m][cell];
        mixed += (double)shares[m][cell] * colours[m][channel];
    }
    return sum > 0 ? mixed / sum : colours[0][channel];
}

static void colours_are_mixed_by_shares(void **state)
{
    (void)state;
    for (int m = 0; m < MASKS; m++)
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            shares[m][i] = i < 3 ? 0 : (float)((i * (m + 2) + m) % 7) / 6;
    shares[1][1] = 1;
    shares[2][2] = 1e-40f;        /* a share of next to nothing is all that there is */
    struct tw_value masks[MASKS]; /* the harness keeps where they are */
    for (int m = 0; m < MASKS; m++) {
        masks[m] = (struct tw_value){TW_MASK, WIDTH, HEIGHT, shares[m]};
        harness_give(m, &masks[m]);
    }
    struct tw_result *result =
        harness_run(&(struct harness){.width = WIDTH, .height = HEIGHT, .nodes = THREE});
    const uint8_t *out = tw_pixels(tw_result_output(result, "out"));
    assert_memory_equal(out, "\x0a\xc8\x1e", 3);
    assert_memory_equal(out + 3, "\xff\x00\x80", 3);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        for (int c = 0; i != 2 && c < 3; c++)
            assert_true(fabs(reference(i, c) - out[3 * i + c]) < 0.51);
    tw_result_release(result);
}

/* As an export of the masks cuts them. */
static void masks_beyond_0_to_1_are_cut(void **state)
{
    (void)state;
    float beyond[MASKS][3] = {{-5, -0.5f, 3e38f}, {2, 9, 0.25f}, {-3e38f, 1, -1}};
    struct tw_value masks[MASKS];
    for (int m = 0; m < MASKS; m++) {
        masks[m] = (struct tw_value){TW_MASK, 3, 1, beyond[m]};
        harness_give(m, &masks[m]);
    }
    struct tw_result *result =
        harness_run(&(struct harness){.width = 3, .height = 1, .nodes = THREE});
    assert_memory_equal(tw_pixels(tw_result_output(result, "out")),
                        "\xff\x00\x80\xff\x80\xc0\x3b\xa0\x32", 9);
    tw_result_release(result);
}

static void gives_the_same_bytes_everywhere(void **state)
{
    (void)state;
    everywhere_image((struct harness){.width = 65,
                                      .height = 33,
                                      .nodes = "land: {type: noise.midpoint}\n"
                                               "a: {type: mask.slope, in: land}\n"
                                               "b: {type: mask.height, in: land}\n"
                                               "out: {type: render.splat, masks: [a, b], colours: "
                                               "[[1, 2, 3], [200, 100, 50]]}"},
                     "out");
}

/* Without colours each mask has one that differs from the others', and there are eight. */
static void colours_of_its_own_differ(void **state)
{
    static float planes[9][9];
    struct tw_value masks[9];
    char nodes[800] = "", list[200] = "";
    (void)state;
    for (int m = 0; m < 8; m++) {
        planes[m][m] = 1;
        masks[m] = (struct tw_value){TW_MASK, 8, 1, planes[m]};
        harness_give(m, &masks[m]);
        snprintf(nodes + strlen(nodes), sizeof nodes - strlen(nodes),
                 "m%d: {type: test.mask, slot: %d}\n", m, m);
        snprintf(list + strlen(list), sizeof list - strlen(list), "%sm%d", m ? ", " : "", m);
    }
    size_t used = strlen(nodes);
    snprintf(nodes + used, sizeof nodes - used, "out: {type: render.splat, masks: [%s]}", list);
    struct tw_result *result =
        harness_run(&(struct harness){.width = 8, .height = 1, .nodes = nodes});
    const uint8_t *out = tw_pixels(tw_result_output(result, "out"));
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < a; b++) {
            int apart = 0;
            for (int c = 0; c < 3; c++)
                apart += abs(out[3 * a + c] - out[3 * b + c]);
            assert_true(apart > 40);
        }
    tw_result_release(result);
    snprintf(nodes + used, sizeof nodes - used, "out: {type: render.splat, masks: [%s, m0]}", list);
    struct tw_error error =
        harness_fail(&(struct harness){.width = 8, .height = 1, .nodes = nodes});
    assert_non_null(strstr(error.message, "9 masks; expected colours, or at most 8 masks"));
}

static void expect_fault(const char *options, const char *message)
{
    char nodes[300];
    snprintf(nodes, sizeof nodes,
             "land: {type: noise.midpoint}\na: {type: mask.slope, in: land}\n"
             "out: {type: render.splat, masks: [a, a], %s}",
             options);
    struct tw_error error = harness_fail(&(struct harness){.nodes = nodes});
    if (!strstr(error.message, message))
        fail_msg("%s: %s", options, error.message);
}

static void says_which_colours_it_cannot_use(void **state)
{
    (void)state;
    expect_fault("colours: [[1, 2, 3]]", "2 masks and 1 colours");
    expect_fault("colours: [[1, 2, 3], [1, 2, 300]]", "300");
    expect_fault("colours: [[1, 2, 3], [1, 2]]", "colours");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(colours_are_mixed_by_shares),
                                       cmocka_unit_test(masks_beyond_0_to_1_are_cut),
                                       cmocka_unit_test(gives_the_same_bytes_everywhere),
                                       cmocka_unit_test(colours_of_its_own_differ),
                                       cmocka_unit_test(says_which_colours_it_cannot_use)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
