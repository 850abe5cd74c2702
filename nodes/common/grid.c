/* SPDX-License-Identifier: MIT */
#include "common/grid.h"

#include "common/simd.h"

#include <thalweg/kernel.h>

struct filler {
    const struct tw_grid *grid;
    const struct tw_weights *weights;
    uint64_t seed;
    enum tw_simd simd;
};

int32_t tw_grid_cell_of(const struct tw_grid *grid, const struct tw_point *point)
{
    int32_t x = tw_floor(tw_clamp(point->x, 0, 1) * (float)grid->width);
    int32_t y = tw_floor(tw_clamp(point->y, 0, 1) * (float)grid->height);
    return tw_grid_cell(grid, tw_clamp_index(x, grid->width), tw_clamp_index(y, grid->height));
}

/* The edges of `count` cells of row y from x on. */
static TW_INLINE void draw_row_body(const struct filler *filler, int32_t x, int32_t y,
                                    int32_t count, float *restrict edges)
{
    const float mean = filler->weights->mean, deviation = filler->weights->deviation;
    const float lateral = filler->weights->step, diagonal = lateral * filler->weights->diagonal;
    const uint64_t seed = filler->seed;
    for (int32_t i = 0; i < count; i++) {
        struct tw_random4 words = tw_random(seed, (uint32_t)(x + i), (uint32_t)y, 0, 1);
        for (int k = 0; k < TW_EDGES; k++) {
            float v = 2.0f * tw_uniform(words.at[k]) - 1.0f;
            edges[i * TW_EDGES + k] = (mean + deviation * v) * (k % 2 ? diagonal : lateral);
        }
    }
}
TW_SIMD_KERNEL(draw_row,
               (const struct filler *filler, int32_t x, int32_t y, int32_t count,
                float *restrict edges),
               (filler, x, y, count, edges))

static void draw_rows(void *context, int32_t begin, int32_t end)
{
    const struct filler *filler = context;
    const struct tw_grid *grid = filler->grid;
    for (int32_t y = begin; y < end; y++)
        draw_row(filler->simd)(filler, -1, y, grid->stride,
                               grid->edges + (size_t)tw_grid_cell(grid, -1, y) * TW_EDGES);
}

/* g of a cell; the border repeats the map's. */
static float brightness(const struct tw_weights *w, int32_t x, int32_t y)
{
    x = tw_clamp_index(x, w->image->width);
    y = tw_clamp_index(y, w->image->height);
    float m = tw_floats(w->image)[(size_t)y * (size_t)w->image->width + (size_t)x];
    return w->low + (w->high - w->low) * m;
}

static void read_rows(void *context, int32_t begin, int32_t end)
{
    static const int8_t step[TW_EDGES][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}};
    const struct filler *filler = context;
    const struct tw_grid *grid = filler->grid;
    const struct tw_weights *w = filler->weights;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = -1; x <= grid->width; x++) {
            float *edges = grid->edges + (size_t)tw_grid_cell(grid, x, y) * TW_EDGES;
            float here = brightness(w, x, y);
            for (int k = 0; k < TW_EDGES; k++) {
                float there = brightness(w, x + step[k][0], y + step[k][1]);
                float factor = step[k][0] && step[k][1] ? w->step * w->diagonal : w->step;
                edges[k] = 0.5f * (here + there) * factor;
            }
        }
}

/* The bounds and the mean of g, rows in order. */
static enum tw_status measure_image(struct tw_task *task, const struct tw_weights *w,
                                    struct tw_grid *grid)
{
    double sum = 0;
    for (int32_t y = 0; y < grid->height; y++) {
        double row = 0;
        for (int32_t x = 0; x < grid->width; x++) {
            double g = (double)brightness(w, x, y);
            if (g <= 0)
                return tw_task_fail(task,
                                    "the edge weight at x %d, y %d is %g and must be above 0: "
                                    "weight_range: [low, high] says what black and white weigh",
                                    (int)x, (int)y, g);
            grid->least = g < grid->least ? g : grid->least;
            grid->most = g > grid->most ? g : grid->most;
            row += g;
        }
        sum += row;
    }
    grid->mean = sum / ((double)grid->width * (double)grid->height);
    return TW_OK;
}

enum { SLACK = 8 }; /* cells behind the last: see grid.h */

enum tw_status tw_grid_build(struct tw_task *task, const struct tw_weights *w, struct tw_grid *grid)
{
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    *grid = (struct tw_grid){.width = width, .height = height, .stride = width + 2};
    grid->cells = grid->stride * (height + 2);
    grid->mean = (double)w->mean;
    grid->least = w->image ? 1e300 : (double)w->mean - (double)w->deviation;
    grid->most = w->image ? 0 : (double)w->mean + (double)w->deviation;
    grid->edges =
        tw_task_scratch(task, ((size_t)grid->cells + SLACK) * TW_EDGES, sizeof *grid->edges);
    if (!grid->edges)
        return tw_task_no_memory(task);
    if (w->image && measure_image(task, w, grid) != TW_OK)
        return TW_NODE;
    double diagonal = (double)w->diagonal, step = (double)w->step;
    grid->least *= step * (diagonal < 1 ? diagonal : 1);
    grid->most *= step * (diagonal > 1 ? diagonal : 1);
    struct filler filler = {grid, w, tw_task_seed(task), tw_task_simd(task)};
    tw_rows(task, height, 16, w->image ? read_rows : draw_rows, &filler);
    /* the border's rows are read as neighbours' edges of cells outside: any finite number does */
    memset(grid->edges, 0, (size_t)grid->stride * TW_EDGES * sizeof *grid->edges);
    memset(grid->edges + (size_t)(grid->cells - grid->stride) * TW_EDGES, 0,
           ((size_t)grid->stride + SLACK) * TW_EDGES * sizeof *grid->edges);
    return TW_OK;
}
