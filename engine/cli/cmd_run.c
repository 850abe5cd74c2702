/* SPDX-License-Identifier: MIT */
/* thalweg run: load, run, export; stopped cleanly by SIGINT and SIGTERM. */
#include "cli/cli.h"
#include "run/runner.h"

#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char usage[] =
    "usage: thalweg run RECIPE [options]\n\n"
    "  -o, --out DIR          folder for exports (default: out)\n"
    "  -s, --set NAME=VALUE   set a parameter of the recipe\n"
    "      --seed N           instead of the recipe's seed\n"
    "      --size N|WxH       instead of the recipe's size, in cells\n"
    "      --only OUTPUT      compute and write only this output\n"
    "      --allow-path DIR   let the recipe read files below DIR, too\n"
    "  -j, --threads N        worker threads, 1 to 64 (default: one a processor)\n"
    "  -q, --quiet            print errors only\n"
    "  -h, --help             this text";

static volatile sig_atomic_t caught;
static volatile int cancel;

static void on_signal(int number)
{
    if (caught)
        _exit(128 + number);
    caught = number;
    cancel = 1;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

struct settings {
    struct tw_cli_recipe recipe;
    struct tw_run_options run;
    const char *folder;
    bool quiet;
};

static void on_progress(void *context, const char *node, double done)
{
    (void)context;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%3.0f %% %s%s", done * 100, node, done >= 1 ? "\r\033[K" : "");
    else
        fprintf(stderr, "%3.0f %% %s\n", done * 100, node);
}

static void on_warning(void *context, const struct tw_error *warning)
{
    tw_cli_diagnostic(context, false, warning, NULL);
}

static int read_threads(struct settings *settings, const char *value)
{
    char *end = NULL;
    long count = strtol(value, &end, 10);
    if (*end || count < 1 || count > 64)
        return tw_cli_usage("-j is '%s'; wanted is a number from 1 to 64", value);
    settings->run.threads = (int32_t)count;
    return 0;
}

/* 0 to go on, 2 after a mistake, -1 when help was printed. */
static int read_options(struct settings *settings, int argc, char **argv)
{
    enum { ONLY = 1 };
    static const struct option options[] = {{"out", required_argument, NULL, 'o'},
                                            {"only", required_argument, NULL, ONLY},
                                            {"threads", required_argument, NULL, 'j'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"help", no_argument, NULL, 'h'},
                                            TW_CLI_RECIPE_LONG,
                                            {NULL, 0, NULL, 0}};
    for (int option;
         (option = getopt_long(argc, argv, "o:j:qh" TW_CLI_RECIPE_SHORT, options, NULL)) != -1;) {
        int taken = tw_cli_recipe_option(&settings->recipe, option, optarg);
        if (taken < 0)
            return 2;
        if (taken > 0)
            continue;
        if (option == 'o')
            settings->folder = optarg;
        else if (option == ONLY)
            settings->run.only = optarg;
        else if (option == 'q')
            settings->quiet = true;
        else if (option == 'j' && read_threads(settings, optarg) != 0)
            return 2;
        else if (option == 'h')
            return puts(usage), -1;
        else if (option == '?')
            return 2;
    }
    return optind == argc - 1 ? 0 : tw_cli_usage("run takes one recipe; see thalweg run --help");
}

static int run_recipe(struct settings *settings, struct tw_recipe *recipe)
{
    struct tw_error error = {.status = TW_OK};
    struct tw_result *result = NULL;
    enum tw_status status = tw_recipe_run(recipe, &settings->run, &result, &error);
    if (status == TW_OK)
        status = tw_export_all(recipe, result, settings->folder, settings->run.only, &error);
    for (const struct tw_export *item = recipe->exports;
         item && status == TW_OK && !settings->quiet; item = item->next)
        if (!settings->run.only)
            printf("%s/%s\n", settings->folder, item->file);
    tw_result_release(result);
    if (status == TW_OK)
        return 0;
    if (status == TW_CANCELLED)
        return 128 + (caught ? (int)caught : SIGINT);
    return tw_cli_error(&error);
}

int tw_cmd_run(int argc, char **argv)
{
    struct settings settings = {.folder = "out"};
    int wrong = read_options(&settings, argc, argv);
    if (wrong)
        return wrong < 0 ? 0 : wrong;
    setenv("UV_THREADPOOL_SIZE", "64", 1);
    settings.run.cancel = &cancel;
    settings.run.warning = on_warning;
    settings.run.progress = settings.quiet ? NULL : on_progress;
    struct tw_recipe *recipe = NULL;
    int code = tw_cli_load(&settings.recipe, argv[optind], &recipe);
    if (code != 0)
        return code;
    catch_signals();
    code = run_recipe(&settings, recipe);
    tw_recipe_release(recipe);
    return code;
}
