/* SPDX-License-Identifier: MIT */
/* thalweg compare: runs an experiment and shows what it measured. */
#include "cli/cli.h"
#include "cli/compare/ask.h"
#include "cli/compare/compare.h"
#include "cli/compare/session.h"
#include "cli/compare/shards.h"
#include "cli/options.h"
#include "console/experiment_file.h"
#include "console/stop.h"
#include "study/matching.h"

#include <stdlib.h>

static int compute_shard(struct tw_compare_session *session)
{
    const struct tw_compare_request request = tw_compare_session_request(session);
    struct tw_error error = {.status = TW_OK};
    struct tw_comparison c = {0};
    int code = tw_comparison_create(session->experiment, &c, &error) == TW_OK
                   ? tw_compare_run_shard(session->settings, &request, &session->fault_reported, &c)
                   : tw_console_error(&error);
    tw_compare_line_clear(&session->line);
    tw_comparison_release(&c);
    return code;
}

/* Rejects options that the experiment has no use for, and applies --seeds N, which may exceed the
 * file's count unless the file lists its seeds. */
static int apply_options(const struct tw_settings *settings, struct tw_experiment *e)
{
    const char *table = tw_compare_tables_option(settings);
    if (e->run_count == 0 && table)
        return tw_console_usage("%s only tunes: there is nothing for %s", e->file, table);
    if (e->front_count == 0 && settings->csv_front)
        return tw_console_usage("%s has no front: there is nothing for --csv-front", e->file);
    if (e->level_variants < 2 && settings->picture)
        return tw_console_usage("%s has no two variants: there is nothing for --picture", e->file);
    if (e->variant_count == 0 && settings->times > 0)
        return tw_console_usage("%s has no variants: there is nothing for --times", e->file);
    if (settings->seeds == 0)
        return 0;
    if (settings->seeds > e->seed_count && e->seeds)
        return tw_console_usage("--seeds is %d; expected at most %d, since %s lists its seeds",
                                (int)settings->seeds, (int)e->seed_count, e->file);
    if ((uint64_t)settings->seeds - 1 > UINT64_MAX - e->first_seed)
        return tw_console_usage("--seeds is %d: seeds go past 2^64 - 1", (int)settings->seeds);
    e->seed_count = settings->seeds;
    return 0;
}

/* Sets the parameters of match: in the variants before anything runs them. */
static int match(struct tw_compare_session *session, struct tw_experiment *e)
{
    const struct tw_compare_request request = tw_compare_session_request(session);
    struct tw_error error = {.status = TW_OK};
    if (session->settings->ask || session->settings->tell)
        return 0;
    if (!session->settings->quiet)
        tw_compare_matching_forecast(stderr, e);
    enum tw_status status = tw_compare_match(e, &request, &error);
    if (status == TW_CANCELLED)
        return tw_stop_exit_code();
    if (status == TW_OK || session->fault_reported)
        return tw_status_exit_code(status);
    return tw_console_error(&error);
}

static int run_kind(struct tw_compare_session *session)
{
    const struct tw_settings *settings = session->settings;
    const struct tw_compare_request request = tw_compare_session_request(session);
    if (settings->ask)
        return tw_compare_ask(session->experiment, &session->load);
    if (settings->tell)
        return tw_compare_tell(session->experiment, &request);
    return settings->shard.of > 0 ? compute_shard(session) : tw_compare_answer(session);
}

int tw_cmd_compare(const struct tw_settings *settings, char **operands)
{
    struct tw_compare_session session = {.settings = settings,
                                         .load = tw_console_load_options(settings),
                                         .run = tw_console_run_options(settings)};
    struct tw_error error = {.status = TW_OK};
    struct tw_experiment *experiment = NULL;
    if (!tw_stdin_check("compare", settings, operands, false))
        return tw_status_exit_code(TW_USAGE);
    session.load.diagnostic = tw_compare_session_diagnostic;
    session.load.context = &session;
    enum tw_status status =
        tw_console_experiment_load(settings, operands[0], &session.load, &experiment, &error);
    if (status != TW_OK) {
        if (!session.fault_reported)
            tw_console_file_error(operands[0], &error);
        return tw_status_exit_code(status);
    }
    session.experiment = experiment;
    session.folders = operands + 1;
    tw_stop_catch();
    int code = apply_options(settings, experiment);
    if (code == 0 && settings->earlier &&
        tw_against_read(settings->earlier, &session.against, &error) != TW_OK)
        code = tw_console_error(&error);
    if (code == 0)
        code = tw_compare_check_shards(settings, experiment);
    if (code == 0)
        code = tw_compare_check_ask(settings);
    if (code == 0)
        code = match(&session, experiment);
    if (code == 0)
        code = run_kind(&session);
    tw_compare_tables_release(&session.tables);
    tw_overwrite_guard_release(&session.guard);
    tw_against_release(&session.against);
    free(session.digests);
    tw_experiment_release(experiment);
    return code;
}
