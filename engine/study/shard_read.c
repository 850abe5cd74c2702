/* SPDX-License-Identifier: MIT */
/* Hashes a whole file before using any of it: a line that is torn, missing or of another program
 * never becomes a sample. */
#include "study/shard.h"

#include "base/os/file.h"
#include "base/text/json.h"
#include "base/text/number.h"
#include "base/text/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBER_BYTES = 32, /* longest sample with its comma */
    WORDS_BYTES = 8192 /* longest rest of a line: the text of a failure */
};
static const double most_seconds = 1e9;

static enum tw_status refuse(const struct tw_shard_reader *reader, struct tw_error *err,
                             const char *what)
{
    return tw_error_set(err, TW_INPUT, "%s: %s", reader->path, what);
}

static enum tw_status no_memory(struct tw_error *err)
{
    return tw_error_set(err, TW_MEMORY, "out of memory");
}

/* Reads a line without its end; false at the end of the file, and if the line is too long for a
 * shard of this experiment. */
static bool read_line(struct tw_shard_reader *reader, size_t *length)
{
    if (!fgets(reader->line, (int)reader->size, reader->file))
        return false;
    *length = strlen(reader->line);
    return *length > 1 && reader->line[*length - 1] == '\n';
}

/* Reads a number of the line's object; false unless it is whole and within bounds. */
static bool get_whole(json_t *object, const char *name, int32_t least, int32_t most, int32_t *to)
{
    json_t *value = json_object_get(object, name);
    double number = json_number_value(value);
    if (!json_is_number(value) || !(number >= least && number <= most) ||
        number != (double)(int32_t)number)
        return false;
    *to = (int32_t)number;
    return true;
}

static bool has_text(json_t *object, const char *name, const char *text)
{
    const char *value = json_string_value(json_object_get(object, name));
    return value && strcmp(value, text) == 0;
}

/* ---- head and end ---- */

static bool get_size(json_t *head, int32_t *width, int32_t *height)
{
    json_t *size = json_object_get(head, "size");
    *width = (int32_t)json_integer_value(json_array_get(size, 0));
    *height = (int32_t)json_integer_value(json_array_get(size, 1));
    return json_array_size(size) == 2;
}

/* Names the first fact in the head that differs from the experiment's. */
static enum tw_status refuse_other(const struct tw_shard_reader *reader,
                                   const struct tw_shard_origin *origin, json_t *head,
                                   struct tw_error *err)
{
    const struct tw_experiment *e = origin->experiment;
    const char *first = json_string_value(json_object_get(head, "first_seed"));
    int32_t width, height, count;
    uint64_t seed;
    if (get_size(head, &width, &height) && (width != origin->width || height != origin->height))
        return tw_error_set(err, TW_INPUT, "%s: its size is %d x %d; expected %d x %d",
                            reader->path, (int)width, (int)height, (int)origin->width,
                            (int)origin->height);
    if (first && tw_number_parse_whole(first, &seed) && seed != tw_experiment_seed(e, 0))
        return tw_error_set(
            err, TW_INPUT, "%s: the first seed of its experiment is %" PRIu64 "; expected %" PRIu64,
            reader->path, seed, tw_experiment_seed(e, 0));
    if (get_whole(head, "variants", 0, INT32_MAX, &count) && count != e->run_count)
        return tw_error_set(err, TW_INPUT, "%s: its experiment has %d variants; expected %d",
                            reader->path, (int)count, (int)e->run_count);
    if (get_whole(head, "measures", 0, INT32_MAX, &count) && count != e->measure_count)
        return tw_error_set(err, TW_INPUT, "%s: its experiment has %d measures; expected %d",
                            reader->path, (int)count, (int)e->measure_count);
    return refuse(reader, err,
                  "it is of another experiment, or of recipes, files or nodes that have changed "
                  "since");
}

static enum tw_status read_head(struct tw_shard_reader *reader,
                                const struct tw_shard_origin *origin, size_t length,
                                struct tw_error *err)
{
    char hex[2 * sizeof origin->identity.at + 1];
    json_t *head;
    enum tw_status status = tw_json_load(reader->line, length, JSON_REJECT_DUPLICATES, &head, NULL);
    tw_hex(origin->identity.at, sizeof origin->identity.at, hex);
    if (status == TW_MEMORY)
        no_memory(err);
    else if (!has_text(head, "format", "thalweg.shard/1"))
        status = refuse(reader, err, "expected a shard, whose format is thalweg.shard/1");
    else if (!has_text(head, "version", TW_VERSION))
        status = refuse(reader, err, "it is of another version; expected " TW_VERSION);
    else if (!has_text(head, "experiment", hex))
        status = refuse_other(reader, origin, head, err);
    else if (!get_whole(head, "of", 1, TW_SHARDS_MAX, &reader->shard.of) ||
             !get_whole(head, "shard", 1, reader->shard.of, &reader->shard.at) ||
             !get_whole(head, "to", 0, TW_SEEDS_MAX, &reader->seeds.to) ||
             !get_whole(head, "from", 0, reader->seeds.to, &reader->seeds.from))
        status = refuse(reader, err, "its header is damaged");
    json_decref(head);
    return status;
}

/* Checks the last line, in `line`, against `hash` of all earlier ones. TW_INPUT if it is not an
 * end. */
static enum tw_status check_end(struct tw_shard_reader *reader, size_t length, int32_t rows,
                                struct tw_sha256_state hash)
{
    struct tw_sha256 digest = tw_sha256_end(&hash);
    char hex[2 * sizeof digest.at + 1];
    int32_t counted;
    json_t *end;
    enum tw_status status = tw_json_load(reader->line, length, JSON_REJECT_DUPLICATES, &end, NULL);
    tw_hex(digest.at, sizeof digest.at, hex);
    if (status == TW_OK &&
        !(get_whole(end, "end", rows, rows, &counted) && has_text(end, "sha256", hex)))
        status = TW_INPUT;
    json_decref(end);
    return status;
}

/* Reads all lines, then returns to the first after the head. */
static enum tw_status check(struct tw_shard_reader *reader, const struct tw_shard_origin *origin,
                            struct tw_error *err)
{
    struct tw_sha256_state hash;
    size_t length;
    int32_t rows = 0;
    tw_sha256_begin(&hash);
    if (!read_line(reader, &length))
        return refuse(reader, err, "expected a shard, whose format is thalweg.shard/1");
    enum tw_status status = read_head(reader, origin, length, err);
    if (status != TW_OK)
        return status;
    long rest = ftell(reader->file);
    tw_sha256_add(&hash, reader->line, length);
    int32_t expected = reader->seeds.to - reader->seeds.from;
    bool ok = rest > 0;
    while (ok && (ok = read_line(reader, &length)) && rows < expected) {
        tw_sha256_add(&hash, reader->line, length);
        rows++;
    }
    if (ok && (status = check_end(reader, length, rows, hash)) == TW_MEMORY)
        return no_memory(err);
    ok = ok && status == TW_OK && fgetc(reader->file) == EOF;
    if (!ok || fseek(reader->file, rest, SEEK_SET) != 0)
        return refuse(reader, err, "it is damaged or not whole");
    reader->next = reader->seeds.from;
    return TW_OK;
}

static enum tw_status open_file(struct tw_shard_reader *reader, struct tw_error *err)
{
    int descriptor = -1;
    uint64_t length;
    enum tw_status status =
        tw_file_open_regular(reader->path, INT64_MAX, &descriptor, &length, err);
    if (status != TW_OK)
        return tw_file_as_input(status, err);
    reader->file = fdopen(descriptor, "r");
    if (reader->file)
        return TW_OK;
    tw_file_close(descriptor);
    return no_memory(err);
}

enum tw_status tw_shard_open(struct tw_shard_reader *reader, const struct tw_shard_origin *origin,
                             const char *path, struct tw_error *err)
{
    const struct tw_experiment *e = origin->experiment;
    size_t numbers = (size_t)e->run_count * ((size_t)e->measure_count + 1);
    *reader = (struct tw_shard_reader){.experiment = e, .path = path};
    enum tw_status status = open_file(reader, err);
    if (status != TW_OK)
        return status;
    if (numbers < (INT32_MAX - WORDS_BYTES) / NUMBER_BYTES) {
        reader->size = numbers * NUMBER_BYTES + WORDS_BYTES;
        reader->line = malloc(reader->size);
    }
    return reader->line ? check(reader, origin, err) : no_memory(err);
}

/* ---- rows ---- */

static bool get_numbers(json_t *list, double least, double most, size_t count, double *to)
{
    if (json_array_size(list) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        json_t *value = json_array_get(list, i);
        to[i] = json_number_value(value);
        if (!json_is_number(value) || !(to[i] >= least && to[i] <= most))
            return false;
    }
    return true;
}

static bool get_text(json_t *object, const char *name, char *to, size_t size)
{
    const char *text = json_string_value(json_object_get(object, name));
    if (!text)
        return false;
    snprintf(to, size, "%s", text);
    tw_text_clean(to);
    return true;
}

/* Finds a variant by its name, from that of the row's level on: levels repeat names. */
static bool find_variant(const struct tw_experiment *e, json_t *failed,
                         const struct tw_variant **variant)
{
    json_t *name = json_object_get(failed, "variant"), *level = json_object_get(failed, "level");
    int32_t number = 0;
    *variant = NULL;
    if (level && !get_whole(failed, "level", 0, e->level_count - 1, &number))
        return false;
    for (int32_t v = number * e->level_variants; json_is_string(name) && v < e->run_count; v++)
        if (strcmp(e->variants[v].name, json_string_value(name)) == 0) {
            *variant = &e->variants[v];
            return true;
        }
    return json_is_null(name);
}

static bool get_failure(const struct tw_shard_reader *reader, json_t *failed,
                        struct tw_shard_row *row)
{
    struct tw_error *error = &row->error;
    json_t *limit = json_object_get(failed, "limit");
    row->failed = true;
    error->status = json_is_true(limit) ? TW_LIMIT : TW_NODE;
    return json_is_boolean(limit) && find_variant(reader->experiment, failed, &row->variant) &&
           get_text(failed, "file", error->file, sizeof error->file) &&
           get_text(failed, "path", error->path, sizeof error->path) &&
           get_text(failed, "message", error->message, sizeof error->message) &&
           get_whole(failed, "line", 0, INT32_MAX, &error->line) &&
           get_whole(failed, "column", 0, INT32_MAX, &error->column);
}

static bool get_row(const struct tw_shard_reader *reader, json_t *line, struct tw_shard_row *row,
                    double *samples, double *seconds)
{
    const struct tw_experiment *e = reader->experiment;
    size_t variants = (size_t)e->run_count, cells = variants * (size_t)e->measure_count;
    const char *seed = json_string_value(json_object_get(line, "seed"));
    json_t *failed = json_object_get(line, "failed");
    *row = (struct tw_shard_row){.failed = false};
    if (!seed || !tw_number_parse_whole(seed, &row->seed))
        return false;
    if (reader->next < e->seed_count && row->seed != tw_experiment_seed(e, reader->next))
        return false;
    if (failed)
        return get_failure(reader, failed, row);
    return get_numbers(json_object_get(line, "samples"), -TW_SAMPLE_MAX, TW_SAMPLE_MAX, cells,
                       samples) &&
           get_numbers(json_object_get(line, "seconds"), 0, most_seconds, variants, seconds);
}

enum tw_status tw_shard_read(struct tw_shard_reader *reader, struct tw_shard_row *row,
                             double *samples, double *seconds, struct tw_error *err)
{
    enum {
        FLAGS = JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL
    }; /* so that -0 keeps its sign */
    size_t length = 0;
    json_t *line = NULL;
    if (read_line(reader, &length) &&
        tw_json_load(reader->line, length, FLAGS, &line, NULL) == TW_MEMORY)
        return no_memory(err);
    bool ok = line && get_row(reader, line, row, samples, seconds);
    json_decref(line);
    reader->next++;
    return ok ? TW_OK : refuse(reader, err, "a line is not that of a seed of this experiment");
}

void tw_shard_close(struct tw_shard_reader *reader)
{
    if (reader->file)
        fclose(reader->file);
    free(reader->line);
    *reader = (struct tw_shard_reader){0};
}
