/* SPDX-License-Identifier: MIT */
/* Runs the passes: in raster order, in bands order as it is defined where maps are too small for
 * vectors, or as vectors; for closed maps between walls, for kept borders with a plane of givers.
 */
#include "erosion/kernels/row_bands/row_bands.h"

#include "erosion/kernels/row_bands/row_bands_border.h"
#include "erosion/kernels/row_bands/row_bands_layout.h"
#include "erosion/kernels/row_bands/row_bands_turn.h"

#include <thalweg/kernel.h>

#include <string.h>

enum { RASTER_BELOW = 24, SLOTS_MIN = 64 };
enum { BAND = TW_ROW_BANDS_ROWS, LAG = TW_ROW_BANDS_LAG };
enum { FADE = 16, FADED_PASSES = 8 }; /* rows; the last of them */

enum method { RASTER, PLAIN_BANDS, LANES };

struct bands {
    enum method method;
    struct tw_row_bands_layout layout;
    struct tw_row_bands_border border;
};

/* Visits a cell; a share below 1 moves only that part of what the visit would move. */
static void visit_cell(const struct tw_row_bands_map *map, int32_t x, int32_t y, float share)
{
    size_t w = (size_t)map->width, plane = w * (size_t)map->height;
    int32_t left = x ? x - 1 : map->width - 1, right = x + 1 < map->width ? x + 1 : 0;
    float *row = map->cells + (size_t)y * w;
    float *up = y ? row - w : row + plane - w;
    float *down = y + 1 < map->height ? row + w : map->cells;
    float *cross[4] = {up + x, row + left, row + right, down + x};
    float *diagonal[4] = {up + left, up + right, down + left, down + right};
    float *const *around = map->rule->around == TW_NEIGHBOURS_CROSS ? cross : diagonal;
    if (share < 1)
        map->rule->visit_partly(map->rule->constants, share, row + x, around, plane);
    else
        map->rule->visit(map->rule->constants, row + x, around, plane);
}

static void visit(const struct tw_row_bands_map *map, int32_t x, int32_t y)
{
    visit_cell(map, x, y, 1);
}

static void pass_raster(const struct tw_row_bands_map *map)
{
    for (int32_t y = 0; y < map->height; y++)
        for (int32_t x = 0; x < map->width; x++)
            visit(map, x, y);
}

/* The order as it is defined, for maps too small for lanes. */
static void pass_bands(const struct tw_row_bands_map *map, int32_t start)
{
    int32_t w = map->width;
    for (int32_t top = 0; top < map->height; top += BAND)
        for (int32_t t = 0; t < w; t++)
            for (int32_t row = 0; row < BAND && top + row < map->height; row++)
                visit(map, tw_wrap(start + t - LAG * row, w), top + row);
}

/* A pass moves ground ahead of itself: its first rows give before they get, and where the pass ends
 * that ground piles up. On a torus whose rows are counted from elsewhere after every turn, both
 * effects show as a line. So the last passes begin some rows earlier, with a rising share of what
 * visits move, and go on over their first rows with a falling share. The passes that follow smooth
 * earlier ones. */
static void fade(struct tw_task *task, struct tw_row_bands_layout *at, int32_t pass, bool out)
{
    const struct tw_row_bands_map *map = &at->map;
    int32_t w = map->width, first = out ? 0 : map->height - FADE;
    int32_t start = tw_row_bands_start(pass + out, w);
    tw_row_bands_pack(task, at, false);
    for (int32_t t = 0; t < w; t++)
        for (int32_t row = 0; row < FADE; row++)
            visit_cell(map, tw_wrap(start + t - LAG * row, w), first + row,
                       (float)(2 * (out ? FADE - row : row + 1) - 1) / (2 * FADE));
}

static bool fades(const struct tw_row_bands_map *map, int32_t pass, int32_t iterations)
{
    const struct tw_row_bands_rule *rule = map->rule;
    return rule->odd && !rule->closed && !rule->kept && map->height >= 2 * FADE &&
           pass >= iterations - FADED_PASSES;
}

/* Hands passes that nothing interrupts to the workers at once. */
static int32_t passes_together(const struct bands *s, int32_t left)
{
    if (s->method != LANES || s->layout.map.rule->odd || s->border.before)
        return 1;
    int32_t most = tw_row_bands_pass_most(&s->layout);
    return left < most ? left : most;
}

static void run_passes(struct tw_task *task, struct bands *s, int32_t pass, int32_t count)
{
    const struct tw_row_bands_map *map = &s->layout.map;
    size_t cells = (size_t)map->width * (size_t)map->height;
    tw_row_bands_pack(task, &s->layout, s->method == LANES);
    if (s->method != LANES && map->rule->before)
        map->rule->before(map->rule->constants, map->cells, cells, cells);
    if (s->method == RASTER)
        pass_raster(map);
    else if (s->method == PLAIN_BANDS)
        pass_bands(map, tw_row_bands_start(pass, map->width));
    else
        tw_row_bands_pass_run(task, &s->layout, pass, count);
    tw_row_bands_border_lay(&s->border, &s->layout);
}

static enum method method_for(const struct tw_row_bands_map *map, enum tw_visiting_order order)
{
    int32_t rows = map->height - map->rule->closed; /* without the wall */
    if (order == TW_ORDER_RASTER || rows < RASTER_BELOW)
        return RASTER;
    bool narrow = map->width < SLOTS_MIN || map->height < BAND + 2; /* a band would meet itself */
    return narrow ? PLAIN_BANDS : LANES;
}

static bool lay_out(struct tw_scratch *s, struct bands *b, const struct tw_row_bands_map *map,
                    enum tw_visiting_order order)
{
    struct tw_row_bands_layout *at = &b->layout;
    tw_row_bands_lay_out(at, map);
    b->method = method_for(map, order);
    if (b->method == LANES)
        at->cells = tw_scratch_take(s, at->plane, (size_t)map->rule->planes * sizeof *at->cells);
    return tw_row_bands_border_lay_out(s, &b->border, map);
}

static enum tw_status run_torus(struct tw_task *task, const struct tw_row_bands_map *map,
                                enum tw_visiting_order order, int32_t iterations)
{
    const struct tw_row_bands_rule *rule = map->rule;
    struct bands s;
    if (iterations <= 0)
        return TW_OK;
    if (!lay_out(&(struct tw_scratch){.task = task}, &s, map, order))
        return tw_task_no_memory(task);
    tw_row_bands_border_init(&s.border, &s.layout);
    tw_row_bands_border_note(&s.border, &s.layout);
    for (int32_t i = 0, count; i < iterations; i += count) {
        count = passes_together(&s, iterations - i);
        bool faded = fades(map, i, iterations);
        s.layout.map.rule = rule->odd && i % 2 == 1 ? rule->odd : rule;
        if (faded)
            fade(task, &s.layout, i, false);
        run_passes(task, &s, i, count);
        if (faded)
            fade(task, &s.layout, i, true);
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        s.layout.map.rule = rule;
        if (tw_row_bands_turn(task, &s.layout, i, i + count < iterations ? i + count : 0))
            tw_row_bands_border_note(&s.border, &s.layout);
        tw_task_progress(task, (double)(i + count) / iterations);
    }
    tw_row_bands_pack(task, &s.layout, false);
    return TW_OK;
}

static enum tw_status run_kept(struct tw_task *task, const struct tw_row_bands_map *map,
                               enum tw_visiting_order order, int32_t iterations)
{
    size_t plane = (size_t)map->width * (size_t)map->height;
    struct tw_row_bands_rule rule = *map->rule, odd = {0};
    size_t values = plane * (size_t)rule.planes++;
    struct tw_row_bands_map masked = *map;
    masked.rule = &rule;
    masked.cells = tw_task_scratch(task, plane, (size_t)rule.planes * sizeof(float));
    if (!masked.cells)
        return tw_task_no_memory(task);
    if (rule.odd) {
        odd = *rule.odd;
        odd.planes = rule.planes;
        rule.odd = &odd;
    }
    memcpy(masked.cells, map->cells, values * sizeof(float));
    tw_row_bands_fill_givers(masked.cells + values, map->width, map->height);
    enum tw_status status = run_torus(task, &masked, order, iterations);
    memcpy(map->cells, masked.cells, values * sizeof(float));
    return status;
}

static enum tw_status run_walled(struct tw_task *task, const struct tw_row_bands_map *map,
                                 enum tw_visiting_order order, int32_t iterations)
{
    struct tw_row_bands_map walled = {map->rule, NULL, map->width + 1, map->height + 1};
    walled.cells = tw_task_scratch(task, (size_t)walled.width * (size_t)walled.height,
                                   (size_t)map->rule->planes * sizeof *walled.cells);
    if (!walled.cells)
        return tw_task_no_memory(task);
    tw_row_bands_enter_walls(&walled, map->cells);
    enum tw_status status = run_torus(task, &walled, order, iterations);
    tw_row_bands_leave_walls(&walled, map->cells);
    return status;
}

enum tw_status tw_row_bands_run(struct tw_task *task, const struct tw_row_bands_rule *rule,
                                enum tw_visiting_order order, int32_t iterations, float *cells)
{
    const struct tw_row_bands_map map = {rule, cells, tw_task_width(task), tw_task_height(task)};
    if (rule->kept)
        return run_kept(task, &map, order, iterations);
    if (rule->closed)
        return run_walled(task, &map, order, iterations);
    return run_torus(task, &map, order, iterations);
}

void tw_row_bands_forecast(struct tw_forecast *f, enum tw_visiting_order order,
                           const struct tw_row_bands_rule *rule)
{
    struct tw_row_bands_rule inner = *rule;
    struct tw_row_bands_map map = {&inner, NULL, f->width + rule->closed, f->height + rule->closed};
    struct bands bands;
    uint64_t cells = (uint64_t)map.width * (uint64_t)map.height;
    inner.planes += rule->kept;
    if (rule->closed || rule->kept) /* within a wall, or with givers */
        tw_forecast_scratch(f, cells * (uint64_t)inner.planes, sizeof(float));
    lay_out(&(struct tw_scratch){.forecast = f}, &bands, &map, order);
}
