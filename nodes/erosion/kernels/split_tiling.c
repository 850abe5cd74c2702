/* SPDX-License-Identifier: MIT */
/* A visit takes every row `depth` passes further. Bands first, side by side: where two of them
 * meet, each pass ends a row earlier than the one before, since it lacks what the other band
 * computes. Then what is left between them, again side by side:
 *
 *     pass 2   2 2 2 2 2 2 . . . . 2 2 2 2 2 2
 *     pass 1   1 1 1 1 1 1 1 . . 1 1 1 1 1 1 1
 *     pass 0   0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0     rows ->
 *
 * Where not enough long rows fit the cache, a band or gap is computed in stretches of columns, one
 * after the other. Each pass of a stretch ends SKEW columns before the pass before it, and the next
 * stretch goes on from there. */
#include "erosion/kernels/split_tiling.h"

/* CACHE: bytes of the rows under way, about what a processor keeps for itself. */
enum { CACHE = 1 << 20, DEPTH_MIN = 4, DEPTH_MAX = 16, BANDS_MIN = 8 };
enum { SKEW = 16 }; /* one would do, but rows are loaded by vectors of 16 cells */

struct visit {
    const struct tw_split_tiling *tiling;
    struct tw_task *task;
    int64_t first; /* passes done before */
    int32_t depth; /* passes of this visit */
    int32_t bands;
    int32_t stretches, stretch; /* their number; columns of each but the last */
};

/* Rows begin to end - 1 in pass 0; each pass begins and ends so many rows after the one before. */
struct tile {
    int32_t begin, end, begin_step, end_step;
};

static struct tw_stretch stretch_of(const struct visit *v, int32_t i, int32_t pass)
{
    int32_t begin = i * v->stretch - pass * SKEW, end = begin + v->stretch;
    return (struct tw_stretch){i > 0 ? begin : 0, i + 1 < v->stretches ? end : v->tiling->columns};
}

/* A wavefront: each pass is one row behind the one before it. */
static void run_stretch(const struct visit *v, struct tile tile, int32_t i)
{
    const struct tw_split_tiling *t = v->tiling;
    for (int32_t front = tile.begin; front < tile.end + 2 * v->depth; front++) {
        if (tw_task_cancelled(v->task))
            return;
        for (int32_t pass = 0; pass < v->depth; pass++) {
            int32_t y = front - pass;
            if (y >= tile.begin + pass * tile.begin_step && y < tile.end + pass * tile.end_step)
                t->relax(t->context, v->first + pass, y, stretch_of(v, i, pass));
        }
    }
}

static void run_tile(const struct visit *v, struct tile tile)
{
    for (int32_t i = 0; i < v->stretches; i++)
        run_stretch(v, tile, i);
}

static int32_t band_begin(const struct visit *v, int32_t band)
{
    return (int32_t)((int64_t)v->tiling->rows * band / v->bands);
}

static void run_bands(void *context, int32_t begin, int32_t end)
{
    const struct visit *v = context;
    for (int32_t i = begin; i < end; i++)
        run_tile(v, (struct tile){.begin = band_begin(v, i),
                                  .end = band_begin(v, i + 1),
                                  .begin_step = i > 0 ? 1 : 0,
                                  .end_step = i + 1 < v->bands ? -1 : 0});
}

/* Gap i is the one after band i. */
static void run_gaps(void *context, int32_t begin, int32_t end)
{
    const struct visit *v = context;
    for (int32_t i = begin; i < end; i++) {
        int32_t row = band_begin(v, i + 1);
        run_tile(v, (struct tile){.begin = row, .end = row, .begin_step = -1, .end_step = 1});
    }
}

static int32_t clamp(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* As many passes as keep the rows under way in the cache. Bands are four times as high, so that
 * no two gaps meet, and there are enough of them for several workers. */
static void divide(struct visit *v)
{
    int32_t rows = v->tiling->rows, columns = v->tiling->columns;
    int32_t longest = (int32_t)(CACHE / DEPTH_MAX / v->tiling->cell_bytes) / SKEW * SKEW;
    v->stretches = v->tiling->whole_rows ? 1 : (columns - 1) / longest + 1;
    v->stretch = ((columns - 1) / v->stretches / SKEW + 1) * SKEW;
    v->stretches = (columns - 1) / v->stretch + 1;
    size_t cached = CACHE / ((size_t)v->stretch * v->tiling->cell_bytes);
    v->depth = clamp(cached < DEPTH_MAX ? (int32_t)cached : DEPTH_MAX, DEPTH_MIN, DEPTH_MAX);
    v->depth = clamp(rows / (4 * BANDS_MIN), 1, v->depth);
    v->bands = clamp(rows / (4 * v->depth), 1, rows);
}

enum tw_status tw_split_tiling_run(struct tw_task *task, const struct tw_split_tiling *tiling)
{
    struct visit v = {.tiling = tiling, .task = task};
    divide(&v);
    while (v.first < tiling->passes) {
        int64_t left = tiling->passes - v.first;
        v.depth = left < v.depth ? (int32_t)left : v.depth;
        tw_rows(task, v.bands, 1, run_bands, &v);
        if (v.depth > 1)
            tw_rows(task, v.bands - 1, 1, run_gaps, &v);
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        v.first += v.depth;
        tw_task_progress(task, (double)v.first / (double)tiling->passes);
    }
    return TW_OK;
}
