/* SPDX-License-Identifier: MIT */
/* How much a terrain is curved, down its slopes or along its contours: the second derivatives of
 * the quadratic through 3 x 3 cells, Zevenbergen and Thorne 1987, in the directions of Evans 1980.
 * We divide by the gradient's square only, so that curvature is linear in the heights and has no
 * unit of height in it, where theirs also divides by (1 + p^2 + q^2)^(3/2). */
#include "common/rows.h"
#include "common/sides.h"
#include "mask/kernels/band.h"
#include "mask/kernels/gaussian.h"

#define OWN_BAND 0.5, 1e9

enum { MEAN, PROFILE, PLAN };

struct params {
    int32_t kind;
    float radius; /* R */
    TW_BAND_FIELDS;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_ENUM(struct params, kind, MEAN, "mean|profile|plan",
                  "in the mean, down the slope, or along the contour"),
    TW_PARAM_F32(struct params, radius, 0.01, 0, 0.25, TW_UNIT_SIDE,
                 "size of what is curved, one cell at least; larger overlooks roughness",
                 TW_USUAL(0, 0.05)),
    TW_BAND_PARAMS(struct params, -1e9, 1e9, TW_UNIT_RISE_PER_SIDE, OWN_BAND,
                   ": change of slope over the radius", "; below 0 selects hollows", 0.5, -10, 10,
                   5),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

TW_BAND(struct params, OWN_BAND)

TW_TERRAIN_INPUT;

enum { OUT, VALUE };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "1 where the curvature is within the band, 0 outside"},
    {"value", TW_HEIGHTMAP, TW_ON_DEMAND,
     "the curvature: change of slope per map side, convex above 0"},
    TW_PORT_END,
};

struct map {
    const struct params *params;
    struct tw_padded heights;
    float *out, *value; /* value: NULL if unused */
    double cells;       /* per map side */
    float reach;        /* what the mask takes the curvature over, in map sides */
    enum tw_simd simd;
};

/* p, q: slopes to the east and south; r, s, t: their change to the east, across and south. */
static TW_INLINE double curvature(int32_t kind, double p, double q, double r, double s, double t)
{
    double square = p * p + q * q, cross = 2 * p * q * s, mean = -0.5 * (r + t);
    double down = -(p * p * r + cross + q * q * t), along = -(q * q * r - cross + p * p * t);
    bool level = square < 1e-12;
    double directed = (kind == PROFILE ? down : along) / (level ? 1 : square);
    return kind == MEAN || level ? mean : directed;
}

static TW_INLINE void measure_cells(const struct map *map, int32_t kind, bool valued, int32_t y)
{
    const double *n = tw_padded_row(&map->heights, y - 1), *c = tw_padded_row(&map->heights, y);
    const double *s = tw_padded_row(&map->heights, y + 1);
    const struct tw_band band = band_of(map->params);
    size_t first = (size_t)y * (size_t)map->heights.width;
    float *restrict out = map->out + first, *restrict value = valued ? map->value + first : NULL;
    double half = 0.5 * map->cells, square = map->cells * map->cells;
    int32_t width = map->heights.width;
    float reach = map->reach;
    for (int32_t x = 0; x < width; x++) {
        double twice = 2 * c[x];
        double corners = (s[x + 1] + n[x - 1]) - (n[x + 1] + s[x - 1]);
        float v = (float)curvature(kind, (c[x + 1] - c[x - 1]) * half, (s[x] - n[x]) * half,
                                   ((c[x + 1] + c[x - 1]) - twice) * square,
                                   corners * (0.25 * square), ((s[x] + n[x]) - twice) * square);
        if (valued)
            value[x] = v;
        out[x] = tw_mask_band(v * reach, band);
    }
}

static TW_INLINE void measure(const struct map *map, int32_t kind, int32_t y)
{
    if (map->value)
        measure_cells(map, kind, true, y);
    else
        measure_cells(map, kind, false, y);
}

static TW_INLINE void measure_row_body(const struct map *map, int32_t y)
{
    if (map->params->kind == MEAN)
        measure(map, MEAN, y);
    else if (map->params->kind == PROFILE)
        measure(map, PROFILE, y);
    else
        measure(map, PLAN, y);
}
TW_SIMD_KERNEL(measure_row, (const struct map *map, int32_t y), (map, y))

static void measure_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    for (int32_t y = begin; y < end; y++)
        measure_row(map->simd)(map, y);
}

static double sigma_of(const struct params *p, int32_t width)
{
    return 0.5 * tw_sides_in_cells(p->radius, width);
}

/* The Gaussian's four standard deviations, and the neighbours that are compared. */
static int32_t reach_of(const void *at, int32_t width, int32_t height)
{
    (void)height;
    return (int32_t)(4 * sigma_of(at, width)) + 2;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    int32_t width = tw_task_width(task);
    struct map map = {.params = p,
                      .out = tw_floats(tw_task_output(task, OUT)),
                      .value = tw_floats(tw_task_output(task, VALUE)),
                      .cells = width,
                      .reach = tw_max(p->radius, 1.0f / (float)width),
                      .simd = tw_task_simd(task)};
    enum tw_status status = tw_padded_init(task, &map.heights, 1, tw_task_wraps(task, p->border));
    if (status == TW_OK)
        status =
            tw_gaussian(task, tw_floats(tw_task_input(task, IN)), sigma_of(p, width), &map.heights);
    if (status == TW_OK)
        tw_rows(task, map.heights.height, 32, measure_rows, &map);
    return status;
}

static void forecast(struct tw_forecast *f)
{
    tw_padded_forecast(f, 1);
    tw_gaussian_forecast(f, sigma_of(f->params, f->width));
}

extern const struct tw_node_type tw_node_mask_curvature;
const struct tw_node_type tw_node_mask_curvature = {
    .name = "mask.curvature",
    .version = 4,
    .summary = "ridges and hollows by their curvature",
    .keywords = "convexity, concavity, ridges, hollows, cavity, edges, wear, snow in hollows",
    .elsewhere =
        "Curvature (Gaea), Convexity Selector (World Machine), HeightField Mask by Feature "
        "(Houdini), SelectCavities (Hesiod), Geometry Pointiness (Blender), r.param.scale "
        "(GRASS)",
    .detail =
        "Selects ridges or hollows by how the slope changes, which is sharp and local. Choose "
        "mask.prominence to compare the height with the land around, and measure.landforms for "
        "named forms.\n"
        "p and q are the slopes to the east and south, and r, s, t their changes. Convex ground "
        "is above 0:\n"
        "    profile = -(p^2 r + 2 p q s + q^2 t) / (p^2 + q^2);\n"
        "    plan = -(q^2 r - 2 p q s + p^2 t) / (p^2 + q^2);\n"
        "    mean = -(r + t) / 2.\n"
        "The mean is half of profile + plan. Where the ground is level (p^2 + q^2 below 1e-12) "
        "all three kinds are the mean.\n"
        "The heights are first smoothed by a Gaussian of standard deviation radius / 2, cut at "
        "four of them; the time grows with radius. The mask takes the curvature times the "
        "radius, or times a cell if that is larger: how much the slope changes over that length.\n"
        "Within the band out is 1. At a distance d beyond it, with t = 1 - d / softness:\n"
        "    out = 3 t^2 - 2 t^3.\n"
        "Beyond a closed border the ground goes straight on, so planes are not curved there:\n"
        "    z(-k) = 2 z(0) - z(k).",
    .cite = "zevenbergen1987 evans1980 wood1996",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "land: {type: erosion.stream_power, in: noise, steps: 30}\n"
               "crests: {type: mask.curvature, in: land, radius: 0.02}",
    .bordered = true,
    .reach_of = reach_of,
    .check = check,
    .run = run,
    .forecast = forecast,
};
