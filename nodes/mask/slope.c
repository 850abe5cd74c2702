/* SPDX-License-Identifier: MIT */
/* Where a terrain's slope lies in a band: the length of its gradient, or how steeply it falls to
 * the lowest of eight neighbours, which is 0 at the foot of a cliff. */
#include "common/rows.h"
#include "mask/kernels/band.h"
#include "mask/kernels/slopes.h"

#define OWN_BAND 2, 1e9

enum { GRADIENT, DOWNHILL };

struct params {
    TW_BAND_FIELDS;
    int32_t kind;
    float radius;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_BAND_PARAMS(struct params, 0, 1e9, TW_UNIT_RISE_PER_SIDE, OWN_BAND, "", "", 0.5, 0, 20, 8),
    TW_PARAM_ENUM(struct params, kind, GRADIENT, "gradient|downhill",
                  "the steepness of the surface, or of the steepest way down to a neighbour"),
    TW_PARAM_F32(struct params, radius, 0, 0, 0.5, TW_UNIT_SIDE,
                 "distance over which heights are compared, one cell at least; larger overlooks "
                 "roughness"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

TW_BAND(struct params, OWN_BAND)

TW_TERRAIN_INPUT;

enum { OUT, VALUE };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "1 where the slope is within the band, 0 outside"},
    {"value", TW_HEIGHTMAP, TW_ON_DEMAND, "the slope, in rise per map side"},
    TW_PORT_END,
};

struct map {
    const struct params *params;
    struct tw_slopes slopes;
    float *out, *value; /* value: NULL if unused */
    enum tw_simd simd;
};

static TW_INLINE void belong_body(const struct params *p, const float *slopes, int32_t count,
                                  float *out)
{
    const struct tw_band band = band_of(p);
    for (int32_t x = 0; x < count; x++)
        out[x] = tw_mask_band(slopes[x], band);
}
TW_SIMD_KERNEL(belong, (const struct params *p, const float *slopes, int32_t count, float *out),
               (p, slopes, count, out))

static void mask_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    int32_t width = map->slopes.width;
    for (int32_t y = begin; y < end; y++) {
        size_t first = (size_t)y * (size_t)width;
        float *out = map->out + first, *slopes = map->value ? map->value + first : out;
        tw_slopes_row(&map->slopes, map->simd, y, slopes);
        belong(map->simd)(map->params, slopes, width, out);
    }
}

static int32_t reach_of(const void *at, int32_t width, int32_t height)
{
    (void)height;
    return tw_slopes_reach(((const struct params *)at)->radius, width);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct map map = {.params = p,
                      .slopes = tw_slopes_of(task, tw_floats(tw_task_input(task, IN)), p->radius,
                                             tw_task_wraps(task, p->border)),
                      .out = tw_floats(tw_task_output(task, OUT)),
                      .value = tw_floats(tw_task_output(task, VALUE)),
                      .simd = tw_task_simd(task)};
    map.slopes.downhill = p->kind == DOWNHILL;
    tw_rows(task, map.slopes.height, 32, mask_rows, &map);
    return TW_OK;
}

extern const struct tw_node_type tw_node_mask_slope;
const struct tw_node_type tw_node_mask_slope = {
    .name = "mask.slope",
    .version = 4,
    .summary = "select a band of slopes",
    .keywords = "steepness, cliffs, rock, flat ground, snow, angle, inclination, downhill slope, "
                "steepest descent, avalanche",
    .elsewhere =
        "Slope (Gaea), Slope Selector (World Machine), HeightField Mask by Feature (Houdini), "
        "SelectSlope (Hesiod), gdaldem slope (GDAL), r.slope.aspect (GRASS)",
    .detail =
        "Selects a band of slopes: cliffs for rock, gentle ground for grass or for building. "
        "Choose mask.aspect for the direction of a slope, and measure.slope for the measure of "
        "the papers.\n"
        "gradient is the length of the gradient. Along either axis it is the steeper of the "
        "slopes to both sides, so that a crest is as steep as its flanks.\n"
        "downhill is the greatest fall to one of the eight neighbours over its distance, and 0 in "
        "hollows. It asks whether anything here can slide: a cliff's face and brink are steep, "
        "and the level ground at its foot is not.\n"
        "    downhill = max(0, greatest (z - z_i) / distance).\n"
        "Slopes are taken over a distance of radius, along diagonals sqrt(2) times as far, with "
        "linear heights between cells.\n"
        "Near the border the slope goes on at the other side where the world wraps; where the "
        "map ends, it is that to the sides that exist.\n"
        "Within the band out is 1. At a distance d beyond it, with t = 1 - d / softness:\n"
        "    out = 3 t^2 - 2 t^3.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.perlin}\n"
               "cliffs: {type: mask.slope, in: noise, low: 4, softness: 2}",
    .bordered = true,
    .reach_of = reach_of,
    .check = check,
    .run = run,
};
