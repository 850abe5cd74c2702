/* SPDX-License-Identifier: MIT */
/* Answers with locks and differences as JSON; docs/gate.md describes the formats. */
#include "base/text/json.h"
#include "cli/commands/gate.h"
#include "console/answer.h"

static json_t *text(const char *value) { return value ? tw_json_text(value) : json_null(); }

static json_t *changes_json(const struct tw_change *changes, int32_t count)
{
    json_t *list = json_array();
    for (int32_t i = 0; i < count; i++)
        json_array_append_new(list,
                              json_pack("{s:o, s:o, s:o}", "name", text(changes[i].name), "before",
                                        text(changes[i].before), "after", text(changes[i].after)));
    return list;
}

static json_t *node_json(const struct tw_node_drift *node)
{
    const struct tw_snapshot_node *known = node->after ? node->after : node->before;
    return json_pack("{s:o, s:o, s:s, s:o, s:o}", "path", text(known->path), "type",
                     text(tw_facts_find(&known->causes, "type")), "state",
                     tw_drift_names[node->kind], "differs", json_boolean(node->port != NULL),
                     "causes", changes_json(node->causes, node->cause_count));
}

static json_t *fields_json(const struct tw_pair *pair)
{
    json_t *list = json_array();
    const char *name;
    double old, now;
    for (int32_t i = 0; pair->now.type == TW_RECORD && i < pair->now.width; i++)
        if (tw_pairs_field(pair, i, &name, &old, &now))
            json_array_append_new(list, json_pack("{s:o, s:f, s:f}", "name", text(name), "before",
                                                  old, "after", now));
    return list;
}

static void add_difference(json_t *object, const struct tw_map_difference *d)
{
    json_object_update_new(object,
                           json_pack("{s:I, s:I, s:f, s:f, s:f, s:f, s:[i, i]}", "cells",
                                     (json_int_t)d->cells, "differing", (json_int_t)d->differing,
                                     "mean", d->mean, "max", d->greatest, "rms", d->rms, "percent",
                                     d->percent, "at", (int)d->x, (int)d->y));
}

static json_t *pair_json(const struct tw_pair *pair)
{
    if (!pair->comparable)
        return json_pack("{s:o, s:b, s:o}", "name", text(pair->name), "comparable", 0, "fields",
                         fields_json(pair));
    json_t *object = json_pack("{s:o, s:b}", "name", text(pair->name), "comparable", 1);
    if (object)
        add_difference(object, &pair->difference);
    return object;
}

static json_t *result_json(const struct tw_result_drift *result)
{
    return json_pack("{s:o, s:s, s:o, s:o}", "name", text(result->name), "kind",
                     result->is_export ? "export" : "output", "before",
                     text(result->before ? result->before->sha256 : NULL), "after",
                     text(result->after ? result->after->sha256 : NULL));
}

static void add_drift(json_t *object, const struct tw_gate_item *item)
{
    const struct tw_drift *drift = item->drift;
    json_t *nodes = json_array(), *results = json_array(), *maps = json_array();
    for (int32_t i = 0; i < drift->node_count; i++)
        json_array_append_new(nodes, node_json(&drift->nodes[i]));
    for (int32_t i = 0; i < drift->result_count; i++)
        json_array_append_new(results, result_json(&drift->results[i]));
    for (int32_t i = 0; i < item->pair_count; i++)
        json_array_append_new(maps, pair_json(&item->pairs[i]));
    json_object_set_new(object, "verdict",
                        json_string(tw_drift_matters(drift) ? "differs" : "same"));
    json_object_set_new(object, "first",
                        drift->first < 0 ? json_null() : node_json(&drift->nodes[drift->first]));
    json_object_set_new(object, "world", changes_json(drift->world, drift->world_count));
    json_object_set_new(object, "nodes", nodes);
    json_object_set_new(object, "results", results);
    json_object_set_new(object, "maps", maps);
    json_object_set_new(object, "no_maps", text(item->no_pairs));
}

void tw_gate_json(const struct tw_gate_item *items, int32_t count, int32_t computed,
                  const char *page)
{
    json_t *recipes = json_array();
    for (int32_t i = 0; i < count; i++) {
        json_t *object =
            json_pack("{s:o, s:o, s:b, s:i, s:i}", "recipe", text(items[i].file), "lock",
                      text(items[i].lock_file), "written", (int)items[i].written, "outputs",
                      items[i].after ? (int)items[i].after->output_count : 0, "exports",
                      items[i].after ? (int)items[i].after->export_count : 0);
        if (items[i].drift)
            add_drift(object, &items[i]);
        else if (items[i].verdict != TW_GATE_OPEN)
            json_object_set_new(object, "verdict",
                                json_string(tw_gate_verdict_names[items[i].verdict]));
        json_array_append_new(recipes, object);
    }
    tw_answer_set(json_pack("{s:i, s:o, s:o}", "computed", (int)computed, "page", text(page),
                            "recipes", recipes));
}

void tw_gate_json_maps(char **files, const struct tw_map_difference *d, bool equal)
{
    json_t *root =
        json_pack("{s:s, s:o, s:o, s:s}", "format", "thalweg.map-diff/1", "a", text(files[0]), "b",
                  text(files[1]), "verdict", equal ? "same" : "differs");
    if (root)
        add_difference(root, d);
    tw_answer_set(root);
}
