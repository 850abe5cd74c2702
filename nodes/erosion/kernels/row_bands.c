/* SPDX-License-Identifier: MIT */
/* While it iterates, a map in bands order is stored by slots (row_bands.h). The first and the last
 * row of a band are touched by its neighbours, too; they are kept in the plain map and visit the
 * lanes of a band, and lanes -1 and `rows` of its neighbours, only where it is at work: in windows
 * of slots that stay in the nearest cache.
 * A band may follow the one before it when that is 64 lags ahead. So on wide maps bands run at the
 * same time, in chunks of steps: band k does chunk j in stage 2 k + j. */
#include "erosion/kernels/row_bands.h"

#include "erosion/kernels/border_apron.h"

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

/* What cells of a closed border gain in a pass is laid over an apron. */
struct border {
    struct tw_border_apron apron;
    float *before; /* heights before the pass: west, east, north, south; NULL without an apron */
    float floor, ceiling; /* of the heights: no cell gets lower or higher */
};

struct bands {
    struct map map;
    struct border border;
    float *cells; /* the bands; then the second plane */
    int32_t count;
    int32_t chunk, chunks;    /* steps of a chunk; chunks of a band */
    int32_t delay;            /* stages from a band's beginning to that of the next */
    size_t band, edge, plane; /* floats of a band, of an edge row; to the second plane */
    int32_t start;            /* of this pass: the column where the first row of a band begins */
    int32_t stage;
    bool packed; /* the map is in the bands rather than in its own cells */
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

static void pass_raster(const struct map *map)
{
    for (int32_t y = 0; y < map->height; y++)
        for (int32_t x = 0; x < map->width; x++)
            visit(map, x, y);
}

/* The order as it is defined, for maps too small for lanes. */
static void pass_bands(const struct map *map, int32_t start)
{
    int32_t w = map->width;
    for (int32_t top = 0; top < map->height; top += BAND)
        for (int32_t t = 0; t < w; t++)
            for (int32_t row = 0; row < BAND && top + row < map->height; row++)
                visit(map, tw_wrap(start + t - LAG * row, w), top + row);
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

static void pass_lanes(struct tw_task *task, struct bands *s)
{
    int32_t stages = (s->count - 1) * s->delay + s->chunks;
    if (s->map.rule->before)
        tw_rows(task, s->count, 1, before_bands, s);
    for (s->stage = 0; s->stage < stages; s->stage++)
        tw_rows(task, end_band(s) - first_band(s), 1, run_stage, s);
}

static void set_packed(struct tw_task *task, struct bands *s, bool packed)
{
    if (packed != s->packed)
        tw_rows(task, s->count, 1, packed ? pack_bands : unpack_bands, s);
    s->packed = packed;
}

static float *cell_at(const struct bands *s, int32_t x, int32_t y)
{
    int32_t w = s->map.width, band = y / BAND, row = y % BAND;
    if (!s->packed)
        return s->map.cells + (size_t)y * (size_t)w + x;
    if (row == 0 || row == rows_of(s, band) - 1)
        return edge_row(s, band, row > 0) + x;
    return band_at(s, band) + (size_t)((x + LAG * row) % w) * STEP + row;
}

/* Lays over its apron what the border cell x, y, `before` the pass, has gained; what would carry
 * cells beyond the range of heights stays. */
static void lay_gain(const struct bands *s, int32_t x, int32_t y, int32_t dx, int32_t dy,
                     float before)
{
    const struct border *border = &s->border;
    float *cell = cell_at(s, x, y), gain = *cell - before;
    for (int32_t k = 1; gain != 0 && k < border->apron.cells; k++) {
        float *inland = cell_at(s, x + k * dx, y + k * dy), laid = gain * border->apron.share[k];
        laid = tw_min(laid, border->ceiling - *inland);
        laid = tw_max(laid, border->floor - *inland);
        *cell -= laid;
        *inland += laid;
    }
}

/* Heights of the border before the next pass; nothing to do without an apron. */
static void note_border(const struct bands *s)
{
    int32_t w = s->map.width - 1, h = s->map.height - 1;
    float *before = s->border.before;
    for (int32_t y = 0; before && y < h; y++) {
        before[y] = *cell_at(s, 0, y);
        before[h + y] = *cell_at(s, w - 1, y);
    }
    for (int32_t x = 0; before && x < w; x++) {
        before[2 * h + x] = *cell_at(s, x, 0);
        before[2 * h + w + x] = *cell_at(s, x, h - 1);
    }
}

static void lay_aprons(const struct bands *s)
{
    int32_t w = s->map.width - 1, h = s->map.height - 1;
    const float *before = s->border.before;
    for (int32_t y = 0; before && y < h; y++) {
        lay_gain(s, 0, y, 1, 0, before[y]);
        lay_gain(s, w - 1, y, -1, 0, before[h + y]);
    }
    for (int32_t x = 0; before && x < w; x++) {
        lay_gain(s, x, 0, 0, 1, before[2 * h + x]);
        lay_gain(s, x, h - 1, 0, -1, before[2 * h + w + x]);
    }
    note_border(s);
}

static void swap_floats(float *a, float *b)
{
    float kept = *a;
    *a = *b;
    *b = kept;
}

/* Within the walls: every row from its end. */
static void mirror_columns(const struct map *map)
{
    int32_t w = map->width - map->rule->closed, h = map->height - map->rule->closed;
    size_t stride = (size_t)map->width, plane = stride * (size_t)map->height;
    for (int32_t p = 0; p < map->rule->planes; p++)
        for (int32_t y = 0; y < h; y++) {
            float *row = map->cells + (size_t)p * plane + (size_t)y * stride;
            for (int32_t x = 0; x < w / 2; x++)
                swap_floats(row + x, row + w - 1 - x);
        }
}

/* Within the walls: rows `first` to `end` from the last to the first. */
static void mirror_rows(const struct map *map, int32_t first, int32_t end)
{
    size_t stride = (size_t)map->width, plane = stride * (size_t)map->height;
    for (int32_t p = 0; p < map->rule->planes; p++)
        for (int32_t y = first, other = end - 1; y < other; y++, other--) {
            float *rows = map->cells + (size_t)p * plane;
            for (int32_t x = 0; x < map->width - map->rule->closed; x++)
                swap_floats(rows + (size_t)y * stride + x, rows + (size_t)other * stride + x);
        }
}

/* From the arrangement of pass `from` to that of pass `to`. On a torus rows are counted from
 * another one every time, and then: nothing, columns, both or rows are mirrored. */
static void turn(struct tw_task *task, struct bands *s, int32_t from, int32_t to)
{
    const struct map *map = &s->map;
    int32_t was = from / TW_ROW_BANDS_TURN, is = to / TW_ROW_BANDS_TURN;
    int32_t h = map->height - map->rule->closed;
    if (!map->rule->odd || was == is)
        return;
    set_packed(task, s, false);
    if ((was % 4 == 1 || was % 4 == 2) != (is % 4 == 1 || is % 4 == 2))
        mirror_columns(map);
    if (was % 4 >= 2)
        mirror_rows(map, 0, h);
    if (!map->rule->closed) {
        int32_t rolled = tw_wrap(start_of(is, h) - start_of(was, h), h);
        mirror_rows(map, 0, rolled);
        mirror_rows(map, rolled, h);
        mirror_rows(map, 0, h);
    }
    if (is % 4 >= 2)
        mirror_rows(map, 0, h);
    note_border(s);
}

enum method { RASTER, PLAIN_BANDS, LANES };

static void run_pass(struct tw_task *task, struct bands *s, enum method method, int32_t pass)
{
    const struct map *map = &s->map;
    size_t count = (size_t)map->width * (size_t)map->height;
    s->start = start_of(pass, map->width);
    set_packed(task, s, method == LANES);
    if (method != LANES && map->rule->before)
        map->rule->before(map->rule->constants, map->cells, count, count);
    if (method == RASTER)
        pass_raster(map);
    else if (method == PLAIN_BANDS)
        pass_bands(map, s->start);
    else
        pass_lanes(task, s);
    lay_aprons(s);
}

static enum method method_for(const struct map *map, enum tw_visiting_order order)
{
    if (order == TW_ORDER_RASTER || map->height < RASTER_BELOW)
        return RASTER;
    bool narrow = map->width < SLOTS_MIN || map->height < BAND + 2; /* a band would meet itself */
    return narrow ? PLAIN_BANDS : LANES;
}

static size_t border_cells(const struct map *map)
{
    return 2 * ((size_t)map->width + (size_t)map->height);
}

/* What no apron may leave: the range of the heights within the walls. */
static void find_range(const struct map *map, struct border *border)
{
    border->floor = border->ceiling = map->cells[0];
    for (int32_t y = 0; y < map->height - 1; y++)
        for (int32_t x = 0; x < map->width - 1; x++) {
            float height = map->cells[(size_t)y * (size_t)map->width + (size_t)x];
            border->floor = tw_min(border->floor, height);
            border->ceiling = tw_max(border->ceiling, height);
        }
}

static bool allocate(struct tw_task *task, struct bands *s, enum method method)
{
    const struct map *map = &s->map;
    if (method == LANES) {
        lay_out(s);
        s->cells = tw_task_scratch(task, s->plane, (size_t)map->rule->planes * sizeof *s->cells);
        if (!s->cells)
            return false;
    }
    if (!map->rule->closed || map->rule->apron < 2)
        return true;
    int32_t least = map->width < map->height ? map->width : map->height;
    tw_border_apron_set(&s->border.apron, map->rule->apron, least - 1);
    find_range(map, &s->border);
    s->border.before = tw_task_scratch(task, border_cells(map), sizeof *s->border.before);
    return s->border.before;
}

static enum tw_status run_torus(struct tw_task *task, struct map map, enum tw_visiting_order order,
                                int32_t iterations)
{
    const struct tw_row_bands_rule *rule = map.rule;
    enum method method = method_for(&map, order);
    struct bands s = {.map = map};
    if (iterations <= 0)
        return TW_OK;
    if (!allocate(task, &s, method))
        return tw_task_no_memory(task);
    note_border(&s);
    for (int32_t i = 0; i < iterations; i++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        s.map.rule = rule->odd && i % 2 == 1 ? rule->odd : rule;
        run_pass(task, &s, method, i);
        s.map.rule = rule;
        turn(task, &s, i, i + 1 < iterations ? i + 1 : 0);
        tw_task_progress(task, (double)(i + 1) / iterations);
    }
    set_packed(task, &s, false);
    return TW_OK;
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

void tw_row_bands_forecast(struct tw_forecast *f, enum tw_visiting_order order,
                           const struct tw_row_bands_rule *rule)
{
    struct bands s = {
        .map = {.width = f->width + rule->closed, .height = f->height + rule->closed}};
    uint64_t cells = (uint64_t)s.map.width * (uint64_t)s.map.height;
    uint64_t planes = (uint64_t)rule->planes + rule->kept;
    if (rule->closed || rule->kept)
        tw_forecast_scratch(f, cells * planes, sizeof *s.cells); /* within a wall, or with givers */
    if (rule->closed && rule->apron > 1)
        tw_forecast_scratch(f, border_cells(&s.map), sizeof *s.border.before);
    lay_out(&s);
    if (method_for(&s.map, order) == LANES)
        tw_forecast_scratch(f, s.plane * planes, sizeof *s.cells);
}

/* 1 in every cell but those of the border, which give nothing. */
static void fill_givers(float *gives, int32_t width, int32_t height)
{
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++)
            *gives++ = x > 0 && x < width - 1 && y > 0 && y < height - 1 ? 1.0f : 0.0f;
}

static enum tw_status run_kept(struct tw_task *task, const struct map *map,
                               enum tw_visiting_order order, int32_t iterations)
{
    size_t plane = (size_t)map->width * (size_t)map->height;
    struct tw_row_bands_rule rule = *map->rule, odd = {0};
    size_t values = plane * (size_t)rule.planes++;
    struct map masked = {&rule, tw_task_scratch(task, plane, (size_t)rule.planes * sizeof(float)),
                         map->width, map->height};
    if (!masked.cells)
        return tw_task_no_memory(task);
    if (rule.odd) {
        odd = *rule.odd;
        odd.planes = rule.planes;
        rule.odd = &odd;
    }
    memcpy(masked.cells, map->cells, values * sizeof(float));
    fill_givers(masked.cells + values, map->width, map->height);
    enum tw_status status = run_torus(task, masked, order, iterations);
    memcpy(map->cells, masked.cells, values * sizeof(float));
    return status;
}

static enum tw_status run_walled(struct tw_task *task, const struct map *map,
                                 enum tw_visiting_order order, int32_t iterations)
{
    struct map walled = {map->rule, NULL, map->width + 1, map->height + 1};
    walled.cells = tw_task_scratch(task, (size_t)walled.width * (size_t)walled.height,
                                   (size_t)map->rule->planes * sizeof *walled.cells);
    if (!walled.cells)
        return tw_task_no_memory(task);
    build_wall(&walled);
    copy_walled(map, &walled, true);
    enum tw_status status = run_torus(task, walled, order, iterations);
    copy_walled(map, &walled, false);
    return status;
}

enum tw_status tw_row_bands_run(struct tw_task *task, const struct tw_row_bands_rule *rule,
                                enum tw_visiting_order order, int32_t iterations, float *cells)
{
    const struct map map = {rule, cells, tw_task_width(task), tw_task_height(task)};
    if (rule->kept)
        return run_kept(task, &map, order, iterations);
    if (rule->closed)
        return run_walled(task, &map, order, iterations);
    return run_torus(task, map, order, iterations);
}
