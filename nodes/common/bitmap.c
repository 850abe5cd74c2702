/* SPDX-License-Identifier: MIT */
#include "common/bitmap.h"

#include <string.h>

static size_t words(const struct tw_bitmap *map)
{
    return (size_t)map->stride * (size_t)map->height;
}

bool tw_bitmap_lay_out(struct tw_scratch *s, bool wrap, struct tw_bitmap *map)
{
    *map = (struct tw_bitmap){.width = tw_scratch_width(s),
                              .height = tw_scratch_height(s),
                              .stride = (tw_scratch_width(s) - 1) / 64 + 1,
                              .wrap = wrap};
    map->words = tw_scratch_take(s, words(map), sizeof *map->words);
    return tw_scratch_is_laid(s);
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
