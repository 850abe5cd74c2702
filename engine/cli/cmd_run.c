/* SPDX-License-Identifier: MIT */
/* thalweg run: load, run, export; stopped cleanly by SIGINT and SIGTERM. */
#include "base/process.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/explain.h"
#include "cli/output_file.h"
#include "cli/stop.h"
#include "run/export.h"
#include "run/watch.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct session {
    const struct tw_settings *settings;
    struct tw_run_options run;
    struct tw_memo *memo; /* with --watch */
    int percent;          /* last printed, where there is no terminal */
};

static void on_progress(void *context, const char *node, double done)
{
    struct session *session = context;
    int percent = (int)(done * 100 + 0.5);
    if (tw_process_is_terminal(stderr)) {
        fprintf(stderr, "\r\033[K%3d %% %s%s", percent, node, done >= 1 ? "\r\033[K" : "");
    } else if (percent >= session->percent + 10 || (percent == 100 && session->percent < 100)) {
        fprintf(stderr, "%3d %% %s\n", percent, node);
        session->percent = percent;
    }
}

static void on_warning(void *context, const struct tw_error *warning)
{
    if (tw_process_is_terminal(stderr))
        fputs("\r\033[K", stderr);
    tw_cli_diagnostic(context, false, warning, NULL);
}

static void print_exports(const struct tw_settings *settings, const struct tw_run_report *report)
{
    for (int32_t i = 0; i < report->export_count; i++) {
        const struct tw_export_report *item = &report->exports[i];
        const char *state = settings->dry_run ? "" : item->written ? "" : " (unchanged)";
        tw_text_write(stdout, settings->out, TW_TEXT_TERMINAL);
        fputs("/", stdout);
        tw_text_write(stdout, item->item->file, TW_TEXT_TERMINAL);
        printf("%s\n", state);
    }
}

/* The numbers that the engines' dialogs ask for. */
static void print_advice(const struct tw_recipe *recipe, const struct tw_run_report *report)
{
    for (int32_t i = 0; i < report->export_count; i++) {
        const struct tw_export *item = report->exports[i].item;
        struct tw_advice advice;
        char text[800];
        if (!tw_export_is_entry(item) || !tw_export_advise(recipe, item, &advice))
            continue;
        tw_advice_print(&advice, text, sizeof text);
        tw_text_write(stderr, item->entry, TW_TEXT_TERMINAL);
        fprintf(stderr, " for %s: %s\n", item->preset->name, text);
    }
}

/* What a stopped run reports before the process ends; a run's abandon callback has no context. */
static const char *abandoned_file;

static void report_and_abandon(void)
{
    struct tw_error error;
    tw_error_set(&error, TW_CANCELLED, "stopped by %s", tw_stop_signal_name());
    tw_cli_run_json(stdout, abandoned_file, NULL, NULL, &error, 0);
    (void)fflush(stdout);
    tw_stop_abandon();
}

static int exit_code(enum tw_status status)
{
    if (status == TW_CANCELLED)
        return tw_stop_exit_code();
    return tw_status_exit_code(status);
}

static int report_outcome(const struct tw_settings *settings, const struct tw_recipe *recipe,
                          const struct tw_run_report *report, const struct tw_history *history,
                          enum tw_status status, struct tw_error *error, double seconds)
{
    if (tw_process_is_terminal(stderr) && !settings->quiet)
        fputs("\r\033[K", stderr);
    if (status != TW_OK && status != TW_CANCELLED)
        tw_cli_error(error);
    bool explain = settings->explain || (settings->dry_run && !settings->quiet);
    if (status == TW_CANCELLED)
        tw_error_set(error, TW_CANCELLED, "stopped by %s", tw_stop_signal_name());
    if (explain && !settings->json)
        tw_cli_explain(stdout, recipe, report, history, settings->dry_run);
    if (settings->json)
        tw_cli_run_json(stdout, recipe->file, recipe, report, status == TW_OK ? NULL : error,
                        seconds);
    else if (status == TW_OK && !settings->quiet && !settings->dry_run &&
             !tw_cli_is_stdout(settings->trace)) {
        print_exports(settings, report);
        print_advice(recipe, report);
    }
    if (fflush(stdout) != 0 && status == TW_OK)
        return tw_status_exit_code(TW_IO);
    return exit_code(status);
}

/* Not over the run's exports either, where they exist. */
static enum tw_status write_trace(const struct tw_settings *settings,
                                  struct tw_overwrite_guard *guard, const struct tw_trace *trace,
                                  const struct tw_run_report *report, struct tw_error *err)
{
    struct tw_bytes text = {0};
    char path[PATH_MAX];
    enum tw_status status = TW_OK;
    for (int32_t i = 0; status == TW_OK && i < report->export_count; i++)
        if (snprintf(path, sizeof path, "%s/%s", settings->out, report->exports[i].item->file) <
            PATH_MAX)
            status = tw_overwrite_guard_add(guard, path, "an export of this run", err);
    if (status == TW_OK)
        status = tw_trace_print(trace, &text, err);
    if (status == TW_OK)
        status = tw_cli_write_output(guard, settings->trace, &text, err);
    free(text.at);
    return status;
}

/* "3 of 15 nodes computed, 0.042 s" */
static void print_watched(const struct tw_run_report *report, double seconds)
{
    int computed = 0;
    for (int32_t i = 0; i < report->node_count; i++)
        computed += report->nodes[i].outcome == TW_OUTCOME_COMPUTED;
    fprintf(stderr, "%d of %d nodes computed, %.3f s\n", computed, (int)report->needed, seconds);
}

static int run_recipe(const struct session *session, struct tw_recipe *recipe)
{
    const struct tw_settings *settings = session->settings;
    struct tw_error error = {.status = TW_OK};
    struct tw_run_report report = {0};
    struct tw_trace trace = {.start = uv_hrtime()};
    const char *cache = session->run.cache_dir;
    struct tw_history *history = cache ? tw_history_load(cache, recipe->file) : NULL;
    double *expected = tw_history_expected(history, recipe);
    struct tw_run_request request = {.options = &session->run,
                                     .export_folder = settings->out,
                                     .dry = settings->dry_run,
                                     .expected = expected,
                                     .trace = settings->trace ? &trace : NULL,
                                     .memo = session->memo,
                                     .report = &report,
                                     .abandon =
                                         settings->json ? report_and_abandon : tw_stop_abandon};
    struct tw_overwrite_guard guard = {0};
    enum tw_status status = tw_overwrite_guard_add_readings(&guard, recipe, &error);
    if (status == TW_OK)
        status = tw_cli_check_output(&guard, settings->trace, &error);
    if (status == TW_OK)
        status = tw_run_execute(recipe, &request, NULL, &error);
    double seconds = (double)(uv_hrtime() - trace.start) / 1e9;
    if (settings->trace && status == TW_OK)
        status = write_trace(settings, &guard, &trace, &report, &error);
    tw_overwrite_guard_release(&guard);
    int code = report_outcome(settings, recipe, &report, history, status, &error, seconds);
    if (settings->watch && status == TW_OK && !settings->quiet)
        print_watched(&report, seconds);
    if (cache && !settings->dry_run)
        tw_history_save(cache, recipe, &report, history);
    tw_history_release(history);
    tw_run_report_release(&report);
    tw_trace_release(&trace);
    free(expected);
    return code;
}

/* Loads and runs; *watch follows what the recipe reads. A recipe with faults is reported, and what
 * the last good one wrote stays. */
static int load_and_run(const struct session *session, const char *path, struct tw_watch *watch)
{
    const struct tw_settings *settings = session->settings;
    struct tw_recipe *recipe = NULL;
    struct tw_error error = {.status = TW_OK};
    int code = tw_cli_load(settings, path, &recipe, &error);
    if (code != 0 && settings->json)
        tw_cli_run_json(stdout, path, NULL, NULL, &error, 0);
    if (code != 0)
        return code;
    abandoned_file = path;
    if (watch && tw_watch_follow(watch, recipe, &error) != TW_OK)
        tw_cli_error(&error);
    tw_stop_catch();
    code = run_recipe(session, recipe);
    tw_recipe_release(recipe);
    return code;
}

static int run_on_changes(struct session *session, const char *path)
{
    struct tw_watch *watch = NULL;
    struct tw_error error;
    const char *changed = NULL;
    enum tw_status status = tw_watch_create(&watch, &error);
    if (status == TW_OK)
        status = tw_watch_add(watch, path, &error);
    if (status == TW_OK)
        status = tw_memo_create(session->run.max_memory, &session->memo, &error);
    if (status != TW_OK) {
        tw_watch_release(watch);
        return tw_cli_error(&error);
    }
    tw_stop_catch();
    (void)load_and_run(session, path, watch);
    while (tw_watch_wait(watch, tw_stop_flag(), &changed) == TW_OK) {
        if (!session->settings->quiet) {
            fputs("changed: ", stderr);
            tw_text_write(stderr, changed, TW_TEXT_TERMINAL);
            fputs("\n", stderr);
        }
        (void)load_and_run(session, path, watch);
    }
    tw_watch_release(watch);
    tw_memo_release(session->memo);
    return tw_stop_exit_code();
}

int tw_cmd_run(const struct tw_settings *settings, char **operands)
{
    struct session session = {.settings = settings, .run = tw_cli_run_options(settings)};
    session.run.warning = on_warning;
    session.run.progress =
        settings->quiet || settings->dry_run || settings->watch ? NULL : on_progress;
    session.run.context = &session;
    return settings->watch ? run_on_changes(&session, operands[0])
                           : load_and_run(&session, operands[0], NULL);
}
