/* SPDX-License-Identifier: MIT */
/* thalweg check: every fault of every recipe named; nothing is run. */
#include "cli/cli.h"
#include "graph/graph.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char usage[] = "usage: thalweg check RECIPE... [options]\n\n"
                            "  -s, --set NAME=VALUE   set a parameter of the recipe\n"
                            "      --seed N, --size N|WxH, --allow-path DIR   as for run\n"
                            "  -h, --help             this text";

int tw_cmd_check(int argc, char **argv)
{
    static const struct option options[] = {
        {"help", no_argument, NULL, 'h'}, TW_CLI_RECIPE_LONG, {NULL, 0, NULL, 0}};
    struct tw_cli_recipe settings = {.sets = 0};
    for (int option;
         (option = tw_cli_option(argc, argv, "h" TW_CLI_RECIPE_SHORT, options)) != -1;) {
        if (option == 'h')
            return puts(usage), 0;
        if (option == '?' || tw_cli_recipe_option(&settings, option, optarg) < 0)
            return 2;
    }
    if (optind >= argc)
        return tw_cli_usage("check takes recipes; see thalweg check --help");
    int worst = 0;
    for (int i = optind; i < argc; i++) {
        struct tw_recipe *recipe = NULL;
        int code = tw_cli_load(&settings, argv[i], &recipe);
        worst = code > worst ? code : worst;
        if (code == 0)
            printf("%s: good; borders: %s, %s\n", argv[i], tw_borders_name(recipe->borders),
                   recipe->borders_reason);
        tw_recipe_release(recipe);
    }
    return worst;
}
