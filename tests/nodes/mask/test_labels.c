/* SPDX-License-Identifier: MIT */
#include "common/biome.h"
#include "support/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 45, HEIGHT = 30, CELLS = WIDTH * HEIGHT };

static int32_t cells[CELLS];
static const struct tw_value labels = {TW_LABELS, WIDTH, HEIGHT, cells};

/* Whether the set selects exactly the labels whose bit is given, of -1 to 30. */
static void expect(const char *set, uint32_t bits)
{
    char nodes[400];
    for (int i = 0; i < CELLS; i++)
        cells[i] = i * 7 % 32 - 1;
    harness_give(0, &labels);
    snprintf(nodes, sizeof nodes, "in: {type: test.labels}\nout: {type: mask.labels, in: in, %s}\n",
             set);
    struct tw_result *result =
        harness_run(&(struct harness){.width = WIDTH, .height = HEIGHT, .nodes = nodes});
    const struct tw_value *out = tw_result_output(result, "out");
    assert_int_equal(out->type, TW_MASK);
    for (int i = 0; i < CELLS; i++) {
        bool in = cells[i] >= 0 && bits >> cells[i] & 1;
        if (tw_floats(out)[i] != (in ? 1.0f : 0.0f))
            fail_msg("%s: label %d", set, (int)cells[i]);
    }
    tw_result_release(result);
}

static void selects_the_set(void **state)
{
    (void)state;
    expect("labels: [3]", 1u << 3);
    expect("labels: [0, 30, 7, 7]", 1u | 1u << 30 | 1u << 7);
    expect("biomes: [snow, ocean]", 1u << TW_SNOW | 1u << TW_OCEAN_BIOME);
    expect("landforms: [flat, pit]", 1u << 1 | 1u << 10);
    expect("labels: [20], biomes: [beach]", 1u << 20 | 1u << TW_BEACH);
    expect("labels: [20], landforms: [valley]", 1u << 20 | 1u << 9);
    expect("biomes: [beach], landforms: [valley]", 1u << TW_BEACH | 1u << 9);
    expect("labels: [20], landforms: [valley], biomes: [beach]",
           1u << 20 | 1u << 9 | 1u << TW_BEACH);
}

/* The words are the names of the biomes, in their order. */
static void biomes_have_their_names(void **state)
{
    char set[100];
    (void)state;
    for (int i = 0; i < TW_BIOME_COUNT; i++) {
        snprintf(set, sizeof set, "biomes: [%s]", tw_biomes[i].name);
        for (char *at = set + 8; *at; at++)
            if (*at == ' ')
                *at = '_';
        expect(set, 1u << i);
    }
}

static void refuses_sets_that_are_none(void **state)
{
    static const char *const rows[][2] = {
        {"mask.labels, in: in", "at least one of labels, biomes and landforms"},
        {"mask.labels, in: in, labels: [1.5]", "expected whole numbers"},
        {"mask.labels, in: in, biomes: [snov]", "snow"},
    };
    (void)state;
    for (int i = 0; i < 3; i++) {
        char nodes[200];
        snprintf(nodes, sizeof nodes, "in: {type: test.labels}\nout: {type: %s}\n", rows[i][0]);
        struct tw_error error = harness_fail(&(struct harness){.nodes = nodes});
        if (!strstr(error.message, rows[i][1]) && !strstr(error.hint, rows[i][1]))
            fail_msg("%s (%s)", error.message, error.hint);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(selects_the_set),
                                       cmocka_unit_test(biomes_have_their_names),
                                       cmocka_unit_test(refuses_sets_that_are_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
