/* SPDX-License-Identifier: MIT */
/* Prints completions for bash: one function with a case for each command. */
#include "cli/completions/completions.h"

#include <stdio.h>

static void bash_argument(const struct tw_option *option)
{
    if (option->letter)
        printf("    -%c|--%s) ", option->letter, option->name);
    else
        printf("    --%s) ", option->name);
    switch (tw_completion_of(option)) {
    case TW_COMPLETE_NOTHING:
        puts("return ;;");
        return;
    case TW_COMPLETE_FILES:
        puts("_thalweg_reply -f; return ;;");
        return;
    case TW_COMPLETE_FOLDERS:
        puts("_thalweg_reply -d; return ;;");
        return;
    case TW_COMPLETE_LABELS:
        fputs("_thalweg_reply -W '", stdout);
        tw_completions_labels(option->argument, " ");
        puts("'; return ;;");
        return;
    }
}

static void bash_operand(const struct tw_command *command)
{
    switch (tw_operand_of(command)) {
    case TW_OPERAND_NONE:
        return;
    case TW_OPERAND_FILES:
        puts("    _thalweg_reply -f");
        return;
    case TW_OPERAND_YAML:
        puts("    _thalweg_reply -f -X '!*.yaml' -o plusdirs");
        return;
    case TW_OPERAND_TYPES:
        puts("    _thalweg_reply -W \"$(thalweg nodes | cut -d ' ' -f 1)\"");
        return;
    case TW_OPERAND_COMMANDS:
        fputs("    _thalweg_reply -W '", stdout);
        tw_completions_commands();
        puts("'");
        return;
    case TW_OPERAND_LABELS:
        if (tw_operand_has_recipes(command)) {
            fputs("    case \" ${COMP_WORDS[*]:2:COMP_CWORD-2} \" in *\" ", stdout);
            tw_completions_labels(command->operand, " \"*|*\" ");
            puts(" \"*) _thalweg_reply -f -X '!*.yaml' -o plusdirs; return ;; esac");
        }
        fputs("    _thalweg_reply -W '", stdout);
        tw_completions_labels(command->operand, " ");
        puts("'");
        return;
    }
}

static void bash_command(const struct tw_command *command)
{
    printf("  %s)\n    case $before in\n", command->name);
    for (const struct tw_option *row = tw_options; row->name; row++)
        if (tw_option_takes_value(row) && tw_option_applies(row, command))
            bash_argument(row);
    printf("    esac\n    case $word in -*) _thalweg_reply -W '");
    for (const struct tw_option *row = tw_options; row->name; row++)
        if (tw_option_applies(row, command)) {
            if (row->letter)
                printf("-%c ", row->letter);
            printf("--%s ", row->name);
        }
    puts("'; return ;; esac");
    bash_operand(command);
    puts("    ;;");
}

void tw_completions_bash(void)
{
    puts("# bash completion for thalweg, written by `thalweg completions bash`\n"
         "_thalweg_reply() { mapfile -t COMPREPLY < <(compgen \"$@\" -- \"$word\"); }\n"
         "_thalweg() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  COMPREPLY=()\n"
         "  if [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
         "  if [ \"$word\" = = ]; then word=; fi");
    fputs("  if [ \"$COMP_CWORD\" -eq 1 ]; then _thalweg_reply -W '", stdout);
    tw_completions_commands();
    puts("'; return; fi\n  case ${COMP_WORDS[1]} in");
    for (const struct tw_command *command = tw_commands; command->name; command++)
        bash_command(command);
    puts("  esac\n}\ncomplete -o filenames -F _thalweg thalweg");
}
