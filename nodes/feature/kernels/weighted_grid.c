/* SPDX-License-Identifier: MIT */
#include "feature/kernels/weighted_grid.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <float.h>

struct filler {
    const struct tw_weighted_grid *grid;
    const struct tw_edge_weights *weights;
    uint64_t seed;
    void (*fill)(const struct filler *, int32_t x, int32_t y, int32_t count, float *edges);
};

int32_t tw_weighted_grid_cell_of(const struct tw_weighted_grid *grid, const struct tw_point *point)
{
    int32_t x = tw_floor(tw_clamp(point->x, 0, 1) * (float)grid->width);
    int32_t y = tw_floor(tw_clamp(point->y, 0, 1) * (float)grid->height);
    return tw_weighted_grid_cell(grid, tw_clamp_index(x, grid->width),
                                 tw_clamp_index(y, grid->height));
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
        for (int k = 0; k < TW_WEIGHTED_GRID_EDGES; k++) {
            float v = 2.0f * tw_uniform(words.at[k]) - 1.0f;
            edges[i * TW_WEIGHTED_GRID_EDGES + k] =
                (mean + deviation * v) * (k % 2 ? diagonal : lateral);
        }
    }
}
TW_SIMD_KERNEL(draw_row,
               (const struct filler *filler, int32_t x, int32_t y, int32_t count,
                float *restrict edges),
               (filler, x, y, count, edges))

/* g of `count` cells of row y from x on; the border repeats the map's. */
static TW_INLINE void read_brightness(const struct tw_edge_weights *w, int32_t x, int32_t y,
                                      int32_t count, float *g)
{
    const int32_t width = w->image->width;
    const float *row =
        tw_floats(w->image) + (size_t)tw_clamp_index(y, w->image->height) * (size_t)width;
    const float low = w->low, range = w->high - w->low;
    int32_t from = x < 0 ? -x : 0, to = width - x < count ? width - x : count;
    for (int32_t i = from; i < to; i++)
        g[i] = low + range * row[x + i];
    for (int32_t i = 0; i < from; i++)
        g[i] = low + range * row[0];
    for (int32_t i = to; i < count; i++)
        g[i] = low + range * row[width - 1];
}

enum { PIECE = 256 };

/* The edges of `count` cells, PIECE at most, of row y from x on. */
static TW_INLINE void read_row_body(const struct filler *filler, int32_t x, int32_t y,
                                    int32_t count, float *restrict edges)
{
    const struct tw_edge_weights *w = filler->weights;
    float own[PIECE + 2], next[PIECE + 2]; /* from x - 1 on */
    const float lateral = w->step, diagonal = w->step * w->diagonal;
    read_brightness(w, x - 1, y, count + 2, own);
    read_brightness(w, x - 1, y + 1, count + 2, next);
    for (int32_t i = 0; i < count; i++) {
        float here = own[i + 1];
        edges[i * TW_WEIGHTED_GRID_EDGES] = 0.5f * (here + own[i + 2]) * lateral;
        edges[i * TW_WEIGHTED_GRID_EDGES + 1] = 0.5f * (here + next[i + 2]) * diagonal;
        edges[i * TW_WEIGHTED_GRID_EDGES + 2] = 0.5f * (here + next[i + 1]) * lateral;
        edges[i * TW_WEIGHTED_GRID_EDGES + 3] = 0.5f * (here + next[i]) * diagonal;
    }
}
TW_SIMD_KERNEL(read_row,
               (const struct filler *filler, int32_t x, int32_t y, int32_t count,
                float *restrict edges),
               (filler, x, y, count, edges))

static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct filler *filler = context;
    const struct tw_weighted_grid *grid = filler->grid;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = -1; x <= grid->width; x += PIECE) {
            int32_t left = grid->width + 1 - x, count = left < PIECE ? left : PIECE;
            filler->fill(filler, x, y, count,
                         grid->edges +
                             (size_t)tw_weighted_grid_cell(grid, x, y) * TW_WEIGHTED_GRID_EDGES);
        }
}

/* Bounds and sum of a row's g. */
struct measure {
    float least, most;
    double sum;
};

struct measurer {
    const struct tw_edge_weights *weights;
    struct measure *rows;
};

static void measure_rows(void *context, int32_t begin, int32_t end)
{
    const struct measurer *m = context;
    for (int32_t y = begin; y < end; y++) {
        struct measure row = {FLT_MAX, -FLT_MAX, 0};
        float g[PIECE];
        for (int32_t x = 0; x < m->weights->image->width; x += PIECE) {
            int32_t left = m->weights->image->width - x, count = left < PIECE ? left : PIECE;
            read_brightness(m->weights, x, y, count, g);
            for (int32_t i = 0; i < count; i++) {
                row.least = tw_min(g[i], row.least);
                row.most = tw_max(g[i], row.most);
                row.sum += (double)g[i];
            }
        }
        m->rows[y] = row;
    }
}

/* Says where the first weight is that is not positive. */
static enum tw_status refuse(struct tw_task *task, const struct tw_edge_weights *w, int32_t y)
{
    float g;
    int32_t x = 0;
    for (;; x++) {
        read_brightness(w, x, y, 1, &g);
        if (!(g > 0))
            break;
    }
    return tw_task_fail(task,
                        "the edge weight at x %d, y %d is %g and must be above 0: "
                        "weight_range: [low, high] says what black and white weigh",
                        (int)x, (int)y, (double)g);
}

/* The bounds and the mean of g, rows in order. */
static enum tw_status measure_image(struct tw_task *task, const struct tw_edge_weights *w,
                                    struct tw_weighted_grid *grid)
{
    struct measurer m = {w, tw_task_scratch(task, (size_t)grid->height, sizeof *m.rows)};
    float least = FLT_MAX, most = -FLT_MAX;
    double sum = 0;
    if (!m.rows)
        return tw_task_no_memory(task);
    tw_rows(task, grid->height, 16, measure_rows, &m);
    for (int32_t y = 0; y < grid->height; y++) {
        if (!(m.rows[y].least > 0))
            return refuse(task, w, y);
        least = tw_min(least, m.rows[y].least);
        most = tw_max(most, m.rows[y].most);
        sum += m.rows[y].sum;
    }
    grid->least = (double)least;
    grid->most = (double)most;
    grid->mean = sum / ((double)grid->width * (double)grid->height);
    return TW_OK;
}

enum { SLACK = 8 }; /* cells behind the last: see the header */

enum tw_status tw_weighted_grid_build(struct tw_task *task, const struct tw_edge_weights *w,
                                      struct tw_weighted_grid *grid)
{
    int32_t width = w->width ? w->width : tw_task_width(task);
    int32_t height = w->height ? w->height : tw_task_height(task);
    *grid = tw_weighted_grid_sized(width, height);
    grid->mean = (double)w->mean;
    grid->least = (double)w->mean - (double)w->deviation;
    grid->most = (double)w->mean + (double)w->deviation;
    grid->edges = tw_task_scratch(task, ((size_t)grid->cells + SLACK) * TW_WEIGHTED_GRID_EDGES,
                                  sizeof *grid->edges);
    if (!grid->edges)
        return tw_task_no_memory(task);
    enum tw_status status = w->image ? measure_image(task, w, grid) : TW_OK;
    if (status != TW_OK)
        return status;
    double diagonal = (double)w->diagonal, step = (double)w->step;
    grid->least *= step * (diagonal < 1 ? diagonal : 1);
    grid->most *= step * (diagonal > 1 ? diagonal : 1);
    enum tw_simd simd = tw_task_simd(task);
    struct filler filler = {grid, w, tw_task_seed(task),
                            w->image ? read_row(simd) : draw_row(simd)};
    tw_rows(task, height, 16, fill_rows, &filler);
    /* the border's rows are read as neighbours' edges of cells outside: any finite number does */
    memset(grid->edges, 0, (size_t)grid->stride * TW_WEIGHTED_GRID_EDGES * sizeof *grid->edges);
    memset(grid->edges + (size_t)(grid->cells - grid->stride) * TW_WEIGHTED_GRID_EDGES, 0,
           ((size_t)grid->stride + SLACK) * TW_WEIGHTED_GRID_EDGES * sizeof *grid->edges);
    return TW_OK;
}

void tw_weighted_grid_forecast(struct tw_forecast *f, int32_t width, int32_t height, bool image)
{
    struct measurer m;
    uint64_t cells = ((uint64_t)width + 2) * ((uint64_t)height + 2);
    tw_forecast_scratch(f, (cells + SLACK) * TW_WEIGHTED_GRID_EDGES, sizeof(float));
    if (image)
        tw_forecast_scratch(f, (uint64_t)height, sizeof *m.rows);
}
