/* SPDX-License-Identifier: MIT */
/* While it iterates, a map in bands order is stored as t[group][r][x][lane]: row r of all bands of
 * a group side by side, so a step of the order is a run of contiguous loads. Bands meet only where
 * the last row of one (r = 7) touches the first of the next (r = 0). So a pass has two stages whose
 * groups do not touch each other:
 *   seams: finish row 7 of the pass before, then row 0 of this one, for the bands' common borders;
 *   inner: rows 1 to 6 of every band.
 * A seam needs rows 6 and 7 of the band before a group's first; they are lent to the lane before
 * it for the stage and are nobody else's in it. Lanes that are left over come first and hold
 * -FLT_MAX. The last band's remaining rows (r >= 8) are a part of the first group's seam stage. */
#include "erosion/kernels/row_bands.h"

#include <float.h>

enum { BAND_ROWS = 8, RASTER_BELOW = 24, VECTOR = 16, TILE = 64 };

struct map {
    const struct tw_row_bands_rule *rule;
    float *cells;
    int32_t width, height;
};

struct bands {
    struct map map;
    float *cells;            /* the groups, then the remaining rows; then the second plane */
    int32_t count, rest;     /* bands; remaining rows */
    int32_t groups, lanes;   /* lanes a group */
    int32_t spare;           /* unused lanes at the beginning of group 0 */
    size_t step, row, group; /* floats to the next x, r, group */
    size_t plane;            /* floats to the second plane */
    bool finish, begin;      /* what a seam stage has to do */
};

static void visit_around(const struct map *map, float *up, float *row, float *down, int32_t x,
                         size_t plane)
{
    int32_t w = map->width, left = x ? x - 1 : w - 1, right = x + 1 < w ? x + 1 : 0;
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
                 map->cells + (size_t)down * w, x, w * (size_t)map->height);
}

static void before_all(const struct map *map)
{
    size_t w = (size_t)map->width, h = (size_t)map->height;
    for (int32_t y = 0; map->rule->before && y < map->height; y++) {
        const struct tw_row_bands_rows row = {.row = map->cells + (size_t)y * w,
                                              .step = 1,
                                              .plane = w * h,
                                              .width = map->width,
                                              .lanes = 1};
        map->rule->before(map->rule->constants, &row);
    }
}

static void pass_raster(const struct map *map)
{
    for (int32_t y = 0; y < map->height; y++)
        for (int32_t x = 0; x < map->width; x++)
            visit(map, x, y);
}

/* The order as it is defined, for maps too narrow for lanes. */
static void pass_bands(const struct map *map)
{
    int32_t bands = map->height / BAND_ROWS, rest = map->height % BAND_ROWS;
    for (int32_t r = 0; r < BAND_ROWS + rest; r++)
        for (int32_t x = 0; x < map->width; x++)
            for (int32_t b = r < BAND_ROWS ? 0 : bands - 1; b < bands; b++)
                visit(map, x, b * BAND_ROWS + r);
}

static enum tw_status run_plainly(struct tw_task *task, const struct map *map,
                                  void (*pass)(const struct map *map), int32_t iterations)
{
    for (int32_t i = 0; i < iterations; i++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        before_all(map);
        pass(map);
        tw_task_progress(task, (double)(i + 1) / iterations);
    }
    return TW_OK;
}

/* Lane `lane` of row r of a group; lanes begin at -1. */
static float *lane_of(const struct bands *s, int32_t group, int32_t r, int32_t lane)
{
    return s->cells + (size_t)group * s->group + (size_t)r * s->row + VECTOR + lane;
}

/* Row r >= 8 of the last band, cell after cell; one row more on either side is there. */
static float *rest_row(const struct bands *s, int32_t r)
{
    return s->cells + (size_t)s->groups * s->group +
           (size_t)(r - BAND_ROWS + 1) * (size_t)s->map.width;
}

static void layout(struct bands *s)
{
    int32_t width = s->map.width;
    s->count = s->map.height / BAND_ROWS;
    s->rest = s->map.height % BAND_ROWS;
    s->groups = (s->count - 1) / TW_ROW_BANDS_LANES + 1;
    int32_t share = (s->count - 1) / s->groups + 1;
    s->lanes = (share - 1) / VECTOR * VECTOR + VECTOR;
    s->spare = s->groups * s->lanes - s->count;
    s->step = (size_t)s->lanes + VECTOR;
    s->row = (size_t)width * s->step + 20 * VECTOR; /* rows must not be 4096 bytes apart */
    s->group = BAND_ROWS * s->row;
    s->plane = (size_t)s->groups * s->group + (size_t)(s->rest + 2) * (size_t)width;
    s->plane = (s->plane + VECTOR - 1) / VECTOR * VECTOR;
}

/* Moves columns from..to of one band between the map and its lane. */
static void copy_tile(const struct bands *s, int32_t band, int32_t r, int32_t from, int32_t to,
                      bool pack)
{
    size_t count = (size_t)s->map.width * (size_t)s->map.height;
    int32_t lane = band + s->spare;
    float *packed = lane_of(s, lane / s->lanes, r, lane % s->lanes);
    float *plain = s->map.cells + (size_t)(band * BAND_ROWS + r) * (size_t)s->map.width;
    for (int32_t p = 0; p < s->map.rule->planes; p++, packed += s->plane, plain += count)
        for (int32_t x = from; x < to; x++)
            if (pack)
                packed[(size_t)x * s->step] = plain[x];
            else
                plain[x] = packed[(size_t)x * s->step];
}

static void copy_group(const struct bands *s, int32_t group, bool pack)
{
    int32_t first = group * s->lanes - s->spare, width = s->map.width;
    for (int32_t r = 0; r < BAND_ROWS; r++)
        for (int32_t x = 0; x < width; x += TILE)
            for (int32_t b = first < 0 ? 0 : first; b < first + s->lanes; b++)
                copy_tile(s, b, r, x, x + TILE < width ? x + TILE : width, pack);
}

/* Lanes that hold no band: the one before a group and those left over. */
static void clear_spare(const struct bands *s, int32_t group)
{
    for (int32_t r = 0; r < BAND_ROWS; r++)
        for (int32_t x = 0; x < s->map.width; x++)
            for (int32_t lane = -1; lane < (group ? 0 : s->spare); lane++) {
                float *cell = lane_of(s, group, r, lane) + (size_t)x * s->step;
                cell[0] = -FLT_MAX;
                if (s->map.rule->planes > 1)
                    cell[s->plane] = 0;
            }
}

static void pack_groups(void *context, int32_t begin, int32_t end)
{
    const struct bands *s = context;
    for (int32_t g = begin; g < end; g++) {
        clear_spare(s, g);
        copy_group(s, g, true);
    }
}

static void unpack_groups(void *context, int32_t begin, int32_t end)
{
    for (int32_t g = begin; g < end; g++)
        copy_group(context, g, false);
}

static void copy_rest(const struct bands *s, bool pack)
{
    size_t width = (size_t)s->map.width, count = width * (size_t)s->map.height;
    float *plain = s->map.cells + (size_t)s->count * BAND_ROWS * width;
    for (int32_t p = 0; p < s->map.rule->planes; p++)
        for (size_t i = 0; i < (size_t)s->rest * width; i++) {
            float *packed = rest_row(s, BAND_ROWS) + (size_t)p * s->plane + i;
            *(pack ? packed : plain + (size_t)p * count + i) =
                *(pack ? plain + (size_t)p * count + i : packed);
        }
}

static void sweep(const struct bands *s, float *up, float *row, float *down)
{
    const struct tw_row_bands_rows rows = {up,       row,          down,    s->step,
                                           s->plane, s->map.width, s->lanes};
    s->map.rule->sweep(s->map.rule->constants, &rows);
}

static void before(const struct bands *s, float *row, size_t step, int32_t lanes)
{
    const struct tw_row_bands_rows rows = {
        .row = row, .step = step, .plane = s->plane, .width = s->map.width, .lanes = lanes};
    s->map.rule->before(s->map.rule->constants, &rows);
}

static void copy_column(const struct bands *s, float *to, size_t to_step, const float *from,
                        size_t from_step)
{
    for (int32_t p = 0; p < s->map.rule->planes; p++, to += s->plane, from += s->plane)
        for (size_t x = 0; x < (size_t)s->map.width; x++)
            to[x * to_step] = from[x * from_step];
}

static void swap_column(const struct bands *s, float *a, float *row)
{
    for (int32_t p = 0; p < s->map.rule->planes; p++, a += s->plane, row += s->plane)
        for (size_t x = 0; x < (size_t)s->map.width; x++) {
            float kept = a[x * s->step];
            a[x * s->step] = row[x];
            row[x] = kept;
        }
}

/* Lends rows 6 and 7 of the band before the group's first to the lane before it, and back. */
static void lend(const struct bands *s, int32_t group, bool back)
{
    int32_t to = group ? -1 : s->spare - 1, from_group = group ? group - 1 : s->groups - 1;
    for (int32_t r = BAND_ROWS - 2; r < BAND_ROWS; r++) {
        float *here = lane_of(s, group, r, to), *there = lane_of(s, from_group, r, s->lanes - 1);
        copy_column(s, back ? there : here, s->step, back ? here : there, s->step);
        for (int32_t x = 0; back && x < s->map.width; x++) {
            here[(size_t)x * s->step] = -FLT_MAX;
            if (s->map.rule->planes > 1)
                here[(size_t)x * s->step + s->plane] = 0;
        }
    }
}

/* Rows 8 and up of the last band, between copies of its row 7 and of band 0's row 0. */
static void visit_rest(const struct bands *s)
{
    float *last = lane_of(s, 0, BAND_ROWS - 1, s->spare - 1), *first = lane_of(s, 0, 0, s->spare);
    float *above = rest_row(s, BAND_ROWS - 1), *below = rest_row(s, BAND_ROWS + s->rest);
    copy_column(s, above, 1, last, s->step);
    copy_column(s, below, 1, first, s->step);
    for (int32_t r = BAND_ROWS; r < BAND_ROWS + s->rest; r++)
        for (int32_t x = 0; x < s->map.width; x++)
            visit_around(&s->map, rest_row(s, r - 1), rest_row(s, r), rest_row(s, r + 1), x,
                         s->plane);
    copy_column(s, last, s->step, above, 1);
    copy_column(s, first, s->step, below, 1);
}

static void before_seams(const struct bands *s, int32_t g)
{
    for (int32_t r = 0; r < BAND_ROWS; r++)
        before(s, lane_of(s, g, r, r < BAND_ROWS - 2 ? 0 : -1), s->step, s->lanes);
    for (int32_t r = BAND_ROWS; g == 0 && r < BAND_ROWS + s->rest; r++)
        before(s, rest_row(s, r), 1, 1);
}

/* Row 7. Below the last band's lie the remaining rows, not row 0 of band 0. */
static void finish_pass(const struct bands *s, int32_t g)
{
    float *last = lane_of(s, g, BAND_ROWS - 1, -1), *first = lane_of(s, g, 0, 0);
    bool rest = g == 0 && s->rest > 0;
    if (rest)
        swap_column(s, first + s->spare, rest_row(s, BAND_ROWS));
    sweep(s, lane_of(s, g, BAND_ROWS - 2, -1), last, first);
    if (rest) {
        swap_column(s, first + s->spare, rest_row(s, BAND_ROWS));
        visit_rest(s);
    }
}

/* Row 0. Above that of band 0 lies the last of the remaining rows. */
static void begin_pass(const struct bands *s, int32_t g)
{
    float *last = lane_of(s, g, BAND_ROWS - 1, -1), *first = lane_of(s, g, 0, 0);
    float *rest_last = rest_row(s, BAND_ROWS + s->rest - 1);
    bool rest = g == 0 && s->rest > 0;
    if (rest)
        swap_column(s, last + s->spare, rest_last);
    sweep(s, last, first, lane_of(s, g, 1, 0));
    if (rest)
        swap_column(s, last + s->spare, rest_last);
}

static void seams(void *context, int32_t begin, int32_t end)
{
    const struct bands *s = context;
    for (int32_t g = begin; g < end; g++) {
        lend(s, g, false);
        if (s->finish)
            finish_pass(s, g);
        if (s->begin && s->map.rule->before)
            before_seams(s, g);
        if (s->begin)
            begin_pass(s, g);
        lend(s, g, true);
    }
}

static void inner(void *context, int32_t begin, int32_t end)
{
    const struct bands *s = context;
    for (int32_t g = begin; g < end; g++)
        for (int32_t r = 1; r < BAND_ROWS - 1; r++)
            sweep(s, lane_of(s, g, r - 1, 0), lane_of(s, g, r, 0), lane_of(s, g, r + 1, 0));
}

static enum tw_status run_lanes(struct tw_task *task, struct bands *s, int32_t iterations)
{
    layout(s);
    s->cells = tw_task_scratch(task, s->plane, (size_t)s->map.rule->planes * sizeof *s->cells);
    if (!s->cells)
        return tw_task_no_memory(task);
    copy_rest(s, true);
    tw_rows(task, s->groups, 1, pack_groups, s);
    for (int32_t i = 0; i <= iterations; i++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        s->finish = i > 0;
        s->begin = i < iterations;
        tw_rows(task, s->groups, 1, seams, s);
        if (s->begin)
            tw_rows(task, s->groups, 1, inner, s);
        tw_task_progress(task, (double)i / iterations);
    }
    tw_rows(task, s->groups, 1, unpack_groups, s);
    copy_rest(s, false);
    return TW_OK;
}

enum tw_status tw_row_bands_run(struct tw_task *task, const struct tw_row_bands_rule *rule,
                                enum tw_visiting_order order, int32_t iterations, float *cells)
{
    struct bands s = {.map = {rule, cells, tw_task_width(task), tw_task_height(task)}};
    if (order == TW_ORDER_RASTER || s.map.height < RASTER_BELOW)
        return run_plainly(task, &s.map, pass_raster, iterations);
    if (s.map.width < 3)
        return run_plainly(task, &s.map, pass_bands, iterations);
    return iterations > 0 ? run_lanes(task, &s, iterations) : TW_OK;
}
