/* SPDX-License-Identifier: MIT */
/* Fractal sums of lattice noise: Weiss 2015, eq 1, with n + 1 octaves; the noise that Coats 2008
 * meant to try. Perlin's gradients, his fade curve (Perlin 2002), with hashed unit gradients for
 * the permutation table, so that the noise has no period of 256. */
#include "noise/kernels/octaves.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

enum { TILE_AUTO, TILE_TRUE, TILE_FALSE };
enum { PLAIN, BILLOW };

struct params {
    int32_t basis, octaves;
    float frequency;   /* o_b */
    float lacunarity;  /* o_s */
    float persistence; /* 1 / a_s */
    int32_t tile;
    int32_t octave;
    float turn; /* degrees an octave */
};

static const struct tw_param params[] = {
    TW_PARAM_ENUM(struct params, basis, TW_BASIS_PERLIN, "perlin|simplex|value",
                  "the noise that is summed"),
    TW_PARAM_I32(struct params, octaves, 8, 1, 16, "octaves", "layers of noise"),
    TW_PARAM_F32(struct params, frequency, 4, 0.01, 4096, "lattice cells",
                 "of the first octave along the map's longer side", TW_USUAL(1, 50)),
    TW_PARAM_F32(struct params, lacunarity, 2, 1, 8, TW_UNIT_NONE,
                 "frequency of an octave over that of the one before"),
    TW_PARAM_F32(struct params, persistence, 0.5, 0, 2, TW_UNIT_NONE,
                 "amplitude of an octave over that of the one before"),
    TW_PARAM_ENUM(struct params, tile, TILE_AUTO, "auto|true|false",
                  "borders wrap, frequencies become whole numbers; auto: not for simplex, and not "
                  "with turn"),
    TW_PARAM_ENUM(struct params, octave, PLAIN, "plain|billow",
                  "what is summed: the noise, or its distance from the mean, for round hills "
                  "between creases"),
    TW_PARAM_F32(struct params, turn, 0, -360, 360, TW_UNIT_DEGREES,
                 "of each octave's lattice against the one before; the borders then do not wrap"),
    TW_PARAM_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the noise within 0..1; plain octaves lie about 1/2"},
    TW_PORT_END,
};

struct sum {
    float *cells;
    int32_t width, octaves;
    float amplitude[16];
    bool billow;
    float mean, factor; /* of the output: mean + factor times the sum */
    enum tw_simd simd;
};

static TW_INLINE void add_body(float amplitude, bool first, const float *noise, int32_t count,
                               float *restrict out)
{
    for (int32_t i = 0; i < count; i++)
        out[i] = (first ? 0.0f : out[i]) + amplitude * noise[i];
}
TW_SIMD_KERNEL(add,
               (float amplitude, bool first, const float *noise, int32_t count,
                float *restrict out),
               (amplitude, first, noise, count, out))

static TW_INLINE void add_size_body(float amplitude, bool first, const float *noise, int32_t count,
                                    float *restrict out)
{
    for (int32_t i = 0; i < count; i++)
        out[i] = (first ? 0.0f : out[i]) + amplitude * (noise[i] < 0 ? -noise[i] : noise[i]);
}
TW_SIMD_KERNEL(add_size,
               (float amplitude, bool first, const float *noise, int32_t count,
                float *restrict out),
               (amplitude, first, noise, count, out))

static void take(void *context, const struct tw_noise_row *row)
{
    const struct sum *sum = context;
    float *out = sum->cells + (size_t)row->y * (size_t)sum->width + (size_t)row->x;
    (sum->billow ? add_size(sum->simd) : add(sum->simd))(
        sum->amplitude[row->octave], row->octave == 0, row->at, row->count, out);
    if (row->octave + 1 == sum->octaves)
        for (int32_t i = 0; i < row->count; i++)
            out[i] = sum->mean + out[i] * sum->factor;
}

static bool is_tiled(const struct params *p)
{
    return p->tile == TILE_TRUE ||
           (p->tile == TILE_AUTO && p->basis != TW_BASIS_SIMPLEX && p->turn == 0);
}

static struct tw_octaves octaves_of(const struct params *p)
{
    return (struct tw_octaves){
        .basis = (enum tw_basis)p->basis,
        .count = p->octaves,
        .frequency = p->frequency,
        .lacunarity = p->lacunarity,
        .turn = p->turn,
        .tile = is_tiled(p),
    };
}

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    const struct tw_octaves octaves = octaves_of(p);
    if (p->tile == TILE_TRUE && p->turn != 0)
        return (struct tw_rule){.param = "turn",
                                .expected = "0, unless tile is auto or false",
                                .hint = "a turned lattice does not meet itself at the border"};
    return tw_octaves_check(&octaves, "octaves");
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_value *out = tw_task_output(task, OUT);
    struct tw_octaves octaves = octaves_of(p);
    bool billow = p->octave == BILLOW;
    struct sum sum = {.cells = tw_floats(out),
                      .width = out->width,
                      .octaves = p->octaves,
                      .amplitude = {1},
                      .billow = billow,
                      .mean = billow ? 0 : 0.5f,
                      .simd = tw_task_simd(task)};
    float total = 1;
    for (int32_t k = 1; k < p->octaves; k++) {
        sum.amplitude[k] = sum.amplitude[k - 1] * p->persistence;
        total += sum.amplitude[k];
    }
    sum.factor = (billow ? 1 : 0.5f) / total;
    octaves.sink = take;
    octaves.context = &sum;
    return tw_octaves_run(task, &octaves);
}

static bool wraps(const void *at, int32_t width, int32_t height)
{
    (void)width, (void)height;
    return is_tiled(at);
}

static void forecast(struct tw_forecast *f) { tw_octaves_forecast(f, octaves_of(f->params).count); }

extern const struct tw_node_type tw_node_noise_perlin;
const struct tw_node_type tw_node_noise_perlin = {
    .name = "noise.perlin",
    .version = 2,
    .summary = "fractal sum of gradient, simplex or value noise",
    .keywords =
        "fractal, gradient noise, simplex, value noise, fBm, billow, hills, fractal mountains, clouds, "
        "base terrain",
    .elsewhere =
        "Perlin (Gaea), Perlin Noise (World Machine), HeightField Noise (Houdini), NoiseFbm "
        "(Hesiod), Noise Texture (Blender), r.surf.fractal (GRASS)",
    .detail =
        "Makes rolling hills and clouds of detail by a fractal sum of gradient, simplex or value "
        "noise: the usual base of a landscape and the usual source of variation. Choose "
        "noise.ridged for sharp ridges, and noise.multifractal for roughness that varies over "
        "the map.\n"
        "With n in -1..1 and k = 0 to octaves - 1:\n"
        "    out = 1/2 + 1/2 sum p^k n(f l^k x + o_k) / sum p^k.\n"
        "With octave: billow, which has round hills between sharp creases:\n"
        "    out = sum p^k |n(f l^k x + o_k)| / sum p^k.\n"
        "n is Perlin noise times sqrt(2), simplex noise times 99.2, or value noise as it is. "
        "Nothing is rescaled to what the map happens to hold, so maps of other seeds match in "
        "height.\n"
        "Octaves are one noise, each seen from a random place o_k, so that lattice points do not "
        "coincide. No line of a lattice is parallel to a border: where borders wrap, its rows "
        "climb by one lattice cell across the map and each is shifted against the last; where "
        "they do not, each lattice is rotated by an angle of its own, to which `turn` adds so "
        "many degrees an octave.\n"
        "Cells are sampled at their centres. Borders wrap when it tiles: every octave's "
        "frequency is then rounded to a whole number along both sides. Simplex noise never "
        "tiles, nor does a noise with `turn`.",
    .cite = "perlin2002 weiss2015",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.perlin, frequency: 4, octaves: 8}",
    .random = true,
    .reach = TW_REACH_CELL,
    .check = check,
    .run = run,
    .forecast = forecast,
    .wraps = wraps,
};
