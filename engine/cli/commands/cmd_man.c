/* SPDX-License-Identifier: MIT */
/* thalweg man: generates the manual page in roff, and the option tables of docs/cli.md, from the
 * rows of commands and options. */
#include "cli/cli.h"
#include "cli/commands/nodes.h"
#include "cli/options.h"

#include <ctype.h>
#include <stdio.h>

/* ---- roff ---- */

/* Escapes text for roff, which prints an unescaped '-' as a hyphen instead of a minus and takes a
 * line that starts with a dot or quote for a request. */
static void put_roff(const char *text)
{
    for (const char *at = text; *at; at++) {
        if ((at == text || at[-1] == '\n') && (*at == '.' || *at == '\''))
            fputs("\\&", stdout);
        if (*at == '-')
            fputs("\\-", stdout);
        else if (*at == '\\')
            fputs("\\e", stdout);
        else if (*at == '\n' && at[1] == '\n')
            fputs("\n.PP\n", stdout), at++;
        else
            putchar(*at);
    }
}

static void roff_option(const struct tw_option *option)
{
    char spelling[64];
    tw_option_spelling(option, false, spelling, sizeof spelling);
    fputs(".TP\n.B ", stdout);
    put_roff(spelling);
    puts("");
    put_roff(option->help);
    if (option->initial) {
        fputs("; default ", stdout);
        put_roff(option->initial);
    }
    puts("");
}

static void roff_command(const struct tw_command *command)
{
    char synopsis[64];
    tw_command_synopsis(command, synopsis, sizeof synopsis);
    fputs(".SS ", stdout);
    put_roff(synopsis);
    puts("");
    put_roff(command->summary);
    puts(".");
    for (const struct tw_option *row = tw_options; row->name; row++)
        if (tw_option_applies(row, command))
            roff_option(row);
    if (command->notes) {
        puts(".PP");
        put_roff(command->notes);
        puts("");
    }
}

static void print_roff(const struct tw_command *only)
{
    char title[32];
    int length =
        snprintf(title, sizeof title, "thalweg%s%s", only ? "-" : "", only ? only->name : "");
    fputs(".TH ", stdout);
    for (int i = 0; i < length; i++)
        putchar(toupper((unsigned char)title[i]));
    printf(" 1 \"\" \"thalweg " TW_VERSION "\" \"User commands\"\n.SH NAME\n%s \\- ", title);
    put_roff(only ? only->summary : "terrain from recipes");
    puts("\n.SH SYNOPSIS\n.B thalweg\n.I COMMAND\n[options]\n.SH COMMANDS");
    for (const struct tw_command *command = tw_commands; command->name; command++)
        if (!only || only == command)
            roff_command(command);
    puts(".SH EXIT STATUS");
    for (const struct tw_exit_code *row = tw_exit_codes; row->code; row++) {
        printf(".TP\n.B %s\n", row->code);
        put_roff(row->meaning);
        puts("");
    }
}

/* ---- Markdown ---- */

static void markdown_command(const struct tw_command *command)
{
    char text[64];
    tw_command_synopsis(command, text, sizeof text);
    printf("### %s\n\n`%s`: %s.\n\n| option | default | |\n|---|---|---|\n", command->name, text,
           command->summary);
    for (const struct tw_option *row = tw_options; row->name; row++) {
        if (!tw_option_applies(row, command) || row->commands == TW_FOR_ALL)
            continue;
        tw_option_spelling(row, false, text, sizeof text);
        fputs("| `", stdout);
        tw_cli_put_cell(stdout, text);
        printf("` | %s | ", row->initial ? row->initial : "");
        tw_cli_put_cell(stdout, row->help);
        puts(" |");
    }
}

/* Prints a table of options for each command that has any; without `only`, also the exit codes. */
static void print_markdown(const struct tw_command *only)
{
    const char *gap = "";
    for (const struct tw_command *command = tw_commands; command->name; command++)
        if (command->bit && (!only || only == command)) {
            fputs(gap, stdout);
            markdown_command(command);
            gap = "\n";
        }
    if (only)
        return;
    puts("\n## Exit codes\n\n| code | |\n|---|---|");
    for (const struct tw_exit_code *row = tw_exit_codes; row->code; row++)
        printf("| %s | %s |\n", row->code, row->meaning);
}

int tw_cmd_man(const struct tw_settings *settings, char **operands)
{
    const struct tw_command *only = settings->operand_count ? tw_command_find(operands[0]) : NULL;
    if (settings->operand_count && !only)
        return tw_cli_no_command(operands[0]);
    (settings->markdown ? print_markdown : print_roff)(only);
    return 0;
}
