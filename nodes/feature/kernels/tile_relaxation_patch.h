/* SPDX-License-Identifier: MIT */
/* Tiles of a grid, and the relaxing of one patch of cells, for feature/kernels/tile_relaxation.h.
 */
#ifndef TW_NODES_FEATURE_KERNELS_TILE_RELAXATION_PATCH_H
#define TW_NODES_FEATURE_KERNELS_TILE_RELAXATION_PATCH_H

#include "feature/kernels/weighted_grid.h"

/* A tile is TW_PATCHES x TW_PATCHES patches of TW_CELLS x TW_CELLS cells. */
enum { TW_CELLS = 8, TW_PATCHES = 8, TW_TILE = TW_CELLS * TW_PATCHES, TW_KEYS = TW_PATCHES + 2 };

/* A plane holds a tile's cells within one cell of each neighbour tile. The cell before a row's
 * first is at TW_START - 1; the one after its last is the first place of the next row. */
enum { TW_START = 8, TW_PITCH = TW_TILE + TW_START, TW_PLANE = (TW_TILE + 2) * TW_PITCH + 8 };

#define TW_FAR 1e308      /* value of a cell that nothing has reached */
#define TW_KEY_NONE 1e300 /* of a patch that waits for nothing */

struct tw_tile {
    double cost[TW_PLANE];
    /* The least cost that came near a patch; around them, patches of the neighbouring tiles. */
    double keys[TW_KEYS * TW_KEYS];
    double lowest; /* key of the tile's own patches */
    /* Cells that nothing relaxes: sources, and those outside the map. */
    uint64_t held[TW_PATCHES * TW_PATCHES];
};

/* What a visit needs to know of a patch. */
struct tw_patch {
    int32_t number;     /* in its tile */
    const float *edges; /* of its first cell in the grid */
    size_t stride;      /* of the grid */
    int32_t rows;       /* from its first row to the map's last, 1 at least */
};

/* Relaxes a patch's values and wakes the patches around it that see a change. Values are the tile's
 * costs; or labels, where the costs are final. */
typedef void tw_visit_fn(struct tw_tile *tile, double *values, const struct tw_patch *at);

tw_visit_fn *tw_tile_relaxation_visit(enum tw_simd simd);

static inline size_t tw_tile_place(int32_t x, int32_t y)
{
    return (size_t)((y + 1) * TW_PITCH + x + TW_START);
}

static inline double *tw_tile_key(struct tw_tile *tile, int32_t patch)
{
    return &tile->keys[(patch / TW_PATCHES + 1) * TW_KEYS + patch % TW_PATCHES + 1];
}

static inline void tw_wake(double *key, double cost) { *key = cost < *key ? cost : *key; }

#endif
