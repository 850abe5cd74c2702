/* SPDX-License-Identifier: MIT */
/* Drainage; see the header. Where all border cells are outlets, the arrays can be walked as one
 * long row: a neighbour index beyond a row's end is that of a border cell, which never drains
 * anywhere, and one outside the map falls in a margin with the same values. With other outlets,
 * border cells look up their neighbours one by one. */
#include "common/drainage/drainage.h"
#include "common/drainage/basins.h"
#include "common/drainage/levels.h"

#include <thalweg/scratch.h>
#include <thalweg/simd.h>

#include <string.h>

#define REAL float
#define CODE int32_t
#define NO_WAY TW_OUTLET
#include "common/drainage/steepest.h"

/* The border cells of a row, and its outlets. */
static void steepest_on_rims(const struct slopes *s, int32_t y)
{
    const struct tw_drainage *d = s->d;
    int32_t first = y * d->width;
    const uint8_t *outlet = d->outlet + first;
    uint8_t *to = d->to + first;
    for (int32_t x = 0; x < d->width; x += tw_drainage_rim_step(d, y))
        to[x] = steepest_on_rim(s, first + x);
    for (int32_t x = 0; x < d->width; x++)
        to[x] = outlet[x] ? TW_OUTLET : to[x];
}

struct rows {
    struct slopes slopes;
    void (*steepest)(const struct slopes *, int32_t);
    void (*donors)(const struct tw_drainage *, int32_t);
};

static void steepest_rows(void *context, int32_t begin, int32_t end)
{
    const struct rows *r = context;
    const struct tw_drainage *d = r->slopes.d;
    for (int32_t y = begin; y < end; y++) {
        if (y == 0 || y == d->height - 1 || d->width < 3) {
            memset(d->to + (size_t)y * (size_t)d->width, TW_OUTLET, (size_t)d->width);
            continue;
        }
        d->to[(size_t)y * (size_t)d->width] = TW_OUTLET;
        d->to[(size_t)(y + 1) * (size_t)d->width - 1] = TW_OUTLET;
        r->steepest(&r->slopes, y);
    }
    for (int32_t y = begin; d->rim && y < end; y++)
        steepest_on_rims(&r->slopes, y);
}

static TW_INLINE void donors_body(const struct tw_drainage *d, int32_t y)
{
    size_t w = (size_t)d->width;
    const uint8_t *here = d->to + (size_t)y * w, *up = here - w, *down = here + w;
    uint8_t *from = d->from + (size_t)y * w;
    for (size_t x = 0; x < w; x++) {
        unsigned bits = up[x - 1] == 7 ? 1 : 0;
        bits |= up[x] == 6 ? 2 : 0;
        bits |= up[x + 1] == 5 ? 4 : 0;
        bits |= here[x - 1] == 4 ? 8 : 0;
        bits |= here[x + 1] == 3 ? 16 : 0;
        bits |= down[x - 1] == 2 ? 32 : 0;
        bits |= down[x] == 1 ? 64 : 0;
        bits |= down[x + 1] == 0 ? 128 : 0;
        from[x] = (uint8_t)bits;
    }
}
TW_SIMD_KERNEL(donors, (const struct tw_drainage *d, int32_t y), (d, y))

static uint8_t donors_on_rim(const struct tw_drainage *d, int32_t cell)
{
    unsigned bits = 0;
    for (int k = 0; k < 8; k++) {
        int32_t next = tw_drainage_rim_neighbour(d, cell, k);
        bits |= next >= 0 && d->to[next] == 7 - k ? 1u << k : 0;
    }
    return (uint8_t)bits;
}

static void donors_rows(void *context, int32_t begin, int32_t end)
{
    const struct rows *r = context;
    const struct tw_drainage *d = r->slopes.d;
    for (int32_t y = begin; y < end; y++) {
        r->donors(d, y);
        for (int32_t x = 0; d->rim && x < d->width; x += tw_drainage_rim_step(d, y))
            d->from[y * d->width + x] = donors_on_rim(d, y * d->width + x);
    }
}

/* Sets the margins, the only part that must be set before the first route. */
static void clear_margins(struct tw_drainage *d, size_t margin)
{
    d->to += margin;
    d->label += margin;
    memset(d->to - margin, TW_OUTLET, margin);
    memset(d->to + d->cells, TW_OUTLET, margin);
    memset(d->label - margin, 0, margin * sizeof *d->label);
    memset(d->label + d->cells, 0, margin * sizeof *d->label);
}

static bool lay_out(struct tw_scratch *s, struct tw_drainage *d)
{
    int32_t w = tw_scratch_width(s), h = tw_scratch_height(s);
    uint64_t padded = (uint64_t)w * (uint64_t)h + 2 * ((uint64_t)w + 1);
    d->to = tw_scratch_take(s, padded, sizeof *d->to);
    d->from = tw_scratch_maps(s, 1, sizeof *d->from);
    d->edge = tw_scratch_maps(s, 1, sizeof *d->edge);
    d->order = tw_scratch_maps(s, 1, sizeof *d->order);
    d->label = tw_scratch_take(s, padded, sizeof *d->label);
    d->grove = tw_scratch_take(s, tw_drainage_groves_max(w, h) + 1, sizeof *d->grove);
    return tw_scratch_is_laid(s);
}

/* ---- what the header declares ---- */

enum tw_status tw_drainage_init(struct tw_task *task, struct tw_drainage *d)
{
    int32_t w = tw_task_width(task), h = tw_task_height(task);
    size_t cells = (size_t)w * (size_t)h;
    if (cells > INT32_MAX / 8 + 1) /* as tw_drainage_pass has cells and directions */
        return tw_task_fail(task, "drainage is limited to maps of 2^28 cells; this one has %zu",
                            cells);
    *d = (struct tw_drainage){.width = w, .height = h, .cells = w * h};
    const int32_t step[8] = {-w - 1, -w, -w + 1, -1, 1, w - 1, w, w + 1};
    memcpy(d->step, step, sizeof step);
    if (!lay_out(&(struct tw_scratch){.task = task}, d))
        return tw_task_no_memory(task);
    clear_margins(d, (size_t)w + 1);
    return TW_OK;
}

int32_t tw_drainage_rim_neighbour(const struct tw_drainage *d, int32_t cell, int k)
{
    int32_t at = k < 4 ? k : k + 1; /* of 3 x 3 cells */
    int32_t x = cell % d->width + at % 3 - 1, y = cell / d->width + at / 3 - 1;
    if (d->wrap) {
        x = x < 0 ? d->width - 1 : x == d->width ? 0 : x;
        y = y < 0 ? d->height - 1 : y == d->height ? 0 : y;
    }
    return x < 0 || y < 0 || x >= d->width || y >= d->height ? -1 : y * d->width + x;
}

/* Joins the pits to the outlets; computes the order only if `order`. */
static enum tw_status join_pits(struct tw_task *task, struct tw_drainage *d, const float *heights,
                                bool order)
{
    enum tw_simd simd = tw_task_simd(task);
    struct rows rows = {{d, heights}, steepest(simd), donors(simd)};
    tw_rows(task, d->height, 16, steepest_rows, &rows);
    tw_rows(task, d->height, 16, donors_rows, &rows);
    int32_t pits = tw_drainage_list_pits(d, d->order);
    d->basins = 1;
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    enum tw_status status = pits == 0 ? TW_OK : tw_drainage_join_basins(task, d, heights, pits);
    if (status == TW_OK && order)
        tw_drainage_order_outlets(d);
    return status == TW_OK && tw_task_cancelled(task) ? TW_CANCELLED : status;
}

enum tw_status tw_drainage_receivers(struct tw_task *task, struct tw_drainage *d,
                                     const float *heights)
{
    return join_pits(task, d, heights, false);
}

enum tw_status tw_drainage_route(struct tw_task *task, struct tw_drainage *d, const float *heights)
{
    return join_pits(task, d, heights, true);
}

enum tw_status tw_drainage_levels(struct tw_task *task, struct tw_drainage *d, const float *heights)
{
    bool complete = false;
    struct rows rows = {{d, heights}, steepest(tw_task_simd(task)), NULL};
    tw_rows(task, d->height, 16, steepest_rows, &rows);
    enum tw_status status = tw_drainage_level_basins(task, d, heights, &complete);
    return status != TW_OK || complete ? status : tw_drainage_receivers(task, d, heights);
}

struct filling {
    const struct tw_drainage *d;
    const float *heights;
    float *filled;
};

static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct filling *f = context;
    size_t last = (size_t)end * (size_t)f->d->width;
    for (size_t i = (size_t)begin * (size_t)f->d->width; i < last; i++) {
        int32_t basin = f->d->label[i];
        float z = f->heights[i];
        f->filled[i] = basin && f->d->level[basin] > z ? f->d->level[basin] : z;
    }
}

void tw_drainage_donors(struct tw_task *task, struct tw_drainage *d)
{
    struct rows rows = {.slopes.d = d, .donors = donors(tw_task_simd(task))};
    tw_rows(task, d->height, 16, donors_rows, &rows);
}

void tw_drainage_fill(struct tw_task *task, const struct tw_drainage *d, const float *heights,
                      float *filled)
{
    struct filling filling = {d, heights, filled};
    if (d->basins > 1)
        tw_rows(task, d->height, 16, fill_rows, &filling);
    else if (filled != heights)
        memcpy(filled, heights, (size_t)d->cells * sizeof *filled);
}

void tw_drainage_forecast(struct tw_forecast *f)
{
    struct tw_drainage d;
    lay_out(&(struct tw_scratch){.forecast = f}, &d);
    tw_drainage_basins_forecast(f);
}
