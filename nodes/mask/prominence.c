/* SPDX-License-Identifier: MIT */
/* How far the ground rises above the land around it: the topographic position index of Guisan,
 * Weiss and Weiss 1999, and relative to the roughness there, De Reu et al. 2013. */
#include "common/rows.h"
#include "common/sides.h"
#include "mask/kernels/band.h"

#include <thalweg/padded.h>
#include <thalweg/simd.h>

enum { SUMS, SQUARES };

#define OWN_BAND 0.05, 1e9

struct params {
    float radius; /* R */
    bool relative;
    TW_BAND_FIELDS;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, radius, 0.05, 0, 0.5, TW_UNIT_SIDE,
                 "of the disc that a cell is compared with; the time grows with it"),
    TW_PARAM_BOOL(struct params, relative, 0, "over the standard deviation of the heights there"),
    TW_BAND_PARAMS(struct params, -1e9, 1e9, TW_UNIT_HEIGHT, OWN_BAND,
                   "; standard deviations where relative", "; below 0 selects hollows", 0.05, -0.5,
                   0.5, 0.3),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

TW_BAND(struct params, OWN_BAND)

TW_TERRAIN_INPUT;

enum { OUT, VALUE };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "1 where the value is within the band, 0 outside"},
    {"value", TW_HEIGHTMAP, TW_ON_DEMAND,
     "height above the mean around, or that in standard deviations"},
    TW_PORT_END,
};

struct map {
    const struct params *params;
    const float *in;
    float *out, *value;       /* value: NULL if unused */
    double mean;              /* of the map: sums stay small without it */
    struct tw_padded sums[2]; /* running along each row, from the first column beyond on */
    const int32_t *halves;    /* half the width of the disc's row at distance 0, 1, ... reach */
    double *row_sums;         /* of the map's rows */
    int32_t reach;
    const struct tw_task *task;
    enum tw_simd simd;
};

/* The running sum over the columns left of x, itself excluded, begins at column -pad. Beyond a
 * closed border there is nothing to add. */
static void run_along(const struct map *map, const struct tw_padded *sums, int32_t y, bool squares)
{
    const float *from = map->in + (size_t)y * (size_t)sums->width;
    double *to = sums->cells + (size_t)y * sums->stride, sum = 0;
    for (int32_t x = -sums->pad; x < sums->width + sums->pad; x++) {
        to[x] = sum;
        bool inside = sums->wrap || (x >= 0 && x < sums->width);
        double v = inside ? (double)from[tw_wrap(x, sums->width)] - map->mean : 0;
        sum += squares ? v * v : v;
    }
}

static void sum_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    for (int32_t y = begin; y < end; y++) {
        run_along(map, &map->sums[SUMS], y, false);
        if (map->params->relative)
            run_along(map, &map->sums[SQUARES], y, true);
    }
}

static TW_INLINE void add_row(const double *restrict sums, int32_t half, int32_t count,
                              double *restrict to)
{
    for (int32_t i = 0; i < count; i++)
        to[i] += sums[i + half + 1] - sums[i - half];
}

enum { CHUNK = 256 };

/* Cells of the disc's row around each column that the map has. */
static TW_INLINE void add_count(const struct map *map, int32_t half, int32_t x, int32_t count,
                                double *restrict to)
{
    int32_t width = map->sums[SUMS].width;
    bool wrap = map->sums[SUMS].wrap;
    for (int32_t i = 0; i < count; i++) {
        int32_t first = x + i - half, last = x + i + half;
        first = wrap || first > 0 ? first : 0;
        last = wrap || last < width ? last : width - 1;
        to[i] += last - first + 1;
    }
}

static TW_INLINE void stand(const struct map *map, const double *sums, const double *squares,
                            const double *counts, size_t first, int32_t count, bool valued)
{
    const struct params p = *map->params;
    const struct tw_band band = band_of(&p);
    const float *restrict in = map->in + first;
    float *restrict out = map->out + first, *restrict value = valued ? map->value + first : NULL;
    double whole = map->mean;
    for (int32_t i = 0; i < count; i++) {
        double mean = sums[i] / counts[i], above = ((double)in[i] - whole) - mean;
        if (p.relative) {
            double variance = squares[i] / counts[i] - mean * mean;
            double deviation = sqrt(variance > 0 ? variance : 0);
            above = deviation > 1e-12 ? above / (deviation > 1e-12 ? deviation : 1) : 0;
        }
        if (valued)
            value[i] = (float)above;
        out[i] = tw_mask_band((float)above, band);
    }
}

static TW_INLINE void compare_body(const struct map *map, int32_t x, int32_t y, int32_t count)
{
    double sums[CHUNK] = {0}, squares[CHUNK] = {0}, counts[CHUNK] = {0};
    const struct tw_padded *rows = &map->sums[SUMS];
    for (int32_t dy = -map->reach; dy <= map->reach; dy++) {
        int32_t half = map->halves[dy < 0 ? -dy : dy];
        if (!rows->wrap && (y + dy < 0 || y + dy >= rows->height))
            continue;
        add_row(tw_padded_row(rows, y + dy) + x, half, count, sums);
        if (map->params->relative)
            add_row(tw_padded_row(&map->sums[SQUARES], y + dy) + x, half, count, squares);
        add_count(map, half, x, count, counts);
    }
    size_t first = (size_t)y * (size_t)rows->width + (size_t)x;
    if (map->value)
        stand(map, sums, squares, counts, first, count, true);
    else
        stand(map, sums, squares, counts, first, count, false);
}
TW_SIMD_KERNEL(compare, (const struct map *map, int32_t x, int32_t y, int32_t count),
               (map, x, y, count))

static void compare_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    int32_t width = map->sums[SUMS].width;
    for (int32_t y = begin; y < end && !tw_task_cancelled(map->task); y++)
        for (int32_t x = 0; x < width; x += CHUNK)
            compare(map->simd)(map, x, y, width - x < CHUNK ? width - x : CHUNK);
}

static void add_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    size_t width = (size_t)map->sums[SUMS].width;
    for (int32_t y = begin; y < end; y++) {
        map->row_sums[y] = 0;
        for (size_t x = 0; x < width; x++)
            map->row_sums[y] += (double)map->in[(size_t)y * width + x];
    }
}

static void find_mean(struct tw_task *task, struct map *map)
{
    int32_t height = map->sums[SUMS].height;
    double sum = 0;
    tw_rows(task, height, 32, add_rows, map);
    for (int32_t y = 0; y < height; y++)
        sum += map->row_sums[y];
    map->mean = sum / ((double)map->sums[SUMS].width * (double)height);
}

static int32_t reach_of(const struct params *p, int32_t width)
{
    return (int32_t)tw_sides_in_cells(p->radius, width);
}

/* dx^2 + dy^2 <= (R / c)^2 */
static void fill_halves(int32_t *halves, int32_t reach, double radius)
{
    for (int32_t dy = 0; dy <= reach; dy++) {
        halves[dy] = dy == 0 ? reach : halves[dy - 1];
        while (halves[dy] > 0 &&
               (double)halves[dy] * halves[dy] + (double)dy * dy > radius * radius)
            halves[dy]--;
    }
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    struct map map = {.params = p,
                      .in = tw_floats(tw_task_input(task, IN)),
                      .out = tw_floats(tw_task_output(task, OUT)),
                      .value = tw_floats(tw_task_output(task, VALUE)),
                      .row_sums = tw_task_scratch(task, (size_t)height, sizeof *map.row_sums),
                      .reach = reach_of(p, width),
                      .task = task,
                      .simd = tw_task_simd(task)};
    int32_t *halves = tw_task_scratch(task, (size_t)map.reach + 1, sizeof *halves);
    if (!halves || !map.row_sums)
        return tw_task_no_memory(task);
    fill_halves(halves, map.reach, tw_sides_in_cells(p->radius, width));
    map.halves = halves;
    bool wrap = tw_task_wraps(task, p->border);
    enum tw_status status = tw_padded_init(task, &map.sums[SUMS], map.reach + 2, wrap);
    if (status == TW_OK && p->relative)
        status = tw_padded_init(task, &map.sums[SQUARES], map.reach + 2, wrap);
    if (status != TW_OK)
        return status;
    find_mean(task, &map);
    tw_rows(task, height, 16, sum_rows, &map);
    tw_rows(task, height, 8, compare_rows, &map);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    int32_t reach = reach_of(p, f->width);
    tw_padded_forecast(f, reach + 2);
    if (p->relative)
        tw_padded_forecast(f, reach + 2);
    tw_forecast_scratch(f, (uint64_t)f->height, sizeof(double));
    tw_forecast_scratch(f, (uint64_t)reach + 1, sizeof(int32_t));
}

extern const struct tw_node_type tw_node_mask_prominence;
const struct tw_node_type tw_node_mask_prominence = {
    .name = "mask.prominence",
    .version = 3,
    .summary = "what stands above the land around it, or lies below",
    .keywords =
        "peaks, summits, ridges, valleys, hollows, topographic position index, TPI, relative "
        "height, local relief",
    .elsewhere = "Peaks (Gaea), HeightField Mask by Feature (Houdini), RelativeElevation (Hesiod), "
                 "gdaldem TPI (GDAL), Topographic Position Index (SAGA)",
    .detail =
        "Selects what rises above the land around it, or lies below: crests and valleys of the "
        "size of radius. Choose mask.curvature for sharp edges, and mask.height for heights that "
        "count from one level.\n"
        "The value is the height less the mean height over the disc of radius around the cell, "
        "the cell included. With relative it is divided by the standard deviation of these "
        "heights, and 0 where that is below 1e-12. Crests are above 0 and valleys below; on a "
        "torus the values sum to 0.\n"
        "Within the band out is 1. At a distance d beyond it, with t = 1 - d / softness:\n"
        "    out = 3 t^2 - 2 t^3.\n"
        "Beyond a closed border there is nothing: the disc is the part of it that lies on the "
        "map.",
    .cite = "guisan1999 dereu2013",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "land: {type: erosion.stream_power, in: noise, steps: 30}\n"
               "high: {type: mask.prominence, in: land, radius: 0.1}",
    .bordered = true,
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
    .forecast = forecast,
};
