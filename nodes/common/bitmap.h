/* SPDX-License-Identifier: MIT */
/* Maps of ones and zeros of the task's size, 64 cells a word: an eighth of a byte a cell, so that a
 * map of 1024 squared stays in a core's cache while it is opened and labelled. */
#ifndef TW_NODES_COMMON_BITMAP_H
#define TW_NODES_COMMON_BITMAP_H

#include <thalweg/scratch.h>

/* Cell x of a row is bit x % 64 of its word x / 64; bits beyond the width are 0. */
struct tw_bitmap {
    int32_t width, height;
    int32_t stride; /* words of a row */
    bool wrap;      /* a torus; else nothing lies beyond the border */
    uint64_t *words;
};

static inline uint64_t *tw_bitmap_row(const struct tw_bitmap *map, int32_t y)
{
    return map->words + (size_t)y * (size_t)map->stride;
}

/* The bits of a row's last word. */
static inline uint64_t tw_bitmap_tail(const struct tw_bitmap *map)
{
    return ~(uint64_t)0 >> (63 - (map->width - 1) % 64);
}

/* Takes or counts memory for the task's map, contents undefined; false when there is none. */
bool tw_bitmap_lay_out(struct tw_scratch *s, bool wrap, struct tw_bitmap *map);

/* Of maps of the same size. */
void tw_bitmap_copy(const struct tw_bitmap *from, struct tw_bitmap *to);
void tw_bitmap_intersect(const struct tw_bitmap *with, struct tw_bitmap *map);

/* The ones of a word, and of a map. */
static inline int32_t tw_bitmap_count_word(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (int32_t)(word * 0x0101010101010101u >> 56);
}
int64_t tw_bitmap_count(const struct tw_bitmap *map);

/* Cells 0 and 1 of a mask. */
void tw_bitmap_write(struct tw_task *task, const struct tw_bitmap *map, float *cells);

#endif
