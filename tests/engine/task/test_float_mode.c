/* SPDX-License-Identifier: MIT */
/* A host's floating-point mode changes no byte: it rounds upwards and flushes denormals before the
 * first run starts libuv's threads, which would inherit that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/sanitized.h"

#include "value/field.h"

#include <fenv.h>
#include <sys/wait.h>
#include <thalweg/thalweg.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

static struct tw_digest run(void)
{
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    const struct tw_load_options load = {.width = SANITIZED ? 40 : 100,
                                         .height = SANITIZED ? 24 : 60};
    const struct tw_run_options options = {.threads = 3};
    assert_int_equal(tw_recipe_load(TW_GRAPHS "/olsen-hills.yaml", &load, &recipe, NULL), TW_OK);
    assert_int_equal(tw_recipe_run(recipe, &options, &result, NULL), TW_OK);
    struct tw_digest digest = tw_field_digest(tw_result_output(result, "height"));
    tw_result_release(result);
    tw_recipe_release(recipe);
    return digest;
}

/* In a process of its own: threads of this one would keep the mode they started with. */
static struct tw_digest run_apart(void)
{
    struct tw_digest digest;
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        digest = run();
        _exit(write(ends[1], &digest, sizeof digest) == (ssize_t)sizeof digest ? 0 : 1);
    }
    assert_int_equal(read(ends[0], &digest, sizeof digest), sizeof digest);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close(ends[0]);
    close(ends[1]);
    return digest;
}

static void the_mode_of_the_host_changes_no_byte(void **state)
{
    struct tw_digest nearest = run_apart();
    (void)state;
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040); /* flush to zero, denormals are zero */
#endif
    assert_int_equal(fesetround(FE_UPWARD), 0);
    struct tw_digest upwards = run();
    assert_int_equal(fegetround(), FE_UPWARD); /* and the host keeps its own */
    fesetenv(FE_DFL_ENV);
    assert_memory_equal(&upwards, &nearest, sizeof nearest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_mode_of_the_host_changes_no_byte)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
