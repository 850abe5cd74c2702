/* SPDX-License-Identifier: MIT */
/* The hierarchy of a map's depressions (Barnes, Callaghan & Wickert 2020, sections 3.1 to 3.3):
 * each hollow is a leaf, and two that would become one lake above their saddle have a parent. Cells
 * are swept from the lowest to the highest; each joins the depression that it touches.
 *
 * Deviations: one sweep in the order of heights replaces the paper's priority queue and its sorted
 * list of outlets. Cells belong to the leaf of their lowest neighbour that was swept before. */
#ifndef TW_NODES_WATER_KERNELS_DEPRESSIONS_H
#define TW_NODES_WATER_KERNELS_DEPRESSIONS_H

#include "water/kernels/rain.h"

#include <thalweg/scratch.h>

enum { TW_OCEAN = 0 }; /* not a depression; where water ends */

struct tw_depression {
    int64_t rain;     /* on the cells of a leaf, in units */
    int64_t water;    /* that it loses, parts included, where the balance is found */
    float spill;      /* height over which its water leaves */
    float last;       /* height of the last cell */
    float level;      /* of its lake */
    int32_t parent;   /* TW_OCEAN: once full, its water leaves for good */
    int32_t child[2]; /* TW_OCEAN: a leaf */
    int32_t beyond;   /* the leaf to which its overflow goes */
    int32_t pit;      /* its lowest cell */
    int32_t cells;    /* so far; in the end those below the spill height */
    int32_t same;     /* of these, as high as `last` */
    int32_t link;     /* itself, or what joined it: a part's way to the whole */
    int32_t top;      /* the depression whose lake it takes part in; TW_OCEAN: none */
    int32_t lake;     /* of the connected lakes, that over this depression */
};

struct tw_depressions {
    int32_t width, height;
    bool wrap;
    const float *heights;
    const uint8_t *outlet;
    struct tw_rain rain;
    uint64_t *words[2];
    const int32_t *order; /* cells from the lowest */
    int32_t *leaf;        /* of each cell */
    int32_t *home;        /* the smallest depression that the cell is in, or TW_OCEAN */
    struct tw_depression *at;
    int32_t step[8]; /* index distance to the neighbours of an inner cell */
    int32_t count;   /* the ocean included; parents come after their children */
};

/* Takes about 20 bytes a cell; false without memory. */
bool tw_depressions_lay_out(struct tw_scratch *s, struct tw_depressions *d);
/* Finds the hierarchy; the caller has set all fields up to `rain`. At most 2^28 cells, of which at
 * least one is an outlet. */
enum tw_status tw_depressions_find(struct tw_task *task, struct tw_depressions *d);

/* Follows links, and shortens the way for the next search. */
static inline int32_t tw_depressions_end(struct tw_depressions *d, int32_t node)
{
    struct tw_depression *at = d->at;
    while (at[node].link != node)
        node = at[node].link = at[at[node].link].link;
    return node;
}

#endif
