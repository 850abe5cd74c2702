/* SPDX-License-Identifier: MIT */
/* Work maps on a torus: rows have one more cell at either end that repeats the other end, so loops
 * over neighbours are straight. Rows wrap by their number. */
#ifndef TW_NODES_EROSION_KERNELS_TORUS_H
#define TW_NODES_EROSION_KERNELS_TORUS_H

#include <thalweg/node.h>

#include <string.h>

enum { TW_TORUS_LEAD = 16 }; /* floats before a row's first cell: rows begin on 64 bytes */

struct tw_torus {
    float *cells; /* cell 0 of row 0 */
    int32_t width, height;
    size_t stride;
};

/* A map of the task's size with undefined contents; false without memory. */
static inline bool tw_torus_make(struct tw_task *task, struct tw_torus *map)
{
    map->width = tw_task_width(task);
    map->height = tw_task_height(task);
    map->stride = ((size_t)map->width + 1 + 15) / 16 * 16 + TW_TORUS_LEAD;
    float *block = tw_task_scratch(task, map->stride * (size_t)map->height, sizeof *block);
    map->cells = block ? block + TW_TORUS_LEAD : NULL;
    return block != NULL;
}

/* Row y for -1 <= y <= height; cells -1 to width are there. */
static inline float *tw_torus_row(const struct tw_torus *map, int32_t y)
{
    y = y < 0 ? map->height - 1 : y >= map->height ? 0 : y;
    return map->cells + (size_t)y * map->stride;
}

/* The eight neighbours of row y's cells in reading order: cell x's are around[0..7][x]. */
static inline void tw_torus_around(const struct tw_torus *map, int32_t y, const float *around[8])
{
    const float *up = tw_torus_row(map, y - 1), *down = tw_torus_row(map, y + 1);
    const float *row = tw_torus_row(map, y);
    around[0] = up - 1;
    around[1] = up;
    around[2] = up + 1;
    around[3] = row - 1;
    around[4] = row + 1;
    around[5] = down - 1;
    around[6] = down;
    around[7] = down + 1;
}

/* Repeats the ends of row y after its cells 0 to width - 1 were written. */
static inline void tw_torus_close(const struct tw_torus *map, int32_t y)
{
    float *row = tw_torus_row(map, y);
    row[-1] = row[map->width - 1];
    row[map->width] = row[0];
}

static inline void tw_torus_read(const struct tw_torus *map, const float *cells)
{
    for (int32_t y = 0; y < map->height; y++) {
        memcpy(tw_torus_row(map, y), cells + (size_t)y * (size_t)map->width,
               (size_t)map->width * sizeof *cells);
        tw_torus_close(map, y);
    }
}

static inline void tw_torus_write(const struct tw_torus *map, float *cells)
{
    for (int32_t y = 0; y < map->height; y++)
        memcpy(cells + (size_t)y * (size_t)map->width, tw_torus_row(map, y),
               (size_t)map->width * sizeof *cells);
}

static inline void tw_torus_swap(struct tw_torus *a, struct tw_torus *b)
{
    struct tw_torus kept = *a;
    *a = *b;
    *b = kept;
}

#endif
