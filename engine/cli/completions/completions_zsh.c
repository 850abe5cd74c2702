/* SPDX-License-Identifier: MIT */
/* Prints completions for zsh: calls of _arguments with a specification for each option. */
#include "cli/completions/completions.h"

#include <stdio.h>

static void zsh_option(const struct tw_option *option)
{
    static const char *const actions[] = {"", "_files", "_files -/"};
    const char *end = option->kind == TW_OPTION_MAYBE ? "=-" : option->argument ? "=" : "";
    fputs(tw_option_may_repeat(option) ? "      '*" : "      '", stdout);
    if (option->letter && !tw_option_may_repeat(option))
        printf("(-%c --%s)", option->letter, option->name);
    if (option->letter)
        printf("'{-%c,--%s%s}'[", option->letter, option->name, end);
    else
        printf("--%s%s[", option->name, end);
    tw_completions_quoted(option->help, "'\\''");
    fputs("]", stdout);
    if (option->kind == TW_OPTION_MAYBE)
        printf("::%s:", option->argument);
    if (tw_option_takes_value(option) && tw_completion_of(option) == TW_COMPLETE_LABELS) {
        printf(":%s:(", option->name);
        tw_completions_labels(option->argument, " ");
        fputs(")", stdout);
    } else if (tw_option_takes_value(option)) {
        printf(":%s:%s", option->argument, actions[tw_completion_of(option)]);
    }
    puts("' \\");
}

static void zsh_operand(const struct tw_command *command)
{
    switch (tw_operand_of(command)) {
    case TW_OPERAND_NONE:
        puts("      ;;");
        return;
    case TW_OPERAND_FILES:
        puts("      '*:file:_files' ;;");
        return;
    case TW_OPERAND_YAML:
        puts("      '*:file:_files -g \"*.yaml(-.)\"' ;;");
        return;
    case TW_OPERAND_TYPES:
        puts("      '1:type:($(thalweg nodes | cut -d \" \" -f 1))' ;;");
        return;
    case TW_OPERAND_COMMANDS:
        fputs("      '1:command:(", stdout);
        tw_completions_commands();
        puts(")' ;;");
        return;
    case TW_OPERAND_LABELS:
        printf("      '1:%s:(", command->name);
        tw_completions_labels(command->operand, " ");
        puts(tw_operand_has_recipes(command) ? ")' '*:file:_files -g \"*.yaml(-.)\"' ;;" : ")' ;;");
        return;
    }
}

void tw_completions_zsh(void)
{
    puts("#compdef thalweg\n"
         "# zsh completion for thalweg, written by `thalweg completions zsh`\n"
         "_thalweg() {\n  local -a commands\n  commands=(");
    for (const struct tw_command *command = tw_commands; command->name; command++) {
        printf("    '%s:", command->name);
        tw_completions_quoted(command->summary, "'\\''");
        puts("'");
    }
    puts("  )\n  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
         "  shift words; (( CURRENT-- ))\n  case $words[1] in");
    for (const struct tw_command *command = tw_commands; command->name; command++) {
        printf("    %s) _arguments \\\n", command->name);
        for (const struct tw_option *row = tw_options; row->name; row++)
            if (tw_option_applies(row, command))
                zsh_option(row);
        zsh_operand(command);
    }
    puts("  esac\n}\n"
         "if [ \"$funcstack[1]\" = _thalweg ]; then _thalweg \"$@\"; else compdef _thalweg "
         "thalweg; fi");
}
