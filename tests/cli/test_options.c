/* SPDX-License-Identifier: MIT */
/* Everything derived from the rows of options agrees: --help, the man page and the completions of
 * every shell name each option of each command, and bash completes what it should. */
#include "support/command.h"
#include "support/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct command_result result, help, lines;

static void run(const char *arguments)
{
    command_run(arguments, &result);
    if (result.code != 0)
        fail_msg("thalweg %s: exit code %d: %s", arguments, result.code, result.err);
}

static void expect_words(const char *what, const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("%s: \"%s\" is not in:\n%s", what, words, text);
}

/* The long name on a line of --help, or "". */
static void option_of(const char *line, char name[40])
{
    const char *at = strstr(line, "--");
    size_t from = strspn(line, " ");
    name[0] = 0;
    if (line[0] == ' ' && at == line + 6 && line[from] == '-')
        snprintf(name, 40, "%.*s", (int)strcspn(at, " [\n"), at);
}

/* --help lists an option of the command once. */
static void check_single(const char *command, const char *option)
{
    char line[44], name[40];
    int count = 0;
    for (const char *at = help.out; at; at = strchr(at, '\n')) {
        at += *at == '\n';
        snprintf(line, sizeof line, "%.43s", at);
        option_of(line, name);
        count += strcmp(name, option) == 0;
    }
    if (count != 1)
        fail_msg("thalweg %s --help lists %s %d times", command, option, count);
}

/* Runs `visit` for every option that --help of a command lists; their number. */
static int each_option(const char *command, void (*visit)(const char *command, const char *option))
{
    char arguments[64], name[40];
    int count = 0;
    snprintf(arguments, sizeof arguments, "%s --help", command);
    run(arguments);
    help = result;
    lines = result;
    for (char *rest = lines.out, *line; (line = strtok_r(rest, "\n", &rest));) {
        option_of(line, name);
        if (!name[0])
            continue;
        count++;
        visit(command, name);
    }
    return count;
}

static int each_command_option(void (*visit)(const char *command, const char *option))
{
    static struct command_result all;
    int count = 0;
    run("--help");
    all = result;
    for (char *rest = all.out, *line; (line = strtok_r(rest, "\n", &rest));) {
        char command[40];
        if (strstr(line, "exit codes"))
            break;
        if (sscanf(line, "  %39s ", command) == 1 && line[0] == ' ')
            count += each_option(command, visit);
    }
    return count;
}

/* What a command prints, kept for the calls that follow with the same arguments. */
static const char *printed(const char *arguments)
{
    static struct {
        char arguments[64];
        struct command_result result;
    } last[2]; /* completions of two shells */
    static int oldest;
    for (int i = 0; i < 2; i++)
        if (strcmp(last[i].arguments, arguments) == 0)
            return last[i].result.out;
    run(arguments);
    oldest = !oldest;
    snprintf(last[oldest].arguments, sizeof last[oldest].arguments, "%s", arguments);
    last[oldest].result = result;
    return last[oldest].result.out;
}

static void check_man(const char *command, const char *option)
{
    char arguments[64], escaped[100] = "";
    snprintf(arguments, sizeof arguments, "man %s", command);
    for (const char *at = option; *at; at++) {
        size_t used = strlen(escaped);
        snprintf(escaped + used, sizeof escaped - used, *at == '-' ? "\\-" : "%c", *at);
    }
    expect_words(arguments, printed(arguments), escaped);
}

static void check_shells(const char *command, const char *option)
{
    char words[100];
    expect_words(command, printed("completions zsh"), option);
    snprintf(words, sizeof words, "__thalweg_is %s'", command);
    const char *line = strstr(printed("completions fish"), words);
    snprintf(words, sizeof words, " -l %s", option + 2);
    assert_non_null(line);
    expect_words(command, line, words);
}

static void the_manual_names_every_option(void **state)
{
    (void)state;
    assert_true(each_command_option(check_man) > 40);
}

static void help_lists_every_option_once(void **state)
{
    (void)state;
    assert_true(each_command_option(check_single) > 40);
}

static void completions_name_every_option(void **state)
{
    (void)state;
    assert_true(each_command_option(check_shells) > 40);
}

/* What bash offers for the words of `line`, the last of them unfinished. */
static void complete(const char *line, char *offered, size_t size)
{
    char command[1000];
    snprintf(command, sizeof command,
             "bash -c 'PATH=$(dirname " TW_COMMAND "):$PATH; source <(thalweg completions bash); "
             "COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _thalweg; "
             "echo \"${COMPREPLY[@]}\"'",
             line);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    offered[fread(offered, 1, size - 1, pipe)] = 0;
    assert_int_equal(pclose(pipe), 0);
    offered[strcspn(offered, "\n")] = 0;
}

static void bash_completes(void **state)
{
    static const char *const rows[][2] = {
        {"thalweg com", "compare completions"},
        {"thalweg run --cache-d", "--cache-dir"},
        {"thalweg run hills.yaml --expl", "--explain"},
        {"thalweg run hi", "hills.yaml"},
        {"thalweg run --trace hi", "hills.txt hills.yaml"},
        {"thalweg graph --format m", "mermaid"},
        {"thalweg cache c", "clear"},
        {"thalweg nodes erosion.olse", "erosion.olsen"},
        {"thalweg check --threads", ""},
        {"thalweg man gr", "graph"},
        {"thalweg graph --format = m", "mermaid"}, /* as bash splits --format=m */
        {"thalweg run --trace = hi", "hills.txt hills.yaml"},
        {"thalweg cache push hi", "hills.yaml"},
        {"thalweg cache --cache-dir hills.txt pus", "push"},
    };
    char offered[1000];
    (void)state;
    command_write("hills.yaml", "", 0);
    command_write("hills.txt", "", 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        complete(rows[i][0], offered, sizeof offered);
        assert_string_equal(offered, rows[i][1]);
    }
}

/* An even number of "'" that no backslash escapes, and brackets in pairs: a line by itself is one
 * that a shell can read. */
static void check_line(const char *line, bool brackets)
{
    int quotes = 0, depth = 0;
    for (const char *at = line; *at; at++) {
        quotes += *at == '\'' && (at == line || at[-1] != '\\');
        depth += brackets && quotes % 2 == 1 && *at == '[';
        depth -= brackets && quotes % 2 == 1 && *at == ']';
    }
    if (quotes % 2 != 0 || depth != 0)
        fail_msg("not whole: %s", line);
}

static void check_syntax(const char *shell, const char *option)
{
    char line[300];
    snprintf(line, sizeof line, "! command -v %s >/dev/null || %s %s script", shell, shell, option);
    command_write("script", result.out, strlen(result.out));
    assert_int_equal(system(line), 0);
}

/* zsh and fish are tried where they are installed; elsewhere what they need is looked for. */
static void other_shells_can_read_theirs(void **state)
{
    (void)state;
    run("completions zsh");
    check_syntax("zsh", "-n");
    expect_words("zsh", result.out, "'--trace=[");
    expect_words("zsh", result.out, "'--format=[");
    expect_words("zsh", result.out, ":format:(dot mermaid)' \\\n");
    expect_words("zsh", result.out, "'*--allow-path=[");
    expect_words("zsh", result.out, "'*'{-s,--set=}'[");
    expect_words("zsh", result.out, "'(-o --out)'{-o,--out=}'[");
    expect_words("zsh", result.out, "'--update=-[");
    expect_words("zsh", result.out, "'1:cache:(stats gc clear push pull)' '*:file:_files");
    for (char *rest = result.out, *line; (line = strtok_r(rest, "\n", &rest));)
        if (strncmp(line, "      '", 7) == 0)
            check_line(line, true);
    run("completions fish");
    check_syntax("fish", "--no-execute");
    expect_words("fish", result.out, "'__thalweg_is run' -s o -l out -x -a '(__fish_complete_dir");
    expect_words("fish", result.out, "'__thalweg_is graph' -l format -x -a 'dot mermaid'");
    expect_words("fish", result.out, "__fish_seen_subcommand_from stats gc clear push pull' -k -a");
    for (char *rest = result.out, *line; (line = strtok_r(rest, "\n", &rest));)
        check_line(line, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_manual_names_every_option),
        cmocka_unit_test(help_lists_every_option_once),
        cmocka_unit_test(completions_name_every_option),
        cmocka_unit_test(bash_completes),
        cmocka_unit_test(other_shells_can_read_theirs),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
