/* SPDX-License-Identifier: MIT */
/* Computes a shard: runs some of the seeds and writes their samples to a file. */
#include "study/shard.h"

#include "base/os/file.h"
#include "study/identity.h"

struct tw_seed_range tw_shard_seeds(struct tw_shard_number shard, int32_t seed_count)
{
    return (struct tw_seed_range){
        (int32_t)((int64_t)(shard.at - 1) * seed_count / shard.of),
        (int32_t)((int64_t)shard.at * seed_count / shard.of),
    };
}

bool tw_shard_path(const char *folder, struct tw_shard_number shard, char *path)
{
    int length =
        snprintf(path, 4096, "%s/shard-%d-of-%d.jsonl", folder, (int)shard.at, (int)shard.of);
    return length > 0 && length < 4096;
}

enum tw_status tw_shard_prepare(const struct tw_compare_request *request, struct tw_comparison *c,
                                struct tw_shard_origin *origin, struct tw_error *err)
{
    const struct tw_experiment *e = c->experiment;
    struct tw_compare_rounds rounds = {0};
    enum tw_status status =
        tw_compare_rounds_build(e, request->load, tw_experiment_seed(e, 0), &rounds, err);
    if (status == TW_OK && request->first)
        status = request->first(request->context, &rounds, err);
    if (status == TW_OK) {
        c->width = rounds.at->merged->width;
        c->height = rounds.at->merged->height;
        *origin = (struct tw_shard_origin){.experiment = e, .width = c->width, .height = c->height};
        status = tw_compare_identify(&rounds, &origin->identity, err);
    }
    tw_compare_rounds_release(&rounds);
    return status;
}

/* ---- computing ---- */

struct computing {
    const struct tw_compare_request *outer;
    struct tw_shard_writer writer;
    struct tw_error error; /* of writing a failed seed */
};

static enum tw_status on_sampled(void *context, uint64_t seed, const double *samples,
                                 const double *seconds, struct tw_error *err)
{
    struct computing *computing = context;
    return tw_shard_write_samples(&computing->writer, seed, samples, seconds, err);
}

static void on_progress(void *context, const struct tw_compare_progress *progress)
{
    const struct computing *computing = context;
    computing->outer->progress(computing->outer->context, progress);
}

static void on_failed(void *context, const struct tw_compare_failure *failure)
{
    struct computing *computing = context;
    if (computing->error.status == TW_OK)
        tw_shard_write_failure(&computing->writer, failure, &computing->error);
    if (computing->outer->failed)
        computing->outer->failed(computing->outer->context, failure);
}

static bool is_done(const struct tw_shard_origin *origin, struct tw_shard_number shard,
                    const char *path)
{
    struct tw_shard_reader reader = {0};
    struct tw_seed_range own = tw_shard_seeds(shard, origin->experiment->seed_count);
    bool done = tw_shard_open(&reader, origin, path, NULL) == TW_OK &&
                reader.seeds.from == own.from && reader.seeds.to == own.to;
    tw_shard_close(&reader);
    return done;
}

static enum tw_status compute(struct computing *computing, const struct tw_shard_origin *origin,
                              struct tw_shard_number shard, struct tw_comparison *c,
                              struct tw_error *err)
{
    const struct tw_compare_request *outer = computing->outer;
    struct tw_seed_range range = tw_shard_seeds(shard, origin->experiment->seed_count);
    const struct tw_compare_request request = {.load = outer->load,
                                               .run = outer->run,
                                               .sampled = on_sampled,
                                               .progress = outer->progress ? on_progress : NULL,
                                               .failed = on_failed,
                                               .context = computing,
                                               .range = &range};
    enum tw_status status = range.to > range.from ? tw_compare_run(&request, c, err) : TW_OK;
    if (status != TW_OK && c->failed == range.to - range.from)
        status = TW_OK; /* all seeds failed, and the file says so */
    if (status == TW_OK && computing->error.status != TW_OK) {
        *err = computing->error;
        status = err->status;
    }
    return status == TW_OK ? tw_shard_write_end(&computing->writer, err) : status;
}

enum tw_status tw_shard_compute(const struct tw_compare_request *request,
                                const struct tw_shard_origin *origin, struct tw_shard_number shard,
                                const char *folder, struct tw_comparison *c, struct tw_error *err)
{
    struct computing computing = {.outer = request, .error = {.status = TW_OK}};
    char path[4096];
    if (!tw_shard_path(folder, shard, path))
        return tw_error_set(err, TW_IO, "the path of a shard in %.200s... is too long", folder);
    if (is_done(origin, shard, path)) {
        tw_temporary_sweep(path); /* of a killed run that another has since finished */
        return TW_OK;
    }
    enum tw_status status = tw_file_make_folder(folder, err);
    if (status == TW_OK)
        status = tw_shard_write_begin(&computing.writer, origin, shard, path, err);
    if (status == TW_OK)
        status = compute(&computing, origin, shard, c, err);
    tw_shard_write_release(&computing.writer);
    return status;
}
