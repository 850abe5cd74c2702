/* SPDX-License-Identifier: MIT */
/* Adds to a round the outputs that its measures read: records of the recipes' own nodes, or of
 * nodes added to measure a map. Measures of one record share it. */
#include "study/round.h"

#include "base/text/suggest.h"
#include "graph/merge.h"
#include "node/param.h"
#include "runner/runner.h"
#include "study/map_measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whether the measured output is a map; if so, sets `map`, which the loader has checked. */
static bool is_map(const struct tw_compare_round *round, const struct tw_measure *measure,
                   int32_t variant, struct tw_map_measure *map)
{
    struct tw_source source = tw_compare_round_source(round, variant, measure->output);
    return tw_source_type(round->merged, source) != TW_RECORD &&
           tw_map_measure_find(measure->field, map);
}

static bool set_param(struct tw_compare_round *round, int32_t node, const char *name, double value)
{
    struct tw_node *added = &round->merged->nodes[node];
    char text[40], message[200];
    snprintf(text, sizeof text, "%.9g", value);
    return tw_param_set(tw_node_find_param(added->type, name), added->params, text, message,
                        sizeof message);
}

static const struct tw_node_type *statistics(void)
{
    const struct tw_registry registry = {NULL};
    return tw_registry_find(&registry, "measure.statistics");
}

/* Adds the nodes that measure a map; false if memory runs out. */
static bool add_nodes(struct tw_compare_round *round, const struct tw_experiment *e,
                      int32_t variant, const struct tw_measure *measure,
                      const struct tw_map_measure *map, struct tw_source *record)
{
    struct tw_source sources[] = {tw_compare_round_source(round, variant, measure->output), {0, 0}};
    bool paired = map->kind == TW_MAP_DIFFERENCE || map->kind == TW_MAP_RMS;
    if (paired)
        sources[1] = tw_compare_round_source(round, e->baseline, measure->output);
    int32_t node = tw_merge_add_node(round->merged, map->type, sources, paired ? 2 : 1);
    *record = (struct tw_source){node, map->port};
    if (node < 0 || map->kind == TW_MAP_RECORD || map->kind == TW_MAP_DIFFERENCE)
        return node >= 0;
    if (map->kind == TW_MAP_QUANTILE)
        return set_param(round, node, "share", map->low);
    if (map->kind == TW_MAP_SHARE &&
        (!set_param(round, node, "low", map->low) || !set_param(round, node, "high", map->high) ||
         !set_param(round, node, "softness", 0)))
        return false;
    /* measures the mask, or the difference as a map */
    const struct tw_source measured = {node, map->kind == TW_MAP_RMS ? 1 : 0};
    *record = (struct tw_source){tw_merge_add_node(round->merged, statistics(), &measured, 1), 0};
    return record->node >= 0;
}

/* Returns the first measure that reads this one's record: an earlier one or itself. */
static int32_t find_shared(const struct tw_compare_round *round, const struct tw_experiment *e,
                           int32_t variant, int32_t measure)
{
    struct tw_map_measure map, other;
    const struct tw_measure *own = &e->measures[measure];
    bool of_map = is_map(round, own, variant, &map);
    for (int32_t m = 0; m < measure; m++) {
        const struct tw_measure *earlier = &e->measures[m];
        if (earlier->output && strcmp(earlier->output, own->output) == 0 &&
            (!of_map ||
             (tw_map_measure_find(earlier->field, &other) && tw_map_measure_shares(&map, &other))))
            return m;
    }
    return measure;
}

/* `seconds` is the cost of running the recipe alone, so all outputs must be computed. For maps only
 * statistics are kept, since the maps would hold memory until the round ends. */
static bool add_all_outputs(struct tw_compare_round *round, int32_t variant)
{
    bool ok = true;
    for (const struct tw_output *o = round->parts[variant]->outputs; ok && o; o = o->next) {
        struct tw_source source = tw_compare_round_source(round, variant, o->name);
        enum tw_type type = tw_source_type(round->merged, source);
        int32_t number;
        round->needed[variant][o->source.node] = true;
        if (type == TW_HEIGHTMAP || type == TW_MASK)
            source =
                (struct tw_source){tw_merge_add_node(round->merged, statistics(), &source, 1), 0};
        ok = source.node >= 0 && tw_compare_round_add_output(round, source, &number);
    }
    return ok;
}

/* Adds the nodes and output of a measure, after those of the variant's earlier measures. */
static bool add_measure(struct tw_compare_round *round, const struct tw_experiment *e,
                        int32_t variant, int32_t m)
{
    int32_t *record_of = round->record_of + (size_t)variant * (size_t)e->measure_count;
    const struct tw_measure *measure = &e->measures[m];
    struct tw_map_measure map;
    int32_t shared = find_shared(round, e, variant, m);
    record_of[m] = record_of[shared];
    if (shared < m)
        return true;
    const int32_t own = tw_compare_round_output(round, variant, measure->output)->source.node;
    struct tw_source source = tw_compare_round_source(round, variant, measure->output);
    round->needed[variant][own] = true;
    if (is_map(round, measure, variant, &map) &&
        !add_nodes(round, e, variant, measure, &map, &source))
        return false;
    return tw_compare_round_add_output(round, source, &record_of[m]);
}

bool tw_compare_round_measure(struct tw_compare_round *round, const struct tw_experiment *e,
                              int32_t variant)
{
    bool ok = true, all = false;
    for (int32_t m = 0; ok && m < e->measure_count; m++) {
        if (e->measures[m].output)
            ok = add_measure(round, e, variant, m);
        else if (tw_measure_is_seconds(&e->measures[m]) && !all)
            ok = all = add_all_outputs(round, variant);
    }
    tw_graph_mark_sources(round->parts[variant], round->needed[variant]);
    return ok;
}

/* ---- results ---- */

double tw_compare_round_seconds(const struct tw_compare_round *round, int32_t variant,
                                const struct tw_run_summary *report)
{
    double sum = 0;
    for (int32_t i = 0; i < round->parts[variant]->count; i++) {
        int32_t node = round->node_of[variant][i];
        if (round->needed[variant][i] && report->nodes && node < report->node_count &&
            report->nodes[node].outcome != TW_OUTCOME_NOT_NEEDED)
            sum += report->nodes[node].seconds;
    }
    return sum;
}

static bool find_field(const struct tw_value *record, const char *field, double *number)
{
    for (int32_t i = 0; i < record->width; i++)
        if (strcmp(tw_entries(record)[i].name, field) == 0) {
            *number = tw_entries(record)[i].number;
            return true;
        }
    return false;
}

static enum tw_status missing_field(const struct tw_experiment *e, const struct tw_measure *measure,
                                    const char *field, const struct tw_value *record,
                                    struct tw_error *err)
{
    struct tw_suggestion suggestion = {.unknown = field};
    for (int32_t i = 0; i < record->width; i++)
        tw_suggest_offer(&suggestion, tw_entries(record)[i].name);
    tw_error_set(err, TW_RECIPE, "%s: the record '%s' has no field '%s'", measure->name,
                 measure->output, field);
    tw_suggest_to(&suggestion, err);
    return tw_experiment_fault_at(e, measure->place, err);
}

enum tw_status tw_compare_round_value(const struct tw_compare_round *round,
                                      const struct tw_experiment *e, int32_t variant,
                                      int32_t measure, const struct tw_result *result,
                                      double *value, struct tw_error *err)
{
    const struct tw_measure *own = &e->measures[measure];
    const struct tw_value *record = tw_compare_round_record(round, e, variant, measure, result);
    struct tw_map_measure map;
    double mean, deviation;
    bool of_map = is_map(round, own, variant, &map);
    if (of_map && map.kind == TW_MAP_RMS && find_field(record, "mean", &mean) &&
        find_field(record, "deviation", &deviation)) {
        *value = sqrt(mean * mean + deviation * deviation);
        return TW_OK;
    }
    const char *field = of_map ? map.field : own->field;
    return find_field(record, field, value) ? TW_OK : missing_field(e, own, field, record, err);
}
