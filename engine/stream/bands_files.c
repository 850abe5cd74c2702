/* SPDX-License-Identifier: MIT */
/* Outputs of a run in bands: files that take rows, sidecars that follow them, digests of outputs. A
 * file keeps a temporary name until all files are complete. */
#include "base/os/file.h"
#include "format/sidecar.h"
#include "run/export.h"
#include "stream/bands_private.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static struct tw_value map_of(const struct tw_run *run, struct tw_source source)
{
    return (struct tw_value){tw_source_type(run->recipe, source), run->recipe->width,
                             run->recipe->height, NULL};
}

const char *tw_band_sink_lacks(const struct tw_run *run, const struct tw_goal *goal)
{
    const struct tw_export *item = goal->item;
    if (!item)
        return NULL;
    const struct tw_value map = map_of(run, item->sources->source), *values[] = {&map};
    const struct tw_encoding encoding = tw_export_encoding(item, values);
    const struct tw_format *format = item->describes ? item->describes->format : item->format;
    if (item->tile.width > 0)
        return "tiles:";
    if (item->describes && format->decode && !format->reread &&
        !(TW_TYPE_BIT(map.type) & TW_HEIGHTS))
        return "sidecar:";
    return tw_row_file_lacks(format, &encoding);
}

static enum tw_status write_out(void *context, const void *at, size_t length, struct tw_error *err)
{
    return tw_file_sink_write(context, at, length, err);
}

static enum tw_status patch_out(void *context, uint64_t offset, const void *at, size_t length,
                                struct tw_error *err)
{
    return tw_file_sink_patch(context, offset, at, length, err);
}

static struct tw_band_sink *sink_of(const struct tw_run *run, const struct tw_export *item)
{
    for (int32_t g = 0; g < run->goal_count; g++)
        if (run->goals[g].item == item)
            return &run->bands->sinks[g];
    return NULL;
}

static enum tw_status open_file(struct tw_run *run, struct tw_band_sink *sink, struct tw_error *err)
{
    const struct tw_export *item = sink->goal->item;
    char path[PATH_MAX];
    enum tw_status status = tw_file_make_place(run->request->export_folder, item->file, path, err);
    if (status == TW_OK)
        status = tw_file_sink_open(&sink->out, path, run->request->digest_files,
                                   &run->bands->workers, err);
    if (status == TW_OK && !item->describes)
        status = tw_row_file_begin(&sink->file, item->format, &sink->encoding,
                                   (struct tw_byte_target){write_out, patch_out, &sink->out},
                                   sink->digested, err);
    return status;
}

uint64_t tw_band_sink_bytes(const struct tw_run *run, const struct tw_goal *goal)
{
    const struct tw_export *item = goal->item;
    if (!item || item->describes || !item->format->row_writer->bytes)
        return 0;
    const struct tw_value map = map_of(run, item->sources->source), *values[] = {&map};
    const struct tw_encoding encoding = tw_export_encoding(item, values);
    return item->format->row_writer->bytes(&encoding);
}

enum tw_status tw_band_sinks_open(struct tw_run *run, struct tw_error *err)
{
    struct tw_band_sink *sinks = run->bands->sinks;
    enum tw_status status = TW_OK;
    run->bands->workers = tw_pool_workers(&run->pool);
    for (int32_t g = 0; g < run->goal_count; g++) {
        struct tw_band_sink *sink = &sinks[g];
        sink->goal = &run->goals[g];
        sink->source = sink->goal->sources->source;
        sink->map = map_of(run, sink->source);
        sink->value = &sink->map;
        tw_digest_begin(&sink->digest);
        if (sink->goal->kind != TW_GOAL_EXPORT)
            continue;
        const struct tw_export *item = sink->goal->item;
        struct tw_band_sink *described = item->describes ? sink_of(run, item->describes) : NULL;
        sink->encoding = tw_export_encoding(item, &sink->value);
        sink->encoding.workers = &run->bands->workers;
        sink->described = described;
        sink->digested |= item->format->noted && item->provenance;
        if (described)
            described->digested = true;
    }
    for (int32_t g = 0; status == TW_OK && g < run->goal_count; g++)
        if (sinks[g].goal->kind == TW_GOAL_EXPORT)
            status = open_file(run, &sinks[g], err);
    return status;
}

/* ---- rows ---- */

struct rows {
    struct tw_run *run;
    int32_t from, to;
};

static void add_rows(const struct rows *rows, struct tw_band_sink *sink)
{
    const struct tw_bands *bands = rows->run->bands;
    const struct tw_value value =
        tw_window_rows(&bands->windows[sink->source.node], sink->source.port, rows->from, rows->to);
    if (sink->goal->kind == TW_GOAL_STAMP)
        tw_field_digest_add(&sink->digest, &value);
    else if (!sink->goal->item->describes)
        sink->status = tw_row_file_add(&sink->file, &value, &sink->error);
    if (sink->status != TW_NODE)
        return;
    tw_export_locate(sink->goal->item, &sink->error);
    snprintf(sink->error.hint, sizeof sink->error.hint,
             "these are the heights of rows %d to %d only: the run goes in bands", (int)rows->from,
             (int)rows->to - 1);
}

static void add_to_sinks(void *context, int32_t begin, int32_t end)
{
    const struct rows *rows = context;
    for (int32_t g = begin; g < end; g++)
        add_rows(rows, &rows->run->bands->sinks[g]);
}

/* Reports the fault of the first file in the recipe's order. */
enum tw_status tw_band_sinks_add(struct tw_run *run, int32_t from, int32_t to, struct tw_error *err)
{
    struct rows rows = {run, from, to};
    tw_pool_rows(&run->pool, run->goal_count, 1, add_to_sinks, &rows);
    for (int32_t g = 0; g < run->goal_count; g++)
        if (run->bands->sinks[g].status != TW_OK) {
            *err = run->bands->sinks[g].error;
            return run->bands->sinks[g].status;
        }
    return TW_OK;
}

/* ---- the end ---- */

static enum tw_status write_sidecar(struct tw_band_sink *sink, struct tw_error *err)
{
    struct tw_bytes text = {0};
    enum tw_status status = tw_export_describe(sink->goal->item, &sink->encoding,
                                               &sink->described->content, &text, err);
    if (status == TW_OK)
        status = tw_file_sink_write(&sink->out, text.at, text.length, err);
    free(text.at);
    return status;
}

static enum tw_status end_rows(struct tw_band_sink *sink, struct tw_error *err)
{
    if (sink->goal->kind != TW_GOAL_EXPORT)
        return TW_OK;
    return sink->described ? write_sidecar(sink, err)
                           : tw_row_file_end(&sink->file, &sink->content, err);
}

static enum tw_status name_file(const struct tw_run *run, struct tw_band_sink *sink,
                                struct tw_error *err)
{
    struct tw_export_summary *report = &sink->goal->report;
    bool stays = false;
    if (sink->goal->kind != TW_GOAL_EXPORT)
        return TW_OK;
    enum tw_status status =
        tw_export_take_place(run, sink->out.temporary.path, sink->out.path, &stays, err);
    if (stays) /* hashes the old file, which has the same bytes */
        status = tw_file_sha256(sink->out.path, UINT64_MAX, &report->identity.sha256,
                                &report->bytes, err);
    else if (status == TW_OK)
        status = tw_file_sink_finish(&sink->out, &report->identity.sha256, err);
    report->identity.has_sha256 = status == TW_OK && sink->out.hashed;
    report->there = status == TW_OK;
    report->written = status == TW_OK && !stays;
    report->bytes = sink->out.length;
    sink->goal->done = status == TW_OK;
    return status;
}

/* Names a file; one that cannot have its name, because another is read-only, fails alone. */
static enum tw_status name_or_report(struct tw_run *run, struct tw_band_sink *sink,
                                     struct tw_error *err)
{
    const struct tw_run_request *request = run->request;
    struct tw_error error = {.status = TW_OK};
    if (sink->described && sink->described->goal->failed) {
        sink->goal->failed = true; /* a sidecar stays beside its file */
        return TW_OK;
    }
    enum tw_status status = name_file(run, sink, &error);
    bool goes_on = status == TW_OK || (request->failed && tw_run_goes_on(status));
    if (status != TW_OK && goes_on) {
        sink->goal->failed = sink->goal->report.failed = true;
        if (tw_status_exit_code(status) > tw_status_exit_code(run->failure))
            run->failure = status;
        request->failed(request->failed_context,
                        &(struct tw_run_failure){-1, sink->goal->item, &error});
    }
    if (!goes_on && err)
        *err = error;
    return goes_on ? TW_OK : status;
}

enum tw_status tw_band_sinks_finish(struct tw_run *run, struct tw_error *err)
{
    struct tw_band_sink *sinks = run->bands->sinks;
    enum tw_status status = TW_OK;
    for (int32_t g = 0; status == TW_OK && g < run->goal_count; g++)
        status = end_rows(&sinks[g], err);
    for (int32_t g = 0; status == TW_OK && g < run->goal_count; g++)
        status = atomic_load(&run->stop) ? TW_CANCELLED : name_or_report(run, &sinks[g], err);
    for (int32_t g = 0; status == TW_OK && g < run->goal_count; g++) {
        struct tw_band_sink *sink = &sinks[g];
        struct tw_slot *slot = &run->slots[sink->source.node];
        if (sink->goal->kind != TW_GOAL_STAMP)
            continue;
        slot->stamps[sink->source.port] =
            (struct tw_stamp){.digest = tw_field_digest_end(&sink->digest, sink->map.type,
                                                            sink->map.width, sink->map.height),
                              .type = sink->map.type,
                              .width = sink->map.width,
                              .height = sink->map.height};
        slot->stamped |= (uint32_t)1 << sink->source.port;
        slot->known = sink->goal->done = true;
    }
    return status;
}

void tw_band_sinks_release(struct tw_run *run)
{
    for (int32_t g = 0; run->bands->sinks && g < run->goal_count; g++) {
        tw_row_file_release(&run->bands->sinks[g].file);
        tw_file_sink_abandon(&run->bands->sinks[g].out);
    }
    free(run->bands->sinks);
    run->bands->sinks = NULL;
}
