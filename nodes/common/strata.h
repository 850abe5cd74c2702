/* SPDX-License-Identifier: MIT */
/* Layers of rock that repeat with height and may be bent and tilted: the rows that recipes give,
 * random layers, and which layer lies at a place. */
#ifndef TW_NODES_COMMON_STRATA_H
#define TW_NODES_COMMON_STRATA_H

#include <thalweg/node.h>

#include <stdint.h>

#define TW_STRATA_MAX 64 /* layers of one table */

/* A row of the table `layers`, in the order of TW_STRATA_COLUMNS. */
struct tw_stratum {
    float thickness; /* share of the period, over the sum of all rows' */
    float hardness;
    float red, green, blue; /* 0..255 */
};

/* The columns of a table of layers, from below up; ends the array. */
#define TW_STRATA_COLUMNS                                                                          \
    {"thickness", 1, 1e-3, 1e6, false, "", "of the layer, beside the other rows'"},                \
        {"hardness", 0.5, 0, 1, false, "", "1: nothing wears it"},                                 \
        {"red", 176, 0, 255, false, "", "0 to 255, of the layer's rock"},                          \
        {"green", 132, 0, 255, false, "", "0 to 255"},                                             \
        {"blue", 98, 0, 255, false, "", "0 to 255"}, TW_COLUMN_END

/* Layers from below up; layer i lies at shares top[i] to top[i + 1] of the period. */
struct tw_strata {
    int32_t count;
    double top[TW_STRATA_MAX + 1]; /* 0 to 1 */
    struct tw_stratum at[TW_STRATA_MAX];
};

/* How layers lie: q = frac((z - fold (bend - 1/2) - rise_x x - rise_y y) / period), where x and y
 * are map sides from the north-west corner. */
struct tw_strata_course {
    double period, fold;
    double rise_x, rise_y; /* heights per map side by which layers rise to the east and south */
};

/* Returns the course of layers that rise by `dip` per map side towards an azimuth in degrees. */
struct tw_strata_course tw_strata_course(double period, double fold, double dip, double azimuth);

/* Returns the share of the period, 0 <= q < 1, that a place lies at. */
static inline double tw_strata_share(const struct tw_strata_course *course, double z, double bend,
                                     double x, double y)
{
    double lift = course->fold * (bend - 0.5) + course->rise_x * x + course->rise_y * y;
    double turns = (z - lift) / course->period;
    turns = turns > -0x1p52 ? turns < 0x1p52 ? turns : 0x1p52 : -0x1p52; /* beyond: no fraction */
    double q = turns - (double)(int64_t)turns;
    q = q < 0 ? q + 1 : q;
    return q < 1 ? q : 0;
}

/* Reads 1 to TW_STRATA_MAX rows of a table with these columns. */
void tw_strata_read(const struct tw_table *table, struct tw_strata *strata);
/* Draws `count` layers: thicknesses of log-normal spread 0.9; hard, 0.6..1, and soft, 0.15..0.45,
 * in turn from below. Colours are the columns' defaults. */
void tw_strata_draw(uint64_t seed, int32_t count, struct tw_strata *strata);
/* Returns the layer at a share of the period. */
int32_t tw_strata_find(const struct tw_strata *strata, double q);
/* Returns the hardness there. About each border between two layers it passes smoothly from one to
 * the other, over half of `blend` times the thickness on either side. */
double tw_strata_hardness(const struct tw_strata *strata, double q, double blend);

#endif
