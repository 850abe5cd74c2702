/* SPDX-License-Identifier: MIT */
/* Many drops on one map, side by side, with the same bytes on any number of threads.
 *
 * Drops fall in rounds, and a round takes turns until all its drops are done. In a turn the map is
 * cut into tiles of four colours, like a chessboard with two kinds of rows; tiles of one colour run
 * at the same time, and the next colour follows where those around its tiles are done; the drops of
 * a tile run in the order of their indices. A drop may leave its tile by less than half a tile, so
 * that drops of tiles that do not touch never touch the same cells. One that would go further is
 * parked and carries on in the next turn, in the tile that it is in then. Each turn cuts the map at
 * other places: seams that stayed would show on gentle ground. Nothing depends on which thread
 * computes a tile. Compared with one drop after the other, only the order of the drops of a round
 * changes. A map no larger than a tile has just that order. */
#ifndef TW_NODES_EROSION_KERNELS_DROPLETS_DROPLET_ROUNDS_H
#define TW_NODES_EROSION_KERNELS_DROPLETS_DROPLET_ROUNDS_H

#include <thalweg/node.h>

/* What every drop begins with; a node adds what its drops carry. */
struct tw_droplet {
    uint32_t index;
    int32_t x, y; /* the cell it is on */
    bool done;
};

/* The cells that a drop may be on: left <= x < right, top <= y < bottom. */
struct tw_droplet_area {
    int32_t left, top, right, bottom;
};

static inline bool tw_droplet_inside(const struct tw_droplet_area *area, int32_t x, int32_t y)
{
    return x >= area->left && x < area->right && y >= area->top && y < area->bottom;
}

/* A tile and its drops that have not run in this turn, in the order of their indices. */
struct tw_droplet_tile {
    struct tw_droplet_area area;  /* for any of its drops */
    struct tw_droplet_area inset; /* by how much an edge may lie further inside, or 0 */
    uint32_t turn;
    const int32_t *numbers;
    int32_t left;
    unsigned char *at;
    size_t size;
};

/* The next drop of a tile; NULL when all have run. A tile's drops lie far apart, so the one that
 * comes `ahead` of them later is prefetched. */
static inline void *tw_droplet_next(struct tw_droplet_tile *tile, int32_t ahead)
{
    if (tile->left <= 0)
        return NULL;
    void *drop = tile->at + (size_t)*tile->numbers++ * tile->size;
    if (--tile->left >= ahead)
        __builtin_prefetch(tile->at + (size_t)tile->numbers[ahead - 1] * tile->size, 1);
    return drop;
}

/* The area of one drop: its edges lie anywhere between the tile's edges and those of the tile's
 * area, so that no line marks where the drops of a turn stop. */
static inline struct tw_droplet_area tw_droplet_area_of(const struct tw_droplet_tile *tile,
                                                        const struct tw_droplet *drop)
{
    int32_t share = (int32_t)(((drop->index + tile->turn) * 0x9E3779B9u) >> 16); /* of 1 << 16 */
    return (struct tw_droplet_area){tile->area.left + (tile->inset.left * share >> 16),
                                    tile->area.top + (tile->inset.top * share >> 16),
                                    tile->area.right - (tile->inset.right * share >> 16),
                                    tile->area.bottom - (tile->inset.bottom * share >> 16)};
}

/* Tiles that do not touch each other: a node may take from several in turn. */
struct tw_droplet_tiles {
    const void *round;
    int32_t colour, next, end;
};
bool tw_droplet_next_tile(struct tw_droplet_tiles *tiles, struct tw_droplet_tile *tile);

enum { TW_DROPLET_REACH_MAX = 16 };

struct tw_droplet_rounds {
    int32_t width, height; /* of the map */
    int32_t count;
    size_t size;     /* bytes of a drop */
    int32_t reach;   /* cells around its own that a drop reads or writes, to TW_DROPLET_REACH_MAX */
    bool sequential; /* one drop after the other, on one thread */
    void *context;
    /* Places drop `index`; all other bytes of it are zero. */
    void (*start)(void *context, void *drop);
    /* Moves every drop of all tiles until it is done, or is on a cell outside its area and
     * has done nothing there yet. It may only touch cells within `reach` of cells inside. Drops
     * of several tiles may be moved side by side. */
    void (*run_tiles)(void *context, struct tw_droplet_tiles *tiles);
    int32_t grain; /* least number of tiles for run_tiles */
};

/* Runs all drops; TW_CANCELLED, TW_MEMORY or TW_OK. */
enum tw_status tw_droplet_rounds_run(struct tw_task *task, const struct tw_droplet_rounds *drops);

/* The scratch that they take; `size` is that of a droplet. */
void tw_droplet_rounds_forecast(struct tw_forecast *f, int32_t count, size_t size, bool sequential);

#endif
