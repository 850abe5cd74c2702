/* SPDX-License-Identifier: MIT */
/* Flatter lowlands and steeper mountains: Weiss 2015, equation 3. */
#include "common/power.h"
#include "common/pointwise.h"

#include <math.h>

struct params {
    float exponent; /* p */
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, exponent, 1.5, 0.01, 100, TW_UNIT_NONE,
                 "above 1 flattens what is near 0, below 1 raises it"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the map"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the reshaped map"},
    TW_PORT_END,
};

static TW_INLINE float raise(const struct params *p, float v)
{
    float power = (float)tw_vector_pow((double)fabsf(v), (double)p->exponent);
    return v < 0 ? -power : power;
}
TW_POINTWISE_1(raise)

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
