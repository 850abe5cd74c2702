/* SPDX-License-Identifier: MIT */
/* Read-only files, as Perforce leaves them: --checkout, and what happens without it. A script
 * stands in for p4: it notes its words and, for `edit`, makes the last of them writable. */
#include "support/gate.h"

#include <sys/stat.h>

#define EDIT " --checkout=./p4\tedit\t{file}"

static int begin_workspace(void **state)
{
    begin(state);
    write_text("p4", "#!/bin/sh\n"
                     "for word; do echo \"<$word>\" >> words; done\n"
                     "for word; do :; done\n"
                     "case $1 in\n"
                     "edit) chmod u+w \"$word\";;\n"
                     "lie) echo not in the client >&2;;\n"
                     "*) echo some progress; echo no such client >&2; exit 3;;\n"
                     "esac\n");
    assert_int_equal(chmod("p4", 0755), 0);
    return 0;
}

#define WORKSPACE_TEST(test)                                                                       \
    cmocka_unit_test_setup_teardown(test, begin_workspace, command_tear_down)

static void protect(const char *name) { assert_int_equal(chmod(name, 0444), 0); }

static bool same_text(const char *name, const char *text)
{
    char *now = read_text(name);
    bool same = strcmp(now, text) == 0;
    free(now);
    return same;
}

/* hills.yaml has run, its exports are read-only, and all three would change. */
static void begin_change(void)
{
    assert_int_equal(run("run hills.yaml"), 0);
    protect("out/height.png");
    protect("out/shade.png");
    protect("out/all.json");
    write_recipe("hills.yaml", 3, "");
}

static void read_only_exports_are_left_alone(void **state)
{
    (void)state;
    begin_change();
    assert_int_equal(chmod("out/shade.png", 0644), 0);
    char *before = read_text("out/all.json");
    assert_int_equal(run("run hills.yaml"), 1);
    contains(result.err,
             "hills.yaml:12:10: error: out/all.json would change, but is read-only: it is left "
             "alone");
    contains(result.err, "--checkout 'p4 edit {file}'");
    contains(result.err, "out/height.png would change");
    lacks(result.err, "out/shade.png would change");
    contains(result.out, "out/shade.png\n");
    contains(result.out, "1 of 1 failed: hills.yaml:1");
    contains(result.out, "; 1 export written, 0 unchanged");
    assert_true(same_text("out/all.json", before));
    free(before);
    assert_int_equal(run("run hills.yaml --json"), 1);
    contains(result.out, "out/all.json would change");
}

static void unchanged_ones_are_no_fault(void **state)
{
    static const char *const ways[] = {"run hills.yaml", "run hills.yaml --no-cache",
                                       "run hills.yaml --bands",
                                       "run hills.yaml --cache-dir other"};
    (void)state;
    write_text("hills.yaml",
               "thalweg: 1\nsize: 700\nnodes: {n: {type: noise.perlin}}\n"
               "outputs: {h: n}\nexport: {h.npy: h, h.r32: {from: h, sidecar: true}}\n");
    assert_int_equal(run("run hills.yaml"), 0);
    protect("out/h.npy");
    protect("out/h.r32");
    protect("out/h.r32.json");
    char *sidecar = read_text("out/h.r32.json");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        assert_int_equal(run(ways[i]), 0);
        contains(result.out, "1 recipe: 0 exports written, 3 unchanged");
    }
    char words[200];
    assert_int_equal(chmod("out/h.r32.json", 0644), 0);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        snprintf(words, sizeof words, "%s --seed 9", ways[i]);
        assert_int_equal(run(words), 1);
        contains(result.err, "out/h.npy would change");
        contains(result.err, "out/h.r32 would change");
        lacks(result.err, "out/h.r32.json"); /* it stays beside its file */
    }
    assert_true(same_text("out/h.r32.json", sidecar));
    free(sidecar);
    protect("out/h.r32.json");
    assert_int_equal(run("run hills.yaml --bands --seed 9" EDIT), 0);
    contains(result.out, "1 recipe: 3 exports written, 0 unchanged");
}

static void a_command_makes_them_writable(void **state)
{
    (void)state;
    begin_change();
    assert_int_equal(run("run hills.yaml" EDIT), 0);
    contains(result.out, "3 exports written");
    char *words = read_text("words");
    contains(words, "<edit>\n<out/shade.png>\n");
    contains(words, "<edit>\n<out/all.json>\n");
    free(words);
    unlink("words");
    protect("out/all.json");
    assert_int_equal(run("run hills.yaml" EDIT), 0); /* nothing would change */
    assert_false(exists("words"));
}

static void words_are_split_and_no_shell_reads_them(void **state)
{
    (void)state;
    assert_int_equal(run("run hills.yaml -o -\xc3\xb6;x"), 0);
    protect("-\xc3\xb6;x/all.json");
    write_recipe("hills.yaml", 3, "");
    assert_int_equal(
        run("run hills.yaml -o -\xc3\xb6;x "
            "--checkout=./p4\tedit\t--of={file}.x\t;touch\tbad\t$(touch\tbad)\t{file}"),
        0);
    assert_true(same_text("words", "<edit>\n<--of=./-\xc3\xb6;x/all.json.x>\n<;touch>\n<bad>\n"
                                   "<$(touch>\n<bad)>\n<./-\xc3\xb6;x/all.json>\n"));
    assert_false(exists("bad"));
    assert_int_equal(run("run hills.yaml --checkout=p4\tedit"), 2);
    contains(result.err, "--checkout is 'p4?edit'; expected a program and its words, one of them "
                         "with {file}");
    assert_int_equal(run("run hills.yaml --checkout={file}"), 2);
}

static void a_word_in_quotes_keeps_its_blanks(void **state)
{
    (void)state;
    assert_int_equal(run("run hills.yaml"), 0);
    protect("out/all.json");
    write_recipe("hills.yaml", 3, "");
    assert_int_equal(rename("p4", "my\tp4"), 0);
    assert_int_equal(run("run hills.yaml --checkout='./my\tp4'\tedit\t\"\"\t'a\t\"{file}\"'\t'b"
                         "\t{file}"),
                     0);
    assert_true(same_text("words", "<edit>\n<>\n<a\t\"out/all.json\">\n<'b>\n<out/all.json>\n"));
}

static void a_failure_is_named(void **state)
{
    (void)state;
    begin_change();
    assert_int_equal(run("run hills.yaml --checkout=./p4\tfail\t{file}"), 4);
    contains(result.err, "out/all.json is read-only: --checkout's './p4' ended with exit status 3: "
                         "some progress no such client");
    assert_int_equal(run("run hills.yaml --checkout=./p4\tlie\t{file}"), 4);
    contains(result.err, "out/all.json is still read-only after --checkout's './p4': "
                         "not in the client");
    assert_int_equal(run("run hills.yaml --checkout=./none\t{file}"), 4);
    contains(result.err, "--checkout cannot run './none'");
}

static void locks_are_kept_alike(void **state)
{
    (void)state;
    write_recipe("more.yaml", 4, "");
    assert_int_equal(run("lock hills.yaml more.yaml"), 0);
    protect("hills.yaml.lock");
    assert_int_equal(run("lock hills.yaml more.yaml"), 0);
    write_recipe("hills.yaml", 3, "");
    write_recipe("more.yaml", 3, "");
    char *before = read_text("hills.yaml.lock");
    assert_int_equal(run("verify hills.yaml more.yaml --update"), 1);
    contains(result.err, "hills.yaml.lock would change, but is read-only");
    contains(result.out, "1 lock written");
    assert_int_equal(run("lock hills.yaml more.yaml"), 1);
    contains(result.err, "hills.yaml.lock would change, but is read-only");
    contains(result.out, "more.yaml.lock: unchanged");
    assert_true(same_text("hills.yaml.lock", before));
    free(before);
    assert_int_equal(run("lock hills.yaml" EDIT), 0);
    contains(result.out, "hills.yaml.lock: written");
    protect("hills.yaml.lock");
    write_recipe("hills.yaml", 5, "");
    assert_int_equal(run("verify hills.yaml --update" EDIT), 0);
    contains(result.out, "1 lock written");
    assert_int_equal(run("verify hills.yaml"), 0);
}

static void a_page_is_kept_alike(void **state)
{
    (void)state;
    assert_int_equal(run("lock hills.yaml"), 0);
    write_recipe("hills.yaml", 3, "");
    assert_int_equal(run("verify hills.yaml"), 1);
    protect("verify/index.html");
    assert_int_equal(run("verify hills.yaml"), 1);
    contains(result.err, "verify/index.html would change, but is read-only");
    assert_int_equal(run("verify hills.yaml" EDIT), 1);
    contains(result.out, "pictures and all numbers: verify/index.html");
}

/* Only who types the command chooses it. */
static void no_file_gives_the_command(void **state)
{
    (void)state;
    begin_change();
    write_text("thalweg-project.yaml", "thalweg-project: 1\nrecipes: [hills.yaml]\n"
                                       "checkout: ./p4 edit {file}\n");
    assert_int_equal(run("run"), 3);
    contains(result.err, "a project has no key 'checkout'");
    assert_false(exists("words"));
}

/* Without git on the path, locks and maps are compared all the same. */
static void what_needs_git_names_it(void **state)
{
    (void)state;
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    int locked = run("lock hills.yaml"), verified = run("verify hills.yaml");
    int changed = run("run hills.yaml --since main");
    contains(result.err, "--since needs git, and there is no such program");
    int compared = run("diff HEAD:hills.yaml hills.yaml");
    contains(result.err, "'HEAD:hills.yaml' needs git, and there is no such program");
    write_recipe("more.yaml", 3, "");
    int files = run("diff hills.yaml more.yaml");
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(locked, 0);
    assert_int_equal(verified, 0);
    assert_int_equal(changed, 3);
    assert_int_equal(compared, 3);
    assert_int_equal(files, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORKSPACE_TEST(read_only_exports_are_left_alone),
        WORKSPACE_TEST(unchanged_ones_are_no_fault),
        WORKSPACE_TEST(a_command_makes_them_writable),
        WORKSPACE_TEST(words_are_split_and_no_shell_reads_them),
        WORKSPACE_TEST(a_word_in_quotes_keeps_its_blanks),
        WORKSPACE_TEST(a_failure_is_named),
        WORKSPACE_TEST(locks_are_kept_alike),
        WORKSPACE_TEST(a_page_is_kept_alike),
        WORKSPACE_TEST(no_file_gives_the_command),
        WORKSPACE_TEST(what_needs_git_names_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
