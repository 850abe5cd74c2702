/* SPDX-License-Identifier: MIT */
/* Parses the command line with getopt_long(), whose tables it builds from the rows of options.c. */
#include "base/memory/arena.h"
#include "base/text/suggest.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "console/annotate.h"
#include "console/output_file.h"
#include "console/standard_input.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tables for getopt_long(). A long option's value is FIRST plus its index in tw_options; FIRST
 * exceeds all letters. */
struct grammar {
    struct option options[TW_OPTION_ROWS_MAX];
    char letters[2 * TW_OPTION_ROWS_MAX + 3];
};
enum { FIRST = 256 };

/* A NULL `command` accepts every option. */
static void build_grammar(const struct tw_command *command, struct grammar *grammar)
{
    int count = 0;
    char *letter = grammar->letters;
    *letter++ = '-'; /* without '-', getopt_long() moves operands to the end */
    *letter++ = ':'; /* distinguishes a missing value from an unknown option */
    for (int i = 0; tw_options[i].name; i++) {
        const struct tw_option *row = &tw_options[i];
        int argument = row->argument ? required_argument : no_argument;
        argument = row->kind == TW_OPTION_MAYBE ? optional_argument : argument;
        if (!tw_option_applies(row, command))
            continue;
        grammar->options[count++] = (struct option){row->name, argument, NULL, FIRST + i};
        if (row->letter) {
            *letter++ = row->letter;
            if (row->argument)
                *letter++ = ':';
        }
    }
    *letter = 0;
    grammar->options[count] = (struct option){NULL, 0, NULL, 0};
}

static const struct tw_option *find_row(const struct tw_command *command, int value)
{
    const struct tw_option *row = tw_options;
    if (value >= FIRST)
        return &tw_options[value - FIRST];
    while (row->letter != value || !tw_option_applies(row, command))
        row++;
    return row;
}

enum tw_answer_form tw_options_form(const struct tw_command *command, int argc, char **argv)
{
    struct grammar grammar;
    const char *format = "";
    bool json = false;
    build_grammar(command, &grammar);
    opterr = 0;
    for (int value;
         (value = getopt_long(argc, argv, grammar.letters, grammar.options, NULL)) != -1;) {
        const char *name = value >= FIRST ? tw_options[value - FIRST].name : "";
        json = json || strcmp(name, "json") == 0;
        format = strcmp(name, "format") == 0 ? optarg : format;
    }
    optind = 0; /* restarts the next getopt_long() */
    if (strcmp(format, "sarif") == 0)
        return TW_ANSWER_SARIF;
    if (strcmp(format, "junit") == 0)
        return TW_ANSWER_JUNIT;
    return json ? TW_ANSWER_JSON : TW_ANSWER_NONE;
}

/* Reports the option that getopt_long() rejected. It sets optopt to an unknown letter, to the value
 * (FIRST + index) of a long option that takes no argument, or to 0 for an unknown long option,
 * which then precedes argv[optind]. */
static void refuse_option(const char *command, char **argv, const struct option *options)
{
    const char *word = argv[optind - 1], *name = word + strspn(word, "-");
    char bare[64]; /* the name in --name=value */
    struct tw_suggestion suggestion = {.unknown = bare};
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(name, "="), name);
    for (; options->name; options++) {
        tw_suggest_offer(&suggestion, options->name);
        if (optopt >= FIRST && options->val == optopt) {
            tw_console_usage("'--%s' takes no value", options->name);
            return;
        }
    }
    if (optopt > 0 && optopt < FIRST)
        tw_console_usage("%s has no option '-%c'; see thalweg %s --help", command, optopt, command);
    else if (suggestion.best)
        tw_console_usage("%s has no option '%s'; did you mean '--%s'?", command, word,
                         suggestion.best);
    else
        tw_console_usage("%s has no option '%s'; see thalweg %s --help", command, word, command);
}

static bool set_from_environment(const struct tw_option *option, struct tw_settings *settings)
{
    char variable[64];
    tw_option_variable(option, variable, sizeof variable);
    const char *value = getenv(variable);
    if (!value || !value[0] || tw_option_set(option, value, settings))
        return true;
    tw_console_usage("that is from the environment's %s", variable);
    return false;
}

static bool set_defaults(const struct tw_command *command, struct tw_settings *settings)
{
    for (const struct tw_option *row = tw_options; row->name; row++) {
        if (!tw_option_applies(row, command))
            continue;
        if (row->initial && !tw_option_set(row, row->initial, settings))
            return false;
        if (row->commands != TW_FOR_ALL && (row->commands & TW_FROM_ENVIRONMENT) &&
            !set_from_environment(row, settings))
            return false;
    }
    return true;
}

/* ---- operands ---- */

static bool check_label(const struct tw_command *command, const char *word)
{
    struct tw_suggestion suggestion = {.unknown = word};
    struct tw_arena arena = {0};
    int length = 0;
    const char *label;
    bool found = false;
    for (int i = 0; !found && (label = tw_option_label(command->operand, i, &length)); i++) {
        found = strlen(word) == (size_t)length && strncmp(label, word, (size_t)length) == 0;
        char *name = found ? NULL : tw_arena_copy(&arena, label, (size_t)length);
        if (name)
            tw_suggest_offer(&suggestion, name);
    }
    if (!found && suggestion.best)
        tw_console_usage("%s has no '%s'; did you mean '%s'?", command->name, word,
                         suggestion.best);
    else if (!found)
        tw_console_usage("%s has no '%s'; expected one of %s", command->name, word,
                         command->operand);
    tw_arena_release(&arena);
    return found;
}

/* Checks the number of operands: "A B" takes two, "A [B]" one or two, "RECIPE..." one or more,
 * "[TYPE...]" any number, "[a|b]" a word or none, "a|b [RECIPE...]" a word and then any number. */
static bool check_operands(const struct tw_command *command, int count, char **operands)
{
    const char *text = command->operand;
    bool many = strstr(text, "...") != NULL, optional = text[0] == '[' || !text[0];
    int taken = text[0] != 0, most = taken;
    for (const char *at = text; *at; at++) {
        taken += *at == ' ' && at[1] != '[';
        most += *at == ' ';
    }
    if (count > most && !many) {
        tw_console_usage("%s: '%s' is one operand too many; expected %s; see thalweg %s --help",
                         command->name, operands[most], text[0] ? text : "none", command->name);
        return false;
    }
    if (count < taken && !optional) {
        tw_console_usage("%s: an operand is missing; expected %s; see thalweg %s --help",
                         command->name, text, command->name);
        return false;
    }
    return count == 0 || !strchr(text, '|') || check_label(command, operands[0]);
}

bool tw_stdin_check(const char *command, const struct tw_settings *settings, char **operands,
                    bool allowed)
{
    int count = 0;
    for (int i = 0; i < settings->operand_count; i++)
        count += tw_stdin_is_one(operands[i]);
    if (count > 0 && !allowed)
        return tw_console_usage("%s: '-' is standard input, which has no name; expected a file",
                                command),
               false;
    if (count > 1)
        return tw_console_usage("%s: '-' is given %d times; standard input can be read once",
                                command, count),
               false;
    return true;
}

/* Reports two options that both write to standard output, where their reports would mix. */
static bool check_stdout(const struct tw_settings *settings)
{
    const struct {
        const char *option;
        bool given;
    } reports[] = {{"--json", settings->json},
                   {"--format sarif", settings->message_format == TW_FORMAT_SARIF},
                   {"--format junit", settings->message_format == TW_FORMAT_JUNIT},
                   {"--markdown", settings->markdown},
                   {"--ask", settings->ask},
                   {"--tell", settings->tell},
                   {"--explain", settings->explain && !settings->json},
                   {"--dry-run", settings->dry_run && !settings->explain && !settings->json},
                   {"--depfile -", tw_console_is_stdout(settings->depfile)},
                   {"--trace -", tw_console_is_stdout(settings->trace)},
                   {"--events -", tw_console_is_stdout(settings->events)},
                   {"--csv -", tw_console_is_stdout(settings->csv)},
                   {"--csv-long -", tw_console_is_stdout(settings->csv_long)},
                   {"--csv-front -", tw_console_is_stdout(settings->csv_front)},
                   {"--json-lines -", tw_console_is_stdout(settings->json_lines)},
                   {"--html -", tw_console_is_stdout(settings->html)},
                   {"--picture -", tw_console_is_stdout(settings->picture)}};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        if (reports[i].given && first)
            return tw_console_usage("%s and %s both write to standard output; expected one of them",
                                    first, reports[i].option),
                   false;
        if (reports[i].given)
            first = reports[i].option;
    }
    return true;
}

bool tw_options_read(const struct tw_command *command, int argc, char **argv,
                     struct tw_settings *settings, char ***operands)
{
    struct grammar grammar;
    build_grammar(command, &grammar);
    *settings = (struct tw_settings){.out = NULL};
    if (!set_defaults(command, settings))
        return false;
    const char *initial_out = settings->out;
    for (int value;
         (value = getopt_long(argc, argv, grammar.letters + 1, grammar.options, NULL)) != -1;) {
        if (value == ':')
            tw_console_usage("'%s' needs a value; see thalweg %s --help", argv[optind - 1],
                             command->name);
        else if (value == '?')
            refuse_option(command->name, argv, grammar.options);
        if (value == ':' || value == '?' ||
            !tw_option_set(find_row(command, value), optarg, settings) ||
            !tw_option_forward(find_row(command, value), optarg, settings))
            return false;
        settings->cache_size_given |= strcmp(find_row(command, value)->name, "cache-size") == 0 ||
                                      strcmp(find_row(command, value)->name, "max-size") == 0;
    }
    settings->out_given = settings->out != initial_out;
    *operands = argv + optind;
    settings->operand_count = argc - optind;
    if (settings->untrusted && settings->allow_path.count > 0)
        return tw_console_usage("--untrusted and --allow-path exclude each other"), false;
    if (!settings->help && !check_stdout(settings))
        return false;
    if (!settings->help && !check_operands(command, settings->operand_count, *operands))
        return false;
    return true;
}
