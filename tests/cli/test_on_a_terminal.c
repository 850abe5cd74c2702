/* SPDX-License-Identifier: MIT */
/* What a terminal gets on standard error: a line that is replaced, colours, and neither where the
 * environment says so. */
#include "support/command.h"
#include "support/harness.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define CLEAR "\r\033[K"

static const char recipe[] = "thalweg: 1\nsize: 8\nnodes:\n  a: {type: noise.midpoint}\n"
                             "  b: {type: shape.invert, in: a}\n"
                             "  c: {type: combine.maximum, a: a, b: b}\n"
                             "outputs: {height: c}\nexport: {c.npy: height}\n";
static const char experiment[] = "thalweg-experiment: 1\nrecipe: a.yaml\nseeds: [3, 4, 5, 6]\n"
                                 "measure: [height.mean]\nvariants: {a: {}}\n";

static char seen[1 << 14];

/* Runs it with standard error on a terminal: all that this shows, in `seen`; the exit code. */
static int run_on_terminal(const char *arguments)
{
    char text[300], *list[20] = {TW_COMMAND}, *rest = text;
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    int other = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    struct termios modes = {.c_oflag = 0};
    assert_true(other >= 0 && tcgetattr(other, &modes) == 0);
    modes.c_oflag &= ~(tcflag_t)OPOST; /* a line end stays one */
    assert_int_equal(tcsetattr(other, TCSANOW, &modes), 0);
    snprintf(text, sizeof text, "%s", arguments);
    for (int i = 1; i < 19 && (list[i] = strtok_r(rest, " ", &rest)); i++)
        ;
    fflush(NULL);
    int process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        if (!freopen("/dev/null", "w", stdout) || dup2(other, 2) < 0)
            _exit(125);
        execv(TW_COMMAND, list);
        _exit(126);
    }
    close(other);
    size_t used = 0;
    ssize_t got;
    while ((got = read(terminal, seen + used, sizeof seen - 1 - used)) > 0)
        used += (size_t)got;
    seen[used] = 0;
    close(terminal);
    return command_wait(process);
}

/* How long is left depends on the machine. */
static void forget_times(void)
{
    for (char *at = seen; (at = strstr(at, ", about "));) {
        at += strlen(", about ");
        size_t digits = strspn(at, "0123456789");
        if (digits > 0 && strncmp(at + digits, " s left", 7) == 0)
            memmove(at, at + digits, strlen(at + digits) + 1);
    }
}

/* The next piece of what a terminal gets, which CLEAR or a line end ends; NULL at the end. */
static const char *next_piece(const char **rest, char piece[300])
{
    const char *clear = strstr(*rest, CLEAR), *line = strchr(*rest, '\n');
    size_t length = strlen(*rest);
    if (length == 0)
        return NULL;
    if (clear && (!line || clear < line))
        length = (size_t)(clear - *rest) + strlen(CLEAR);
    else if (line)
        length = (size_t)(line - *rest) + 1;
    snprintf(piece, 300, "%.*s", (int)length, *rest);
    *rest += length;
    return piece;
}

/* A slow machine shows more fractions than those of nodes that end. */
static bool is_as_expected(const char *expected)
{
    char one[300], other[300];
    const char *rest = seen, *piece;
    while ((piece = next_piece(&expected, one))) {
        const char *shown = next_piece(&rest, other);
        while (shown && strcmp(shown, piece) != 0 && strspn(shown, " 0123456789") == 4 &&
               shown[4] == '%')
            shown = next_piece(&rest, other);
        if (!shown || strcmp(shown, piece) != 0)
            return false;
    }
    return !rest[0];
}

static const struct row {
    const char *name, *value; /* of the environment; "": none is set */
    const char *arguments;
    int code;
    const char *seen;
} rows[] = {
    {"", "", "run a.yaml -j 1 --no-cache", 0, CLEAR " 33 % a" CLEAR "100 % c" CLEAR CLEAR},
    {"", "", "run a.yaml -j 1 --no-cache -q", 0, ""},
    {"CI", "true", "run a.yaml -j 1 --no-cache", 0,
     " 33 % a\n"
     "100 % c\n"},
    {"CI", "", "run a.yaml -j 1 --no-cache", 0, CLEAR " 33 % a" CLEAR "100 % c" CLEAR CLEAR},
    {"TERM", "dumb", "run a.yaml -j 1 --no-cache", 0,
     " 33 % a\n"
     "100 % c\n"},
    {"TERM", "xterm", "run none.yaml", 3,
     "\033[31merror:\033[0m cannot read none.yaml: No such file or directory\n"},
    {"", "", "run none.yaml", 3,
     "\033[31merror:\033[0m cannot read none.yaml: No such file or directory\n"},
    {"TERM", "dumb", "run none.yaml", 3,
     "error: cannot read none.yaml: No such file or directory\n"},
    {"NO_COLOR", "1", "run none.yaml", 3,
     "error: cannot read none.yaml: No such file or directory\n"},
    {"NO_COLOR", "", "check warned.yaml", 0,
     "warned.yaml:5:3: \033[33mwarning:\033[0m node 'b' is not used: no output or export is made "
     "from it\n"
     "      b: {type: source.constant}\n"
     "      ^\n"},
    {"NO_COLOR", "1", "check warned.yaml", 0,
     "warned.yaml:5:3: warning: node 'b' is not used: no output or export is made from it\n"
     "      b: {type: source.constant}\n"
     "      ^\n"},
    {"", "", "run a.yaml -j 1 --cache-dir warned.yaml/cache", 0,
     CLEAR " 33 % a" CLEAR " 67 % b" CLEAR "100 % c" CLEAR CLEAR
           "\033[33mwarning:\033[0m nothing more is cached: cannot open the cache folder "
           "warned.yaml/cache/v1: Not a directory\n" CLEAR},
    {"", "", "compare e.yaml -j 1 --no-cache", 0,
     CLEAR "  6 % seed 3" CLEAR " 18 % seed 3" CLEAR " 25 % seed 3" CLEAR
           " 25 % seed 3, about  s left" CLEAR " 31 % seed 4, about  s left" CLEAR
           " 43 % seed 4, about  s left" CLEAR " 50 % seed 4, about  s left" CLEAR
           " 56 % seed 5, about  s left" CLEAR " 68 % seed 5, about  s left" CLEAR
           " 75 % seed 5, about  s left" CLEAR " 81 % seed 6, about  s left" CLEAR
           " 93 % seed 6, about  s left" CLEAR "100 % seed 6, about  s left" CLEAR
           "100 % seed 6" CLEAR},
    {"", "", "compare e.yaml -j 1 --no-cache -q", 0, ""},
};

static void the_terminal_gets_what_it_can_show(void **state)
{
    int wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const char *const names[] = {"CI", "TERM", "NO_COLOR"};
        for (int k = 0; k < 3; k++)
            unsetenv(names[k]);
        if (rows[i].name[0])
            setenv(rows[i].name, rows[i].value, 1);
        int code = run_on_terminal(rows[i].arguments);
        forget_times();
        if (code == rows[i].code && is_as_expected(rows[i].seen))
            continue;
        print_error("%s: exit code %d, expected\n%s\nfound\n%s\n", rows[i].arguments, code,
                    rows[i].seen, seen);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static int set_up(void **state)
{
    static const char warned[] = "thalweg: 1\nsize: 8\nnodes:\n  a: {type: source.constant}\n"
                                 "  b: {type: source.constant}\noutputs: {height: a}\n";
    (void)state;
    command_enter();
    command_write("a.yaml", recipe, strlen(recipe));
    command_write("e.yaml", experiment, strlen(experiment));
    command_write("warned.yaml", warned, strlen(warned));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_terminal_gets_what_it_can_show)};
    return cmocka_run_group_tests(tests, set_up, command_tear_down);
}
