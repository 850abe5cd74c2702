/* SPDX-License-Identifier: MIT */
/* First the distance g to the nearest cell of the kind in the same column, then in each row the
 * lower envelope of the parabolas (x - i)^2 + g(i)^2. On a torus a row is laid out with half of it
 * once more at either end. */
#include "common/distance_transform.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <string.h>

enum { SLOTS = 64, CHUNK = 256, NONE = 1 << 20 }; /* NONE: farther than any map is wide */

struct map {
    const float *in;
    float *out;
    int32_t *gaps;
    int32_t *lines;
    struct tw_parabola *envelopes;
    int32_t width, height, length;
    bool wrap, of_set;
    float scale, limit;
    enum tw_simd simd;
};

static TW_INLINE void gap_columns_body(const struct map *map, int32_t begin, int32_t end)
{
    size_t width = (size_t)map->width;
    const bool of_set = map->of_set;
    for (int32_t x = begin; x < end; x++)
        map->gaps[x] = (map->in[x] >= 0.5f) == of_set ? 0 : NONE;
    for (int32_t y = 1; y < map->height; y++) {
        const float *cells = map->in + (size_t)y * width;
        int32_t *row = map->gaps + (size_t)y * width;
        const int32_t *above = row - width;
        for (int32_t x = begin; x < end; x++) {
            int32_t next = above[x] < NONE ? above[x] + 1 : NONE;
            row[x] = (cells[x] >= 0.5f) == of_set ? 0 : next;
        }
    }
    for (int32_t y = map->height - 2; y >= 0; y--) {
        int32_t *row = map->gaps + (size_t)y * width;
        const int32_t *below = row + width;
        for (int32_t x = begin; x < end; x++)
            row[x] = below[x] + 1 < row[x] ? below[x] + 1 : row[x];
    }
}
TW_SIMD_KERNEL(gap_columns, (const struct map *map, int32_t begin, int32_t end), (map, begin, end))

/* Goes over the border: down from the last row's set cell, or up from the first one's. */
static TW_INLINE void wrap_columns_body(const struct map *map, int32_t begin, int32_t end)
{
    const size_t width = (size_t)map->width, last_row = (size_t)(map->height - 1) * width;
    int32_t first[CHUNK], last[CHUNK];
    for (int32_t x = begin; x < end; x++) {
        first[x - begin] = map->gaps[x];
        last[x - begin] = map->gaps[last_row + (size_t)x];
    }
    for (int32_t y = 0; y < map->height; y++) {
        int32_t *row = map->gaps + (size_t)y * width;
        for (int32_t x = begin; x < end; x++) {
            int32_t above = last[x - begin] + y + 1;
            int32_t below = first[x - begin] + map->height - y;
            int32_t beyond = above < below ? above : below;
            row[x] = beyond < row[x] ? beyond : row[x];
        }
    }
}
TW_SIMD_KERNEL(wrap_columns, (const struct map *map, int32_t begin, int32_t end), (map, begin, end))

static void find_gaps(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    for (int32_t from = begin; from < end; from += CHUNK) {
        int32_t to = from + CHUNK < end ? from + CHUNK : end;
        gap_columns(map->simd)(map, from, to);
        if (map->wrap)
            wrap_columns(map->simd)(map, from, to);
    }
}

static int64_t parabola(const int32_t *gaps, int32_t column, int32_t x)
{
    return (int64_t)(x - column) * (x - column) + (int64_t)gaps[column] * gaps[column];
}

/* The last x at which column a's parabola is not above that of column b > a, rounded down. */
static int64_t crossing(const int32_t *gaps, int32_t a, int32_t b)
{
    int64_t over =
        (int64_t)b * b - (int64_t)a * a + (int64_t)gaps[b] * gaps[b] - (int64_t)gaps[a] * gaps[a];
    int64_t under = 2 * (int64_t)(b - a), quotient = over / under;
    return quotient - (over % under < 0);
}

/* Finds the lowest parabolas of a row from left to right; returns their number. */
static int32_t find_envelope(const int32_t *gaps, int32_t width, struct tw_parabola *envelope)
{
    int32_t count = 1;
    envelope[0] = (struct tw_parabola){0, 0};
    for (int32_t x = 1; x < width; x++) {
        while (count > 0 && parabola(gaps, envelope[count - 1].column, envelope[count - 1].from) >
                                parabola(gaps, x, envelope[count - 1].from))
            count--;
        int64_t from = count > 0 ? crossing(gaps, envelope[count - 1].column, x) + 1 : 0;
        if (from < width)
            envelope[count++] = (struct tw_parabola){x, (int32_t)from};
    }
    return count;
}

/* Returns row y of g; on a torus laid out in `line`, cell x of it from cell x + width / 2 on. */
static const int32_t *lay_out(const struct map *map, int32_t y, int32_t *line)
{
    const int32_t *gaps = map->gaps + (size_t)y * (size_t)map->width;
    size_t width = (size_t)map->width, half = width / 2;
    if (!map->wrap)
        return gaps;
    memcpy(line, gaps + width - half, half * sizeof *line);
    memcpy(line + half, gaps, width * sizeof *line);
    memcpy(line + half + width, gaps, half * sizeof *line);
    return line;
}

static void fill_row(const struct map *map, int32_t y, int32_t *line, struct tw_parabola *envelope)
{
    const int32_t *gaps = lay_out(map, y, line);
    int32_t before = (map->length - map->width) / 2;
    float *out = map->out + (size_t)y * (size_t)map->width;
    int32_t last = find_envelope(gaps, map->length, envelope) - 1;
    for (int32_t x = map->length - 1; x >= before; x--) {
        float distance = (float)sqrt((double)parabola(gaps, envelope[last].column, x));
        if (x < before + map->width)
            out[x - before] = tw_min(distance * map->scale, map->limit);
        last -= x == envelope[last].from;
    }
}

static void fill_slots(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    for (int32_t slot = begin; slot < end; slot++)
        for (int32_t y = slot; y < map->height; y += SLOTS)
            fill_row(map, y, map->lines + (size_t)slot * (size_t)map->length,
                     map->envelopes + (size_t)slot * (size_t)map->length);
}

static int32_t length_of(int32_t width, bool wrap) { return wrap ? width + width / 2 * 2 : width; }

bool tw_distance_lay_out(struct tw_scratch *s, struct tw_distance_space *space, bool wrap)
{
    uint64_t length = (uint64_t)length_of(tw_scratch_width(s), wrap);
    space->gaps = tw_scratch_maps(s, 1, sizeof *space->gaps);
    space->lines = tw_scratch_take(s, SLOTS * length, sizeof *space->lines);
    space->envelopes = tw_scratch_take(s, SLOTS * length, sizeof *space->envelopes);
    return tw_scratch_is_laid(s);
}

enum tw_status tw_distance_transform(struct tw_task *task, const struct tw_distance *distance,
                                     const struct tw_distance_space *space, float *out)
{
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    struct map map = {.in = distance->in,
                      .out = out,
                      .gaps = space->gaps,
                      .lines = space->lines,
                      .envelopes = space->envelopes,
                      .width = width,
                      .height = height,
                      .length = length_of(width, distance->wrap),
                      .wrap = distance->wrap,
                      .of_set = distance->of_set,
                      .scale = distance->scale,
                      .limit = distance->limit,
                      .simd = tw_task_simd(task)};
    tw_rows(task, width, 64, find_gaps, &map);
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    tw_rows(task, SLOTS, 1, fill_slots, &map);
    return TW_OK;
}
