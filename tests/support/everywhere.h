/* SPDX-License-Identifier: MIT */
/* One recipe on every thread count and instruction set: the same bytes each time. */
#ifndef TW_TESTS_EVERYWHERE_H
#define TW_TESTS_EVERYWHERE_H

#include "support/harness.h"

/* The output must equal `expected` bit for bit with 1, 2 and 8 threads, base, AVX2 and widest. */
static inline void everywhere(struct harness harness, const char *output, const float *expected)
{
    const int32_t threads[] = {1, 2, 8};
    const char *const levels[] = {"base", "avx2", NULL};
    for (int i = 0; i < 9; i++) {
        harness.threads = threads[i / 3];
        harness.simd = levels[i % 3];
        struct tw_result *result = harness_run(&harness);
        harness_same(tw_result_output(result, output), expected);
        tw_result_release(result);
    }
}

#endif
