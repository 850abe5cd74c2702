/* SPDX-License-Identifier: MIT */
/* The variants that an experiment has, by name: what ranges, draws, entries and plans give. */
#include "support/command.h"
#include "support/harness.h"

#include "study/experiment.h"

#include <stdio.h>
#include <string.h>

#define HEAD "thalweg-experiment: 1\nrecipe: r.yaml\nseeds: [1]\nmeasure: [s.mean]\n"
#define MATRIX(entries) HEAD "matrix: {" entries "}\n"

static const struct row {
    const char *text, *names;
} rows[] = {
    {HEAD "variants: {soft: {sweep: {x: [1, two]}}, hard: {}}\n", "soft/1 soft/two hard"},
    {MATRIX("x: [1, 2], y: [a, b]"), "x=1,y=a x=1,y=b x=2,y=a x=2,y=b"},
    {MATRIX("x: {from: 0, to: 1, steps: 4}"), "x=0 x=0.333333 x=0.666667 x=1"},
    {MATRIX("x: {from: 0, to: 9, steps: 3, whole: true}"), "x=0 x=5 x=9"},
    {MATRIX("x: {from: 0, to: 9, steps: 3, whole: false}"), "x=0 x=4.5 x=9"},
    {MATRIX("x: {from: 0.1234567890123, to: 0.9876543210987, steps: 3}"),
     "x=0.1234567890123 x=0.555556 x=0.9876543210987"},
    {MATRIX("x: {from: 0.9876543210123, to: 0.9876543218987, steps: 2}"),
     "x=0.9876543210123 x=0.9876543218987"},
    {MATRIX("x: {from: 1234567890123, to: 1234567890125, steps: 3, whole: true}"),
     "x=1234567890123 x=1234567890124 x=1234567890125"},
    {MATRIX("x: {from: 0, to: 1}, draws: {sobol: 3}"), "x=0 x=0.5 x=0.75"},
    {MATRIX("x: {from: 0, to: 1}, y: {from: 1, to: 2}, draws: {sobol: 3}"),
     "x=0,y=1 x=0.5,y=1.5 x=0.75,y=1.25"},
    {MATRIX("x: {from: 0, to: 1}, draws: {random: 3}"), "x=0.399046 x=0.972241 x=0.0194494"},
    {MATRIX("x: {from: 0, to: 1}, y: {from: 1, to: 2}, draws: {random: 3, seed: 5}"),
     "x=0.765982,y=1.93221 x=0.347221,y=1.32592 x=0.963694,y=1.48564"},
    {MATRIX("x: {from: 0, to: 1}, y: [a, b], draws: {random: 2, seed: 5}"),
     "x=0.765982,y=a x=0.347221,y=a x=0.765982,y=b x=0.347221,y=b"},
    {MATRIX("x: [1, 2, 3], exclude: [{x: 2.0}]"), "x=1 x=3"},
    {MATRIX("x: [1, 2], y: [1, 2], exclude: [{x: 1, y: 2}, {y: 1}]"), "x=2,y=2"},
    {MATRIX("x: [one, two], exclude: [{x: two}]"), "x=one"},
    {MATRIX("x: [1, 2], include: [{x: 2, z: 5}, {x: 7}, {z: 6}]"), "x=1,z=6 x=2,z=5,z=6 x=7"},
    {MATRIX("x: [1, 2], exclude: [{x: 1}], include: [{x: 1, z: 5}]"), "x=2 x=1,z=5"},
    {HEAD "variants: {plain: {}}\nmatrix: {x: [1]}\n", "plain x=1"},
    {HEAD "sensitivity: {params: {x: [0, 1], y: [2, 4]}, curves: 3}\n",
     "curve/x=0 curve/x=0.5 curve/x=1 curve/y=2 curve/y=3 curve/y=4"},
    {HEAD "sensitivity: {params: {x: [0, 1], y: [2, 4]}, morris: 2}\n",
     "morris/1.0/x=0.333333333,y=2.66666667 morris/1.1/x=0.333333333,y=4 morris/1.2/x=1,y=4 "
     "morris/2.0/x=0.666666667,y=2 morris/2.1/x=0.666666667,y=3.33333333 "
     "morris/2.2/x=0,y=3.33333333"},
    {HEAD "sensitivity: {params: {x: [0, 1], y: {from: 0, to: 9, whole: true}}, morris: 2, "
          "levels: 6}\n",
     "morris/1.0/x=0.6,y=5 morris/1.1/x=0.6,y=0 morris/1.2/x=0,y=0 morris/2.0/x=0.8,y=7 "
     "morris/2.1/x=0.8,y=2 morris/2.2/x=0.2,y=2"},
};

static char names[4000];

static void load(const char *text)
{
    const struct tw_load_options options = {.diagnostic = NULL};
    struct tw_experiment *experiment = NULL;
    struct tw_error error = {.status = TW_OK};
    command_write("e.yaml", text, strlen(text));
    if (tw_experiment_load("e.yaml", &options, &experiment, &error) != TW_OK)
        fail_msg("%s%s", text, error.message);
    names[0] = 0;
    for (int32_t v = 0; v < experiment->run_count; v++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? " " : "",
                 experiment->variants[v].name);
    }
    tw_experiment_release(experiment);
}

static void every_file_has_its_variants(void **state)
{
    int wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        load(rows[i].text);
        if (strcmp(names, rows[i].names) == 0)
            continue;
        print_error("of\n%sexpected %s\nfound    %s\n", rows[i].text, rows[i].names, names);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* Of 1000 bytes a name may be: also where it is made of a word and a value. */
static void a_name_has_at_most_a_thousand_bytes(void **state)
{
    static const struct {
        const char *before, *after;
        int least; /* letters with which it is too long */
    } ways[] = {{HEAD "variants: {", ": {}}\n", 1001},
                {HEAD "variants: {v: {sweep: {x: [", "]}}}\n", 999},
                {HEAD "matrix: {x: [", "]}\n", 999},
                {HEAD "matrix: {w: [1], x: [", "]}\n", 995}};
    const struct tw_load_options options = {.diagnostic = NULL};
    char text[1300], word[1002];
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (int more = 0; more < 2; more++) {
            struct tw_experiment *experiment = NULL;
            struct tw_error error = {.status = TW_OK};
            int length = ways[i].least - 1 + more;
            memset(word, 'n', (size_t)length);
            word[length] = 0;
            snprintf(text, sizeof text, "%s%s%s", ways[i].before, word, ways[i].after);
            command_write("e.yaml", text, strlen(text));
            enum tw_status status = tw_experiment_load("e.yaml", &options, &experiment, &error);
            assert_int_equal(status, more ? TW_RECIPE : TW_OK);
            if (more)
                assert_string_equal(
                    error.message,
                    "the name of a variant has 1001 bytes or more; expected at most 1000");
            tw_experiment_release(experiment);
        }
}

static int set_up(void **state)
{
    (void)state;
    command_enter();
    command_write("r.yaml", "", 0);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_has_its_variants),
        cmocka_unit_test(a_name_has_at_most_a_thousand_bytes),
    };
    return cmocka_run_group_tests(tests, set_up, command_tear_down);
}
