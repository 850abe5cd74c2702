/* SPDX-License-Identifier: MIT */
/* The sea of a map: what lies below a level, on request only where water can come in, the distance
 * of every cell from the shore, and what sort of coast it is. */
#include "common/distance_transform.h"
#include "common/rows.h"
#include "water/kernels/coastline.h"
#include "water/kernels/sea_search.h"

#include <thalweg/kernel.h>

struct params {
    float level;
    bool connected;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, level, 0.3, -1e6, 1e6, TW_UNIT_HEIGHT, "of the sea",
                 TW_USUAL(0, 1)),
    TW_PARAM_BOOL(
        struct params, connected, false,
        "only what is joined to the border, over corners too; on a torus the largest sea"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

TW_TERRAIN_INPUT;

enum { OUT, SHORE, RECORD };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "1 in the sea, 0 on land"},
    {"shore", TW_HEIGHTMAP, TW_ON_DEMAND,
     "distance from the shore in map sides, below 0 in the sea; 2 or -2 without one"},
    {"record", TW_RECORD, TW_ON_DEMAND,
     "share of the map, islands, shore (its length in map sides), dimension of the coast"},
    TW_PORT_END,
};

static enum tw_status write_record(struct tw_task *task, const struct tw_sea_search *s,
                                   struct tw_coastline *coast, int64_t sea)
{
    enum tw_status status = tw_task_list(task, RECORD, 4);
    if (status != TW_OK)
        return status;
    struct tw_value *record = tw_task_output(task, RECORD);
    tw_coastline_measure(coast, s->mask, s->width, s->height, s->wrap);
    tw_record_set(record, 0, "share", (double)sea / ((double)s->width * (double)s->height));
    tw_record_set(record, 1, "islands", tw_sea_islands(s));
    tw_record_set(record, 2, "shore", (double)coast->edges / s->width);
    tw_record_set(record, 3, "dimension", coast->dimension);
    return TW_OK;
}

struct shore {
    const float *mask;
    float *to_land;
    float *out; /* the distance to the sea, then from the shore */
    int32_t width;
    float half; /* of a cell: the shore lies between cells */
    struct tw_distance_space space;
};

static bool lay_out(struct tw_scratch *s, struct tw_sea_search *search, struct shore *shore,
                    struct tw_coastline *coast)
{
    const struct params *p = tw_scratch_params(s);
    const bool record = tw_scratch_wants(s, RECORD);
    search->queue = p->connected || record ? tw_scratch_maps(s, 1, sizeof *search->queue) : NULL;
    if (record)
        tw_coastline_lay_out(s, coast);
    if (!tw_scratch_wants(s, SHORE))
        return tw_scratch_is_laid(s);
    shore->to_land = tw_scratch_maps(s, 1, sizeof *shore->to_land);
    return tw_distance_lay_out(s, &shore->space, tw_scratch_wraps(s, p->border));
}

static void shore_rows(void *context, int32_t begin, int32_t end)
{
    const struct shore *s = context;
    size_t last = (size_t)end * (size_t)s->width;
    for (size_t i = (size_t)begin * (size_t)s->width; i < last; i++)
        s->out[i] = s->mask[i] > 0 ? s->half - s->to_land[i] : s->out[i] - s->half;
}

static enum tw_status find_shore(struct tw_task *task, struct shore *s, bool wrap)
{
    struct tw_distance distance = {.in = s->mask,
                                   .of_set = true,
                                   .wrap = wrap,
                                   .scale = 1.0f / (float)s->width,
                                   .limit = 1e9f};
    enum tw_status status = tw_distance_transform(task, &distance, &s->space, s->out);
    distance.of_set = false;
    if (status == TW_OK)
        status = tw_distance_transform(task, &distance, &s->space, s->to_land);
    s->half = 0.5f * distance.scale;
    if (status == TW_OK)
        tw_rows(task, tw_task_height(task), 64, shore_rows, s);
    return status;
}

static enum tw_status write_shore(struct tw_task *task, struct shore *shore, bool wrap, int64_t sea)
{
    const size_t cells = tw_value_count(tw_task_output(task, OUT));
    if (sea > 0 && (size_t)sea < cells)
        return find_shore(task, shore, wrap);
    for (size_t i = 0; i < cells; i++)
        shore->out[i] = sea > 0 ? -2.0f : 2.0f;
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, IN);
    float *out = tw_floats(tw_task_output(task, OUT));
    struct shore shore = {
        .mask = out, .out = tw_floats(tw_task_output(task, SHORE)), .width = in->width};
    struct tw_sea_search search = {.mask = out,
                                   .width = in->width,
                                   .height = in->height,
                                   .wrap = tw_task_wraps(task, p->border)};
    struct tw_coastline coast = {.boxes = NULL};
    if (!lay_out(&(struct tw_scratch){.task = task}, &search, &shore, &coast))
        return tw_task_no_memory(task);
    for (size_t i = 0; i < tw_value_count(in); i++)
        out[i] = tw_floats(in)[i] < p->level ? 1.0f : 0.0f;
    if (p->connected)
        (search.wrap ? tw_sea_keep_largest : tw_sea_keep_border)(&search);
    int64_t sea = tw_sea_settle(&search, p->connected);
    enum tw_status status = TW_OK;
    if (coast.boxes)
        status = write_record(task, &search, &coast, sea);
    if (status == TW_OK && shore.out)
        status = write_shore(task, &shore, search.wrap, sea);
    return status;
}

static void forecast(struct tw_forecast *f)
{
    struct tw_sea_search search;
    struct shore shore;
    struct tw_coastline coast;
    lay_out(&(struct tw_scratch){.forecast = f}, &search, &shore, &coast);
}

extern const struct tw_node_type tw_node_water_sea;
const struct tw_node_type tw_node_water_sea = {
    .name = "water.sea",
    .version = 1,
    .summary = "what lies below the sea, and the distance from the shore",
    .keywords =
        "ocean, sea level, coast, shore, beach, lake, bathymetry, flood, water level, islands, "
        "coastline, fractal dimension, box counting",
    .elsewhere = "Sea (Gaea), Lake (Gaea), Coastal Erosion (World Machine), r.lake (GRASS)",
    .detail =
        "Finds what lies below the sea and how far each cell is from the shore: for beaches, "
        "shelves and the colour of water. Choose mask.height for all ground below a level, "
        "whatever joins it to the sea.\n"
        "The sea is every cell below the level. With `connected` it is only those that "
        "8-neighbour steps join to the border or, where borders meet, the largest such region "
        "(on ties the first in reading order).\n"
        "The shore lies half a cell before the nearest cell of the other kind, whose distance is "
        "exact (as that of mask.distance).\n"
        "The record says what sort of coast it is. share is the sea's of the map; islands are the "
        "regions of land that 4-neighbour steps join, those at the border included; shore is the "
        "number of edges between land and sea over the width, the coast's length in map sides as "
        "cells draw it.\n"
        "dimension is that of box counting, 1 for a smooth coast and more the more crooked it is: "
        "with N boxes of s = 2, 4, 8, 16 and 32 cells that hold a cell with an edge to its east or "
        "south, the line of least squares is:\n"
        "    ln N = c - dimension ln s.\n"
        "Boxes are laid from the north-west, whole ones only. Sizes without such a box are left "
        "out; with fewer than two sizes the dimension is 0.",
    .cite = "meijster2000 mandelbrot1967",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: noise.perlin}\n"
               "sea: {type: water.sea, in: land, level: 0.5, connected: true}",
    .bordered = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
