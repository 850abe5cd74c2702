/* SPDX-License-Identifier: MIT */
/* `thalweg doctor`: each state of each check, with where it comes from and what helps. Also what
 * other commands say of a machine without a cache folder. */
#include "support/command.h"
#include "support/harness.h"
#include "support/sanitized.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

static struct command_result result;

#define NO_FOLDER                                                                                  \
    "error: cache folder: there is none\n    set HOME, XDG_CACHE_HOME or --cache-dir\n"

static const struct row {
    const char *name, *value; /* of the environment; "": not set */
    const char *arguments;
    int code;
    const char *line; /* of standard output, up to what depends on the machine */
    const char *err;  /* part of standard error; "": nothing is there, but what doctor warns of */
} rows[] = {
    {NULL, NULL, "doctor", 0, "ok      version       " TW_VERSION "\n", ""},
    {NULL, NULL, "doctor --no-cache", 0, "note    cache folder  there is none (--no-cache)\n",
     "warning: cache folder: there is none\n"},
    {NULL, NULL, "doctor --cache-dir there", 0,
     "ok      cache folder  there, 0 entries, 0 MiB (--cache-dir)\n", ""},
    {NULL, NULL, "doctor --cache-dir file/x", 4, "failed  cache folder  file/x: ",
     "    runs work, but compute each time what they cannot read or keep there\n"},
    {NULL, NULL, "doctor --cache-dir there", 0,
     "ok      cache secret  only its owner can read it (--cache-dir)\n", ""},
    {NULL, NULL, "doctor --cache-dir odd", 4,
     "failed  cache secret  cannot read odd/v1/secret: not a regular file (--cache-dir)\n",
     "    a run makes a new one where there is none\n"},
    {"XDG_CACHE_HOME", "relative", "doctor", 0,
     "ok      cache folder  home/.cache/thalweg, 0 entries, 0 MiB (HOME)\n", ""},
    {"HOME", "", "doctor", 4, "failed  cache folder  there is none (HOME)\n", NO_FOLDER},
    {"HOME", "", "doctor --no-cache", 0, "note    cache folder  there is none (--no-cache)\n",
     "warning: cache folder: there is none\n"},
    {NULL, NULL, "doctor", 0, "ok      cache size    8192 MiB (default)\n", ""},
    {NULL, NULL, "doctor", 0, "ok      cache server  none is named\n", ""},
    {NULL, NULL, "doctor", 0, "ok      memory        no limit a run; the machine has ", ""},
    {NULL, NULL, "doctor --max-memory 5M", 0, "ok      memory        5 MiB a run; the machine has ",
     ""},
    {NULL, NULL, "doctor --max-memory 16777215G", 4,
     "failed  memory        17179868160 MiB a run; the machine has ",
     "    --max-memory is more than there is\n"},
    {NULL, NULL, "doctor -j 3", 0, "ok      threads       3, of ", ""},
    {"THALWEG_SIMD", "base", "doctor", 0, "ok      simd          base (THALWEG_SIMD)\n", ""},
    {"THALWEG_SIMD", "sse", "doctor", 4, "failed  simd          ",
     "    THALWEG_SIMD is none of base, avx2 and avx512, and has no effect\n"},
    {"PATH", "/none", "doctor", 0, "note    git           there is no git (PATH)\n",
     "warning: git: there is no git\n    'thalweg diff HEAD~1:FILE' needs it\n"},
    {NULL, NULL, "doctor", 0, "ok      clock         it is set\n", ""},
    {NULL, NULL, "doctor", 0,
     "ok      determinism   a small recipe gives the bytes expected: ", ""},

    {"HOME", "", "cache stats", 2, "",
     "thalweg: there is no cache folder: set --cache-dir or HOME\n"},
    {"HOME", "", "run a.yaml --on slurm", 2, "",
     "thalweg: --on slurm needs a cache folder: set --cache-dir or HOME\n"},
    {"HOME", "", "run a.yaml", 0, "",
     "warning: there is no cache: neither --cache-dir, XDG_CACHE_HOME nor HOME names a folder\n"},
    {"HOME", "", "run a.yaml -q", 0, "",
     "warning: there is no cache: neither --cache-dir, XDG_CACHE_HOME nor HOME names a folder\n"},
    {"HOME", "", "run a.yaml -q --no-cache", 0, "", ""},
};

static void set(const char *name, const char *value)
{
    if (value[0])
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static void run(const struct row *row)
{
    char path[4000];
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    set("HOME", "home");
    set("THALWEG_SIMD", "");
    set("XDG_CACHE_HOME", "");
    if (row->name)
        set(row->name, row->value);
    command_run(row->arguments, &result);
    set("PATH", path);
}

static bool is_line(const char *text, const char *line)
{
    const char *at = strstr(text, line);
    return at && (at == text || at[-1] == '\n');
}

static void every_state_is_said(void **state)
{
    int wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run(&rows[i]);
        if (result.code == rows[i].code && is_line(result.out, rows[i].line) &&
            strstr(result.err, rows[i].err) &&
            (rows[i].err[0] || !result.err[0] || strncmp(rows[i].arguments, "doctor", 6) == 0))
            continue;
        print_error("%s, exit code %d\nexpected %s\n%s\nfound\n%s%s\n", rows[i].arguments,
                    result.code, rows[i].line, rows[i].err, result.out, result.err);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* Runs it with a soft limit. */
static void limited(int resource, rlim_t limit, int code, const char *line)
{
    struct rlimit before, now;
    set("HOME", "home");
    assert_int_equal(getrlimit(resource, &before), 0);
    now = before;
    now.rlim_cur = limit;
    assert_int_equal(setrlimit(resource, &now), 0);
    command_run("doctor", &result);
    assert_int_equal(setrlimit(resource, &before), 0);
    assert_int_equal(result.code, code);
    command_expect_words(result.out, line);
}

static void limits_of_the_shell_are_said(void **state)
{
    (void)state;
    limited(RLIMIT_NOFILE, 30, 4, "failed  open files    30 (ulimit -n)\n");
    command_expect_words(result.err, "error: open files: 30\n    a run opens up to 32 more\n");
    limited(RLIMIT_NOFILE, 8, 4, "a small recipe fails: cannot start an event loop\n");
    assert_null(strstr(result.err, "breaks the rules")); /* it gave no bytes at all */
    limited(RLIMIT_NOFILE, 100, 0, "ok      open files    100 (ulimit -n)\n");
    if (!SANITIZED) /* their shadows are larger */
        limited(RLIMIT_AS, (rlim_t)4000 << 20, 0,
                ", 4000 MiB of addresses (ulimit -v) (default)\n");
}

static void threads_have_a_source(void **state)
{
    static const char *const sources[][2] = {{"doctor", "(default)"},
                                             {"doctor -j 1", "(--threads)"}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        command_run(sources[i][0], &result);
        const char *line = strstr(result.out, "\nok      threads ");
        assert_non_null(line);
        size_t length = strcspn(line + 1, "\n"), words = strlen(sources[i][1]);
        assert_memory_equal(line + 1 + length - words, sources[i][1], words);
    }
}

static int set_up(void **state)
{
    static const char recipe[] = "thalweg: 1\nsize: 4\nnodes: {a: {type: source.constant}}\n"
                                 "outputs: {height: a}\n";
    (void)state;
    command_enter();
    command_write("a.yaml", recipe, strlen(recipe));
    command_write("file", "", 0);
    /* a secret that cannot be read, not even by root */
    return mkdir("odd", 0700) || mkdir("odd/v1", 0700) || mkdir("odd/v1/secret", 0700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_state_is_said),
                                       cmocka_unit_test(threads_have_a_source),
                                       cmocka_unit_test(limits_of_the_shell_are_said)};
    return cmocka_run_group_tests(tests, set_up, command_tear_down);
}
