/* SPDX-License-Identifier: MIT */
#include "study/levels.h"
#include "study/shard.h"

#include "base/os/file.h"
#include "base/text/json.h"
#include "base/text/number.h"
#include "base/text/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 16 };

static enum tw_status write_failed(const struct tw_shard_writer *writer, struct tw_error *err)
{
    return tw_error_set(err, TW_IO, "cannot write %s: %s", writer->path, strerror(errno));
}

static enum tw_status flush(struct tw_shard_writer *writer, struct tw_error *err)
{
    bool ok = tw_file_write_all(writer->file.descriptor, writer->text.at, writer->text.length);
    tw_sha256_add(&writer->hash, writer->text.at, writer->text.length);
    writer->text.length = 0;
    return ok ? TW_OK : write_failed(writer, err);
}

enum tw_status tw_shard_write_begin(struct tw_shard_writer *writer,
                                    const struct tw_shard_origin *origin,
                                    struct tw_shard_number shard, const char *path,
                                    struct tw_error *err)
{
    const struct tw_experiment *e = origin->experiment;
    struct tw_seed_range seeds = tw_shard_seeds(shard, e->seed_count);
    char hex[2 * sizeof origin->identity.at + 1];
    *writer = (struct tw_shard_writer){.experiment = e, .path = path};
    tw_sha256_begin(&writer->hash);
    tw_hex(origin->identity.at, sizeof origin->identity.at, hex);
    tw_temporary_sweep(path);
    writer->is_open = tw_temporary_open(path, &writer->file);
    if (!writer->is_open)
        return write_failed(writer, err);
    return tw_bytes_print(&writer->text, err,
                          "{\"format\":\"thalweg.shard/1\",\"version\":\"%s\",\"experiment\":"
                          "\"%s\",\"size\":[%d,%d],\"first_seed\":\"%" PRIu64
                          "\",\"variants\":%d,\"measures\":%d,"
                          "\"shard\":%d,\"of\":%d,\"from\":%d,\"to\":%d}\n",
                          TW_VERSION, hex, (int)origin->width, (int)origin->height,
                          tw_experiment_seed(e, 0), (int)e->run_count, (int)e->measure_count,
                          (int)shard.at, (int)shard.of, (int)seeds.from, (int)seeds.to);
}

static enum tw_status add_numbers(struct tw_bytes *text, const char *name, const double *numbers,
                                  size_t count, struct tw_error *err)
{
    enum tw_status status = tw_bytes_print(text, err, ",\"%s\":[", name);
    for (size_t i = 0; status == TW_OK && i < count; i++) {
        char number[32];
        if (!isfinite(numbers[i]))
            return tw_error_set(err, TW_NODE, "a sample is not a finite number");
        tw_number_print(number, sizeof number, numbers[i]);
        status = tw_bytes_print(text, err, "%s%s", i > 0 ? "," : "", number);
    }
    return status == TW_OK ? tw_bytes_print(text, err, "]") : status;
}

static enum tw_status end_row(struct tw_shard_writer *writer, struct tw_error *err)
{
    enum tw_status status = tw_bytes_print(&writer->text, err, "}\n");
    writer->rows++;
    return status == TW_OK && writer->text.length >= BUFFER ? flush(writer, err) : status;
}

enum tw_status tw_shard_write_samples(struct tw_shard_writer *writer, uint64_t seed,
                                      const double *samples, const double *seconds,
                                      struct tw_error *err)
{
    struct tw_bytes *text = &writer->text;
    const struct tw_experiment *e = writer->experiment;
    size_t variants = (size_t)e->run_count, cells = variants * (size_t)e->measure_count;
    enum tw_status status = tw_bytes_print(text, err, "{\"seed\":\"%" PRIu64 "\"", seed);
    if (status == TW_OK)
        status = add_numbers(text, "samples", samples, cells, err);
    if (status == TW_OK)
        status = add_numbers(text, "seconds", seconds, variants, err);
    return status == TW_OK ? end_row(writer, err) : status;
}

static int32_t level_of(const struct tw_experiment *e, const struct tw_variant *variant)
{
    return variant ? tw_level_of(e, (int32_t)(variant - e->variants)) : 0;
}

enum tw_status tw_shard_write_failure(struct tw_shard_writer *writer,
                                      const struct tw_compare_failure *failure,
                                      struct tw_error *err)
{
    struct tw_error e = *failure->error;
    tw_text_clean(e.file);
    tw_text_clean(e.path);
    tw_text_clean(e.message);
    json_t *failed = json_pack("{s:s?, s:b, s:s, s:i, s:i, s:s, s:s}", "variant",
                               failure->variant ? failure->variant->name : NULL, "limit",
                               e.status == TW_LIMIT, "file", e.file, "line", (int)e.line, "column",
                               (int)e.column, "path", e.path, "message", e.message);
    int32_t level = level_of(writer->experiment, failure->variant);
    if (failed && level > 0)
        json_object_set_new(failed, "level", json_integer(level));
    struct tw_bytes *text = &writer->text;
    enum tw_status status =
        tw_bytes_print(text, err, "{\"seed\":\"%" PRIu64 "\",\"failed\":", failure->seed);
    if (status == TW_OK)
        status = tw_json_print(failed, JSON_COMPACT, text, err);
    else
        json_decref(failed);
    return status == TW_OK ? end_row(writer, err) : status;
}

enum tw_status tw_shard_write_end(struct tw_shard_writer *writer, struct tw_error *err)
{
    char hex[2 * sizeof(struct tw_sha256) + 1];
    enum tw_status status = flush(writer, err);
    if (status != TW_OK)
        return status;
    struct tw_sha256 digest = tw_sha256_end(&writer->hash);
    tw_hex(digest.at, sizeof digest.at, hex);
    status = tw_bytes_print(&writer->text, err, "{\"end\":%d,\"sha256\":\"%s\"}\n",
                            (int)writer->rows, hex);
    if (status != TW_OK)
        return status;
    if (!tw_file_write_all(writer->file.descriptor, writer->text.at, writer->text.length) ||
        !tw_file_sync(writer->file.descriptor))
        return write_failed(writer, err);
    writer->is_open = false;
    return tw_temporary_finish(&writer->file, writer->path) ? TW_OK : write_failed(writer, err);
}

void tw_shard_write_release(struct tw_shard_writer *writer)
{
    if (writer->is_open)
        tw_temporary_remove(&writer->file);
    free(writer->text.at);
    *writer = (struct tw_shard_writer){0};
}
