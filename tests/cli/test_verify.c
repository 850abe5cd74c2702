/* SPDX-License-Identifier: MIT */
/* `thalweg verify`: what a change does to the exit code, to what is printed, and to the files. */
#include "support/gate.h"

#include <sys/stat.h>

/* ---- what differs ---- */

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

/* Images are shown as they are; labels have no picture of their own. */
/* Two recipes of one file name, and two outputs that differ in what paths have no place for. */
static void each_map_has_pictures_of_its_own(void **state)
{
    static const char outputs[] = "outputs: {a/b: noise, a_b: low}\n";
    static const char *const names[] = {"x.yaml.a_b", "x.yaml.a_b-2", "x.yaml.a_b-3",
                                        "x.yaml.a_b-4"};
    static const char *const folders[] = {"one", "two"};
    char path[200], text[300];
    (void)state;
    for (int frequency = 4; frequency <= 5; frequency++) {
        for (int i = 0; i < 2; i++) {
            mkdir(folders[i], 0777);
            snprintf(path, sizeof path, "%s/x.yaml", folders[i]);
            snprintf(text, sizeof text,
                     "thalweg: 1\nsize: 8\nseed: %d\nnodes:\n"
                     "  noise: {type: noise.perlin, frequency: %d}\n"
                     "  low: {type: shape.invert, in: noise}\n%s",
                     i, frequency, outputs);
            write_text(path, text);
        }
        assert_int_equal(
            run(frequency == 4 ? "lock one/x.yaml two/x.yaml" : "verify one/x.yaml two/x.yaml"),
            frequency == 4 ? 0 : 1);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "verify/%s.before.png", names[i]);
        assert_true(exists(path));
    }
}

static void images_have_pictures_and_labels_have_none(void **state)
{
    static const char text[] = "thalweg: 1\nsize: 32\nnodes:\n"
                               "  noise: {type: noise.perlin, frequency: 4}\n"
                               "  relief: {type: render.relief, in: noise}\n"
                               "  forms: {type: measure.landforms, in: noise}\n"
                               "outputs: {relief: relief, forms: forms.out}\n";
    (void)state;
    command_write("drawn.yaml", text, sizeof text - 1);
    assert_int_equal(run("lock drawn.yaml"), 0);
    edit("drawn.yaml", "frequency: 4", "frequency: 5");
    assert_int_equal(run("verify drawn.yaml"), 1);
    assert_true(exists("verify/drawn.yaml.relief.before.png"));
    assert_true(exists("verify/drawn.yaml.relief.now.png"));
    assert_false(exists("verify/drawn.yaml.forms.before.png"));
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
        "export: {view.png: {from: f, as: perspective, size: [96, 54]},\n"
        "         top.png: {from: f, as: relief}}\n";
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

/* Cells of four numbers of two bytes, which have no picture of their own. */
static void surfaces_differ_by_their_numbers(void **state)
{
    static const char text[] = "thalweg: 1\nsize: 32\nnodes:\n  n: {type: noise.perlin}\n"
                               "  lit: {type: render.surface, in: n, mood: alpine}\n"
                               "outputs: {lit: lit}\n";
    (void)state;
    write_text("s.yaml", text);
    assert_int_equal(run("lock s.yaml"), 0);
    char *lock = read_text("s.yaml.lock");
    lacks(lock, "greatest: 0,");
    free(lock);
    edit("s.yaml", "alpine", "volcanic");
    assert_int_equal(run("verify s.yaml --json"), 1);
    json_t *root = json_loads(result.out, 0, NULL);
    json_t *map = json_array_get(
        json_object_get(json_array_get(json_object_get(root, "recipes"), 0), "maps"), 0);
    assert_int_equal(json_integer_value(json_object_get(map, "cells")), 128 * 128);
    double greatest = json_number_value(json_object_get(map, "max"));
    assert_true(greatest > 0 && greatest <= UINT16_MAX);
    json_decref(root);
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

static void expect_verdicts(const char *const (*expected)[2], size_t count)
{
    json_t *root = json_loads(result.out, 0, NULL), *recipes = json_object_get(root, "recipes");
    assert_int_equal(json_array_size(recipes), count);
    for (size_t i = 0; i < count; i++) {
        json_t *recipe = json_array_get(recipes, i);
        assert_string_equal(json_string_value(json_object_get(recipe, "recipe")), expected[i][0]);
        assert_string_equal(json_string_value(json_object_get(recipe, "verdict")), expected[i][1]);
    }
    json_decref(root);
}

/* One of four fails in a node, and another differs; equal.yaml shares all nodes with it. */
static void write_failing(void)
{
    write_recipe("equal.yaml", 8, "");
    write_recipe("changed.yaml", 8, "");
    write_recipe("fails.yaml", 8, "");
    assert_int_equal(run("lock equal.yaml changed.yaml fails.yaml"), 0);
    write_recipe("changed.yaml", 6, "");
    edit("fails.yaml", "  noise:  {type: noise.perlin, frequency: 4}\n",
         "  low: {type: noise.perlin}\n  big: {type: shape.remap, in: low, to: [0, 1000000]}\n"
         "  noise: {type: shape.power, in: big, exponent: 8}\n");
}

static void a_failure_hides_no_verdict(void **state)
{
    static const char *const expected[][2] = {
        {"fails.yaml", "failed"}, {"changed.yaml", "differs"}, {"equal.yaml", "same"}};
    (void)state;
    write_failing();
    for (int i = 0; i < 2; i++) { /* also from the cache */
        assert_int_equal(run("verify fails.yaml changed.yaml equal.yaml"), 4);
        contains(result.err, "fails.yaml:7:10: error: noise: a height of ");
        contains(result.out, "fails.yaml: failed\n"
                             "changed.yaml: differs from changed.yaml.lock\n");
        contains(result.out, "equal.yaml: as locked (3 outputs, 3 exports)\n");
        assert_true(exists("verify/index.html"));
    }
    assert_int_equal(run("verify fails.yaml changed.yaml equal.yaml --json"), 4);
    expect_verdicts(expected, 3);
    assert_int_equal(run("verify changed.yaml fails.yaml --update --yes"), 4);
    assert_int_equal(run("verify changed.yaml"), 1); /* nothing was taken */
}

static void a_missing_lock_hides_no_verdict(void **state)
{
    static const char *const expected[][2] = {
        {"none.yaml", "no lock"}, {"changed.yaml", "differs"}, {"cut.yaml", "no lock"},
        {"equal.yaml", "same"},   {"bad.yaml", "failed"},
    };
    (void)state;
    write_failing();
    write_recipe("none.yaml", 8, "");
    write_recipe("cut.yaml", 8, "");
    write_text("cut.yaml.lock", "thalweg-lock: 1\n");
    write_recipe("bad.yaml", 8, "");
    assert_int_equal(run("lock bad.yaml"), 0);
    edit("bad.yaml", "seed: 5", "sede: 5");
    assert_int_equal(run("verify none.yaml changed.yaml cut.yaml equal.yaml bad.yaml --json"), 3);
    expect_verdicts(expected, 5);
    assert_int_equal(run("verify none.yaml equal.yaml"), 3);
    assert_string_equal(result.out,
                        "none.yaml: not compared: none.yaml.lock is missing or damaged\n"
                        "equal.yaml: as locked (3 outputs, 3 exports)\n"
                        "1 of 2 failed: none.yaml: cannot read none.yaml.lock: No such file or "
                        "directory; 1 as locked, 0 differ\n");
    contains(result.err, "'thalweg lock none.yaml' writes one");
}

static void an_export_that_fails_is_a_failure(void **state)
{
    static const char *const expected[][2] = {{"changed.yaml", "failed"}, {"equal.yaml", "same"}};
    (void)state;
    write_failing();
    write_recipe("changed.yaml", 8, "");
    edit("changed.yaml", "range: [-1, 2]", "range: [0.5, 0.6]");
    assert_int_equal(run("verify changed.yaml equal.yaml --json"), 4);
    expect_verdicts(expected, 2);
}

/* No lock is written where one recipe fails. */
static void lock_writes_all_or_nothing(void **state)
{
    (void)state;
    write_failing();
    write_recipe("new.yaml", 4, "");
    assert_int_equal(run("lock new.yaml fails.yaml"), 4);
    assert_false(exists("new.yaml.lock"));
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

/* Nodes have seeds of their own, which follow from it. */
static void a_changed_seed_is_that_of_the_recipe(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    char *lock = read_text("hills.yaml.lock");
    contains(lock, " seed: \"5\", side_m");
    free(lock);
    edit("hills.yaml", "seed: 5", "seed: 18446744073709551615");
    assert_int_equal(run("verify hills.yaml"), 1);
    contains(result.out, "differs from hills.yaml.lock\n  seed 5 -> 18446744073709551615\n");
    contains(result.out, "    height: "); /* the state of seed 5 was computed again */
    edit("hills.yaml.lock", "seed: \"5\", side_m", "side_m"); /* as locks once were */
    assert_int_equal(run("verify hills.yaml"), 1);
    lacks(result.out, "  seed none");
    edit("hills.yaml", "seed: 18446744073709551615", "seed: 5");
    assert_int_equal(run("verify hills.yaml"), 0);
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
    assert_null(strstr(result.out, "index.html")); /* a page is of what differs */
    assert_int_equal(run("verify p.yaml --json"), 0);
    assert_null(strstr(result.out, "index.html"));
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

/* Names of recipes and outputs are cleaned, and two pictures have two names on every system. */
static void pictures_have_names_of_every_system(void **state)
{
    static const char text[] = "thalweg: 1\nsize: 16\nnodes:\n  a: {type: noise.perlin}\n"
                               "  n: {type: shape.power, in: a, exponent: 2}\n"
                               "outputs: {'x:y': n}\n";
    static const char *const recipes[] = {"aux.yaml", "b.yaml", "B.yaml"};
    (void)state;
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++)
        write_text(recipes[i], text);
    assert_int_equal(run("lock aux.yaml b.yaml B.yaml"), 0);
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++)
        edit(recipes[i], "exponent: 2", "exponent: 3");
    assert_int_equal(run("verify aux.yaml b.yaml B.yaml -o page"), 1);
    assert_true(exists("page/_ux.yaml.x_y.now.png"));
    assert_true(exists("page/b.yaml.x_y.now.png"));
    assert_true(exists("page/B.yaml.x_y-2.now.png"));
    assert_false(exists("page/B.yaml.x_y.now.png"));
}

/* The recipe reads what its page would be called; the command names the node and leaves it. */
static void a_page_replaces_no_file_that_is_read(void **state)
{
    static const char name[] = "verify/map.yaml.height.now.png";
    unsigned char *before = NULL, *after = NULL;
    size_t length = 0, still = 0;
    (void)state;
    edit("hills.yaml", "shade.png: shade",
         "map.yaml.height.now.png: {from: height, range: [-1, 2]}");
    assert_int_equal(run("run hills.yaml -o verify"), 0);
    write_text("map.yaml", "thalweg: 1\nsize: 64\nnodes:\n"
                           "  map: {type: source.heightmap, file: verify/map.yaml.height.now.png}\n"
                           "  low: {type: shape.power, in: map, exponent: 2}\n"
                           "outputs: {height: low}\n");
    assert_int_equal(run("lock map.yaml"), 0);
    edit("map.yaml", "exponent: 2", "exponent: 3");
    assert_int_equal(tw_file_read(name, 1 << 22, &before, &length, NULL), TW_OK);
    assert_true(run("verify map.yaml") > 1);
    contains(result.err, "would overwrite the file that node 'map' reads");
    assert_int_equal(tw_file_read(name, 1 << 22, &after, &still, NULL), TW_OK);
    assert_int_equal(still, length);
    assert_memory_equal(before, after, length);
    assert_false(exists("verify/index.html"));
    assert_false(exists("verify/map.yaml.height.before.png"));
    assert_int_equal(run("verify map.yaml -o elsewhere"), 1);
    char *page = read_text("elsewhere/index.html");
    contains(page, "<figcaption>now</figcaption></figure>");
    contains(page, "<figcaption>before</figcaption></figure>");
    contains(page, "<figcaption>difference</figcaption></figure>");
    free(page);
    free(before);
    free(after);
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
    contains(result.err, "noise has not changed, but eroded has");
    assert_int_equal(run("verify hills.yaml --update=erode"), 2);
    contains(result.err, "--update=erode: there is no node of that name");
    contains(result.err, "did you mean 'eroded'?");
    assert_int_equal(run("verify hills.yaml"), 1);
    assert_int_equal(run("verify hills.yaml --update=eroded"), 0);
    assert_int_equal(run("verify hills.yaml"), 0);
}

static void a_recipe_that_is_not_there_is_named(void **state)
{
    (void)state;
    assert_int_equal(run("verify none.yaml"), 3);
    contains(result.err, "error: cannot read none.yaml: No such file or directory\n");
    assert_int_equal(run("verify none.yaml --json"), 3);
    contains(result.out, "\"exit_code\": 3");
}

/* 2^32 + 4: more than fits. */
static void impossible_numbers_of_a_lock_are_not_taken(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml --size 48x40"), 0);
    edit("hills.yaml.lock", "size: \"48x40\"", "size: \"4294967300x40\"");
    assert_int_equal(run("verify hills.yaml"), 3);
    contains(result.err, "expected a size as in \"512x512\"");
    assert_int_equal(run("lock hills.yaml"), 0);
    write_recipe("hills.yaml", 4, "");
    assert_int_equal(run("lock hills.yaml"), 0);
    write_recipe("hills.yaml", 6, "");
    edit("hills.yaml.lock", "side_m: \"", "side_m: \"-");
    assert_int_equal(run("verify hills.yaml"), 1);
    contains(result.out, "cannot be computed: world: a number is out of range: side_m");
}

/* One that is too long to be compared is still one. */
static void in_ci_a_long_lock_is_a_lock(void **state)
{
    const size_t length = (size_t)17 << 20;
    char *blanks = malloc(length);
    struct stat info;
    (void)state;
    assert_non_null(blanks);
    memset(blanks, ' ', length);
    memcpy(blanks, "thalweg-lock: 1\n", 16);
    command_write("hills.yaml.lock", blanks, length);
    free(blanks);
    setenv("CI", "true", 1);
    int code = run("lock hills.yaml");
    unsetenv("CI");
    assert_int_equal(code, 2);
    assert_int_equal(stat("hills.yaml.lock", &info), 0);
    assert_int_equal(info.st_size, length);
}

/* Of so many nodes that verify would not read it. */
static void a_lock_that_cannot_be_read_is_not_written(void **state)
{
    (void)state;
    write_text("round.yaml", "thalweg: 1\nsize: 4\ninputs: {in: heightmap}\nnodes:\n"
                             "  a: {type: shape.offset_clip, in: in}\n"
                             "  b: {type: shape.offset_clip, in: a}\n"
                             "  c: {type: shape.offset_clip, in: b}\n"
                             "  d: {type: shape.offset_clip, in: c}\n"
                             "  e: {type: shape.offset_clip, in: d}\n"
                             "  f: {type: shape.offset_clip, in: e}\n"
                             "outputs: {out: f}\n");
    write_text("long.yaml", "thalweg: 1\nsize: 4\nnodes:\n  n: {type: noise.perlin}\n"
                            "  r: {type: ./round.yaml, in: n, repeat: 1000}\n"
                            "outputs: {height: r}\n");
    assert_int_equal(run("lock long.yaml"), 3);
    contains(result.err, "the lock would have ");
    assert_false(exists("long.yaml.lock"));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        GATE_TEST(what_did_not_change_is_as_locked),
        GATE_TEST(comments_and_order_are_no_difference),
        GATE_TEST(the_first_node_and_its_parameter_are_named),
        GATE_TEST(each_map_has_pictures_of_its_own),
        GATE_TEST(images_have_pictures_and_labels_have_none),
        GATE_TEST(the_difference_is_that_of_the_maps),
        GATE_TEST(formulas_and_views_can_be_computed_again),
        GATE_TEST(surfaces_differ_by_their_numbers),
        GATE_TEST(an_added_node_and_a_rewired_input_are_named),
        GATE_TEST(a_changed_file_is_named),
        GATE_TEST(several_recipes_have_one_verdict_each),
        GATE_TEST(a_failure_hides_no_verdict),
        GATE_TEST(a_missing_lock_hides_no_verdict),
        GATE_TEST(an_export_that_fails_is_a_failure),
        GATE_TEST(lock_writes_all_or_nothing),
        GATE_TEST(what_recipes_share_is_computed_once),
        GATE_TEST(a_changed_seed_is_that_of_the_recipe),
        GATE_TEST(what_was_given_is_given_again),
        GATE_TEST(another_size_has_no_map_to_compare),
        GATE_TEST(pictures_have_names_of_every_system),
        GATE_TEST(a_page_replaces_no_file_that_is_read),
        GATE_TEST(update_takes_the_new_state),
        GATE_TEST(update_of_a_node_refuses_other_changes),
        GATE_TEST(a_recipe_that_is_not_there_is_named),
        GATE_TEST(impossible_numbers_of_a_lock_are_not_taken),
        GATE_TEST(in_ci_a_long_lock_is_a_lock),
        GATE_TEST(a_lock_that_cannot_be_read_is_not_written),
        GATE_TEST(in_ci_only_yes_replaces_a_lock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
