/* SPDX-License-Identifier: MIT */
/* While it iterates, a map in bands order is stored by slots (row_bands.h). The first and the last
 * row of a band are touched by its neighbours, too; they are kept in the plain map and visit the
 * lanes of a band, and lanes -1 and `rows` of its neighbours, only where it is at work: in windows
 * of slots that stay in the nearest cache.
 * A band may follow the one before it when that is 64 lags ahead. So on wide maps bands run at the
 * same time, in chunks of steps: band k does chunk j in stage 2 k + j. */
#include "erosion/kernels/row_bands.h"

#include <thalweg/kernel.h>

#include <string.h>

enum { RASTER_BELOW = 24, SLOTS_MIN = 64, VECTOR = 16 };
enum { BAND = TW_ROW_BANDS_ROWS, LAG = TW_ROW_BANDS_LAG };
enum {
    STEP = BAND + VECTOR
}; /* floats of a slot: lane 64 of one lies before lane -1 of the next */
enum { WINDOW = 32, MARGIN = LAG + 2 }; /* steps; slots beyond them that their visits may touch */
enum { LEAST = 2 * MARGIN }; /* steps of a window, so that what the first one keeps is no other's */
enum { CHUNK = 256 }; /* steps that a band is behind the one before it: over BAND LAG + 2 MARGIN */

struct map {
    const struct tw_row_bands_rule *rule;
    float *cells;
    int32_t width, height;
};

struct bands {
    struct map map;
    float *cells; /* the bands; then the second plane */
    int32_t count;
    int32_t chunk, chunks;    /* steps of a chunk; chunks of a band */
    int32_t delay;            /* stages from a band's beginning to that of the next */
    size_t band, edge, plane; /* floats of a band, of an edge row; to the second plane */
    int32_t start;            /* of this pass: the column where the first row of a band begins */
    int32_t stage;
    enum tw_simd simd;
};

static void visit_around(const struct map *map, float *up, float *row, float *down, int32_t x)
{
    size_t plane = (size_t)map->width * (size_t)map->height;
    int32_t left = x ? x - 1 : map->width - 1, right = x + 1 < map->width ? x + 1 : 0;
    float *cross[4] = {up + x, row + left, row + right, down + x};
    float *diagonal[4] = {up + left, up + right, down + left, down + right};
    map->rule->visit(map->rule->constants, row + x,
                     map->rule->around == TW_NEIGHBOURS_CROSS ? cross : diagonal, plane);
}

static void visit(const struct map *map, int32_t x, int32_t y)
{
    size_t w = (size_t)map->width;
    int32_t up = y ? y - 1 : map->height - 1, down = y + 1 < map->height ? y + 1 : 0;
    visit_around(map, map->cells + (size_t)up * w, map->cells + (size_t)y * w,
                 map->cells + (size_t)down * w, x);
}

static int32_t wrap_once(int32_t i, int32_t n) { return i < 0 ? i + n : i < n ? i : i - n; }

/* The whole columns of width times the fraction of pass / golden ratio, in 32 bits. */
static int32_t start_of(int32_t pass, int32_t width)
{
    return (int32_t)((uint64_t)((uint32_t)pass * 0x9E3779B9u) * (uint64_t)width >> 32);
}

static void pass_raster(const struct map *map, int32_t pass)
{
    (void)pass;
    for (int32_t y = 0; y < map->height; y++)
        for (int32_t x = 0; x < map->width; x++)
            visit(map, x, y);
}

/* The order as it is defined, for maps too small for lanes. */
static void pass_bands(const struct map *map, int32_t pass)
{
    int32_t w = map->width, start = start_of(pass, w);
    for (int32_t top = 0; top < map->height; top += BAND)
        for (int32_t t = 0; t < w; t++)
            for (int32_t row = 0; row < BAND && top + row < map->height; row++)
                visit(map, tw_wrap(start + t - LAG * row, w), top + row);
}

static enum tw_status run_plainly(struct tw_task *task, const struct map *map,
                                  void (*pass)(const struct map *map, int32_t number),
                                  int32_t iterations)
{
    size_t count = (size_t)map->width * (size_t)map->height;
    for (int32_t i = 0; i < iterations; i++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        if (map->rule->before)
            map->rule->before(map->rule->constants, map->cells, count, count);
        pass(map, i);
        tw_task_progress(task, (double)(i + 1) / iterations);
    }
    return TW_OK;
}

static void lay_out(struct bands *s)
{
    int32_t width = s->map.width;
    s->count = (s->map.height - 1) / BAND + 1;
    s->chunk = width < 4 * CHUNK ? (width + 1) / 2 : CHUNK;
    s->chunks = (width - LEAST) / s->chunk + 1; /* the last one takes a short rest */
    /* The first band must be through before the last two touch the rows that it shares with them.
     */
    s->delay = s->chunk == CHUNK && 2 * (s->count - 2) >= s->chunks ? 2 : s->chunks;
    s->band = (size_t)width * STEP + 2 * VECTOR;
    s->edge =
        ((size_t)width / VECTOR | 1) * VECTOR + VECTOR; /* rows must not be 4096 bytes apart */
    s->plane = (size_t)s->count * (s->band + 2 * s->edge);
}

static int32_t rows_of(const struct bands *s, int32_t band)
{
    int32_t below = s->map.height - band * BAND;
    return below < BAND ? below : BAND;
}

/* Lane 0 of slot 0. */
static float *band_at(const struct bands *s, int32_t band)
{
    return s->cells + (size_t)band * s->band + VECTOR;
}

/* The first or last row of a band; bands wrap. */
static float *edge_row(const struct bands *s, int32_t band, bool last)
{
    band = band < 0 ? s->count - 1 : band < s->count ? band : 0;
    bool single = rows_of(s, band) == 1;
    return s->cells + (size_t)s->count * s->band + (size_t)(2 * band + (last && !single)) * s->edge;
}

static void copy_row(const struct bands *s, int32_t band, int32_t row, bool pack)
{
    int32_t w = s->map.width, rows = rows_of(s, band), slot = LAG * row % w;
    bool edge = row == 0 || row == rows - 1;
    float *plain = s->map.cells + (size_t)(band * BAND + row) * (size_t)w;
    float *packed = edge ? edge_row(s, band, row > 0) : band_at(s, band) + row;
    size_t count = (size_t)w * (size_t)s->map.height, step = edge ? 1 : STEP;
    for (int32_t p = 0; p < s->map.rule->planes; p++, plain += count, packed += s->plane)
        for (int32_t x = 0, at = edge ? 0 : slot; x < w; x++) {
            float *cell = packed + (size_t)at * step;
            *(pack ? cell : plain + x) = *(pack ? plain + x : cell);
            at = at + 1 < w ? at + 1 : 0;
        }
}

static void pack_bands(void *context, int32_t begin, int32_t end)
{
    for (int32_t band = begin; band < end; band++)
        for (int32_t row = 0; row < rows_of(context, band); row++)
            copy_row(context, band, row, true);
}

static void unpack_bands(void *context, int32_t begin, int32_t end)
{
    for (int32_t band = begin; band < end; band++)
        for (int32_t row = 0; row < rows_of(context, band); row++)
            copy_row(context, band, row, false);
}

static void before_bands(void *context, int32_t begin, int32_t end)
{
    const struct bands *s = context;
    const struct tw_row_bands_rule *rule = s->map.rule;
    for (int32_t band = begin; band < end; band++) {
        rule->before(rule->constants, band_at(s, band), s->plane, s->band - VECTOR);
        rule->before(rule->constants, edge_row(s, band, false), s->plane, 2 * s->edge);
    }
}

/* The lanes that a band shares, from slot and columns on that are valid for all of them. */
struct shared {
    float *lane[4], *row[4];
};

static void load_shared(const struct shared *at, int32_t count)
{
    float *restrict above = at->lane[0], *restrict first = at->lane[1];
    float *restrict last = at->lane[2], *restrict below = at->lane[3];
    for (int32_t i = 0; i < count; i++) {
        above[i * STEP] = at->row[0][i];
        first[i * STEP] = at->row[1][i];
        last[i * STEP] = at->row[2][i];
        below[i * STEP] = at->row[3][i];
    }
}

static void store_shared(const struct shared *at, int32_t count)
{
    float *restrict above = at->row[0], *restrict first = at->row[1];
    float *restrict last = at->row[2], *restrict below = at->row[3];
    for (int32_t i = 0; i < count; i++) {
        above[i] = at->lane[0][i * STEP];
        first[i] = at->lane[1][i * STEP];
        last[i] = at->lane[2][i * STEP];
        below[i] = at->lane[3][i * STEP];
    }
}

/* Copies the shared lanes' slots `first` to `end`, counted from `start`, from the plain map or
 * back: in runs that end where the slot or a column wraps. */
static void move_shared(const struct bands *s, int32_t band, int32_t first, int32_t end, bool back)
{
    int32_t w = s->map.width, rows = rows_of(s, band), run;
    const int32_t lanes[4] = {-1, 0, rows - 1, rows};
    for (int32_t at = first; at < end; at += run) {
        int32_t slot = wrap_once(s->start + at, w);
        struct shared part;
        slot = wrap_once(slot, w);
        run = end - at < w - slot ? end - at : w - slot;
        for (int i = 0; i < 4; i++) {
            int32_t x = wrap_once(slot - LAG * lanes[i] % w, w);
            part.lane[i] = band_at(s, band) + (size_t)slot * STEP + lanes[i];
            part.row[i] = edge_row(s, band + (i == 3) - (i == 0), i == 0 || i == 2) + x;
            run = w - x < run ? w - x : run;
        }
        for (int32_t p = 0; p < s->map.rule->planes; p++) {
            if (back)
                store_shared(&part, run);
            else
                load_shared(&part, run);
            for (int i = 0; i < 4; i++) {
                part.lane[i] += s->plane;
                part.row[i] += s->plane;
            }
        }
    }
}

static void visit_slot(const struct bands *s, const struct tw_row_bands_run *run, int32_t slot,
                       int32_t lane)
{
    const struct tw_row_bands_rule *rule = s->map.rule;
    float *up = tw_row_bands_slot(run, slot - LAG), *down = tw_row_bands_slot(run, slot + LAG);
    float *cross[4] = {up + lane - 1, tw_row_bands_slot(run, slot - 1) + lane,
                       tw_row_bands_slot(run, slot + 1) + lane, down + lane + 1};
    float *diagonal[4] = {tw_row_bands_slot(run, slot - LAG - 1) + lane - 1,
                          tw_row_bands_slot(run, slot - LAG + 1) + lane - 1,
                          tw_row_bands_slot(run, slot + LAG - 1) + lane + 1,
                          tw_row_bands_slot(run, slot + LAG + 1) + lane + 1};
    rule->visit(rule->constants, tw_row_bands_slot(run, slot) + lane,
                rule->around == TW_NEIGHBOURS_CROSS ? cross : diagonal, run->plane);
}

/* A row is only ever touched by those next to it, and the row above is ahead: those below may
 * follow a whole window later. */
static void visit_window(const struct bands *s, int32_t band, int32_t begin, int32_t end)
{
    int32_t w = s->map.width, rows = rows_of(s, band), lanes = rows / VECTOR * VECTOR;
    struct tw_row_bands_run run = {
        band_at(s, band), STEP, s->plane, w, wrap_once(s->start + begin, w), end - begin, 0};
    move_shared(s, band, begin ? begin + MARGIN : -MARGIN, end < w ? end + MARGIN : w - MARGIN,
                false);
    for (int32_t lane = 0; lane < lanes; lane += run.lanes, run.cells += run.lanes) {
        run.lanes = lanes - lane < TW_ROW_BANDS_LANES ? lanes - lane : TW_ROW_BANDS_LANES;
        s->map.rule->sweep(s->map.rule->constants, &run);
    }
    run.cells = band_at(s, band);
    for (int32_t lane = lanes; lane < rows; lane++)
        for (int32_t i = 0; i < run.count; i++)
            visit_slot(s, &run, wrap_once(run.first + i, w), lane);
    move_shared(s, band, begin ? begin - MARGIN : MARGIN, end < w ? end - MARGIN : w + MARGIN,
                true);
}

static void visit_chunk(const struct bands *s, int32_t band, int32_t begin, int32_t end)
{
    for (int32_t t = begin, next; t < end; t = next) {
        next = end - t < WINDOW + LEAST ? end : t + WINDOW;
        visit_window(s, band, t, next);
    }
}

static int32_t first_band(const struct bands *s)
{
    int32_t late = s->stage - s->chunks + 1;
    return late <= 0 ? 0 : (late - 1) / s->delay + 1;
}

static int32_t end_band(const struct bands *s)
{
    int32_t end = s->stage / s->delay + 1;
    return end < s->count ? end : s->count;
}

static void run_stage(void *context, int32_t begin, int32_t end)
{
    const struct bands *s = context;
    for (int32_t i = begin; i < end; i++) {
        int32_t band = first_band(s) + i, from = (s->stage - band * s->delay) * s->chunk;
        bool last = s->stage - band * s->delay == s->chunks - 1;
        int32_t to = last ? s->map.width : from + s->chunk;
        visit_chunk(s, band, from, to);
    }
}

static enum tw_status run_lanes(struct tw_task *task, struct bands *s, int32_t iterations)
{
    lay_out(s);
    s->cells = tw_task_scratch(task, s->plane, (size_t)s->map.rule->planes * sizeof *s->cells);
    if (!s->cells)
        return tw_task_no_memory(task);
    tw_rows(task, s->count, 1, pack_bands, s);
    int32_t stages = (s->count - 1) * s->delay + s->chunks;
    for (int32_t i = 0; i < iterations; i++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        s->start = start_of(i, s->map.width);
        if (s->map.rule->before)
            tw_rows(task, s->count, 1, before_bands, s);
        for (s->stage = 0; s->stage < stages; s->stage++)
            tw_rows(task, end_band(s) - first_band(s), 1, run_stage, s);
        tw_task_progress(task, (double)(i + 1) / iterations);
    }
    tw_rows(task, s->count, 1, unpack_bands, s);
    return TW_OK;
}

static bool has_lanes(const struct map *map)
{
    return map->width >= SLOTS_MIN && map->height >= BAND + 2;
}

static enum tw_status run_torus(struct tw_task *task, struct map map, enum tw_visiting_order order,
                                int32_t iterations)
{
    struct bands s = {.map = map};
    if (order == TW_ORDER_RASTER || map.height < RASTER_BELOW)
        return run_plainly(task, &map, pass_raster, iterations);
    if (!has_lanes(&map)) /* else a band meets itself */
        return run_plainly(task, &map, pass_bands, iterations);
    return iterations > 0 ? run_lanes(task, &s, iterations) : TW_OK;
}

/* Moves a map between its cells and those of a torus with a wall. */
static void copy_walled(const struct map *inner, const struct map *walled, bool in)
{
    size_t width = (size_t)inner->width, bytes = width * sizeof(float);
    float *plain = inner->cells, *row = walled->cells;
    for (int32_t p = 0; p < inner->rule->planes; p++, row += walled->width)
        for (int32_t y = 0; y < inner->height; y++, plain += width, row += walled->width)
            memcpy(in ? row : plain, in ? plain : row, bytes);
}

static void build_wall(const struct map *walled)
{
    size_t width = (size_t)walled->width, count = width * (size_t)walled->height;
    memset(walled->cells, 0, (size_t)walled->rule->planes * count * sizeof *walled->cells);
    for (size_t i = width - 1; i < count; i += width)
        walled->cells[i] = TW_ROW_BANDS_WALL;
    for (size_t i = count - width; i < count; i++)
        walled->cells[i] = TW_ROW_BANDS_WALL;
}

void tw_row_bands_forecast(struct tw_forecast *f, enum tw_visiting_order order, int32_t planes,
                           bool closed)
{
    struct bands s = {.map = {.width = f->width + closed, .height = f->height + closed}};
    uint64_t cells = (uint64_t)s.map.width * (uint64_t)s.map.height;
    if (closed)
        tw_forecast_scratch(f, cells * (uint64_t)planes, sizeof *s.cells); /* within a wall */
    lay_out(&s);
    if (order != TW_ORDER_RASTER && has_lanes(&s.map))
        tw_forecast_scratch(f, s.plane * (uint64_t)planes, sizeof *s.cells);
}

enum tw_status tw_row_bands_run(struct tw_task *task, const struct tw_row_bands_rule *rule,
                                enum tw_visiting_order order, int32_t iterations, float *cells)
{
    const struct map map = {rule, cells, tw_task_width(task), tw_task_height(task)};
    if (!rule->closed)
        return run_torus(task, map, order, iterations);
    struct map walled = {rule, NULL, map.width + 1, map.height + 1};
    walled.cells = tw_task_scratch(task, (size_t)walled.width * (size_t)walled.height,
                                   (size_t)rule->planes * sizeof *cells);
    if (!walled.cells)
        return tw_task_no_memory(task);
    build_wall(&walled);
    copy_walled(&map, &walled, true);
    enum tw_status status = run_torus(task, walled, order, iterations);
    copy_walled(&map, &walled, false);
    return status;
}
