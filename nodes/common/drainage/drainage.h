/* SPDX-License-Identifier: MIT */
/* Where water runs: D8 receivers out of every depression, an order in which receivers come before
 * their donors. Outlets are the cells of the map's border unless drainage_outlets.h sets others; a
 * map one or two cells wide is all border.
 *
 * On slopes the receiver is the steepest of eight neighbours (O'Callaghan and Mark 1984). Every
 * cell without a lower neighbour heads a basin. Basins are joined to the border by priority-flood
 * (Barnes, Lehman, Mulla 2014), applied to basins instead of cells: from the border inwards, always
 * over the lowest open pass, which fills to the same levels. The course from the pass down to the
 * basin's bottom is then reversed, so that water runs along the bed to the pass (Cordonnier, Bovy,
 * Braun 2019). Linear in cells, n log n in basins; one thread where the order matters.
 * Ties: of equally high passes the one whose lower cell is lowest, so that ways turn with the map
 * where no heights are equal. Then, and of equally steep neighbours, the one of least index or
 * found first, so flats are crossed by the shortest way. */
#ifndef TW_NODES_COMMON_DRAINAGE_DRAINAGE_H
#define TW_NODES_COMMON_DRAINAGE_DRAINAGE_H

#include <thalweg/node.h>

enum { TW_OUTLET = 8 }; /* directions 0..7 are NW N NE W E SW S SE; 7 - k is opposite to k */

/* Of each direction, as bits, those whose cell touches the cell in that direction. */
enum {
    TW_BESIDE_NW = 0x0A,
    TW_BESIDE_N = 0x1D,
    TW_BESIDE_NE = 0x12,
    TW_BESIDE_W = 0x63,
    TW_BESIDE_E = 0xC6,
    TW_BESIDE_SW = 0x48,
    TW_BESIDE_S = 0xB8,
    TW_BESIDE_SE = 0x50
};

struct tw_drainage {
    int32_t width, height, cells;
    int32_t step[8];       /* index distance to the neighbour in direction k, inside the map */
    const uint8_t *outlet; /* nonzero: an outlet; NULL: the border's cells are the outlets */
    uint8_t *rim;          /* 1 on the border; NULL: neighbours of border cells do not matter */
    bool wrap;             /* opposite borders meet; with `rim` only */
    uint8_t *to;           /* direction of the receiver, or TW_OUTLET */
    uint8_t *from;         /* bit k: the neighbour in direction k drains here */
    int32_t *order;        /* all cells, receivers before donors, tree by tree */
    int32_t *grove; /* where some whole trees begin in `order`; last its end: groves + 1 entries */
    int32_t groves;
    /* basins of the unfilled map: 0 drains to the border, the others to a pit */
    int32_t *label;
    uint8_t *edge;            /* bit k: the neighbour in direction k is in another basin */
    int32_t basins, capacity; /* number of basins, and how many there is memory for */
    int32_t *start;           /* where a basin begins in `order`, until its final order is set */
    float *level;             /* height of the lowest outlet */
    int32_t *entry;           /* the basin's cell at the best pass known */
    uint8_t *exit;            /* direction from there to the other side */
    int32_t *place;           /* position in the heap; -1: not there yet, -2: joined */
    uint64_t *keys;           /* heap: pass height, then order of discovery */
    int32_t *queued;          /* heap: the basin */
    int32_t length;           /* of the heap: entries */
    uint32_t finds;
};

/* Allocates about 11 bytes per cell and more for basins; tw_drainage_route may then be called many
 * times. */
enum tw_status tw_drainage_init(struct tw_task *task, struct tw_drainage *d);
/* The neighbour of a border cell in direction k, or -1 if there is none. */
int32_t tw_drainage_rim_neighbour(const struct tw_drainage *d, int32_t cell, int k);
/* Fills `to` and `from` for these heights, and what tw_drainage_fill() needs; no order. */
enum tw_status tw_drainage_receivers(struct tw_task *task, struct tw_drainage *d,
                                     const float *heights);
/* Fills `to`, `from`, `order` and `grove` for these heights. */
enum tw_status tw_drainage_route(struct tw_task *task, struct tw_drainage *d, const float *heights);
/* Computes only `label` and what tw_drainage_fill() needs, in half the time. */
enum tw_status tw_drainage_levels(struct tw_task *task, struct tw_drainage *d,
                                  const float *heights);
/* Fills `from` by `to`, which the caller has set. */
void tw_drainage_donors(struct tw_task *task, struct tw_drainage *d);
/* Height to which water stands after the last route: the least surface above `heights` without
 * depressions. May be given filled == heights. */
void tw_drainage_fill(struct tw_task *task, const struct tw_drainage *d, const float *heights,
                      float *filled);

/* The neighbour in direction k, or -1 where there is none; without `rim` only inner cells have all
 * of theirs. */
static inline int32_t tw_drainage_neighbour(const struct tw_drainage *d, int32_t cell, int k)
{
    return d->rim && d->rim[cell] ? tw_drainage_rim_neighbour(d, cell, k) : cell + d->step[k];
}

/* The step from one border cell of row y to the next; columns x, from 0 on. */
static inline int32_t tw_drainage_rim_step(const struct tw_drainage *d, int32_t y)
{
    return y > 0 && y < d->height - 1 && d->width > 2 ? d->width - 1 : 1;
}

/* What tw_drainage_init() and routes over natural land take. */
void tw_drainage_forecast(struct tw_forecast *f);

#endif
