/* SPDX-License-Identifier: MIT */
#include "console/events.h"

#include "base/os/file.h"
#include "base/os/line_stream.h"
#include "base/text/json.h"
#include "console/answer.h"
#include "console/output_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The first bytes of every stream; they identify a file that may be replaced. */
#define BEGINNING "{\"event\":\"start\","

static struct {
    struct tw_line_stream lines;
    uint64_t begin; /* uv_hrtime() of the first line */
    const char *name;
    struct tw_events_graph graph;
    json_t *recipes; /* list of its files */
    double left;     /* expected seconds of work, from the nodes' last runs */
    int32_t nodes, computed, hits, exports, written;
    struct tw_run_observer observer;
} stream;

static double now(void) { return (double)(uv_hrtime() - stream.begin) / 1e9; }

/* Takes the reference to `fields`. */
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
        stream.lines.broken = true; /* out of memory */
    free(line.at);
}

/* Returns true if the file is empty, missing or an older event stream. Which files the command
 * reads is not known yet, so nothing else may be replaced. */
static bool may_replace(const char *path)
{
    unsigned char *data = NULL;
    size_t length = 0;
    uint64_t total = 0;
    if (tw_file_read_head(path, sizeof BEGINNING - 1, &data, &length, &total, NULL) != TW_OK)
        return true; /* it does not exist, or is a pipe or a device */
    bool may = length == 0 || (length == sizeof BEGINNING - 1 &&
                               memcmp(data, BEGINNING, sizeof BEGINNING - 1) == 0);
    free(data);
    return may;
}

enum tw_status tw_events_open(const char *command, const char *path, struct tw_error *err)
{
    if (!path)
        return TW_OK;
    bool is_stdout = tw_console_is_stdout(path);
    if (!is_stdout && !may_replace(path))
        return tw_error_set(err, TW_PATH,
                            "the events would overwrite %s; expected a new file, an empty one or "
                            "earlier events",
                            path);
    enum tw_status status = is_stdout ? TW_OK : tw_file_make_folder_of(path, err);
    if (status == TW_OK)
        status = tw_line_stream_open(&stream.lines, is_stdout ? NULL : path, err);
    if (status != TW_OK)
        return status;
    stream.begin = uv_hrtime();
    stream.name = path;
    emit("start", json_pack("{s:s, s:s, s:s}", "format", "thalweg.events/1", "version", TW_VERSION,
                            "command", command));
    return TW_OK;
}

bool tw_events_are_open(void) { return stream.lines.open; }

/* ---- events of a run ---- */

/* Estimates the seconds that nodes still take, one after the other; null without a history. */
static json_t *left_json(void)
{
    return stream.graph.expected ? json_real(stream.left > 0 ? stream.left : 0) : json_null();
}

static const struct tw_node *node_at(int32_t i) { return &stream.graph.recipe->nodes[i]; }

static void on_plan(void *context, const struct tw_plan *plan, int32_t exports)
{
    (void)context;
    for (int32_t i = 0; stream.graph.expected && i < stream.graph.recipe->count; i++)
        stream.left += plan->needed[i] ? stream.graph.expected[i] : 0;
    stream.nodes += plan->needed_count;
    emit("plan", json_pack("{s:O, s:i, s:i, s:o, s:I}", "recipes", stream.recipes, "nodes",
                           (int)plan->needed_count, "exports", (int)exports, "seconds", left_json(),
                           "bytes", (json_int_t)plan->peak_bytes));
}

static void on_started(void *context, int32_t i)
{
    const struct tw_node *node = node_at(i);
    (void)context;
    emit("node-started", json_pack("{s:o, s:s, s:o}", "node", tw_json_text(node->path), "type",
                                   node->type->name, "file", tw_json_text(node->place.file)));
}

static void on_done(void *context, int32_t i, enum tw_outcome outcome, double seconds)
{
    const struct tw_node *node = node_at(i);
    bool hit = outcome == TW_OUTCOME_HIT;
    (void)context;
    stream.left -= stream.graph.expected ? stream.graph.expected[i] : 0;
    stream.hits += hit;
    stream.computed += !hit;
    emit("node-done",
         json_pack("{s:o, s:s, s:o, s:s, s:f, s:o}", "node", tw_json_text(node->path), "type",
                   node->type->name, "file", tw_json_text(node->place.file), "outcome",
                   hit ? "hit" : "computed", "seconds", seconds, "left", left_json()));
}

static void on_exported(void *context, const struct tw_export_summary *report)
{
    char hex[65], path[4096];
    (void)context;
    stream.exports++;
    stream.written += report->written;
    tw_hex(report->identity.sha256.at, sizeof report->identity.sha256.at, hex);
    snprintf(path, sizeof path, "%s/%s", stream.graph.folder ? stream.graph.folder : "",
             report->item->file);
    emit("export",
         json_pack("{s:o, s:b, s:I, s:s}", "file", tw_json_text(path), "written",
                   (int)report->written, "bytes", (json_int_t)report->bytes, "sha256", hex));
}

const struct tw_run_observer *tw_events_observer(const struct tw_events_graph *graph)
{
    if (!stream.lines.open)
        return NULL;
    json_decref(stream.recipes);
    stream.recipes = json_array();
    for (int32_t i = 0; i < graph->file_count; i++)
        json_array_append_new(stream.recipes, tw_json_text(graph->files[i]));
    stream.graph = *graph;
    stream.graph.files = NULL;
    stream.left = 0;
    stream.observer = (struct tw_run_observer){
        .plan = on_plan, .started = on_started, .done = on_done, .exported = on_exported};
    return &stream.observer;
}

void tw_events_seed(const struct tw_events_seed *seed)
{
    char number[24];
    if (!stream.lines.open)
        return;
    snprintf(number, sizeof number, "%" PRIu64, seed->seed);
    emit("seed-done", json_pack("{s:s, s:i, s:i, s:o}", "seed", number, "done", (int)seed->done,
                                "seeds", (int)seed->count, "left",
                                seed->left >= 0 ? json_real(seed->left) : json_null()));
}

void tw_events_finding(bool fault, const struct tw_error *error)
{
    if (stream.lines.open)
        emit(fault ? "error" : "warning", tw_answer_error(error));
}

enum tw_status tw_events_close(int code, struct tw_error *err)
{
    if (!stream.lines.open)
        return TW_OK;
    emit("end", json_pack("{s:i, s:s, s:i, s:i, s:i, s:i, s:i, s:f}", "exit_code", code, "status",
                          tw_answer_status(code), "nodes", (int)stream.nodes, "computed",
                          (int)stream.computed, "hits", (int)stream.hits, "exports",
                          (int)stream.exports, "written", (int)stream.written, "seconds", now()));
    json_decref(stream.recipes);
    stream.recipes = NULL;
    return tw_line_stream_close(&stream.lines)
               ? TW_OK
               : tw_error_set(err, TW_IO, "cannot write all events to %s", stream.name);
}
