/* SPDX-License-Identifier: MIT */
/* A map stretched so that its lowest and highest cell reach given heights. */
#include "common/rescale.h"
#include "shape/kernels/ports.h"

struct params {
    float low, high;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, low, 0, -1e9, 1e9, TW_UNIT_HEIGHT, "what the lowest cell becomes"),
    TW_PARAM_F32(struct params, high, 1, -1e9, 1e9, TW_UNIT_HEIGHT,
                 "what the highest cell becomes; below low turns the map over"),
    TW_PARAM_END,
};

enum { IN };
enum { OUT };
TW_SHAPE_PORTS("the stretched map");

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    return tw_rescale(task, tw_floats(tw_task_input(task, IN)),
                      tw_floats(tw_task_output(task, OUT)), tw_task_width(task),
                      tw_task_height(task), (struct tw_span){p->low, p->high});
}

static void forecast(struct tw_forecast *f) { tw_rescale_forecast(f); }

extern const struct tw_node_type tw_node_shape_normalize;
const struct tw_node_type tw_node_shape_normalize = {
    .name = "shape.normalize",
    .version = 1,
    .summary = "stretch a map to a range of heights",
    .detail = "out = low (1 - t) + high t with t = (in - min) / (max - min) over the whole map. A "
              "flat map becomes low.",
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
