/* SPDX-License-Identifier: MIT */
/* Standard output is a pipe that has lost its reader, as behind `| head -1`: every command ends by
 * SIGPIPE without a word, and leaves no file half written. */
#include "support/command.h"
#include "support/harness.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char recipe[] = "thalweg: 1\nsize: 8\nnodes:\n  a: {type: noise.midpoint}\n"
                             "outputs: {height: a}\nexport: {a.npy: height}\n";
static const char other[] = "thalweg: 1\nsize: 8\nseed: 2\nnodes:\n  a: {type: noise.midpoint}\n"
                            "outputs: {height: a}\n";
static const char experiment[] =
    "thalweg-experiment: 1\nrecipe: a.yaml\nseeds: [1, 2]\n"
    "measure: [height.mean]\nvariants: {v: {}, w: {nodes: {a: {type: noise.perlin}}}}\n";

static const char *const commands[] = {
    "--help",
    "--version",
    "run --help",
    "run a.yaml -o out",
    "run a.yaml -o out --json",
    "run a.yaml -o out --trace -",
    "run a.yaml -o out --events -",
    "run a.yaml --dry-run",
    "run none.yaml --format sarif",
    "serve a.yaml",
    "check a.yaml",
    "list a.yaml --inputs",
    "run a.yaml -o out --depfile -",
    "graph a.yaml",
    "nodes",
    "nodes noise.perlin",
    "schema",
    "schema snippets",
    "mcp --help",
    "library",
    "schema documents",
    "compare e.yaml",
    "compare e.yaml --csv -",
    "compare e.yaml --html -",
    "judge e.yaml --html -",
    "lock a.yaml",
    "verify a.yaml",
    "diff a.yaml b.yaml",
    "inspect map.npy",
    "cache stats",
    "doctor",
    "completions bash",
    "man",
};

/* With what it prints on standard error in `words`; 128 and more for a signal. */
static int run_unread(const char *arguments, void (*on_pipe)(int), char *words, size_t size)
{
    char text[200], *list[20] = {TW_COMMAND}, *rest = text;
    int out[2], err[2], status = 0;
    snprintf(text, sizeof text, "%s", arguments);
    for (int i = 1; i < 19 && (list[i] = strtok_r(rest, " ", &rest)); i++)
        ;
    assert_int_equal(pipe(out), 0);
    assert_int_equal(pipe(err), 0);
    (void)fflush(NULL);
    int process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        (void)close(out[0]);
        signal(SIGPIPE, on_pipe);
        if (dup2(out[1], STDOUT_FILENO) < 0 || dup2(err[1], STDERR_FILENO) < 0)
            _exit(125);
        execv(TW_COMMAND, list);
        _exit(126);
    }
    (void)close(out[0]);
    (void)close(out[1]);
    (void)close(err[1]);
    size_t used = 0;
    for (ssize_t got; (got = read(err[0], words + used, size - 1 - used)) > 0;)
        used += (size_t)got;
    words[used] = 0;
    (void)close(err[0]);
    assert_int_equal(waitpid(process, &status, 0), process);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void every_command_ends_quietly(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char words[4000];
        int code = run_unread(commands[i], SIG_DFL, words, sizeof words);
        if (code != 128 + SIGPIPE)
            fail_msg("thalweg %s: ended with %d: %s", commands[i], code, words);
        if (strstr(words, "standard output") || strstr(words, "cannot write"))
            fail_msg("thalweg %s: %s", commands[i], words);
    }
    DIR *folder = opendir("out");
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));)
        assert_null(strstr(entry->d_name, ".tmp"));
    (void)closedir(folder);
}

/* The commands that `thalweg --help` lists are all in the table above. */
static void no_command_is_left_out(void **state)
{
    static struct command_result help;
    char name[40];
    int count = 0;
    (void)state;
    command_expect("--help", 0, &help);
    const char *end = strstr(help.out, "\nexit codes");
    assert_non_null(end);
    for (const char *at = strstr(help.out, "\n  "); at && at < end; at = strstr(at + 1, "\n  ")) {
        bool found = false;
        assert_int_equal(sscanf(at, " %39[a-z]", name), 1);
        for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
            found = found || strncmp(commands[i], name, strlen(name)) == 0;
        if (!found)
            fail_msg("%s is not in the table", name);
        count++;
    }
    assert_true(count > 10);
}

/* Whoever ignores the signal, as a shell after `trap '' PIPE`, gets an error. */
static void a_parent_that_ignores_the_signal_gets_an_error(void **state)
{
    char words[4000];
    (void)state;
    assert_int_equal(run_unread("nodes", SIG_IGN, words, sizeof words), 4);
    assert_string_equal(words, "thalweg: cannot write to standard output\n");
}

static int enter(void **state)
{
    static struct command_result result;
    command_set_up(state);
    command_write("a.yaml", recipe, sizeof recipe - 1);
    command_write("b.yaml", other, sizeof other - 1);
    command_write("e.yaml", experiment, sizeof experiment - 1);
    command_expect("run a.yaml -o .", 0, &result);
    command_expect("lock a.yaml", 0, &result);
    return rename("a.npy", "map.npy");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_ends_quietly),
        cmocka_unit_test(no_command_is_left_out),
        cmocka_unit_test(a_parent_that_ignores_the_signal_gets_an_error),
    };
    (void)alarm(300);
    return cmocka_run_group_tests(tests, enter, command_tear_down);
}
