/* SPDX-License-Identifier: MIT */
/* Rows that are too long for the cache are computed in stretches; with a ledger they are whole, for
 * it sums rows. Both must give the same bytes. */
#include "support/everywhere.h"
#include "support/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 3011, HEIGHT = 270 }; /* three stretches, bands and gaps of eight passes */

static void same_in_stretches(const char *border, const char *output)
{
    char nodes[400];
    struct tw_value map = harness_terrain(WIDTH, HEIGHT, 11),
                    mask = harness_terrain(WIDTH, HEIGHT, 12);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\nmask: {type: test.mask, slot: 1}\n"
             "out: {type: erosion.pipes, in: in, rain_map: mask, hardness: mask, border: %s, "
             "capacity: 0.05, dt: 0.0003, steps: 9, substeps: one}\n",
             border);
    mask.type = TW_MASK;
    harness_give(0, &map);
    harness_give(1, &mask);
    struct harness harness = {.width = WIDTH,
                              .height = HEIGHT,
                              .nodes = nodes,
                              .outputs = "water: out.water\nledger: out.ledger\n"};
    struct tw_result *whole = harness_run(&harness);
    harness.outputs = "water: out.water\n";
    everywhere(harness, output, tw_floats(tw_result_output(whole, output)));
    tw_result_release(whole);
    free(map.data);
    free(mask.data);
}

static void closed_maps_are_the_same_in_stretches(void **state)
{
    (void)state;
    same_in_stretches("closed", "out");
}

static void open_maps_are_the_same_in_stretches(void **state)
{
    (void)state;
    same_in_stretches("open", "water");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_maps_are_the_same_in_stretches),
        cmocka_unit_test(open_maps_are_the_same_in_stretches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
