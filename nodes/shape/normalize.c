/* SPDX-License-Identifier: MIT */
/* A map stretched so that its lowest and highest cell reach given heights. */
#include "shape/kernels/ports.h"

#include <thalweg/rescale.h>

struct params {
    float low, high;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, low, 0, -1e9, 1e9, TW_UNIT_HEIGHT, "what the lowest cell becomes",
                 TW_USUAL(-1, 1)),
    TW_PARAM_F32(struct params, high, 1, -1e9, 1e9, TW_UNIT_HEIGHT,
                 "what the highest cell becomes; below low turns the map over", TW_USUAL(0, 2)),
    TW_PARAM_END,
};

TW_SHAPE_PORTS(TW_KEEPS_TYPE, "the stretched map");

struct stretch {
    struct tw_span from, to;
    float width; /* of `from` */
};

static TW_INLINE float stretch(const struct stretch *s, float v)
{
    float t = (v - s->from.low) / s->width;
    return s->to.low * (1.0f - t) + s->to.high * t;
}
TW_POINTWISE_KERNEL(stretch, maps->context, a[i])

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct stretch s = {.to = {p->low, p->high}, .width = 1};
    enum tw_status status = tw_span_find(task, tw_floats(tw_task_input(task, TW_SHAPE_IN)),
                                         tw_task_width(task), tw_task_height(task), &s.from);
    if (status != TW_OK)
        return status;
    if (s.from.high > s.from.low)
        s.width = s.from.high - s.from.low;
    return tw_pointwise_run_masked(task, &s, stretch_cells(tw_task_simd(task)),
                                   tw_task_input(task, TW_SHAPE_MASK));
}

static void forecast(struct tw_forecast *f) { tw_rescale_forecast(f); }

extern const struct tw_node_type tw_node_shape_normalize;
const struct tw_node_type tw_node_shape_normalize = {
    .name = "shape.normalize",
    .version = 1,
    .summary = "stretch a map to a range of heights",
    .keywords = "autolevel, stretch, equalize, full range, rescale, levels",
    .elsewhere =
        "Autolevel (Gaea), Equalizer (World Machine), HeightField Remap (Houdini), Rescale "
        "(Hesiod), r.rescale (GRASS)",
    .detail =
        "Stretches a map to a range of heights. Choose shape.remap where the same height should "
        "stay the same from map to map.\n"
        "Over the whole map:\n"
        "    t = (in - min) / (max - min);\n"
        "    out = low (1 - t) + high t.\n"
        "A flat map becomes low. A mask stays within 0..1; shape.remap makes heights of it.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "hills: {type: shape.normalize, in: noise, low: 0.2, high: 0.6}",
    .in_place = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
