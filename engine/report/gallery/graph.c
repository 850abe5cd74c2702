/* SPDX-License-Identifier: MIT */
#include "report/gallery/private.h"

#include "base/text/number.h"
#include "graph/merge.h"
#include "node/param.h"
#include "node/registry.h"
#include "study/round.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS = 3 }; /* nodes that draw one map */

/* ---- nodes that draw ---- */

static void set_text(const struct tw_node *node, const char *name, const char *text)
{
    char message[200];
    const struct tw_param *row = tw_param_find(node->type->params, name);
    bool ok = row && tw_param_set(row, node->params, text, message, sizeof message);
    assert(ok); /* rows of built-in nodes */
    (void)ok;
}

static void set(const struct tw_node *node, const char *name, double value)
{
    char text[40];
    tw_number_print_digits(text, sizeof text, 9, value);
    set_text(node, name, text);
}

static bool set_size(const struct tw_node *node, int32_t width)
{
    char text[16], message[200];
    const struct tw_param *row = tw_param_find(node->type->params, "size");
    memset((unsigned char *)node->params + row->offset, 0, sizeof(struct tw_list));
    snprintf(text, sizeof text, "%d", (int)width);
    bool ok = tw_param_append(row, node->params, text, message, sizeof message);
    snprintf(text, sizeof text, "%d", (int)(width * 9 / 16));
    return ok && tw_param_append(row, node->params, text, message, sizeof message);
}

/* Colours heights on one scale for all maps; a mood's would stretch over each map's own range. */
static bool set_ramp(struct tw_recipe *merged, const struct tw_node *node,
                     const struct tw_gallery *g)
{
    static const float colours[][3] = {{94, 118, 86},   {140, 146, 98},  {178, 158, 114},
                                       {158, 134, 116}, {196, 188, 182}, {244, 244, 246}};
    enum { ROWS = sizeof colours / sizeof colours[0], COLUMNS = 4 };
    const struct tw_param *row = tw_param_find(node->type->params, "ramp");
    float *at = tw_arena_alloc(&merged->arena, (size_t)ROWS * COLUMNS, sizeof *at);
    if (!at)
        return false;
    for (int i = 0; i < ROWS; i++) {
        at[i * COLUMNS] = (float)(g->low + (g->high - g->low) * i / (ROWS - 1));
        memcpy(at + i * COLUMNS + 1, colours[i], sizeof colours[i]);
    }
    *(struct tw_table *)((unsigned char *)node->params + row->offset) =
        (struct tw_table){.rows = ROWS, .columns = COLUMNS, .at = at};
    return true;
}

static const struct tw_node *add_node(struct tw_recipe *merged, const char *type,
                                      struct tw_source source)
{
    const struct tw_registry registry = {NULL};
    int32_t node = tw_merge_add_node(merged, tw_registry_find(&registry, type), &source, 1);
    return node < 0 ? NULL : &merged->nodes[node];
}

/* Puts the sea below all maps, so that every block ends at one depth and stays dry. */
static bool add_view(struct tw_recipe *merged, const struct tw_gallery *g, int32_t width,
                     struct tw_source map, const char *name)
{
    static const char *const types[] = {"render.surface", "render.perspective"};
    const struct tw_node *nodes[2];
    double range = g->high - g->low;
    for (int i = 0; i < 2; i++) {
        nodes[i] = add_node(merged, types[i], map);
        if (!nodes[i] || !set_size(nodes[i], width))
            return false;
        set(nodes[i], "exaggeration", g->exaggeration);
        set(nodes[i], "sea", g->low - 0.05 * range);
    }
    set(nodes[0], "bump", 0.25);
    set_text(nodes[0], "ramp_fit", "false");
    set(nodes[1], "distance", 3.75);
    set(nodes[1], "target", g->low - 0.2 * range);
    nodes[1]->inputs[tw_node_find_port(nodes[1]->type->inputs, "surface")] =
        (struct tw_source){(int32_t)(nodes[0] - merged->nodes), 0};
    return set_ramp(merged, nodes[0], g) &&
           tw_merge_add_output(merged, name,
                               (struct tw_source){(int32_t)(nodes[1] - merged->nodes), 0});
}

/* The map is shaded without neighbours: its borders do not wrap. */
static bool add_shade(struct tw_recipe *merged, const struct tw_gallery *g, struct tw_source map,
                      const char *name)
{
    const struct tw_node *node = add_node(merged, "render.hillshade", map);
    if (!node)
        return false;
    set(node, "exaggeration", 0.75 * g->exaggeration);
    set_text(node, "border", "closed");
    return tw_merge_add_output(merged, name,
                               (struct tw_source){(int32_t)(node - merged->nodes), 0});
}

/* ---- the graph ---- */

/* Returns the experiment's picture, or the first output that is a height map; NULL: none. */
static const struct tw_output *find_picture(const struct tw_experiment *e,
                                            const struct tw_recipe *recipe)
{
    const struct tw_output *output = recipe->outputs;
    while (output && (e->picture ? strcmp(output->name, e->picture) != 0
                                 : tw_source_type(recipe, output->source) != TW_HEIGHTMAP))
        output = output->next;
    return output;
}

static bool add_outputs(const struct tw_gallery_run *run, const struct tw_gallery *g, bool looks,
                        struct tw_gallery_graph *graph, int32_t k, struct tw_source map)
{
    struct tw_recipe *merged = graph->merged;
    bool drawn = looks && tw_source_type(merged, map) != TW_IMAGE;
    char name[3][24];
    snprintf(name[0], sizeof name[0], "%d map", (int)k);
    snprintf(name[1], sizeof name[1], "%d view", (int)k);
    snprintf(name[2], sizeof name[2], "%d shade", (int)k);
    if (!tw_merge_add_output(merged, name[0], map))
        return false;
    /* A view needs two cells per side. */
    bool seen = drawn && run->view_width > 0 && merged->width > 1 && merged->height > 1;
    if (seen && !add_view(merged, g, run->view_width, map, name[1]))
        return false;
    return !drawn || (seen && !run->shades) || add_shade(merged, g, map, name[2]);
}

static enum tw_status merge_part(const struct tw_gallery_run *run, const struct tw_gallery *g,
                                 bool looks, struct tw_gallery_graph *graph, struct tw_names *seen,
                                 int32_t k, struct tw_error *err)
{
    const struct tw_recipe *part = graph->parts[k];
    const struct tw_output *picture = find_picture(run->experiment, part);
    int32_t *node_of = calloc((size_t)part->count + 1, sizeof *node_of);
    enum tw_status status =
        node_of ? tw_merge_add(graph->merged, seen, part, node_of, err) : TW_MEMORY;
    if (status == TW_OK && picture) {
        struct tw_source map = {node_of[picture->source.node], picture->source.port};
        status = add_outputs(run, g, looks, graph, k, map) ? TW_OK : TW_MEMORY;
    }
    free(node_of);
    return status == TW_MEMORY ? tw_error_set(err, status, "out of memory") : status;
}

enum tw_status tw_gallery_graph_build(const struct tw_gallery_run *run, const struct tw_gallery *g,
                                      uint64_t seed, bool looks, struct tw_gallery_graph *graph,
                                      struct tw_error *err)
{
    struct tw_names seen = {0};
    enum tw_status status = TW_OK;
    int32_t nodes = 0;
    graph->count = g->variants.count;
    for (int32_t k = 0; status == TW_OK && k < graph->count; k++) {
        status = tw_experiment_recipe(run->experiment, g->variants.at[k], seed, run->load,
                                      &graph->parts[k], err);
        if (status == TW_OK)
            status = tw_compare_check_map(run->experiment->variants[g->variants.at[k]].name,
                                          graph->parts[k], graph->parts[0], err);
        nodes += status == TW_OK ? graph->parts[k]->count + LOOKS : 0;
    }
    if (status == TW_OK) {
        graph->merged = tw_merge_new(graph->parts[0], nodes);
        status = graph->merged ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
    }
    for (int32_t k = 0; graph->merged && status == TW_OK && k < graph->count; k++)
        status = merge_part(run, g, looks, graph, &seen, k, err);
    tw_names_release(&seen);
    return status;
}

void tw_gallery_graph_release(struct tw_gallery_graph *graph)
{
    for (int32_t k = 0; k < graph->count; k++)
        tw_recipe_release(graph->parts[k]);
    tw_recipe_release(graph->merged);
}

const struct tw_value *tw_gallery_output(const struct tw_result *result, int32_t k,
                                         const char *what)
{
    char name[24];
    snprintf(name, sizeof name, "%d %s", (int)k, what);
    return tw_result_output(result, name);
}
