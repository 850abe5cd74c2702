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

/* The first height of the largest size: only there can a power leave the range of floats. */
static float largest(const struct tw_value *in)
{
    float found = 0;
    for (size_t i = 0; i < tw_value_count(in); i++)
        found = fabsf(tw_floats(in)[i]) > fabsf(found) ? tw_floats(in)[i] : found;
    return found;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    float height = p->exponent > 1 ? largest(tw_task_input(task, TW_SHAPE_IN)) : 0;
    if (power_of((double)fabsf(height), (double)p->exponent) > FLT_MAX)
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
    .run = run,
};
