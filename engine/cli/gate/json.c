/* SPDX-License-Identifier: MIT */
/* Answers with locks and differences as JSON; docs/gate.md describes the formats. */
#include "base/text/json.h"
#include "cli/gate/gate.h"
#include "console/answer.h"
#include "console/documents.h"

static json_t *changes_json(const struct tw_change *changes, int32_t count)
{
    json_t *list = json_array();
    for (int32_t i = 0; i < count; i++)
        json_array_append_new(list,
                              TW_DOCUMENT(cause, .name = changes[i].name,
                                          .before = changes[i].before, .after = changes[i].after));
    return list;
}

static json_t *node_json(const struct tw_node_drift *node)
{
    const struct tw_snapshot_node *known = node->after ? node->after : node->before;
    return TW_DOCUMENT(gate_node, .path = known->path,
                       .type = tw_facts_find(&known->causes, "type"),
                       .state = tw_drift_names[node->kind], .differs = node->port != NULL,
                       .causes = changes_json(node->causes, node->cause_count));
}

static json_t *fields_json(const struct tw_pair *pair)
{
    json_t *list = json_array();
    const char *name;
    double old, now;
    for (int32_t i = 0; pair->now.type == TW_RECORD && i < pair->now.width; i++)
        if (tw_pairs_field(pair, i, &name, &old, &now))
            json_array_append_new(
                list, TW_DOCUMENT(record_field, .name = name, .before = old, .after = now));
    return list;
}

static json_t *pair_json(const struct tw_pair *pair)
{
    const struct tw_map_difference *d = &pair->difference;
    if (!pair->comparable)
        return TW_DOCUMENT(gate_map, .name = pair->name, .comparable = false,
                           .fields = fields_json(pair));
    return TW_DOCUMENT(gate_map, .name = pair->name, .comparable = true,
                       .cells = json_integer((json_int_t)d->cells),
                       .differing = json_integer((json_int_t)d->differing),
                       .mean = json_real(d->mean), .max = json_real(d->greatest),
                       .rms = json_real(d->rms), .percent = json_real(d->percent),
                       .at = tw_document_size(d->x, d->y));
}

static json_t *result_json(const struct tw_result_drift *result)
{
    return TW_DOCUMENT(gate_result, .name = result->name,
                       .kind = result->is_export ? "export" : "output",
                       .before = result->before ? result->before->sha256 : NULL,
                       .after = result->after ? result->after->sha256 : NULL);
}

static void add_drift(struct tw_gate_recipe_fields *fields, const struct tw_gate_item *item)
{
    const struct tw_drift *drift = item->drift;
    json_t *nodes = json_array(), *results = json_array(), *maps = json_array();
    for (int32_t i = 0; i < drift->node_count; i++)
        json_array_append_new(nodes, node_json(&drift->nodes[i]));
    for (int32_t i = 0; i < drift->result_count; i++)
        json_array_append_new(results, result_json(&drift->results[i]));
    for (int32_t i = 0; i < item->pair_count; i++)
        json_array_append_new(maps, pair_json(&item->pairs[i]));
    fields->verdict = item->verdict == TW_GATE_WITHIN ? "within"
                      : tw_drift_matters(drift)       ? "differs"
                                                      : "same";
    fields->first = drift->first < 0 ? json_null() : node_json(&drift->nodes[drift->first]);
    fields->world = changes_json(drift->world, drift->world_count);
    fields->nodes = nodes;
    fields->results = results;
    fields->maps = maps;
    fields->no_maps = tw_document_text(item->no_pairs);
}

void tw_gate_json(const struct tw_gate_item *items, int32_t count, int32_t computed,
                  const char *page)
{
    json_t *recipes = json_array();
    for (int32_t i = 0; i < count; i++) {
        struct tw_gate_recipe_fields fields = {
            .recipe = items[i].file,
            .lock = items[i].lock_file,
            .written = items[i].written,
            .outputs = items[i].after ? items[i].after->output_count : 0,
            .exports = items[i].after ? items[i].after->export_count : 0};
        if (items[i].drift)
            add_drift(&fields, &items[i]);
        else if (items[i].verdict != TW_GATE_OPEN)
            fields.verdict = tw_gate_verdict_names[items[i].verdict];
        json_array_append_new(recipes, tw_document_object(tw_gate_recipe_fields, &fields));
    }
    tw_answer_set(TW_DOCUMENT(gate, .computed = computed, .page = page, .recipes = recipes));
}

void tw_gate_json_maps(char **files, const struct tw_map_difference *d, bool equal)
{
    json_t *root =
        TW_DOCUMENT(map_diff, .a = files[0], .b = files[1], .verdict = equal ? "same" : "differs",
                    .cells = (int64_t)d->cells, .differing = (int64_t)d->differing, .mean = d->mean,
                    .max = d->greatest, .rms = d->rms, .percent = d->percent,
                    .at = tw_document_size(d->x, d->y));
    if (root) /* instead of that of `diff`, which compares recipes */
        json_object_set_new(root, "format", json_string("thalweg.map-diff/1"));
    tw_answer_set(root);
}
