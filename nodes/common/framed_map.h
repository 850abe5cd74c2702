/* SPDX-License-Identifier: MIT */
/* Work maps with a frame one cell wide, so that loops over neighbours are straight. On a torus the
 * frame repeats the other side; on ground that ends it holds one value, a wall over which nothing
 * goes. */
#ifndef TW_NODES_COMMON_FRAMED_MAP_H
#define TW_NODES_COMMON_FRAMED_MAP_H

#include <thalweg/scratch.h>

#include <string.h>

enum {
    TW_FRAMED_MAP_LEAD = 16
}; /* floats before a row's first cell: rows are aligned to 64 bytes */

/* A height that no ground reaches: nothing flows there, and differences to it stay finite. */
#define TW_FRAMED_MAP_WALL 1e30f

struct tw_framed_map {
    float *cells; /* cell 0 of row 0 */
    float *outer; /* the rows above and below, a wall; NULL on a torus */
    float wall;
    int32_t width, height;
    size_t stride;
};

/* A map of the task's size with undefined contents, on a torus or within walls of the value `wall`;
 * false without memory. */
static inline bool tw_framed_map_lay_out(struct tw_scratch *s, struct tw_framed_map *map,
                                         bool wraps, float wall)
{
    size_t width = (size_t)tw_scratch_width(s), height = (size_t)tw_scratch_height(s);
    size_t stride = (width + 1 + 15) / 16 * 16 + TW_FRAMED_MAP_LEAD;
    float *block = tw_scratch_take(s, stride * (height + !wraps), sizeof *block);
    if (!block)
        return tw_scratch_is_laid(s);
    *map = (struct tw_framed_map){.cells = block + TW_FRAMED_MAP_LEAD,
                                  .wall = wall,
                                  .width = (int32_t)width,
                                  .height = (int32_t)height,
                                  .stride = stride};
    if (wraps)
        return true;
    map->outer = map->cells + height * stride;
    for (size_t x = 0; x < width + 2; x++)
        map->outer[(ptrdiff_t)x - 1] = wall;
    return true;
}

/* Returns row y, -1 <= y <= height, with cells -1 to width. */
static inline float *tw_framed_map_row(const struct tw_framed_map *map, int32_t y)
{
    if ((y < 0 || y >= map->height) && map->outer)
        return map->outer;
    y = y < 0 ? map->height - 1 : y >= map->height ? 0 : y;
    return map->cells + (size_t)y * map->stride;
}

/* The eight neighbours of row y's cells in reading order: cell x's are around[0..7][x]. */
static inline void tw_framed_map_around(const struct tw_framed_map *map, int32_t y,
                                        const float *around[8])
{
    const float *up = tw_framed_map_row(map, y - 1), *down = tw_framed_map_row(map, y + 1);
    const float *row = tw_framed_map_row(map, y);
    around[0] = up - 1;
    around[1] = up;
    around[2] = up + 1;
    around[3] = row - 1;
    around[4] = row + 1;
    around[5] = down - 1;
    around[6] = down;
    around[7] = down + 1;
}

/* Writes the frame's cells at both ends of row y, after its cells 0 to width - 1. */
static inline void tw_framed_map_close(const struct tw_framed_map *map, int32_t y)
{
    float *row = tw_framed_map_row(map, y);
    row[-1] = map->outer ? map->wall : row[map->width - 1];
    row[map->width] = map->outer ? map->wall : row[0];
}

static inline void tw_framed_map_read(const struct tw_framed_map *map, const float *cells)
{
    for (int32_t y = 0; y < map->height; y++) {
        memcpy(tw_framed_map_row(map, y), cells + (size_t)y * (size_t)map->width,
               (size_t)map->width * sizeof *cells);
        tw_framed_map_close(map, y);
    }
}

static inline void tw_framed_map_write(const struct tw_framed_map *map, float *cells)
{
    for (int32_t y = 0; y < map->height; y++)
        memcpy(cells + (size_t)y * (size_t)map->width, tw_framed_map_row(map, y),
               (size_t)map->width * sizeof *cells);
}

static inline void tw_framed_map_swap(struct tw_framed_map *a, struct tw_framed_map *b)
{
    struct tw_framed_map kept = *a;
    *a = *b;
    *b = kept;
}

#endif
