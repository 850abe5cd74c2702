/* SPDX-License-Identifier: MIT */
#include "measure/kernels/stream_slopes.h"

#include "common/drainage/flow_accumulation.h"
#include "common/drainage/outlets.h"
#include "measure/kernels/order_statistics.h"
#include "measure/kernels/receivers.h"

#include <thalweg/kernel.h>

/* Octaves of A from 4 cells to 1023; one with fewer cells has no say. */
enum { FIRST_OCTAVE = 2, OCTAVES = 8, FEWEST = 30 };

struct water {
    const struct tw_reference_cells *r;
    struct tw_drainage d;
    float *levels;   /* of the water, as ranks */
    double *heights; /* of the levels */
    int32_t lakes;   /* cells that count, atomically */
};

struct octave {
    size_t begin, count; /* of its slopes */
};

static void fill_rows(void *context, int32_t begin, int32_t end)
{
    struct water *w = context;
    const struct tw_reference_cells *r = w->r;
    int32_t lakes = 0;
    for (int32_t i = begin * r->width; i < end * r->width; i++) {
        const bool lake = w->levels[i] > r->rank[i];
        lakes += lake && tw_reference_counts(r, i);
        w->heights[i] = lake ? tw_reference_height(r, w->levels[i]) : r->z[i];
    }
    __atomic_fetch_add(&w->lakes, lakes, __ATOMIC_RELAXED);
}

/* ---- slopes by octaves of area ---- */

static int32_t octave_of(uint32_t area)
{
    return area < 1u << FIRST_OCTAVE ? -1 : 31 - __builtin_clz(area) - FIRST_OCTAVE;
}

static bool is_dry(const struct water *w, int32_t cell)
{
    return tw_reference_counts(w->r, cell) && !(w->levels[cell] > w->r->rank[cell]);
}

/* Places for as many slopes as there are dry cells; finds how many have 16 and 256 upstream. */
static void place_octaves(const struct water *w, const uint32_t *area,
                          struct octave octaves[OCTAVES], double *branching)
{
    size_t counts[32] = {0}, n16 = 0, n256 = 0, begin = 0;
    for (int32_t i = 0; i < w->r->cells; i++)
        if (area[i] >= 1u << FIRST_OCTAVE && is_dry(w, i))
            counts[octave_of(area[i])]++;
    for (int octave = 0; octave < 32; octave++) {
        n16 += octave >= 4 - FIRST_OCTAVE ? counts[octave] : 0;
        n256 += octave >= 8 - FIRST_OCTAVE ? counts[octave] : 0;
    }
    for (int octave = 0; octave < OCTAVES; octave++) {
        octaves[octave] = (struct octave){.begin = begin};
        begin += counts[octave];
    }
    *branching = 0.25 * (tw_log2(n16 > 1 ? (double)n16 : 1) - tw_log2(n256 > 1 ? (double)n256 : 1));
}

static void collect_slopes(const struct water *w, const uint32_t *area,
                           struct octave octaves[OCTAVES], double *slopes)
{
    for (int32_t i = 0; i < w->r->cells; i++) {
        const int32_t at = octave_of(area[i]);
        if (at < 0 || at >= OCTAVES || !is_dry(w, i))
            continue;
        const double slope = tw_receivers_slope(&w->d, w->heights, i);
        if (slope > 0)
            slopes[octaves[at].begin + octaves[at].count++] = slope;
    }
}

static void log_quartiles(const double *slopes, size_t count, double *work,
                          double quartiles[TW_QUANTILES])
{
    static const double p[TW_QUANTILES] = {0.25, 0.5, 0.75};
    struct tw_order_place at[TW_QUANTILES];
    tw_order_find(slopes, count, p, work, at);
    for (int i = 0; i < TW_QUANTILES; i++) {
        at[i].low = tw_log2(at[i].low);
        at[i].high = tw_log2(at[i].high);
        quartiles[i] = tw_order_between(&at[i]);
    }
}

static void fit_octaves(const struct octave octaves[OCTAVES], const double *slopes, double *work,
                        struct tw_stream_slopes *s)
{
    double xs[OCTAVES], ys[OCTAVES], mean_x = 0, mean_y = 0, above = 0, below = 0;
    int32_t found = 0;
    s->scatter = 0;
    for (int octave = 0; octave < OCTAVES; octave++) {
        double quartiles[TW_QUANTILES];
        if (octaves[octave].count < FEWEST)
            continue;
        log_quartiles(slopes + octaves[octave].begin, octaves[octave].count, work, quartiles);
        s->scatter += quartiles[2] - quartiles[0];
        xs[found] = FIRST_OCTAVE + octave + 0.5;
        ys[found] = quartiles[1];
        mean_x += xs[found];
        mean_y += ys[found++];
    }
    for (int32_t i = 0; i < found; i++) {
        const double x = xs[i] - mean_x / found;
        above += x * (ys[i] - mean_y / found);
        below += x * x;
    }
    s->scatter = found > 0 ? s->scatter / found : 0;
    s->theta = found > 1 ? -above / below : 0;
}

/* ---- the map upside down ---- */

static void turn_rows(void *context, int32_t begin, int32_t end)
{
    const struct water *w = context;
    for (int32_t i = begin * w->r->width; i < end * w->r->width; i++)
        w->levels[i] = -w->r->rank[i];
}

static void count_rows(void *context, int32_t begin, int32_t end)
{
    struct water *w = context;
    int32_t lakes = 0;
    for (int32_t i = begin * w->r->width; i < end * w->r->width; i++)
        lakes += w->levels[i] > -w->r->rank[i] && tw_reference_counts(w->r, i);
    __atomic_fetch_add(&w->lakes, lakes, __ATOMIC_RELAXED);
}

static enum tw_status count_turned(struct tw_task *task, struct water *w)
{
    enum tw_status status = TW_OK;
    w->lakes = 0;
    tw_rows(task, w->r->height, 64, turn_rows, w);
    if (w->r->wrap)
        status = tw_drainage_open_lowest(task, w->levels, &w->d);
    if (status == TW_OK)
        status = tw_drainage_levels(task, &w->d, w->levels);
    if (status != TW_OK)
        return status;
    tw_drainage_fill(task, &w->d, w->levels, w->levels);
    tw_rows(task, w->r->height, 32, count_rows, w);
    return TW_OK;
}

/* ---- what the header declares ---- */

/* Slopes in `work`, by octaves. */
static enum tw_status find_slopes(struct tw_task *task, struct water *w, double *work,
                                  struct octave octaves[OCTAVES], struct tw_stream_slopes *s)
{
    const struct tw_reference_cells *r = w->r;
    enum tw_status status =
        tw_drainage_init_world(task, &w->d, r->rank, &(struct tw_exits){.wrap = r->wrap});
    if (status == TW_OK)
        status = tw_drainage_levels(task, &w->d, r->rank);
    if (status != TW_OK)
        return status;
    tw_drainage_fill(task, &w->d, r->rank, w->levels);
    tw_rows(task, r->height, 32, fill_rows, w);
    status = tw_receivers_find(task, &w->d, w->heights);
    if (status != TW_OK)
        return status;
    uint32_t *area = (uint32_t *)w->d.order;
    tw_flow_area(task, &w->d, area);
    place_octaves(w, area, octaves, &s->branching);
    collect_slopes(w, area, octaves, work);
    return TW_OK;
}

enum tw_status tw_stream_slopes_find(struct tw_task *task, const struct tw_reference_cells *r,
                                     double *filled, double *work, struct tw_stream_slopes *s)
{
    const struct tw_scratch_mark mark = tw_task_scratch_mark(task);
    struct water w = {.r = r, .heights = filled};
    struct octave octaves[OCTAVES];
    w.levels = tw_task_scratch(task, (size_t)r->cells, sizeof *w.levels);
    if (!w.levels)
        return tw_task_no_memory(task);
    enum tw_status status = find_slopes(task, &w, work, octaves, s);
    if (status != TW_OK)
        return status;
    s->hollows = w.lakes / r->count;
    fit_octaves(octaves, work, filled, s);
    status = tw_task_cancelled(task) ? TW_CANCELLED : count_turned(task, &w);
    s->turned_hollows = w.lakes / r->count;
    tw_task_scratch_return(task, mark);
    return status;
}

void tw_stream_slopes_forecast(struct tw_forecast *f, bool wrap)
{
    tw_forecast_maps(f, 1, sizeof(float)); /* levels */
    tw_drainage_world_forecast(f, wrap);
    if (wrap)
        tw_drainage_lowest_forecast(f);
}
