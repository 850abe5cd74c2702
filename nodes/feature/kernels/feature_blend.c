/* SPDX-License-Identifier: MIT */
/* Sums are kept relative to the highest feature so far, so no power can underflow. */
#include "feature/kernels/feature_blend.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

enum { WHOLE_BIAS_MAX = 64 };
enum { LANES_MAX = 8, LANES_MIN = 2, LANE_CELLS = 1 << 24 };

struct blend {
    double *over, *under, *highest; /* sums of (h/H)^b h and (h/H)^b, and H; per cell of the grid */
    uint8_t *used;                  /* per TW_CHUNK cells: the sums are set */
    double sea, limit;              /* c_s; only cells of a lower cost than the limit count */
    float bias;                     /* b */
};

static bool lay_out(struct tw_scratch *s, const struct tw_paths *paths, struct blend *blend,
                    struct tw_search *searches, int32_t count)
{
    size_t chunks = tw_search_chunks(paths->grid), cells = chunks * TW_CHUNK;
    blend->over = tw_scratch_take(s, cells, sizeof *blend->over);
    blend->under = tw_scratch_take(s, cells, sizeof *blend->under);
    blend->highest = tw_scratch_take(s, cells, sizeof *blend->highest);
    blend->used = tw_scratch_take(s, chunks, sizeof *blend->used);
    return tw_search_lay_out(s, paths, searches, count);
}

/* Sums start at 0 when the first feature reaches a chunk; other chunks are never touched. */
static void use_chunk(const struct blend *blend, size_t chunk)
{
    size_t at = chunk * TW_CHUNK, bytes = TW_CHUNK * sizeof(double);
    if (blend->used[chunk])
        return;
    blend->used[chunk] = 1;
    memset(blend->over + at, 0, bytes);
    memset(blend->under + at, 0, bytes);
    memset(blend->highest + at, 0, bytes);
}

/* x^b for a chunk of x in 0..1; whole b by squaring, lane by lane the same. */
static TW_INLINE void raise_chunk(const double *x, float bias, double *power)
{
    double square[TW_CHUNK];
    if (bias != (float)tw_floor(bias) || bias > WHOLE_BIAS_MAX) {
        for (int i = 0; i < TW_CHUNK; i++)
            power[i] = x[i] == 1 ? 1 : tw_pow(x[i], (double)bias);
        return;
    }
    for (int i = 0; i < TW_CHUNK; i++) {
        power[i] = 1;
        square[i] = x[i];
    }
    for (int32_t bits = tw_floor(bias); bits; bits /= 2) {
        if (bits % 2)
            for (int i = 0; i < TW_CHUNK; i++)
                power[i] *= square[i];
        for (int i = 0; i < TW_CHUNK; i++)
            square[i] *= square[i];
    }
}

/* Adds one search's costs of a chunk and cleans them. */
static TW_INLINE void add_chunk_body(const struct blend *blend, size_t at, double *cost)
{
    double *over = blend->over + at, *under = blend->under + at, *highest = blend->highest + at;
    double height[TW_CHUNK], ratio[TW_CHUNK], power[TW_CHUNK];
    for (int i = 0; i < TW_CHUNK; i++) {
        double c = cost[i];
        double h = c > TW_COST_DROPPED && c < blend->limit ? blend->sea - c : 0;
        height[i] = h = h > 0 ? h : 0;
        double low = h < highest[i] ? h : highest[i], high = h < highest[i] ? highest[i] : h;
        ratio[i] = low / (high > 0 ? high : 1);
        cost[i] = c == TW_COST_BORDER ? TW_COST_BORDER : TW_COST_NONE;
    }
    raise_chunk(ratio, blend->bias, power);
    for (int i = 0; i < TW_CHUNK; i++) {
        double h = height[i], p = power[i];
        double mine = h <= 0 ? 0 : h > highest[i] ? 1 : p, theirs = h > highest[i] ? p : 1;
        under[i] = under[i] * theirs + mine;
        over[i] = over[i] * theirs + mine * h;
        highest[i] = h > highest[i] ? h : highest[i];
    }
}
TW_SIMD_KERNEL(add_chunk, (const struct blend *blend, size_t at, double *cost), (blend, at, cost))

struct writer {
    const struct tw_weighted_grid *grid;
    const struct blend *blend;
    double scale;
    float *out;
};

static void write_rows(void *context, int32_t begin, int32_t end)
{
    const struct writer *w = context;
    const struct blend *blend = w->blend;
    float *out = w->out + (size_t)begin * (size_t)w->grid->width;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < w->grid->width; x++) {
            size_t at = (size_t)tw_weighted_grid_cell(w->grid, x, y);
            double under = blend->used[at / TW_CHUNK] ? blend->under[at] : 0;
            *out++ = under > 0 ? (float)(blend->over[at] / under * w->scale) : 0.0f;
        }
}

/* ---- the features ---- */

struct lanes {
    struct tw_task *task;
    const struct tw_features *features;
    const struct blend *blend;
    struct tw_search searches[LANES_MAX];
    void (*add)(const struct blend *, size_t, double *);
};

/* Returns true if any cell of a feature counts; else its lane is left as it is. */
static bool is_searched(const struct lanes *lanes, int32_t feature)
{
    const struct tw_features *f = lanes->features;
    const struct tw_path_source *cheapest = &f->paths->sources[f->starts[feature]];
    return cheapest->cost < lanes->blend->limit && !tw_task_cancelled(lanes->task);
}

static void search_feature(void *context, int32_t feature, int32_t lane)
{
    struct lanes *lanes = context;
    const struct tw_features *f = lanes->features;
    const int32_t *start = f->starts + feature;
    if (is_searched(lanes, feature))
        tw_search_run(f->paths, f->bounds, &lanes->searches[lane], start[0], start[1]);
}

/* Adds the costs of a feature and leaves its lane clean. */
static void add_feature(void *context, int32_t feature, int32_t lane)
{
    const struct lanes *lanes = context;
    const struct tw_search *search = &lanes->searches[lane];
    size_t chunks = tw_search_chunks(lanes->features->paths->grid);
    if (!is_searched(lanes, feature))
        return;
    for (size_t chunk = 0; chunk < chunks; chunk++)
        if (search->touched[chunk]) {
            use_chunk(lanes->blend, chunk);
            lanes->add(lanes->blend, chunk * TW_CHUNK, search->cost + chunk * TW_CHUNK);
            search->touched[chunk] = 0;
        }
    tw_task_progress(lanes->task, (double)(feature + 1) / (double)lanes->features->count);
}

/* Returns how many searches run at once: no more than there are features. */
static int32_t lanes_of(int64_t cells, int64_t features)
{
    int64_t lanes = LANE_CELLS / cells;
    lanes = lanes > LANES_MAX ? LANES_MAX : lanes < LANES_MIN ? LANES_MIN : lanes;
    return (int32_t)(lanes > features ? features : lanes);
}

enum tw_status tw_feature_blend(struct tw_task *task, const struct tw_features *features,
                                float bias, double scale, float *out)
{
    const struct tw_weighted_grid *grid = features->paths->grid;
    struct blend blend = {
        .sea = features->paths->sea, .limit = features->bounds->limit, .bias = bias};
    struct lanes lanes = {
        .task = task, .features = features, .blend = &blend, .add = add_chunk(tw_task_simd(task))};
    int32_t at_once = lanes_of(grid->cells, features->count);
    if (!lay_out(&(struct tw_scratch){.task = task}, features->paths, &blend, lanes.searches,
                 at_once))
        return tw_task_no_memory(task);
    memset(blend.used, 0, tw_search_chunks(grid));
    tw_ordered_run(task, features->count, at_once, search_feature, add_feature, &lanes);
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    struct writer writer = {grid, &blend, scale, out};
    tw_rows(task, grid->height, 32, write_rows, &writer);
    return TW_OK;
}

void tw_feature_blend_forecast(struct tw_forecast *f, uint64_t features, double least, double most)
{
    const struct tw_weighted_grid grid = tw_weighted_grid_sized(f->width, f->height);
    const struct tw_paths paths = {.grid = &grid, .least = least, .most = most};
    struct tw_search searches[LANES_MAX];
    struct blend blend;
    lay_out(&(struct tw_scratch){.forecast = f}, &paths, &blend, searches,
            lanes_of(grid.cells, (int64_t)features));
}
