/* SPDX-License-Identifier: MIT */
/* Parts are sorted, sources first, so one pass suffices. */
#include "graph/merge.h"

#include "graph/key.h"
#include "node/param.h"
#include "node/world.h"

#include <stdlib.h>
#include <string.h>

/* Returns a text that is equal for equal nodes: their key in the cache, with the origin of inputs
 * in place of digests and the names of files. In the arena; NULL when out of memory. */
static char *identity(struct tw_recipe *merged, const struct tw_node *node, const int32_t *node_of)
{
    struct tw_stamp stamps[TW_INPUTS_MAX];
    const struct tw_stamp *inputs[TW_INPUTS_MAX];
    const struct tw_param *row = tw_node_file_param(node->type);
    struct tw_key_file file = {.layout = ""};
    char hex[2 * sizeof(struct tw_sha256) + 1];
    for (int32_t i = 0; i < node->input_count; i++) {
        inputs[i] = &stamps[i];
        if (node->inputs[i].node < 0)
            continue;
        const int32_t from[] = {node_of[node->inputs[i].node], node->inputs[i].port};
        stamps[i] = (struct tw_stamp){.content = tw_sha256_of(from, sizeof from)};
    }
    if (row) {
        const struct tw_file *from =
            (const struct tw_file *)((const unsigned char *)node->params + row->offset);
        const char *path = tw_arena_print(&merged->arena, "%s\n%s", node->folder, from->name);
        if (!path)
            return NULL;
        file.bytes = tw_sha256_of(path, strlen(path));
    }
    char *text = tw_key_text(merged, node, inputs, row ? &file : NULL);
    if (!text)
        return NULL;
    struct tw_sha256 key = tw_sha256_of(text, strlen(text));
    free(text);
    tw_hex(key.at, sizeof key.at, hex);
    return tw_arena_copy(&merged->arena, hex, sizeof hex - 1);
}

struct tw_recipe *tw_merge_new(const struct tw_recipe *first, int32_t nodes)
{
    struct tw_recipe *merged = calloc(1, sizeof *merged);
    if (!merged)
        return NULL;
    merged->file = first->file;
    merged->about = first->about;
    merged->width = first->width;
    merged->height = first->height;
    merged->seed = first->seed;
    merged->world = first->world;
    merged->borders = first->borders;
    merged->borders_reason = first->borders_reason;
    merged->allow = first->allow;
    merged->nodes = tw_arena_alloc(&merged->arena, (size_t)nodes + 1, sizeof *merged->nodes);
    if (merged->nodes)
        return merged;
    free(merged);
    return NULL;
}

static struct tw_source *rename_inputs(struct tw_recipe *merged, const struct tw_node *node,
                                       const int32_t *node_of)
{
    struct tw_source *inputs =
        tw_arena_alloc(&merged->arena, (size_t)node->input_count + 1, sizeof *inputs);
    for (int32_t i = 0; inputs && i < node->input_count; i++) {
        inputs[i] = node->inputs[i];
        if (inputs[i].node >= 0)
            inputs[i].node = node_of[inputs[i].node];
    }
    return inputs;
}

enum tw_status tw_merge_add(struct tw_recipe *merged, struct tw_names *seen,
                            const struct tw_recipe *part, int32_t *node_of, struct tw_error *err)
{
    for (int32_t i = 0; i < part->count; i++) {
        const struct tw_node *node = &part->nodes[i];
        const char *key = identity(merged, node, node_of);
        struct tw_name *name = key ? tw_names_entry(seen, merged, key) : NULL;
        struct tw_source *inputs =
            name && !name->thing ? rename_inputs(merged, node, node_of) : NULL;
        if (!name || (!name->thing && !inputs))
            return tw_error_set(err, TW_MEMORY, "out of memory");
        if (inputs) {
            struct tw_node *copy = &merged->nodes[merged->count++];
            *copy = *node;
            copy->inputs = inputs;
            name->thing = copy;
        }
        node_of[i] = (int32_t)((const struct tw_node *)name->thing - merged->nodes);
    }
    return TW_OK;
}

/* ---- whole recipes ---- */

bool tw_merge_may_share(const struct tw_recipe *a, const struct tw_recipe *b)
{
    return a->width == b->width && a->height == b->height && tw_world_equal(&a->world, &b->world);
}

static bool add_readings(struct tw_recipe *merged, const struct tw_recipe *part)
{
    for (const struct tw_reading *from = part->readings; from; from = from->next) {
        struct tw_reading *reading = tw_arena_alloc(&merged->arena, 1, sizeof *reading);
        if (!reading)
            return false;
        *reading = (struct tw_reading){from->path, from->node, from->is_link, merged->readings};
        merged->readings = reading;
    }
    return true;
}

static enum tw_status add_part(struct tw_merged *merged, const struct tw_recipe *part,
                               struct tw_error *err)
{
    int32_t *node_of = calloc((size_t)part->count + 1, sizeof *node_of);
    if (!node_of || !add_readings(merged->recipe, part)) {
        free(node_of);
        return tw_error_set(err, TW_MEMORY, "out of memory");
    }
    merged->node_of[merged->count++] = node_of;
    return tw_merge_add(merged->recipe, &merged->seen, part, node_of, err);
}

enum tw_status tw_merge_all(struct tw_merged *merged, struct tw_recipe *const *parts, int32_t count,
                            int32_t spare, struct tw_error *err)
{
    int32_t nodes = spare;
    enum tw_status status = TW_OK;
    for (int32_t p = 0; p < count; p++)
        nodes += parts[p]->count;
    merged->recipe = tw_merge_new(parts[0], nodes);
    merged->node_of = calloc((size_t)count + 1, sizeof *merged->node_of);
    if (!merged->recipe || !merged->node_of)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t p = 0; status == TW_OK && p < count; p++)
        status = add_part(merged, parts[p], err);
    return status;
}

const struct tw_node *tw_merge_find_node(struct tw_recipe *part, const int32_t *node_of, int32_t i)
{
    const bool *needed = tw_graph_needed(part);
    for (int32_t own = 0; needed && own < part->count; own++)
        if (needed[own] && node_of[own] == i)
            return &part->nodes[own];
    return NULL;
}

void tw_merged_release(struct tw_merged *merged)
{
    for (int32_t p = 0; p < merged->count; p++)
        free(merged->node_of[p]);
    free(merged->node_of);
    tw_recipe_release(merged->recipe);
    tw_names_release(&merged->seen);
    *merged = (struct tw_merged){0};
}

int32_t tw_merge_add_node(struct tw_recipe *merged, const struct tw_node_type *type,
                          const struct tw_source *sources, int32_t count)
{
    int32_t edges = tw_node_count_ports(type->inputs);
    struct tw_source *inputs = tw_arena_alloc(&merged->arena, (size_t)edges + 1, sizeof *inputs);
    void *params = tw_arena_alloc(&merged->arena, type->params_size + 1, 1);
    if (!inputs || !params)
        return -1;
    for (int32_t i = 0; i < edges; i++)
        inputs[i] = i < count ? sources[i] : (struct tw_source){-1, 0};
    tw_param_defaults(type->params, params);
    struct tw_node *node = &merged->nodes[merged->count];
    *node = (struct tw_node){.path = "(added)",
                             .type = type,
                             .params = params,
                             .inputs = inputs,
                             .input_count = tw_node_fixed_inputs(type),
                             .folder = ".",
                             .borders = merged->nodes[sources[0].node].borders,
                             .place = merged->nodes[sources[0].node].place};
    return merged->count++;
}

bool tw_merge_add_output(struct tw_recipe *merged, const char *name, struct tw_source source)
{
    struct tw_output *output = tw_arena_alloc(&merged->arena, 1, sizeof *output);
    char *kept = tw_arena_copy(&merged->arena, name, strlen(name));
    if (!output || !kept)
        return false;
    *output = (struct tw_output){kept, source, merged->outputs, 0};
    merged->outputs = output;
    return true;
}
