/* SPDX-License-Identifier: MIT */
#include "measure/kernels/bitmap.h"

#include <string.h>

static int32_t words_a_row(int32_t width) { return (width - 1) / 64 + 1; }

static size_t words(const struct tw_bitmap *map)
{
    return (size_t)map->stride * (size_t)map->height;
}

enum tw_status tw_bitmap_init(struct tw_task *task, bool wrap, struct tw_bitmap *map)
{
    *map = (struct tw_bitmap){.width = tw_task_width(task),
                              .height = tw_task_height(task),
                              .stride = words_a_row(tw_task_width(task)),
                              .wrap = wrap};
    map->words = tw_task_scratch(task, words(map), sizeof *map->words);
    return map->words ? TW_OK : tw_task_no_memory(task);
}

void tw_bitmap_forecast(struct tw_forecast *f)
{
    uint64_t count = (uint64_t)words_a_row(f->width) * (uint64_t)f->height;
    tw_forecast_scratch(f, count, sizeof(uint64_t));
}

void tw_bitmap_copy(const struct tw_bitmap *from, struct tw_bitmap *to)
{
    memcpy(to->words, from->words, words(from) * sizeof *from->words);
}

void tw_bitmap_intersect(const struct tw_bitmap *with, struct tw_bitmap *map)
{
    for (size_t i = 0; i < words(map); i++)
        map->words[i] &= with->words[i];
}

int64_t tw_bitmap_count(const struct tw_bitmap *map)
{
    int64_t count = 0;
    for (size_t i = 0; i < words(map); i++)
        count += tw_bitmap_count_word(map->words[i]);
    return count;
}

struct writing {
    const struct tw_bitmap *map;
    float *cells;
};

static void write_rows(void *context, int32_t begin, int32_t end)
{
    const struct writing *w = context;
    int32_t width = w->map->width;
    for (int32_t y = begin; y < end; y++) {
        const uint64_t *row = tw_bitmap_row(w->map, y);
        float *cells = w->cells + (size_t)y * (size_t)width;
        for (int32_t x = 0; x < width; x++)
            cells[x] = (float)(row[x / 64] >> x % 64 & 1);
    }
}

void tw_bitmap_write(struct tw_task *task, const struct tw_bitmap *map, float *cells)
{
    struct writing writing = {map, cells};
    tw_rows(task, map->height, 32, write_rows, &writing);
}
