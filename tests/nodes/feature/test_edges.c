/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <math.h>
#include <string.h>

static float cells[48 * 40];

static struct tw_result *edges(const char *nodes)
{
    static struct tw_value mask;
    mask = (struct tw_value){TW_MASK, 48, 40, cells};
    harness_give(0, &mask);
    return harness_run(&(struct harness){.width = 48, .height = 40, .nodes = nodes});
}

static void a_step_is_one_line_of_generators(void **state)
{
    (void)state;
    for (int i = 0; i < 48 * 40; i++)
        cells[i] = i % 48 < 20 ? 0.0f : 1.0f;
    struct tw_result *result =
        edges("in: {type: test.mask}\ne: {type: feature.edges, in: in, cost: [2, 8]}\n");
    const struct tw_value *out = tw_result_output(result, "e");
    assert_int_equal(out->width, 40);
    for (int32_t i = 0; i < out->width; i++) {
        struct tw_point p = tw_points(out)[i];
        int32_t x = (int32_t)(p.x * 48);
        assert_true(x == 19 || x == 20);
        assert_int_equal((int32_t)(p.y * 40), i);
        assert_int_equal(p.feature, 0);
        assert_true(p.cost == (x == 19 ? 8.0f : 2.0f));
    }
    tw_result_release(result);
}

static void apart_edges_are_features_of_their_own(void **state)
{
    (void)state;
    for (int i = 0; i < 48 * 40; i++) {
        int x = i % 48, y = i / 48;
        bool disc = (x - 14) * (x - 14) + (y - 18) * (y - 18) < 64;
        cells[i] = disc || (x > 34 && y > 10 && y < 30) ? 1.0f : 0.0f;
    }
    struct tw_result *result = edges("in: {type: test.mask}\ne: {type: feature.edges, in: in, "
                                     "threshold: 0.2, min_cells: 6}\n");
    const struct tw_value *out = tw_result_output(result, "e");
    int32_t counts[2] = {0, 0};
    for (int32_t i = 0; i < out->width; i++) {
        struct tw_point p = tw_points(out)[i];
        assert_in_range(p.feature, 0, 1);
        counts[p.feature]++;
        float dx = p.x * 48 - 14.5f, dy = p.y * 40 - 18.5f;
        if (p.x < 0.5f)
            assert_true(fabsf(sqrtf(dx * dx + dy * dy) - 8) < 1.6f);
    }
    assert_true(counts[0] > 30 && counts[1] > 30);
    tw_result_release(result);
}

/* A bright cell in a corner of the map is steepest in that cell, which has no neighbour besides. */
static void corners_have_edges_too(void **state)
{
    (void)state;
    for (int32_t corner = 0; corner < 48; corner += 47) {
        memset(cells, 0, sizeof cells);
        cells[corner] = 1;
        struct tw_result *result = edges("in: {type: test.mask}\ne: {type: feature.edges, in: in, "
                                         "threshold: 0.5, min_cells: 1}\n");
        const struct tw_value *out = tw_result_output(result, "e");
        assert_int_equal(out->width, 1);
        assert_int_equal((int32_t)(tw_points(out)->x * 48), corner);
        assert_int_equal((int32_t)(tw_points(out)->y * 40), 0);
        tw_result_release(result);
    }
}

static void says_how_steep_the_picture_is(void **state)
{
    static struct tw_value mask;
    (void)state;
    for (int i = 0; i < 48 * 40; i++)
        cells[i] = (float)(i % 48) * 0.015625f;
    mask = (struct tw_value){TW_MASK, 48, 40, cells};
    harness_give(0, &mask);
    struct tw_error error = harness_fail(
        &(struct harness){.width = 48,
                          .height = 40,
                          .nodes = "in: {type: test.mask}\ne: {type: feature.edges, in: in}\n"});
    assert_non_null(strstr(error.message, "the steepest is 0.015625"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_one_line_of_generators),
        cmocka_unit_test(apart_edges_are_features_of_their_own),
        cmocka_unit_test(corners_have_edges_too),
        cmocka_unit_test(says_how_steep_the_picture_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
