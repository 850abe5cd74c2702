/* SPDX-License-Identifier: MIT */
/* lock, verify and diff as a pipeline uses them: what a change does to the exit code, to what is
 * printed, and to the files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "support/command.h"

#include <ftw.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct command_result result;

static void write_text(const char *name, const char *text)
{
    command_write(name, text, strlen(text));
}

/* noise -> eroded, and a branch that nothing of it changes; `extra` are further lines. */
static void write_recipe(const char *name, int talus, const char *extra)
{
    char text[1500];
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: 64\nseed: 5\nnodes:\n"
             "  noise:  {type: noise.perlin, frequency: 4}\n"
             "  side:   {type: noise.ridged}\n"
             "  eroded: {type: erosion.thermal, in: noise, talus: %d, iterations: 20}\n"
             "  score:  {type: measure.score, in: eroded}\n"
             "  shade:  {type: render.hillshade, in: eroded}\n"
             "%s"
             "outputs: {height: eroded, score: score, side: side}\n"
             "export: {height.png: {from: height, range: [-1, 2]}, shade.png: shade,\n"
             "         all.json: score}\n",
             talus, extra);
    write_text(name, text);
}

static int run(const char *arguments)
{
    command_run(arguments, &result);
    return result.code;
}

static void contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("there is no '%s' in:\n%s", part, text);
}

static void lacks(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("there is '%s' in:\n%s", part, text);
}

static char *read_text(const char *name)
{
    unsigned char *data = NULL;
    size_t length = 0;
    assert_int_equal(tw_file_read(name, 1 << 22, &data, &length, NULL), TW_OK);
    return (char *)data;
}

static bool exists(const char *name)
{
    struct tw_file_id id;
    return tw_file_identify(name, true, &id, NULL) == TW_OK && id.exists;
}

/* Replaces the first `from` of a file. */
static void edit(const char *name, const char *from, const char *to)
{
    char *text = read_text(name);
    contains(text, from);
    int before = 0;
    while (strncmp(text + before, from, strlen(from)) != 0)
        before++;
    size_t size = strlen(text) + strlen(to) + 1;
    char *edited = malloc(size);
    snprintf(edited, size, "%.*s%s%s", before, text, to, text + before + strlen(from));
    write_text(name, edited);
    free(edited);
    free(text);
}

static int begin(void **state)
{
    unsetenv("CI");
    command_set_up(state);
    write_recipe("hills.yaml", 8, "");
    return 0;
}

/* ---- lock ---- */

static void a_lock_has_what_the_issue_names(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    char *lock = read_text("hills.yaml.lock");
    contains(lock, "thalweg-lock: 1\nengine: \"");
    contains(lock, "\"height.png\": {greatest: ");
    contains(lock, "\"score\": {sha256: \"");
    contains(lock, "size: [64, 64], type: heightmap}");
    contains(lock, "params: {");
    contains(lock, "talus: \"8\"");
    contains(lock, "version: \"");
    free(lock);
}

static void locking_again_changes_nothing(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    char *first = read_text("hills.yaml.lock");
    assert_int_equal(run("lock hills.yaml --no-cache -j 8"), 0);
    contains(result.out, "unchanged");
    char *second = read_text("hills.yaml.lock");
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void every_key_of_a_lock_is_sorted(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    char *lock = read_text("hills.yaml.lock"), *rest = lock, last[100] = "";
    int keys = 0;
    for (char *line; (line = strtok_r(rest, "\n", &rest));)
        if (line[0] != ' ' && strncmp(line, "thalweg-lock", 12) != 0) {
            assert_true(strcmp(last, line) < 0);
            snprintf(last, sizeof last, "%s", line);
            keys++;
        }
    assert_int_equal(keys, 6);
    free(lock);
}

/* ---- verify ---- */

static void what_did_not_change_is_as_locked(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    assert_int_equal(run("verify hills.yaml"), 0);
    contains(result.out, "hills.yaml: as locked (3 outputs, 3 exports)");
    assert_int_equal(run("verify hills.yaml --no-cache -j 1"), 0);
    assert_int_equal(run("verify hills.yaml --no-cache -j 8"), 0);
    assert_false(exists("verify/index.html"));
}

static void comments_and_order_are_no_difference(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    edit("hills.yaml", "  noise:", "# a remark\n  noise:");
    edit("hills.yaml", "{type: noise.perlin, frequency: 4}",
         "{frequency: 4.0, type: noise.perlin}");
    assert_int_equal(run("verify hills.yaml"), 0);
}

static void the_first_node_and_its_parameter_are_named(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    write_recipe("hills.yaml", 6, "");
    assert_int_equal(run("verify hills.yaml"), 1);
    contains(result.out, "first: eroded (erosion.thermal)");
    contains(result.out, "talus 8 -> 6");
    contains(result.out, "height: ");
    contains(result.out, " of 4096 cells differ");
    contains(result.out, "outputs: height, score\n");
    lacks(result.out, "side");
    assert_true(exists("verify/index.html"));
    assert_true(exists("verify/hills.yaml.height.before.png"));
    assert_true(exists("verify/hills.yaml.height.now.png"));
    assert_true(exists("verify/hills.yaml.height.difference.png"));
}

/* The numbers of the difference are those of the maps themselves. */
static void the_difference_is_that_of_the_maps(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    edit("hills.yaml", "shade.png: shade", "before.npy: eroded");
    assert_int_equal(run("run hills.yaml -o a"), 0);
    write_recipe("hills.yaml", 6, "");
    edit("hills.yaml", "shade.png: shade", "after.npy: eroded");
    assert_int_equal(run("run hills.yaml -o a"), 0);
    assert_int_equal(run("diff a/before.npy a/after.npy --json"), 1);
    json_t *maps = json_loads(result.out, 0, NULL);
    assert_int_equal(run("verify hills.yaml --json"), 1);
    json_t *root = json_loads(result.out, 0, NULL);
    assert_non_null(maps);
    assert_non_null(root);
    json_t *map = json_array_get(
        json_object_get(json_array_get(json_object_get(root, "recipes"), 0), "maps"), 0);
    static const char *const numbers[] = {"mean", "max", "rms", "percent", "differing", "cells"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        double a = json_number_value(json_object_get(maps, numbers[i]));
        double b = json_number_value(json_object_get(map, numbers[i]));
        assert_true(a > 0 && a == b);
    }
    json_decref(root);
    json_decref(maps);
}

/* A formula's parameters are numbers in its steps, and a view of an export is a node whose name has
 * blanks: both are found, and both states are computed. */
static void formulas_and_views_can_be_computed_again(void **state)
{
    static const char text[] =
        "thalweg: 1\nsize: 48\nparams: {k: 2}\nnodes:\n  n: {type: noise.perlin}\n"
        "  m: {type: noise.ridged}\n"
        "  f: {type: combine.formula, a: n, b: m, formula: \"a * k + smooth(0, 1, b)\"}\n"
        "outputs: {height: f}\n"
        "export: {view.png: {from: f, as: perspective}, top.png: {from: f, as: relief}}\n";
    (void)state;
    write_text("f.yaml", text);
    assert_int_equal(run("lock f.yaml"), 0);
    assert_int_equal(run("verify f.yaml --no-cache"), 0);
    edit("f.yaml", "k: 2", "k: 3");
    assert_int_equal(run("verify f.yaml"), 1);
    contains(result.out, "first: f (combine.formula)");
    contains(result.out, "#2");
    contains(result.out, "-> $0 #3");
    contains(result.out, "height: ");
    lacks(result.out, "cannot be computed");
    edit("f.yaml.lock", "$1", "$7");
    assert_int_equal(run("verify f.yaml"), 1);
    contains(result.out, "an input that is not connected");
}

static void an_added_node_and_a_rewired_input_are_named(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    write_recipe("hills.yaml", 8, "  soft:   {type: shape.blur, in: noise, radius: 0.02}\n");
    edit("hills.yaml", "in: noise, talus", "in: soft, talus");
    assert_int_equal(run("verify hills.yaml"), 1);
    contains(result.out, "first: soft (shape.blur) is new");
}

static void a_changed_file_is_named(void **state)
{
    (void)state;
    unsigned char flat[64 * 64 * 4];
    memset(flat, 0, sizeof flat);
    assert_int_equal(run("lock hills.yaml"), 0);
    edit("hills.yaml", "shade.png: shade", "map.npy: noise");
    assert_int_equal(run("run hills.yaml -o ."), 0);
    write_text("file.yaml", "thalweg: 1\nsize: 64\nnodes:\n"
                            "  map: {type: source.heightmap, file: map.npy}\n"
                            "outputs: {height: map}\n");
    assert_int_equal(run("lock file.yaml"), 0);
    char *lock = read_text("file.yaml.lock");
    contains(lock, "file: \"");
    free(lock);
    edit("hills.yaml", "frequency: 4", "frequency: 5");
    assert_int_equal(run("run hills.yaml -o ."), 0);
    assert_int_equal(run("verify file.yaml"), 1);
    contains(result.out, "first: map (source.heightmap)");
    contains(result.out, "    file ");
    contains(result.out, "the earlier maps cannot be computed: map: its file has changed");
}

static void several_recipes_have_one_verdict_each(void **state)
{
    (void)state;
    write_recipe("other.yaml", 7, "");
    assert_int_equal(run("lock hills.yaml other.yaml"), 0);
    write_recipe("other.yaml", 6, "");
    assert_int_equal(run("verify hills.yaml other.yaml"), 1);
    contains(result.out, "hills.yaml: as locked");
    contains(result.out, "other.yaml: differs from other.yaml.lock");
}

/* The noise of both is one node: counted by what the trace says was computed. */
static void what_recipes_share_is_computed_once(void **state)
{
    (void)state;
    write_recipe("other.yaml", 7, "");
    assert_int_equal(run("run hills.yaml --no-cache --json"), 0);
    assert_int_equal(run("lock hills.yaml other.yaml --no-cache --json"), 0);
    json_t *root = json_loads(result.out, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_integer_value(json_object_get(root, "computed")), 5 + 3);
    json_decref(root);
}

static void what_was_given_is_given_again(void **state)
{
    (void)state;
    write_text("p.yaml", "thalweg: 1\nsize: 32\nparams: {f: 4}\nnodes:\n"
                         "  noise: {type: noise.perlin, frequency: \"${f}\"}\n"
                         "outputs: {height: noise}\n");
    assert_int_equal(run("lock p.yaml -s f=6 --seed 9 --size 48x40"), 0);
    char *lock = read_text("p.yaml.lock");
    contains(lock, "given: {seed: \"9\", set.f: \"6\", size: \"48x40\"}");
    free(lock);
    assert_int_equal(run("verify p.yaml"), 0);
    assert_int_equal(run("verify p.yaml --update"), 0);
    lock = read_text("p.yaml.lock");
    contains(lock, "given: {seed: \"9\", set.f: \"6\", size: \"48x40\"}");
    free(lock);
}

static void another_size_has_no_map_to_compare(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    edit("hills.yaml", "size: 64", "size: 48");
    assert_int_equal(run("verify hills.yaml"), 1);
    contains(result.out, "width 64 -> 48");
    contains(result.out, "the earlier maps cannot be computed: the sizes differ");
}

/* ---- update ---- */

static void update_takes_the_new_state(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    write_recipe("hills.yaml", 6, "");
    assert_int_equal(run("verify hills.yaml --update"), 0);
    contains(result.out, "which was updated");
    assert_int_equal(run("verify hills.yaml"), 0);
}

static void update_of_a_node_refuses_other_changes(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    write_recipe("hills.yaml", 6, "");
    assert_int_equal(run("verify hills.yaml --update=noise"), 1);
    contains(result.err, "not only noise has changed, but eroded too");
    assert_int_equal(run("verify hills.yaml"), 1);
    assert_int_equal(run("verify hills.yaml --update=eroded"), 0);
    assert_int_equal(run("verify hills.yaml"), 0);
}

static void in_ci_only_yes_replaces_a_lock(void **state)
{
    (void)state;
    setenv("CI", "true", 1);
    assert_int_equal(run("lock hills.yaml"), 0); /* a first one is none that is replaced */
    char *before = read_text("hills.yaml.lock");
    write_recipe("hills.yaml", 6, "");
    assert_int_equal(run("lock hills.yaml"), 2);
    contains(result.err, "CI is set, and --yes was not given");
    assert_int_equal(run("verify hills.yaml --update"), 2);
    char *after = read_text("hills.yaml.lock");
    assert_string_equal(before, after);
    assert_int_equal(run("verify hills.yaml --update --yes"), 0);
    assert_int_equal(run("verify hills.yaml"), 0);
    unsetenv("CI");
    free(before);
    free(after);
}

/* ---- faults of locks ---- */

static void a_missing_lock_names_the_command(void **state)
{
    (void)state;
    assert_int_equal(run("verify hills.yaml"), 3);
    contains(result.err, "hills.yaml.lock");
    contains(result.err, "'thalweg lock hills.yaml' writes one");
}

static void wrong_locks_are_refused_at_their_line(void **state)
{
    static const struct {
        const char *from, *to, *message;
    } rows[] = {
        {"thalweg-lock: 1", "thalweg-lock: 2",
         "hills.yaml.lock:1:15: error: this engine reads "
         "version 1 of lock files"},
        {"thalweg-lock: 1", "thalweg: 1", "this is no lock file"},
        {"size: [64, 64], type: heightmap", "size: [64], type: heightmap", "expected a size"},
        {"greatest: ", "greatest: much", "expected a number"},
        {"sha256: \"", "sha256: \"zz", "expected a SHA-256"},
        {"nodes:", "nods:", "did you mean 'nodes'"},
        {"outputs:", "outputs: [", "hills.yaml.lock:"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unlink("hills.yaml.lock");
        assert_int_equal(run("lock hills.yaml"), 0);
        edit("hills.yaml.lock", rows[i].from, rows[i].to);
        assert_int_equal(run("verify hills.yaml"), 3);
        contains(result.err, rows[i].message);
    }
}

/* A lock may be cut anywhere: never a crash, never a verdict of "same". */
static void half_a_lock_is_no_lock(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    char *lock = read_text("hills.yaml.lock");
    size_t length = strlen(lock);
    for (size_t cut = 0; cut + 2 < length; cut += 61) {
        command_write("hills.yaml.lock", lock, cut);
        int code = run("verify hills.yaml");
        assert_true(code == 3 || code == 1);
    }
    free(lock);
}

/* Facts that were edited by hand change no verdict: results decide. What cannot be built again is
 * said. */
static void edited_facts_never_crash(void **state)
{
    static const char *const rows[][2] = {
        {"type: \"erosion.thermal\"", "type: \"erosion.none\""},
        {"version: \"", "version: \"9"},
        {"in: \"noise.out\"", "in: \"noise.none\""},
        {"in: \"noise.out\"", "in: \"score.record\""},
        {"in: \"noise.out\"", "in: \"eroded.out\""},
        {"talus: \"8\"", "talus: \"-8\""},
        {"width: \"64\"", "width: \"100000000\""},
        {"seed: \"", "seed: \"x"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_recipe("hills.yaml", 8, "");
        unlink("hills.yaml.lock");
        assert_int_equal(run("lock hills.yaml"), 0);
        edit("hills.yaml.lock", rows[i][0], rows[i][1]);
        assert_int_equal(run("verify hills.yaml"), 0);
        write_recipe("hills.yaml", 6, "");
        assert_int_equal(run("verify hills.yaml"), 1);
        contains(result.out, "cannot be computed");
    }
}

/* ---- diff ---- */

static void maps_within_tolerance_are_equal(void **state)
{
    (void)state;
    edit("hills.yaml", "shade.png: shade", "a.npy: eroded");
    assert_int_equal(run("run hills.yaml -o ."), 0);
    write_recipe("hills.yaml", 6, "");
    edit("hills.yaml", "shade.png: shade", "b.npy: eroded");
    assert_int_equal(run("run hills.yaml -o ."), 0);
    assert_int_equal(run("diff a.npy a.npy"), 0);
    assert_int_equal(run("diff a.npy b.npy --picture d.png"), 1);
    contains(result.out, "percent");
    assert_true(exists("d.png"));
    assert_int_equal(run("diff a.npy b.npy --tolerance 1"), 0);
    assert_int_equal(run("diff a.npy b.npy --tolerance 0.000001"), 1);
    assert_int_equal(run("diff a.npy hills.yaml"), 2);
    assert_int_equal(run("diff a.npy none.npy"), 3);
    assert_int_equal(run("diff a.npy"), 2);
}

static void recipes_differ_by_graph(void **state)
{
    (void)state;
    write_recipe("other.yaml", 6, "  soft:   {type: shape.blur, in: noise, radius: 0.02}\n");
    edit("other.yaml", "side: side}", "side: side, soft: soft}");
    assert_int_equal(run("diff hills.yaml other.yaml -o d"), 1);
    contains(result.out, "changed  eroded (erosion.thermal): talus 8 -> 6");
    contains(result.out, "added    soft (shape.blur)");
    contains(result.out, "follows  score (measure.score)");
    assert_true(exists("d/index.html"));
    assert_int_equal(run("diff hills.yaml hills.yaml"), 0);
    contains(result.out, "the recipes are the same");
    assert_int_equal(run("diff other.yaml hills.yaml"), 1);
    contains(result.out, "removed  soft (shape.blur)");
}

static void git(const char *arguments)
{
    char command[300];
    snprintf(command, sizeof command,
             "git -c user.name=t -c user.email=t@t -c commit.gpgsign=false %s > git.log 2>&1",
             arguments);
    assert_int_equal(system(command), 0);
}

/* With an include, which must come from the revision, too. */
static void a_revision_is_a_recipe(void **state)
{
    (void)state;
    if (system("git --version > git.log 2>&1") != 0)
        skip();
    write_text("part.yaml", "thalweg: 1\nsize: 64\nnodes:\n  n: {type: noise.perlin}\n"
                            "outputs: {height: n}\n");
    write_text("whole.yaml", "thalweg: 1\nsize: 64\nnodes:\n  part: {type: ./part.yaml}\n"
                             "outputs: {height: part}\n");
    git("init -q .");
    git("add part.yaml whole.yaml");
    git("commit -q -m one");
    edit("part.yaml", "noise.perlin}", "noise.perlin, frequency: 5}");
    assert_int_equal(run("diff HEAD:whole.yaml whole.yaml"), 1);
    contains(result.out, "changed  part/n (noise.perlin): frequency ");
    git("add part.yaml");
    git("commit -q -m two");
    assert_int_equal(run("diff HEAD:whole.yaml whole.yaml"), 0);
    assert_int_equal(run("diff HEAD~1:whole.yaml HEAD:whole.yaml"), 1);
    assert_int_equal(run("diff HEAD~1:none.yaml whole.yaml"), 3);
    contains(result.err, "REVISION:PATH");
    git("diff --quiet"); /* the work tree and the index are as they were */
    git("diff --cached --quiet");
}

/* ---- all recipes of graphs/ ---- */

static char recipes[1 << 14], maps[1 << 12];

/* Experiments, and recipes with inputs, do not run by themselves; recipes that read a map have its
 * size. */
static int add_recipe(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    (void)at;
    size_t length = strlen(path);
    if (kind != FTW_F || length < 5 || strcmp(path + length - 5, ".yaml") != 0)
        return 0;
    char *text = read_text(path);
    if (strncmp(text, "thalweg: 1", 10) == 0 && !strstr(text, "\ninputs:") &&
        !strstr(path, "simcity")) /* large, and of a fixed size */
        strcat(strcat(strstr(text, "file: ") ? maps : recipes, " "), path);
    free(text);
    return 0;
}

/* The whole folder in one call, computed anew by another number of threads. */
static void all_of_graphs_is_locked_and_verified(void **state)
{
    static char arguments[1 << 15];
    (void)state;
    assert_int_equal(system("cp -r " TW_GRAPHS " graphs"), 0);
    assert_int_equal(nftw("graphs", add_recipe, 16, FTW_PHYS), 0);
    assert_true(strlen(recipes) > 500);
    snprintf(arguments, sizeof arguments, "lock --size 48 -q%s", recipes);
    assert_int_equal(run(arguments), 0);
    snprintf(arguments, sizeof arguments, "verify --no-cache -j 3%s", recipes);
    assert_int_equal(run(arguments), 0);
    lacks(result.out, "differs");
    snprintf(arguments, sizeof arguments, "lock -q%s", maps);
    assert_int_equal(run(arguments), 0);
    snprintf(arguments, sizeof arguments, "verify -j 1%s", maps);
    assert_int_equal(run(arguments), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_lock_has_what_the_issue_names, begin, command_tear_down),
        cmocka_unit_test_setup_teardown(locking_again_changes_nothing, begin, command_tear_down),
        cmocka_unit_test_setup_teardown(every_key_of_a_lock_is_sorted, begin, command_tear_down),
        cmocka_unit_test_setup_teardown(what_did_not_change_is_as_locked, begin, command_tear_down),
        cmocka_unit_test_setup_teardown(comments_and_order_are_no_difference, begin,
                                        command_tear_down),
        cmocka_unit_test_setup_teardown(the_first_node_and_its_parameter_are_named, begin,
                                        command_tear_down),
        cmocka_unit_test_setup_teardown(the_difference_is_that_of_the_maps, begin,
                                        command_tear_down),
        cmocka_unit_test_setup_teardown(formulas_and_views_can_be_computed_again, begin,
                                        command_tear_down),
        cmocka_unit_test_setup_teardown(an_added_node_and_a_rewired_input_are_named, begin,
                                        command_tear_down),
        cmocka_unit_test_setup_teardown(a_changed_file_is_named, begin, command_tear_down),
        cmocka_unit_test_setup_teardown(several_recipes_have_one_verdict_each, begin,
                                        command_tear_down),
        cmocka_unit_test_setup_teardown(what_recipes_share_is_computed_once, begin,
                                        command_tear_down),
        cmocka_unit_test_setup_teardown(what_was_given_is_given_again, begin, command_tear_down),
        cmocka_unit_test_setup_teardown(another_size_has_no_map_to_compare, begin,
                                        command_tear_down),
        cmocka_unit_test_setup_teardown(update_takes_the_new_state, begin, command_tear_down),
        cmocka_unit_test_setup_teardown(update_of_a_node_refuses_other_changes, begin,
                                        command_tear_down),
        cmocka_unit_test_setup_teardown(in_ci_only_yes_replaces_a_lock, begin, command_tear_down),
        cmocka_unit_test_setup_teardown(a_missing_lock_names_the_command, begin, command_tear_down),
        cmocka_unit_test_setup_teardown(wrong_locks_are_refused_at_their_line, begin,
                                        command_tear_down),
        cmocka_unit_test_setup_teardown(half_a_lock_is_no_lock, begin, command_tear_down),
        cmocka_unit_test_setup_teardown(edited_facts_never_crash, begin, command_tear_down),
        cmocka_unit_test_setup_teardown(maps_within_tolerance_are_equal, begin, command_tear_down),
        cmocka_unit_test_setup_teardown(recipes_differ_by_graph, begin, command_tear_down),
        cmocka_unit_test_setup_teardown(a_revision_is_a_recipe, begin, command_tear_down),
        cmocka_unit_test_setup_teardown(all_of_graphs_is_locked_and_verified, begin,
                                        command_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
