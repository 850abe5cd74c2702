/* SPDX-License-Identifier: MIT */
/* Where the rays of a packet of cells cross lines between cell centres: which of them the terrain
 * hides there. For shadows.c only. */
#ifndef TW_NODES_COMMON_SHADOWS_CROSSINGS_H
#define TW_NODES_COMMON_SHADOWS_CROSSINGS_H

#include <thalweg/node.h>

#include <stdbool.h>

enum { TW_SHADOW_PACKET = 16, TW_SHADOW_STEPS = 8 };
#define TW_SHADOW_NOTHING_LIT 1e300

struct tw_shadow_march {
    const float *heights;
    double scale; /* of heights to cells */
    int32_t width, height;
    double x, y; /* unit vector towards the light */
    double rise; /* of the ray per cell */
    double rise_in_heights;
    double highest; /* of all heights, in cells */
    /* Bounds in heights on how far the terrain, computed in floats, is above a ray: above the first
     * the ray is surely blocked, at the second or below it surely is not. Between them doubles
     * decide. The first is infinite where floats might overflow, so that doubles always decide. */
    float blocked, clear;
    enum tw_simd simd;
};

struct tw_shadow_packet {
    int32_t x, y, across, down;  /* first cell, cells */
    double lowest;               /* of all cells that are lit so far, in cells, or ..NOTHING_LIT */
    float low[TW_SHADOW_PACKET]; /* of a row's cells that are lit so far, or infinity */
    /* Heights where rays start; infinity where the ray is blocked, or where the map has no cell. */
    _Alignas(64) float from[TW_SHADOW_PACKET][TW_SHADOW_PACKET];
};

/* Crossings of rays with columns (or with rows). */
struct tw_shadow_way {
    bool columns;
    int32_t sign;  /* from column to column */
    double length; /* of the ray per crossing */
    double across; /* along the column, per length */
    /* Light comes from between two axes: a ray crosses columns and rows at the same centres, but
     * for rounding, so only this way is computed. */
    bool diagonal;
};

/* Sets `rise_in_heights`, `blocked` and `clear`, for cells whose heights are at most `largest` from
 * 0. */
void tw_shadow_set_bounds(struct tw_shadow_march *m, float largest);

/* Starts the rays of PACKET cells each way from (x, y), or as many as the map has. */
void tw_shadow_start(const struct tw_shadow_march *m, struct tw_shadow_packet *b, int32_t x,
                     int32_t y);

/* Marks the packet's cells that are dark because of steps k to before `end`, TW_SHADOW_STEPS at
 * most, and updates `low` and `lowest`. No terrain there is higher than `top`. */
void tw_shadow_cross(const struct tw_shadow_march *m, const struct tw_shadow_way *way,
                     struct tw_shadow_packet *b, int32_t k, int32_t end, double top);

#endif
