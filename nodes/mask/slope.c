/* SPDX-License-Identifier: MIT */
/* Where a terrain's slope lies in a band. */
#include "common/rows.h"
#include "mask/kernels/band.h"

#include <thalweg/kernel.h>

#include <math.h>

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

TW_TERRAIN_INPUT;

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
    int32_t near, far; /* heights are compared with those between both, so many cells away */
    float share;       /* of the far ones */
    float per_side;    /* turns the difference into rise per side */
    bool wrap;
    enum tw_simd simd;
};

/* Cell i of a line of n cells; -1 if it lies beyond a border that ends. */
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

/* Rows at the near and the far distance; `row` itself where there is no far one. */
struct rows {
    const float *up[2], *row, *down[2];
};

static TW_INLINE float between(const struct map *map, float near, float far, bool whole)
{
    return whole ? near : (1 - map->share) * near + map->share * far;
}

static TW_INLINE float along_column(const struct map *map, const struct rows *r, int32_t x,
                                    bool whole)
{
    return steeper(r->row[x] - between(map, r->up[0][x], r->up[1][x], whole),
                   between(map, r->down[0][x], r->down[1][x], whole) - r->row[x]);
}

/* Cells whose row ends within the distance. */
static TW_INLINE void mask_ends(const struct map *map, const struct rows *r, bool whole, float *out)
{
    const float *row = r->row;
    int32_t n = map->width, near = map->near, far = map->far, last = n - far;
    for (int32_t x = 0; x < n; x = x == far - 1 && last > far ? last : x + 1) {
        int32_t before = beyond(map, x - far, n), after = beyond(map, x + far, n);
        float west = 0, east = 0;
        if (before >= 0)
            west = row[x] - between(map, row[beyond(map, x - near, n)], row[before], whole);
        if (after >= 0)
            east = between(map, row[beyond(map, x + near, n)], row[after], whole) - row[x];
        out[x] = belong(map, steeper(west, east), along_column(map, r, x, whole));
    }
}

/* `whole`: the distance is one of whole cells. */
static TW_INLINE void mask_cells(const struct map *at, const struct rows *rows, bool whole,
                                 float *out)
{
    const struct params p = *at->params;
    const struct rows r = *rows;
    struct map map = *at;
    map.params = &p;
    int32_t near = map.near, far = map.far, last = map.width - far;
    const float *row = r.row;
    for (int32_t x = far; x < last; x++) {
        float west = between(&map, row[x - near], row[x - far], whole);
        float east = between(&map, row[x + near], row[x + far], whole);
        out[x] =
            belong(&map, steeper(row[x] - west, east - row[x]), along_column(&map, &r, x, whole));
    }
    mask_ends(&map, &r, whole, out);
}

static TW_INLINE void mask_row_body(const struct map *map, const struct rows *rows, float *out)
{
    if (map->near == map->far)
        mask_cells(map, rows, true, out);
    else
        mask_cells(map, rows, false, out);
}
TW_SIMD_KERNEL(mask_row, (const struct map *map, const struct rows *rows, float *out),
               (map, rows, out))

/* The rows at both distances above, or below, row y. */
static void set_rows(const struct map *map, int32_t y, int32_t sign, const float *rows[2])
{
    int32_t near = beyond(map, y + sign * map->near, map->height);
    int32_t far = beyond(map, y + sign * map->far, map->height);
    rows[0] = map->in + (size_t)(far >= 0 ? near : y) * (size_t)map->width;
    rows[1] = map->in + (size_t)(far >= 0 ? far : y) * (size_t)map->width;
}

static void mask_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    for (int32_t y = begin; y < end; y++) {
        size_t first = (size_t)y * (size_t)map->width;
        struct rows rows = {.row = map->in + first};
        set_rows(map, y, -1, rows.up);
        set_rows(map, y, 1, rows.down);
        mask_row(map->simd)(map, &rows, map->out + first);
    }
}

/* In cells, to 1/256, so that what is meant to be whole is. */
static double distance_of(const struct params *p, int32_t width)
{
    double distance = floor((double)p->radius * width * 256 + 0.5) / 256;
    return distance > 1 ? distance : 1;
}

static int32_t reach_of(const void *at, int32_t width, int32_t height)
{
    (void)height;
    return (int32_t)ceil(distance_of(at, width));
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    int32_t width = tw_task_width(task);
    double distance = distance_of(p, width);
    struct map map = {.params = p,
                      .in = tw_floats(tw_task_input(task, IN)),
                      .out = tw_floats(tw_task_output(task, OUT)),
                      .width = width,
                      .height = tw_task_height(task),
                      .near = (int32_t)distance,
                      .far = (int32_t)ceil(distance),
                      .share = (float)(distance - floor(distance)),
                      .per_side = (float)(width / distance),
                      .wrap = tw_task_wraps(task, p->border),
                      .simd = tw_task_simd(task)};
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
        "Selects a band of slopes: cliffs for rock, gentle ground for grass or for building. "
        "Choose mask.aspect for the direction of a slope, and measure.slope for the measure of "
        "the papers.\n"
        "The slope is the length of the gradient. Along either axis it is the steeper of the "
        "slopes to both sides, so that a crest is as steep as its flanks. A slope is taken over "
        "a distance of radius, with linear heights between cells.\n"
        "Near the border the slope goes on at the other side where the world wraps; where the "
        "map ends, it is that to the one side that exists.\n"
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
