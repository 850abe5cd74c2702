/* SPDX-License-Identifier: MIT */
/* The tool `run`: computes a recipe's outputs; gives digests, ranges, records and pictures. */
#include "cli/mcp/mcp.h"

#include "cache/memo.h"
#include "console/documents.h"
#include "gate/snapshot.h"
#include "report/pictures/value_picture.h"
#include "runner/runner.h"

#include <stdlib.h>
#include <string.h>

enum { PICTURES = 4, PICTURES_MAX = 16, PICTURE_SIDE = 512, PICTURE_SIDE_MAX = 1024 };
enum { ENTRIES_MAX = 200, SLOW_NODES = 5 };

/* What the call asks for, and what became of it. */
struct call {
    struct tw_mcp *mcp;
    const json_t *arguments;
    struct tw_recipe *recipe;
    struct tw_result *result;
    struct tw_run_summary report;
    double seconds;
};

/* ---- the run ---- */

static void on_progress(void *context, const char *node, double done)
{
    const struct call *call = context;
    tw_mcp_progress(call->mcp->server, done, node);
}

static void on_failed(void *context, const struct tw_run_failure *failure)
{
    (void)context;
    tw_mcp_fault_of(failure->error);
}

static bool run(struct call *call)
{
    struct tw_run_options options = call->mcp->run;
    struct tw_error error = {.status = TW_OK};
    const struct tw_run_request request = {.options = &options,
                                           .judges = true,
                                           .memo = call->mcp->memo,
                                           .report = &call->report,
                                           .failed = on_failed};
    const json_t *only = json_object_get(call->arguments, "only");
    if (only && !json_is_string(only))
        return tw_mcp_fault(TW_USAGE, NULL, "only: expected the name of an output");
    options.only = only ? json_string_value(only) : NULL;
    options.progress = on_progress;
    options.context = call;
    const uint64_t start = uv_hrtime();
    const enum tw_status status = tw_run_execute(call->recipe, &request, &call->result, &error);
    call->seconds = (double)(uv_hrtime() - start) / 1e9;
    if (status != TW_OK)
        tw_mcp_fault_of(&error);
    return status == TW_OK;
}

/* ---- the document ---- */

static json_t *entries_json(const struct tw_value *record)
{
    json_t *entries = json_object();
    for (int32_t i = 0; i < record->width && i < ENTRIES_MAX; i++) {
        const struct tw_entry *entry = &tw_entries(record)[i];
        char name[sizeof entry->name + 1] = {0};
        memcpy(name, entry->name, sizeof entry->name);
        json_object_set_new(entries, name, json_real(entry->number));
    }
    return entries;
}

static json_t *output_json(const char *name, const struct tw_value *value)
{
    struct tw_result_facts facts = {.name = name};
    tw_result_describe(value, &facts);
    json_t *output =
        json_pack("{s:s, s:s, s:s}", "name", name, "type", facts.type, "sha256", facts.sha256);
    if (tw_type_is_grid(value->type))
        json_object_set_new(output, "size", tw_document_size(value->width, value->height));
    else
        json_object_set_new(output, "count", json_integer(value->width));
    if (facts.ranged)
        json_object_update_new(output, json_pack("{s:f, s:f, s:f}", "least", facts.least,
                                                 "greatest", facts.greatest, "mean", facts.mean));
    if (value->type == TW_RECORD)
        json_object_set_new(output, "entries", entries_json(value));
    return output;
}

/* Finds the slowest node that is slower than `below` seconds are; NULL if there is none. */
static const struct tw_node_summary *find_slow(const struct tw_run_summary *report, double below)
{
    const struct tw_node_summary *slow = NULL;
    for (int32_t i = 0; i < report->node_count; i++) {
        const struct tw_node_summary *node = &report->nodes[i];
        if (node->outcome == TW_OUTCOME_COMPUTED && node->seconds < below &&
            (!slow || node->seconds > slow->seconds))
            slow = node;
    }
    return slow;
}

static json_t *slow_json(const struct call *call)
{
    const struct tw_run_summary *report = &call->report;
    json_t *list = json_array();
    double below = 1e300;
    for (int n = 0; n < SLOW_NODES; n++) {
        const struct tw_node_summary *node = find_slow(report, below);
        if (!node)
            break;
        below = node->seconds;
        json_array_append_new(list, json_pack("{s:s, s:f}", "node",
                                              call->recipe->nodes[node - report->nodes].path,
                                              "seconds", node->seconds));
    }
    return list;
}

static json_t *run_json(const struct call *call)
{
    json_t *outputs = json_array();
    int computed = 0;
    for (int32_t i = 0; call->result && i < call->result->count; i++)
        json_array_append_new(
            outputs, output_json(call->result->kept[i].name, &call->result->kept[i].value));
    for (int32_t i = 0; i < call->report.node_count; i++)
        computed += call->report.nodes[i].outcome == TW_OUTCOME_COMPUTED;
    return json_pack("{s:o, s:o, s:f, s:i, s:i, s:I, s:o}", "size",
                     tw_document_size(call->recipe->width, call->recipe->height), "outputs",
                     outputs, "seconds", call->seconds, "nodes", (int)call->report.needed,
                     "computed", computed, "peak_bytes", (json_int_t)call->report.used_bytes,
                     "slowest", slow_json(call));
}

/* ---- pictures ---- */

/* Whether an output is to be drawn: if it is named, or, without names, while there are few. */
static bool is_wanted(const json_t *names, const char *name, int drawn)
{
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *wanted = json_string_value(json_array_get(names, i));
        if (wanted && strcmp(wanted, name) == 0)
            return drawn < PICTURES_MAX;
    }
    return !names && drawn < PICTURES;
}

static bool check_names(const struct call *call, const json_t *names)
{
    if (names && !json_is_array(names))
        return tw_mcp_fault(TW_USAGE, NULL, "pictures: expected a list of outputs");
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        const struct tw_output *output = call->recipe->outputs;
        while (output && name && strcmp(output->name, name) != 0)
            output = output->next;
        if (!output || !name)
            return tw_mcp_fault(TW_USAGE, NULL, "pictures: the recipe has no output '%.100s'",
                                name ? name : "");
    }
    return true;
}

static json_t *add_pictures(const struct call *call, json_t *result, int32_t side)
{
    const json_t *names = json_object_get(call->arguments, "pictures");
    struct tw_error error;
    int drawn = 0;
    for (int32_t i = 0; result && call->result && i < call->result->count; i++) {
        const struct tw_kept *kept = &call->result->kept[i];
        if (!tw_value_is_drawable(kept->value.type) || !is_wanted(names, kept->name, drawn))
            continue;
        drawn++;
        if (tw_mcp_add_picture(call->mcp, result, kept->name, &kept->value, side, &error) == TW_OK)
            continue;
        json_decref(result);
        return tw_mcp_text_result(error.message, true);
    }
    return result;
}

json_t *tw_mcp_run(void *context, const json_t *arguments)
{
    struct call call = {.mcp = context, .arguments = arguments};
    json_t *fields = NULL;
    int32_t side = PICTURE_SIDE;
    if (tw_mcp_number(arguments, "picture_size", 16, PICTURE_SIDE_MAX, PICTURE_SIDE, &side) &&
        tw_mcp_load(call.mcp, arguments, "recipe", "recipe.yaml", &call.recipe) &&
        check_names(&call, json_object_get(arguments, "pictures")) && run(&call))
        fields = run_json(&call);
    json_t *result = add_pictures(&call, tw_mcp_result(call.mcp, fields), side);
    tw_run_summary_release(&call.report);
    tw_result_release(call.result);
    tw_recipe_release(call.recipe);
    return result;
}
