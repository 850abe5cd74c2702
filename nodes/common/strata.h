/* SPDX-License-Identifier: MIT */
/* Layers of rock: a table from the lowest up, which comes again after a period of heights, and the
 * place of a point in it. */
#ifndef TW_NODES_COMMON_STRATA_H
#define TW_NODES_COMMON_STRATA_H

#include <thalweg/kernel.h>
#include <thalweg/node.h>
#include <thalweg/simd.h>

enum { TW_STRATA_MAX = 64 };

/* A row of the table; a colour that is left out is negative. */
struct tw_stratum {
    float thickness, hardness, red, green, blue;
};

extern const struct tw_column tw_strata_columns[];

static inline const struct tw_stratum *tw_strata_rows(const struct tw_table *table)
{
    return (const struct tw_stratum *)table->at;
}

/* For a descriptor's `check`; `name` is the parameter's. */
struct tw_rule tw_strata_check(const char *name, const struct tw_table *table);

/* Writes the top of each layer as a share of all, the last being 1. */
void tw_strata_tops(const struct tw_table *table, float *tops);

/* Returns q, 0..1 from the bottom of the lowest layer to the top of the highest. `bend`, 0.5 for
 * none, lifts the layers by fold (bend - 1/2). */
static TW_INLINE float tw_strata_at(float z, float bend, float fold, float period)
{
    float q = (z - fold * (bend - 0.5f)) / period;
    float rest = fabsf(q) < 0x1p23f ? q - (float)(int32_t)q : 0.0f; /* larger ones are whole */
    return rest < 0 ? rest + 1.0f : rest;
}

#endif
