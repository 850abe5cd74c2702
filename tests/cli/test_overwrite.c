/* SPDX-License-Identifier: MIT */
/* What the command writes never replaces what it reads, whatever the file is called, and standard
 * output holds one report. */
#include "support/command.h"
#include "support/harness.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
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

/* To write there would replace the link, and the next run would read what this one wrote. */
static void links_by_which_a_run_reads_stay(void **state)
{
    static const char through[] = "thalweg: 1\nsize: 16\nnodes:\n"
                                  "  a: {type: source.heightmap, file: door.png}\n"
                                  "  m: {type: ./within.json}\n"
                                  "  s: {type: measure.statistics, in: m.height}\n"
                                  "export:\n  %s\n";
    char text[400];
    (void)state;
    write_text("inner.json", wrap);
    assert_int_equal(symlink("raw.png", "door.png"), 0);
    assert_int_equal(symlink("inner.json", "within.json"), 0);
    assert_int_equal(symlink("hills.yaml", "soft.yaml"), 0);
    snprintf(text, sizeof text, through, "door.png: a");
    write_text("through.yaml", text);
    check_refused("run through.yaml -o . --no-cache",
                  "through.yaml:8:3: error: 'door.png' would overwrite a link by which this run "
                  "reads");
    snprintf(text, sizeof text, through, "within.json: s");
    write_text("through.yaml", text);
    check_refused("run through.yaml -o . --no-cache", "'within.json' would overwrite a link");
    check_refused("run soft.yaml -o new --trace soft.yaml", "'soft.yaml' would overwrite a link");
    expect(0, "run through.yaml -o new --no-cache -q");
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
                  "'./both' would overwrite what --csv writes");
    expect(0, "compare experiment.yaml -q --csv both --html page.html");
}

/* Files that are not there yet have no inode: they are one when their place is. */
static void two_results_never_share_a_file(void **state)
{
    static const struct {
        const char *arguments, *message;
    } rows[] = {
        {"run hills.yaml -o b/c --trace ./b//c/../c/raw.png", "an export of this run"},
        {"run sides.yaml -o b --trace b/raw.r16.json", "an export of this run"},
        {"run sides.yaml -o fresh --events fresh/raw.r16.json", "an export of this run"},
        {"run hills.yaml -o b --trace t --events ./t", "what --trace writes"},
        {"run hills.yaml -o b --trace hills.yaml.lock", "the lock of a recipe"},
        {"run hills.yaml -o b --events hills.yaml.lock", "the lock of a recipe"},
        {"lock hills.yaml --events hills.yaml.lock", "the lock of a recipe"},
        {"verify hills.yaml --events hills.yaml.lock", "the lock of a recipe"},
        {"verify locked.yaml -o seen --events seen/index.html", "what --events writes"},
        {"verify locked.yaml -o seen --events seen/locked.yaml.height.now.png",
         "what --events writes"},
        {"compare experiment.yaml --csv b/t --html b/t", "what --csv writes"},
        {"compare experiment.yaml --csv t --events t", "what --csv writes"},
        {"compare experiment.yaml --shard 1/1 -o seen --events seen/shard-1-of-1.jsonl",
         "the file of the shard"},
        {"judge experiment.yaml --html experiment.yaml", "the experiment"},
        {"judge fails.yaml --html raw.png", "the file that node 'n' reads"},
        {"diff raw.png seen/raw.r16 --picture seen/raw.r16.json", "a sidecar that is read"},
        {"inspect raw.png --picture raw.png", "the file that is inspected"},
    };
    (void)state;
    write_text("sides.yaml", "thalweg: 1\nsize: 16\nnodes: {n: {type: noise.perlin}}\n"
                             "export: {raw.r16: {from: n, range: [-1, 2]}}\n");
    write_text("locked.yaml", hills);
    write_text("far.yaml", "thalweg: 1\nsize: 16\nnodes:\n"
                           "  n: {type: source.heightmap, file: raw.png}\n"
                           "  far: {type: shape.remap, in: n, to: [5e8, 1e9]}\n"
                           "  a: {type: combine.multiply, a: far, b: far}\n"
                           "  b: {type: combine.multiply, a: a, b: a}\n"
                           "  c: {type: combine.multiply, a: b, b: b}\noutputs: {height: c}\n");
    write_text("fails.yaml", "thalweg-experiment: 1\nrecipe: far.yaml\nseeds: [1]\n"
                             "measure: [height.mean]\nvariants: {a: {}, b: {}}\n");
    expect(0, "lock locked.yaml -q");
    expect(0, "run sides.yaml -o seen -q");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_refused(rows[i].arguments, rows[i].message);
        assert_int_equal(access("b", F_OK), -1); /* before anything is computed */
        assert_int_equal(access("hills.yaml.lock", F_OK), -1);
        unlink("t");
    }
}

/* Folders are made; what cannot be one, and devices, are found before anything is computed. */
static void files_of_options_need_a_place(void **state)
{
    static const char *const refused[] = {
        "run hills.yaml -o none --trace raw.png/t",
        "run hills.yaml -o none --trace folder",
        "run hills.yaml -o none --trace /dev/stdout",
        "run hills.yaml -o none --events raw.png/t",
        "compare experiment.yaml --csv raw.png/t --cache-dir none",
        "compare experiment.yaml --html /dev/null --cache-dir none",
        "judge experiment.yaml --html folder --cache-dir none",
        "inspect raw.png --picture raw.png/t",
        "diff raw.png raw.png --picture folder",
    };
    (void)state;
    assert_int_equal(mkdir("folder", 0777), 0);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        expect(4, refused[i]);
        command_expect_words(result.err, "cannot ");
        assert_string_equal(result.out, "");
        assert_int_equal(access("none", F_OK), -1);
    }
    expect(0, "compare experiment.yaml -q --csv d/e/t.csv --html d/f/t.html");
    expect(0, "inspect raw.png --picture d/g/t.png");
    assert_int_equal(access("d/f/t.html", R_OK), 0);
    assert_int_equal(access("d/g/t.png", R_OK), 0);
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
    expect(2, "inspect raw.png --picture - --json");
    expect(0, "inspect raw.png --picture -");
    assert_memory_equal(result.out, "\x89PNG", 4); /* nothing before it */
    expect(0, "diff raw.png raw.png --picture -");
    assert_memory_equal(result.out, "\x89PNG", 4);
    expect(0, "run hills.yaml -o out --explain --json --dry-run");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exports_leave_what_the_run_reads),
        cmocka_unit_test(recipes_without_nodes_of_their_own_stay),
        cmocka_unit_test(a_trace_leaves_what_the_run_reads),
        cmocka_unit_test(links_by_which_a_run_reads_stay),
        cmocka_unit_test(a_trace_leaves_the_exports),
        cmocka_unit_test(tables_and_pages_leave_what_is_compared),
        cmocka_unit_test(two_results_never_share_a_file),
        cmocka_unit_test(files_of_options_need_a_place),
        cmocka_unit_test(a_trace_may_go_to_standard_output),
        cmocka_unit_test(standard_output_holds_one_report),
    };
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
