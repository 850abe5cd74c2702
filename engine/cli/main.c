/* SPDX-License-Identifier: MIT */
/* Defines the tables of sub-commands and exit codes, and main(), which calls one command. */
#include "base/os/process.h"
#include "base/text/json.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "console/annotate.h"
#include "console/answer.h"
#include "console/events.h"
#include "console/inputs.h"
#include "console/output_file.h"
#include "console/remote.h"
#include "console/take_project.h"

#include <stdio.h>
#include <string.h>

const struct tw_command tw_commands[] = {
    {"run", tw_cmd_run, TW_FOR_RUN, "[RECIPE...]", "run recipes and write their exports",
     "Several recipes run as one: what they have in common is computed once. {recipe} in --out\n"
     "stands for a recipe's name, as in -o out/{recipe}. - is standard input. Without a recipe,\n"
     "those of the nearest thalweg-project.yaml, here or above."},
    {"serve", tw_cmd_serve, TW_FOR_SERVE, "RECIPE [RECIPE]",
     "show what a recipe gives in the browser, and change its values there",
     "Prints the address of a page, for browsers of this machine only; whoever has it may set values\n"
     "and write them to the recipe, but no exports are written. Two recipes are shown side by side.\n"
     "Ctrl-C ends it."},
    {"check", tw_cmd_check, TW_FOR_CHECK, "[RECIPE...]",
     "report every fault of recipes, run nothing", "- is standard input."},
    {"list", tw_cmd_list, TW_FOR_LIST, "[RECIPE...]", "name recipes, and the files that they read",
     "Without a recipe, those of the nearest thalweg-project.yaml, here or above."},
    {"graph", tw_cmd_graph, TW_FOR_GRAPH, "RECIPE", "print a recipe's graph as DOT or Mermaid",
     "- is standard input."},
    {"nodes", tw_cmd_nodes, TW_FOR_NODES, "[TYPE...]",
     "list node types, search them by words, or explain one", NULL},
    {"library", tw_cmd_library, 0, "[NAME]",
     "list the recipes that ship with the program, or print one",
     "A recipe uses one as a node: type: thalweg/snow. To change one, print it to a file:\n\n"
     "thalweg library snow > my-snow.yaml"},
    {"schema", tw_cmd_schema, TW_FOR_SCHEMA, "[recipes|project|sidecar|documents|snippets]",
     "print the JSON Schema of recipes and projects, for editors, of sidecars, or of what --json prints; or snippets",
     "Without a word, of recipes. As the first line of a recipe this serves editors:\n\n"
     "# yaml-language-server: $schema=./thalweg.schema.json\n\n"
     "Snippets are those of Visual Studio Code, one for each node type (docs/editors/)."},
    {"compare", tw_cmd_compare, TW_FOR_COMPARE, "EXPERIMENT [DIR...]",
     "run an experiment: variants over seeds, measured",
     "An assertion that does not hold ends with exit code 1.\n"
     "Many machines may share the seeds (docs/scaling.md):\n\n"
     "thalweg compare talus.yaml --shard 1/2 -o shards\n"
     "thalweg compare talus.yaml --shard 2/2 -o shards\n"
     "thalweg compare talus.yaml --gather shards --html talus.html"},
    {"judge", tw_cmd_judge, TW_FOR_JUDGE, "EXPERIMENT",
     "choose between unnamed pictures of variants, and rank them by it",
     "Write a page, choose on it with the arrow keys, save the answers, then give their files:\n\n"
     "thalweg judge talus.yaml --html judge.html\n"
     "thalweg judge talus.yaml --answers answers-1.json --answers answers-2.json"},
    {"lock", tw_cmd_lock, TW_FOR_LOCK, "[RECIPE...]", "write down what recipes give, for verify",
     "RECIPE.lock beside each recipe; commit it."},
    {"verify", tw_cmd_verify, TW_FOR_VERIFY, "[RECIPE...]",
     "run recipes again and compare them with their locks", "A difference ends with exit code 1."},
    {"diff", tw_cmd_diff, TW_FOR_DIFF, "A B", "say what differs between two maps or two recipes",
     "A recipe may be one of a git revision: HEAD~1:hills.yaml.\n"
     "A difference ends with exit code 1."},
    {"inspect", tw_cmd_inspect, TW_FOR_INSPECT, "FILE...", "say what files are: ours, and others'",
     "Maps, pictures, meshes, lists, sidecars and locks. A file whose digest is not the\n"
     "one that its sidecar, or the file itself, states ends with exit code 1."},
    {"cache", tw_cmd_cache, TW_FOR_CACHE, "stats|gc|clear|push|pull [RECIPE...]",
     "show, shrink or empty the cache, share it with a server",
     "stats prints entries and bytes, gc deletes the least recently used entries,\n"
     "clear deletes all. push sends what the cache holds of recipes to --cache-url,\n"
     "pull takes what the server holds of them, with --set, --seed and --size as they are run."},
    {"mcp", tw_cmd_mcp, TW_FOR_MCP, "[DIR]",
     "let programs that write recipes drive this one: Model Context Protocol",
     "Speaks on standard input and output. Recipes are texts, or files below DIR, the current\n"
     "folder if not given; --untrusted applies, and nothing is written (docs/agents.md)."},
    {"doctor", tw_cmd_doctor, TW_FOR_DOCTOR, "",
     "say where cache and limits come from and whether they work",
     "Exit code 0 when all works, 4 when something does not."},
    {"completions", tw_cmd_completions, 0, "bash|zsh|fish", "print completions for a shell", NULL},
    {"man", tw_cmd_man, TW_FOR_MAN, "[COMMAND]", "print the manual page, of one command or all",
     "Read it with: thalweg man | man -l -"},
    {.name = NULL},
};

const struct tw_exit_code tw_exit_codes[] = {
    {"0", "done"},
    {"1", "a difference, and nothing else"},
    {"2", "wrong usage"},
    {"3", "an invalid recipe or input file, or a limit that was exceeded"},
    {"4", "the run failed: a node, the disk, memory"},
    {"75", "try again, perhaps elsewhere: with --shard, a disk or memory was short"},
    {"129, 130, 143", "stopped by SIGHUP, SIGINT or SIGTERM; nothing half written"},
    {"141", "stopped by SIGPIPE: standard output was a pipe and lost its reader"},
    {NULL, NULL},
};

static void print_help(void)
{
    puts("thalweg " TW_VERSION ": terrain from recipes\n\n"
         "usage: thalweg COMMAND [options]   (thalweg COMMAND --help explains one)\n");
    for (const struct tw_command *command = tw_commands; command->name; command++)
        printf("  %-12s %s\n", command->name, command->summary);
    puts("\nexit codes");
    for (const struct tw_exit_code *row = tw_exit_codes; row->code; row++)
        printf("  %-12s %s\n", row->code, row->meaning);
}

static int run_remotely(const struct tw_command *command, struct tw_settings *settings,
                        char **operands)
{
    int code = tw_console_open_remote(command->bit, settings);
    code = code == 0 ? command->run(settings, operands) : code;
    tw_console_close_remote(settings);
    return code;
}

static int run_with_events(const struct tw_command *command, struct tw_settings *settings,
                           char **operands)
{
    struct tw_error error = {.status = TW_OK};
    if (tw_console_check_outputs(command->bit, settings, operands, &error) != TW_OK ||
        tw_events_open(command->name, settings->events, &error) != TW_OK)
        return tw_console_error(&error);
    int code = run_remotely(command, settings, operands);
    if (tw_events_close(code, &error) != TW_OK && code == 0)
        code = tw_console_error(&error);
    return code;
}

static int run_command(const struct tw_command *command, int argc, char **argv)
{
    struct tw_settings settings;
    char **operands;
    enum tw_answer_form form = tw_options_form(command, argc, argv);
    tw_answer_begin(command->name, form);
    if (!tw_options_read(command, argc, argv, &settings, &operands))
        return tw_answer_print(tw_status_exit_code(TW_USAGE));
    if (settings.help) {
        tw_usage_print(command);
        return 0;
    }
    settings.json = form != TW_ANSWER_NONE;
    tw_console_begin(settings.untrusted);
    tw_annotate_choose(&settings);
    int code = tw_console_take_project(command->name, command->bit, &settings, &operands);
    if (code == 0 && (command->bit & (TW_FOR_RUN | TW_FOR_VERIFY)))
        tw_options_take_shard(&settings, operands);
    if (code == 0)
        code = tw_console_take_changed(command->bit, &settings, operands);
    code = code == 0 ? run_with_events(command, &settings, operands) : code;
    tw_console_leave_project(&settings);
    return tw_answer_print(code);
}

static int run(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return argc < 2 ? 2 : 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("thalweg " TW_VERSION);
        return 0;
    }
    const struct tw_command *command = tw_command_find(argv[1]);
    if (command)
        return run_command(command, argc - 1, argv + 1);
    tw_answer_begin("usage", tw_options_form(NULL, argc - 1, argv + 1));
    return tw_answer_print(tw_cli_no_command(argv[1]));
}

int main(int argc, char **argv)
{
    tw_process_start();
    argv = tw_process_arguments(&argc, argv);
    tw_json_watch_memory();
    int code = run(argc, argv);
    tw_answer_begin(NULL, TW_ANSWER_NONE); /* frees the findings and the answer */
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    tw_process_end_unread();
    fputs("thalweg: cannot write to standard output\n", stderr);
    return code > tw_status_exit_code(TW_DIFFERENCE) ? code : tw_status_exit_code(TW_IO);
}
