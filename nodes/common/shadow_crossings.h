/* SPDX-License-Identifier: MIT */
/* Where the rays of a block of cells cross lines between cell centres: which of them the terrain
 * blocks there. For shadows.c only. */
#ifndef TW_NODES_COMMON_SHADOW_CROSSINGS_H
#define TW_NODES_COMMON_SHADOW_CROSSINGS_H

#include <thalweg/node.h>

#include <stdbool.h>

enum { TW_SHADOW_BLOCK = 16, TW_SHADOW_STEPS = 8 };
#define TW_SHADOW_NOTHING_LIT 1e300

struct tw_shadow_march {
    const float *heights;
    double scale; /* of heights to cells */
    int32_t width, height;
    double x, y; /* unit vector towards the light */
    double rise; /* of the ray per cell */
    double rise_in_heights;
    double highest; /* of all heights, in cells */
    /* How far the terrain is above a ray, in heights, as floats have it: above the first the ray is
     * surely blocked, at the second or below surely not. Between them doubles decide, and always
     * where floats might overflow, which the first says by being infinite. */
    float blocked, clear;
    enum tw_simd simd;
};

struct tw_shadow_block {
    int32_t x, y, across, down;  /* first cell, cells */
    double lowest;               /* of rows, in cells */
    double low[TW_SHADOW_BLOCK]; /* of a row's cells that are lit so far, or ..NOTHING_LIT */
    int32_t dark[TW_SHADOW_BLOCK][TW_SHADOW_BLOCK]; /* 0: lit; -1: dark */
};

/* Crossings of rays with columns (or with rows). */
struct tw_shadow_way {
    bool columns;
    int32_t sign;  /* from column to column */
    double length; /* of the ray per crossing */
    double across; /* along the column, per length */
};

/* Sets `rise_in_heights`, `blocked` and `clear`, for cells whose heights are at most `largest` from
 * 0. */
void tw_shadow_set_bounds(struct tw_shadow_march *m, float largest);

/* Marks the block's cells that are dark because of steps k to before `end`, TW_SHADOW_STEPS at
 * most, and updates `low` and `lowest`. No terrain there is higher than `top`. */
void tw_shadow_cross(const struct tw_shadow_march *m, const struct tw_shadow_way *way,
                     struct tw_shadow_block *b, int32_t k, int32_t end, double top);

#endif
