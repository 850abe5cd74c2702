/* SPDX-License-Identifier: MIT */
/* Multifractal noise with amplitude and roughness that vary over the map, Weiss 2015, eq 4 (after
 * Hnaidi et al. 2010): N = A sum noise(r^k x, r^k y) / r^(k (1 - R)), k = 0 to n, added to a
 * terrain. One noise for all k, as printed, but each seen from another place. */
#include "noise/kernels/octaves.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

struct params {
    float amplitude, roughness; /* A, R */
    float frequency;
    int32_t n;
    float lacunarity; /* r */
    bool tile;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, amplitude, 1, 0, 1000, TW_UNIT_HEIGHT,
                 "A: height of the noise; multiplies amplitude_mask where that is connected",
                 TW_USUAL(0, 2)),
    TW_PARAM_F32(
        struct params, roughness, 0.3, 0, 1, TW_UNIT_NONE,
        "R: 0 halves each octave when r is 2, 1 adds all alike; roughness_mask takes over"),
    TW_PARAM_F32(struct params, frequency, 8, 0.01, 4096, "lattice cells",
                 "of the first term along the map's longer side", TW_USUAL(1, 50)),
    TW_PARAM_I32(struct params, n, 5, 0, 15, "octaves", "the last term: k = 0 to n, n + 1 terms"),
    TW_PARAM_F32(struct params, lacunarity, 2, 1, 8, TW_UNIT_NONE,
                 "r: frequency of an octave over that of the one before"),
    TW_PARAM_BOOL(struct params, tile, 1, "borders wrap, frequencies become whole numbers"),
    TW_PARAM_END,
};

enum { IN, AMPLITUDE, ROUGHNESS };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, TW_OPTIONAL, "terrain to which the noise is added"},
    {"amplitude_mask", TW_MASK, TW_OPTIONAL, "A of each cell, times amplitude"},
    {"roughness_mask", TW_MASK, TW_OPTIONAL, "R of each cell, instead of roughness"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "in + N, or N alone"},
    TW_PORT_END,
};

struct sum {
    float *cells;
    const float *in, *amplitude_mask, *roughness_mask; /* NULL: not connected */
    float *weight, *ratio; /* of each cell: r^(-k (1 - R)), and from one k to the next */
    float weights[16];     /* the same where R is a number */
    int32_t width, n;
    float amplitude;
    double log2_r;
    enum tw_simd simd;
};

static TW_INLINE void start_body(const float *roughness, double log2_r, int32_t count,
                                 float *restrict ratio, float *restrict weight)
{
    for (int32_t i = 0; i < count; i++) {
        ratio[i] = (float)tw_exp2(((double)roughness[i] - 1) * log2_r);
        weight[i] = 1.0f;
    }
}
TW_SIMD_KERNEL(start,
               (const float *roughness, double log2_r, int32_t count, float *restrict ratio,
                float *restrict weight),
               (roughness, log2_r, count, ratio, weight))

static TW_INLINE void add_body(const float *noise, float weight, int32_t count, float *restrict out)
{
    for (int32_t i = 0; i < count; i++)
        out[i] += noise[i] * weight;
}
TW_SIMD_KERNEL(add, (const float *noise, float weight, int32_t count, float *restrict out),
               (noise, weight, count, out))

static TW_INLINE void add_varying_body(const float *noise, const float *ratio, int32_t count,
                                       float *restrict weight, float *restrict out)
{
    for (int32_t i = 0; i < count; i++) {
        out[i] += noise[i] * weight[i];
        weight[i] *= ratio[i];
    }
}
TW_SIMD_KERNEL(add_varying,
               (const float *noise, const float *ratio, int32_t count, float *restrict weight,
                float *restrict out),
               (noise, ratio, count, weight, out))

/* The sum is complete: times A, plus the terrain. */
static void finish(const struct sum *s, size_t first, int32_t count)
{
    float *out = s->cells + first;
    for (int32_t i = 0; i < count; i++)
        out[i] *= s->amplitude;
    for (int32_t i = 0; s->amplitude_mask && i < count; i++)
        out[i] *= s->amplitude_mask[first + (size_t)i];
    for (int32_t i = 0; s->in && i < count; i++)
        out[i] += s->in[first + (size_t)i];
}

static void take(void *context, const struct tw_noise_row *row)
{
    const struct sum *s = context;
    size_t first = (size_t)row->y * (size_t)s->width + (size_t)row->x;
    float *out = s->cells + first;
    for (int32_t i = 0; row->octave == 0 && i < row->count; i++)
        out[i] = 0;
    if (row->octave == 0 && s->roughness_mask)
        start(s->simd)(s->roughness_mask + first, s->log2_r, row->count, s->ratio + first,
                       s->weight + first);
    if (s->roughness_mask)
        add_varying(s->simd)(row->at, s->ratio + first, row->count, s->weight + first, out);
    else
        add(s->simd)(row->at, s->weights[row->octave], row->count, out);
    if (row->octave == s->n)
        finish(s, first, row->count);
}

static struct tw_octaves octaves_of(const struct params *p)
{
    return (struct tw_octaves){
        .count = p->n + 1, .frequency = p->frequency, .lacunarity = p->lacunarity, .tile = p->tile};
}

static struct tw_rule check(const void *at)
{
    const struct tw_octaves octaves = octaves_of(at);
    return tw_octaves_check(&octaves, "n");
}

static const float *cells_of(const struct tw_value *value)
{
    return value ? tw_floats(value) : NULL;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_value *out = tw_task_output(task, OUT);
    struct tw_octaves octaves = octaves_of(p);
    struct sum sum = {.cells = tw_floats(out),
                      .in = cells_of(tw_task_input(task, IN)),
                      .amplitude_mask = cells_of(tw_task_input(task, AMPLITUDE)),
                      .roughness_mask = cells_of(tw_task_input(task, ROUGHNESS)),
                      .weights = {1},
                      .width = out->width,
                      .n = p->n,
                      .amplitude = p->amplitude,
                      .log2_r = tw_log2((double)p->lacunarity),
                      .simd = tw_task_simd(task)};
    float ratio = (float)tw_exp2(((double)p->roughness - 1) * sum.log2_r);
    for (int32_t k = 1; k <= p->n; k++)
        sum.weights[k] = sum.weights[k - 1] * ratio;
    if (sum.roughness_mask) {
        sum.weight = tw_task_scratch(task, tw_value_count(out), sizeof *sum.weight);
        sum.ratio = tw_task_scratch(task, tw_value_count(out), sizeof *sum.ratio);
        if (!sum.weight || !sum.ratio)
            return tw_task_no_memory(task);
    }
    octaves.sink = take;
    octaves.context = &sum;
    return tw_octaves_run(task, &octaves);
}

static bool wraps(const void *at, int32_t width, int32_t height)
{
    (void)width, (void)height;
    return ((const struct params *)at)->tile;
}

static void forecast(struct tw_forecast *f)
{
    tw_octaves_forecast(f, octaves_of(f->params).count);
    if (f->inputs[ROUGHNESS] > 0)
        tw_forecast_maps(f, 2, sizeof(float)); /* weight and ratio */
}

extern const struct tw_node_type tw_node_noise_multifractal;
const struct tw_node_type tw_node_noise_multifractal = {
    .name = "noise.multifractal",
    .version = 2,
    .summary = "noise whose amplitude and roughness vary over the map",
    .keywords = "heterogeneous terrain, hybrid, mountains and plains, roughness map, fBm",
    .elsewhere = "MultiFractal (Gaea), Advanced Perlin Noise (World Machine), HeightField Noise "
                 "(Houdini), Noise Texture Hetero Terrain (Blender)",
    .detail =
        "Adds noise whose amplitude and roughness vary over the map: smooth plains and rough "
        "mountains in one. Choose noise.perlin for noise that is alike everywhere.\n"
        "With Perlin noise in -1..1 and k = 0 to n:\n"
        "    out = in + A sum noise(r^k x + o_k) / r^(k (1 - R)).\n"
        "A is amplitude times amplitude_mask, and R is roughness_mask or else roughness. Without "
        "`in` out is the noise alone, about 0.\n"
        "All terms are one noise rescaled, as in eq 4. We deviate in o_k, a random place for "
        "each: Perlin noise is 0 at its lattice points, and at the print's o_k = 0 those of all "
        "terms coincide, which rules lines into the terrain.\n"
        "Borders wrap when it tiles: every term's frequency is then rounded to a whole number "
        "and its lattice skewed. Otherwise each term is rotated by an angle of its own.",
    .cite = "weiss2015 hnaidi2010 perlin2002",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "hills: {type: noise.midpoint}\n"
               "rough: {type: noise.multifractal, in: hills, amplitude: 0.2, roughness: 0.4}",
    .random = true,
    .reach = TW_REACH_CELL,
    .check = check,
    .run = run,
    .forecast = forecast,
    .wraps = wraps,
};
