/* SPDX-License-Identifier: MIT */
/* Flatter lowlands and steeper mountains: Weiss 2015, equation 3. */
#include "shape/kernels/ports.h"

#include <thalweg/pointwise.h>
#include <thalweg/power.h>

#include <float.h>
#include <math.h>
#include <string.h>

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

/* ---- the same floats in less time ---- */

/* Powers to 2^-39 of their size, or products and a root to 2^-50, where the series above errs by
 * 2^-42, mostly because a logarithm of at most 150 is rounded before it is multiplied. So where a
 * power times 1 + ERROR and one times 1 - ERROR are the same float, the series gives it. */
#define ERROR 0x1p-38
enum { CHUNK = 64, HALVES = 6 };

/* v^p for v >= 0, as products and a root where p is `halves` / 2, unless 0. */
static TW_INLINE double quick_power(double v, double p, int halves)
{
    double power = halves % 2 ? sqrt(v) : 1;
    for (int k = 0; k < halves / 2; k++)
        power *= v;
    double near = tw_near_pow(v > 0 ? v : 1, p);
    return halves ? power : v > 0 ? near : 0;
}

/* Powers of a chunk; false where the series must decide on some. */
static TW_INLINE bool raise_quickly(const float *restrict in, size_t count, double p, int halves,
                                    float *restrict out)
{
    int32_t unsure = 0;
    for (size_t i = 0; i < count; i++) {
        double power = quick_power((double)fabsf(in[i]), p, halves);
        float most = (float)(power * (1 + ERROR)), least = (float)(power * (1 - ERROR));
        unsure |= most != least;
        out[i] = in[i] < 0 ? -most : most;
    }
    return unsure == 0;
}

static TW_INLINE void raise_chunks(const struct tw_pointwise *maps, size_t begin, size_t end,
                                   int halves)
{
    const struct params *p = maps->context;
    float powers[CHUNK]; /* out may be in */
    for (size_t at = begin; at < end; at += CHUNK) {
        const float *in = maps->in[0] + at;
        size_t count = end - at < CHUNK ? end - at : CHUNK;
        double exponent = (double)p->exponent;
        bool sure = count == CHUNK ? raise_quickly(in, CHUNK, exponent, halves, powers)
                                   : raise_quickly(in, count, exponent, halves, powers);
        if (!sure)
            for (size_t i = 0; i < count; i++)
                powers[i] = raise(p, in[i]);
        memcpy(maps->out + at, powers, count * sizeof *powers);
    }
}

/* How many halves the exponent has, up to HALVES; 0 where it has more, or others. */
static TW_INLINE int halves_of(float exponent)
{
    float halves = 2 * exponent;
    int whole = halves <= HALVES ? (int)halves : 0;
    return (float)whole < halves ? 0 : whole;
}

static TW_INLINE void raise_cells_body(const struct tw_pointwise *maps, size_t begin, size_t end)
{
    const struct params *p = maps->context;
    switch (halves_of(p->exponent)) {
    case 1:
        raise_chunks(maps, begin, end, 1);
        return;
    case 3:
        raise_chunks(maps, begin, end, 3);
        return;
    case 4:
        raise_chunks(maps, begin, end, 4);
        return;
    case 5:
        raise_chunks(maps, begin, end, 5);
        return;
    case 6:
        raise_chunks(maps, begin, end, 6);
        return;
    default:
        raise_chunks(maps, begin, end, 0);
    }
}
TW_SIMD_KERNEL(raise_cells, (const struct tw_pointwise *maps, size_t begin, size_t end),
               (maps, begin, end))

static bool is_beyond(const struct params *p, float height)
{
    return power_of((double)fabsf(height), (double)p->exponent) > FLT_MAX;
}

/* The first height whose power leaves the range of floats; 0 when there is none, as the largest
 * tells. */
static float find_beyond(const struct params *p, const struct tw_value *in)
{
    const float *heights = tw_floats(in);
    int32_t bits, most = 0; /* those of a float without its sign rise with it */
    float largest;
    for (size_t i = 0; i < tw_value_count(in); i++) {
        memcpy(&bits, &heights[i], sizeof bits);
        bits &= INT32_MAX;
        most = bits > most ? bits : most;
    }
    memcpy(&largest, &most, sizeof largest);
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
