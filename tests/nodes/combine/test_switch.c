/* SPDX-License-Identifier: MIT */
/* Values of combine.switch; how loading connects it: tests/engine/graph/load/test_choose.c. */
#include "support/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 37, HEIGHT = 23, COUNT = 3 };

/* The node `broken` fails when it runs, since slot 7 is empty. Quoted keys are no outputs of the
 * harness. */
#define CHOICES                                                                                    \
    "\"a\": {type: test.map}\n"                                                                    \
    "\"b\": {type: test.mask, slot: 1}\n"                                                          \
    "\"c\": {type: test.vectors, slot: 2}\n"                                                       \
    "\"broken\": {type: test.map, slot: 7}\n"

static struct harness choose(const char *more)
{
    static char nodes[1000];
    snprintf(nodes, sizeof nodes, CHOICES "%s", more);
    return (struct harness){.width = WIDTH, .height = HEIGHT, .nodes = nodes};
}

static struct tw_value in[COUNT];

static int set_up(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        in[i] = harness_terrain(i == 2 ? 2 * WIDTH : WIDTH, HEIGHT, (uint64_t)i);
        in[i].width = WIDTH;
        in[i].type = i == 2 ? TW_VECTORS : i == 1 ? TW_MASK : TW_HEIGHTMAP;
        harness_give(i, &in[i]);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT; i++)
        free(in[i].data);
    return 0;
}

/* Any type; the broken node before and after the chosen one never runs. */
static void every_index_gives_the_bytes_of_its_input(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        char more[200];
        snprintf(more, sizeof more,
                 "out: {type: combine.switch, in: [broken, a, b, c, broken], index: %d}\n", i + 1);
        const struct harness harness = choose(more);
        struct tw_result *result = harness_run(&harness);
        const struct tw_value *out = tw_result_output(result, "out");
        assert_int_equal(out->type, in[i].type);
        assert_int_equal(out->width, WIDTH);
        assert_memory_equal(out->data, in[i].data,
                            tw_value_count(&in[i]) * sizeof(float) * (i == 2 ? 2 : 1));
        tw_result_release(result);
    }
}

static void the_first_input_is_the_default(void **state)
{
    (void)state;
    const struct harness harness = choose("out: {type: combine.switch, in: [a, broken]}\n");
    struct tw_result *result = harness_run(&harness);
    harness_same(tw_result_output(result, "out"), tw_floats(&in[0]));
    tw_result_release(result);
}

/* The error of the chosen input is that of the run. */
static void a_chosen_input_runs(void **state)
{
    (void)state;
    const struct harness harness =
        choose("out: {type: combine.switch, in: [a, broken], index: 1}\n");
    struct tw_error error = harness_fail(&harness);
    assert_string_equal(error.path, "broken");
    assert_non_null(strstr(error.message, "nothing was given"));
}

static void an_index_beyond_the_list_names_its_place(void **state)
{
    static const char *const indices[] = {"-1", "2", "64"};
    static const char *const words[] = {"index is -1; allowed 0 to 63",
                                        "index is 2; expected 0 to 1",
                                        "index is 64; allowed 0 to 63"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        char more[200];
        snprintf(more, sizeof more, "out: {type: combine.switch, in: [a, broken], index: %s}\n",
                 indices[i]);
        const struct harness harness = choose(more);
        struct tw_error error = harness_fail(&harness);
        assert_non_null(strstr(error.message, words[i]));
        assert_int_equal(error.line, 9);
        assert_int_equal(error.column, 55);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_gives_the_bytes_of_its_input),
        cmocka_unit_test(the_first_input_is_the_default),
        cmocka_unit_test(a_chosen_input_runs),
        cmocka_unit_test(an_index_beyond_the_list_names_its_place),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
