/* SPDX-License-Identifier: MIT */
/* Where a terrain's slope lies in a band. */
#include "mask/kernels/band.h"

#include <thalweg/kernel.h>

#define OWN_BAND 2, 1e9

struct params {
    TW_BAND_FIELDS;
    float radius;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_BAND_PARAMS(struct params, 0, 1e9, TW_UNIT_RISE_PER_SIDE, OWN_BAND, "", "", 0.5),
    TW_PARAM_F32(struct params, radius, 0, 0, 0.5, TW_UNIT_SIDE,
                 "distance over which heights are compared, one cell at least; larger overlooks "
                 "roughness"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

TW_BAND(struct params, OWN_BAND)

enum { IN };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "1 where the slope is within the band, 0 outside"},
    TW_PORT_END,
};

struct map {
    const struct params *params;
    const float *in;
    float *out;
    int32_t width, height;
    int32_t distance; /* cells between heights that are compared */
    float per_side;   /* turns their difference into rise per side */
    bool wrap;
    enum tw_simd simd;
};

/* Cell i of a line of n cells; -1 where there is none. */
static TW_INLINE int32_t beyond(const struct map *map, int32_t i, int32_t n)
{
    if (map->wrap)
        return tw_wrap(i, n);
    return i >= 0 && i < n ? i : -1;
}

static TW_INLINE float steeper(float a, float b) { return tw_max(a < 0 ? -a : a, b < 0 ? -b : b); }

/* From the differences to the west or east and to the north or south, whichever is steeper. */
static TW_INLINE float belong(const struct map *map, float dx, float dy)
{
    return tw_mask_band(sqrtf(dx * dx + dy * dy) * map->per_side, band_of(map->params));
}

/* `up` and `down` are `row` itself where there is no row at that distance. */
static TW_INLINE void mask_row_body(const struct map *at, const float *up, const float *row,
                                    const float *down, float *out)
{
    const struct params p = *at->params;
    struct map map = *at;
    map.params = &p;
    int32_t far = map.distance, last = map.width - far;
    for (int32_t x = far; x < last; x++)
        out[x] = belong(&map, steeper(row[x] - row[x - far], row[x + far] - row[x]),
                        steeper(row[x] - up[x], down[x] - row[x]));
    for (int32_t x = 0; x < map.width; x = x == far - 1 && last > far ? last : x + 1) {
        int32_t before = beyond(&map, x - far, map.width), after = beyond(&map, x + far, map.width);
        float west = before >= 0 ? row[x] - row[before] : 0;
        float east = after >= 0 ? row[after] - row[x] : 0;
        out[x] = belong(&map, steeper(west, east), steeper(row[x] - up[x], down[x] - row[x]));
    }
}
TW_SIMD_KERNEL(mask_row,
               (const struct map *map, const float *up, const float *row, const float *down,
                float *out),
               (map, up, row, down, out))

static void mask_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    size_t width = (size_t)map->width;
    for (int32_t y = begin; y < end; y++) {
        int32_t above = beyond(map, y - map->distance, map->height);
        int32_t below = beyond(map, y + map->distance, map->height);
        above = above >= 0 ? above : y;
        below = below >= 0 ? below : y;
        mask_row(map->simd)(map, map->in + (size_t)above * width, map->in + (size_t)y * width,
                            map->in + (size_t)below * width, map->out + (size_t)y * width);
    }
}

static int32_t distance_of(const struct params *p, int32_t width)
{
    int32_t distance = (int32_t)(p->radius * (float)width + 0.5f);
    return distance > 1 ? distance : 1;
}

static int32_t reach_of(const void *at, int32_t width, int32_t height)
{
    (void)height;
    return distance_of(at, width);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    int32_t width = tw_task_width(task), distance = distance_of(p, width);
    struct map map = {p,
                      tw_floats(tw_task_input(task, IN)),
                      tw_floats(tw_task_output(task, OUT)),
                      width,
                      tw_task_height(task),
                      distance,
                      (float)width / (float)distance,
                      tw_task_wraps(task, p->border),
                      tw_task_simd(task)};
    tw_rows(task, map.height, 32, mask_rows, &map);
    return TW_OK;
}

extern const struct tw_node_type tw_node_mask_slope;
const struct tw_node_type tw_node_mask_slope = {
    .name = "mask.slope",
    .version = 4,
    .summary = "select a band of slopes",
    .keywords = "steepness, cliffs, rock, flat ground, snow, angle, inclination",
    .elsewhere =
        "Slope (Gaea), Slope Selector (World Machine), HeightField Mask by Feature (Houdini), "
        "SelectSlope (Hesiod), gdaldem slope (GDAL), r.slope.aspect (GRASS)",
    .detail =
        "The slope is the length of the gradient. Along either axis it is the steeper of the "
        "slopes to both sides, over a distance of radius, so that a crest is as steep as its "
        "flanks; near the border it goes on at the other side where the world wraps, and is that "
        "to the one side there is where it ends. Within the band out = 1; at a distance d "
        "beyond, 3 t^2 - 2 t^3 with t = 1 - d / softness.",
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
