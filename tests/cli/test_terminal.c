/* SPDX-License-Identifier: MIT */
/* What reaches a terminal or a CI runner's log when the names of files are hostile: no escape
 * sequence, and no line that a runner takes for a command. */
#include "support/command.h"
#include "support/harness.h"

#include <stdio.h>
#include <string.h>

#define MAP "nodes:\n  map: {type: source.constant, value: 0.5}\noutputs: {height: map}\n"
#define RED "\033[31m"
#define COMMAND "::add-mask::"

static struct command_result result;

static void write_text(const char *name, const char *text)
{
    command_write(name, text, strlen(text));
}

/* A runner takes off blanks before it looks for "::"; it finds "##[" anywhere. */
static int count_commands(const char *text)
{
    int count = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *found = strstr(line, "##[");
        line += strspn(line, " \t");
        count += strncmp(line, "::", 2) == 0;
        count += found && found < line + strcspn(line, "\n");
    }
    return count;
}

static void no_command_echoes_an_escape_sequence(void **state)
{
    static const char *const rows[] = {
        "check " RED ".yaml",
        "check " RED ".yaml " COMMAND ".yaml",
        "check none" RED,
        "check --si" RED "ze 4",
        "ch" RED "eck",
        "nodes " RED,
        "run " RED ".yaml --size " RED,
        "run " RED ".yaml --explain -o out" RED,
        "run " RED ".yaml good.yaml --explain -o out" RED,
        "run " RED ".yaml --only " RED,
        "graph none" RED,
        "lock " RED ".yaml",
        "verify " RED ".yaml",
        "verify none" RED ".yaml",
        "inspect " RED ".yaml",
        "inspect none" RED,
        "diff none" RED " " RED ".yaml",
        "diff HEAD:none" RED " " RED ".yaml",
        "diff " RED ".yaml good.yaml",
        "compare none" RED,
        "judge none" RED,
        "cache " RED,
        "cache stats --cache-dir " RED,
        "check " COMMAND ".yaml none" COMMAND,
        "check ##[x].yaml",
        "check none##[x].yaml",
    };
    int wrong = 0;
    (void)state;
    write_text("good.yaml", "thalweg: 1\nsize: 8\n" MAP);
    write_text(RED ".yaml", "thalweg: 1\nsize: 4\n" MAP);
    write_text(COMMAND ".yaml", "thalweg: 1\nsize: 4\n" MAP);
    write_text("##[x].yaml", "thalweg: 1\nsize: 4\n" MAP);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        command_run(rows[i], &result);
        if (strchr(result.out, '\033') || strchr(result.err, '\033') ||
            count_commands(result.out) + count_commands(result.err) > 0) {
            print_error("row %zu: %s%s", i, result.out, result.err);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

/* The quoted line stands after blanks. */
static void no_text_of_a_recipe_commands_a_runner(void **state)
{
    (void)state;
    write_text("bad.yaml", "thalweg: 1\n::set-output name=ok::true\n");
    command_run("check bad.yaml --format text", &result);
    assert_int_equal(result.code, 3);
    assert_int_equal(count_commands(result.err), 0);
    assert_non_null(strstr(result.err, "\n    ?:set-output name=ok::true\n    ^\n"));
    write_text("bad.yaml", "thalweg: 1\nsize: 8\nnodes:\n"
                           "  map: {type: \"##[set-output name=ok]true\"}\n");
    command_run("check bad.yaml --json", &result);
    assert_int_equal(result.code, 3);
    assert_int_equal(count_commands(result.err) + count_commands(result.out), 0);
    assert_non_null(strstr(result.out, "'##?set-output name=ok]true'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_command_echoes_an_escape_sequence),
        cmocka_unit_test(no_text_of_a_recipe_commands_a_runner),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
