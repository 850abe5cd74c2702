/* SPDX-License-Identifier: MIT */
#include "study/gather.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Destination of the seeds, in order. */
struct gathering {
    const struct tw_compare_request *request;
    const struct tw_shard_list *list;
    struct tw_comparison *c;
    double *samples, *seconds;
    enum tw_status last; /* of the last seed that failed */
};

/* ---- missing seeds ---- */

static void append(char *text, size_t size, const char *format, ...) TW_PRINTF(3, 4);

static void append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

/* Returns the number of shards if all files are of one division; otherwise 0. */
static int32_t count_shards(const struct tw_shard_list *list)
{
    int32_t of = list->count > 0 ? list->at[0].shard.of : 0;
    for (int32_t i = 1; i < list->count; i++)
        of = list->at[i].shard.of == of ? of : 0;
    return of;
}

/* Prints "shards 2, 5 and 7 of 8"; only the first few of many. */
static void name_shards(const struct tw_shard_list *list, int32_t of, int32_t seeds, char *text,
                        size_t size)
{
    enum { NAMED = 20 };
    int32_t found = 0;
    for (int32_t at = 1; at <= of; at++) {
        struct tw_seed_range own = tw_shard_seeds((struct tw_shard_number){at, of}, seeds);
        if (tw_shard_list_gap(list, own.from, own.to) >= own.to)
            continue;
        if (found < NAMED)
            append(text, size, "%s%d", found == 0 ? "" : ", ", (int)at);
        found++;
    }
    if (found > NAMED)
        append(text, size, " and %d more", (int)(found - NAMED));
    append(text, size, " of %d", (int)of);
}

/* Prints "126 to 250, 501 to 625". */
static int32_t name_seeds(const struct tw_shard_list *list, int32_t seeds, char *text, size_t size)
{
    enum { NAMED = 5 };
    int32_t found = 0, missing = 0;
    for (int32_t from = 0, to; (from = tw_shard_list_gap(list, from, seeds)) < seeds; from = to) {
        to = tw_shard_list_next(list, from, seeds);
        if (found < NAMED)
            append(text, size, "%s%d to %d", found == 0 ? "" : ", ", (int)from + 1, (int)to);
        found++;
        missing += to - from;
    }
    if (found > NAMED)
        append(text, size, " and more");
    return missing;
}

static enum tw_status report_gap(const struct gathering *g, struct tw_error *err)
{
    int32_t seeds = g->c->experiment->seed_count, of = count_shards(g->list);
    char which[256] = "", shards[256] = "";
    if (g->list->count == 0)
        return tw_error_set(err, TW_INPUT, "no shard is there; expected files shard-*.jsonl");
    int32_t missing = name_seeds(g->list, seeds, which, sizeof which);
    tw_error_set(err, TW_INPUT, "%d of %d seeds are missing: number %s", (int)missing, (int)seeds,
                 which);
    if (of > 0) {
        name_shards(g->list, of, seeds, shards, sizeof shards);
        snprintf(err->hint, sizeof err->hint, "not there, or not all of it: shard %.200s", shards);
    }
    return TW_INPUT;
}

/* ---- gathering ---- */

static void report_failure(struct gathering *g, const struct tw_shard_row *row)
{
    const struct tw_compare_failure failure = {row->seed, row->variant, &row->error};
    g->c->failed++;
    g->last = row->error.status;
    if (g->request->failed)
        g->request->failed(g->request->context, &failure);
}

static enum tw_status take(struct gathering *g, const struct tw_shard_row *row,
                           struct tw_error *err)
{
    if (row->failed) {
        report_failure(g, row);
        return TW_OK;
    }
    enum tw_status status = tw_comparison_add(g->c, row->seed, g->samples, g->seconds, err);
    if (status == TW_OK && g->request->sampled)
        status = g->request->sampled(g->request->context, row->seed, g->samples, g->seconds, err);
    g->c->narrow = g->c->total > 0 && tw_compare_is_narrow(g->c);
    return status;
}

/* Takes the seeds of a file from number `*next` on. */
static enum tw_status take_file(struct gathering *g, const struct tw_shard_origin *origin,
                                const struct tw_shard_file *file, int32_t *next,
                                struct tw_error *err)
{
    struct tw_shard_reader reader = {0};
    struct tw_shard_row row;
    int32_t count = g->c->experiment->seed_count;
    enum tw_status status = tw_shard_open(&reader, origin, file->path, err);
    if (status == TW_OK &&
        (reader.seeds.from != file->seeds.from || reader.seeds.to != file->seeds.to))
        status = tw_error_set(err, TW_INPUT, "%s: it has changed meanwhile", file->path);
    while (status == TW_OK && !g->c->narrow && reader.next < reader.seeds.to &&
           reader.next < count) {
        status = tw_shard_read(&reader, &row, g->samples, g->seconds, err);
        if (status == TW_OK && reader.next > *next)
            status = take(g, &row, err);
    }
    *next = file->seeds.to;
    tw_shard_close(&reader);
    return status;
}

static enum tw_status take_all(struct gathering *g, const struct tw_shard_origin *origin,
                               struct tw_error *err)
{
    int32_t count = g->c->experiment->seed_count;
    enum tw_status status = TW_OK;
    if (!tw_compare_has_until(g->c->experiment) && tw_shard_list_gap(g->list, 0, count) < count)
        return report_gap(g, err);
    for (int32_t next = 0; status == TW_OK && next < count && !g->c->narrow;) {
        const struct tw_shard_file *file = tw_shard_list_find(g->list, next);
        status = file ? take_file(g, origin, file, &next, err) : report_gap(g, err);
    }
    if (status == TW_OK && g->c->total == 0)
        return tw_error_set(err, g->last, "every seed failed");
    return status;
}

enum tw_status tw_compare_gather(const struct tw_compare_request *request,
                                 const struct tw_shard_origin *origin,
                                 const struct tw_shard_list *list, struct tw_comparison *c,
                                 struct tw_error *err)
{
    size_t variants = (size_t)c->experiment->run_count;
    struct gathering g = {
        .request = request,
        .list = list,
        .c = c,
        .samples = calloc(variants * (size_t)c->experiment->measure_count, sizeof *g.samples),
        .seconds = calloc(variants, sizeof *g.seconds),
        .last = TW_NODE};
    enum tw_status status = g.samples && g.seconds ? take_all(&g, origin, err)
                                                   : tw_error_set(err, TW_MEMORY, "out of memory");
    free(g.samples);
    free(g.seconds);
    return status;
}
