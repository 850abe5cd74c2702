/* SPDX-License-Identifier: MIT */
#include "cli/compare/session.h"

#include "base/text/stream.h"
#include "base/text/text.h"
#include "cli/compare/commands.h"
#include "cli/compare/shards.h"
#include "console/diagnostic.h"
#include "console/events.h"
#include "console/experiment_file.h"
#include "console/output_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether a warning was printed before: variants of one recipe repeat each other's. */
static bool is_repeated(struct tw_compare_session *session, const struct tw_error *warning)
{
    char text[sizeof warning->message + sizeof warning->file + 32];
    int length = snprintf(text, sizeof text, "%s:%d:%d:%s", warning->file, (int)warning->line,
                          (int)warning->column, warning->message);
    struct tw_sha256 digest = tw_sha256_of(text, (size_t)length);
    for (int32_t i = 0; i < session->warning_count; i++)
        if (memcmp(&session->warnings[i], &digest, sizeof digest) == 0)
            return true;
    if (session->warning_count < TW_COMPARE_WARNINGS_MAX)
        session->warnings[session->warning_count++] = digest;
    return false;
}

void tw_compare_session_diagnostic(void *context, bool fault, const struct tw_error *error,
                                   const char *source_line)
{
    struct tw_compare_session *session = context;
    session->fault_reported |= fault;
    if (fault || !is_repeated(session, error))
        tw_console_diagnostic(NULL, fault, error, source_line);
}

/* ---- callbacks during the run ---- */

/* Digests what each variant runs. */
static enum tw_status take_digests(struct tw_compare_session *session,
                                   const struct tw_compare_rounds *rounds, struct tw_error *err)
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
    struct tw_compare_session *session = context;
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
    struct tw_compare_session *session = context;
    (void)seconds;
    return tw_compare_tables_add(&session->tables, seed, samples, err);
}

static void on_progress(void *context, const struct tw_compare_progress *progress)
{
    struct tw_compare_session *session = context;
    if (!session->settings->quiet)
        tw_compare_line_show(&session->line, progress);
    if (progress->done <= session->seeds_done)
        return;
    session->seeds_done = progress->done;
    tw_events_seed(
        &(struct tw_events_seed){progress->seed, progress->done, progress->count, progress->left});
}

/* Writes the size as --size takes it, or "" if neither the options nor the file set one. */
static void print_cells(const struct tw_compare_session *session, const struct tw_variant *variant,
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
    struct tw_compare_session *session = context;
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

struct tw_compare_request tw_compare_session_request(struct tw_compare_session *session)
{
    return (struct tw_compare_request){.load = &session->load,
                                       .run = &session->run,
                                       .first = on_first,
                                       .sampled = on_sampled,
                                       .progress = on_progress,
                                       .failed = on_failed,
                                       .context = session};
}
