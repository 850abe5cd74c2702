/* SPDX-License-Identifier: MIT */
/* thalweg completions: generates a completion script from the rows of commands and options. */
#include "cli/cli.h"
#include "cli/completions/completions.h"

#include <stdio.h>
#include <string.h>

bool tw_option_takes_value(const struct tw_option *option)
{
    return option->argument && option->kind != TW_OPTION_MAYBE;
}

enum tw_completion tw_completion_of(const struct tw_option *option)
{
    if (option->kind == TW_OPTION_CHOICE)
        return TW_COMPLETE_LABELS;
    if (strcmp(option->argument, "DIR") == 0)
        return TW_COMPLETE_FOLDERS;
    return strcmp(option->argument, "FILE") == 0 ? TW_COMPLETE_FILES : TW_COMPLETE_NOTHING;
}

enum tw_operand tw_operand_of(const struct tw_command *command)
{
    if (strcmp(command->operand, "[TYPE...]") == 0)
        return TW_OPERAND_TYPES;
    if (strcmp(command->operand, "[COMMAND]") == 0)
        return TW_OPERAND_COMMANDS;
    if (strcmp(command->operand, "RECIPE [RECIPE]") == 0)
        return TW_OPERAND_YAML;
    if (strchr(command->operand, '|'))
        return TW_OPERAND_LABELS;
    if (strchr(command->operand, ' '))
        return TW_OPERAND_FILES;
    return command->operand[0] ? TW_OPERAND_YAML : TW_OPERAND_NONE;
}

bool tw_option_may_repeat(const struct tw_option *option)
{
    return option->kind == TW_OPTION_LIST || option->kind == TW_OPTION_PAIRS;
}

void tw_completions_labels(const char *labels, const char *between)
{
    int length = 0;
    const char *label;
    for (int i = 0; (label = tw_option_label(labels, i, &length)); i++)
        printf("%s%.*s", i ? between : "", length, label);
}

bool tw_operand_has_recipes(const struct tw_command *command)
{
    return strstr(command->operand, "[RECIPE...]") != NULL;
}

void tw_completions_commands(void)
{
    for (const struct tw_command *command = tw_commands; command->name; command++)
        printf("%s%s", command == tw_commands ? "" : " ", command->name);
}

void tw_completions_quoted(const char *text, const char *quote)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs(quote, stdout);
        else
            putchar(*text);
}

int tw_cmd_completions(const struct tw_settings *settings, char **operands)
{
    (void)settings;
    if (strcmp(operands[0], "bash") == 0)
        tw_completions_bash();
    else if (strcmp(operands[0], "zsh") == 0)
        tw_completions_zsh();
    else
        tw_completions_fish();
    return 0;
}
