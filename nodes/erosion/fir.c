/* SPDX-License-Identifier: MIT */
/* FIR erosion (blog "Terrain Erosion", 2013): heights are smeared along rows and columns in the
 * four cardinal directions, h[i] = k h[i-1] + (1 - k) h[i] with h[i-1] already smeared. The text's
 * "erodes only from higher to lower" is a choice, since its formula has no such condition.
 * Lines do not touch each other, so 16 rows (by turned tiles) or a strip of columns go together.
 */
#include "common/transpose.h"
#include "erosion/kernels/masked.h"
#include "erosion/kernels/mass_balance.h"
#include "erosion/kernels/ports.h"

#include <thalweg/kernel.h>
#include <thalweg/resolution.h>
#include <thalweg/simd.h>

#include <string.h>

/* STEP cells of ROWS rows are turned together; each line of memory is touched once, since rows of
 * 2^n cells evict each other. */
enum { ROWS = 16, STEP = 64, STRIP = 256 };

enum { BORDER_RECIPE, BORDER_KEPT, BORDER_CLOSED };
enum { LEAD = 64 }; /* cells that a line's straight continuation is taken from */

struct params {
    float strength; /* k */
    int32_t passes;
    struct tw_labels order;
    bool downhill_only;
    int32_t side;
    int32_t border;
};

enum { WE, EW, NS, SN };

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, strength, 0.5, 0, 1, TW_UNIT_SHARE,
                 "share taken from the cell before; 0.3 to 0.6 look best"),
    TW_PARAM_I32(struct params, passes, 1, 0, 1000, "rounds", "rounds of all four directions",
                 TW_USUAL(1, 8)),
    TW_PARAM_LABELS(struct params, order, "we ew ns sn", "we|ew|ns|sn",
                    "the directions in turn: we goes from west to east, ns from north to south"),
    TW_PARAM_BOOL(struct params, downhill_only, 0,
                  "take the new height only where the cell before is higher"),
    TW_PARAM_SIDE(struct params, "strength is"),
    TW_PARAM_ENUM(struct params, border, BORDER_RECIPE, "recipe|kept|closed",
                  "kept: a line's first cell keeps its height, as in the text; closed: lines go on "
                  "straight; recipe: kept where the world wraps"),
    TW_PARAM_END,
};

enum { IN, MASK };
static const struct tw_port inputs[] = {
    TW_EROSION_IN,
    TW_STRENGTH_PORT,
    TW_PORT_END,
};

TW_EROSION_OUTPUTS;

enum { ERODED = 1 };

struct smear {
    const float *from; /* copied to `cells` by the first pass; NULL afterwards */
    float *cells;
    int32_t width, height;
    float keep, take; /* k of the cell before, 1 - k of the cell itself */
    bool downhill, closed;
    const int32_t *turns; /* consecutive directions along the same lines */
    int32_t turn_count;
    enum tw_simd simd;
};

static TW_INLINE float mixed(const struct smear *s, float before, float here)
{
    float mix = s->keep * before + s->take * here;
    return s->downhill && !(before > here) ? here : mix;
}

/* One row from cell `first` on, `count` cells, by steps of `step`; `first - step` is the cell
 * before. */
static void smear_row(const struct smear *s, float *row, int32_t first, int32_t count, int32_t step)
{
    float before = row[first - step];
    for (int32_t i = 0, x = first; i < count; i++, x += step)
        row[x] = before = mixed(s, before, row[x]);
}

/* The first cells of `lines` lines, which lie `apart` from each other, as if each line went on
 * beyond them, mirrored through its first cell: there it has the state 2 h[0] - m, m the state of
 * one that comes from inland. Slopes stay slopes; the first cell alone would halve them. `inland`
 * leads to the second cells. */
static void lead_in(const struct smear *s, float *first, ptrdiff_t inland, int32_t count,
                    ptrdiff_t apart, int32_t lines)
{
    int32_t cells = count - 1 < LEAD ? count - 1 : LEAD;
    for (int32_t l = 0; l < lines; l++) {
        float *cell = first + l * apart, state = *cell;
        for (int32_t j = cells; j > 0; j--)
            state = s->keep * state + s->take * cell[j * inland];
        *cell = mixed(s, 2.0f * *cell - state, *cell);
    }
}

/* STEP cells of ROWS rows, column after column. */
struct tile {
    _Alignas(64) float at[STEP][ROWS];
};

/* Between STEP cells of ROWS rows at `band` and a tile, along the rows. */
static TW_INLINE void turn_tile(float *band, ptrdiff_t stride, struct tile *tile, bool in)
{
    for (ptrdiff_t y = 0; y < ROWS; y += 4)
        for (ptrdiff_t x = 0; x < STEP; x += 4) {
            float *cells = band + y * stride + x, *turned = &tile->at[x][y];
            in ? tw_transpose_4x4(cells, stride, turned, ROWS)
               : tw_transpose_4x4(turned, ROWS, cells, stride);
        }
}

/* Smears a tile column by column, all rows at once; `before` goes in and out. */
static TW_INLINE void smear_tile(struct tile *tile, float before[ROWS], float keep, float take,
                                 bool downhill, bool back)
{
    for (int i = 0; i < STEP; i++) {
        float *column = tile->at[back ? STEP - 1 - i : i];
        for (int r = 0; r < ROWS; r++) {
            float mix = keep * before[r] + take * column[r];
            before[r] = column[r] = downhill && !(before[r] > column[r]) ? column[r] : mix;
        }
    }
}

/* ROWS rows in one direction: single cells up to the first whole tile, then tiles. */
static TW_INLINE void smear_band(const struct smear *s, float *band, bool downhill, bool back)
{
    ptrdiff_t stride = s->width;
    int32_t tiles = (s->width - 1) / STEP, rest = s->width - 1 - tiles * STEP;
    int32_t start = back ? s->width - 2 : 1, step = back ? -1 : 1;
    float before[ROWS], keep = s->keep, take = s->take;
    for (ptrdiff_t r = 0; r < ROWS; r++) {
        smear_row(s, band + r * stride, start, rest, step);
        before[r] = band[r * stride + start + (rest - 1) * step];
    }
    float *at = band + (back ? s->width - 1 - rest - STEP : 1 + rest);
    for (int32_t i = 0; i < tiles; i++, at += back ? -STEP : STEP) {
        struct tile tile;
        turn_tile(at, stride, &tile, true);
        smear_tile(&tile, before, keep, take, downhill, back);
        turn_tile(at, stride, &tile, false);
    }
}

static TW_INLINE void smear_rows_body(const struct smear *s, float *band, bool back)
{
    if (s->downhill)
        back ? smear_band(s, band, true, true) : smear_band(s, band, true, false);
    else
        back ? smear_band(s, band, false, true) : smear_band(s, band, false, false);
}
TW_SIMD_KERNEL(smear_rows, (const struct smear *s, float *band, bool back), (s, band, back))

static TW_INLINE void smear_columns_body(const struct smear *s, int32_t x, int32_t count, bool back)
{
    const struct smear local = *s; /* copied, so that stores to cells cannot change it */
    ptrdiff_t step = back ? -(ptrdiff_t)s->width : s->width;
    float *row = s->cells + x + (back ? (ptrdiff_t)(s->height - 1) * s->width : 0);
    for (int32_t y = 1; y < local.height; y++, row += step)
        for (int32_t i = 0; i < count; i++)
            row[step + i] = mixed(&local, row[i], row[step + i]);
}
TW_SIMD_KERNEL(smear_columns, (const struct smear *s, int32_t x, int32_t count, bool back),
               (s, x, count, back))

static void copy_window(const struct smear *s, int32_t x, int32_t y, int32_t width, int32_t height)
{
    for (int32_t i = y; s->from && i < y + height; i++) {
        size_t at = (size_t)i * (size_t)s->width + (size_t)x;
        memcpy(s->cells + at, s->from + at, (size_t)width * sizeof *s->cells);
    }
}

/* `rows` rows from `cells` on in one direction. */
static void run_rows(const struct smear *s, float *cells, int32_t rows, bool back)
{
    int32_t last = s->width - 1, inland = back ? -1 : 1;
    if (s->closed)
        lead_in(s, cells + (back ? last : 0), inland, s->width, s->width, rows);
    if (rows == ROWS && s->width > 1) {
        smear_rows(s->simd)(s, cells, back);
        return;
    }
    for (int32_t r = 0; r < rows; r++, cells += s->width)
        smear_row(s, cells, back ? last - 1 : 1, last, inland);
}

/* Bands of ROWS rows in consecutive directions, while they are in the cache. */
static void run_bands(void *context, int32_t begin, int32_t end)
{
    const struct smear *s = context;
    for (int32_t band = begin; band < end; band++) {
        int32_t y = band * ROWS, rows = s->height - y < ROWS ? s->height - y : ROWS;
        copy_window(s, 0, y, s->width, rows);
        for (int32_t i = 0; i < s->turn_count; i++)
            run_rows(s, s->cells + (size_t)y * (size_t)s->width, rows, s->turns[i] == EW);
    }
}

static void run_strips(void *context, int32_t begin, int32_t end)
{
    const struct smear *s = context;
    for (int32_t strip = begin; strip < end; strip++) {
        int32_t x = strip * STRIP, count = s->width - x < STRIP ? s->width - x : STRIP;
        copy_window(s, x, 0, count, s->height);
        for (int32_t i = 0; i < s->turn_count; i++) {
            bool back = s->turns[i] == SN;
            ptrdiff_t row = s->width, last = (ptrdiff_t)(s->height - 1) * row;
            if (s->closed)
                lead_in(s, s->cells + x + (back ? last : 0), back ? -row : row, s->height, 1,
                        count);
            smear_columns(s->simd)(s, x, count, back);
        }
    }
}

static bool is_column(int32_t direction) { return direction == NS || direction == SN; }

/* One pass: directions along the same lines that follow each other go together. */
static void run_pass(struct tw_task *task, struct smear *s, const struct tw_labels *order)
{
    for (int32_t i = 0; i < order->count; i += s->turn_count) {
        bool columns = is_column(order->at[i]);
        s->turns = order->at + i;
        s->turn_count = 1;
        while (i + s->turn_count < order->count &&
               is_column(order->at[i + s->turn_count]) == columns)
            s->turn_count++;
        if (columns)
            tw_rows(task, (s->width - 1) / STRIP + 1, 1, run_strips, s);
        else
            tw_rows(task, (s->height - 1) / ROWS + 1, 1, run_bands, s);
        s->from = NULL;
    }
}

/* What fades by k from cell to cell of a map of width `side` fades by this here. */
static float keep_of(const struct tw_task *task, const struct params *p)
{
    double scale = tw_resolution_scale(task, p->side);
    return p->side > 0 ? (float)tw_pow((double)p->strength, 1 / scale) : p->strength;
}

static bool is_closed(const struct tw_task *task, const struct params *p)
{
    bool ends = tw_task_borders(task) == TW_BORDERS_CLOSED;
    return p->border == BORDER_CLOSED || (p->border == BORDER_RECIPE && ends);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const float *in = tw_floats(tw_task_input(task, IN));
    float *out = tw_floats(tw_task_output(task, 0));
    const struct tw_value *mask = tw_task_input(task, MASK);
    float *before = NULL;
    float keep = keep_of(task, p);
    struct smear s = {.from = in == out ? NULL : in,
                      .cells = out,
                      .width = tw_task_width(task),
                      .height = tw_task_height(task),
                      .keep = keep,
                      .take = 1.0f - keep,
                      .downhill = p->downhill_only,
                      .closed = is_closed(task, p),
                      .simd = tw_task_simd(task)};
    enum tw_status status = tw_mass_balance_begin(task, mask, ERODED, &before);
    if (status != TW_OK)
        return status;
    if (p->passes == 0)
        copy_window(&s, 0, 0, s.width, s.height);
    for (int32_t i = 0; i < p->passes; i++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        run_pass(task, &s, &p->order);
        tw_task_progress(task, (double)(i + 1) / p->passes);
    }
    return tw_mass_balance_end(task, before, mask, ERODED);
}

static void forecast(struct tw_forecast *f)
{
    tw_mass_balance_in_place_forecast(f, f->inputs[MASK] > 0, ERODED);
}

extern const struct tw_node_type tw_node_erosion_fir;
const struct tw_node_type tw_node_erosion_fir = {
    .name = "erosion.fir",
    .version = 3,
    .summary = "smear heights along rows and columns, from rugged to rolling",
    .keywords = "filter, smear, smooth, fast erosion, directional blur",
    .detail =
        "Makes a rugged map rolling by smearing heights along rows and columns, for little more "
        "than the cost of a copy. Choose shape.blur for a smoothing that prefers no direction, "
        "and erosion.creep for one that keeps the ground's volume.\n"
        "A pass goes along every row or column with k = strength. h[i-1] is already smeared when "
        "h[i] is:\n"
        "    h[i] = k h[i-1] + (1 - k) h[i].\n"
        "A strength of 0 changes nothing; 1 gives every line its first value.\n"
        "`order` lists the directions of a pass, each any number of times. Passes along rows and "
        "along columns commute but for rounding. With `downhill_only` cells only rise.\n"
        "Border: nothing wraps. border: kept keeps the height of a line's first cell, which "
        "halves slopes at the border with k = 1/2. border: closed continues the line beyond the "
        "border, mirrored through its first cell, so that slopes stay.\n"
        "An impulse fades by k with every cell, so a map twice as fine needs the square root of "
        "the strength for the same look. `side` does that:\n"
        "    k = strength^(side / width)." TW_MASKED_LEDGER_DETAIL,
    .cite = "fir2013",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "smooth: {type: erosion.fir, in: noise, strength: 0.45}",
    .bordered = true,
    .in_place = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
