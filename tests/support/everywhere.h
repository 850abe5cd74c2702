/* SPDX-License-Identifier: MIT */
/* Runs one recipe on every thread count and instruction set and compares the bytes. */
#ifndef TW_TESTS_SUPPORT_EVERYWHERE_H
#define TW_TESTS_SUPPORT_EVERYWHERE_H

#include "support/harness.h"
#include "support/sanitized.h"

#include "base/os/cpu.h"

enum {
    EVERYWHERE_STEP = SANITIZED ? 4 : 1
}; /* each level and number of threads once, or all combinations */

static const char *const everywhere_levels[] = {"base", "avx2", NULL}; /* NULL: the widest */

/* Whether this processor supports no more than the previous level. */
static inline bool everywhere_twice(int level) { return level > (int)tw_cpu_simd(); }

/* Fails unless the output equals `expected` bit for bit with 1, 2 and 8 threads on base, AVX2 and
 * the widest level. */
static inline void everywhere(struct harness harness, const char *output, const float *expected)
{
    const int32_t threads[] = {1, 2, 8};
    for (int i = 0; i < 9; i += EVERYWHERE_STEP) {
        if (EVERYWHERE_STEP == 1 && everywhere_twice(i % 3))
            continue;
        harness.threads = threads[i / 3];
        harness.simd = everywhere_levels[i % 3];
        struct tw_result *result = harness_run(&harness);
        harness_same(tw_result_output(result, output), expected);
        tw_result_release(result);
    }
}

/* Compares pictures with that of a single thread. */
static inline void everywhere_image(struct harness harness, const char *output)
{
    const int32_t threads[] = {1, 2, 8};
    struct tw_result *first = NULL;
    for (int i = 0; i < 9; i += EVERYWHERE_STEP) {
        if (EVERYWHERE_STEP == 1 && everywhere_twice(i % 3))
            continue;
        harness.threads = threads[i / 3];
        harness.simd = everywhere_levels[i % 3];
        struct tw_result *result = harness_run(&harness);
        const struct tw_value *image = tw_result_output(result, output);
        assert_int_equal(image->type, TW_IMAGE);
        first = first ? first : result;
        assert_memory_equal(image->data, tw_result_output(first, output)->data,
                            3 * tw_value_count(image));
        if (result != first)
            tw_result_release(result);
    }
    tw_result_release(first);
}

#endif
