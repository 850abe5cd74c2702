/* SPDX-License-Identifier: MIT */
#include "gate/within.h"

#include <string.h>

static const struct tw_result_facts *find_output(const struct tw_snapshot *snapshot,
                                                 const char *name)
{
    for (int32_t i = 0; i < snapshot->output_count; i++)
        if (strcmp(snapshot->outputs[i].name, name) == 0)
            return &snapshot->outputs[i];
    return NULL;
}

const struct tw_tolerance *tw_within_find(const struct tw_gate_item *item, const char *output)
{
    const struct tw_result_facts *locked = find_output(item->before, output);
    if (locked && locked->tolerant)
        return &locked->tolerance;
    for (int32_t i = 0; i < item->tolerance_count; i++)
        if (strcmp(item->tolerances[i].output, output) == 0)
            return &item->tolerances[i];
    return NULL;
}

static const struct tw_output *find_source(const struct tw_gate_item *item, const char *output)
{
    const struct tw_output *o = item->recipe->outputs;
    while (o && strcmp(o->name, output) != 0)
        o = o->next;
    return o;
}

const struct tw_pair *tw_within_pair(const struct tw_gate_item *item, const char *output)
{
    const struct tw_output *o = find_source(item, output);
    for (int32_t i = 0; o && i < item->pair_count; i++)
        if (item->pairs[i].after.node == o->source.node &&
            item->pairs[i].after.port == o->source.port)
            return &item->pairs[i];
    return NULL;
}

double tw_within_metres(const struct tw_gate_item *item, const struct tw_pair *pair)
{
    return pair->now.type == TW_HEIGHTMAP ? item->recipe->world.height_m : 1;
}

static bool is_output_within(const struct tw_gate_item *item, const char *name)
{
    const struct tw_tolerance *tolerance = tw_within_find(item, name);
    const struct tw_pair *pair = tolerance ? tw_within_pair(item, name) : NULL;
    return pair && pair->comparable &&
           tw_tolerance_holds(tolerance, &pair->difference, tw_within_metres(item, pair));
}

static bool has_drifted(const struct tw_gate_item *item, const char *output)
{
    for (int32_t i = 0; i < item->drift->result_count; i++)
        if (!item->drift->results[i].is_export && strcmp(item->drift->results[i].name, output) == 0)
            return true;
    return false;
}

/* An export follows where each of its sources is an output that is unchanged or within. */
static bool is_export_within(const struct tw_gate_item *item, const char *name)
{
    const struct tw_export *e = item->recipe->exports;
    while (e && !(tw_export_is_entry(e) && strcmp(e->entry, name) == 0))
        e = e->next;
    for (const struct tw_output *from = e ? e->sources : NULL; from; from = from->next) {
        bool follows = false;
        for (const struct tw_output *o = item->recipe->outputs; o; o = o->next)
            follows |= o->source.node == from->source.node && o->source.port == from->source.port &&
                       (!has_drifted(item, o->name) || is_output_within(item, o->name));
        if (!follows)
            return false;
    }
    return e != NULL;
}

bool tw_within_all(const struct tw_gate_item *item)
{
    const struct tw_drift *drift = item->drift;
    bool any = false;
    for (int32_t i = 0; i < drift->result_count; i++) {
        const struct tw_result_drift *result = &drift->results[i];
        if (!result->before || !result->after)
            return false;
        if (!(result->is_export ? is_export_within(item, result->name)
                                : is_output_within(item, result->name)))
            return false;
        any |= !result->is_export;
    }
    return any;
}

bool tw_within_asks(const struct tw_gate_item *item)
{
    for (int32_t i = 0; i < item->drift->result_count; i++)
        if (!item->drift->results[i].is_export &&
            tw_within_find(item, item->drift->results[i].name))
            return true;
    return false;
}

void tw_within_keep(struct tw_gate_item *item)
{
    for (int32_t i = 0; i < item->after->output_count; i++) {
        struct tw_result_facts *now = &item->after->outputs[i];
        const struct tw_result_facts *locked = find_output(item->before, now->name);
        if (!locked || !locked->tolerant)
            continue;
        now->tolerant = true;
        now->tolerance = locked->tolerance;
    }
}
