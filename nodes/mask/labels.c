/* SPDX-License-Identifier: MIT */
/* Regions, biomes or landforms as a mask: the cells whose label is in a set. */
#include "common/biome.h"
#include "common/landform.h"

#include <thalweg/simd.h>

struct params {
    struct tw_list labels;
    struct tw_labels biomes, landforms;
};

static const struct tw_param params[] = {
    TW_PARAM_LIST(struct params, labels, "", 0, 16777216, "label", "labels by their number",
                  TW_USUAL(0, 32)),
    TW_PARAM_LABELS(struct params, biomes, "", TW_BIOME_NAMES, "of island.raster.biome"),
    TW_PARAM_LABELS(struct params, landforms, "", TW_LANDFORM_NAMES, "of measure.landforms"),
    TW_PARAM_END,
};

enum { IN };
static const struct tw_port inputs[] = {
    {"in", TW_LABELS, 0, "the labels"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "1 where the label is in the set, 0 elsewhere"},
    TW_PORT_END,
};

enum { SET_MAX = 48 };

struct map {
    const int32_t *in;
    float *out;
    size_t width;
    int32_t set[SET_MAX], count;
    enum tw_simd simd;
};

static TW_INLINE void select_body(const struct map *map, size_t begin, size_t end)
{
    const int32_t *restrict in = map->in;
    float *restrict out = map->out;
    for (size_t i = begin; i < end; i++)
        out[i] = 0;
    for (int32_t k = 0; k < map->count; k++) {
        int32_t label = map->set[k];
        for (size_t i = begin; i < end; i++)
            out[i] = in[i] == label ? 1.0f : out[i];
    }
}
TW_SIMD_KERNEL(select, (const struct map *map, size_t begin, size_t end), (map, begin, end))

static void select_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    for (int32_t y = begin; y < end; y++) /* a row stays in the cache */
        select(map->simd)(map, (size_t)y * map->width, ((size_t)y + 1) * map->width);
}

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    if (p->labels.count + p->biomes.count + p->landforms.count == 0)
        return TW_RULE("labels", "at least one of labels, biomes and landforms");
    for (int32_t i = 0; i < p->labels.count; i++)
        if ((float)(int32_t)p->labels.at[i] != p->labels.at[i])
            return TW_RULE("labels", "whole numbers");
    return TW_RULES_HOLD;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct map map = {.in = tw_labels(tw_task_input(task, IN)),
                      .out = tw_floats(tw_task_output(task, OUT)),
                      .width = (size_t)tw_task_width(task),
                      .simd = tw_task_simd(task)};
    for (int32_t i = 0; i < p->labels.count; i++)
        map.set[map.count++] = (int32_t)p->labels.at[i];
    for (int32_t i = 0; i < p->biomes.count; i++)
        map.set[map.count++] = p->biomes.at[i];
    for (int32_t i = 0; i < p->landforms.count; i++)
        map.set[map.count++] = p->landforms.at[i] + TW_LANDFORM_FIRST;
    tw_rows(task, tw_task_height(task), 32, select_rows, &map);
    return TW_OK;
}

extern const struct tw_node_type tw_node_mask_labels;
const struct tw_node_type tw_node_mask_labels = {
    .name = "mask.labels",
    .version = 1,
    .summary = "select regions, biomes or landforms by a set of labels",
    .keywords = "select by class, region, biome, category, reclassify, zone",
    .elsewhere = "r.reclass (GRASS)",
    .detail =
        "Selects regions, biomes or landforms by their labels.\n"
        "out is 1 where the label of a cell is one of those given, by number or by name. Names "
        "mean the numbers that island.raster and measure.landforms write; they mean nothing for "
        "labels of other nodes.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "land: {type: erosion.stream_power, in: noise, steps: 30}\n"
               "forms: {type: measure.landforms, in: land}\n"
               "crests: {type: mask.labels, in: forms, landforms: [peak, ridge, spur]}",
    .reach = TW_REACH_CELL,
    .check = check,
    .run = run,
};
