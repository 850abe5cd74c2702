/* SPDX-License-Identifier: MIT */
/* Generates completion scripts for shells from the rows of commands and options. */
#ifndef TW_ENGINE_CLI_COMPLETIONS_COMPLETIONS_H
#define TW_ENGINE_CLI_COMPLETIONS_COMPLETIONS_H

#include "cli/options.h"

enum tw_completion {
    TW_COMPLETE_NOTHING,
    TW_COMPLETE_FILES,
    TW_COMPLETE_FOLDERS,
    TW_COMPLETE_LABELS
};
/* Returns how shells complete an option's value. */
enum tw_completion tw_completion_of(const struct tw_option *option);

enum tw_operand {
    TW_OPERAND_NONE,
    TW_OPERAND_FILES,
    TW_OPERAND_YAML,
    TW_OPERAND_TYPES,
    TW_OPERAND_COMMANDS,
    TW_OPERAND_LABELS
};
enum tw_operand tw_operand_of(const struct tw_command *command);
/* Returns whether recipes follow the first word, as in "a|b [RECIPE...]". */
bool tw_operand_has_recipes(const struct tw_command *command);

/* False for an optional value: shells complete --update=NODE as one word. */
bool tw_option_takes_value(const struct tw_option *option);
bool tw_option_may_repeat(const struct tw_option *option);

/* Print to standard output: words of labels separated by '|', and the names of all commands. */
void tw_completions_labels(const char *labels, const char *between);
void tw_completions_commands(void);
/* Prints text for use inside '...', replacing "'" by `quote`, the shell's own way to escape it. */
void tw_completions_quoted(const char *text, const char *quote);

/* Each prints the script for one shell. */
void tw_completions_bash(void);
void tw_completions_zsh(void);
void tw_completions_fish(void);

#endif
