/* SPDX-License-Identifier: MIT */
/* Annotations for GitHub's runner: place, escapes, how many, the summary, and where a lock no
 * longer holds. */
#include "support/command.h"
#include "support/harness.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct command_result result;

#define MAP "  map: {type: source.constant, value: 0.5}\n"

static void write_text(const char *name, const char *text)
{
    command_write(name, text, strlen(text));
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

static int begin(void **state)
{
    command_set_up(state);
    unsetenv("CI");
    unsetenv("GITHUB_STEP_SUMMARY");
    return 0;
}

static void an_annotation_has_the_place(void **state)
{
    (void)state;
    write_text("a,b.yaml", "thalweg: 1\nsede: 100%\nnodes:\n" MAP "outputs: {height: map}\n");
    command_run("check a,b.yaml --format github", &result);
    assert_int_equal(result.code, 3);
    assert_non_null(strstr(result.err, "a,b.yaml:2:1: error: a recipe has no key 'sede'\n"));
    assert_non_null(strstr(result.err, "\n::error file=a%2Cb.yaml,line=2,col=1,title=thalweg::a "
                                       "recipe has no key 'sede'%0Adid you mean 'seed'?\n"));
    assert_null(strstr(result.out, "::"));
}

/* As a step with `working-directory:` runs it. */
static void an_annotation_names_the_file_from_the_top(void **state)
{
    char top[PATH_MAX];
    (void)state;
    assert_non_null(getcwd(top, sizeof top));
    assert_int_equal(mkdir("maps", 0777), 0);
    assert_int_equal(mkdir("maps/more", 0777), 0);
    write_text("maps/bad.yaml", "thalweg: 1\nsede: 3\n");
    setenv("GITHUB_WORKSPACE", top, 1);
    command_run("check maps/bad.yaml --format github", &result);
    assert_non_null(strstr(result.err, "\n::error file=maps/bad.yaml,line=2,"));
    assert_int_equal(chdir("maps/more"), 0);
    command_run("check ../bad.yaml --format github", &result);
    assert_non_null(strstr(result.err, "\n::error file=maps/bad.yaml,line=2,"));
    assert_non_null(strstr(result.err, "../bad.yaml:2:1: error: "));
    command_run("check ../bad.yaml --format sarif", &result);
    assert_non_null(strstr(result.out, "\"uri\": \"maps/bad.yaml\""));
    setenv("GITHUB_WORKSPACE", "/none", 1);
    command_run("check ../bad.yaml --format github", &result);
    assert_non_null(strstr(result.err, "\n::error file=../bad.yaml,line=2,"));
    unsetenv("GITHUB_WORKSPACE");
    assert_int_equal(chdir("../.."), 0);
}

static void only_github_is_annotated(void **state)
{
    (void)state;
    write_text("bad.yaml", "thalweg: 1\nsede: 3\n");
    command_run("check bad.yaml", &result);
    assert_null(strstr(result.err, "::error"));
    setenv("GITHUB_ACTIONS", "true", 1);
    command_run("check bad.yaml", &result);
    assert_non_null(strstr(result.err, "::error"));
    command_run("check bad.yaml --format text", &result);
    assert_null(strstr(result.err, "::error"));
    unsetenv("GITHUB_ACTIONS");
    command_run("check bad.yaml --format svg", &result);
    assert_int_equal(result.code, 2);
}

/* 12 faults and 12 warnings: 10 annotations each, all in the summary. */
static void the_rest_is_in_the_summary(void **state)
{
    char text[2000] = "thalweg: 1\nnodes:\n" MAP, summary[20000] = "";
    (void)state;
    for (int i = 0; i < 12; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "  n%d: {type: a_|b}\n", i);
    snprintf(text + strlen(text), sizeof text - strlen(text), "outputs: {height: map}\n");
    write_text("bad.yaml", text);
    write_text("summary.md", "before\n");
    setenv("GITHUB_STEP_SUMMARY", "summary.md", 1);
    command_run("check bad.yaml --format github", &result);
    assert_int_equal(result.code, 3);
    assert_int_equal(count_of(result.err, "\n::error "), 10);
    FILE *file = fopen("summary.md", "r");
    assert_non_null(file);
    assert_true(fread(summary, 1, sizeof summary - 1, file) > 0);
    fclose(file);
    assert_memory_equal(summary, "before\n- **error** bad\\.yaml:4:", 30);
    assert_int_equal(count_of(summary, "- **error** "), 12);
    assert_int_equal(count_of(summary, "a\\_\\|b"), 12);
    unsetenv("GITHUB_STEP_SUMMARY");
}

/* Where the summary goes and what it names may have names of one letter. */
static void names_may_be_short(void **state)
{
    char summary[200] = "";
    (void)state;
    write_text("b", "thalweg: 1\nsede: 3\n");
    setenv("GITHUB_STEP_SUMMARY", "s", 1);
    command_run("check b --format github", &result);
    unsetenv("GITHUB_STEP_SUMMARY");
    FILE *file = fopen("s", "r");
    assert_non_null(file);
    assert_true(fread(summary, 1, sizeof summary - 1, file) > 0);
    fclose(file);
    assert_memory_equal(summary, "- **error** b:2:1 ", 18);
}

static void a_lock_that_does_not_hold_is_at_its_node(void **state)
{
    (void)state;
    write_text("flat.yaml", "thalweg: 1\nsize: 8\nnodes:\n" MAP "outputs: {height: map}\n");
    command_run("lock flat.yaml", &result);
    assert_int_equal(result.code, 0);
    command_run("verify flat.yaml --format github", &result);
    assert_int_equal(result.code, 0);
    assert_null(strstr(result.err, "::error"));
    write_text("flat.yaml", "thalweg: 1\nsize: 8\nnodes:\n  map: {type: source.constant, "
                            "value: 0.75}\noutputs: {height: map}\n");
    command_run("verify flat.yaml --format github --json", &result);
    assert_int_equal(result.code, 1);
    assert_non_null(strstr(result.err, "::error file=flat.yaml,line=4,col=8,title=thalweg::"
                                       "flat.yaml differs from flat.yaml.lock, first in node map"
                                       "%0Aparams.value: 0.5 -> 0.75\n"));
    assert_null(strstr(result.out, "::"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_annotation_has_the_place, begin, command_tear_down),
        cmocka_unit_test_setup_teardown(an_annotation_names_the_file_from_the_top, begin,
                                        command_tear_down),
        cmocka_unit_test_setup_teardown(only_github_is_annotated, begin, command_tear_down),
        cmocka_unit_test_setup_teardown(the_rest_is_in_the_summary, begin, command_tear_down),
        cmocka_unit_test_setup_teardown(names_may_be_short, begin, command_tear_down),
        cmocka_unit_test_setup_teardown(a_lock_that_does_not_hold_is_at_its_node, begin,
                                        command_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
