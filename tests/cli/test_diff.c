/* SPDX-License-Identifier: MIT */
/* `thalweg diff`: maps by cells, recipes by graphs, revisions of git. */
#include "support/gate.h"

#include <limits.h>
#include <sys/stat.h>

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

/* Both files have all levels, but stand for other heights. */
static void levels_are_compared_as_heights(void **state)
{
    static const char *const names[] = {"h.png", "h.r16", "s.png"};
    char command[100];
    (void)state;
    write_text("fit.yaml", "thalweg: 1\nsize: 32\nparams: {k: 1}\nnodes:\n"
                           "  n: {type: noise.perlin}\n"
                           "  f: {type: shape.remap, in: n, to: [0, \"${k}\"]}\n"
                           "export:\n  h.npy: f\n"
                           "  h.png: {from: f, range: fit}\n  h.r16: {from: f, range: fit}\n"
                           "  s.png: {from: f, range: fit, sidecar: true}\n");
    assert_int_equal(run("run fit.yaml -o one -q"), 0);
    assert_int_equal(run("run fit.yaml -o half -s k=0.5 -q"), 0);
    for (int i = 0; i < 3; i++) {
        snprintf(command, sizeof command, "diff one/%s one/h.npy --tolerance 0.00002", names[i]);
        assert_int_equal(run(command), 0);
        snprintf(command, sizeof command, "diff one/%s half/%s", names[i], names[i]);
        assert_int_equal(run(command), 1);
    }
    edit("fit.yaml", "size: 32\n", "size: 32\nworld: {height_m: 300}\n");
    edit("fit.yaml", "h.npy: f\n", "h.npy: f\n  m.r32: {from: f, metres: true}\n");
    assert_int_equal(run("run fit.yaml -o one -q"), 0);
    assert_int_equal(run("diff one/m.r32 one/h.npy --tolerance 0.0000002"), 0);
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

/* Of an input with several sources all are named, as in the recipe. */
static void lists_of_sources_are_read_as_lists(void **state)
{
    (void)state;
    write_text("one.yaml", "thalweg: 1\nsize: 8\nnodes:\n"
                           "  a: {type: feature.points}\n  b: {type: feature.points, count: 3}\n"
                           "  both: {type: feature.merge, generators: [a, b]}\n"
                           "outputs: {both: both, b: b}\n");
    char *one = read_text("one.yaml");
    write_text("two.yaml", one);
    free(one);
    edit("two.yaml", "[a, b]", "[b, a, b]");
    assert_int_equal(run("diff one.yaml two.yaml"), 1);
    contains(result.out, "inputs.generators a.out, b.out -> b.out, a.out, b.out\n");
    assert_int_equal(run("diff one.yaml two.yaml --json"), 1);
    contains(result.out, "\"before\": \"a.out, b.out\"");
    assert_int_equal(run("lock one.yaml -q"), 0);
    edit("one.yaml", "outputs", "  c: {type: feature.points}\noutputs");
    edit("one.yaml", "[a, b]", "[a, b, c]");
    assert_int_equal(run("verify one.yaml"), 1);
    char *page = read_text("verify/index.html");
    contains(page, "<tr><td>c<td>added<td><td><td>\n"); /* what is new has no causes */
    contains(page, "<td>a.out, b.out<td>a.out, b.out, c.out\n");
    free(page);
}

static const char *format_of(const char *arguments)
{
    static char format[64];
    assert_int_equal(run(arguments), 1);
    json_t *root = json_loads(result.out, 0, NULL);
    snprintf(format, sizeof format, "%s", json_string_value(json_object_get(root, "format")));
    json_decref(root);
    return format;
}

/* A program that reads them can tell the shapes apart. */
static void maps_and_recipes_have_formats_of_their_own(void **state)
{
    (void)state;
    edit("hills.yaml", "shade.png: shade", "a.npy: eroded, b.npy: noise");
    assert_int_equal(run("run hills.yaml -o ."), 0);
    assert_string_equal(format_of("diff a.npy b.npy --json"), "thalweg.map-diff/1");
    write_recipe("other.yaml", 6, "");
    assert_string_equal(format_of("diff hills.yaml other.yaml --json"), "thalweg.diff/1");
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
    /* faults stand where git has them, not in the temporary folder, which is gone by then */
    edit("whole.yaml", "./part.yaml}", "./part.yaml, sixe: 3}");
    git("commit -q -a -m three");
    assert_int_equal(run("diff HEAD:whole.yaml whole.yaml"), 3);
    contains(result.err, "HEAD:whole.yaml:4:29: error: HEAD:part.yaml has no ");
    edit("whole.yaml", ", sixe: 3}", "}");
    edit("part.yaml", "noise.perlin", "noise.purlin");
    git("commit -q -a -m four");
    assert_int_equal(run("diff HEAD:whole.yaml whole.yaml"), 3);
    contains(result.err, "HEAD:part.yaml:4:13: error: there is no node type 'noise.purlin'");
    git("diff --quiet"); /* the work tree and the index are as they were */
    git("diff --cached --quiet");
}

/* What lies beside it there comes from the revision, too. */
static void a_revision_may_lie_in_a_folder(void **state)
{
    (void)state;
    if (system("git --version > git.log 2>&1") != 0)
        skip();
    assert_int_equal(mkdir("sub", 0777), 0);
    write_text("sub/part.yaml", "thalweg: 1\nsize: 16\nnodes:\n  n: {type: noise.perlin}\n"
                                "outputs: {height: n}\n");
    write_text("sub/whole.yaml", "thalweg: 1\nsize: 16\nnodes:\n  part: {type: ./part.yaml}\n"
                                 "outputs: {height: part}\n");
    git("init -q .");
    git("add sub");
    git("commit -q -m one");
    edit("sub/part.yaml", "noise.perlin}", "noise.perlin, frequency: 5}");
    assert_int_equal(run("diff HEAD:sub/whole.yaml sub/whole.yaml"), 1);
    contains(result.out, "  changed  part/n (noise.perlin): frequency 4 -> 5\n");
    assert_int_equal(run("diff HEAD:sub/none.yaml sub/whole.yaml"), 3);
    contains(result.err, "git has no 'HEAD:sub/none.yaml'; expected REVISION:PATH, such as "
                         "HEAD~1:hills.yaml, in a git repository");
    assert_int_equal(mkdir("sub/below", 0777), 0);
    assert_int_equal(chdir("sub/below"), 0);
    assert_int_equal(run("diff HEAD:../whole.yaml ../whole.yaml"), 1);
    assert_int_equal(chdir(".."), 0);
    assert_int_equal(run("diff HEAD:whole.yaml whole.yaml"), 1);
    contains(result.out, "  changed  part/n (noise.perlin): frequency 4 -> 5\n");
    assert_int_equal(chdir(".."), 0);
}

/* Points are no map. */
static void what_has_no_cells_is_said_so_on_the_page(void **state)
{
    static const char points[] = "thalweg: 1\nsize: 8\nnodes:\n"
                                 "  p: {type: feature.points, count: 3}\noutputs: {points: p}\n";
    (void)state;
    write_text("three.yaml", points);
    write_text("four.yaml", points);
    edit("four.yaml", "count: 3", "count: 4");
    assert_int_equal(run("diff three.yaml four.yaml -o d"), 1);
    contains(result.out, "    points: cannot be compared cell by cell\n");
    char *page = read_text("d/index.html");
    contains(page, "<p>The states cannot be compared cell by cell.</p>\n");
    free(page);
}

/* A hook of git finds the index that it was called for in its environment; a repository may bring
 * hooks that run whenever an index is written. */
static void comparing_leaves_git_alone(void **state)
{
    static const char hook[] = ".git/hooks/post-index-change";
    char index[PATH_MAX];
    (void)state;
    if (system("git --version > git.log 2>&1") != 0)
        skip();
    git("init -q .");
    git("add hills.yaml");
    git("commit -q -m one");
    write_text("staged.yaml", "thalweg: 1\n");
    git("add staged.yaml");
    assert_int_equal(system("mkdir -p .git/hooks && cp .git/index before"), 0);
    write_text(hook, "#!/bin/sh\ntouch ran\n");
    assert_int_equal(chmod(hook, 0755), 0);
    assert_non_null(realpath(".git/index", index));
    setenv("GIT_INDEX_FILE", index, 1);
    int code = run("diff HEAD:hills.yaml hills.yaml");
    unsetenv("GIT_INDEX_FILE");
    assert_int_equal(code, 0);
    assert_int_equal(system("cmp .git/index before"), 0);
    assert_false(exists("ran"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GATE_TEST(maps_within_tolerance_are_equal),
        GATE_TEST(levels_are_compared_as_heights),
        GATE_TEST(recipes_differ_by_graph),
        GATE_TEST(lists_of_sources_are_read_as_lists),
        GATE_TEST(maps_and_recipes_have_formats_of_their_own),
        GATE_TEST(a_revision_is_a_recipe),
        GATE_TEST(a_revision_may_lie_in_a_folder),
        GATE_TEST(what_has_no_cells_is_said_so_on_the_page),
        GATE_TEST(comparing_leaves_git_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
