/* SPDX-License-Identifier: MIT */
/* Loads, runs and exports; SIGINT and SIGTERM stop it cleanly. */
#include "session/run_session.h"

#include "base/text/text.h"
#include "cluster/cluster.h"
#include "cluster/recipes_cluster.h"
#include "console/answer.h"
#include "console/diagnostic.h"
#include "console/events.h"
#include "console/findings.h"
#include "console/last_line.h"
#include "console/output_file.h"
#include "console/stop.h"
#include "console/terminal.h"
#include "session/depfile.h"
#include "session/run_ending.h"
#include "session/run_report.h"

#include <stdlib.h>

#define DRAFT_BYTES ((uint64_t)256 << 20) /* of drafts that stay in memory */

struct session {
    const struct tw_settings *settings;
    const struct tw_run_call *call;
    struct tw_run_options run;
    struct tw_memo *memo, *draft_memo; /* kept between the runs of one call */
    struct tw_recipe_set parts;
    struct tw_trace trace;
    int32_t graph;          /* index of the graph under way */
    double done, share;     /* progress: before this graph, and the graph's own fraction */
    int percent;            /* last printed, if standard error is not a terminal */
    enum tw_status failure; /* the worst failure so far that did not stop the other graphs */
    const char *changed;    /* a file that changed since the recipe was read; NULL: none */
    bool asked;             /* the viewer asked for another run meanwhile */
    bool gave_way;          /* the run ended early because of either */
};

static double seconds_of(const struct session *session)
{
    return (double)(uv_hrtime() - session->trace.start) / 1e9;
}

static void on_progress(void *context, const char *node, double done)
{
    struct session *session = context;
    int percent = (int)((session->done + done * session->share) * 100 + 0.5);
    if (tw_terminal_shows_progress()) {
        fprintf(stderr, "\r\033[K%3d %% %s%s", percent, node, percent >= 100 ? "\r\033[K" : "");
    } else if (percent >= session->percent + 10 || (percent == 100 && session->percent < 100)) {
        fprintf(stderr, "%3d %% %s\n", percent, node);
        session->percent = percent;
    }
}

static void on_warning(void *context, const struct tw_error *warning)
{
    if (tw_terminal_shows_progress())
        fputs("\r\033[K", stderr);
    tw_console_diagnostic(context, false, warning, NULL);
}

static void keep_fault(struct tw_recipe_entry *part, const struct tw_error *error)
{
    if (part->fault.status == TW_OK)
        part->fault = *error;
}

static void report_failure(struct session *session, const struct tw_error *error)
{
    if (tw_terminal_shows_progress() && !session->settings->quiet)
        fputs("\r\033[K", stderr);
    if (tw_status_exit_code(error->status) > tw_status_exit_code(session->failure))
        session->failure = error->status;
    tw_console_error(error);
}

/* Reports a failed node for each recipe that contains it, at its place in that recipe. */
static void report_failed_node(struct session *session, struct tw_recipe_entry *part,
                               const struct tw_run_failure *failure)
{
    const struct tw_node *own = tw_recipe_set_find_node(&session->parts, part, failure->node);
    struct tw_error error = *failure->error;
    if (!own)
        return;
    tw_node_locate(&error, own);
    keep_fault(part, &error);
    report_failure(session, &error);
}

static void report_failed_export(struct session *session, struct tw_recipe_entry *part,
                                 const struct tw_run_failure *failure)
{
    const struct tw_export *own = tw_recipe_set_find_export(&session->parts, part, failure->item);
    if (!own)
        return;
    tw_case_begin(part->file, "%s", own->file);
    struct tw_error error = *failure->error;
    if (error.line == 0) {
        snprintf(error.file, sizeof error.file, "%s", own->place.file);
        error.line = own->place.line;
        error.column = own->place.column;
    }
    keep_fault(part, &error);
    report_failure(session, &error);
    tw_case_end();
}

static void on_failed(void *context, const struct tw_run_failure *failure)
{
    struct session *session = context;
    for (int32_t p = 0; p < session->parts.count; p++) {
        struct tw_recipe_entry *part = &session->parts.at[p];
        if (part->graph == session->graph && failure->item)
            report_failed_export(session, part, failure);
        else if (part->graph == session->graph)
            report_failed_node(session, part, failure);
    }
}

/* The session that report_and_abandon() reports before the process ends; a run's abandon callback
 * has no context parameter. */
static struct session *abandoned;

static void report_and_abandon(void)
{
    struct session *session = abandoned;
    int code = tw_stop_exit_code();
    (void)tw_events_close(code, NULL);
    tw_recipe_set_share_summary(&session->parts, session->graph);
    tw_run_answer(session->settings, &session->parts, seconds_of(session));
    (void)tw_answer_print(code);
    (void)fflush(stdout);
    tw_stop_abandon();
}

static enum tw_status write_trace(const struct session *session,
                                  const struct tw_overwrite_guard *guard, struct tw_error *err)
{
    struct tw_bytes text = {0};
    enum tw_status status = tw_trace_print(&session->trace, &text, err);
    if (status == TW_OK)
        status = tw_console_write_output(guard, session->settings->trace, &text, err);
    free(text.at);
    return status;
}

static enum tw_status write_depfile(const struct session *session,
                                    const struct tw_overwrite_guard *guard, struct tw_error *err)
{
    struct tw_bytes text = {0};
    enum tw_status status = tw_depfile_print(session->settings, &session->parts, &text, err);
    if (status == TW_OK)
        status = tw_console_write_output(guard, session->settings->depfile, &text, err);
    free(text.at);
    return status;
}

/* Starts observing a graph, with a forecast if all of its recipes have run before. NULL without
 * memory. */
static const struct tw_run_observer *observe(struct tw_recipe_set *parts, int32_t g)
{
    const struct tw_set_graph *graph = &parts->graphs[g];
    struct tw_events_graph events = {.recipe = graph->recipe,
                                     .expected = tw_recipe_set_expected(parts, g),
                                     .folder = graph->folder};
    const char **files = calloc((size_t)parts->count + 1, sizeof *files);
    for (int32_t p = 0; files && p < parts->count; p++) {
        if (parts->at[p].graph != g)
            continue;
        files[events.file_count++] = parts->at[p].file;
        if (!parts->at[p].history)
            events.expected = NULL;
    }
    events.files = files;
    const struct tw_run_observer *observer = files ? tw_events_observer(&events) : NULL;
    free(files);
    return observer;
}

static const double *expect(void *context)
{
    struct session *session = context;
    return tw_recipe_set_expected(&session->parts, session->graph);
}

/* Returns graph g's fraction of the expected time of all graphs. */
static double share_of(struct tw_recipe_set *parts, int32_t g)
{
    double all = 0;
    if (parts->graph_count == 1)
        return 1;
    for (int32_t i = 0; i < parts->graph_count; i++)
        all += tw_recipe_set_expected(parts, i) ? parts->graphs[i].weight : 0;
    return all > 0 ? parts->graphs[g].weight / all : 1;
}

static enum tw_status run_graph(struct session *session, int32_t g, struct tw_run_request request,
                                struct tw_error *err)
{
    struct tw_set_graph *graph = &session->parts.graphs[g];
    session->graph = g;
    if (session->call->viewer)
        session->call->viewer->start(session->call->viewer->context, g);
    session->share = share_of(&session->parts, g);
    session->run.only = tw_recipe_set_only(&session->parts, graph);
    request.export_folder = request.cache_only || session->parts.shown ? NULL : graph->folder;
    request.expect = expect;
    request.expect_context = session;
    request.failed = on_failed;
    request.failed_context = session;
    request.report = &graph->report;
    if (tw_events_are_open() && !(request.observer = observe(&session->parts, g)))
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status = tw_run_execute(graph->recipe, &request, NULL, err);
    tw_recipe_set_share_summary(&session->parts, g);
    session->done += session->share;
    if (status == TW_OK || !tw_run_goes_on(status))
        return status;
    for (int32_t p = 0; p < session->parts.count; p++)
        if (session->parts.at[p].graph == g)
            keep_fault(&session->parts.at[p], err);
    report_failure(session, err); /* of this graph; the others go on */
    return TW_OK;
}

static enum tw_status send_recipes(const struct session *session, struct tw_error *err)
{
    const struct tw_recipe_set *parts = &session->parts;
    const char **files = calloc((size_t)parts->count + 1, sizeof *files);
    struct tw_recipe **recipes = calloc((size_t)parts->count + 1, sizeof *recipes);
    const struct tw_recipes_work work = {session->settings, "run", files, recipes, parts->count};
    for (int32_t p = 0; files && recipes && p < parts->count; p++) {
        files[p] = parts->at[p].file;
        recipes[p] = parts->at[p].recipe;
    }
    enum tw_status status = files && recipes ? tw_recipes_on_cluster(&work, err)
                                             : tw_error_set(err, TW_MEMORY, "out of memory");
    free(files);
    free(recipes);
    return status;
}

static enum tw_status run_graphs(struct session *session, struct tw_error *err)
{
    const struct tw_settings *settings = session->settings;
    const struct tw_run_viewer *viewer = session->call->viewer;
    const struct tw_checkout checkout = {settings->checkout};
    const struct tw_run_request request = {.options = &session->run,
                                           .checkout = &checkout,
                                           .bands = session->call->bands,
                                           .cache_only = settings->no_exports,
                                           .dry = settings->dry_run,
                                           .judges = true,
                                           .digest_files = settings->json || tw_events_are_open(),
                                           .trace = settings->trace ? &session->trace : NULL,
                                           .memo = viewer && viewer->draft ? session->draft_memo
                                                                           : session->memo,
                                           .observer = viewer ? &viewer->observer : NULL,
                                           .display = viewer ? &viewer->display : NULL,
                                           /* a run that gives way waits for nodes */
                                           .may_abandon = tw_stop_was_caught,
                                           .abandon = report_and_abandon};
    struct tw_overwrite_guard guard = {.checkout = &checkout};
    enum tw_status status = tw_recipe_set_check(&session->parts, &request, &guard, err);
    if (status == TW_OK)
        status = tw_console_claim_outputs(&guard, settings, err);
    if (status == TW_OK && settings->on == TW_ON_SLURM)
        status = send_recipes(session, err);
    abandoned = session;
    for (int32_t g = 0; status == TW_OK && g < session->parts.graph_count; g++)
        status = run_graph(session, g, request, err);
    if (settings->trace && status == TW_OK)
        status = write_trace(session, &guard, err);
    if (settings->depfile && status == TW_OK && session->failure == TW_OK)
        status = write_depfile(session, &guard, err);
    tw_overwrite_guard_release(&guard);
    return status;
}

/* ---- printing ---- */

/* Prints a summary: "3 of 15 nodes computed, 0.042 s". */
static void print_watched(const struct session *session)
{
    struct tw_run_sums sums = tw_run_sum(&session->parts);
    fprintf(stderr, "%d of %d nodes computed, %.3f s\n", (int)sums.computed, (int)sums.needed,
            seconds_of(session));
}

static void print_ending(const struct session *session, enum tw_status status,
                         struct tw_error *error)
{
    if (session->call->viewer)
        return;
    error->status = status;
    tw_run_print_ending(session->settings, &session->parts, error);
}

static int report_outcome(const struct session *session, enum tw_status status,
                          struct tw_error *error)
{
    const struct tw_settings *settings = session->settings;
    const enum tw_status worst = status == TW_OK ? session->failure : status;
    int code = status == TW_CANCELLED ? tw_stop_exit_code() : tw_cluster_exit_code(settings, worst);
    if (tw_terminal_shows_progress() && !settings->quiet)
        fputs("\r\033[K", stderr);
    if (status != TW_OK && status != TW_CANCELLED)
        tw_console_error(error);
    bool explain = settings->explain || (settings->dry_run && !settings->quiet);
    if (settings->json && !session->call->viewer)
        tw_run_answer(settings, &session->parts, seconds_of(session));
    else if (explain)
        tw_run_explain(settings, &session->parts);
    if (status == TW_OK && !settings->json && !settings->quiet && !settings->dry_run &&
        !tw_console_has_document(settings))
        tw_run_print(&session->parts);
    const bool draft = session->call->viewer && session->call->viewer->draft;
    tw_run_print_times(settings, &session->parts);
    if (settings->watch && worst == TW_OK && !settings->quiet && !draft)
        print_watched(session);
    print_ending(session, status, error);
    if (fflush(stdout) != 0 && worst == TW_OK)
        return tw_status_exit_code(TW_IO);
    return code;
}

static void save_histories(const struct session *session)
{
    if (session->call->viewer && session->call->viewer->draft)
        return;
    for (int32_t p = 0; p < session->parts.count; p++) {
        const struct tw_recipe_entry *part = &session->parts.at[p];
        if (session->run.cache_dir && !session->settings->dry_run && part->report.nodes)
            tw_history_save(session->run.cache_dir, part->recipe, &part->report, part->history);
    }
}

static enum tw_status join(struct session *session, struct tw_error *err)
{
    const struct tw_run_viewer *viewer = session->call->viewer;
    struct tw_recipe_set *parts = &session->parts;
    parts->shown = viewer != NULL;
    enum tw_status status = tw_recipe_set_join(parts, session->run.cache_dir, err);
    for (int32_t g = 0; viewer && status == TW_OK && g < parts->graph_count; g++)
        status = viewer->choose(viewer->context, parts, g, err);
    return status;
}

static void wait_for_draft(void) {}

/* Joins and runs the loaded recipes; with `watch`, stops early when one of their files changes or
 * the viewer asks for another run. */
static enum tw_status run_loaded(struct session *session, struct tw_watch *watch,
                                 struct tw_error *err)
{
    const struct tw_run_viewer *viewer = session->call->viewer;
    if (watch)
        tw_watch_follow(watch, tw_stop_flag(),
                        viewer && viewer->draft ? wait_for_draft : tw_stop_give_way);
    enum tw_status status = join(session, err);
    if (status == TW_OK)
        status = run_graphs(session, err);
    if (watch)
        session->changed = tw_watch_leave(watch);
    session->asked = viewer && viewer->asked(viewer->context);
    if ((session->changed || session->asked) && !tw_stop_go_on()) {
        session->changed = NULL; /* a signal arrived as well: stop instead of restarting */
        session->asked = false;
    }
    session->gave_way = (session->changed || session->asked) && status == TW_CANCELLED;
    return status;
}

static void end_view(const struct session *session, int code)
{
    const struct tw_run_viewer *viewer = session->call->viewer;
    if (viewer && session->gave_way)
        viewer->drop(viewer->context);
    else if (viewer)
        viewer->end(viewer->context, &session->parts, seconds_of(session), code);
}

/* Loads and runs all recipes; `watch` gets the files that they read. A recipe with faults is
 * reported, and the files of its last good run remain. */
static int load_and_run(struct session *session, char **operands, struct tw_watch *watch)
{
    const struct tw_run_viewer *viewer = session->call->viewer;
    struct tw_recipe_set *parts = &session->parts;
    struct tw_error error = {.status = TW_OK};
    session->trace = (struct tw_trace){.start = uv_hrtime()};
    session->done = 0;
    session->percent = 0;
    session->failure = TW_OK;
    session->changed = NULL;
    session->asked = session->gave_way = false;
    if (watch)
        tw_watch_begin(watch);
    for (int32_t p = 0; watch && p < session->settings->operand_count; p++)
        if (tw_watch_add(watch, operands[p], &error) != TW_OK)
            tw_console_error(&error);
    const struct tw_load_changes *changes = viewer ? viewer->begin(viewer->context) : NULL;
    enum tw_status status = tw_recipe_set_create(parts, session->settings, operands, &error);
    int code = status == TW_OK
                   ? tw_recipe_set_load(parts, session->settings, changes, watch, &error)
                   : tw_console_error(&error);
    if (code == 0 && watch)
        tw_watch_end(watch);
    tw_stop_catch();
    if (code == 0) {
        status = run_loaded(session, watch, &error);
        if (!session->gave_way)
            code = report_outcome(session, status, &error);
        save_histories(session);
    } else if (!viewer) {
        tw_run_answer(session->settings, parts, seconds_of(session));
        print_ending(session, status, &error);
    }
    end_view(session, code);
    tw_recipe_set_release(parts);
    tw_trace_release(&session->trace);
    return code;
}

static void begin_session(struct session *session, const struct tw_run_call *call, bool progress)
{
    const struct tw_settings *settings = call->settings;
    *session = (struct session){
        .settings = settings, .call = call, .run = tw_console_run_options(settings)};
    session->run.warning = on_warning;
    session->run.progress = progress && !call->viewer ? on_progress : NULL;
    session->run.context = session;
}

int tw_run_once(const struct tw_run_call *call, char **operands)
{
    struct session session;
    begin_session(&session, call, !call->settings->quiet && !call->settings->dry_run);
    return load_and_run(&session, operands, NULL);
}

static void print_changed(const char *path)
{
    if (tw_terminal_shows_progress())
        fputs("\r\033[K", stderr);
    fputs("changed: ", stderr);
    tw_text_write(stderr, path, TW_TEXT_TERMINAL);
    fputs("\n", stderr);
}

/* Returns whether another run begins; false after a signal. */
static bool await_next(const struct session *session, struct tw_watch *watch, const char **changed)
{
    const struct tw_run_viewer *viewer = session->call->viewer;
    *changed = session->changed;
    bool next = *changed || session->asked;
    while (!next && tw_watch_wait(watch, tw_stop_flag(), changed) == TW_OK)
        next = *changed || (viewer && viewer->asked(viewer->context));
    return next;
}

static enum tw_status create_memos(struct session *session, struct tw_error *err)
{
    enum tw_status status = tw_memo_create(session->run.max_memory, &session->memo, err);
    return status == TW_OK && session->call->viewer
               ? tw_memo_create(DRAFT_BYTES, &session->draft_memo, err)
               : status;
}

static int run_on_changes(struct session *session, char **operands)
{
    struct tw_watch *watch = NULL;
    struct tw_error error;
    const char *changed = NULL;
    const struct tw_run_viewer *viewer = session->call->viewer;
    enum tw_status status = tw_watch_create(&watch, &error);
    if (status == TW_OK)
        status = tw_watch_add(watch, operands[0], &error);
    if (status == TW_OK)
        status = create_memos(session, &error);
    if (status != TW_OK) {
        tw_watch_release(watch);
        tw_memo_release(session->memo);
        return tw_console_error(&error);
    }
    if (viewer)
        viewer->follow(viewer->context, watch);
    tw_stop_catch();
    do {
        if (changed && !session->settings->quiet)
            print_changed(changed);
        int code = load_and_run(session, operands, watch);
        if (session->gave_way)
            tw_answer_drop();
        else
            tw_answer_print(code);
    } while (await_next(session, watch, &changed));
    if (viewer)
        viewer->follow(viewer->context, NULL);
    tw_watch_release(watch);
    tw_memo_release(session->memo);
    tw_memo_release(session->draft_memo);
    return tw_stop_exit_code();
}

int tw_run_on_changes(const struct tw_run_call *call, char **operands)
{
    struct session session;
    begin_session(&session, call, false);
    return run_on_changes(&session, operands);
}
