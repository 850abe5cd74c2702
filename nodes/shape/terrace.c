/* SPDX-License-Identifier: MIT */
/* Terraces: within each level a height follows the bias curve of Schlick 1994, "Fast alternatives
 * to Perlin's bias and gain functions", equation 2: flat at first and steep at the end. */
#include "shape/kernels/ports.h"

#include <thalweg/kernel.h>
#include <thalweg/pointwise.h>

struct params {
    int32_t levels;
    float sharpness;
    float low, high;
};

static const struct tw_param params[] = {
    TW_PARAM_I32(struct params, levels, 8, 1, 10000, "levels", "terraces between low and high",
                 TW_USUAL(2, 32)),
    TW_PARAM_F32(struct params, sharpness, 0.8, 0, 1, TW_UNIT_SHARE,
                 "0 leaves the map as it is, 1 makes steps"),
    TW_PARAM_F32(struct params, low, 0, -1e9, 1e9, TW_UNIT_HEIGHT, "foot of the lowest terrace",
                 TW_USUAL(-1, 1)),
    TW_PARAM_F32(struct params, high, 1, -1e9, 1e9, TW_UNIT_HEIGHT, "top of the highest terrace",
                 TW_USUAL(0, 2)),
    TW_PARAM_END,
};

enum { IN, MASK, WARP };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the map"},
    TW_STRENGTH_PORT,
    {"warp", TW_HEIGHTMAP, TW_OPTIONAL, "heights by which terraces lie lower there"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the terraced map"},
    TW_PORT_END,
};

/* Schlick's bias f b / ((1 - 2b) (1 - f) + b) with b = (1 - s) / 2; 0 to 0 and, below s = 1, 1 to
 * 1. The fraction is in 0..1, 1 excluded, so the divisor is above 0. */
static TW_INLINE float bias(float s, float f)
{
    float b = 0.5f * (1.0f - s);
    return f * b / (s * (1.0f - f) + b);
}

/* How far a height is moved. */
static TW_INLINE float move(const struct params *p, float v)
{
    float level = (p->high - p->low) / (float)p->levels;
    float t = tw_clamp((v - p->low) / level, 0, (float)p->levels);
    float fraction = t - (float)(int32_t)t;
    return (bias(p->sharpness, fraction) - fraction) * level;
}

static TW_INLINE float step(const struct params *p, float v) { return v + move(p, v); }
TW_POINTWISE_KERNEL(step, maps->context, a[i])

static TW_INLINE float warped_step(const struct params *p, float v, float warp)
{
    return v + move(p, v + warp);
}
TW_POINTWISE_KERNEL(warped_step, maps->context, a[i], c[i])

static enum tw_status run(struct tw_task *task)
{
    enum tw_simd simd = tw_task_simd(task);
    bool warped = tw_task_input(task, WARP) != NULL;
    return tw_pointwise_run_masked(task, tw_task_params(task),
                                   warped ? warped_step_cells(simd) : step_cells(simd),
                                   tw_task_input(task, MASK));
}

static struct tw_rule check(const void *at)
{
    return TW_RULE_BELOW((const struct params *)at, low, high);
}

extern const struct tw_node_type tw_node_shape_terrace;
const struct tw_node_type tw_node_shape_terrace = {
    .name = "shape.terrace",
    .version = 1,
    .summary = "terraces of equal height",
    .keywords = "steps, strata, layers, canyon, mesa, ledges, rice fields, cliffs",
    .elsewhere =
        "Terraces (Gaea), Stratify (Gaea), Canyon (Gaea), Terrace (World Machine), HeightField "
        "Terrace (Houdini), StratifyMultiscale (Hesiod)",
    .detail =
        "Cuts terraces of equal height, for mesas and rice fields. Choose shape.curve for steps "
        "of your own.\n"
        "With f the fraction of t and b = (1 - sharpness) / 2:\n"
        "    t = levels (v - low) / (high - low);\n"
        "    f becomes f b / ((1 - 2 b) (1 - f) + b).\n"
        "Heights outside low..high do not change.\n"
        "With warp w a height changes as v + w would. Some noise there keeps terraces from "
        "looking like contour lines.",
    .cite = "schlick1994",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "terraces: {type: shape.terrace, in: noise, levels: 6, sharpness: 0.9}",
    .in_place = true,
    .reach = TW_REACH_CELL,
    .check = check,
    .run = run,
};
