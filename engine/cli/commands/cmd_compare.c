/* SPDX-License-Identifier: MIT */
/* thalweg compare: runs an experiment and shows what it measured. */
#include "base/text/stream.h"
#include "base/text/text.h"
#include "cli/cli.h"
#include "cli/compare/ask.h"
#include "cli/compare/compare.h"
#include "cli/compare/outputs.h"
#include "cli/compare/shards.h"
#include "cli/compare/tables.h"
#include "cli/options.h"
#include "cluster/compare_cluster.h"
#include "console/compare_progress.h"
#include "console/events.h"
#include "console/experiment_file.h"
#include "console/output_file.h"
#include "console/stop.h"
#include "report/compare_page.h"
#include "study/matching.h"
#include "study/tuning.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WARNINGS_MAX = 32 };

struct session {
    const struct tw_settings *settings;
    struct tw_load_options load;
    struct tw_run_options run;
    struct tw_overwrite_guard guard; /* protects files that the variants read */
    struct tw_compare_tables tables;
    struct tw_compare_line line;             /* shows progress */
    struct tw_sha256 warnings[WARNINGS_MAX]; /* digests of those printed so far */
    int32_t warning_count;
    int32_t seeds_done; /* reported to --events */
    const struct tw_experiment *experiment;
    char **folders; /* that hold shards */
    struct tw_tuning tuning;
    struct tw_against against;       /* of --against */
    char (*digests)[TW_DIGEST_TEXT]; /* [variant] */
    bool fault_reported; /* a recipe's fault with its line, or the failure of every seed */
};

/* Returns whether a warning was printed before: variants of one recipe repeat each other's. */
static bool is_repeated(struct session *session, const struct tw_error *warning)
{
    char text[sizeof warning->message + sizeof warning->file + 32];
    int length = snprintf(text, sizeof text, "%s:%d:%d:%s", warning->file, (int)warning->line,
                          (int)warning->column, warning->message);
    struct tw_sha256 digest = tw_sha256_of(text, (size_t)length);
    for (int32_t i = 0; i < session->warning_count; i++)
        if (memcmp(&session->warnings[i], &digest, sizeof digest) == 0)
            return true;
    if (session->warning_count < WARNINGS_MAX)
        session->warnings[session->warning_count++] = digest;
    return false;
}

static void on_diagnostic(void *context, bool fault, const struct tw_error *error,
                          const char *source_line)
{
    struct session *session = context;
    session->fault_reported |= fault;
    if (fault || !is_repeated(session, error))
        tw_console_diagnostic(NULL, fault, error, source_line);
}

/* ---- callbacks during the run ---- */

/* Digests what each variant runs. */
static enum tw_status take_digests(struct session *session, const struct tw_compare_rounds *rounds,
                                   struct tw_error *err)
{
    size_t count = (size_t)session->experiment->run_count;
    enum tw_status status = TW_OK;
    session->digests = calloc(count + 1, sizeof *session->digests);
    if (!session->digests)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t i = 0; i < rounds->count; i++)
        for (int32_t v = 0; status == TW_OK && v < rounds->parts[i].run_count; v++)
            status = tw_compare_digest(rounds->at[i].parts[v],
                                       session->digests[rounds->first[i] + v], err);
    return status;
}

/* Guards the input files and opens the outputs before the first run. */
static enum tw_status on_first(void *context, const struct tw_compare_rounds *rounds,
                               struct tw_error *err)
{
    struct session *session = context;
    struct tw_overwrite_guard *guard = &session->guard;
    const struct tw_experiment *e = session->experiment;
    const struct tw_option_shard *shard = &session->settings->shard;
    char path[4096];
    enum tw_status status = tw_overwrite_guard_add(guard, e->file, "the experiment", err);
    for (int32_t i = 0; i < rounds->count; i++)
        for (int32_t v = 0; status == TW_OK && v < rounds->parts[i].run_count; v++)
            status = tw_overwrite_guard_add_readings(guard, rounds->at[i].parts[v], err);
    if (status == TW_OK && shard->of > 0 &&
        tw_shard_path(session->settings->out, (struct tw_shard_number){shard->at, shard->of}, path))
        status = tw_overwrite_guard_note(guard, path, "the file of the shard", err);
    if (status == TW_OK && session->against.path)
        status = tw_overwrite_guard_add(guard, session->against.path, "the earlier answer", err);
    if (status == TW_OK)
        status = tw_console_claim_outputs(guard, session->settings, err);
    if (status == TW_OK && e->run_count > 0 && !session->digests)
        status = take_digests(session, rounds, err);
    return status == TW_OK && e->run_count > 0
               ? tw_compare_tables_open(&session->tables, session->settings, e, rounds, err)
               : status;
}

static enum tw_status on_sampled(void *context, uint64_t seed, const double *samples,
                                 const double *seconds, struct tw_error *err)
{
    struct session *session = context;
    (void)seconds;
    return tw_compare_tables_add(&session->tables, seed, samples, err);
}

static void on_progress(void *context, const struct tw_compare_progress *progress)
{
    struct session *session = context;
    if (!session->settings->quiet)
        tw_compare_line_show(&session->line, progress);
    if (progress->done <= session->seeds_done)
        return;
    session->seeds_done = progress->done;
    tw_events_seed(
        &(struct tw_events_seed){progress->seed, progress->done, progress->count, progress->left});
}

/* Writes the size as --size takes it, or "" if neither the options nor the file set one. */
static void print_cells(const struct session *session, const struct tw_variant *variant,
                        char cells[32])
{
    const struct tw_experiment *e = session->experiment;
    int32_t side = variant->side, own = side > 0 ? side : e->width;
    int32_t width = session->load.width > 0 ? session->load.width : own;
    int32_t height = session->load.width > 0 ? session->load.height : side > 0 ? side : e->height;
    cells[0] = 0;
    if (width > 0)
        snprintf(cells, 32, "%dx%d", (int)width, (int)height);
}

/* Reports a failed seed, with the command that runs the variant alone. */
static void on_failed(void *context, const struct tw_compare_failure *failure)
{
    struct session *session = context;
    struct tw_error error = *failure->error;
    char *command = NULL, cells[32], seed[24];
    size_t length = 0;
    tw_compare_line_clear(&session->line);
    snprintf(error.hint, sizeof error.hint, "seed %" PRIu64 " is left out", failure->seed);
    tw_console_error(&error);
    FILE *out = failure->variant ? tw_stream_open(&command, &length) : NULL;
    if (!out)
        return;
    print_cells(session, failure->variant, cells);
    fprintf(out, "    variant %s alone: ", failure->variant->name);
    snprintf(seed, sizeof seed, "%" PRIu64, failure->seed);
    tw_compare_command(out, failure->variant, seed, cells);
    if (tw_stream_close(out) == 0) {
        tw_text_write(stderr, command, TW_TEXT_TERMINAL);
        fputs("\n", stderr);
    }
    free(command);
}

/* ---- results ---- */

static void print(const struct tw_comparison *c, const struct tw_against *against)
{
    tw_compare_text(stdout, c);
    if (against)
        tw_against_text(stdout, against, c);
}

static int show(struct session *session, const struct tw_comparison *c)
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

/* Times the variants if --times, or times: in the experiment, sets a number of rounds. */
static enum tw_status take_times(struct session *session, struct tw_comparison *c,
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
static bool take_baseline(struct session *session, const struct tw_comparison *c)
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

static enum tw_status tune(struct session *session, const struct tw_compare_request *request,
                           struct tw_comparison *c, struct tw_error *err)
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

static enum tw_status take_seeds(struct session *session, const struct tw_compare_request *request,
                                 struct tw_comparison *c, struct tw_error *err)
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

static struct tw_compare_request request_of(struct session *session)
{
    return (struct tw_compare_request){.load = &session->load,
                                       .run = &session->run,
                                       .first = on_first,
                                       .sampled = on_sampled,
                                       .progress = on_progress,
                                       .failed = on_failed,
                                       .context = session};
}

static enum tw_status run(struct session *session, struct tw_comparison *c, struct tw_error *err)
{
    const struct tw_compare_request request = request_of(session);
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

/* Computes and shows the comparison; after a signal, shows the seeds computed before it. */
static int compare(struct session *session)
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

static int compute_shard(struct session *session)
{
    const struct tw_compare_request request = request_of(session);
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
static int match(struct session *session, struct tw_experiment *e)
{
    const struct tw_compare_request request = request_of(session);
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

static int run_kind(struct session *session)
{
    const struct tw_settings *settings = session->settings;
    const struct tw_compare_request request = request_of(session);
    if (settings->ask)
        return tw_compare_ask(session->experiment, &session->load);
    if (settings->tell)
        return tw_compare_tell(session->experiment, &request);
    return settings->shard.of > 0 ? compute_shard(session) : compare(session);
}

int tw_cmd_compare(const struct tw_settings *settings, char **operands)
{
    struct session session = {.settings = settings,
                              .load = tw_console_load_options(settings),
                              .run = tw_console_run_options(settings)};
    struct tw_error error = {.status = TW_OK};
    struct tw_experiment *experiment = NULL;
    if (!tw_stdin_check("compare", settings, operands, false))
        return tw_status_exit_code(TW_USAGE);
    session.load.diagnostic = on_diagnostic;
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
