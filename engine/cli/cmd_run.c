/* SPDX-License-Identifier: MIT */
/* thalweg run: load, run, export; stopped cleanly by SIGINT and SIGTERM. */
#include "cli/cli.h"
#include "cli/explain.h"
#include "cli/stop.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
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
    "      --max-memory SIZE  refuse to run when maps need more, as in 800M or 4G\n"
    "      --cache-dir DIR    cache folder (default: $XDG_CACHE_HOME/thalweg)\n"
    "      --cache-size SIZE  bound of the cache folder (default: 8G)\n"
    "      --no-cache         compute everything, remember nothing\n"
    "      --explain          say for every node why it was computed or not\n"
    "      --dry-run          say what would be computed, compute and write nothing\n"
    "      --trace FILE       write what ran when, for chrome://tracing or Perfetto\n"
    "      --json             print the report as JSON\n"
    "  -q, --quiet            print errors only\n"
    "  -h, --help             this text";

struct settings {
    struct tw_cli_recipe recipe;
    struct tw_run_options run;
    const char *folder, *trace, *cache;
    bool quiet, explain, dry, json, no_cache;
    int told; /* percent, where there is no terminal */
};

static void on_progress(void *context, const char *node, double done)
{
    struct settings *settings = context;
    int percent = (int)(done * 100 + 0.5);
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r\033[K%3d %% %s%s", percent, node, done >= 1 ? "\r\033[K" : "");
    } else if (percent >= settings->told + 10 || (percent == 100 && settings->told < 100)) {
        fprintf(stderr, "%3d %% %s\n", percent, node);
        settings->told = percent;
    }
}

static void on_warning(void *context, const struct tw_error *warning)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    tw_cli_diagnostic(context, false, warning, NULL);
}

static bool read_threads(struct settings *settings, const char *value)
{
    char *end = NULL;
    long count = strtol(value, &end, 10);
    if (*end || end == value || count < 1 || count > 64) {
        tw_cli_usage("-j is '%s'; wanted is a number from 1 to 64", value);
        return false;
    }
    settings->run.threads = (int32_t)count;
    return true;
}

enum { ONLY = 1, MEMORY, CACHE_DIR, CACHE_SIZE, NO_CACHE, EXPLAIN, DRY_RUN, TRACE, JSON };

/* False after a mistake that was told. */
static bool take_option(struct settings *settings, int option, const char *value)
{
    switch (option) {
    case 'o':
        return tw_cli_text("-o", settings->folder = value);
    case ONLY:
        settings->run.only = value;
        return true;
    case 'q':
        return settings->quiet = true;
    case 'j':
        return read_threads(settings, value);
    case MEMORY:
        return (settings->run.max_memory = tw_cli_bytes("--max-memory", value)) > 0;
    case CACHE_DIR:
        return tw_cli_text("--cache-dir", settings->cache = value);
    case CACHE_SIZE:
        return (settings->run.cache_bytes = tw_cli_bytes("--cache-size", value)) > 0;
    case NO_CACHE:
        return settings->no_cache = true;
    case EXPLAIN:
        return settings->explain = true;
    case DRY_RUN:
        return settings->dry = true;
    case TRACE:
        return tw_cli_text("--trace", settings->trace = value);
    case JSON:
        return settings->json = true;
    default:
        return false;
    }
}

/* 0 to go on, 2 after a mistake, -1 when help was printed. */
static int read_options(struct settings *settings, int argc, char **argv)
{
    static const struct option options[] = {{"out", required_argument, NULL, 'o'},
                                            {"only", required_argument, NULL, ONLY},
                                            {"threads", required_argument, NULL, 'j'},
                                            {"max-memory", required_argument, NULL, MEMORY},
                                            {"cache-dir", required_argument, NULL, CACHE_DIR},
                                            {"cache-size", required_argument, NULL, CACHE_SIZE},
                                            {"no-cache", no_argument, NULL, NO_CACHE},
                                            {"explain", no_argument, NULL, EXPLAIN},
                                            {"dry-run", no_argument, NULL, DRY_RUN},
                                            {"trace", required_argument, NULL, TRACE},
                                            {"json", no_argument, NULL, JSON},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"help", no_argument, NULL, 'h'},
                                            TW_CLI_RECIPE_LONG,
                                            {NULL, 0, NULL, 0}};
    for (int option;
         (option = tw_cli_option(argc, argv, "o:j:qh" TW_CLI_RECIPE_SHORT, options)) != -1;) {
        if (option == 'h')
            return puts(usage), -1;
        int taken = tw_cli_recipe_option(&settings->recipe, option, optarg);
        if (taken < 0 || (taken == 0 && !take_option(settings, option, optarg)))
            return 2;
    }
    return optind == argc - 1 ? 0 : tw_cli_usage("run takes one recipe; see thalweg run --help");
}

static void print_exports(const struct settings *settings, const struct tw_run_report *report)
{
    for (int32_t i = 0; i < report->export_count; i++) {
        const struct tw_export_report *item = &report->exports[i];
        const char *state = settings->dry ? "" : item->written ? "" : " (unchanged)";
        printf("%s/%s%s\n", settings->folder, item->item->file, state);
    }
}

static int exit_code(enum tw_status status)
{
    if (status == TW_CANCELLED)
        return tw_stop_exit_code();
    return tw_status_exit_code(status);
}

static int tell(const struct settings *settings, const struct tw_recipe *recipe,
                const struct tw_run_report *report, const struct tw_history *history,
                enum tw_status status, const struct tw_error *error, double seconds)
{
    if (isatty(STDERR_FILENO) && !settings->quiet)
        fputs("\r\033[K", stderr);
    if (status != TW_OK && status != TW_CANCELLED)
        tw_cli_error(error);
    if (settings->explain && !settings->json)
        tw_cli_explain(stdout, recipe, report, history, settings->dry);
    if (settings->json)
        tw_cli_run_json(stdout, recipe, report, status == TW_OK ? NULL : error, seconds);
    else if (status == TW_OK && !settings->quiet && !settings->dry)
        print_exports(settings, report);
    if (fflush(stdout) != 0 && status == TW_OK)
        return tw_status_exit_code(TW_IO);
    return exit_code(status);
}

static int run_recipe(struct settings *settings, struct tw_recipe *recipe)
{
    struct tw_error error = {.status = TW_OK};
    struct tw_run_report report = {0};
    struct tw_trace trace = {.start = uv_hrtime()};
    const char *cache = settings->run.cache_dir;
    struct tw_history *history = cache ? tw_history_load(cache, recipe->file) : NULL;
    double *expected = tw_history_expected(history, recipe);
    struct tw_run_request request = {.options = &settings->run,
                                     .export_folder = settings->folder,
                                     .dry = settings->dry,
                                     .expected = expected,
                                     .trace = settings->trace ? &trace : NULL,
                                     .report = &report,
                                     .abandon = tw_stop_abandon};
    enum tw_status status = tw_run_execute(recipe, &request, NULL, &error);
    double seconds = (double)(uv_hrtime() - trace.start) / 1e9;
    if (settings->trace && status == TW_OK)
        status = tw_trace_write(&trace, settings->trace, &error);
    int code = tell(settings, recipe, &report, history, status, &error, seconds);
    if (cache && !settings->dry)
        tw_history_save(cache, recipe, &report);
    tw_history_release(history);
    tw_run_report_release(&report);
    tw_trace_release(&trace);
    free(expected);
    return code;
}

int tw_cmd_run(int argc, char **argv)
{
    struct settings settings = {.folder = "out", .run.cache_bytes = (uint64_t)8 << 30};
    int wrong = read_options(&settings, argc, argv);
    if (wrong)
        return wrong < 0 ? 0 : wrong;
    tw_cli_size_pool(&settings.run);
    settings.run.cancel = tw_stop_flag();
    settings.run.warning = on_warning;
    settings.run.progress = settings.quiet || settings.dry ? NULL : on_progress;
    settings.run.context = &settings;
    settings.run.cache_dir = settings.no_cache ? NULL : tw_cli_cache_dir(settings.cache);
    struct tw_recipe *recipe = NULL;
    int code = tw_cli_load(&settings.recipe, argv[optind], &recipe);
    if (code != 0)
        return code;
    tw_stop_catch();
    code = run_recipe(&settings, recipe);
    tw_recipe_release(recipe);
    return code;
}
