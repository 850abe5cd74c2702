/* SPDX-License-Identifier: MIT */
#include "cluster/recipes_cluster.h"
#include "console/answer.h"
#include "console/events.h"
#include "console/output_file.h"
#include "console/stop.h"
#include "session/depfile.h"
#include "session/run_report.h"
#include "session/session.h"

#include <stdlib.h>

/* The session that report_and_abandon() reports before the process ends; a run's abandon callback
 * has no context parameter. */
static struct tw_session *abandoned;

static void report_and_abandon(void)
{
    struct tw_session *session = abandoned;
    int code = tw_stop_exit_code();
    (void)tw_events_close(code, NULL);
    tw_recipe_set_share_summary(&session->parts, session->graph);
    tw_run_answer(session->settings, &session->parts, tw_session_seconds(session));
    (void)tw_answer_print(code);
    (void)fflush(stdout);
    tw_stop_abandon();
}

static enum tw_status write_trace(const struct tw_session *session,
                                  const struct tw_overwrite_guard *guard, struct tw_error *err)
{
    struct tw_bytes text = {0};
    enum tw_status status = tw_trace_print(&session->trace, &text, err);
    if (status == TW_OK)
        status = tw_console_write_output(guard, session->settings->trace, &text, err);
    free(text.at);
    return status;
}

static enum tw_status write_depfile(const struct tw_session *session,
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
    struct tw_session *session = context;
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

static enum tw_status run_graph(struct tw_session *session, int32_t g,
                                struct tw_run_request request, struct tw_error *err)
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
    request.failed = tw_session_on_failed;
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
            tw_session_keep_fault(&session->parts.at[p], err);
    tw_session_report_failure(session, err); /* of this graph; the others go on */
    return TW_OK;
}

static enum tw_status send_recipes(const struct tw_session *session, struct tw_error *err)
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

enum tw_status tw_session_run_graphs(struct tw_session *session, struct tw_error *err)
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
