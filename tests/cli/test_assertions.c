/* SPDX-License-Identifier: MIT */
/* `assert:` of a recipe: judged by run and verify at the recipe's own size, exit code 1. */
#include "support/command.h"
#include "support/harness.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct command_result result;

#define RECIPE(asserts)                                                                            \
    "thalweg: 1\nsize: 32\nnodes:\n  h: {type: source.constant, value: 0.5}\n"                     \
    "  s: {type: measure.statistics, in: h}\n"                                                     \
    "outputs: {height: h, stats: s}\n"                                                             \
    "export: {h.npy: height}\n" asserts

static void run(const char *text, const char *command, int code)
{
    command_write("a.yaml", text, strlen(text));
    command_run(command, &result);
    if (result.code != code)
        fail_msg("%s ended with %d: %s%s", command, result.code, result.out, result.err);
}

static void says(const char *words)
{
    if (!strstr(result.err, words))
        fail_msg("'%s' does not say '%s'", result.err, words);
}

static void what_holds_is_silent(void **state)
{
    (void)state;
    run(RECIPE("assert: {stats.mean: {min: 0.5, max: 0.5}}\n"), "run a.yaml -o out", 0);
    run(RECIPE("assert: {stats.mean: {min: 0.5}}\n"), "run a.yaml -o out", 0);
}

static void what_does_not_hold_ends_with_one(void **state)
{
    (void)state;
    run(RECIPE("assert:\n  stats.mean: {min: 0.75}\n  stats.min: {max: 0.25}\n"),
        "run a.yaml -o out", 1);
    says("a.yaml:9:3");
    says("assert stats.mean: found 0.5; expected at least 0.75");
    says("assert stats.min: found 0.5; expected at most 0.25");
    command_run("inspect out/h.npy", &result); /* other results are still written */
    assert_int_equal(result.code, 0);
    command_run("run a.yaml -o out", &result); /* also from the cache */
    assert_int_equal(result.code, 1);
    run(RECIPE("assert: {stats.mean: {min: 0.6, max: 0.7}}\n"), "run a.yaml -o out --no-cache", 1);
    says("assert stats.mean: found 0.5; expected from 0.6 to 0.7");
}

static void another_size_judges_nothing(void **state)
{
    (void)state;
    run(RECIPE("assert: {stats.mean: {min: 0.75}}\n"), "run a.yaml -o out --size 16", 0);
    says("nothing is asserted at 16 x 16 cells");
    run(RECIPE("assert: {stats.mean: {min: 0.75}}\n"), "run a.yaml -o out --size 32", 1);
    run(RECIPE("assert: {stats.mean: {min: 0.75}}\n"), "run a.yaml -o out --only height", 0);
    run(RECIPE("assert: {stats.mean: {min: 0.75}}\n"), "run a.yaml -o out --only stats", 1);
}

static void verify_judges_too(void **state)
{
    (void)state;
    run(RECIPE("assert: {stats.mean: {min: 0.25}}\n"), "lock a.yaml", 0);
    run(RECIPE("assert: {stats.mean: {min: 0.25}}\n"), "verify a.yaml", 0);
    run(RECIPE("assert: {stats.mean: {min: 0.75}}\n"), "verify a.yaml", 1);
    says("assert stats.mean: found 0.5; expected at least 0.75");
}

static void several_recipes_are_judged_each(void **state)
{
    static const char other[] = RECIPE("assert: {stats.mean: {min: 0.75}}\n");
    (void)state;
    command_write("b.yaml", other, strlen(other));
    run(RECIPE("assert: {stats.mean: {min: 0.25}}\n"), "run a.yaml b.yaml -o out/{recipe}", 1);
    says("b.yaml:8:10");
    assert_null(strstr(result.err, "a.yaml:8"));
}

static void faults_are_reported_at_their_place(void **state)
{
    static const char *const faults[][2] = {
        {"assert: {stats: {min: 1}}\n", "'stats' names no field"},
        {"assert: {stat.mean: {min: 1}}\n", "there is no output 'stat'"},
        {"assert: {height.mean: {min: 1}}\n", "output 'height' is heightmap; expected a record"},
        {"assert: {stats.mean: {}}\n", "an assertion needs min, max or both"},
        {"assert: {stats.mean: {min: 5, max: 1}}\n", "min is above max"},
        {"assert: {stats.mean: {min: few}}\n", "min is 'few'; expected a number"},
        {"assert: {stats.mean: {least: 1}}\n", "least"},
        {"assert: [stats.mean]\n", "assert"},
    };
    char text[600];
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        snprintf(text, sizeof text, "%s%s", RECIPE(""), faults[i][0]);
        run(text, "check a.yaml", 3);
        says(faults[i][1]);
    }
    run(RECIPE("assert: {stats.maen: {min: 1}}\n"), "run a.yaml -o out", 3);
    says("has no field 'maen'");
    says("did you mean 'mean'");
}

/* With --untrusted nothing of a file is quoted to which a link leads. */
static void linked_assertions_are_not_quoted(void **state)
{
    static const char *const asserts[] = {RECIPE("assert: {stats.secret: {min: 1}}\n"),
                                          RECIPE("assert: {stats.mean: {min: 0.875}}\n")};
    static const int codes[] = {3, 1};
    (void)state;
    assert_int_equal(symlink("a.yaml", "link.yaml"), 0);
    for (int i = 0; i < 2; i++) {
        run(asserts[i], "run link.yaml --untrusted --cache-mode off -o out", codes[i]);
        says("link.yaml: error: assert 1: what is wrong here is not shown, as a link leads");
        assert_null(strstr(result.err, "stats"));
        assert_null(strstr(result.err, "0.875"));
    }
}

/* A small file that asserts much is refused at once. */
static void assertions_end_at_their_limit(void **state)
{
    static char text[1 << 16];
    size_t used = (size_t)snprintf(text, sizeof text, "%sassert:\n", RECIPE(""));
    (void)state;
    for (int i = 0; i < 1001; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "  stats.f%d: {min: 1}\n", i);
    run(text, "check a.yaml", 3);
    says("more than 1000 assertions");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_holds_is_silent),
        cmocka_unit_test(what_does_not_hold_ends_with_one),
        cmocka_unit_test(another_size_judges_nothing),
        cmocka_unit_test(verify_judges_too),
        cmocka_unit_test(several_recipes_are_judged_each),
        cmocka_unit_test(faults_are_reported_at_their_place),
        cmocka_unit_test(assertions_end_at_their_limit),
        cmocka_unit_test(linked_assertions_are_not_quoted),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
