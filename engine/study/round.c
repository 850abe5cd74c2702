/* SPDX-License-Identifier: MIT */
#include "study/round.h"

#include "graph/merge.h"
#include "node/world.h"
#include "runner/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tw_compare_round_release(struct tw_compare_round *round, int32_t variants)
{
    for (int32_t v = 0; v < variants; v++) {
        tw_recipe_release(round->parts ? round->parts[v] : NULL);
        free(round->node_of ? round->node_of[v] : NULL);
        free(round->needed ? round->needed[v] : NULL);
    }
    free(round->parts);
    free(round->node_of);
    free(round->needed);
    free(round->record_of);
    tw_recipe_release(round->merged);
    tw_names_release(&round->seen);
}

const struct tw_output *tw_compare_round_output(const struct tw_compare_round *round,
                                                int32_t variant, const char *name)
{
    const struct tw_output *output = round->parts[variant]->outputs;
    while (output && strcmp(output->name, name) != 0)
        output = output->next;
    return output;
}

static struct tw_source remap(struct tw_source source, const int32_t *node_of)
{
    return (struct tw_source){node_of[source.node], source.port};
}

struct tw_source tw_compare_round_source(const struct tw_compare_round *round, int32_t variant,
                                         const char *output)
{
    return remap(tw_compare_round_output(round, variant, output)->source, round->node_of[variant]);
}

/* Names outputs by numbers; they are found without a search. */
bool tw_compare_round_add_output(struct tw_compare_round *round, struct tw_source source,
                                 int32_t *number)
{
    char name[16];
    *number = round->output_count++;
    snprintf(name, sizeof name, "%d", (int)*number);
    return tw_merge_add_output(round->merged, name, source);
}

enum tw_status tw_compare_check_map(const char *name, const struct tw_recipe *part,
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

static enum tw_status load_part(struct tw_compare_round *round, const struct tw_experiment *e,
                                const struct tw_load_options *load, uint64_t seed, int32_t variant,
                                struct tw_error *err)
{
    struct tw_recipe **part = &round->parts[variant];
    enum tw_status status = tw_experiment_recipe(e, variant, seed, load, part, err);
    if (status == TW_OK)
        status = tw_compare_check_map(e->variants[variant].name, *part, round->parts[0], err);
    if (status != TW_OK)
        return status;
    round->node_of[variant] = calloc((size_t)(*part)->count + 1, sizeof(int32_t));
    round->needed[variant] = calloc((size_t)(*part)->count + 1, sizeof(bool));
    return round->node_of[variant] && round->needed[variant]
               ? TW_OK
               : tw_error_set(err, TW_MEMORY, "out of memory");
}

/* Most nodes that measuring adds to a variant. */
static int32_t measuring_nodes(const struct tw_recipe *part, int32_t measures)
{
    int32_t outputs = 0; /* `seconds` may add a node for each */
    for (const struct tw_output *output = part->outputs; output; output = output->next)
        outputs++;
    return TW_MEASURE_NODES * measures + outputs;
}

/* Merges all variants first, since some measures need the baseline's map. */
static enum tw_status merge_parts(struct tw_compare_round *round, const struct tw_experiment *e,
                                  struct tw_error *err)
{
    int32_t nodes = 0;
    enum tw_status status = TW_OK;
    for (int32_t v = 0; v < e->run_count; v++)
        nodes += round->parts[v]->count + measuring_nodes(round->parts[v], e->measure_count);
    round->merged = tw_merge_new(round->parts[0], nodes);
    bool ok = round->merged != NULL;
    for (int32_t v = 0; ok && status == TW_OK && v < e->run_count; v++)
        status = tw_merge_add(round->merged, &round->seen, round->parts[v], round->node_of[v], err);
    for (int32_t v = 0; ok && status == TW_OK && v < e->run_count; v++)
        ok = tw_compare_round_measure(round, e, v);
    return ok ? status : tw_error_set(err, TW_MEMORY, "out of memory");
}

enum tw_status tw_compare_round_build(const struct tw_experiment *e,
                                      const struct tw_load_options *load, uint64_t seed,
                                      struct tw_compare_round *round, struct tw_error *err)
{
    size_t variants = (size_t)e->run_count;
    round->parts = calloc(variants, sizeof(struct tw_recipe *));
    round->node_of = calloc(variants, sizeof(int32_t *));
    round->needed = calloc(variants, sizeof(bool *));
    round->record_of = calloc(variants * (size_t)e->measure_count, sizeof *round->record_of);
    if (!round->parts || !round->node_of || !round->needed || !round->record_of)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t v = 0; v < e->run_count; v++) {
        enum tw_status status = load_part(round, e, load, seed, v, err);
        if (status != TW_OK)
            return status;
    }
    return merge_parts(round, e, err);
}

/* Outputs are prepended, so numbers count from the end. */
static const struct tw_value *value_of(const struct tw_compare_round *round, int32_t number,
                                       const struct tw_result *result)
{
    return &result->kept[round->output_count - 1 - number].value;
}

const struct tw_value *tw_compare_round_record(const struct tw_compare_round *round,
                                               const struct tw_experiment *e, int32_t variant,
                                               int32_t measure, const struct tw_result *result)
{
    size_t cell = (size_t)variant * (size_t)e->measure_count + (size_t)measure;
    return value_of(round, round->record_of[cell], result);
}
