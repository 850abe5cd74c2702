/* SPDX-License-Identifier: MIT */
/* Several recipes in one run, and recipes from standard input. */
#include "support/gate.h"

#include "support/folder.h"

#include <fcntl.h>
#include <sys/stat.h>

/* A recipe that shares its first node with all others, with an export of its own name. */
static void write_one(const char *name, const char *size, const char *second, const char *export)
{
    char text[800];
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: %s\nseed: 3\nnodes:\n  noise: {type: noise.perlin}\n  last: %s\n"
             "outputs: {height: last}\nexport: {%s: {from: height, range: [-4, 4]}}\n",
             size, second, export);
    write_text(name, text);
}

static void write_three(void)
{
    write_one("a.yaml", "32", "{type: erosion.thermal, in: noise, talus: 4}", "a.png");
    write_one("b.yaml", "32", "{type: shape.invert, in: noise}", "b.png");
    write_one("c.yaml", "[48, 32]", "{type: shape.invert, in: noise}", "c.png");
}

static int64_t number(const char *name)
{
    json_t *root = json_loads(result.out, 0, NULL);
    assert_non_null(root);
    int64_t value = json_integer_value(json_object_get(root, name));
    json_decref(root);
    return value;
}

/* a and b share a graph, in which their noise is one node; c has another size. */
static void shared_work_is_done_once(void **state)
{
    (void)state;
    write_three();
    assert_int_equal(run("run a.yaml b.yaml c.yaml --no-cache --json"), 0);
    assert_int_equal(number("computed"), 5);
    assert_true(exists("out/a.png") && exists("out/b.png") && exists("out/c.png"));
    assert_int_equal(run("run a.yaml -o alone --no-cache"), 0);
    assert_int_equal(run("run c.yaml -o alone --no-cache"), 0);
    assert_int_equal(run("diff out/a.png alone/a.png"), 0);
    assert_int_equal(run("diff out/c.png alone/c.png"), 0);
    assert_int_equal(run("run a.yaml b.yaml c.yaml"), 0);
    assert_int_equal(run("run a.yaml b.yaml c.yaml"), 0);
    assert_string_equal(result.out,
                        "out/a.png (unchanged)\nout/b.png (unchanged)\nout/c.png (unchanged)\n"
                        "3 recipes: 0 exports written, 3 unchanged\n");
    contains(result.err, "3 recipes: 0 of 5 nodes computed, 0 of 3 exports written\n");
}

static void options_are_for_all(void **state)
{
    (void)state;
    write_three();
    assert_int_equal(run("run a.yaml c.yaml --size 16 --seed 9 --only height --no-cache --json"),
                     0);
    assert_int_equal(number("computed"), 3); /* one graph now */
    assert_int_equal(run("run a.yaml b.yaml --only heigt"), 2);
    contains(result.err, "a.yaml: error: the recipe has no output 'heigt'");
    contains(result.err, "did you mean 'height'?");
    assert_int_equal(run("run a.yaml b.yaml -s talus=3"), 3);
    contains(result.err, "a.yaml");
    contains(result.err, "b.yaml");
}

static void a_file_is_written_by_one_recipe(void **state)
{
    (void)state;
    write_three();
    write_one("d.yaml", "64", "{type: shape.invert, in: noise}", "b.png");
    assert_int_equal(run("run b.yaml d.yaml"), 2);
    contains(result.err, "d.yaml:8:10: error: out/b.png would be written twice; the first is in "
                         "b.yaml:8\n");
    contains(result.err, "-o out/{recipe}\n");
    assert_false(exists("out"));
    mkdir("more", 0777);
    write_one("more/d.yaml", "64", "{type: shape.invert, in: noise}", "b.png");
    assert_int_equal(run("run d.yaml more/d.yaml -o out/{recipe}"), 2);
    contains(result.err, "{recipe} is the same for files of one name");
    assert_int_equal(run("run d.yaml more/d.yaml"), 2); /* it would not help */
    contains(result.err, "{recipe} is the same for files of one name");
    assert_int_equal(run("run b.yaml d.yaml -o maps/{recipe}/png"), 0);
    assert_true(exists("maps/b/png/b.png") && exists("maps/d/png/b.png"));
    assert_int_equal(run("run a.yaml b.yaml -o {recipe}"), 0); /* one graph */
    assert_true(exists("a/a.png") && exists("b/b.png"));
    assert_string_equal(result.out,
                        "a/a.png\nb/b.png\n2 recipes: 2 exports written, 0 unchanged\n");
    unlink("a/a.png");
    unlink("b/b.png");
    assert_int_equal(run("run a.yaml b.yaml -o {recipe}/"), 0);
    assert_string_equal(result.out,
                        "a/a.png\nb/b.png\n2 recipes: 2 exports written, 0 unchanged\n");
}

/* On a system that sees one file in A.png and a.png one would replace the other. */
static void files_of_recipes_differ_in_more_than_case(void **state)
{
    (void)state;
    write_three();
    write_one("d.yaml", "64", "{type: shape.invert, in: noise}", "B.png");
    write_one("e.yaml", "64", "{type: shape.invert, in: noise}", "b.PNG/x.png");
    write_one("B.yaml", "64", "{type: shape.invert, in: noise}", "x.png");
    assert_int_equal(run("run b.yaml d.yaml"), 2);
    contains(result.err, "d.yaml:8:10: error: out/B.png differs in case only, which Windows and "
                         "macOS do not see, from that in b.yaml:8\n");
    assert_int_equal(run("run b.yaml e.yaml"), 2);
    contains(result.err, "out/b.PNG/x.png would lie in a folder that has the name of the file in "
                         "b.yaml:8\n");
    assert_int_equal(run("run e.yaml b.yaml"), 2);
    contains(result.err, "out/b.png has the name of a folder of the file in e.yaml:8\n");
    assert_int_equal(run("run b.yaml B.yaml -o out/{recipe}"), 2);
    contains(result.err, "out/B/x.png differs in case only");
    assert_false(exists("out"));
    assert_int_equal(run("run b.yaml B.yaml -o out"), 0);
}

/* A recipe's name becomes a folder's. */
static void folders_of_recipes_are_those_of_every_system(void **state)
{
    static const struct {
        const char *recipe, *out, *words;
    } rows[] = {
        {"aux.yaml", "out/{recipe}", "--out becomes 'aux' for aux.yaml, where 'aux' is a device"},
        {"a:b.yaml", "out/{recipe}/png", "--out becomes 'a:b/png' for a:b.yaml, with ':'"},
        {"n.yaml", "out/co{recipe}", "--out becomes 'con' for n.yaml, where 'con' is a device"},
        {"t..yaml", "out/{recipe}", "--out becomes 't.' for t..yaml, with '.' at the end"},
        {"...yaml", "out/{recipe}", "--out becomes '..' for ...yaml, which is no folder"},
    };
    char command[100];
    (void)state;
    write_three();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(command, sizeof command, "run a.yaml %s -o %s", rows[i].recipe, rows[i].out);
        assert_int_equal(run(command), 2);
        contains(result.err, rows[i].words);
    }
    assert_false(exists("out"));
    write_one("aux.yaml", "32", "{type: shape.invert, in: noise}", "x.png");
    assert_int_equal(run("run aux.yaml -o a:b"), 0); /* a folder of this system's */
}

/* An output's name becomes a folder's with {output}. */
static void folders_of_outputs_are_those_of_every_system(void **state)
{
    static const struct {
        const char *output, *out, *words;
    } rows[] = {
        {"con", "out/{output}", "becomes 'con', where 'con' is a device"},
        {"'a:b'", "out/p/{output}/png", "becomes 'a:b/png', with ':'"},
        {"n", "out/co{output}", "becomes 'con', where 'con' is a device"},
        {"'x '", "{output}", "becomes 'x ', with ' ' at the end"},
        {"'..'", "out/{output}", "becomes '..', which is no folder"},
        {"'/tmp'", "out/{output}", "becomes '/tmp', which is no folder"},
        {"''", "out/{output}", "becomes '', which is no folder"},
    };
    char text[300], command[100];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text,
                 "thalweg: 1\nsize: 8\nnodes:\n  map: {type: noise.perlin}\n"
                 "outputs: {%s: map}\nexport: {x.npy: map}\n",
                 rows[i].output);
        write_text("o.yaml", text);
        snprintf(command, sizeof command, "run o.yaml -o %s", rows[i].out);
        assert_int_equal(run(command), 2);
        contains(result.err, "o.yaml:6:10: error: the folder with {output} ");
        contains(result.err, rows[i].words);
    }
    assert_false(exists("out"));
}

/* What one recipe reads is safe from all of them. */
static void what_another_reads_is_not_overwritten(void **state)
{
    (void)state;
    write_three();
    write_text("pipe.yaml", "thalweg: 1\nsize: [48, 32]\nnodes:\n"
                            "  map: {type: source.heightmap, file: a.png, fit: bilinear}\n"
                            "outputs: {height: map}\n");
    assert_int_equal(run("run a.yaml -o ."), 0);
    int code = run("run pipe.yaml a.yaml -o . -s x=1");
    assert_int_equal(code, 3);
    code = run("run pipe.yaml a.yaml -o .");
    assert_int_equal(code, 3);
    contains(result.err, "'a.png' would overwrite the file that node 'map' reads");
}

static void faults_of_all_are_reported(void **state)
{
    (void)state;
    write_three();
    write_text("bad.yaml", "thalweg: 1\nsede: 3\n");
    write_text("worse.yaml", "thalweg: 1\nsiez: 3\n");
    assert_int_equal(run("run bad.yaml a.yaml worse.yaml missing.yaml"), 3);
    contains(result.err, "bad.yaml:2:1: error:");
    contains(result.err, "worse.yaml:2:1: error:");
    contains(result.err, "missing.yaml");
    assert_false(exists("out"));
}

/* Of two recipes in one graph, whole and in bands; each file has a sidecar. */
static void files_in_bands_are_those_of_whole_runs(void **state)
{
    (void)state;
    write_text("a.yaml", "thalweg: 1\nsize: 32\nnodes:\n  n: {type: noise.perlin}\n"
                         "outputs: {n: n}\nexport: {maps/m.r16: n, m.npy: n}\n");
    write_text("b.yaml", "thalweg: 1\nsize: 32\nnodes:\n  n: {type: noise.ridged}\n"
                         "outputs: {n: n}\nexport: {m.png: n, m.r32: n}\n");
    assert_int_equal(run("run a.yaml b.yaml -q -o whole/{recipe}"), 0);
    assert_int_equal(run("run a.yaml b.yaml -q -o bands/{recipe} --bands=7"), 0);
    assert_int_equal(system("diff -r whole bands"), 0);
    assert_int_equal(run("run a.yaml -o whole/a"), 0); /* by entries of the graph of both */
    assert_string_equal(result.out, "whole/a/maps/m.r16 (unchanged)\n"
                                    "whole/a/maps/m.r16.json (unchanged)\n"
                                    "whole/a/m.npy (unchanged)\n"
                                    "1 recipe: 0 exports written, 3 unchanged\n");
}

/* ---- one of several fails ---- */

static json_t *find_export(json_t *root, const char *file)
{
    size_t r, e;
    json_t *recipe, *export;
    json_array_foreach(json_object_get(root, "recipes"), r, recipe)
        json_array_foreach(json_object_get(recipe, "exports"), e,
                           export) if (strcmp(json_string_value(json_object_get(export, "file")),
                                              file) == 0) return export;
    fail_msg("there is no export %s", file);
    return NULL;
}

static void expect_complete(const char *file, bool complete)
{
    json_t *root = json_loads(result.out, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_is_true(json_object_get(find_export(root, file), "complete")), complete);
    json_decref(root);
}

/* low.yaml shares a graph with a and b, and its other export is fine. */
static void write_low(void)
{
    write_three();
    write_one("low.yaml", "32", "{type: shape.invert, in: noise}",
              "low.png: {from: height, range: [0.9, 1]}, d.png");
}

/* Whatever its place on the command line, with a cold and with a warm cache. */
static void an_export_that_fails_ends_no_other(void **state)
{
    static const char *const orders[] = {"run low.yaml a.yaml b.yaml c.yaml",
                                         "run a.yaml c.yaml b.yaml low.yaml"};
    (void)state;
    write_low();
    for (int i = 0; i < 4; i++) {
        folder_remove("out");
        assert_int_equal(run(orders[i % 2]), 4);
        contains(result.err, "low.yaml:8:10: error: heights run from");
        contains(result.err, "4 recipes: ");
        contains(result.err, "4 of 5 exports written\n");
        assert_true(exists("out/a.png") && exists("out/b.png") && exists("out/c.png") &&
                    exists("out/d.png"));
        assert_false(exists("out/low.png"));
        contains(result.out, "out/a.png\n");
        lacks(result.out, "low.png");
    }
}

/* What stood beside an earlier file stays with that. */
static void a_file_that_fails_has_no_sidecar(void **state)
{
    (void)state;
    write_one("s.yaml", "32", "{type: shape.invert, in: noise}",
              "s.png: {from: height, range: [0.9, 1], sidecar: true}, d.png");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(run("run s.yaml --json"), 4);
        expect_complete("s.png", false);
        expect_complete("s.png.json", false);
        expect_complete("d.png", true);
        assert_false(exists("out/s.png") || exists("out/s.png.json"));
    }
    edit("s.yaml", "[0.9, 1]", "[-4, 4]");
    assert_int_equal(run("run s.yaml"), 0);
    char *before = read_text("out/s.png.json");
    edit("s.yaml", "[-4, 4]", "[0.9, 1]");
    assert_int_equal(run("run s.yaml -q"), 4);
    lacks(strstr(result.err, "error:") + 1, "error:"); /* there is one */
    char *after = read_text("out/s.png.json");
    assert_string_equal(before, after);
    assert_int_equal(run("inspect out/s.png"), 0);
    free(before);
    free(after);
}

static void exports_on_disk_are_complete(void **state)
{
    (void)state;
    write_low();
    for (int i = 0; i < 2; i++) {
        assert_int_equal(run("run low.yaml a.yaml c.yaml --json -j 2"), 4);
        expect_complete("low.png", false);
        expect_complete("d.png", true);
        expect_complete("a.png", true);
        expect_complete("c.png", true);
    }
    assert_int_equal(unlink("out/c.png"), 0);
    assert_int_equal(run("run low.yaml a.yaml c.yaml --json --dry-run"), 0);
    expect_complete("low.png", false);
    expect_complete("d.png", true);
    expect_complete("a.png", true);
    expect_complete("c.png", false);
    assert_false(exists("out/c.png"));
}

#define BEYOND                                                                                     \
    "{type: combine.add, a: noise, b: bad}\n  big: {type: shape.remap, in: noise, "                \
    "to: [0, 1000000]}\n  bad: {type: shape.power, in: big, exponent: 8}"

/* The node that fails is one in the graph, reported at its place in each recipe that has it. */
static void a_node_that_fails_ends_what_depends_on_it(void **state)
{
    (void)state;
    write_three();
    write_one("x.yaml", "32", BEYOND, "own.npy: noise, x.png");
    write_one("y.yaml", "32", BEYOND, "y.png");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(run(i ? "run x.yaml y.yaml a.yaml c.yaml --no-cache"
                               : "run x.yaml y.yaml a.yaml c.yaml"),
                         4);
        contains(result.err, "x.yaml:8:8: error: bad: a height of ");
        contains(result.err, "y.yaml:8:8: error: bad: a height of ");
        assert_true(exists("out/a.png") && exists("out/c.png") && exists("out/own.npy"));
        assert_false(exists("out/x.png") || exists("out/y.png"));
        folder_remove("out");
    }
}

/* Two graphs, one after the other: what is printed goes up to 100 %, and only once. */
static void progress_is_that_of_all(void **state)
{
    int last = -1, percent, used;
    (void)state;
    write_three();
    assert_int_equal(run("run a.yaml c.yaml --no-cache"), 0);
    for (const char *line = result.err; (line = strchr(line, '%')); line++) {
        const char *from = line;
        while (from > result.err && from[-1] != '\n')
            from--;
        assert_int_equal(sscanf(from, "%d %%%n", &percent, &used), 1);
        assert_in_range(percent, last + 1, 100);
        last = percent;
    }
    assert_int_equal(last, 100);
}

/* ---- standard input ---- */

static int run_from(const char *file, const char *arguments)
{
    int kept = dup(STDIN_FILENO), from = open(file, O_RDONLY);
    assert_true(from >= 0 && dup2(from, STDIN_FILENO) >= 0);
    close(from);
    int code = run(arguments);
    if (kept >= 0) {
        dup2(kept, STDIN_FILENO);
        close(kept);
    }
    return code;
}

static void a_recipe_comes_from_standard_input(void **state)
{
    (void)state;
    write_three();
    assert_int_equal(run_from("a.yaml", "run - b.yaml -o {recipe}"), 0);
    assert_true(exists("stdin/a.png") && exists("b/b.png"));
    assert_int_equal(run_from("a.yaml", "check -"), 0);
    contains(result.out, "<stdin>: ok");
    assert_int_equal(run_from("a.yaml", "graph -"), 0);
    contains(result.out, "digraph");
    write_text("bad.yaml", "thalweg: 1\nsede: 3\n");
    assert_int_equal(run_from("bad.yaml", "check -"), 3);
    contains(result.err, "<stdin>:2:1: error: a recipe has no key 'sede'\n    sede: 3\n    ^\n");
    assert_int_equal(run_from("/dev/null", "check -"), 3);
}

/* Files are looked for in the working folder; errors of a run quote the line. */
static void its_paths_start_from_the_working_folder(void **state)
{
    static const char recipe[] = "thalweg: 1\nsize: [32, 32]\nnodes:\n"
                                 "  map: {type: source.heightmap, file: out/a.png}\n"
                                 "outputs: {height: map}\n"
                                 "export: {low.png: {from: height, range: [0.9, 1]}}\n";
    (void)state;
    write_three();
    write_text("reads.yaml", recipe);
    assert_int_equal(run_from("reads.yaml", "check -"), 3);
    contains(result.err, "<stdin>:4:");
    assert_int_equal(run("run a.yaml"), 0);
    assert_int_equal(run_from("reads.yaml", "check -"), 0);
    assert_int_equal(run_from("reads.yaml", "run -"), 4);
    contains(result.err, "<stdin>:6:");
    contains(result.err, "    export: {low.png: {from: height, range: [0.9, 1]}}\n");
}

static void some_commands_need_a_name(void **state)
{
    static const char *const rows[] = {"lock -",    "verify -", "diff - a.yaml", "run - --watch",
                                       "compare -", "judge -",  "inspect -"};
    (void)state;
    write_three();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(run(rows[i]), 2);
        contains(result.err, "'-' is standard input, which has no name; expected a file");
    }
    assert_int_equal(run("check - -"), 2);
    contains(result.err, "standard input can be read once");
    assert_int_equal(run("run a.yaml b.yaml --watch"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GATE_TEST(shared_work_is_done_once),
        GATE_TEST(options_are_for_all),
        GATE_TEST(progress_is_that_of_all),
        GATE_TEST(a_file_is_written_by_one_recipe),
        GATE_TEST(files_of_recipes_differ_in_more_than_case),
        GATE_TEST(folders_of_recipes_are_those_of_every_system),
        GATE_TEST(folders_of_outputs_are_those_of_every_system),
        GATE_TEST(what_another_reads_is_not_overwritten),
        GATE_TEST(faults_of_all_are_reported),
        GATE_TEST(files_in_bands_are_those_of_whole_runs),
        GATE_TEST(an_export_that_fails_ends_no_other),
        GATE_TEST(a_file_that_fails_has_no_sidecar),
        GATE_TEST(exports_on_disk_are_complete),
        GATE_TEST(a_node_that_fails_ends_what_depends_on_it),
        GATE_TEST(a_recipe_comes_from_standard_input),
        GATE_TEST(its_paths_start_from_the_working_folder),
        GATE_TEST(some_commands_need_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
