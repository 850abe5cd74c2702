/* SPDX-License-Identifier: MIT */
/* Names as long as they may be, and of any characters: a lock that has them is read back, and no
 * two of them are taken for one. */
#include "support/gate.h"

#define TEN(x) x x x x x x x x x x
#define HUNDRED TEN(TEN("n"))

static void expect_lock(const char *arguments)
{
    char command[2000];
    snprintf(command, sizeof command, "lock names.yaml %s", arguments);
    assert_int_equal(run(command), 0);
    assert_int_equal(run("verify names.yaml"), 0);
    assert_int_equal(run(command), 0);
    contains(result.out, "unchanged");
}

static void the_longest_ids_are_read_back(void **state)
{
    (void)state;
    write_text("names.yaml", "thalweg: 1\nsize: 8\nparams: {" HUNDRED ": 2}\nnodes:\n"
                             "  " HUNDRED ": {type: noise.perlin, frequency: \"${" HUNDRED "}\"}\n"
                             "  low: {type: shape.invert, in: " HUNDRED "}\n"
                             "outputs: {h: low}\n");
    expect_lock("-s " HUNDRED "=3");
    edit("names.yaml", "outputs", "  more: {type: shape.invert, in: low}\noutputs");
    edit("names.yaml", "{h: low}", "{h: more}");
    assert_int_equal(run("verify names.yaml"), 1);
    contains(result.out, "more (shape.invert) is new");
    lacks(result.out, "cannot be computed");
}

/* Ids of a recipe within a recipe: "base.base.(...).n". */
static void long_paths_are_computed_again(void **state)
{
    char inner[600], name[20];
    (void)state;
    write_text("0.yaml", "thalweg: 1\nsize: 8\nnodes: {n: {type: noise.perlin}}\n"
                         "outputs: {h: n}\n");
    for (int i = 1; i <= 4; i++) {
        snprintf(inner, sizeof inner,
                 "thalweg: 1\nsize: 8\nnodes:\n  " HUNDRED ": {type: ./%d.yaml}\n"
                 "  i: {type: shape.invert, in: " HUNDRED ".h}\noutputs: {h: i}\n",
                 i - 1);
        snprintf(name, sizeof name, "%d.yaml", i);
        write_text(name, inner);
    }
    write_text("names.yaml", inner);
    expect_lock("");
    edit("names.yaml", "h: i", "h: j");
    edit("names.yaml", "  i:", "  j: {type: shape.clamp, in: i, high: 0.5}\n  i:");
    edit("0.yaml", "perlin", "perlin, frequency: 5");
    assert_int_equal(run("verify names.yaml"), 1);
    lacks(result.out, "cannot be computed");
    contains(result.out, "cells differ");
}

/* What a snapshot keeps by name must not be cut. */
static void long_outputs_have_digests_of_their_own(void **state)
{
    (void)state;
    write_text("names.yaml", "thalweg: 1\nsize: 8\nnodes:\n  n: {type: noise.perlin}\n"
                             "  i: {type: shape.invert, in: n}\n"
                             "outputs: {" HUNDRED HUNDRED "a: n, " HUNDRED HUNDRED "b: i}\n");
    expect_lock("");
    edit("names.yaml", "a: n", "a: i");
    assert_int_equal(run("verify names.yaml"), 1);
    edit("names.yaml", "a: i", "a: n");
    edit("names.yaml", "b: i", "b: n");
    assert_int_equal(run("verify names.yaml"), 1);
}

/* Files may have any name, as YAML writes it; "given" and "params" have it then. */
static void files_of_any_name_are_read_back(void **state)
{
    static const char *const names[] = {
        "line\nend",          "esc\033",          "del\x7F",
        "next\xC2\x85line",   "c1\xC2\x9B",       "mark\xEF\xBB\xBF",
        "turned\xE2\x80\xAE", "\xF0\x9F\x8F\x94", "\"'\\#:\t"};
    char file[50], given[100];
    (void)state;
    write_text("map.yaml", "thalweg: 1\nsize: 8\nnodes: {n: {type: noise.perlin}}\n"
                           "outputs: {h: n}\nexport: {m.npy: h}\n");
    assert_int_equal(run("run map.yaml -o ."), 0);
    write_text("names.yaml", "thalweg: 1\nsize: 8\nparams: {f: m.npy}\nnodes:\n"
                             "  n: {type: source.heightmap, file: \"${f}\"}\noutputs: {h: n}\n");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(file, sizeof file, "%s.npy", names[i]);
        assert_int_equal(link("m.npy", file), 0);
        snprintf(given, sizeof given, "-s f=%s", file);
        expect_lock(given);
        edit("names.yaml", "{h: n}", "{h: i}");
        edit("names.yaml", "outputs", "  i: {type: shape.invert, in: n}\noutputs");
        assert_int_equal(run("verify names.yaml"), 1);
        contains(result.out, "first: i (shape.invert) is new");
        edit("names.yaml", "{h: i}", "{h: n}");
        edit("names.yaml", "  i: {type: shape.invert, in: n}\n", "");
        unlink("names.yaml.lock");
    }
}

static void what_is_not_utf_8_is_refused(void **state)
{
    (void)state;
    write_text("names.yaml", "thalweg: 1\nsize: 8\nparams: {f: m.npy}\nnodes:\n"
                             "  n: {type: source.heightmap, file: \"${f}\"}\noutputs: {h: n}\n");
    write_text("map.yaml", "thalweg: 1\nsize: 8\nnodes: {n: {type: noise.perlin}}\n"
                           "outputs: {h: n}\nexport: {m.npy: h}\n");
    assert_int_equal(run("run map.yaml -o ."), 0);
    assert_int_equal(link("m.npy", "latin\xE9.npy"), 0);
    assert_int_equal(run("lock names.yaml -s f=latin\xE9.npy"), 3);
    contains(result.err, "'latin?.npy' is not UTF-8");
    assert_false(exists("names.yaml.lock"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GATE_TEST(the_longest_ids_are_read_back),
        GATE_TEST(long_paths_are_computed_again),
        GATE_TEST(long_outputs_have_digests_of_their_own),
        GATE_TEST(files_of_any_name_are_read_back),
        GATE_TEST(what_is_not_utf_8_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
