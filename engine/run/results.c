/* SPDX-License-Identifier: MIT */
/* Results of a run: values of outputs, and the summary of its nodes and exports. */
#include "base/memory/options.h"
#include "run/spill.h"

#include <stdlib.h>
#include <string.h>

/* The last use takes over the memory; earlier uses copy it. */
static enum tw_status take_value(struct tw_run *run, struct tw_source source, struct tw_value *to,
                                 struct tw_error *err)
{
    struct tw_slot *slot = &run->slots[source.node];
    struct tw_value *value = &slot->values[source.port];
    if (--slot->uses[source.port] > 0)
        return tw_field_copy(to, value, err);
    *to = *value;
    *value = (struct tw_value){0};
    return TW_OK;
}

enum tw_status tw_results_keep(struct tw_run *run, struct tw_result **out, struct tw_error *err)
{
    struct tw_result *result = calloc(1, sizeof *result);
    struct tw_kept *kept = calloc((size_t)run->goal_count + 1, sizeof *kept);
    if (result)
        result->kept = kept;
    bool ok = result && kept;
    for (int32_t g = 0; ok && g < run->goal_count; g++) {
        if (run->goals[g].failed)
            continue;
        struct tw_source source = run->goals[g].sources->source;
        struct tw_kept *to = &kept[result->count++];
        to->name = strdup(run->goals[g].name);
        ok = to->name && take_value(run, source, &to->value, err) == TW_OK;
    }
    if (ok) {
        *out = result;
        return TW_OK;
    }
    if (!result)
        free(kept);
    tw_result_release(result);
    return tw_error_set(err, TW_MEMORY, "out of memory");
}

/* A node at which the run stopped, or that failed, counts as not computed. */
static enum tw_outcome outcome_of(const struct tw_slot *slot)
{
    bool unfinished =
        slot->outcome == TW_OUTCOME_COMPUTED && !slot->known && slot->phase != TW_IDLE;
    return unfinished ? TW_OUTCOME_UNDECIDED : slot->outcome;
}

bool tw_results_summarise(struct tw_run *run, struct tw_run_summary *report)
{
    report->nodes = calloc((size_t)run->recipe->count + 1, sizeof *report->nodes);
    report->exports = calloc((size_t)run->goal_count + 1, sizeof *report->exports);
    report->peak_bytes = run->plan.peak_bytes;
    report->used_bytes = atomic_load(&run->memory.greatest);
    report->needed = run->plan.needed_count;
    if (run->spilling) {
        const struct tw_spill_forecast *forecast = &run->spilling->forecast;
        report->spills = true;
        report->spilled = run->spilling->counts;
        report->spill_forecast =
            (struct tw_spill_counts){(uint64_t)forecast->value_count, forecast->bytes,
                                     forecast->bytes, forecast->read_bytes};
    }
    report->has_remote = run->cache.remote != NULL;
    if (report->has_remote)
        report->remote = tw_remote_counts(run->cache.remote);
    report->failed_node = run->failed_node;
    report->failure = run->failure;
    for (int32_t i = 0; report->nodes && run->slots && i < run->recipe->count; i++) {
        struct tw_slot *slot = &run->slots[i];
        struct tw_node_summary *node = &report->nodes[i];
        *node = (struct tw_node_summary){.outcome = outcome_of(slot),
                                         .key_text = slot->key_text,
                                         .seconds = slot->seconds,
                                         .loaded = slot->loaded,
                                         .remote = slot->remote,
                                         .fetched = slot->fetched,
                                         .forecast = run->plan.needs[i],
                                         .scratch_bytes = slot->scratch_bytes,
                                         .stamped = slot->known ? slot->stamped : 0,
                                         .redone = slot->redone,
                                         .lacking = slot->lacking,
                                         .outputs = slot->stamps};
        slot->key_text = NULL;
        report->node_count = i + 1;
    }
    report->stamps = run->stamps;
    run->stamps = NULL;
    for (int32_t g = 0; report->exports && g < run->goal_count; g++)
        if (run->goals[g].kind == TW_GOAL_EXPORT) {
            struct tw_export_summary *to = &report->exports[report->export_count++];
            *to = run->goals[g].report;
            to->failed = run->goals[g].failed;
        }
    return report->nodes && report->exports;
}

void tw_run_summary_release(struct tw_run_summary *report)
{
    for (int32_t i = 0; i < report->node_count; i++)
        free(report->nodes[i].key_text);
    free(report->nodes);
    free(report->stamps);
    free(report->exports);
    *report = (struct tw_run_summary){0};
}

enum tw_status tw_results_report(struct tw_result *result, const struct tw_recipe *recipe,
                                 const struct tw_run_summary *summary, double seconds,
                                 struct tw_error *err)
{
    struct tw_run_report *report = &result->report;
    result->nodes = calloc((size_t)summary->node_count + 1, sizeof *result->nodes);
    *report = (struct tw_run_report){.seconds = seconds, .peak_bytes = summary->used_bytes};
    for (int32_t i = 0; result->nodes && i < summary->node_count; i++) {
        const struct tw_node_summary *node = &summary->nodes[i];
        bool kept = node->outcome == TW_OUTCOME_HIT;
        if (!kept && node->outcome != TW_OUTCOME_COMPUTED)
            continue;
        char *path = strdup(recipe->nodes[i].path), *type = strdup(recipe->nodes[i].type->name);
        result->nodes[report->nodes++] =
            (struct tw_node_report){0, path, type, kept, node->seconds};
        report->kept += kept;
        report->computed += !kept;
        if (!path || !type)
            return tw_error_set(err, TW_MEMORY, "out of memory");
    }
    return result->nodes ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
}

void tw_result_report(const struct tw_result *result, struct tw_run_report *report)
{
    tw_options_give(report, &result->report, sizeof *report);
}

bool tw_result_node(const struct tw_result *result, int32_t i, struct tw_node_report *node)
{
    if (i < 0 || i >= result->report.nodes)
        return false;
    tw_options_give(node, &result->nodes[i], sizeof *node);
    return true;
}

const struct tw_value *tw_result_output(const struct tw_result *result, const char *name)
{
    for (int32_t i = 0; i < result->count; i++)
        if (strcmp(result->kept[i].name, name) == 0)
            return &result->kept[i].value;
    return NULL;
}

void tw_result_release(struct tw_result *result)
{
    if (!result)
        return;
    for (int32_t i = 0; i < result->count; i++) {
        tw_field_clear(&result->kept[i].value);
        free(result->kept[i].name);
    }
    for (int32_t i = 0; i < result->report.nodes; i++) {
        free((char *)result->nodes[i].path);
        free((char *)result->nodes[i].type);
    }
    free(result->nodes);
    free(result->kept);
    free(result);
}
