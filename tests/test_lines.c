/* SPDX-License-Identifier: MIT */
/* No node at its defaults rules lines into terrain: support/lines.h looks for them. */
#include "support/harness.h"
#include "support/lines.h"

#include <stdio.h>
#include <string.h>

static float cells[LINES_SIZE * LINES_SIZE];

static const struct tw_value terrain = {TW_HEIGHTMAP, LINES_SIZE, LINES_SIZE, cells};

static void report(const char *what, const struct lines_profile *profile)
{
    struct lines_family family = lines_find(profile);
    if (family.shows)
        fail_msg("%s: %s, every %d lines from %d: excess %.3f, z %.1f", what, family.profile,
                 family.period, family.phase, family.excess, family.z);
}

/* `node` is the node's YAML mapping; its input, where it has one, is `in`. */
static void rules_no_lines(const char *node, enum lines_input input)
{
    static struct lines_profile profile;
    char nodes[256];
    snprintf(nodes, sizeof nodes, "in: {type: test.map}\nout: %s\n", node);
    memset(&profile, 0, sizeof profile);
    for (uint64_t seed = 0; seed < LINES_SEEDS; seed++) {
        lines_terrain(input, seed, cells);
        harness_give(0, &terrain);
        struct tw_result *result = harness_run(&(struct harness){
            .width = LINES_SIZE, .height = LINES_SIZE, .seed = seed, .threads = 2, .nodes = nodes});
        lines_add(&profile, tw_floats(tw_result_output(result, "out")));
        tw_result_release(result);
    }
    report(node, &profile);
}

static void inputs_have_no_lines(void **state)
{
    (void)state;
    for (int input = 0; input < LINES_INPUTS; input++) {
        static struct lines_profile profile;
        memset(&profile, 0, sizeof profile);
        for (uint64_t seed = 0; seed < LINES_SEEDS; seed++) {
            lines_terrain((enum lines_input)input, seed, cells);
            lines_add(&profile, cells);
        }
        report("the input", &profile);
    }
}

/* Every 16th row from row 5 on is lifted by what makes its second differences a third rougher. */
static void finds_ruled_lines(void **state)
{
    static struct lines_profile profile;
    (void)state;
    for (uint64_t seed = 0; seed < LINES_SEEDS; seed++) {
        lines_terrain(LINES_MOUNTAINS, seed, cells);
        for (int y = 5; y < LINES_SIZE; y += 16)
            for (int x = 0; x < LINES_SIZE; x++)
                cells[y * LINES_SIZE + x] += 0.002f;
        lines_add(&profile, cells);
    }
    struct lines_family family = lines_find(&profile);
    assert_true(family.shows);
    assert_string_equal(family.profile, "rows, across");
    assert_int_equal(family.period, 16);
    assert_int_equal(family.phase, 5);
    assert_true(family.excess > 0.1);
}

static void erosions_rule_no_lines(void **state)
{
    static const char *const nodes[] = {
        "{type: erosion.olsen, in: in}",
        "{type: erosion.thermal_fast, in: in}",
        "{type: erosion.hydraulic_fast, in: in}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        for (int input = 0; input < LINES_INPUTS; input++)
            rules_no_lines(nodes[i], (enum lines_input)input);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_have_no_lines),
        cmocka_unit_test(finds_ruled_lines),
        cmocka_unit_test(erosions_rule_no_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
