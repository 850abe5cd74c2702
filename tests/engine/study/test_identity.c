/* SPDX-License-Identifier: MIT */
/* An experiment's identity changes with each thing that decides its samples, and with nothing else:
 * neither with what follows them nor with what lies beyond in memory. */
#include "support/command.h"
#include "support/harness.h"
#include "support/sample.h"

#include "study/identity.h"

#include <stdlib.h>
#include <string.h>

static struct tw_experiment *experiment;
static struct tw_compare_rounds rounds;
static struct tw_compare_round built;
static struct tw_sha256 original;

static struct tw_sha256 identify(void)
{
    struct tw_sha256 identity;
    struct tw_error error = {.status = TW_OK};
    rounds.parts[0] = *experiment;
    rounds.at[0] = built;
    if (tw_compare_identify(&rounds, &identity, &error) != TW_OK)
        fail_msg("%s", error.message);
    return identity;
}

static int set_up(void **state)
{
    const struct tw_load_options load = {.set = NULL};
    struct tw_error error = {.status = TW_OK};
    (void)state;
    command_enter();
    sample_write();
    if (tw_experiment_load("experiment.yaml", &load, &experiment, &error) != TW_OK ||
        tw_compare_rounds_build(experiment, &load, tw_experiment_seed(experiment, 0), &rounds,
                                &error) != TW_OK)
        fail_msg("%s", error.message);
    built = rounds.at[0];
    original = identify();
    return 0;
}

static int tear_down(void **state)
{
    rounds.at[0] = built;
    tw_compare_rounds_release(&rounds);
    tw_experiment_release(experiment);
    return command_tear_down(state);
}

static void expect_other(const char *what)
{
    struct tw_sha256 identity = identify();
    if (memcmp(&identity, &original, sizeof identity) == 0)
        fail_msg("%s is no part of the identity", what);
}

static void expect_same(const char *what)
{
    struct tw_sha256 identity = identify();
    if (memcmp(&identity, &original, sizeof identity) != 0)
        fail_msg("%s is part of the identity", what);
}

static void change_name(const char **name, const char *what)
{
    const char *kept = *name;
    *name = "other";
    expect_other(what);
    *name = kept;
    expect_same("what is as it was");
}

static void names_and_seed_decide(void **state)
{
    (void)state;
    for (int32_t v = 0; v < experiment->run_count; v++)
        change_name(&experiment->variants[v].name, "a variant's name");
    for (int32_t m = 0; m < experiment->measure_count; m++) {
        change_name(&experiment->measures[m].name, "a measure's name");
        change_name(&experiment->measures[m].field, "a measure's field");
        change_name(&experiment->measures[m].output, "a measure's output");
    }
    for (struct tw_output *output = built.merged->outputs; output; output = output->next)
        change_name(&output->name, "an output's name");
    experiment->seeds = (const uint64_t[]){3, 2};
    expect_other("the first seed");
}

static void formulas_decide(void **state)
{
    struct tw_expression formula = {.steps = {{.number = 2, .op = TW_FORMULA_NUMBER}}, .count = 1};
    (void)state;
    experiment->measures[0].formula = &formula;
    expect_other("a formula");
    original = identify();
    formula.steps[0].number = 3;
    expect_other("a number in a formula");
}

static void records_decide_and_nothing_beyond_them(void **state)
{
    size_t columns = (size_t)experiment->measure_count;
    size_t count = columns * (size_t)experiment->run_count;
    int32_t *kept = built.record_of, *longer = calloc(count + columns, sizeof *longer);
    (void)state;
    assert_non_null(longer);
    memcpy(longer, kept, count * sizeof *kept);
    built.record_of = longer;
    for (size_t i = 0; i < count + columns; i++) {
        longer[i]++;
        if (i < count)
            expect_other("a record");
        else
            expect_same("what follows the records");
        longer[i]--;
    }
    built.record_of = kept;
    free(longer);
}

static void what_follows_the_samples_does_not_count(void **state)
{
    (void)state;
    experiment->seed_count++;
    experiment->baseline = 1;
    experiment->bounds = NULL;
    experiment->times = 3;
    experiment->measures[0].goal = -1;
    experiment->measures[0].until = 0.5;
    expect_same("seeds, goals and assertions");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(names_and_seed_decide),
        TEST(formulas_decide),
        TEST(records_decide_and_nothing_beyond_them),
        TEST(what_follows_the_samples_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
