/* SPDX-License-Identifier: MIT */
/* The slope map s of Olsen 2004, "Defining erosion": the greatest height difference
 * between a cell and its four neighbours. */
#include "common/simd.h"

#include <thalweg/kernel.h>

static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "s: rise between neighbouring cells; times the width, per map side"},
    TW_PORT_END,
};

struct map {
    const float *in;
    float *out;
    int32_t width, height;
    enum tw_simd simd;
};

static TW_INLINE float apart(float a, float b) { return a > b ? a - b : b - a; }

/* s = max |h - h_i| */
static TW_INLINE float slope(float h, float up, float left, float right, float down)
{
    return tw_max(tw_max(apart(h, up), apart(h, left)), tw_max(apart(h, right), apart(h, down)));
}

static TW_INLINE void slope_row_body(const float *up, const float *row, const float *down,
                                     float *out, int32_t width)
{
    int32_t last = width - 1;
    for (int32_t x = 1; x < last; x++)
        out[x] = slope(row[x], up[x], row[x - 1], row[x + 1], down[x]);
    out[0] = slope(row[0], up[0], row[last], row[last ? 1 : 0], down[0]);
    out[last] = slope(row[last], up[last], row[last ? last - 1 : 0], row[0], down[last]);
}
TW_SIMD_KERNEL(slope_row,
               (const float *up, const float *row, const float *down, float *out, int32_t width),
               (up, row, down, out, width))

static void slope_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    size_t width = (size_t)map->width;
    for (int32_t y = begin; y < end; y++) {
        const float *up = map->in + (size_t)tw_wrap(y - 1, map->height) * width;
        const float *down = map->in + (size_t)tw_wrap(y + 1, map->height) * width;
        slope_row(map->simd)(up, map->in + (size_t)y * width, down, map->out + (size_t)y * width,
                             map->width);
    }
}

static enum tw_status run(struct tw_task *task)
{
    struct map map = {tw_floats(tw_task_input(task, 0)), tw_floats(tw_task_output(task, 0)),
                      tw_task_width(task), tw_task_height(task), tw_task_simd(task)};
    tw_rows(task, map.height, 32, slope_rows, &map);
    return TW_OK;
}

extern const struct tw_node_type tw_node_measure_slope;
const struct tw_node_type tw_node_measure_slope = {
    .name = "measure.slope",
    .version = 1,
    .summary = "the greatest height difference to a cell's four neighbours",
    .detail = "s = max |h - h_i| over up, left, right and down. Borders wrap.\n"
              "It is the rise over a cell, half as great on a map twice as fine; times the width "
              "it is per map side, which is what mask.slope takes.",
    .cite = "olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .example = "noise: {type: noise.perlin}\nsteep: {type: measure.slope, in: noise}",
    .reach = 1,
    .run = run,
};
