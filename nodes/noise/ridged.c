/* SPDX-License-Identifier: MIT */
/* Ridged multifractal, Musgrave's chapter in Ebert et al. 2002, "Texturing and Modeling": the noise
 * is folded at zero into sharp ridges, and every octave is weighted by the one before, so valleys
 * stay smooth and ridges grow rough. The sum is divided by the greatest it can be. */
#include "noise/kernels/octaves.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

enum { OCTAVES_MAX = 16 };

struct params {
    float frequency;
    int32_t octaves;
    float lacunarity; /* l */
    float gain, offset;
    float H;
    bool tile;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, frequency, 4, 0.01, 4096, "lattice cells",
                 "of the first octave along the map's longer side", TW_USUAL(1, 50)),
    TW_PARAM_I32(struct params, octaves, 8, 1, OCTAVES_MAX, "octaves", "layers of noise"),
    TW_PARAM_F32(struct params, lacunarity, 2, 1, 8, TW_UNIT_NONE,
                 "frequency of an octave over that of the one before"),
    TW_PARAM_F32(struct params, gain, 2, 0, 100, TW_UNIT_NONE,
                 "how readily an octave lets the next one through", TW_USUAL(0, 4)),
    TW_PARAM_F32(struct params, offset, 1, 0, 2, TW_UNIT_NONE,
                 "height of the ridges before squares"),
    TW_PARAM_F32(struct params, H, 1, 0, 4, TW_UNIT_NONE,
                 "amplitudes fall by lacunarity to the power of -H an octave"),
    TW_PARAM_BOOL(struct params, tile, 1, "borders wrap, frequencies become whole numbers"),
    TW_PARAM_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the ridges, within 0..1"},
    TW_PORT_END,
};

struct ridges {
    float *cells;
    float *signals; /* s of the octave before */
    int32_t width;
    float gain, offset;
    float amplitude[OCTAVES_MAX]; /* their sum is such that the result is within 0..1 */
    enum tw_simd simd;
};

/* s = (offset - |n|)^2 min(1, gain s_before); the first octave has no factor. */
static TW_INLINE void add_body(const struct ridges *r, int32_t octave, const float *noise,
                               int32_t count, float *restrict signals, float *restrict out)
{
    float gain = r->gain, offset = r->offset, amplitude = r->amplitude[octave];
    for (int32_t i = 0; i < count && octave == 0; i++) {
        float height = offset - fabsf(noise[i]);
        signals[i] = height * height;
        out[i] = signals[i] * amplitude;
    }
    for (int32_t i = 0; i < count && octave > 0; i++) {
        float height = offset - fabsf(noise[i]), factor = signals[i] * gain;
        factor = factor < 1.0f ? factor : 1.0f;
        signals[i] = height * height * factor;
        out[i] += signals[i] * amplitude;
    }
}
TW_SIMD_KERNEL(add,
               (const struct ridges *r, int32_t octave, const float *noise, int32_t count,
                float *restrict signals, float *restrict out),
               (r, octave, noise, count, signals, out))

static void take(void *context, const struct tw_noise_row *row)
{
    const struct ridges *r = context;
    size_t first = (size_t)row->y * (size_t)r->width + (size_t)row->x;
    add(r->simd)(r, row->octave, row->at, row->count, r->signals + first, r->cells + first);
}

/* a_k = l^(-H k), divided by what the sum is at most: |n| <= 1 and the factors are at most 1. */
static void set_amplitudes(struct ridges *r, const struct params *p)
{
    double square = (double)p->offset * (double)p->offset, total = 0;
    double other = (1 - (double)p->offset) * (1 - (double)p->offset);
    for (int32_t k = 0; k < p->octaves; k++)
        total += tw_pow((double)p->lacunarity, -(double)p->H * k);
    total *= square > other ? square : other;
    for (int32_t k = 0; k < p->octaves; k++)
        r->amplitude[k] = (float)(tw_pow((double)p->lacunarity, -(double)p->H * k) / total);
}

static struct tw_octaves octaves_of(const struct params *p)
{
    return (struct tw_octaves){.count = p->octaves,
                               .frequency = p->frequency,
                               .lacunarity = p->lacunarity,
                               .tile = p->tile};
}

static struct tw_rule check(const void *at)
{
    const struct tw_octaves octaves = octaves_of(at);
    return tw_octaves_check(&octaves, "octaves");
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_value *out = tw_task_output(task, OUT);
    struct ridges ridges = {.cells = tw_floats(out),
                            .signals = tw_task_scratch(task, tw_value_count(out), sizeof(float)),
                            .width = out->width,
                            .gain = p->gain,
                            .offset = p->offset,
                            .simd = tw_task_simd(task)};
    struct tw_octaves octaves = octaves_of(p);
    if (!ridges.signals)
        return tw_task_no_memory(task);
    set_amplitudes(&ridges, p);
    octaves.sink = take;
    octaves.context = &ridges;
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
    tw_forecast_maps(f, 1, sizeof(float)); /* signals */
}

extern const struct tw_node_type tw_node_noise_ridged;
const struct tw_node_type tw_node_noise_ridged = {
    .name = "noise.ridged",
    .version = 2,
    .summary = "ridged multifractal: sharp rough ridges, smooth valleys",
    .keywords = "mountain, mountains, mountain range, alps, sharp ridges, crests, billow",
    .elsewhere =
        "Mountain (Gaea), Ridge (Gaea), Advanced Perlin Noise (World Machine), HeightField "
        "Noise (Houdini), NoiseRidged (Hesiod), Noise Texture Ridged Multifractal (Blender)",
    .detail =
        "Makes mountains with sharp rough ridges and smooth valleys (ridged multifractal). "
        "Choose erosion.stream_power for ridges whose valleys drain, and noise.perlin for "
        "rolling hills.\n"
        "n_k is Perlin noise in -1..1 of frequency f l^k, each seen from a random place, and k = "
        "0 to octaves - 1:\n"
        "    s_0 = (offset - |n_0|)^2;\n"
        "    s_k = (offset - |n_k|)^2 min(1, gain s_(k-1));\n"
        "    out = sum l^(-H k) s_k / (m sum l^(-H k)).\n"
        "m is the greater of offset^2 and (1 - offset)^2.\n"
        "Borders wrap when it tiles: every octave's frequency is then rounded to a whole number "
        "and its lattice skewed. Otherwise each lattice is rotated by an angle of its own.",
    .cite = "musgrave1994 perlin2002",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "ridges: {type: noise.ridged, frequency: 3, octaves: 7}",
    .random = true,
    .reach = TW_REACH_CELL,
    .check = check,
    .run = run,
    .forecast = forecast,
    .wraps = wraps,
};
