/* SPDX-License-Identifier: MIT */
/* The table of sub-commands, and nothing else. */
#include "base/suggest.h"
#include "cli/cli.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"run", tw_cmd_run, "run a recipe and write its exports"},
    {"check", tw_cmd_check, "report every fault of recipes, run nothing"},
    {"graph", tw_cmd_graph, "print a recipe's graph as DOT or Mermaid"},
    {"nodes", tw_cmd_nodes, "list node types, or explain one"},
    {"schema", tw_cmd_schema, "print the JSON Schema of recipes, for editors"},
    {"compare", tw_cmd_compare, "run an experiment: variants over seeds, measured"},
    {"cache", tw_cmd_cache, "show, shrink or empty the cache"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void help(void)
{
    puts("thalweg " TW_VERSION ": terrain from recipes\n\n"
         "usage: thalweg COMMAND [options]   (thalweg COMMAND --help explains one)\n");
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-8s %s\n", commands[i].name, commands[i].summary);
    puts("\nexit codes: 0 done, 1 a difference, 2 wrong usage, 3 invalid recipe or input,\n"
         "4 the run failed, 130 and 143 stopped by a signal");
}

static int run(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help();
        return argc < 2 ? 2 : 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("thalweg " TW_VERSION);
        return 0;
    }
    struct tw_suggestion suggestion = {.wanted = argv[1]};
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, argv[1]) == 0)
            return commands[i].run(argc - 1, argv + 1);
        tw_suggest_offer(&suggestion, commands[i].name);
    }
    return suggestion.best ? tw_cli_usage("there is no command '%s'; did you mean '%s'?", argv[1],
                                          suggestion.best)
                           : tw_cli_usage("there is no command '%s'; see thalweg --help", argv[1]);
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    int code = run(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fputs("thalweg: cannot write to standard output\n", stderr);
    return code ? code : tw_status_exit_code(TW_IO);
}
