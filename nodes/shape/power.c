/* SPDX-License-Identifier: MIT */
/* Flatter lowlands and steeper mountains: Weiss 2015, equation 3. */
#include "common/near_powers.h"
#include "shape/kernels/ports.h"

#include <thalweg/pointwise.h>

#include <float.h>
#include <math.h>
#include <string.h>

struct params {
    float exponent; /* p */
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, exponent, 1.5, 0.01, 100, TW_UNIT_NONE,
                 "above 1 flattens what is near 0, below 1 raises it", TW_USUAL(0.2, 5)),
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

enum { CHUNK = 64, HALVES = 6 };

/* Products and a root are within 2^-50 of the power, and the series above within 2^-42, mostly
 * because a logarithm of at most 150 is rounded before it is multiplied. */
#define PRODUCT_ERROR 0x1p-41

struct powers {
    const struct params *p;
    struct tw_near_powers near;
};

/* v^(halves / 2) for v >= 0, as products and a root. */
static TW_INLINE double product(double v, int halves)
{
    double power = halves % 2 ? sqrt(v) : 1;
    for (int k = 0; k < halves / 2; k++)
        power *= v;
    return power;
}

/* Returns false if the series must decide on some of them. */
static TW_INLINE bool raise_quickly(const struct powers *all, int halves, const float *restrict in,
                                    int32_t count, float *restrict out)
{
    double powers[CHUNK];
    if (halves == 0) {
        tw_near_powers(&all->near, in, count, powers);
        return tw_near_powers_round(powers, all->near.spread, in, count, out);
    }
    for (int32_t i = 0; i < count; i++)
        powers[i] = product((double)fabsf(in[i]), halves) * (1 + PRODUCT_ERROR);
    return tw_near_powers_round(powers, 2 * PRODUCT_ERROR, in, count, out);
}

static TW_INLINE void raise_chunk(const struct powers *all, int halves, const float *in,
                                  int32_t count, float *out)
{
    float raised[CHUNK]; /* out may be in */
    if (!raise_quickly(all, halves, in, count, raised))
        for (int32_t i = 0; i < count; i++)
            raised[i] = raise(all->p, in[i]);
    memcpy(out, raised, (size_t)count * sizeof *raised);
}

static TW_INLINE void raise_chunks(const struct tw_pointwise *maps, size_t begin, size_t end,
                                   int halves)
{
    const float *in = maps->in[0];
    size_t at = begin;
    for (; at + CHUNK <= end; at += CHUNK)
        raise_chunk(maps->context, halves, in + at, CHUNK, maps->out + at);
    raise_chunk(maps->context, halves, in + at, (int32_t)(end - at), maps->out + at);
}

/* Returns how many halves the exponent has, up to HALVES; 0 if it has more, or others. */
static TW_INLINE int halves_of(float exponent)
{
    float halves = 2 * exponent;
    int whole = halves <= HALVES ? (int)halves : 0;
    return (float)whole < halves ? 0 : whole;
}

static TW_INLINE void raise_cells_body(const struct tw_pointwise *maps, size_t begin, size_t end)
{
    const struct powers *all = maps->context;
    switch (halves_of(all->p->exponent)) {
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

/* Finds the largest |height| by its bits: without the sign they rise with the float. */
static TW_INLINE void find_largest_body(const float *restrict heights, size_t count, float *largest)
{
    int32_t most = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t bits;
        memcpy(&bits, &heights[i], sizeof bits);
        bits &= INT32_MAX;
        most = bits > most ? bits : most;
    }
    memcpy(largest, &most, sizeof most);
}
TW_SIMD_KERNEL(find_largest, (const float *restrict heights, size_t count, float *largest),
               (heights, count, largest))

/* Returns the first height whose power leaves the range of floats; 0 if there is none, which the
 * largest height decides. */
static float find_beyond(const struct params *p, enum tw_simd simd, const struct tw_value *in)
{
    const float *heights = tw_floats(in);
    float largest;
    find_largest(simd)(heights, tw_value_count(in), &largest);
    for (size_t i = 0; is_beyond(p, largest) && i < tw_value_count(in); i++)
        if (is_beyond(p, heights[i]))
            return heights[i];
    return 0;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const enum tw_simd simd = tw_task_simd(task);
    float height = p->exponent > 1 ? find_beyond(p, simd, tw_task_input(task, TW_SHAPE_IN)) : 0;
    if (fabsf(height) > 0)
        return tw_task_fail(task, "a height of %g to the power of %g is beyond all heights",
                            (double)height, (double)p->exponent);
    struct powers all = {.p = p};
    tw_near_powers_init(&all.near, simd, (double)p->exponent);
    return tw_pointwise_run_masked(task, &all, raise_cells(simd),
                                   tw_task_input(task, TW_SHAPE_MASK));
}

extern const struct tw_node_type tw_node_shape_power;
const struct tw_node_type tw_node_shape_power = {
    .name = "shape.power",
    .version = 1,
    .summary = "heights to a power, keeping their sign",
    .keywords = "gamma, exponent, sharpen peaks, flatten valleys, bias",
    .elsewhere =
        "Gamma (Gaea), Bias/Gain (World Machine), HeightField Remap (Houdini), GammaCorrection "
        "(Hesiod), Gamma (Blender)",
    .detail =
        "Raises heights to a power, keeping their sign: above 1 for wide plains and steep peaks, "
        "below 1 for plateaus. Choose shape.curve for any other form.\n"
        "    out = sign(v) |v|^exponent.",
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
