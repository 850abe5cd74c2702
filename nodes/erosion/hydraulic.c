/* SPDX-License-Identifier: MIT */
/* Hydraulic erosion: rain dissolves ground, water spreads to all lower neighbours and takes its
 * load along, and leaves what it cannot carry when it evaporates. Olsen 2004, "Hydraulic erosion",
 * reference implementation, after Benes and Forsbach. His difference maps are computed from the
 * receiving side: every cell first notes what it gives, then adds up what its neighbours give it.
 */
#include "erosion/kernels/border_apron.h"
#include "erosion/kernels/framed_map.h"
#include "erosion/kernels/ground_maps.h"
#include "erosion/kernels/height_scale.h"
#include "erosion/kernels/kept_border.h"
#include "erosion/kernels/masked.h"
#include "erosion/kernels/mass_balance.h"
#include "erosion/kernels/ports.h"

#include <thalweg/kernel.h>
#include <thalweg/resolution.h>
#include <thalweg/simd.h>

struct params {
    float rain, solubility, evaporation, capacity; /* Kr, Ks, Ke, Kc */
    float height_scale;
    int32_t iterations;
    int32_t side;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, rain, 0.01, 0, 1, TW_UNIT_HEIGHT, "water that falls in a pass"),
    TW_PARAM_F32(struct params, solubility, 0.01, 0, 1, "height of ground per height of water",
                 "ground that water dissolves in a pass"),
    TW_PARAM_F32(struct params, evaporation, 0.5, 0, 1, TW_UNIT_SHARE,
                 "share of the water that evaporates in a pass"),
    TW_PARAM_F32(struct params, capacity, 0.01, 0, 1, "height of ground per height of water",
                 "load that water can carry"),
    TW_PARAM_HEIGHT_SCALE(struct params, height_scale),
    TW_PARAM_I32(struct params, iterations, 100, 0, 100000, "passes", "passes over the map"),
    TW_PARAM_SIDE(struct params, "iterations are"),
    TW_PARAM_KEPT_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN, MASK, HARDNESS, RAIN_MAP };
static const struct tw_port inputs[] = {
    TW_EROSION_IN, TW_STRENGTH_PORT, TW_HARDNESS_PORT, TW_RAIN_MAP_PORT, TW_PORT_END,
};

static const struct tw_port outputs[] = {
    TW_EROSION_OUT,
    {"water", TW_HEIGHTMAP, TW_ON_DEMAND, "the water that is left, as height"},
    {"sediment", TW_HEIGHTMAP, TW_ON_DEMAND, "the load it carried last, which now lies in out"},
    TW_EROSION_CHANGES,
    TW_EROSION_LEDGER,
    TW_PORT_END,
};

enum { WATER = 1, SEDIMENT, ERODED };

enum { APRON_CELLS = 3 }; /* on a single one, what settles at a closed border would form a lip */

struct flow {
    struct tw_framed_map h, w, m;                /* ground, water, its load */
    struct tw_framed_map a, next_a;              /* h + w, and that of the next pass */
    struct tw_framed_map water, sediment, total; /* what a cell gives; the sum of its drops */
    float rain, solubility, left, capacity;      /* Kr, Ks, 1 - Ke, Kc */
    struct tw_border_apron apron;                /* of a closed border; else of 0 cells */
    float *change[2];                            /* in a pass, of the first and the last row */
    const float *hardness, *rain_map;            /* may be NULL */
    bool last;                                   /* no rain after this pass */
    bool kept;                                   /* cells of the border give nothing */
    enum tw_simd simd;
};

/* w += Kr; Ks w of ground becomes load; a = h + w. `hardness` and `rain_map` may be NULL. */
static TW_INLINE void rain_cells(const struct flow *f, const struct tw_framed_map *a, int32_t y,
                                 const float *hardness, const float *rain_map)
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

static TW_INLINE void rain_body(const struct flow *f, const struct tw_framed_map *a, int32_t y)
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
TW_SIMD_KERNEL(rain, (const struct flow *f, const struct tw_framed_map *a, int32_t y), (f, a, y))

/* min(w, a - mean of a over the cell and its lower neighbours), and its share of the load */
static TW_INLINE void give_body(const struct flow *f, int32_t y)
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
TW_SIMD_KERNEL(give, (const struct flow *f, int32_t y), (f, y))

/* w and m change by what the cell gives and gets; w *= 1 - Ke; load over Kc w becomes ground.
 * Both sides of a choice are computed before it, so no load from memory depends on one. */
static TW_INLINE void take_body(const struct flow *f, int32_t y)
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
TW_SIMD_KERNEL(take, (const struct flow *f, int32_t y), (f, y))

static void rain_rows(void *context, int32_t begin, int32_t end)
{
    const struct flow *f = context;
    for (int32_t y = begin; y < end; y++) {
        rain(f->simd)(f, &f->a, y);
        tw_framed_map_close(&f->a, y);
    }
}

static void give_rows(void *context, int32_t begin, int32_t end)
{
    const struct flow *f = context;
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

static const float *hardness_at(const struct flow *f, int32_t y, int32_t x)
{
    return f->hardness ? f->hardness + (size_t)y * (size_t)f->h.width + (size_t)x : NULL;
}

/* What a pass changes is what settles less what dissolved: `change` is first what there was before
 * it, then that. */
static void begin_change(const struct flow *f, int32_t y, int32_t x, float *change)
{
    float soft = f->hardness ? tw_softness(*hardness_at(f, y, x)) : 1.0f;
    float dissolved = f->solubility * soft * tw_framed_map_row(&f->w, y)[x];
    *change = tw_framed_map_row(&f->h, y)[x] + dissolved;
}

static void end_change(const struct flow *f, int32_t y, int32_t x, float *change)
{
    *change = tw_framed_map_row(&f->h, y)[x] - *change;
}

/* Row y receives, and what its two ends gain or lose is spread over aprons. Changes of the first
 * and the last row are left to lay_across(), as other workers may be changing their aprons' rows.
 */
static void take_closed(const struct flow *f, int32_t y)
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
static void lay_row(const struct flow *f, int32_t border, int32_t y, int32_t k, const float *change)
{
    float *h = tw_framed_map_row(&f->h, y), *from = tw_framed_map_row(&f->h, border);
    float share = f->apron.share[k] - (k == 0 ? 1.0f : 0.0f);
    for (int32_t x = 0; x < f->h.width; x++) {
        float part = share * change[x];
        float held = k > 0 ? tw_border_apron_held(part, hardness_at(f, y, x)) : 0;
        h[x] += part - held;
        from[x] += held;
    }
}

/* Spreads the changes of the first and the last row over their aprons. */
static void lay_across(const struct flow *f)
{
    int32_t last = f->h.height - 1;
    for (int32_t k = 0; k < f->apron.cells; k++) {
        lay_row(f, 0, k, k, f->change[0]);
        lay_row(f, last, last - k, k, f->change[1]);
    }
}

/* The next pass's rain falls on row y. */
static void rain_on(const struct flow *f, int32_t y)
{
    rain(f->simd)(f, &f->next_a, y);
    tw_framed_map_close(&f->next_a, y);
}

static bool in_apron(const struct flow *f, int32_t y)
{
    return y < f->apron.cells || f->h.height - 1 - y < f->apron.cells;
}

/* Ends a pass; the next one's rain falls on a row while it is in the cache, unless the row will
 * change again. */
static void take_rows(void *context, int32_t begin, int32_t end)
{
    const struct flow *f = context;
    for (int32_t y = begin; y < end; y++) {
        if (f->apron.cells > 0)
            take_closed(f, y);
        else
            take(f->simd)(f, y);
        if (!f->last && !in_apron(f, y))
            rain_on(f, y);
    }
}

static void take_all(struct tw_task *task, struct flow *f)
{
    tw_rows(task, f->h.height, 8, take_rows, f);
    lay_across(f);
    for (int32_t y = 0; !f->last && y < f->h.height; y++)
        if (in_apron(f, y))
            rain_on(f, y);
}

/* Cells of a wall are too high to receive, and give 0 d / 1. */
static bool allocate(struct tw_task *task, struct flow *f, bool wraps)
{
    return tw_framed_map_create(task, &f->h, wraps, 0) &&
           tw_framed_map_create(task, &f->w, wraps, 0) &&
           tw_framed_map_create(task, &f->m, wraps, 0) &&
           tw_framed_map_create(task, &f->a, wraps, TW_FRAMED_MAP_WALL) &&
           tw_framed_map_create(task, &f->next_a, wraps, TW_FRAMED_MAP_WALL) &&
           tw_framed_map_create(task, &f->water, wraps, 0) &&
           tw_framed_map_create(task, &f->sediment, wraps, 0) &&
           tw_framed_map_create(task, &f->total, wraps, 1);
}

/* Maps of fewer than two rows or columns have no inland. */
static bool set_apron(struct tw_task *task, struct flow *f, bool wraps)
{
    int32_t width = f->h.width, height = f->h.height, most = width < height ? width : height;
    if (wraps || f->kept || most < 2)
        return true;
    tw_border_apron_set(&f->apron, APRON_CELLS, most);
    f->change[0] = tw_task_scratch(task, 2 * (size_t)width, sizeof *f->change[0]);
    f->change[1] = f->change[0] ? f->change[0] + width : NULL;
    return f->change[0];
}

static enum tw_status iterate(struct tw_task *task, struct flow *f, int32_t iterations)
{
    if (iterations > 0)
        tw_rows(task, f->h.height, 8, rain_rows, f);
    for (int32_t i = 0; i < iterations; i++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        f->last = i + 1 == iterations;
        tw_rows(task, f->h.height, 8, give_rows, f);
        take_all(task, f);
        tw_framed_map_swap(&f->a, &f->next_a);
        tw_task_progress(task, (double)(i + 1) / iterations);
    }
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct flow f = {.rain = p->rain / p->height_scale,
                     .solubility = p->solubility * p->height_scale,
                     .left = 1 - p->evaporation,
                     .capacity = p->capacity * p->height_scale,
                     .hardness = tw_optional_cells(task, HARDNESS),
                     .rain_map = tw_optional_cells(task, RAIN_MAP),
                     .kept = p->border == TW_KEPT_BORDER,
                     .simd = tw_task_simd(task)};
    double scale = tw_resolution_scale(task, p->side);
    bool wraps = tw_task_wraps(task, p->border);
    if (!allocate(task, &f, wraps) || !set_apron(task, &f, wraps))
        return tw_task_no_memory(task);
    tw_framed_map_read(&f.h, tw_floats(tw_task_input(task, IN)));
    memset(f.w.cells - TW_FRAMED_MAP_LEAD, 0, f.w.stride * (size_t)f.w.height * sizeof(float));
    memset(f.m.cells - TW_FRAMED_MAP_LEAD, 0, f.m.stride * (size_t)f.m.height * sizeof(float));
    enum tw_status status =
        iterate(task, &f, tw_resolution_count(p->iterations, scale * sqrt(scale)));
    if (tw_task_wants(task, WATER))
        tw_framed_map_write(&f.w, tw_floats(tw_task_output(task, WATER)));
    if (tw_task_wants(task, SEDIMENT))
        tw_framed_map_write(&f.m, tw_floats(tw_task_output(task, SEDIMENT)));
    for (int32_t y = 0; y < f.h.height; y++)
        for (int32_t x = 0; x < f.h.width; x++)
            tw_framed_map_row(&f.h, y)[x] += tw_framed_map_row(&f.m, y)[x];
    return status == TW_OK ? tw_mass_balance_finish(task, f.h.cells, f.h.stride,
                                                    tw_task_input(task, MASK), ERODED)
                           : status;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    tw_framed_map_forecast(f, 8, tw_forecast_wraps(f, p->border));
    tw_forecast_scratch(f, 2 * (uint64_t)f->width, sizeof(float)); /* change */
    tw_mass_balance_forecast(f);
}

extern const struct tw_node_type tw_node_erosion_hydraulic;
const struct tw_node_type tw_node_erosion_hydraulic = {
    .name = "erosion.hydraulic",
    .version = 3,
    .summary = "hydraulic erosion: rain dissolves ground, carries it and drops it",
    .detail =
        "A pass: w += rain; q = solubility w, h -= q, m += q. With a = h + w and d the positive "
        "drops of a to the eight neighbours, min(w, a - mean of a over the cell and its lower "
        "neighbours) of the water moves, split by d / (sum of d), and the same share of the load m "
        "with it; cells without water move nothing. Then w *= 1 - evaporation, and load above "
        "capacity w returns to h. All moves of a pass apply together. At the end h += m.\n"
        "Water moves by one cell in a pass: with `side` the iterations are multiplied by (width / "
        "side)^(3/2), which lies between what free water takes, (width / side), and what settling "
        "ground takes, its square.\n" TW_HEIGHT_SCALE_DETAIL
        "\nBorder: the other side, or none: then cells outside neither give nor take, and what a "
        "pass "
        "changes at a border cell is laid over 3 cells, 3/6, 2/6 and 1/6 of it from the border "
        "inland, since slopes would end in a level lip; or kept: cells of the border take, but "
        "never give, as in the game that came with the paper.\nhardness H: of ground (1 - H) q "
        "dissolves; rain_map: that share of the rain falls." TW_MASKED_LEDGER_DETAIL,
    .cite = "olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.ridged, frequency: 2, gain: 1.5}\n"
               "eroded: {type: erosion.hydraulic, in: noise, solubility: 0.1, capacity: 0.1, "
               "iterations: 20}",
    .bordered = true,
    .in_place = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
