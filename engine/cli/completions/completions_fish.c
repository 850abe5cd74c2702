/* SPDX-License-Identifier: MIT */
/* Prints completions for fish: a line for each option and operand. */
#include "cli/completions/completions.h"

#include <stdio.h>

/* Matches the command against the first word only, since a file may have a command's name. */
static void fish_condition(const struct tw_command *command)
{
    printf("complete -c thalweg -n '__thalweg_is %s'", command->name);
}

static void fish_option(const struct tw_command *command, const struct tw_option *option)
{
    static const char *const actions[] = {" -x", " -r -F",
                                          " -x -a '(__fish_complete_directories)'"};
    fish_condition(command);
    if (option->letter)
        printf(" -s %c", option->letter);
    printf(" -l %s", option->name);
    if (tw_option_takes_value(option) && tw_completion_of(option) == TW_COMPLETE_LABELS) {
        fputs(" -x -a '", stdout);
        tw_completions_labels(option->argument, " ");
        fputs("'", stdout);
    } else if (tw_option_takes_value(option)) {
        fputs(actions[tw_completion_of(option)], stdout);
    }
    fputs(" -d '", stdout);
    tw_completions_quoted(option->help, "\\'");
    puts("'");
}

static void fish_operand(const struct tw_command *command)
{
    enum tw_operand operand = tw_operand_of(command);
    if (operand == TW_OPERAND_NONE)
        return;
    if (operand == TW_OPERAND_LABELS && tw_operand_has_recipes(command)) {
        printf("complete -c thalweg -n '__thalweg_is %s; and __fish_seen_subcommand_from ",
               command->name);
        tw_completions_labels(command->operand, " ");
        puts("' -k -a '(__fish_complete_suffix .yaml)'");
    }
    if (operand == TW_OPERAND_LABELS) {
        printf("complete -c thalweg -n '__thalweg_is %s; and not __fish_seen_subcommand_from ",
               command->name);
        tw_completions_labels(command->operand, " ");
        fputs("'", stdout);
    } else {
        fish_condition(command);
    }
    if (operand == TW_OPERAND_YAML)
        fputs(" -k -a '(__fish_complete_suffix .yaml)", stdout);
    else if (operand == TW_OPERAND_FILES)
        fputs(" -F -d 'a map or a recipe", stdout);
    else
        fputs(" -a '", stdout);
    if (operand == TW_OPERAND_TYPES)
        fputs("(thalweg nodes | string split -f 1 \" \")", stdout);
    else if (operand == TW_OPERAND_COMMANDS)
        tw_completions_commands();
    else if (operand == TW_OPERAND_LABELS)
        tw_completions_labels(command->operand, " ");
    puts("'");
}

void tw_completions_fish(void)
{
    puts("# fish completion for thalweg, written by `thalweg completions fish`\n"
         "function __thalweg_is\n"
         "    set -l words (commandline -opc)\n"
         "    test (count $words) -ge 2; and test $words[2] = $argv[1]\n"
         "end\n"
         "complete -c thalweg -f");
    for (const struct tw_command *command = tw_commands; command->name; command++) {
        printf("complete -c thalweg -n __fish_use_subcommand -a %s -d '", command->name);
        tw_completions_quoted(command->summary, "\\'");
        puts("'");
    }
    for (const struct tw_command *command = tw_commands; command->name; command++) {
        for (const struct tw_option *row = tw_options; row->name; row++)
            if (tw_option_applies(row, command))
                fish_option(command, row);
        fish_operand(command);
    }
}
