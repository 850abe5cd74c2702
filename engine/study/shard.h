/* SPDX-License-Identifier: MIT */
/* A file with samples of some seeds of an experiment, so that many machines can share the work. It
 * appears complete or not at all, and is read as untrusted input. JSON lines, docs/json.md: a head,
 * a line for each seed in order, and an end with the SHA-256 of all lines before it. */
#ifndef TW_ENGINE_STUDY_SHARD_H
#define TW_ENGINE_STUDY_SHARD_H

#include "base/memory/bytes.h"
#include "base/os/temporary.h"
#include "study/experiment_run.h"

#include <stdio.h>

#define TW_SHARDS_MAX 1000000

/* Shard `at` of `of`, counted from 1. */
struct tw_shard_number {
    int32_t at, of;
};

/* The seeds of a shard: consecutive, as many as any other shard's or one fewer; none if there are
 * more shards than seeds. */
struct tw_seed_range tw_shard_seeds(struct tw_shard_number shard, int32_t seed_count);
/* Prints "FOLDER/shard-3-of-8.jsonl"; `path` holds 4096 bytes. False if it is longer. */
bool tw_shard_path(const char *folder, struct tw_shard_number shard, char *path);

/* Facts shared by all files of an experiment. */
struct tw_shard_origin {
    const struct tw_experiment *experiment;
    int32_t width, height;
    struct tw_sha256 identity; /* identity.h */
};

/* Prepares work on shards: builds the round of the first seed, reports its diagnostics, calls
 * `first` and identifies the experiment. Sets the comparison's size. */
enum tw_status tw_shard_prepare(const struct tw_compare_request *request, struct tw_comparison *c,
                                struct tw_shard_origin *origin, struct tw_error *err);

/* Computes a shard into its file below `folder`, unless the file exists. Records seeds on which a
 * node fails: returns TW_OK even if all do. Ignores `request->range`. */
enum tw_status tw_shard_compute(const struct tw_compare_request *request,
                                const struct tw_shard_origin *origin, struct tw_shard_number shard,
                                const char *folder, struct tw_comparison *c, struct tw_error *err);

/* ---- shard_write.c ---- */

struct tw_shard_writer {
    const struct tw_experiment *experiment;
    const char *path;
    struct tw_temporary file;
    bool is_open;
    struct tw_bytes text; /* not written yet */
    struct tw_sha256_state hash;
    int32_t rows;
};

/* `path` must outlive the writer; its folder must exist. */
enum tw_status tw_shard_write_begin(struct tw_shard_writer *writer,
                                    const struct tw_shard_origin *origin,
                                    struct tw_shard_number shard, const char *path,
                                    struct tw_error *err);
/* `samples` is [variant][measure], `seconds` [variant]. */
enum tw_status tw_shard_write_samples(struct tw_shard_writer *writer, uint64_t seed,
                                      const double *samples, const double *seconds,
                                      struct tw_error *err);
enum tw_status tw_shard_write_failure(struct tw_shard_writer *writer,
                                      const struct tw_compare_failure *failure,
                                      struct tw_error *err);
/* Only this makes the file appear under its name. */
enum tw_status tw_shard_write_end(struct tw_shard_writer *writer, struct tw_error *err);
/* Removes an unfinished file. Accepts {0} and a second call. */
void tw_shard_write_release(struct tw_shard_writer *writer);

/* ---- shard_read.c ---- */

struct tw_shard_reader {
    const struct tw_experiment *experiment;
    const char *path;
    struct tw_shard_number shard;
    struct tw_seed_range seeds;
    int32_t next; /* number of the next seed to read */
    FILE *file;
    char *line;
    size_t size; /* of `line` */
};

/* A line: samples, or why they are missing. */
struct tw_shard_row {
    uint64_t seed;
    bool failed;
    const struct tw_variant *variant; /* the one that failed; NULL: unknown */
    struct tw_error error;
};

/* Opens a file and checks that it is complete and of this experiment; otherwise TW_INPUT. `path`
 * must outlive the reader. */
enum tw_status tw_shard_open(struct tw_shard_reader *reader, const struct tw_shard_origin *origin,
                             const char *path, struct tw_error *err);
/* Reads the next seed, while `next` is below `seeds.to`: `samples` is [variant][measure], `seconds`
 * [variant]. */
enum tw_status tw_shard_read(struct tw_shard_reader *reader, struct tw_shard_row *row,
                             double *samples, double *seconds, struct tw_error *err);
/* Accepts {0} and a second call. */
void tw_shard_close(struct tw_shard_reader *reader);

#endif
