/* SPDX-License-Identifier: MIT */
/* Compares floats as integers of the same order, in which -0 is below 0. The extremes then do not
 * depend on the order of comparison, so rows and vector lanes may come in any order. */
#include <thalweg/rescale.h>
#include <thalweg/simd.h>

#include <string.h>

struct map {
    const float *in;
    float *out;
    int32_t width;
    struct tw_span from, to;
    struct tw_span *rows; /* extremes of each row */
    enum tw_simd simd;
};

/* Order-preserving and its own inverse: a negative float's magnitude bits are flipped. */
static TW_INLINE int32_t flip(int32_t bits) { return bits ^ ((bits >> 31) & INT32_MAX); }

static float unflip(int32_t key)
{
    float value;
    key = flip(key);
    memcpy(&value, &key, sizeof value);
    return value;
}

static TW_INLINE void find_body(const float *cells, int32_t count, int32_t *least,
                                int32_t *greatest)
{
    int32_t low = INT32_MAX, high = INT32_MIN;
    for (int32_t i = 0; i < count; i++) {
        int32_t key;
        memcpy(&key, cells + i, sizeof key);
        key = flip(key);
        low = key < low ? key : low;
        high = key > high ? key : high;
    }
    *least = low;
    *greatest = high;
}
TW_SIMD_KERNEL(find, (const float *cells, int32_t count, int32_t *least, int32_t *greatest),
               (cells, count, least, greatest))

static TW_INLINE void stretch_body(const struct map *map, size_t begin, size_t end)
{
    const float *in = map->in;
    float *out = map->out, low = map->to.low, high = map->to.high, least = map->from.low;
    float width = map->from.high > least ? map->from.high - least : 1.0f;
    for (size_t i = begin; i < end; i++) {
        float t = (in[i] - least) / width;
        out[i] = low * (1.0f - t) + high * t;
    }
}
TW_SIMD_KERNEL(stretch, (const struct map *map, size_t begin, size_t end), (map, begin, end))

static void find_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    for (int32_t y = begin; y < end; y++) {
        int32_t least, greatest;
        find(map->simd)(map->in + (size_t)y * (size_t)map->width, map->width, &least, &greatest);
        map->rows[y] = (struct tw_span){unflip(least), unflip(greatest)};
    }
}

static void stretch_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    size_t width = (size_t)map->width;
    stretch(map->simd)(map, (size_t)begin * width, (size_t)end * width);
}

enum tw_status tw_span_find(struct tw_task *task, const float *cells, int32_t width, int32_t height,
                            struct tw_span *span)
{
    struct map map = {.in = cells, .width = width, .simd = tw_task_simd(task)};
    map.rows = tw_task_scratch(task, (size_t)height, sizeof *map.rows);
    if (!map.rows)
        return tw_task_no_memory(task);
    tw_rows(task, height, 64, find_rows, &map);
    *span = map.rows[0];
    for (int32_t y = 1; y < height; y++) {
        span->low = map.rows[y].low < span->low ? map.rows[y].low : span->low;
        span->high = map.rows[y].high > span->high ? map.rows[y].high : span->high;
    }
    return TW_OK;
}

enum tw_status tw_rescale(struct tw_task *task, const float *in, float *out, int32_t width,
                          int32_t height, struct tw_span to)
{
    struct map map = {.in = in, .out = out, .width = width, .to = to, .simd = tw_task_simd(task)};
    enum tw_status status = tw_span_find(task, in, width, height, &map.from);
    if (status == TW_OK)
        tw_rows(task, height, 64, stretch_rows, &map);
    return status;
}
