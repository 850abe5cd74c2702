/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/flow_lines.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <string.h>

#define ABYSS 1e30f /* higher than any ground: the neighbour that is not there */

/* The steepest descent of a cell so far. */
struct descent {
    float square; /* of its slope */
    float rise, run;
    int32_t facet;
};

/* With r the angle between the descent and the cardinal neighbour, tan r = rise / run; beyond 0
 * and 45 degrees it runs along the triangle's edge. */
static TW_INLINE void consider(struct descent *best, int32_t facet, float z, float cardinal,
                               float corner)
{
    float run = z - cardinal, rise = cardinal - corner, drop = z - corner;
    bool along = rise <= 0, across = !along && rise >= run;
    float straight = tw_max(run, 0) * tw_max(run, 0);
    float diagonal = 0.5f * tw_max(drop, 0) * tw_max(drop, 0);
    float inside = run * run + rise * rise;
    float square = along ? straight : across ? diagonal : inside;
    bool better = square > best->square;
    float share_rise = along ? 0 : across ? 1 : rise, share_run = along || across ? 1 : run;
    best->square = better ? square : best->square;
    best->rise = better ? share_rise : best->rise;
    best->run = better ? share_run : best->run;
    best->facet = better ? facet : best->facet;
}

/* z: the cell's height; around: its neighbours' in reading order. */
static TW_INLINE struct descent steepest(float z, const float around[8])
{
    struct descent best = {0, 0, 1, TW_OUTLET};
    consider(&best, 0, z, around[1], around[0]);
    consider(&best, 1, z, around[1], around[2]);
    consider(&best, 2, z, around[3], around[0]);
    consider(&best, 3, z, around[3], around[5]);
    consider(&best, 4, z, around[4], around[2]);
    consider(&best, 5, z, around[4], around[7]);
    consider(&best, 6, z, around[6], around[5]);
    consider(&best, 7, z, around[6], around[7]);
    return best;
}

/* Inner cells of a row. */
static TW_INLINE void descend_body(const struct tw_flow_lines *f, int32_t y)
{
    size_t w = (size_t)f->d->width, inner = w - 2;
    const float *restrict here = f->filled + (size_t)y * w + 1;
    const float *restrict up = here - w, *restrict down = here + w;
    uint8_t *restrict facet = f->facet + (size_t)y * w + 1;
    float *restrict corner = f->corner + (size_t)y * w + 1;
    for (size_t x = 0; x < inner; x++) {
        const float around[8] = {up[x - 1],   up[x],       up[x + 1], here[x - 1],
                                 here[x + 1], down[x - 1], down[x],   down[x + 1]};
        struct descent best = steepest(here[x], around);
        facet[x] = (uint8_t)best.facet;
        corner[x] = best.rise / best.run;
    }
}
TW_SIMD_KERNEL(descend, (const struct tw_flow_lines *f, int32_t y), (f, y))

static void descend_on_rim(const struct tw_flow_lines *f, int32_t cell)
{
    float around[8];
    for (int k = 0; k < 8; k++) {
        int32_t next = tw_drainage_rim_neighbour(f->d, cell, k);
        around[k] = next < 0 ? ABYSS : f->filled[next];
    }
    struct descent best = steepest(f->filled[cell], around);
    f->facet[cell] = (uint8_t)best.facet;
    f->corner[cell] = best.rise / best.run;
}

/* Level ground and outlets follow the drainage's receivers. */
static void follow_drainage(const struct tw_flow_lines *f, int32_t cell)
{
    static const uint8_t facets[9] = {0, 0, 1, 2, 4, 3, 6, 5, TW_OUTLET};
    int k = f->d->to[cell];
    bool corner = k == 0 || k == 2 || k == 5 || k == 7;
    f->facet[cell] = facets[k];
    f->corner[cell] = corner ? 1.0f : 0.0f;
}

/* Stores the receivers, and marks in the facet cells that are not plain inner ones. */
static void finish_cell(const struct tw_flow_lines *f, int32_t cell)
{
    if (f->d->to[cell] == TW_OUTLET || f->facet[cell] == TW_OUTLET)
        follow_drainage(f, cell);
    int facet = f->facet[cell];
    if (facet == TW_OUTLET) {
        f->gives[cell] = 0;
        f->facet[cell] = TW_FLOW_LINES_NONE;
        return;
    }
    unsigned cardinal = f->corner[cell] < 1 ? 1u << tw_flow_lines_cardinal(facet) : 0;
    unsigned corner = f->corner[cell] > 0 ? 1u << tw_flow_lines_corner(facet) : 0;
    f->gives[cell] = (uint8_t)(cardinal | corner);
    if (f->d->rim && f->d->rim[cell])
        f->facet[cell] = (uint8_t)(facet + TW_FLOW_LINES_RIM);
}

static void descend_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_flow_lines *f = context;
    const struct tw_drainage *d = f->d;
    for (int32_t y = begin; y < end; y++) {
        int32_t first = y * d->width, last = first + d->width;
        if (y > 0 && y < d->height - 1 && d->width > 2)
            f->descend(f, y);
        for (int32_t cell = first; d->rim && cell < last; cell++)
            if (d->rim[cell])
                descend_on_rim(f, cell);
        for (int32_t cell = first; cell < last; cell++)
            finish_cell(f, cell);
    }
}

/* How many neighbours give to the inner cells of a row. */
static TW_INLINE void count_body(const struct tw_flow_lines *f, int32_t y)
{
    size_t w = (size_t)f->d->width, inner = w - 2;
    const uint8_t *restrict here = f->gives + (size_t)y * w + 1;
    const uint8_t *restrict up = here - w, *restrict down = here + w;
    uint8_t *restrict donors = f->donors + (size_t)y * w + 1;
    for (size_t x = 0; x < inner; x++)
        donors[x] = (uint8_t)((up[x - 1] >> 7 & 1) + (up[x] >> 6 & 1) + (up[x + 1] >> 5 & 1) +
                              (here[x - 1] >> 4 & 1) + (here[x + 1] >> 3 & 1) +
                              (down[x - 1] >> 2 & 1) + (down[x] >> 1 & 1) + (down[x + 1] & 1));
}
TW_SIMD_KERNEL(count, (const struct tw_flow_lines *f, int32_t y), (f, y))

static uint8_t count_on_rim(const struct tw_flow_lines *f, int32_t cell)
{
    int count = 0;
    for (int k = 0; k < 8; k++) {
        int32_t next = tw_drainage_rim_neighbour(f->d, cell, k);
        count += next >= 0 ? f->gives[next] >> (7 - k) & 1 : 0;
    }
    return (uint8_t)count;
}

static void count_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_flow_lines *f = context;
    int32_t w = f->d->width, h = f->d->height;
    for (int32_t y = begin; y < end; y++) {
        bool inner = y > 0 && y < h - 1 && w > 2;
        if (inner)
            f->count(f, y);
        for (int32_t x = 0; x < w; x += inner ? w - 1 : 1)
            f->donors[y * w + x] = count_on_rim(f, y * w + x);
    }
}

/* ---- areas ---- */

enum { GIVEN = 255 }; /* donors of a cell that has given */

/* Gives a share of the area; true when that completes the receiver's own. */
static bool give(const struct tw_flow_lines *f, float *area, int32_t to, float given)
{
    area[to] += given;
    return --f->donors[to] == 0;
}

/* Follows the water of a complete cell for as long as it completes others. Where it completes two
 * at once, the second waits on the stack. */
static int32_t follow(const struct tw_flow_lines *f, const struct tw_flow_lines_steps *steps,
                      float *area, int32_t length, int32_t cell)
{
    int32_t *stack = f->d->label, waiting = 0;
    for (;;) {
        int facet = f->facet[cell];
        int32_t next = -1;
        float corner = f->corner[cell], all = area[cell];
        f->order[length++] = cell;
        f->donors[cell] = GIVEN;
        if (facet != TW_FLOW_LINES_NONE) {
            struct tw_receivers to = tw_flow_lines_receivers(f, steps, cell, facet);
            if (corner < 1 && give(f, area, to.cardinal, all - corner * all))
                next = to.cardinal;
            if (corner > 0 && give(f, area, to.corner, corner * all)) {
                if (next >= 0)
                    stack[waiting++] = to.corner;
                else
                    next = to.corner;
            }
        }
        if (next < 0 && waiting == 0)
            return length;
        cell = next >= 0 ? next : stack[--waiting];
    }
}

struct tw_flow_lines_steps tw_flow_lines_steps(const struct tw_drainage *d)
{
    struct tw_flow_lines_steps steps;
    for (int facet = 0; facet < 8; facet++) {
        steps.cardinal[facet] = d->step[tw_flow_lines_cardinal(facet)];
        steps.corner[facet] = d->step[tw_flow_lines_corner(facet)];
    }
    return steps;
}

enum tw_status tw_flow_lines_init(struct tw_task *task, struct tw_flow_lines *f,
                                  const struct tw_drainage *d)
{
    size_t cells = (size_t)d->cells;
    *f = (struct tw_flow_lines){.d = d,
                                .order = d->order,
                                .descend = descend(tw_task_simd(task)),
                                .count = count(tw_task_simd(task))};
    f->filled = tw_task_scratch(task, cells, sizeof *f->filled);
    f->corner = tw_task_scratch(task, cells, sizeof *f->corner);
    f->facet = tw_task_scratch(task, cells, 3 * sizeof *f->facet);
    if (!f->filled || !f->corner || !f->facet)
        return tw_task_no_memory(task);
    f->gives = f->facet + cells;
    f->donors = f->gives + cells;
    return TW_OK;
}

enum tw_status tw_flow_lines_route(struct tw_task *task, struct tw_flow_lines *f,
                                   struct tw_drainage *d, const float *heights, float *area)
{
    enum tw_status status = tw_drainage_receivers(task, d, heights);
    if (status != TW_OK)
        return status;
    tw_drainage_fill(task, d, heights, f->filled);
    tw_rows(task, d->height, 16, descend_rows, f);
    tw_rows(task, d->height, 16, count_rows, f);
    const struct tw_flow_lines_steps steps = tw_flow_lines_steps(d);
    int32_t length = 0;
    for (int32_t cell = 0; cell < d->cells; cell++)
        area[cell] = 1;
    for (int32_t cell = 0; cell < d->cells; cell++)
        if (f->donors[cell] == 0)
            length = follow(f, &steps, area, length, cell);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

void tw_flow_lines_forecast(struct tw_forecast *f)
{
    struct tw_flow_lines lines;
    tw_forecast_maps(f, 1, sizeof *lines.filled + sizeof *lines.corner + 3 * sizeof *lines.facet);
}
