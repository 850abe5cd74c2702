/* SPDX-License-Identifier: MIT */
/* What a commit touches: --since, `list --inputs`. */
#include "support/project.h"

static void git(const char *arguments)
{
    char command[400];
    snprintf(command, sizeof command,
             "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main %s >/dev/null 2>&1",
             arguments);
    if (system(command) != 0)
        fail_msg("git %s", arguments);
}

static void begin_repository(void)
{
    write_text("part.yaml", "thalweg: 1\ninputs: {land: heightmap}\n"
                            "nodes: {n: {type: shape.invert, in: land}}\noutputs: {out: n}\n");
    write_text("levels/05/terrain.yaml",
               "thalweg: 1\nsize: 16\nnodes:\n  n: {type: noise.perlin}\n"
               "  p: {type: ../../part.yaml, land: n}\noutputs: {h: p.out}\nexport: {h.npy: h}\n");
    write_text("levels/06/terrain.yaml",
               "thalweg: 1\nsize: 16\nnodes:\n  n: {type: source.heightmap, file: in.npy}\n"
               "outputs: {h: n}\nexport: {h.npy: h}\n");
    assert_int_equal(run("run levels/05/terrain.yaml --allow-path . -q -o start"), 0);
    assert_int_equal(rename("start/h.npy", "levels/06/in.npy"), 0);
    assert_int_equal(run("lock -q --allow-path ."), 0);
    write_text(".gitignore", "out\nverify\ncache\nstart\n");
    git("init -q .");
    git("add -A");
    git("commit -q -m base");
    git("branch base");
}

/* The recipes of the project that have changed, as `list` names them. */
static void expect_changed(const char *names)
{
    assert_int_equal(run("list --since base --allow-path ."), 0);
    assert_string_equal(result.out, names);
}

static void recipes_are_taken_by_what_they_read(void **state)
{
    (void)state;
    begin_repository();
    expect_changed("");
    contains(result.err, "note: 0 of 40 recipes have changed since base\n");
    edit("levels/02/terrain.yaml", "talus: 3", "talus: 4");
    git("commit -q -a -m second");
    expect_changed("levels/02/terrain.yaml\n"); /* committed, against where it left */
    edit("part.yaml", "thalweg: 1\n", "thalweg: 1\n# more\n");
    expect_changed("levels/02/terrain.yaml\nlevels/05/terrain.yaml\n");
    assert_int_equal(run("run levels/05/terrain.yaml --allow-path . -q -o start --seed 9"), 0);
    assert_int_equal(rename("start/h.npy", "levels/06/in.npy"), 0);
    expect_changed("levels/02/terrain.yaml\nlevels/05/terrain.yaml\nlevels/06/terrain.yaml\n");
    assert_int_equal(mkdir("levels/new", 0777), 0);
    write_level("levels/new", 3);
    assert_int_equal(run("run --since base levels/02/terrain.yaml levels/03/terrain.yaml "
                         "levels/new/terrain.yaml"),
                     0);
    assert_string_equal(last_line(result.out), "2 recipes: 4 exports written, 0 unchanged");
    assert_int_equal(unlink("levels/03/terrain.yaml.lock"), 0);
    assert_int_equal(run("verify --since base levels/03/terrain.yaml levels/04/terrain.yaml"), 3);
    contains(last_line(result.out), "1 of 1 failed: levels/03/terrain.yaml");
    edit("thalweg-project.yaml", "out:", "about: more\nout:");
    assert_int_equal(run("list --since base"), 0);
    contains(result.err, "note: 41 of 41 recipes have changed");
}

/* Commits all and calls it base. */
static void commit_base(void)
{
    git("add -A");
    git("commit -q -m more");
    git("branch -f base");
}

static void use_part(const char *folder)
{
    char path[80];
    assert_int_equal(mkdir(folder, 0777), 0);
    snprintf(path, sizeof path, "%s/terrain.yaml", folder);
    write_text(path, "thalweg: 1\nsize: 16\nnodes:\n  n: {type: noise.perlin}\n"
                     "  p: {type: ../../part.yaml, land: n}\noutputs: {h: p.out}\n"
                     "export: {h.npy: h}\n");
}

static void a_part_takes_all_that_use_it(void **state)
{
    (void)state;
    begin_repository();
    use_part("levels/a b");
    commit_base();
    edit("part.yaml", "thalweg: 1\n", "thalweg: 1\n# more\n");
    git("commit -q -a -m part");
    write_text("notes.txt", "nothing reads this\n");
    expect_changed("levels/05/terrain.yaml\nlevels/a b/terrain.yaml\n");
    contains(result.err, "note: 2 of 41 recipes have changed");
}

static void a_renamed_recipe_and_a_removed_input_have_changed(void **state)
{
    (void)state;
    begin_repository();
    git("mv levels/02 'levels/z\xc3\xa4h \"x'");
    expect_changed("levels/z\xc3\xa4h \"x/terrain.yaml\n");
    git("commit -q -m renamed");
    expect_changed("levels/z\xc3\xa4h \"x/terrain.yaml\n");
    assert_int_equal(unlink("levels/06/in.npy"), 0);
    expect_changed("levels/06/terrain.yaml\nlevels/z\xc3\xa4h \"x/terrain.yaml\n");
    git("checkout -q .");
    assert_int_equal(chdir("levels/07"), 0);
    edit("terrain.yaml", "talus: 8", "talus: 9");
    assert_int_equal(run("list --since base --allow-path ../.."), 0);
    assert_string_equal(result.out, "../../levels/07/terrain.yaml\n"
                                    "../../levels/z\xc3\xa4h \"x/terrain.yaml\n");
    assert_int_equal(run("list --since base terrain.yaml"), 0);
    assert_string_equal(result.out, "terrain.yaml\n");
}

static void links_are_followed(void **state)
{
    (void)state;
    begin_repository();
    assert_int_equal(mkdir("shared", 0777), 0);
    assert_int_equal(rename("levels/06/in.npy", "shared/in.npy"), 0);
    assert_int_equal(symlink("../../shared/in.npy", "levels/06/in.npy"), 0);
    assert_int_equal(symlink("levels/07", "seven"), 0);
    commit_base();
    assert_int_equal(run("run levels/05/terrain.yaml --allow-path . -q -o start --seed 9"), 0);
    assert_int_equal(rename("start/h.npy", "shared/in.npy"), 0);
    expect_changed("levels/06/terrain.yaml\n");
    edit("levels/07/terrain.yaml", "talus: 8", "talus: 9");
    assert_int_equal(run("list --since base seven/terrain.yaml levels/08/terrain.yaml"), 0);
    assert_string_equal(result.out, "seven/terrain.yaml\n");
}

/* Git says of a repository within another only that something in it has changed. */
static void a_repository_within_another_has_changed_as_a_whole(void **state)
{
    (void)state;
    begin_repository();
    assert_int_equal(mkdir("levels/sub", 0777), 0);
    use_part("levels/sub/x");
    edit("levels/sub/x/terrain.yaml", "../../part", "../../../part");
    git("init -q levels/sub");
    git("-C levels/sub add -A");
    git("-C levels/sub commit -q -m base");
    expect_changed("levels/sub/x/terrain.yaml\n"); /* new */
    commit_base();                                 /* as a submodule is */
    expect_changed("");
    edit("levels/sub/x/terrain.yaml", "noise.perlin", "noise.midpoint");
    expect_changed("levels/sub/x/terrain.yaml\n");
    git("-C levels/sub commit -q -a -m second");
    expect_changed("levels/sub/x/terrain.yaml\n");
    git("commit -q -a -m taken");
    expect_changed("levels/sub/x/terrain.yaml\n");
}

/* Of a recipe elsewhere this repository knows nothing. */
static void a_recipe_of_no_repository_has_changed(void **state)
{
    (void)state;
    assert_int_equal(mkdir("in", 0777), 0);
    assert_int_equal(mkdir("beside", 0777), 0);
    write_level("in", 1);
    write_level("beside", 1);
    git("init -q in");
    git("-C in add -A");
    git("-C in commit -q -m base");
    assert_int_equal(run("list --since HEAD in/terrain.yaml beside/terrain.yaml"), 0);
    assert_string_equal(result.out, "beside/terrain.yaml\n");
}

static void a_shallow_clone_lacks_the_ancestor(void **state)
{
    char folder[400], command[600];
    (void)state;
    begin_repository();
    edit("levels/02/terrain.yaml", "talus: 3", "talus: 4");
    git("commit -q -a -m second");
    assert_non_null(getcwd(folder, sizeof folder));
    snprintf(command, sizeof command, "clone -q --depth 1 --no-single-branch 'file://%s' clone",
             folder);
    git(command);
    assert_int_equal(chdir("clone"), 0);
    assert_int_equal(run("list --since origin/base"), 3);
    contains(result.err, "git knows no common ancestor of HEAD and 'origin/base'");
    contains(result.err, "'git fetch --unshallow' gets");
    git("fetch -q --unshallow");
    assert_int_equal(run("list --since origin/base --allow-path ."), 0);
    assert_string_equal(result.out, "levels/02/terrain.yaml\n");
}

/* Two tiles, the second of which may be missing. */
static void begin_tiles(void)
{
    write_text("tiled.yaml", "thalweg: 1\nsize: [32, 16]\nnodes: {n: {type: noise.perlin}}\n"
                             "export: {t.png: {from: n, range: [-1, 2], tiles: 16}}\n");
    assert_int_equal(run("run tiled.yaml -q -o levels/06/tiles"), 0);
    write_text("levels/06/terrain.yaml",
               "thalweg: 1\nsize: 16\nnodes:\n"
               "  n: {type: source.heightmap, file: tiles/t*.png, range: [-1, 2], fit: bilinear}\n"
               "outputs: {h: n}\nexport: {h.npy: h}\n");
}

static void tiles_come_and_go(void **state)
{
    (void)state;
    begin_repository();
    begin_tiles();
    commit_base();
    expect_changed("");
    write_text("levels/06/tiles/notes.txt", "no tile\n");
    expect_changed("");
    assert_int_equal(run("list --inputs levels/06/terrain.yaml"), 0);
    contains(result.out, "  levels/06/tiles/t_x0_y0.png\n  levels/06/tiles/t_x1_y0.png\n");
    assert_null(strchr(result.out, '*'));
    assert_int_equal(rename("levels/06/tiles/t_x1_y0.png", "kept.png"), 0);
    assert_int_equal(run("list --inputs levels/06/terrain.yaml"), 0); /* one is enough */
    expect_changed("levels/06/terrain.yaml\n");
    git("commit -q -a -m removed");
    expect_changed("levels/06/terrain.yaml\n");
    commit_base();
    expect_changed("");
    assert_int_equal(rename("kept.png", "levels/06/tiles/t_x1_y0.png"), 0);
    expect_changed("levels/06/terrain.yaml\n");
    assert_int_equal(run("run levels/06/terrain.yaml -q -o out --depfile out.d"), 0);
    char *rule = read_text("out.d");
    contains(rule, "  levels/06/tiles/t_x0_y0.png \\\n  levels/06/tiles/t_x1_y0.png");
    assert_null(strchr(rule, '*'));
    free(rule);
}

static void what_needs_git_says_so(void **state)
{
    (void)state;
    assert_int_equal(run("run --since main"), 3);
    contains(result.err, "--since needs git, and the working folder lies in no repository");
    begin_repository();
    assert_int_equal(run("run --since origin/none"), 3);
    contains(result.err, "git knows no common ancestor of HEAD and 'origin/none'");
    assert_int_equal(run("run --since --output=x"), 3);
    assert_false(exists("x"));
}

static void a_list_names_what_recipes_read(void **state)
{
    (void)state;
    begin_repository();
    assert_int_equal(run("list levels/05/terrain.yaml levels/06/terrain.yaml --inputs "
                         "--allow-path ."),
                     0);
    assert_string_equal(result.out, "levels/05/terrain.yaml\n  levels/05/terrain.yaml\n"
                                    "  part.yaml\n  thalweg-project.yaml\n"
                                    "levels/06/terrain.yaml\n  levels/06/in.npy\n"
                                    "  levels/06/terrain.yaml\n  thalweg-project.yaml\n");
    write_text("bad.yaml", "thalweg: 1\nsede: 1\n");
    assert_int_equal(run("list bad.yaml --inputs"), 3);
    contains(result.err, "bad.yaml:2:1: error: a recipe has no key 'sede'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PROJECT_TEST(recipes_are_taken_by_what_they_read),
        PROJECT_TEST(a_part_takes_all_that_use_it),
        PROJECT_TEST(a_renamed_recipe_and_a_removed_input_have_changed),
        PROJECT_TEST(links_are_followed),
        PROJECT_TEST(a_repository_within_another_has_changed_as_a_whole),
        PROJECT_TEST(a_recipe_of_no_repository_has_changed),
        PROJECT_TEST(a_shallow_clone_lacks_the_ancestor),
        PROJECT_TEST(tiles_come_and_go),
        PROJECT_TEST(what_needs_git_says_so),
        PROJECT_TEST(a_list_names_what_recipes_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
