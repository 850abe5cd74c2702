/* SPDX-License-Identifier: MIT */
/* Prints --help from the rows of tw_options. */
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

static const struct {
    int about;
    const char *title;
} headings[] = {{0, NULL},
                {TW_ABOUT_REPORTS, "what is reported, and how"},
                {TW_ABOUT_LIMITS, "limits and permissions"},
                {TW_ABOUT_CACHE, "the cache"},
                {TW_ABOUT_MACHINES, "many machines"}};

static int about(const struct tw_option *option)
{
    return option->commands == TW_FOR_ALL ? 0 : option->commands & TW_ABOUT;
}

enum { HELP_COLUMN = 30, LINE_COLUMNS = 100 };

/* Returns the columns to indent a line by, so that equations keep their margin; the blank before a
 * word adds one. */
static int margin_of(const char *text)
{
    int spaces = (int)strspn(text, " ");
    return spaces > 1 ? spaces - 1 : 0;
}

void tw_cli_put_words(struct tw_cli_line *line, const char *text)
{
    while (*text) {
        int spaces = (int)strspn(text, " "), length = (int)strcspn(text += spaces, " \n");
        bool full = spaces > 0 && line->column + 1 + length > LINE_COLUMNS;
        bool ends = text[length] == '\n';
        if (full)
            line->column = printf("\n%*s", line->indent, "") - 1;
        bool apart = spaces > 0 && line->column > line->indent;
        line->column += printf("%s%.*s", apart ? " " : "", length, text);
        text += length + ends;
        if (ends)
            line->column = printf("\n%*s", line->indent + margin_of(text), "") - 1;
    }
}

static void print_option(const struct tw_option *option)
{
    char text[400];
    tw_option_spelling(option, true, text, sizeof text);
    int column = printf("  %s", text);
    printf("%s%*s", column < HELP_COLUMN ? "" : "\n",
           column < HELP_COLUMN ? HELP_COLUMN - column : HELP_COLUMN, "");
    int length = snprintf(text, sizeof text, "%s", option->help);
    if (option->initial)
        length += snprintf(text + length, sizeof text - (size_t)length, " (default: %s)",
                           option->initial);
    if (about(option) && (option->commands & TW_FROM_ENVIRONMENT)) {
        char variable[64];
        tw_option_variable(option, variable, sizeof variable);
        snprintf(text + length, sizeof text - (size_t)length, " [$%s]", variable);
    }
    tw_cli_put_words(&(struct tw_cli_line){HELP_COLUMN, HELP_COLUMN}, text);
    puts("");
}

static void print_options(const struct tw_command *command, int heading, const char *title)
{
    bool first = true;
    for (const struct tw_option *row = tw_options; row->name; row++) {
        if (!tw_option_applies(row, command) || about(row) != heading)
            continue;
        if (first && title)
            printf("\n%s\n", title);
        first = false;
        print_option(row);
    }
}

void tw_usage_print(const struct tw_command *command)
{
    char text[64];
    tw_command_synopsis(command, text, sizeof text);
    printf("usage: %s\n\n%s\n\n", text, command->summary);
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        print_options(command, headings[i].about, headings[i].title);
    if (command->notes)
        printf("\n%s\n", command->notes);
}
