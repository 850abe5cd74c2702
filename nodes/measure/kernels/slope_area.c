/* SPDX-License-Identifier: MIT */
/* Water follows the steepest of eight neighbours over the filled map, and crosses lakes as the
 * drainage of the unfilled one does. */
#include "measure/kernels/slope_area.h"

#include "common/drainage/flow_accumulation.h"
#include "measure/kernels/sorted.h"

#include <thalweg/kernel.h>

enum { BINS = 8, FEWEST = 30 /* cells of a bin */ };

struct bins {
    double edges[BINS + 1]; /* areas in cells */
    double low, width;      /* of their logarithms to the base 2 */
    int32_t count[BINS], at[BINS];
};

enum tw_status tw_slope_area_init(struct tw_task *task, struct tw_slope_area *s)
{
    size_t cells = (size_t)tw_task_width(task) * (size_t)tw_task_height(task);
    s->filled = tw_task_scratch(task, cells, sizeof *s->filled);
    s->slopes = tw_task_scratch(task, cells, sizeof *s->slopes);
    s->work = tw_task_scratch(task, cells, sizeof *s->work);
    s->area = tw_task_scratch(task, cells, sizeof *s->area);
    if (!s->filled || !s->slopes || !s->work || !s->area)
        return tw_task_no_memory(task);
    return tw_drainage_init(task, &s->drainage);
}

void tw_slope_area_forecast(struct tw_forecast *f)
{
    tw_forecast_maps(f, 3, sizeof(float));
    tw_forecast_maps(f, 1, sizeof(uint32_t));
    tw_drainage_forecast(f);
}

/* The steepest way down on the filled map, the first on ties, by the arithmetic of drainage.c;
 * none: TW_OUTLET. */
static int32_t steepest(const struct tw_drainage *d, const float *filled, int32_t cell)
{
    float most = 0;
    int32_t to = TW_OUTLET;
    for (int32_t k = 0; k < TW_OUTLET; k++) {
        bool straight = k == 1 || k == 3 || k == 4 || k == 6;
        float drop = (filled[cell] - filled[cell + d->step[k]]) * (straight ? 1.0f : 0.70710678f);
        if (drop > most) {
            most = drop;
            to = k;
        }
    }
    return to;
}

static void turn(const struct tw_drainage *d, int32_t cell, int32_t to)
{
    int32_t before = d->to[cell];
    d->from[cell + d->step[before]] ^= (uint8_t)(1u << (7 - before));
    d->from[cell + d->step[to]] ^= (uint8_t)(1u << (7 - to));
    d->to[cell] = (uint8_t)to;
}

/* A shore may be steepest towards the bed of its lake but not towards the lake. Cells that turn
 * give to lower water; lakes and level ground keep their ways out, so none runs in circles. */
static void turn_shores(const struct tw_slope_area *s, const float *heights)
{
    const struct tw_drainage *d = &s->drainage;
    for (int32_t cell = 0; cell < d->cells; cell++) {
        bool stays = d->to[cell] == TW_OUTLET || s->filled[cell] > heights[cell];
        int32_t to = stays ? TW_OUTLET : steepest(d, s->filled, cell);
        if (to != TW_OUTLET && to != d->to[cell])
            turn(d, cell, to);
    }
}

static int32_t bin_of(const struct bins *bins, uint32_t area)
{
    if ((double)area < bins->edges[0] || (double)area >= bins->edges[BINS])
        return -1;
    int32_t bin = 0;
    while ((double)area >= bins->edges[bin + 1])
        bin++;
    return bin;
}

/* The slope to the receiver, height per cell; 0 for outlets, filled cells and level ground. */
static float slope_of(const struct tw_slope_area *s, const float *heights, int32_t cell)
{
    const struct tw_drainage *d = &s->drainage;
    int32_t to = d->to[cell];
    if (to == TW_OUTLET || s->filled[cell] > heights[cell])
        return 0;
    double drop = (double)s->filled[cell] - (double)s->filled[cell + d->step[to]];
    bool straight = to == 1 || to == 3 || to == 4 || to == 6;
    return drop > 0 ? (float)(straight ? drop : drop * 0.7071067811865476) : 0;
}

static void place_bins(struct bins *bins, int32_t cells)
{
    double most = 0.02 * cells;
    bins->low = 2; /* 4 cells */
    bins->width = (tw_log2(most > 4 ? most : 4) - bins->low) / BINS;
    for (int32_t bin = 0; bin <= BINS; bin++)
        bins->edges[bin] = tw_exp2(bins->low + bins->width * bin);
}

/* Slopes bin by bin in s->slopes. */
static void sort_into_bins(const struct tw_slope_area *s, const float *heights, struct bins *bins)
{
    int32_t start = 0;
    for (int32_t cell = 0; cell < s->drainage.cells; cell++) {
        int32_t bin = bin_of(bins, s->area[cell]);
        if (bin >= 0 && slope_of(s, heights, cell) > 0)
            bins->count[bin]++;
    }
    for (int32_t bin = 0; bin < BINS; bin++) {
        bins->at[bin] = start;
        start += bins->count[bin];
    }
    for (int32_t cell = 0; cell < s->drainage.cells; cell++) {
        int32_t bin = bin_of(bins, s->area[cell]);
        float slope = bin >= 0 ? slope_of(s, heights, cell) : 0;
        if (slope > 0)
            s->slopes[bins->at[bin]++] = slope;
    }
}

static double fit(const struct tw_slope_area *s, const struct bins *bins)
{
    double xs[BINS], ys[BINS], mean_x = 0, mean_y = 0, above = 0, below = 0;
    int32_t found = 0;
    for (int32_t bin = 0; bin < BINS; bin++) {
        size_t count = (size_t)bins->count[bin];
        float *slopes = s->slopes + bins->at[bin] - count;
        if (count < FEWEST)
            continue;
        tw_sort_floats(slopes, s->work, count);
        xs[found] = bins->low + bins->width * (bin + 0.5);
        ys[found] = tw_log2(tw_sorted_quantile(slopes, count, 0.5));
        mean_x += xs[found];
        mean_y += ys[found++];
    }
    for (int32_t i = 0; i < found; i++) {
        double x = xs[i] - mean_x / found;
        above += x * (ys[i] - mean_y / found);
        below += x * x;
    }
    return found > 1 && below > 0 ? -above / below : 0;
}

enum tw_status tw_slope_area_find(struct tw_task *task, struct tw_slope_area *s,
                                  const float *heights, double *theta, double *hollows)
{
    struct bins bins = {.low = 0};
    int32_t under = 0, cells = s->drainage.cells;
    enum tw_status status = tw_drainage_receivers(task, &s->drainage, heights);
    if (status != TW_OK)
        return status;
    tw_drainage_fill(task, &s->drainage, heights, s->filled);
    turn_shores(s, heights);
    tw_flow_area(task, &s->drainage, s->area);
    for (int32_t cell = 0; cell < cells; cell++)
        under += s->filled[cell] > heights[cell];
    *hollows = (double)under / cells;
    place_bins(&bins, cells);
    sort_into_bins(s, heights, &bins);
    *theta = fit(s, &bins);
    return TW_OK;
}
