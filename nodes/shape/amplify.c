/* SPDX-License-Identifier: MIT */
/* Amplification: a map of fewer cells becomes land of all of them, with the valleys and slopes of
 * every scale between. By erosion: Schott, Galin, Guerin, Paris and Peytavie 2024. Deviations: what
 * holds the large forms is uplift that makes up for what erosion takes from the means of the
 * coarser cells; water runs at any angle, as in erosion.stream_power; sediment settles once a
 * scale. By example: Guerin, Digne, Galin and Peytavie 2016, with one atom a patch. */
#include "common/area_mean.h"
#include "common/drainage/exits.h"
#include "shape/kernels/amplify_level.h"
#include "shape/kernels/exemplar.h"
#include "shape/kernels/valley_floors.h"

#include <thalweg/masks.h>
#include <thalweg/part.h>

#include <math.h>
#include <string.h>

#define TALUS_AUTO (-1)
enum { NARROWEST = 8, STEEPEST = 4 /* talus: auto, in root mean square slopes */ };

struct params {
    int32_t factor;
    float K;
    float diffusion, talus;
    float deposition, roughness;
    int32_t steps, hold;
    int32_t border;
    struct tw_labels closed;
};

static const struct tw_param params[] = {
    TW_PARAM_I32(struct params, factor, 4, 2, 8, TW_UNIT_NONE,
                 "cells a side of the result for one that the map shows: 2, 4 or 8"),
    TW_PARAM_F32(struct params, K, 8, 0, 1e6, "1 per time (m = 0.5)",
                 "how fast rivers cut: larger fits more of the valleys to the rivers",
                 TW_USUAL(1, 20)),
    TW_PARAM_F32(struct params, diffusion, 0.000005, 0, 1e6, "sides^2 per time",
                 "hillslope creep: larger gives wider, rounder hillsides", TW_USUAL(0, 0.0001)),
    TW_PARAM_F32_OR(struct params, talus, "auto", TALUS_AUTO, TALUS_AUTO, 0, 1e9,
                    TW_UNIT_RISE_PER_SIDE,
                    "steepest slope that stands; auto: four times the mean (rms) slope of the map",
                    TW_USUAL(0.5, 16)),
    TW_PARAM_F32(struct params, deposition, 0.5, 0, 100, TW_UNIT_NONE,
                 "how much of what rivers carry settles on gentle floors", TW_USUAL(0, 2)),
    TW_PARAM_F32(struct params, roughness, 1, 0, 100, "rises from cell to cell",
                 "height of the noise from which valleys start, at each scale", TW_USUAL(0, 2)),
    TW_PARAM_I32(struct params, steps, 4, 0, 10000, "steps",
                 "of erosion at each scale: more gives deeper, older valleys", TW_USUAL(1, 12)),
    TW_PARAM_I32(struct params, hold, 2, 1, 64, "coarse cells",
                 "how large a form must be to stay, at each scale: 1 keeps most of real land; 4 or "
                 "8 lets rivers make ranges of a sketch",
                 TW_USUAL(1, 8)),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_CLOSED(struct params),
    TW_PARAM_END,
};

enum { IN, EXEMPLAR, MASK };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the map, of which its means over factor x factor cells count"},
    {"exemplar", TW_HEIGHTMAP, TW_OPTIONAL,
     "land whose detail is copied to where the map is like it; if not given, erosion makes it"},
    TW_STRENGTH_PORT,
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the map with detail"},
    TW_PORT_END,
};

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    const bool power = (p->factor & (p->factor - 1)) == 0;
    return power ? TW_RULES_HOLD : TW_RULE("factor", "2, 4 or 8");
}

/* ---- sizes ---- */

static struct tw_regrid_size half_of(struct tw_regrid_size size)
{
    return (struct tw_regrid_size){(size.width + 1) / 2, (size.height + 1) / 2};
}

/* How often the map is doubled: as the factor says, unless it is too small. */
static int32_t doublings_of(struct tw_regrid_size size, int32_t factor)
{
    int32_t doublings = 0;
    for (; factor > 1; factor /= 2) {
        size = half_of(size);
        if (size.width < NARROWEST || size.height < NARROWEST)
            break;
        doublings++;
    }
    return doublings;
}

static struct tw_regrid_size task_size(const struct tw_task *task)
{
    return (struct tw_regrid_size){tw_task_width(task), tw_task_height(task)};
}

/* Share of the work of all doublings that those before the last take. */
#define EARLIER 0.25

/* ---- by erosion ---- */

struct doubling {
    struct tw_amplify_laws *laws;
    float talus;  /* the parameter */
    int32_t left; /* 0: this is the coarsest map */
    const float *in;
    float *z;      /* may be `in` */
    float *coarse; /* the map that is doubled, of `size` */
    struct tw_regrid_size size;
};

static double square_sum(const float *z, struct tw_regrid_size size)
{
    double sum = 0;
    for (int32_t y = 0; y < size.height; y++)
        for (int32_t x = 0; x < size.width; x++) {
            const float *at = z + (size_t)y * (size_t)size.width + x;
            const double along = x + 1 < size.width ? (double)(at[1] - at[0]) : 0;
            const double down = y + 1 < size.height ? (double)(at[size.width] - at[0]) : 0;
            sum += along * along + down * down;
        }
    return sum;
}

/* The coarsest map: made to drain, and its slope measured. */
static enum tw_status begin(struct tw_task *task, const struct doubling *d)
{
    const struct tw_regrid_size size = task_size(task);
    struct tw_amplify_laws *laws = d->laws;
    const double cells = (double)size.width * (double)size.height;
    laws->steep = sqrt(square_sum(d->z, size) / cells) * size.width;
    laws->talus = d->talus == TALUS_AUTO ? (float)(STEEPEST * laws->steep) : d->talus;
    enum tw_status status = tw_valley_floors_open(
        task, &(struct tw_exits){.wrap = laws->wrap, .closed = laws->closed}, d->z);
    if (status == TW_OK && laws->hold > 1)
        status = tw_amplify_level(task, laws, 0, NULL, size, d->z);
    return status;
}

static enum tw_status double_once(struct tw_task *task, void *context)
{
    const struct doubling *d = context;
    return tw_amplify_level(task, d->laws, d->left, d->coarse, d->size, d->z);
}

static enum tw_status amplify(struct tw_task *task, void *context)
{
    struct doubling *d = context, before = *d;
    if (d->left == 0)
        return begin(task, d);
    const struct tw_regrid_size whole = task_size(task), size = half_of(whole);
    float *coarse = tw_task_scratch(task, (size_t)size.width * (size_t)size.height, sizeof *coarse);
    if (!coarse)
        return tw_task_no_memory(task);
    tw_area_mean(task, d->in, size.width, size.height, coarse);
    before.left = d->left - 1;
    before.in = before.z = coarse;
    d->coarse = coarse;
    d->size = size;
    const struct tw_task_span earlier = {size.width, size.height, 0, EARLIER};
    const struct tw_task_span own = {whole.width, whole.height, EARLIER, 1};
    enum tw_status status = tw_task_part(task, &earlier, amplify, &before);
    return status == TW_OK ? tw_task_part(task, &own, double_once, d) : status;
}

static enum tw_status by_erosion(struct tw_task *task, int32_t doublings, const float *in,
                                 float *out)
{
    const struct params *p = tw_task_params(task);
    struct tw_amplify_laws laws = {.K = p->K,
                                   .m = 0.5f,
                                   .diffusion = p->diffusion,
                                   .deposition = p->deposition,
                                   .roughness = p->roughness,
                                   .steps = p->steps,
                                   .hold = p->hold,
                                   .wrap = tw_task_wraps(task, p->border),
                                   .closed = tw_closed_sides(&p->closed),
                                   .seed = tw_task_seed(task)};
    struct doubling d = {.laws = &laws, .talus = p->talus, .left = doublings, .in = in, .z = out};
    return amplify(task, &d);
}

/* ---- all of it ---- */

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const float *in = tw_floats(tw_task_input(task, IN));
    const struct tw_value *exemplar = tw_task_input(task, EXEMPLAR);
    float *out = tw_floats(tw_task_output(task, OUT));
    const int32_t doublings = doublings_of(task_size(task), p->factor);
    enum tw_status status = tw_closed_check(task, &p->closed, tw_task_wraps(task, p->border));
    if (status != TW_OK)
        return status;
    if (doublings == 0)
        memcpy(out, in, tw_value_count(tw_task_output(task, OUT)) * sizeof *out);
    else if (exemplar)
        status = tw_exemplar_amplify(task, 1 << doublings, tw_task_wraps(task, p->border),
                                     tw_floats(exemplar), in, out);
    else
        status = by_erosion(task, doublings, in, out);
    if (status == TW_OK)
        tw_strength_apply(task, in, out, tw_task_input(task, MASK), out);
    return status;
}

/* What a doubling and those before it take at once; the last takes most. */
static void forecast_doubling(struct tw_forecast *f, bool wrap)
{
    const struct params *p = f->params;
    const struct tw_regrid_size size = half_of((struct tw_regrid_size){f->width, f->height});
    tw_forecast_scratch(f, (uint64_t)size.width * (uint64_t)size.height, sizeof(float));
    tw_amplify_level_forecast(f, size, p->hold, wrap, p->closed.count > 0);
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    const bool wrap = tw_forecast_wraps(f, p->border);
    const int32_t doublings = doublings_of((struct tw_regrid_size){f->width, f->height}, p->factor);
    if (doublings == 0)
        return;
    if (f->inputs[EXEMPLAR] > 0)
        tw_exemplar_forecast(f, 1 << doublings, wrap);
    else
        forecast_doubling(f, wrap);
}

extern const struct tw_node_type tw_node_shape_amplify;
const struct tw_node_type tw_node_shape_amplify = {
    .name = "shape.amplify",
    .version = 1,
    .summary = "give a coarse map the valleys and slopes of finer cells",
    .keywords = "super-resolution, upscale, detail, enhance, sketch, DEM, multi-scale erosion, "
                "example, exemplar, sparse, terrain synthesis",
    .detail =
        "Makes land of a sketch, a noise or a coarse elevation map: its large forms stay, and "
        "between them come valleys, ridges and slopes of every scale down to a cell, all of which "
        "drain. Use hold: 4 or 8 for sketches and smooth noises, 1 for real land. Choose "
        "shape.resample for a map of fewer cells, and erosion.stream_power for land that rises "
        "from nothing.\n"
        "The result has as many cells as the recipe says, and `factor` says how many of them a "
        "side there are for one that the map shows. The map is first brought to its means over "
        "factor x factor cells; what is finer in it does not count. So for a 90 m map at 22.5 m, "
        "give the recipe four times its cells, read it with source.heightmap and fit: bilinear, "
        "and take factor: 4. Where there are fewer than 8 coarse cells a side the factor is less.\n"
        "By erosion (without an exemplar): depressions of the coarsest map are filled up to half "
        "of their depth and cut through for the rest. Then the map is doubled, again and again. "
        "Each time:\n"
        "1. Smooth splines spread it over cells half as wide and keep every mean.\n"
        "2. Noise of `roughness` times the rise from cell to cell is added, so that valleys begin "
        "somewhere.\n"
        "3. `steps` of 0.02 of erosion.stream_power (m 0.5, n 1) cut valleys. Each begins with a "
        "smooth uplift, which makes up for what the step takes from the means over hold x hold "
        "coarse cells: so large forms stay, and what erosion does is to shape what lies between. "
        "With a hold above 1 the coarsest map is eroded likewise before the first doubling.\n"
        "4. Slopes above the talus slump, as in erosion.thermal.\n"
        "5. Of what was taken, rivers lay down on gentle floors, at most half the depth of a floor "
        "below its lowest donor. With q the load, A the upstream cells, S the slope and S_0 half "
        "the map's mean (rms) slope:\n"
        "    deposition (1 - S / S_0) q / A.\n"
        "6. What dams a valley is cut through. Water runs off everywhere: over the border, or on a "
        "torus to the lowest cells. There are no hollows but those that the means of larger cells, "
        "as measure.realism takes them, or a mask bring back; keep lakes and seas with a mask.\n"
        "Outlets are the cells of the border without a lower neighbour, on a torus the lowest "
        "cell. Sides in `closed` have none: water runs along them and leaves elsewhere; where all "
        "four are closed, at the lowest cells. An inner basin is not kept but by a mask.\n"
        "By example: the exemplar's means are cut into patches of 8 x 8 coarse cells, every patch "
        "of the map (4 cells apart) takes the one that it is most like (the greatest product of "
        "both, less their means, over its length), scaled by at most 4 to fit, and the exemplar's "
        "detail there. Patches are blended by tents. So a map that is the exemplar, or its means, "
        "gives the exemplar back. Up to 16,384 patches of the exemplar are tried, from every cell; "
        "of larger ones every second or fourth cell. The detail is only as good as the exemplar is "
        "like the map, and does not drain: real land on a noise stays a noise; add erosion. K to "
        "hold, closed and the seed are for erosion only.\n"
        "measure.realism, of 9, before (smooth, from the same coarse cells) and after: a noise of "
        "three octaves, factor 8, hold 4: 1 and 6; the Jacksboro DEM, factor 4, hold 1: 5 and 6; "
        "thalweg/mountains, factor 8, hold 1: 5 and 6. Without hollows the numbers hollows and "
        "upside stay outside. measure.likeness to the land that the coarse cells were taken from: "
        "Jacksboro 0.13 and 0.11, mountains 0.23 and 0.10.\n"
        "Time: about 0.5 microseconds of processor time a cell by erosion; by example of 1024 "
        "cells a side 1 with factor 4 and 0.4 with 8.",
    .cite = "schott2024 guerin2016 braun2013 barnes2014",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .random = true,
    .example = "sketch: {type: noise.perlin, octaves: 3}\n"
               "land: {type: shape.amplify, in: sketch, factor: 4}",
    .reach = TW_REACH_ALL,
    .bordered = true,
    .check = check,
    .run = run,
    .forecast = forecast,
};
