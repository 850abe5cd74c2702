/* SPDX-License-Identifier: MIT */
/* Labels of groups are those of a plain flood, on maps of several strips. */
#include "measure/kernels/components.h"
#include "support/probe.h"

#include <thalweg/kernel.h>

enum { W = 41, H = 210, CELLS = W * H };

static struct {
    float share; /* of ones */
    uint64_t seed;
} given;

static uint8_t in[CELLS];
static int32_t expected[CELLS];

/* Every place gets the first cell, in raster order, from which a flood reaches it. */
static void flood(void)
{
    static int32_t stack[CELLS];
    for (int32_t i = 0; i < CELLS; i++)
        expected[i] = -1;
    for (int32_t first = 0; first < CELLS; first++) {
        int32_t count = 0;
        if (!in[first] || expected[first] >= 0)
            continue;
        expected[first] = first;
        for (stack[count++] = first; count;) {
            int32_t cell = stack[--count], x = cell % W, y = cell / W;
            const int32_t near[4] = {y * W + tw_wrap(x - 1, W), y * W + tw_wrap(x + 1, W),
                                     tw_wrap(y - 1, H) * W + x, tw_wrap(y + 1, H) * W + x};
            for (int k = 0; k < 4; k++)
                if (in[near[k]] && expected[near[k]] < 0) {
                    expected[near[k]] = first;
                    stack[count++] = near[k];
                }
        }
    }
}

static enum tw_status compare(struct tw_task *task)
{
    static int32_t label[CELLS];
    probe_require(tw_components_label(task, in, label) == TW_OK);
    probe_require(memcmp(label, expected, sizeof label) == 0);
    return TW_OK;
}

static void test_labels_are_those_of_a_flood(void **state)
{
    static const float shares[] = {0.4f, 0.55f, 0.593f, 0.65f, 0.8f, 1};
    (void)state;
    for (int i = 0; i < 6; i++)
        for (given.seed = 0; given.seed < 8; given.seed++) {
            given.share = shares[i];
            for (int32_t cell = 0; cell < CELLS; cell++)
                in[cell] =
                    tw_uniform(tw_random(given.seed, (uint32_t)cell, 0, 0, 0).at[0]) < given.share;
            flood();
            probe_run(compare, W, H, 1 + (int32_t)given.seed % 3);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels_are_those_of_a_flood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
