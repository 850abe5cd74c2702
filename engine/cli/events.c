/* SPDX-License-Identifier: MIT */
#include "cli/events.h"

#include "base/json.h"
#include "base/line_stream.h"
#include "cli/answer.h"
#include "cli/cli.h"
#include "cli/output_file.h"

#include <stdlib.h>

static struct {
    struct tw_line_stream lines;
    uint64_t begin; /* uv_hrtime() of the first line */
    const char *name;
    const struct tw_parts *parts;
    int32_t graph;
    double left; /* seconds of work, by what nodes cost last time */
    bool forecast;
    struct tw_run_observer observer;
} stream;

static double now(void) { return (double)(uv_hrtime() - stream.begin) / 1e9; }

/* Takes the fields. */
static void emit(const char *event, json_t *fields)
{
    struct tw_bytes line = {0};
    json_t *root = json_pack("{s:s, s:f}", "event", event, "time", now());
    if (root && json_object_update(root, fields) != 0) {
        json_decref(root);
        root = NULL;
    }
    json_decref(fields);
    if (tw_json_print(root, JSON_COMPACT | JSON_REAL_PRECISION(9), &line, NULL) == TW_OK &&
        tw_bytes_append(&line, "\n", 1, NULL) == TW_OK)
        tw_line_stream_put(&stream.lines, line.at, line.length);
    else
        stream.lines.broken = true; /* for want of memory */
    free(line.at);
}

enum tw_status tw_events_open(const char *path, const struct tw_overwrite_guard *guard,
                              struct tw_error *err)
{
    if (!path)
        return TW_OK;
    enum tw_status status =
        tw_cli_is_stdout(path) ? TW_OK : tw_overwrite_guard_check(guard, path, path, err);
    if (status == TW_OK)
        status = tw_line_stream_open(&stream.lines, tw_cli_is_stdout(path) ? NULL : path, err);
    if (status != TW_OK)
        return status;
    stream.begin = uv_hrtime();
    stream.name = path;
    emit("start", json_pack("{s:s, s:s, s:s}", "format", "thalweg.events/1", "version", TW_VERSION,
                            "command", "run"));
    return TW_OK;
}

/* ---- what a run says ---- */

/* Seconds that nodes are still expected to take, one after the other; null for want of a history.
 */
static json_t *left_json(void)
{
    return stream.forecast ? json_real(stream.left > 0 ? stream.left : 0) : json_null();
}

static const struct tw_part_graph *graph_now(void) { return &stream.parts->graphs[stream.graph]; }

static void on_plan(void *context, const struct tw_plan *plan, int32_t exports)
{
    (void)context;
    json_t *recipes = json_array();
    for (int32_t i = 0; i < graph_now()->recipe->count; i++)
        stream.left += plan->needed[i] ? graph_now()->expected[i] : 0;
    for (int32_t p = 0; p < stream.parts->count; p++)
        if (stream.parts->at[p].graph == stream.graph)
            json_array_append_new(recipes, tw_cli_json(stream.parts->at[p].file));
    emit("plan", json_pack("{s:o, s:i, s:i, s:o, s:I}", "recipes", recipes, "nodes",
                           (int)plan->needed_count, "exports", (int)exports, "seconds", left_json(),
                           "bytes", (json_int_t)plan->peak_bytes));
}

static void on_started(void *context, int32_t i)
{
    const struct tw_node *node = &graph_now()->recipe->nodes[i];
    (void)context;
    emit("node-started", json_pack("{s:o, s:s, s:o}", "node", tw_cli_json(node->path), "type",
                                   node->type->name, "file", tw_cli_json(node->place.file)));
}

static void on_done(void *context, int32_t i, enum tw_outcome outcome, double seconds)
{
    const struct tw_node *node = &graph_now()->recipe->nodes[i];
    (void)context;
    stream.left -= graph_now()->expected[i];
    emit("node-done", json_pack("{s:o, s:s, s:o, s:s, s:f, s:o}", "node", tw_cli_json(node->path),
                                "type", node->type->name, "file", tw_cli_json(node->place.file),
                                "outcome", outcome == TW_OUTCOME_HIT ? "hit" : "computed",
                                "seconds", seconds, "left", left_json()));
}

static void on_exported(void *context, const struct tw_export_report *report)
{
    char hex[65], path[4096];
    (void)context;
    tw_hex(report->digest.at, sizeof report->digest.at, hex);
    snprintf(path, sizeof path, "%s/%s", graph_now()->folder, report->item->file);
    emit("export",
         json_pack("{s:o, s:b, s:I, s:s}", "file", tw_cli_json(path), "written",
                   (int)report->written, "bytes", (json_int_t)report->bytes, "sha256", hex));
}

const struct tw_run_observer *tw_events_observer(const struct tw_parts *parts, int32_t g)
{
    if (!stream.lines.open)
        return NULL;
    stream.parts = parts;
    stream.graph = g;
    stream.left = 0;
    stream.forecast = true;
    for (int32_t p = 0; p < parts->count; p++)
        stream.forecast &= parts->at[p].graph != g || parts->at[p].history;
    stream.observer = (struct tw_run_observer){
        .plan = on_plan, .started = on_started, .done = on_done, .exported = on_exported};
    return &stream.observer;
}

void tw_events_finding(bool fault, const struct tw_error *error)
{
    if (stream.lines.open)
        emit(fault ? "error" : "warning", tw_answer_error(error));
}

enum tw_status tw_events_close(int code, const struct tw_parts *parts, double seconds,
                               struct tw_error *err)
{
    struct tw_run_sums sums = tw_run_sum(parts);
    if (!stream.lines.open)
        return TW_OK;
    emit("end", json_pack("{s:i, s:s, s:i, s:i, s:i, s:i, s:i, s:f}", "exit_code", code, "status",
                          tw_answer_status(code), "nodes", (int)sums.needed, "computed",
                          (int)sums.computed, "hits", (int)sums.hits, "exports", (int)sums.exports,
                          "written", (int)sums.written, "seconds", seconds));
    return tw_line_stream_close(&stream.lines)
               ? TW_OK
               : tw_error_set(err, TW_IO, "cannot write all events to %s", stream.name);
}
