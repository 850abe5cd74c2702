/* SPDX-License-Identifier: MIT */
/* Computes a comparison, with its tuning and times, and writes what it found where the options say.
 */
#include "cli/compare/session.h"

#include "cli/compare/compare.h"
#include "cli/compare/outputs.h"
#include "cli/compare/shards.h"
#include "cluster/compare_cluster.h"
#include "console/diagnostic.h"
#include "console/stop.h"
#include "report/compare_page.h"

#include <stdlib.h>

/* ---- results ---- */

static void print(const struct tw_comparison *c, const struct tw_against *against)
{
    tw_compare_text(stdout, c);
    if (against)
        tw_against_text(stdout, against, c);
}

static int show(struct tw_compare_session *session, const struct tw_comparison *c)
{
    const struct tw_settings *settings = session->settings;
    struct tw_error error = {.status = TW_OK};
    enum tw_status drawn = TW_OK;
    if (tw_compare_tables_finish(&session->tables, &error) != TW_OK)
        return tw_console_error(&error);
    struct tw_against *against = session->against.root ? &session->against : NULL;
    if (against && tw_against_judge(against, c, &error) != TW_OK)
        return tw_console_error(&error);
    if (settings->json)
        tw_compare_json(c, against);
    else if (settings->markdown)
        tw_compare_markdown(stdout, c, settings->picture);
    else if (!tw_compare_tables_on_stdout(settings) && !tw_console_is_stdout(settings->html) &&
             !tw_console_is_stdout(settings->csv_front) &&
             !tw_console_is_stdout(settings->picture) && !tw_console_is_stdout(settings->events))
        print(c, against);
    const struct tw_compare_outputs outputs = {settings, session->load, &session->run,
                                               &session->guard};
    if (tw_compare_write_outputs(&outputs, c, &drawn, &error) != TW_OK)
        return tw_console_error(&error);
    if (fflush(stdout) != 0)
        return tw_status_exit_code(TW_IO);
    int failed = tw_compare_check(c);
    if (c->signal)
        return tw_stop_exit_code();
    if (c->failed > 0 || drawn != TW_OK)
        return tw_status_exit_code(c->failed > 0 ? TW_NODE : drawn);
    return failed || (against && tw_against_differs(against)) ? tw_status_exit_code(TW_DIFFERENCE)
                                                              : 0;
}

/* ---- computation ---- */

/* Times the variants if --times, or times: in the experiment, sets a number of rounds. */
static enum tw_status take_times(struct tw_compare_session *session, struct tw_comparison *c,
                                 struct tw_error *err)
{
    const struct tw_experiment *e = session->experiment;
    int32_t rounds = session->settings->times > 0 ? session->settings->times : e->times;
    if (rounds == 0)
        return TW_OK;
    c->times = calloc((size_t)e->variant_count, sizeof *c->times);
    if (!c->times)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status =
        tw_compare_times(e, &session->load, &session->run, rounds, c->times, err);
    if (status != TW_OK) {
        free(c->times);
        c->times = NULL;
    }
    return status;
}

/* Gives the tuning the baseline's means, which its goals may be about; false if memory runs out. */
static bool take_baseline(struct tw_compare_session *session, const struct tw_comparison *c)
{
    const struct tw_experiment *e = session->experiment;
    struct tw_tuning *tuning = &session->tuning;
    if (e->baseline < 0)
        return true;
    double *means = tw_arena_alloc(&tuning->arena, (size_t)e->measure_count, sizeof *means);
    for (int32_t m = 0; means && m < e->measure_count; m++)
        means[m] = tw_comparison_summary(c, e->baseline, m).mean;
    tuning->baseline = means;
    return means != NULL;
}

static enum tw_status tune(struct tw_compare_session *session,
                           const struct tw_compare_request *request, struct tw_comparison *c,
                           struct tw_error *err)
{
    struct tw_compare_request own = *request;
    if (session->experiment->run_count > 0)
        own.first = NULL; /* the run of the variants has called it */
    session->line = (struct tw_compare_line){0};
    if (!take_baseline(session, c))
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status = tw_compare_tune(session->experiment, &own, &session->tuning, err);
    if (session->tuning.count > 0)
        c->tuning = &session->tuning;
    return status;
}

static enum tw_status take_seeds(struct tw_compare_session *session,
                                 const struct tw_compare_request *request, struct tw_comparison *c,
                                 struct tw_error *err)
{
    if (session->experiment->run_count == 0)
        return TW_OK;
    if (session->settings->on == TW_ON_SLURM)
        return tw_compare_on_cluster(session->settings, request,
                                     session->settings->quiet ? NULL : &session->line, c, err);
    if (!session->settings->gather)
        return tw_compare_run(request, c, err);
    return tw_compare_take_shards(session->settings, session->folders, request, c, err);
}

static enum tw_status run(struct tw_compare_session *session, struct tw_comparison *c,
                          struct tw_error *err)
{
    const struct tw_compare_request request = tw_compare_session_request(session);
    enum tw_status status = tw_comparison_create(session->experiment, c, err);
    if (!session->settings->quiet)
        tw_compare_effects_forecast(stderr, session->experiment);
    if (status == TW_OK)
        status = take_seeds(session, &request, c, err);
    if (status == TW_OK && session->experiment->tune.param_count > 0)
        status = tune(session, &request, c, err);
    tw_compare_line_clear(&session->line);
    if (status == TW_OK)
        status = take_times(session, c, err);
    session->fault_reported |= c->failed > 0 && c->total == 0; /* on_failed() has reported each */
    return status;
}

int tw_compare_answer(struct tw_compare_session *session)
{
    struct tw_error error = {.status = TW_OK};
    struct tw_comparison c = {0};
    int code;
    enum tw_status status = run(session, &c, &error);
    if (status == TW_CANCELLED && (c.total > 0 || c.tuning)) {
        c.signal = tw_stop_signal_name();
        status = TW_OK;
    }
    if (status == TW_OK)
        status = tw_compare_judge(&c, &error);
    c.digests = session->digests;
    if (status == TW_CANCELLED)
        code = tw_stop_exit_code();
    else if (status != TW_OK && session->fault_reported)
        code = tw_status_exit_code(status);
    else
        code = status == TW_OK ? show(session, &c) : tw_console_error(&error);
    tw_comparison_release(&c);
    tw_tuning_release(&session->tuning);
    return code;
}
