/* SPDX-License-Identifier: MIT */
/* Square patches of a coarse map that overlap by half or more, and where they lie on a fine map. On
 * a torus they run on over the border. */
#ifndef TW_NODES_SHAPE_KERNELS_PATCHES_H
#define TW_NODES_SHAPE_KERNELS_PATCHES_H

#include "common/regrid.h"

/* A patch measures SIDE cells of the coarse map; those to be filled lie STEP apart. */
enum { TW_PATCH_SIDE = 8, TW_PATCH_STEP = 4, TW_PATCH_CELLS = TW_PATCH_SIDE * TW_PATCH_SIDE };

struct tw_patch_map {
    int32_t width, height; /* at least SIDE */
    int32_t fine_width, fine_height;
    bool wrap;
};

/* Columns and rows of patches, `spacing` apart. The last one ends at the border; on a torus those
 * that are to cover the map begin before it, too. */
struct tw_patches {
    struct tw_patch_map map;
    int32_t spacing, first; /* first: where the first begins */
    int32_t across, down;
};

/* `covers`: they are to cover a map, not to be a dictionary. */
struct tw_patches tw_patches_of(struct tw_patch_map map, int32_t spacing, bool covers);
/* The least spacing, which divides STEP, of a dictionary that is quick to search. */
int32_t tw_patches_spacing(struct tw_patch_map map);
static inline int32_t tw_patches_count(const struct tw_patches *p) { return p->across * p->down; }

/* Reads a patch of a coarse map, less its mean, and returns its sum of squares. */
double tw_patches_read(const struct tw_patches *p, int32_t index, const float *coarse,
                       double *patch);
/* Which patch of the dictionary lies where `index` of `p` does. */
int32_t tw_patches_find(const struct tw_patches *dictionary, const struct tw_patches *p,
                        int32_t index);

/* Columns, or rows, of patches that cover the fine column, or row, i. */
struct tw_patch_span {
    int32_t begin, end;
};
struct tw_patch_span tw_patches_over(const struct tw_patches *p, int32_t i, bool column);

/* The fine cell of an atom that comes to (x, y) if the atom is laid on patch (u, v), and its
 * weight, 0 outside. */
struct tw_patch_spot {
    size_t cell;
    double weight;
};
struct tw_patch_spot tw_patches_place(const struct tw_patches *p, int32_t u, int32_t v,
                                      const struct tw_patches *dictionary, int32_t atom, int32_t x,
                                      int32_t y);

#endif
