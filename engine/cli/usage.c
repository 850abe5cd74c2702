/* SPDX-License-Identifier: MIT */
/* --help, from the rows. */
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

void tw_option_spelling(const struct tw_option *option, bool aligned, char *text, size_t size)
{
    char letter[8] = "";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    const char *before = !option->argument ? "" : option->kind == TW_OPTION_MAYBE ? "[=" : " ";
    snprintf(text, size, "%*s--%s%s%s%s", aligned ? 4 : 0, letter, option->name, before,
             option->argument ? option->argument : "", option->kind == TW_OPTION_MAYBE ? "]" : "");
}

void tw_command_synopsis(const struct tw_command *command, char *text, size_t size)
{
    snprintf(text, size, "thalweg %s %s%s[options]", command->name, command->operand,
             command->operand[0] ? " " : "");
}

static void print_option(const struct tw_option *option, int width)
{
    char spelling[64];
    tw_option_spelling(option, true, spelling, sizeof spelling);
    printf("  %-*s  %s", width, spelling, option->help);
    if (option->initial)
        printf(" (default: %s)", option->initial);
    if (option->commands != TW_FOR_ALL && (option->commands & TW_FROM_ENVIRONMENT)) {
        tw_option_variable(option, spelling, sizeof spelling);
        printf(" [$%s]", spelling);
    }
    puts("");
}

void tw_usage_print(const struct tw_command *command)
{
    char text[64];
    int width = 0;
    tw_command_synopsis(command, text, sizeof text);
    printf("usage: %s\n\n%s\n\n", text, command->summary);
    for (const struct tw_option *row = tw_options; row->name; row++) {
        tw_option_spelling(row, true, text, sizeof text);
        if (tw_option_applies(row, command) && (int)strlen(text) > width)
            width = (int)strlen(text);
    }
    for (const struct tw_option *row = tw_options; row->name; row++)
        if (tw_option_applies(row, command))
            print_option(row, width);
    if (command->notes)
        printf("\n%s\n", command->notes);
}
