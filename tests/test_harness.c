/* SPDX-License-Identifier: MIT */
/* A run limited to one instruction set must not hide the processor's others from tests that try
 * all. */
#include "support/harness.h"

#include "base/os/cpu.h"

static void a_run_leaves_the_level_as_it_was(void **state)
{
    static const char *const levels[] = {"base", "avx2", NULL};
    const enum tw_simd widest = tw_cpu_simd();
    (void)state;
    for (int i = 0; i < 3; i++) {
        tw_result_release(harness_run(
            &(struct harness){.simd = levels[i], .nodes = "out: {type: noise.perlin}\n"}));
        assert_int_equal(tw_cpu_simd(), widest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_run_leaves_the_level_as_it_was)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
