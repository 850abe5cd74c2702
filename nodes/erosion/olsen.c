/* SPDX-License-Identifier: MIT */
/* Olsen 2004, "A new proposed algorithm": slopes up to the talus threshold are levelled, steeper
 * ones stay. Cells change the map at once, so the visiting order is part of the definition: raster,
 * or bands of 8 rows (row r of every band, cell by cell), which can be computed side by side. */
#include <thalweg/kernel.h>
#include <thalweg/node.h>

#include <string.h>

enum { BAND_ROWS = 8, RASTER_BELOW = 24 };

struct params {
    float talus; /* T N: rise per map side */
    int32_t iterations;
    int32_t order;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, talus, 16, 1e-6, 1e6, TW_UNIT_RISE_PER_SIDE,
                 "steepest slope that is levelled"),
    TW_PARAM_I32(struct params, iterations, 50, 0, 100000, "passes", "passes over the map"),
    TW_PARAM_ENUM(struct params, order, 0, "bands|raster", "the order in which cells are visited"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the eroded terrain"},
    TW_PORT_END,
};

struct map {
    float *cells;
    int32_t width, height;
    float threshold; /* T: rise between neighbouring cells */
};

/* One cell: half the way down to the lowest of up, left, right, down, the first on ties. */
static void visit(const struct map *map, int32_t x, int32_t y)
{
    int32_t w = map->width, h = map->height;
    int32_t left = x ? x - 1 : w - 1, right = x + 1 < w ? x + 1 : 0;
    int32_t up = y ? y - 1 : h - 1, down = y + 1 < h ? y + 1 : 0;
    float *row = map->cells + (size_t)y * (size_t)w, *lowest = NULL;
    float *neighbours[4] = {map->cells + (size_t)up * (size_t)w + x, row + left, row + right,
                            map->cells + (size_t)down * (size_t)w + x};
    float steepest = 0;
    for (int i = 0; i < 4; i++) {
        float drop = row[x] - *neighbours[i];
        if (drop > steepest) {
            steepest = drop;
            lowest = neighbours[i];
        }
    }
    if (!lowest || steepest > map->threshold)
        return;
    float moved = 0.5f * steepest;
    row[x] -= moved;
    *lowest += moved;
}

static void pass_raster(const struct map *map)
{
    for (int32_t y = 0; y < map->height; y++)
        for (int32_t x = 0; x < map->width; x++)
            visit(map, x, y);
}

static void pass_bands(const struct map *map)
{
    int32_t bands = map->height / BAND_ROWS, rest = map->height % BAND_ROWS;
    for (int32_t r = 0; r < BAND_ROWS + rest; r++)
        for (int32_t x = 0; x < map->width; x++)
            for (int32_t b = r < BAND_ROWS ? 0 : bands - 1; b < bands; b++)
                visit(map, x, b * BAND_ROWS + r);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const float *in = tw_floats(tw_task_input(task, 0));
    struct tw_value *out = tw_task_output(task, 0);
    struct map map = {tw_floats(out), tw_task_width(task), tw_task_height(task),
                      p->talus / (float)tw_task_width(task)};
    if (in != map.cells)
        memcpy(map.cells, in, tw_value_count(out) * sizeof(float));
    for (int32_t i = 0; i < p->iterations; i++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        if (p->order == 1 || map.height < RASTER_BELOW)
            pass_raster(&map);
        else
            pass_bands(&map);
        tw_task_progress(task, (double)(i + 1) / p->iterations);
    }
    return TW_OK;
}

extern const struct tw_node_type tw_node_erosion_olsen;
const struct tw_node_type tw_node_erosion_olsen = {
    .name = "erosion.olsen",
    .version = 1,
    .summary = "level gentle slopes and keep steep ones, for playable terrain",
    .detail =
        "A cell moves half of its steepest drop d to that neighbour when 0 < d <= T, with T = "
        "talus / width.\nBorders wrap. Maps of fewer than 24 rows are visited in raster order.",
    .cite = "olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "eroded: {type: erosion.olsen, in: noise, talus: 16, iterations: 50}",
    .in_place = true,
    .reach = TW_REACH_ALL,
    .run = run,
};
