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
        PROJECT_TEST(what_needs_git_says_so),
        PROJECT_TEST(a_list_names_what_recipes_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
