/* SPDX-License-Identifier: MIT */
/* Flatter lowlands and steeper mountains: Weiss 2015, equation 3. */
#include "shape/kernels/ports.h"

#include <thalweg/pointwise.h>
#include <thalweg/power.h>

#include <float.h>
#include <math.h>

struct params {
    float exponent; /* p */
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, exponent, 1.5, 0.01, 100, TW_UNIT_NONE,
                 "above 1 flattens what is near 0, below 1 raises it"),
    TW_PARAM_END,
};

TW_SHAPE_PORTS(TW_KEEPS_TYPE, "the reshaped map");

/* v^p for v >= 0 */
static TW_INLINE double power_of(double v, double p)
{
    double power = tw_vector_exp2(p * tw_vector_log2(v > 0 ? v : 1));
    return v > 0 ? power : 0;
}

static TW_INLINE float raise(const struct params *p, float v)
{
    float power = (float)power_of((double)fabsf(v), (double)p->exponent);
    return v < 0 ? -power : power;
}
TW_POINTWISE_KERNEL(raise, maps->context, a[i])

static bool is_beyond(const struct params *p, float height)
{
    return power_of((double)fabsf(height), (double)p->exponent) > FLT_MAX;
}

/* The first height whose power leaves the range of floats; 0 when there is none, as the largest
 * tells. */
static float find_beyond(const struct params *p, const struct tw_value *in)
{
    const float *heights = tw_floats(in);
    float largest = 0;
    for (size_t i = 0; i < tw_value_count(in); i++)
        largest = fabsf(heights[i]) > largest ? fabsf(heights[i]) : largest;
    for (size_t i = 0; is_beyond(p, largest) && i < tw_value_count(in); i++)
        if (is_beyond(p, heights[i]))
            return heights[i];
    return 0;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    float height = p->exponent > 1 ? find_beyond(p, tw_task_input(task, TW_SHAPE_IN)) : 0;
    if (fabsf(height) > 0)
        return tw_task_fail(task, "a height of %g to the power of %g is beyond all heights",
                            (double)height, (double)p->exponent);
    return tw_pointwise_run_masked(task, p, raise_cells(tw_task_simd(task)),
                                   tw_task_input(task, TW_SHAPE_MASK));
}

extern const struct tw_node_type tw_node_shape_power;
const struct tw_node_type tw_node_shape_power = {
    .name = "shape.power",
    .version = 1,
    .summary = "heights to a power, keeping their sign",
    .detail = "out = sign(v) |v|^exponent.",
    .cite = "weiss2015",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "steeper: {type: shape.power, in: noise, exponent: 2.5}",
    .in_place = true,
    .reach = TW_REACH_CELL,
    .run = run,
};
