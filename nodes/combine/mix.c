/* SPDX-License-Identifier: MIT */
/* Weighted mean of two maps: out = (1 - weight) a + weight b. */
#include <thalweg/node.h>

struct params {
    float weight;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, weight, 0.5, 0, 1, TW_UNIT_SHARE, "share of b"),
    TW_PARAM_END,
};

enum { A, B };
static const struct tw_port inputs[] = {
    {"a", TW_HEIGHTMAP, 0, "what weight 0 gives"},
    {"b", TW_HEIGHTMAP, 0, "what weight 1 gives"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the mean"},
    TW_PORT_END,
};

struct rows {
    const float *a, *b;
    float *out;
    int32_t width;
    float weight;
};

static void mix_rows(void *context, int32_t begin, int32_t end)
{
    const struct rows *rows = context;
    size_t from = (size_t)begin * (size_t)rows->width, to = (size_t)end * (size_t)rows->width;
    for (size_t i = from; i < to; i++)
        rows->out[i] = (1.0f - rows->weight) * rows->a[i] + rows->weight * rows->b[i];
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct rows rows = {tw_floats(tw_task_input(task, A)), tw_floats(tw_task_input(task, B)),
                        tw_floats(tw_task_output(task, OUT)), tw_task_width(task), p->weight};
    tw_rows(task, tw_task_height(task), 64, mix_rows, &rows);
    return TW_OK;
}

extern const struct tw_node_type tw_node_combine_mix;
const struct tw_node_type tw_node_combine_mix = {
    .name = "combine.mix",
    .version = 1,
    .summary = "weighted mean of two maps",
    .detail = "out = (1 - weight) a + weight b, cell by cell.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.perlin}\n"
               "cells: {type: voronoi.cells}\n"
               "mixed: {type: combine.mix, a: noise, b: cells, weight: 0.33}",
    .in_place = true,
    .run = run,
};
