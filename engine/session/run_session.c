/* SPDX-License-Identifier: MIT */
/* Loads, runs and exports; SIGINT and SIGTERM stop it cleanly. */
#include "session/run_session.h"

#include "base/text/text.h"
#include "cluster/cluster.h"
#include "console/answer.h"
#include "console/diagnostic.h"
#include "console/last_line.h"
#include "console/stop.h"
#include "console/terminal.h"
#include "session/run_ending.h"
#include "session/run_report.h"
#include "session/session.h"

#include <uv.h>

#define DRAFT_BYTES ((uint64_t)256 << 20) /* of drafts that stay in memory */

double tw_session_seconds(const struct tw_session *session)
{
    return (double)(uv_hrtime() - session->trace.start) / 1e9;
}

/* Prints a summary: "3 of 15 nodes computed, 0.042 s". */
static void print_watched(const struct tw_session *session)
{
    struct tw_run_sums sums = tw_run_sum(&session->parts);
    fprintf(stderr, "%d of %d nodes computed, %.3f s\n", (int)sums.computed, (int)sums.needed,
            tw_session_seconds(session));
}

static void print_ending(const struct tw_session *session, enum tw_status status,
                         struct tw_error *error)
{
    if (session->call->viewer)
        return;
    error->status = status;
    tw_run_print_ending(session->settings, &session->parts, error);
}

static int report_outcome(const struct tw_session *session, enum tw_status status,
                          struct tw_error *error)
{
    const struct tw_settings *settings = session->settings;
    const enum tw_status worst = status == TW_OK ? session->failure : status;
    int code = status == TW_CANCELLED ? tw_stop_exit_code() : tw_cluster_exit_code(settings, worst);
    if (!settings->quiet)
        tw_terminal_clear_progress();
    if (status != TW_OK && status != TW_CANCELLED)
        tw_console_error(error);
    bool explain = settings->explain || (settings->dry_run && !settings->quiet);
    if (settings->json && !session->call->viewer)
        tw_run_answer(settings, &session->parts, tw_session_seconds(session));
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

static void save_histories(const struct tw_session *session)
{
    if (session->call->viewer && session->call->viewer->draft)
        return;
    for (int32_t p = 0; p < session->parts.count; p++) {
        const struct tw_recipe_entry *part = &session->parts.at[p];
        if (session->run.cache_dir && !session->settings->dry_run && part->report.nodes)
            tw_history_save(session->run.cache_dir, part->recipe, &part->report, part->history);
    }
}

static enum tw_status join(struct tw_session *session, struct tw_error *err)
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
static enum tw_status run_loaded(struct tw_session *session, struct tw_watch *watch,
                                 struct tw_error *err)
{
    const struct tw_run_viewer *viewer = session->call->viewer;
    if (watch)
        tw_watch_follow(watch, tw_stop_flag(),
                        viewer && viewer->draft ? wait_for_draft : tw_stop_give_way);
    enum tw_status status = join(session, err);
    if (status == TW_OK)
        status = tw_session_run_graphs(session, err);
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

static void end_view(const struct tw_session *session, int code)
{
    const struct tw_run_viewer *viewer = session->call->viewer;
    if (viewer && session->gave_way)
        viewer->drop(viewer->context);
    else if (viewer)
        viewer->end(viewer->context, &session->parts, tw_session_seconds(session), code);
}

/* Loads and runs all recipes; `watch` gets the files that they read. A recipe with faults is
 * reported, and the files of its last good run remain. */
static int load_and_run(struct tw_session *session, char **operands, struct tw_watch *watch)
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
        tw_run_answer(session->settings, parts, tw_session_seconds(session));
        print_ending(session, status, &error);
    }
    end_view(session, code);
    tw_recipe_set_release(parts);
    tw_trace_release(&session->trace);
    return code;
}

static void begin_session(struct tw_session *session, const struct tw_run_call *call, bool progress)
{
    const struct tw_settings *settings = call->settings;
    *session = (struct tw_session){
        .settings = settings, .call = call, .run = tw_console_run_options(settings)};
    session->run.warning = tw_session_on_warning;
    session->run.progress = progress && !call->viewer ? tw_session_on_progress : NULL;
    session->run.context = session;
}

int tw_run_once(const struct tw_run_call *call, char **operands)
{
    struct tw_session session;
    begin_session(&session, call, !call->settings->quiet && !call->settings->dry_run);
    return load_and_run(&session, operands, NULL);
}

static void print_changed(const char *path)
{
    tw_terminal_clear_progress();
    fputs("changed: ", stderr);
    tw_text_write(stderr, path, TW_TEXT_TERMINAL);
    fputs("\n", stderr);
}

/* Returns whether another run begins; false after a signal. */
static bool await_next(const struct tw_session *session, struct tw_watch *watch,
                       const char **changed)
{
    const struct tw_run_viewer *viewer = session->call->viewer;
    *changed = session->changed;
    bool next = *changed || session->asked;
    while (!next && tw_watch_wait(watch, tw_stop_flag(), changed) == TW_OK)
        next = *changed || (viewer && viewer->asked(viewer->context));
    return next;
}

static enum tw_status create_memos(struct tw_session *session, struct tw_error *err)
{
    enum tw_status status = tw_memo_create(session->run.max_memory, &session->memo, err);
    return status == TW_OK && session->call->viewer
               ? tw_memo_create(DRAFT_BYTES, &session->draft_memo, err)
               : status;
}

static int run_on_changes(struct tw_session *session, char **operands)
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
    struct tw_session session;
    begin_session(&session, call, false);
    return run_on_changes(&session, operands);
}
