/* SPDX-License-Identifier: MIT */
/* Spectral synthesis, Olsen 2004, "Spectral synthesis": octaves of evenly spaced random values,
 * interpolated, with amplitude p^i. The paper names no cubic; ours is Catmull and Rom's, which goes
 * through the values. */

#include <thalweg/draws.h>
#include <thalweg/kernel.h>
#include <thalweg/rescale.h>
#include <thalweg/simd.h>

enum { LINEAR, CUBIC };
enum { STRIP = 512, LATTICE = 1024, FINEST = 65536 };

struct params {
    int32_t octaves, frequency;
    float persistence; /* p */
    int32_t interpolation;
};

static const struct tw_param params[] = {
    TW_PARAM_I32(struct params, octaves, 8, 1, 16, "octaves", "layers of noise"),
    TW_PARAM_I32(struct params, frequency, 4, 1, 4096, "values a side",
                 "random values a side in the first octave; doubles with each", TW_USUAL(1, 32)),
    TW_PARAM_F32(struct params, persistence, 0.5, 0, 2, TW_UNIT_NONE,
                 "amplitude of an octave over that of the one before"),
    TW_PARAM_ENUM(struct params, interpolation, LINEAR, "linear|cubic",
                  "between the random values"),
    TW_PARAM_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the noise, rescaled to 0..1"},
    TW_PORT_END,
};

struct map {
    const struct params *params;
    float *cells;
    int32_t width, height;
    uint64_t seed;
    enum tw_simd simd;
};

struct octave {
    uint32_t index;
    int32_t values; /* a side */
    float amplitude;
    bool cubic;
};

/* Some columns of the map, and the lattice rows around the current one interpolated to them. */
struct strip {
    int32_t x, count;
    int32_t origin, next;   /* lattice column of values[0]; first lattice row not drawn yet */
    int32_t column[STRIP];  /* of the lattice, from `origin` on, where weight[0] applies */
    float weight[4][STRIP]; /* of four columns, linear: of the middle two */
    float row[4][STRIP];    /* lattice row j is row[j & 3] */
};

/* Weights of the four values around a place at share t of the way between the middle two. */
static TW_INLINE void weigh(bool cubic, float t, float weight[4])
{
    float s = 1.0f - t;
    weight[0] = cubic ? -0.5f * t * s * s : 0.0f;
    weight[1] = cubic ? 1.0f + t * t * (1.5f * t - 2.5f) : s;
    weight[2] = cubic ? t * (0.5f + t * (2.0f - 1.5f * t)) : t;
    weight[3] = cubic ? -0.5f * t * t * s : 0.0f;
}

static int32_t lattice_place(int32_t cell, int32_t cells, int32_t values, float *share)
{
    int64_t place = (int64_t)cell * values;
    *share = (float)(place % cells) / (float)cells;
    return (int32_t)(place / cells);
}

static void place_columns(struct strip *strip, const struct octave *octave, int32_t width)
{
    for (int32_t i = 0; i < strip->count; i++) {
        float share, weight[4];
        int32_t column = lattice_place(strip->x + i, width, octave->values, &share);
        if (i == 0)
            strip->origin = column - 1;
        strip->column[i] = column - 1 - strip->origin;
        weigh(octave->cubic, share, weight);
        for (int k = 0; k < 4; k++)
            strip->weight[k][i] = weight[k];
    }
}

static TW_INLINE void spread_body(const struct strip *strip, const float *values, bool cubic,
                                  float *restrict row)
{
    const int32_t *column = strip->column;
    for (int32_t i = 0; i < strip->count; i++) {
        const float *at = values + column[i];
        float middle = strip->weight[1][i] * at[1], right = strip->weight[2][i] * at[2];
        if (cubic)
            row[i] = strip->weight[0][i] * at[0] + middle + right + strip->weight[3][i] * at[3];
        else
            row[i] = middle + right;
    }
}
TW_SIMD_KERNEL(spread,
               (const struct strip *strip, const float *values, bool cubic, float *restrict row),
               (strip, values, cubic, row))

/* Draws lattice row j, which wraps, and interpolates it across. */
static void add_row(const struct map *map, const struct octave *octave, int32_t j,
                    struct strip *strip)
{
    float values[LATTICE];
    int32_t count = strip->column[strip->count - 1] + 4;
    uint32_t y = (uint32_t)tw_wrap(j, octave->values);
    for (int32_t done = 0; done < count;) {
        int32_t from = tw_wrap(strip->origin + done, octave->values);
        int32_t run = octave->values - from < count - done ? octave->values - from : count - done;
        const struct tw_draws draws = {map->seed, (uint32_t)from, 1, y, octave->index};
        tw_draw_row(map->simd, &draws, run, values + done);
        done += run;
    }
    spread(map->simd)(strip, values, octave->cubic, strip->row[j & 3]);
}

static TW_INLINE void sum_body(const struct strip *strip, int32_t j, const float *weight,
                               const struct octave *octave, float *restrict out)
{
    const float *row[4], w[4] = {weight[0], weight[1], weight[2], weight[3]};
    float amplitude = octave->amplitude;
    bool cubic = octave->cubic, first = octave->index == 0;
    for (int k = 0; k < 4; k++)
        row[k] = strip->row[(j - 1 + k) & 3];
    for (int32_t i = 0; i < strip->count; i++) {
        float middle = w[1] * row[1][i], lower = w[2] * row[2][i];
        float value = cubic ? w[0] * row[0][i] + middle + lower + w[3] * row[3][i] : middle + lower;
        out[i] = (first ? 0.0f : out[i]) + amplitude * value;
    }
}
TW_SIMD_KERNEL(sum,
               (const struct strip *strip, int32_t j, const float *weight,
                const struct octave *octave, float *restrict out),
               (strip, j, weight, octave, out))

static void add_octave(const struct map *map, const struct octave *octave, int32_t begin,
                       int32_t end, struct strip *strip)
{
    place_columns(strip, octave, map->width);
    strip->next = INT32_MIN;
    for (int32_t y = begin; y < end; y++) {
        float share, weight[4];
        int32_t j = lattice_place(y, map->height, octave->values, &share);
        int32_t from = octave->cubic ? j - 1 : j, to = octave->cubic ? j + 2 : j + 1;
        for (strip->next = strip->next < from ? from : strip->next; strip->next <= to;
             strip->next++)
            add_row(map, octave, strip->next, strip);
        weigh(octave->cubic, share, weight);
        sum(map->simd)(strip, j, weight, octave,
                       map->cells + (size_t)y * (size_t)map->width + (size_t)strip->x);
    }
}

static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    struct octave octave = {0, map->params->frequency, 1.0f, map->params->interpolation == CUBIC};
    float amplitude = 1.0f;
    for (octave.index = 0; octave.index < (uint32_t)map->params->octaves; octave.index++) {
        struct strip strip;
        /* a single value is level, and rescaling would show how its interpolation rounds */
        octave.amplitude = octave.values > 1 ? amplitude : 0.0f;
        /* as many columns as LATTICE values reach over */
        int64_t widest = (int64_t)(LATTICE - 6) * map->width / octave.values;
        int32_t length = widest < 1 ? 1 : widest < STRIP ? (int32_t)widest : STRIP;
        for (strip.x = 0; strip.x < map->width; strip.x += length) {
            strip.count = map->width - strip.x < length ? map->width - strip.x : length;
            add_octave(map, &octave, begin, end, &strip);
        }
        octave.values *= 2;
        amplitude *= map->params->persistence;
    }
}

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    return (int64_t)p->frequency << (p->octaves - 1) > FINEST
               ? (struct tw_rule){.param = "octaves",
                                  .expected = "a lower number for",
                                  .other = "frequency",
                                  .hint = "the last octave may have at most 65536 values a side"}
               : TW_RULES_HOLD;
}

static enum tw_status run(struct tw_task *task)
{
    struct tw_value *out = tw_task_output(task, OUT);
    struct map map = {tw_task_params(task), tw_floats(out),     out->width,
                      out->height,          tw_task_seed(task), tw_task_simd(task)};
    tw_rows(task, out->height, 32, fill_rows, &map);
    return tw_rescale(task, map.cells, map.cells, map.width, map.height, (struct tw_span){0, 1});
}

static void forecast(struct tw_forecast *f) { tw_rescale_forecast(f); }

extern const struct tw_node_type tw_node_noise_spectral;
const struct tw_node_type tw_node_noise_spectral = {
    .name = "noise.spectral",
    .version = 2,
    .summary = "1/f noise as a sum of interpolated octaves of random values",
    .keywords = "fractal, pink noise, octaves, 1/f, hills, fractal mountains, clouds, base terrain",
    .elsewhere = "Perlin (Gaea), Perlin Noise (World Machine), HeightField Noise (Houdini), "
                 "r.surf.fractal (GRASS)",
    .detail =
        "Makes 1/f noise as a sum of interpolated octaves of random values. Use it to reproduce "
        "methods that build on it; choose noise.perlin for noise without lines along rows and "
        "columns.\n"
        "Octave i has f 2^i random values a side and the amplitude p^i, with linear or cubic "
        "(Catmull-Rom) interpolation. The sum is rescaled to 0..1. Borders wrap. A larger map "
        "shows the same terrain in more detail.\n"
        "Rows and columns through an octave's random values show in low light, which comes with "
        "the method. shape.perturb bends them.",
    .cite = "olsen2004 catmull1974",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.spectral, octaves: 7, frequency: 4, interpolation: cubic}",
    .random = true,
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
    .forecast = forecast,
};
