/* SPDX-License-Identifier: MIT */
/* What the command writes never replaces what it reads, whatever the file is called, and standard
 * output holds one report. */
#include "support/command.h"
#include "support/harness.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct command_result result;

static const char hills[] = "thalweg: 1\nsize: 16\nnodes:\n"
                            "  noise: {type: noise.midpoint}\n"
                            "  stats: {type: measure.statistics, in: noise}\n"
                            "outputs: {height: noise, stats: stats}\n"
                            "export: {raw.png: noise}\n";
/* No node of wrap.yaml is its own: all are hills.yaml's. */
static const char wrap[] = "thalweg: 1\nsize: 16\nnodes: {a: {type: ./hills.yaml}}\n"
                           "outputs: {height: a.height, stats: a.stats}\n"
                           "export: {top.npy: a.height}\n";
static const char outer[] = "thalweg: 1\nsize: 16\nnodes:\n"
                            "  w: {type: ./wrap.yaml}\n"
                            "  f: {type: source.heightmap, file: raw.png}\n"
                            "  s: {type: measure.statistics, in: f}\n"
                            "outputs: {height: w.height, stats: s}\n"
                            "export: {outer.png: f}\n";
static const char experiment[] = "thalweg-experiment: 1\nrecipe: outer.yaml\nseeds: [1, 2]\n"
                                 "measure: [stats.mean]\nvariants: {a: {}}\n";

static void write_text(const char *name, const char *text)
{
    command_write(name, text, strlen(text));
}

static void expect(int code, const char *arguments)
{
    command_run(arguments, &result);
    if (result.code != code)
        fail_msg("thalweg %s: exit code %d, expected %d: %s", arguments, result.code, code,
                 result.err);
}

static int prepare(void **state)
{
    (void)state;
    command_enter();
    write_text("hills.yaml", hills);
    write_text("wrap.yaml", wrap);
    write_text("outer.yaml", outer);
    write_text("experiment.yaml", experiment);
    expect(0, "run hills.yaml -o . --no-cache -q");
    return 0;
}

static void exports_leave_what_the_run_reads(void **state)
{
    static const char over[] = "thalweg: 1\nsize: 16\nnodes:\n"
                               "  a: {type: source.heightmap, file: raw.png}\n"
                               "  b: {type: combine.mix, a: a, b: a}\n"
                               "export:\n  raw.png: b\n";
    static const char self[] = "thalweg: 1\nsize: 16\nnodes:\n"
                               "  a: {type: noise.midpoint}\n"
                               "  s: {type: measure.statistics, in: a}\n"
                               "export:\n  self.json: s\n";
    (void)state;
    write_text("over.yaml", over);
    expect(3, "run over.yaml -o . --no-cache");
    command_expect_words(result.err,
                         "over.yaml:7:3: error: 'raw.png' would overwrite the file that node "
                         "'a' reads");
    expect(0, "run over.yaml -o elsewhere --no-cache");
    write_text("self.json", self);
    expect(3, "run self.json -o . --no-cache");
    command_expect_words(result.err, "'self.json' would overwrite a recipe of this run");
}

/* A recipe that is nothing but another recipe has no node that names its file. */
static void recipes_without_nodes_of_their_own_stay(void **state)
{
    static const char top[] = "thalweg: 1\nsize: 16\nnodes:\n"
                              "  m: {type: ./middle.json}\n"
                              "  s: {type: measure.statistics, in: m.height}\n"
                              "export:\n  middle.json: s\n";
    (void)state;
    write_text("middle.json", wrap);
    write_text("top.yaml", top);
    expect(3, "run top.yaml -o . --no-cache");
    command_expect_words(result.err, "top.yaml:7:3: error: 'middle.json' would overwrite a recipe");
}

static void check_refused(const char *arguments, const char *message)
{
    expect(3, arguments);
    command_expect_words(result.err, message);
}

static void a_trace_leaves_what_the_run_reads(void **state)
{
    (void)state;
    assert_int_equal(link("hills.yaml", "hard"), 0);
    assert_int_equal(symlink("raw.png", "soft"), 0);
    check_refused("run outer.yaml -o out --trace outer.yaml", "'outer.yaml' would overwrite a rec");
    check_refused("run outer.yaml -o out --trace ./wrap.yaml", "would overwrite a recipe");
    check_refused("run outer.yaml -o out --trace hard", "'hard' would overwrite a recipe");
    check_refused("run outer.yaml -o out --trace raw.png", "the file that node 'f' reads");
    assert_int_equal(access("out", F_OK), -1);          /* before anything runs */
    expect(0, "run outer.yaml -o out --trace soft -q"); /* replaces the link, not the file */
    expect(0, "run outer.yaml -o out -q");
}

static void a_trace_leaves_the_exports(void **state)
{
    (void)state;
    check_refused("run hills.yaml -o new --no-cache --trace new/raw.png",
                  "'new/raw.png' would overwrite an export of this run");
    expect(0, "run hills.yaml -o new -q --no-cache --trace new/trace.json");
}

static void tables_and_pages_leave_what_is_compared(void **state)
{
    (void)state;
    check_refused("compare experiment.yaml --csv experiment.yaml",
                  "'experiment.yaml' would overwrite the experiment");
    check_refused("compare experiment.yaml --html ./outer.yaml", "would overwrite a recipe");
    check_refused("compare experiment.yaml --html hills.yaml", "would overwrite a recipe");
    check_refused("compare experiment.yaml --csv raw.png", "the file that node 'f' reads");
    check_refused("compare experiment.yaml --csv both --html ./both",
                  "'./both' would overwrite what this run wrote");
    expect(0, "compare experiment.yaml -q --csv both --html page.html");
}

static void a_trace_may_go_to_standard_output(void **state)
{
    (void)state;
    expect(0, "run hills.yaml -o out --no-cache --trace -");
    json_t *root = json_loads(result.out, 0, NULL); /* nothing else is there */
    assert_true(json_is_array(json_object_get(root, "traceEvents")));
    json_decref(root);
    assert_int_equal(access("-", F_OK), -1);
    assert_int_equal(command_run_into("run hills.yaml -o out --trace -", "/dev/full"), 4);
}

static void standard_output_holds_one_report(void **state)
{
    (void)state;
    expect(2, "run hills.yaml --trace - --json");
    command_expect_words(result.err, "--json and --trace - both write to standard output");
    expect(2, "run hills.yaml --trace - --explain");
    expect(2, "run hills.yaml --trace - --dry-run");
    expect(2, "compare experiment.yaml --csv - --html -");
    command_expect_words(result.err, "--csv - and --html - both write to standard output");
    expect(2, "compare experiment.yaml --json --csv -");
    expect(0, "run hills.yaml -o out --explain --json --dry-run");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exports_leave_what_the_run_reads),
        cmocka_unit_test(recipes_without_nodes_of_their_own_stay),
        cmocka_unit_test(a_trace_leaves_what_the_run_reads),
        cmocka_unit_test(a_trace_leaves_the_exports),
        cmocka_unit_test(tables_and_pages_leave_what_is_compared),
        cmocka_unit_test(a_trace_may_go_to_standard_output),
        cmocka_unit_test(standard_output_holds_one_report),
    };
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
