/* SPDX-License-Identifier: MIT */
#include "gate/item.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *lock_file_of(const char *file)
{
    size_t size = strlen(file) + sizeof ".lock";
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s.lock", file);
    return path;
}

struct tw_gate_item *tw_gate_items_create(char **operands, int32_t count)
{
    struct tw_gate_item *items = calloc((size_t)count + 1, sizeof *items);
    bool ok = items != NULL;
    for (int32_t i = 0; ok && i < count; i++) {
        items[i].file = operands[i];
        items[i].lock_file = lock_file_of(operands[i]);
        ok = items[i].lock_file != NULL;
    }
    if (!ok && items)
        tw_gate_release(items, count);
    return ok ? items : NULL;
}

const char *const tw_gate_verdict_names[] = {NULL,      "same",   "differs",
                                             "no lock", "failed", "within"};

void tw_gate_fail(struct tw_gate_item *item, enum tw_gate_verdict verdict, int code,
                  const struct tw_error *fault)
{
    if (item->code == 0) {
        item->verdict = verdict;
        item->fault = *fault;
        item->fault.status = fault->status == TW_OK ? TW_RECIPE : fault->status;
    }
    item->code = code > item->code ? code : item->code;
}

int tw_gate_worst(const struct tw_gate_item *items, int32_t count)
{
    int worst = 0;
    for (int32_t i = 0; i < count; i++)
        worst = items[i].code > worst ? items[i].code : worst;
    return worst;
}

enum tw_status tw_gate_guard(const struct tw_gate_item *items, int32_t count,
                             struct tw_overwrite_guard *guard, struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (int32_t i = 0; status == TW_OK && i < count; i++)
        if (items[i].recipe)
            status = tw_overwrite_guard_add_readings(guard, items[i].recipe, err);
    return status;
}

/* ---- maps ---- */

static void cannot_compare(struct tw_gate_item *item, const char *reason)
{
    free(item->no_pairs);
    item->no_pairs = strdup(reason);
}

static bool add_pair(struct tw_gate_item *item, const struct tw_recipe *before, const char *name,
                     struct tw_source now, bool is_new)
{
    const struct tw_node *node = &item->recipe->nodes[now.node];
    struct tw_source old;
    if (!tw_pairs_find_source(before, node->path, node->type->outputs[now.port].name, &old))
        return false;
    for (int32_t i = 0; i < item->pair_count; i++)
        if (item->pairs[i].after.node == now.node && item->pairs[i].after.port == now.port)
            return false;
    item->pairs[item->pair_count++] =
        (struct tw_pair){.name = name, .before = old, .after = now, .is_new = is_new};
    return true;
}

/* The outputs' maps and, unless it is one of them, the first node's, where both states have them.
 */
static void list_pairs(struct tw_gate_item *item, const struct tw_recipe *before)
{
    const struct tw_drift *drift = item->drift;
    struct tw_source source;
    for (int32_t i = 0; i < drift->result_count; i++)
        for (const struct tw_output *o = item->recipe->outputs; o; o = o->next)
            if (!drift->results[i].is_export && strcmp(o->name, drift->results[i].name) == 0)
                add_pair(item, before, o->name, o->source, !drift->results[i].before);
    if (drift->first >= 0 && drift->nodes[drift->first].port) {
        const struct tw_node_drift *first = &drift->nodes[drift->first];
        if (tw_pairs_find_source(item->recipe, first->after->path, first->port, &source))
            add_pair(item, before, first->after->path, source, false);
    }
}

void tw_gate_find_pairs(struct tw_gate_item *item, const struct tw_recipe *before,
                        const struct tw_run_options *options)
{
    struct tw_error error = {.status = TW_OK};
    item->pairs = calloc((size_t)item->drift->result_count + 2, sizeof *item->pairs);
    if (!item->pairs)
        return;
    list_pairs(item, before);
    if (before->width != item->recipe->width || before->height != item->recipe->height)
        cannot_compare(item, "the sizes differ");
    else if (tw_pairs_run(before, item->recipe, options, item->pairs, item->pair_count, &error) !=
             TW_OK)
        cannot_compare(item, error.message);
    if (item->no_pairs)
        item->pair_count = 0;
}

void tw_gate_release(struct tw_gate_item *items, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        tw_pairs_release(items[i].pairs, items[i].pair_count);
        free(items[i].pairs);
        free(items[i].no_pairs);
        tw_drift_release(items[i].drift);
        tw_snapshot_release(items[i].before);
        tw_snapshot_release(items[i].after);
        tw_recipe_release(items[i].recipe);
        free(items[i].lock_file);
    }
    free(items);
}
