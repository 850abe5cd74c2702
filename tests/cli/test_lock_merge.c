/* SPDX-License-Identifier: MIT */
/* Locks of two branches, which git merges where they touch different results; and locks of the
 * first version. */
#include "support/gate.h"

static void git(const char *arguments)
{
    char command[400];
    snprintf(command, sizeof command,
             "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main %s >git.log 2>&1",
             arguments);
    if (system(command) != 0)
        fail_msg("git %s", arguments);
}

static void write_outputs(const char *first, const char *second)
{
    char text[600];
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: 16\nnodes:\n  a: {type: source.constant, value: %s}\n\n"
             "  c: {type: source.constant, value: 0.5}\n\n"
             "  b: {type: source.constant, value: %s}\n"
             "outputs: {one: a, two: b}\nexport: {one.npy: one, two.npy: two}\n",
             first, second);
    write_text("two.yaml", text);
}

static void two_outputs_merge_without_a_conflict(void **state)
{
    (void)state;
    git("init -q .");
    write_outputs("0.25", "0.25");
    assert_int_equal(run("lock two.yaml"), 0);
    git("add two.yaml two.yaml.lock");
    git("commit -q -m base");
    git("checkout -q -b other");
    write_outputs("0.25", "0.75");
    assert_int_equal(run("lock two.yaml"), 0);
    git("commit -q -a -m second");
    git("checkout -q main");
    write_outputs("0.5", "0.25");
    assert_int_equal(run("lock two.yaml"), 0);
    git("commit -q -a -m first");
    git("merge -q --no-edit other");
    assert_int_equal(run("verify two.yaml"), 0);
}

static void locks_of_the_first_version_are_read(void **state)
{
    (void)state;
    write_outputs("0.25", "0.5");
    assert_int_equal(run("lock two.yaml"), 0);
    char *lock = read_text("two.yaml.lock"), *old = calloc(strlen(lock) + 1, 1), *to = old;
    bool block = false;
    for (const char *at = lock; *at;) { /* puts each block of a result into one line */
        size_t length = strcspn(at, "\n");
        bool heads = strncmp(at, "exports:", 8) == 0 || strncmp(at, "outputs:", 8) == 0;
        block = at[0] == ' ' ? block : heads;
        if (block && strncmp(at, "    ", 4) == 0)
            to += sprintf(to, "%s%.*s%s", to[-1] == '{' ? "" : ", ", (int)length - 4, at + 4,
                          strncmp(at, "    type", 8) == 0 ? "}\n" : "");
        else
            to += sprintf(to, "%.*s%s", (int)length, at, block && at[0] == ' ' ? " {" : "\n");
        at += length + 1;
    }
    write_text("two.yaml.lock", old);
    edit("two.yaml.lock", "thalweg-lock: 2", "thalweg-lock: 1");
    contains(old, "  \"one.npy\": {greatest: ");
    assert_int_equal(run("verify two.yaml"), 0);
    assert_int_equal(run("lock two.yaml"), 0);
    char *again = read_text("two.yaml.lock");
    assert_string_equal(again, lock);
    free(again);
    free(old);
    free(lock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {GATE_TEST(two_outputs_merge_without_a_conflict),
                                       GATE_TEST(locks_of_the_first_version_are_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
