/* SPDX-License-Identifier: MIT */
#include "cli/compare_round.h"

#include "graph/merge.h"
#include "node/registry.h"
#include "node/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tw_compare_round_release(struct tw_compare_round *round, int32_t variants)
{
    for (int32_t v = 0; v < variants; v++) {
        tw_recipe_release(round->parts ? round->parts[v] : NULL);
        free(round->node_of ? round->node_of[v] : NULL);
    }
    free(round->parts);
    free(round->node_of);
    tw_recipe_release(round->merged);
    tw_names_release(&round->seen);
}

static const struct tw_output *find_output(const struct tw_recipe *recipe, const char *name)
{
    const struct tw_output *output = recipe->outputs;
    while (output && strcmp(output->name, name) != 0)
        output = output->next;
    return output;
}

/* The experiment's picture, or the first output that is a height map. */
static const struct tw_output *find_picture(const struct tw_experiment *e,
                                            const struct tw_recipe *recipe)
{
    const struct tw_output *output = recipe->outputs;
    if (e->picture)
        output = find_output(recipe, e->picture);
    else
        while (output && tw_source_type(recipe, output->source) != TW_HEIGHTMAP)
            output = output->next;
    return output;
}

static struct tw_source remap(struct tw_source source, const int32_t *node_of)
{
    return (struct tw_source){node_of[source.node], source.port};
}

static bool add_outputs(struct tw_compare_round *round, const struct tw_experiment *e,
                        int32_t variant, bool picture)
{
    const struct tw_recipe *part = round->parts[variant];
    const int32_t *node_of = round->node_of[variant];
    char name[32];
    bool ok = true;
    for (int32_t m = 0; ok && m < e->measure_count; m++) {
        snprintf(name, sizeof name, "%d.%d", (int)variant, (int)m);
        const struct tw_output *output = find_output(part, e->measures[m].output);
        ok = tw_merge_add_output(round->merged, name, remap(output->source, node_of));
    }
    const struct tw_output *shown = picture ? find_picture(e, part) : NULL;
    if (ok && shown) {
        const struct tw_registry registry = {NULL};
        struct tw_source source = remap(shown->source, node_of);
        if (tw_source_type(round->merged, source) != TW_IMAGE) {
            const struct tw_node_type *view = tw_registry_find(&registry, "render.hillshade");
            int32_t node = tw_merge_add_view(round->merged, view, source);
            ok = node >= 0;
            source = (struct tw_source){node, 0};
        }
        snprintf(name, sizeof name, "%d", (int)variant);
        ok = ok && tw_merge_add_output(round->merged, name, source);
    }
    return ok;
}

/* All variants are one graph, which has one size and one world. */
static enum tw_status check_map(const char *name, const struct tw_recipe *part,
                                const struct tw_recipe *first, struct tw_error *err)
{
    if (part->width != first->width || part->height != first->height)
        return tw_error_set(err, TW_RECIPE,
                            "variants have different sizes: set size: in the experiment");
    if (tw_world_equal(&part->world, &first->world))
        return TW_OK;
    return tw_error_set(err, TW_RECIPE,
                        "variant %s: its recipe's world: differs from the first variant's", name);
}

enum tw_status tw_compare_round_build(const struct tw_experiment *e,
                                      const struct tw_load_options *load, uint64_t seed,
                                      bool pictures, struct tw_compare_round *round,
                                      struct tw_error *err)
{
    size_t variants = (size_t)e->variant_count;
    int32_t nodes = 0;
    round->parts = calloc(variants, sizeof(struct tw_recipe *));
    round->node_of = calloc(variants, sizeof(int32_t *));
    enum tw_status status = round->parts && round->node_of ? TW_OK : TW_MEMORY;
    for (int32_t v = 0; status == TW_OK && v < e->variant_count; v++) {
        status = tw_experiment_recipe(e, v, seed, load, &round->parts[v], err);
        if (status != TW_OK)
            return status;
        const struct tw_recipe *part = round->parts[v];
        nodes += part->count + 1; /* one more for a view */
        round->node_of[v] = calloc((size_t)part->count + 1, sizeof(int32_t));
        status = check_map(e->variants[v].name, part, round->parts[0], err);
        if (status != TW_OK)
            return status;
        status = round->node_of[v] ? TW_OK : TW_MEMORY;
    }
    if (status == TW_OK)
        round->merged = tw_merge_new(round->parts[0], nodes);
    for (int32_t v = 0; round->merged && status == TW_OK && v < e->variant_count; v++) {
        status = tw_merge_add(round->merged, &round->seen, round->parts[v], round->node_of[v], err);
        if (status == TW_OK && !add_outputs(round, e, v, pictures))
            status = TW_MEMORY;
    }
    if (status == TW_OK && round->merged)
        return TW_OK;
    tw_error_set(err, TW_MEMORY, "out of memory");
    return TW_MEMORY;
}
