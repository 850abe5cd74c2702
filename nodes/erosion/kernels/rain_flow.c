/* SPDX-License-Identifier: MIT */
/* Olsen's difference maps are computed from the receiving side: every cell first notes what it
 * gives, then adds up what its neighbours give it. */
#include "erosion/kernels/rain_flow.h"
#include "common/ground_maps.h"
#include "common/kept_border.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <string.h>

enum { APRON_CELLS = 3 }; /* on a single one, what settles at a closed border would form a lip */

/* w += Kr; Ks w of ground becomes load; a = h + w. `hardness` and `rain_map` may be NULL. */
static TW_INLINE void rain_cells(const struct tw_rain_flow *f, const struct tw_framed_map *a,
                                 int32_t y, const float *hardness, const float *rain_map)
{
    float *restrict h = tw_framed_map_row(&f->h, y), *restrict w = tw_framed_map_row(&f->w, y);
    float *restrict m = tw_framed_map_row(&f->m, y), *restrict sum = tw_framed_map_row(a, y);
    float drops = f->rain, solubility = f->solubility;
    int32_t width = f->h.width;
    TW_INDEPENDENT
    for (int32_t x = 0; x < width; x++) {
        float water = w[x] + drops * (rain_map ? rain_map[x] : 1.0f);
        float dissolved = solubility * (hardness ? tw_softness(hardness[x]) : 1.0f) * water;
        h[x] -= dissolved;
        m[x] += dissolved;
        w[x] = water;
        sum[x] = h[x] + water;
    }
}

static TW_INLINE void rain_body(const struct tw_rain_flow *f, const struct tw_framed_map *a,
                                int32_t y)
{
    size_t row = (size_t)y * (size_t)f->h.width;
    const float *hardness = f->hardness ? f->hardness + row : NULL;
    const float *rain_map = f->rain_map ? f->rain_map + row : NULL;
    if (!hardness && !rain_map)
        rain_cells(f, a, y, NULL, NULL);
    else if (!hardness)
        rain_cells(f, a, y, NULL, rain_map);
    else if (!rain_map)
        rain_cells(f, a, y, hardness, NULL);
    else
        rain_cells(f, a, y, hardness, rain_map);
}
TW_SIMD_KERNEL(rain, (const struct tw_rain_flow *f, const struct tw_framed_map *a, int32_t y),
               (f, a, y))

/* min(w, a - mean of a over the cell and its lower neighbours), and its share of the load */
static TW_INLINE void give_body(const struct tw_rain_flow *f, int32_t y)
{
    const float *around[8], *restrict a = tw_framed_map_row(&f->a, y);
    const float *restrict w = tw_framed_map_row(&f->w, y), *restrict m =
                                                               tw_framed_map_row(&f->m, y);
    float *restrict water = tw_framed_map_row(&f->water, y), *restrict total =
                                                                 tw_framed_map_row(&f->total, y);
    float *restrict sediment = tw_framed_map_row(&f->sediment, y);
    tw_framed_map_around(&f->a, y, around);
    TW_INDEPENDENT
    for (int32_t x = 0; x < f->h.width; x++) {
        float sum = a[x], cells = 1, drops = 0;
        for (int k = 0; k < 8; k++) {
            float other = around[k][x], drop = a[x] - other;
            drops += drop > 0 ? drop : 0;
            sum += drop > 0 ? other : -0.0f; /* -0 keeps any sum's bits */
            cells += drop > 0 ? 1.0f : 0.0f;
        }
        float moved = tw_min(w[x], a[x] - sum / cells), load = m[x] * (moved / w[x]);
        moved = drops > 0 ? moved : 0;
        load = drops > 0 ? load : 0;
        water[x] = w[x] > 0 ? moved : 0;
        sediment[x] = w[x] > 0 ? load : 0;
        total[x] = drops;
    }
}
TW_SIMD_KERNEL(give, (const struct tw_rain_flow *f, int32_t y), (f, y))

/* Changes w and m by what the cell gives and gets; w *= 1 - Ke; load over Kc w becomes ground. Both
 * sides of a choice are computed before it, so no load from memory depends on one. */
static TW_INLINE void take_body(const struct tw_rain_flow *f, int32_t y)
{
    const float *around[8], *waters[8], *sediments[8], *totals[8];
    const float *restrict a = tw_framed_map_row(&f->a, y), *restrict water =
                                                               tw_framed_map_row(&f->water, y);
    const float *restrict sediment = tw_framed_map_row(&f->sediment, y);
    float *restrict h = tw_framed_map_row(&f->h, y), *restrict w = tw_framed_map_row(&f->w, y);
    float *restrict m = tw_framed_map_row(&f->m, y), left = f->left, capacity = f->capacity;
    tw_framed_map_around(&f->a, y, around);
    tw_framed_map_around(&f->water, y, waters);
    tw_framed_map_around(&f->sediment, y, sediments);
    tw_framed_map_around(&f->total, y, totals);
    TW_INDEPENDENT
    for (int32_t x = 0; x < f->h.width; x++) {
        float gained = -water[x], load = -sediment[x];
        for (int k = 0; k < 8; k++) {
            float drop = around[k][x] - a[x], share = drop / totals[k][x];
            float gain = waters[k][x] * share, with_it = sediments[k][x] * share;
            gained += drop > 0 ? gain : -0.0f;
            load += drop > 0 ? with_it : -0.0f;
        }
        w[x] = (w[x] + gained) * left;
        load += m[x];
        float excess = tw_max(load - capacity * w[x], 0);
        m[x] = load - excess;
        h[x] += excess;
    }
}
TW_SIMD_KERNEL(take, (const struct tw_rain_flow *f, int32_t y), (f, y))

static void rain_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_rain_flow *f = context;
    for (int32_t y = begin; y < end; y++) {
        rain(f->simd)(f, &f->a, y);
        tw_framed_map_close(&f->a, y);
    }
}

static void give_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_rain_flow *f = context;
    for (int32_t y = begin; y < end; y++) {
        give(f->simd)(f, y);
        if (f->kept) {
            tw_kept_border_clear(&f->water, y);
            tw_kept_border_clear(&f->sediment, y);
        }
        tw_framed_map_close(&f->water, y);
        tw_framed_map_close(&f->sediment, y);
        tw_framed_map_close(&f->total, y);
    }
}

static const float *hardness_at(const struct tw_rain_flow *f, int32_t y, int32_t x)
{
    return f->hardness ? f->hardness + (size_t)y * (size_t)f->h.width + (size_t)x : NULL;
}

/* Notes what a pass changes, what settles less what dissolved: `change` first holds the ground
 * before the pass, then the change. */
static void begin_change(const struct tw_rain_flow *f, int32_t y, int32_t x, float *change)
{
    float soft = f->hardness ? tw_softness(*hardness_at(f, y, x)) : 1.0f;
    float dissolved = f->solubility * soft * tw_framed_map_row(&f->w, y)[x];
    *change = tw_framed_map_row(&f->h, y)[x] + dissolved;
}

static void end_change(const struct tw_rain_flow *f, int32_t y, int32_t x, float *change)
{
    *change = tw_framed_map_row(&f->h, y)[x] - *change;
}

/* Row y receives, and what its two ends gain or lose is spread over aprons. Changes of the first
 * and the last row are left to lay_across(), as other workers may be changing their aprons' rows.
 */
static void take_closed(const struct tw_rain_flow *f, int32_t y)
{
    float *h = tw_framed_map_row(&f->h, y), west, east;
    float *change = y == 0 ? f->change[0] : y == f->h.height - 1 ? f->change[1] : NULL;
    int32_t last = f->h.width - 1;
    begin_change(f, y, 0, &west);
    begin_change(f, y, last, &east);
    for (int32_t x = 0; change && x <= last; x++)
        begin_change(f, y, x, &change[x]);
    take(f->simd)(f, y);
    for (int32_t x = 0; change && x <= last; x++)
        end_change(f, y, x, &change[x]);
    end_change(f, y, 0, &west);
    end_change(f, y, last, &east);
    tw_border_apron_lay(&f->apron, h, 1, west, hardness_at(f, y, 0), 1);
    tw_border_apron_lay(&f->apron, h + last, -1, east, hardness_at(f, y, last), -1);
}

/* Lays the changes of row `border` over row y of its apron, the kth. */
static void lay_row(const struct tw_rain_flow *f, int32_t border, int32_t y, int32_t k,
                    const float *change)
{
    float *h = tw_framed_map_row(&f->h, y), *from = tw_framed_map_row(&f->h, border);
    float share = f->apron.share[k] - (k == 0 ? 1.0f : 0.0f);
    for (int32_t x = 0; x < f->h.width; x++) {
        float amount = share * change[x];
        float held = k > 0 ? tw_border_apron_held(amount, hardness_at(f, y, x)) : 0;
        h[x] += amount - held;
        from[x] += held;
    }
}

/* Spreads the changes of the first and the last row over their aprons. */
static void lay_across(const struct tw_rain_flow *f)
{
    int32_t last = f->h.height - 1;
    for (int32_t k = 0; k < f->apron.cells; k++) {
        lay_row(f, 0, k, k, f->change[0]);
        lay_row(f, last, last - k, k, f->change[1]);
    }
}

/* Lets the next pass's rain fall on row y. */
static void rain_on(const struct tw_rain_flow *f, int32_t y)
{
    rain(f->simd)(f, &f->next_a, y);
    tw_framed_map_close(&f->next_a, y);
}

static bool in_apron(const struct tw_rain_flow *f, int32_t y)
{
    return y < f->apron.cells || f->h.height - 1 - y < f->apron.cells;
}

/* Ends a pass; the next one's rain falls on a row while it is in the cache, unless the row will
 * change again. */
static void take_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_rain_flow *f = context;
    for (int32_t y = begin; y < end; y++) {
        if (f->apron.cells > 0)
            take_closed(f, y);
        else
            take(f->simd)(f, y);
        if (!f->last && !in_apron(f, y))
            rain_on(f, y);
    }
}

static void take_all(struct tw_task *task, struct tw_rain_flow *f)
{
    tw_rows(task, f->h.height, 8, take_rows, f);
    lay_across(f);
    for (int32_t y = 0; !f->last && y < f->h.height; y++)
        if (in_apron(f, y))
            rain_on(f, y);
}

/* Cells of a wall are too high to receive, and give 0 d / 1. */
bool tw_rain_flow_lay_out(struct tw_scratch *s, struct tw_rain_flow *f, bool wraps)
{
    f->change[0] = tw_scratch_take(s, 2 * (uint64_t)tw_scratch_width(s), sizeof *f->change[0]);
    return tw_framed_map_lay_out(s, &f->h, wraps, 0) && tw_framed_map_lay_out(s, &f->w, wraps, 0) &&
           tw_framed_map_lay_out(s, &f->m, wraps, 0) &&
           tw_framed_map_lay_out(s, &f->a, wraps, TW_FRAMED_MAP_WALL) &&
           tw_framed_map_lay_out(s, &f->next_a, wraps, TW_FRAMED_MAP_WALL) &&
           tw_framed_map_lay_out(s, &f->water, wraps, 0) &&
           tw_framed_map_lay_out(s, &f->sediment, wraps, 0) &&
           tw_framed_map_lay_out(s, &f->total, wraps, 1);
}

/* Maps of fewer than two rows or columns have no inland. */
static void set_apron(struct tw_rain_flow *f, bool wraps)
{
    int32_t width = f->h.width, height = f->h.height, most = width < height ? width : height;
    bool applies = !wraps && !f->kept && most >= 2;
    f->change[0] = applies ? f->change[0] : NULL;
    f->change[1] = applies ? f->change[0] + width : NULL;
    if (applies)
        tw_border_apron_set(&f->apron, APRON_CELLS, most);
}

bool tw_rain_flow_create(struct tw_task *task, struct tw_rain_flow *f, bool wraps)
{
    f->simd = tw_task_simd(task);
    if (!tw_rain_flow_lay_out(&(struct tw_scratch){.task = task}, f, wraps))
        return false;
    set_apron(f, wraps);
    memset(f->w.cells - TW_FRAMED_MAP_LEAD, 0, f->w.stride * (size_t)f->w.height * sizeof(float));
    memset(f->m.cells - TW_FRAMED_MAP_LEAD, 0, f->m.stride * (size_t)f->m.height * sizeof(float));
    return true;
}

enum tw_status tw_rain_flow_run(struct tw_task *task, struct tw_rain_flow *f, int32_t passes)
{
    if (passes > 0)
        tw_rows(task, f->h.height, 8, rain_rows, f);
    for (int32_t i = 0; i < passes; i++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        f->last = i + 1 == passes;
        tw_rows(task, f->h.height, 8, give_rows, f);
        take_all(task, f);
        tw_framed_map_swap(&f->a, &f->next_a);
        tw_task_progress(task, (double)(i + 1) / passes);
    }
    return TW_OK;
}
