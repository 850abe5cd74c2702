/* SPDX-License-Identifier: MIT */
/* thalweg completions: what a shell completes, from the rows of commands and options. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

/* ---- what all shells share ---- */

enum completion { COMPLETE_NOTHING, COMPLETE_FILES, COMPLETE_FOLDERS, COMPLETE_LABELS };

/* A value that may be left out is written --update=NODE, which shells complete as one word. */
static bool takes_value(const struct tw_option *option)
{
    return option->argument && option->kind != TW_OPTION_MAYBE;
}

static enum completion completion_of(const struct tw_option *option)
{
    if (option->kind == TW_OPTION_CHOICE)
        return COMPLETE_LABELS;
    if (strcmp(option->argument, "DIR") == 0)
        return COMPLETE_FOLDERS;
    return strcmp(option->argument, "FILE") == 0 ? COMPLETE_FILES : COMPLETE_NOTHING;
}

enum operand {
    OPERAND_NONE,
    OPERAND_FILES,
    OPERAND_YAML,
    OPERAND_TYPES,
    OPERAND_COMMANDS,
    OPERAND_LABELS
};

static enum operand operand_of(const struct tw_command *command)
{
    if (strcmp(command->operand, "[TYPE]") == 0)
        return OPERAND_TYPES;
    if (strcmp(command->operand, "[COMMAND]") == 0)
        return OPERAND_COMMANDS;
    if (strchr(command->operand, '|'))
        return OPERAND_LABELS;
    if (strchr(command->operand, ' '))
        return OPERAND_FILES;
    return command->operand[0] ? OPERAND_YAML : OPERAND_NONE;
}

static void put_labels(const char *labels)
{
    int length = 0;
    const char *label;
    for (int i = 0; (label = tw_option_label(labels, i, &length)); i++)
        printf("%s%.*s", i ? " " : "", length, label);
}

static void put_commands(void)
{
    for (const struct tw_command *command = tw_commands; command->name; command++)
        printf("%s%s", command == tw_commands ? "" : " ", command->name);
}

/* Inside '...': every shell here escapes "'" in its own way. */
static void put_quoted(const char *text, const char *quote)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs(quote, stdout);
        else
            putchar(*text);
}

/* ---- bash ---- */

static void bash_argument(const struct tw_option *option)
{
    if (option->letter)
        printf("    -%c|--%s) ", option->letter, option->name);
    else
        printf("    --%s) ", option->name);
    switch (completion_of(option)) {
    case COMPLETE_NOTHING:
        puts("return ;;");
        return;
    case COMPLETE_FILES:
        puts("_thalweg_reply -f; return ;;");
        return;
    case COMPLETE_FOLDERS:
        puts("_thalweg_reply -d; return ;;");
        return;
    case COMPLETE_LABELS:
        fputs("_thalweg_reply -W '", stdout);
        put_labels(option->argument);
        puts("'; return ;;");
        return;
    }
}

static void bash_operand(const struct tw_command *command)
{
    switch (operand_of(command)) {
    case OPERAND_NONE:
        return;
    case OPERAND_FILES:
        puts("    _thalweg_reply -f");
        return;
    case OPERAND_YAML:
        puts("    _thalweg_reply -f -X '!*.yaml' -o plusdirs");
        return;
    case OPERAND_TYPES:
        puts("    _thalweg_reply -W \"$(thalweg nodes | cut -d ' ' -f 1)\"");
        return;
    case OPERAND_COMMANDS:
        fputs("    _thalweg_reply -W '", stdout);
        put_commands();
        puts("'");
        return;
    case OPERAND_LABELS:
        fputs("    _thalweg_reply -W '", stdout);
        put_labels(command->operand);
        puts("'");
        return;
    }
}

static void bash_command(const struct tw_command *command)
{
    printf("  %s)\n    case $before in\n", command->name);
    for (const struct tw_option *row = tw_options; row->name; row++)
        if (takes_value(row) && tw_option_applies(row, command))
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

static void print_bash(void)
{
    puts("# bash completion for thalweg, written by `thalweg completions bash`\n"
         "_thalweg_reply() { mapfile -t COMPREPLY < <(compgen \"$@\" -- \"$word\"); }\n"
         "_thalweg() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  COMPREPLY=()");
    fputs("  if [ \"$COMP_CWORD\" -eq 1 ]; then _thalweg_reply -W '", stdout);
    put_commands();
    puts("'; return; fi\n  case ${COMP_WORDS[1]} in");
    for (const struct tw_command *command = tw_commands; command->name; command++)
        bash_command(command);
    puts("  esac\n}\ncomplete -o filenames -F _thalweg thalweg");
}

/* ---- zsh ---- */

static void zsh_option(const struct tw_option *option)
{
    static const char *const actions[] = {"", "_files", "_files -/"};
    fputs("      '", stdout);
    if (option->letter)
        printf("(-%c --%s)'{-%c,--%s}'[", option->letter, option->name, option->letter,
               option->name);
    else
        printf("--%s[", option->name);
    put_quoted(option->help, "'\\''");
    fputs("]", stdout);
    if (takes_value(option) && completion_of(option) == COMPLETE_LABELS) {
        printf(":%s:(", option->name);
        put_labels(option->argument);
        fputs(")", stdout);
    } else if (takes_value(option)) {
        printf(":%s:%s", option->argument, actions[completion_of(option)]);
    }
    puts("' \\");
}

static void zsh_operand(const struct tw_command *command)
{
    switch (operand_of(command)) {
    case OPERAND_NONE:
        puts("      ;;");
        return;
    case OPERAND_FILES:
        puts("      '*:file:_files' ;;");
        return;
    case OPERAND_YAML:
        puts("      '*:file:_files -g \"*.yaml(-.)\"' ;;");
        return;
    case OPERAND_TYPES:
        puts("      '1:type:($(thalweg nodes | cut -d \" \" -f 1))' ;;");
        return;
    case OPERAND_COMMANDS:
        fputs("      '1:command:(", stdout);
        put_commands();
        puts(")' ;;");
        return;
    case OPERAND_LABELS:
        printf("      '1:%s:(", command->name);
        put_labels(command->operand);
        puts(")' ;;");
        return;
    }
}

static void print_zsh(void)
{
    puts("#compdef thalweg\n"
         "# zsh completion for thalweg, written by `thalweg completions zsh`\n"
         "_thalweg() {\n  local -a commands\n  commands=(");
    for (const struct tw_command *command = tw_commands; command->name; command++) {
        printf("    '%s:", command->name);
        put_quoted(command->summary, "'\\''");
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

/* ---- fish ---- */

static void fish_option(const struct tw_command *command, const struct tw_option *option)
{
    static const char *const actions[] = {" -x", " -r -F",
                                          " -x -a '(__fish_complete_directories)'"};
    printf("complete -c thalweg -n '__fish_seen_subcommand_from %s'", command->name);
    if (option->letter)
        printf(" -s %c", option->letter);
    printf(" -l %s", option->name);
    if (takes_value(option) && completion_of(option) == COMPLETE_LABELS) {
        fputs(" -x -a '", stdout);
        put_labels(option->argument);
        fputs("'", stdout);
    } else if (takes_value(option)) {
        fputs(actions[completion_of(option)], stdout);
    }
    fputs(" -d '", stdout);
    put_quoted(option->help, "\\'");
    puts("'");
}

static void fish_operand(const struct tw_command *command)
{
    enum operand operand = operand_of(command);
    if (operand == OPERAND_NONE)
        return;
    printf("complete -c thalweg -n '__fish_seen_subcommand_from %s' ", command->name);
    if (operand == OPERAND_YAML)
        fputs("-k -a '(__fish_complete_suffix .yaml)", stdout);
    else if (operand == OPERAND_FILES)
        fputs("-F -d 'a map or a recipe", stdout);
    else
        fputs("-a '", stdout);
    if (operand == OPERAND_TYPES)
        fputs("(thalweg nodes | string split -f 1 \" \")", stdout);
    else if (operand == OPERAND_COMMANDS)
        put_commands();
    else if (operand == OPERAND_LABELS)
        put_labels(command->operand);
    puts("'");
}

static void print_fish(void)
{
    puts("# fish completion for thalweg, written by `thalweg completions fish`\n"
         "complete -c thalweg -f");
    for (const struct tw_command *command = tw_commands; command->name; command++) {
        printf("complete -c thalweg -n __fish_use_subcommand -a %s -d '", command->name);
        put_quoted(command->summary, "\\'");
        puts("'");
    }
    for (const struct tw_command *command = tw_commands; command->name; command++) {
        for (const struct tw_option *row = tw_options; row->name; row++)
            if (tw_option_applies(row, command))
                fish_option(command, row);
        fish_operand(command);
    }
}

int tw_cmd_completions(const struct tw_settings *settings, char **operands)
{
    (void)settings;
    if (strcmp(operands[0], "bash") == 0)
        print_bash();
    else if (strcmp(operands[0], "zsh") == 0)
        print_zsh();
    else
        print_fish();
    return 0;
}
