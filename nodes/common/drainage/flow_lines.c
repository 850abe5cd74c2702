/* SPDX-License-Identifier: MIT */
#include "common/drainage/flow_areas.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <float.h>

#define ABYSS FLT_MAX /* higher than any ground: a neighbour outside the map */

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

enum { CHUNK = 64 }; /* cells whose facets are bytes afterwards: vectors of 32 would not fit */

/* Inner cells of a row. */
static TW_INLINE void descend_body(const struct tw_flow_lines *f, int32_t y)
{
    size_t w = (size_t)f->d->width, end = (size_t)(y + 1) * w - 1;
    int32_t facets[CHUNK];
    for (size_t first = (size_t)y * w + 1, count; first < end; first += count) {
        const float *restrict here = f->filled + first;
        const float *restrict up = here - w, *restrict down = here + w;
        uint8_t *restrict facet = f->facet + first;
        float *restrict corner = f->corner + first;
        count = end - first < CHUNK ? end - first : CHUNK;
        for (size_t x = 0; x < count; x++) {
            const float around[8] = {up[x - 1],   up[x],       up[x + 1], here[x - 1],
                                     here[x + 1], down[x - 1], down[x],   down[x + 1]};
            struct descent best = steepest(here[x], around);
            facets[x] = best.facet;
            corner[x] = best.rise / best.run;
        }
        for (size_t x = 0; x < count; x++)
            facet[x] = (uint8_t)facets[x];
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

/* Tables of a digit for each of 8 keys, the first in the lowest bits: shifts of vectors read them.
 */
#define CARDINALS 0x66443311u /* of a facet's neighbours, */
#define CORNERS 0x75725020u   /* the directions */
#define FACETS 0x56342100u    /* for each direction, the facet that has it, */
#define IS_CORNER 0xA5u       /* and a bit where that is its corner */

static TW_INLINE uint32_t digit(uint32_t table, int32_t key) { return table >> 4 * (key & 7) & 7; }

/* Receivers of a row. Level ground and outlets follow the drainage's. */
static TW_INLINE void receive_body(const struct tw_flow_lines *f, int32_t y)
{
    size_t w = (size_t)f->d->width, first = (size_t)y * w;
    const uint8_t *restrict to = f->d->to + first;
    uint8_t *restrict facets = f->facet + first, *restrict gives = f->gives + first;
    float *restrict corners = f->corner + first;
    for (size_t x = 0; x < w; x++) {
        int32_t way = to[x], facet = facets[x];
        bool level = way == TW_OUTLET || facet == TW_OUTLET;
        int32_t followed = way == TW_OUTLET ? TW_OUTLET : (int32_t)digit(FACETS, way);
        float corner = level ? (float)(int32_t)(IS_CORNER >> way & 1) : corners[x];
        facet = level ? followed : facet;
        uint32_t given = corner < 1 ? 1u << digit(CARDINALS, facet) : 0;
        given |= corner > 0 ? 1u << digit(CORNERS, facet) : 0;
        corners[x] = corner;
        gives[x] = (uint8_t)(facet == TW_OUTLET ? 0 : given);
        facets[x] = (uint8_t)(facet == TW_OUTLET ? TW_FLOW_LINES_NONE : facet);
    }
}
TW_SIMD_KERNEL(receive, (const struct tw_flow_lines *f, int32_t y), (f, y))

static void descend_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_flow_lines *f = context;
    const struct tw_drainage *d = f->d;
    for (int32_t y = begin; y < end; y++) {
        int32_t first = y * d->width, step = tw_drainage_rim_step(d, y);
        if (y > 0 && y < d->height - 1 && d->width > 2)
            f->descend(f, y);
        for (int32_t x = 0; d->rim && x < d->width; x += step)
            descend_on_rim(f, first + x);
        f->receive(f, y);
        for (int32_t x = 0; d->rim && x < d->width; x += step)
            if (f->facet[first + x] != TW_FLOW_LINES_NONE)
                f->facet[first + x] = (uint8_t)(f->facet[first + x] + TW_FLOW_LINES_RIM);
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

struct tw_flow_lines_steps tw_flow_lines_steps(const struct tw_drainage *d)
{
    struct tw_flow_lines_steps steps;
    for (int facet = 0; facet < 8; facet++) {
        steps.cardinal[facet] = d->step[tw_flow_lines_cardinal(facet)];
        steps.corner[facet] = d->step[tw_flow_lines_corner(facet)];
    }
    return steps;
}

void tw_flow_lines_count(struct tw_task *task, struct tw_flow_lines *f)
{
    tw_rows(task, f->d->height, 16, count_rows, f);
}

bool tw_flow_lines_lay_out(struct tw_scratch *s, struct tw_flow_lines *f)
{
    f->filled = tw_scratch_maps(s, 1, sizeof *f->filled);
    f->corner = tw_scratch_maps(s, 1, sizeof *f->corner);
    f->facet = tw_scratch_maps(s, 3, sizeof *f->facet);
    return tw_scratch_is_laid(s);
}

enum tw_status tw_flow_lines_init(struct tw_task *task, struct tw_flow_lines *f,
                                  const struct tw_drainage *d)
{
    *f = (struct tw_flow_lines){.d = d,
                                .order = d->order,
                                .descend = descend(tw_task_simd(task)),
                                .receive = receive(tw_task_simd(task)),
                                .count = count(tw_task_simd(task))};
    if (!tw_flow_lines_lay_out(&(struct tw_scratch){.task = task}, f))
        return tw_task_no_memory(task);
    f->gives = f->facet + d->cells;
    f->donors = f->gives + d->cells;
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
    tw_flow_areas_collect(task, f, area);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}
