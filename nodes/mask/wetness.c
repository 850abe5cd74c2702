/* SPDX-License-Identifier: MIT */
/* Where water gathers: the topographic wetness index ln(a / tan b) of Beven and Kirkby 1979, with a
 * the upstream area per length of contour by the flow of Freeman 1991. Lakes, which have no slope
 * of their own, take the least slope; D8 does not measure hillsides. */
#include "common/drainage/flow_accumulation.h"
#include "common/drainage/outlets.h"
#include "common/rows.h"
#include "mask/kernels/band.h"

#include <thalweg/gradient.h>
#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#define OWN_BAND -2, 100

struct params {
    TW_BAND_FIELDS;
    float least_slope;
    float exponent;
    int32_t border;
    struct tw_labels closed;
};

static const struct tw_param params[] = {
    TW_BAND_PARAMS(struct params, -100, 100, TW_UNIT_NONE, OWN_BAND, " of the index", "", 2, -8, 8,
                   6),
    TW_PARAM_F32(struct params, least_slope, 0.01, 1e-6, 1e6, TW_UNIT_RISE_PER_SIDE,
                 "slope of flatter ground and of lakes", TW_USUAL(0.001, 0.1)),
    TW_PARAM_F32(struct params, exponent, 1.1, 0.1, 20, TW_UNIT_NONE,
                 "of the slopes that water is shared by; see measure.flow"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_CLOSED(struct params),
    TW_PARAM_END,
};

TW_BAND(struct params, OWN_BAND)

enum { IN, OUTLETS };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_OUTLETS_PORT,
    TW_PORT_END,
};

enum { OUT, VALUE };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "1 where the index is within the band, 0 outside"},
    {"value", TW_HEIGHTMAP, TW_ON_DEMAND, "the index, about -6 on crests to 6 in lakes"},
    TW_PORT_END,
};

struct map {
    const struct params *params;
    const float *in, *filled;
    float *out, *value; /* value: the upstream area in cells, then the index */
    int32_t width, height;
    bool wrap;
};

static float index_of(const struct map *map, int32_t x, int32_t y)
{
    size_t i = (size_t)y * (size_t)map->width + (size_t)x;
    const float *cell = map->in + i;
    double east = tw_gradient_along(cell, x, map->width, 1, map->wrap);
    double south = tw_gradient_along(cell, y, map->height, map->width, map->wrap);
    double slope = sqrt(east * east + south * south) * map->width;
    double least = (double)map->params->least_slope;
    if (slope < least || map->filled[i] > *cell)
        slope = least;
    return (float)(tw_log2((double)map->value[i] / ((double)map->width * slope)) *
                   0.6931471805599453);
}

static void index_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    const struct tw_band band = band_of(map->params);
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < map->width; x++) {
            size_t i = (size_t)y * (size_t)map->width + (size_t)x;
            float index = index_of(map, x, y);
            map->value[i] = index;
            map->out[i] = tw_mask_band(index, band);
        }
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    float *out = tw_floats(tw_task_output(task, OUT));
    struct map map = {p,
                      tw_floats(tw_task_input(task, IN)),
                      out, /* until the mask takes its place, cell by cell */
                      out,
                      tw_floats(tw_task_output(task, VALUE)),
                      tw_task_width(task),
                      tw_task_height(task),
                      tw_task_wraps(task, p->border)};
    if (!map.value)
        map.value = tw_task_scratch(task, tw_value_count(tw_task_output(task, OUT)), sizeof *out);
    if (!map.value)
        return tw_task_no_memory(task);
    struct tw_exits exits;
    enum tw_status status =
        tw_exits_read(task, &p->closed, tw_task_input(task, OUTLETS), map.wrap, &exits);
    if (status == TW_OK)
        status = tw_flow_accumulation_filled(task, map.in, &exits, TW_FLOW_MFD, p->exponent,
                                             map.value, out);
    if (status == TW_OK)
        tw_rows(task, map.height, 16, index_rows, &map);
    return status;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    bool wrap = tw_forecast_wraps(f, p->border);
    tw_flow_accumulation_forecast(f, tw_exits_need_map(f, &p->closed, wrap, OUTLETS), TW_FLOW_MFD);
    if (!tw_forecast_wants(f, VALUE))
        tw_forecast_maps(f, 1, sizeof(float));
}

extern const struct tw_node_type tw_node_mask_wetness;
const struct tw_node_type tw_node_mask_wetness = {
    .name = "mask.wetness",
    .version = 4,
    .summary = "where water gathers: the topographic wetness index",
    .keywords = "moisture, swamp, soil, TWI, topographic wetness index, where water gathers, snow "
                "melt, vegetation",
    .elsewhere = "Soil (Gaea), r.topidx (GRASS), SAGA Wetness Index (SAGA)",
    .detail =
        "Finds where water gathers, by the topographic wetness index: wet valley floors, lakes, "
        "dry crests. Choose mask.flow for the rivers alone.\n"
        "    index = ln(a / tan b).\n"
        "a is the upstream area per length of contour, both in map sides, as measure.flow gives "
        "it with mfd on the filled map. b is the slope of the unfilled map, at least "
        "least_slope; in lakes, cells below the fill, it is least_slope.\n"
        "On an even slope the index is the logarithm of the distance from the top over the "
        "slope, so it does not depend on the resolution. In rivers, which are one cell wide, it "
        "grows by ln 2 with each doubling of the cells a side.\n"
        "Within the band out is 1. At a distance d beyond it, with t = 1 - d / softness:\n"
        "    out = 3 t^2 - 2 t^3." TW_CHOSEN_OUTLETS_DETAIL,
    .cite = "beven1979 freeman1991",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "land: {type: erosion.stream_power, in: noise, steps: 30}\n"
               "wet: {type: mask.wetness, in: land}",
    .reach = TW_REACH_ALL,
    .bordered = true,
    .check = check,
    .run = run,
    .forecast = forecast,
};
