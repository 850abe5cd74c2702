/* SPDX-License-Identifier: MIT */
/* The parameter `side`: the map width for which parameters in cells or passes are meant, so that
 * one recipe keeps its large shapes at any size. The default, auto, takes them as given. */
#ifndef THALWEG_RESOLUTION_H
#define THALWEG_RESOLUTION_H

#include <thalweg/node.h>

#include <math.h>

/* The struct's field is int32_t side; `what` names the parameters. */
#define TW_PARAM_SIDE(S, what)                                                                     \
    TW_PARAM_I32_OR(S, side, "auto", 0, 0, 1, 1 << 20, TW_UNIT_CELLS,                              \
                    "width of the map that " what " meant for; auto: this map's",                  \
                    TW_USUAL(128, 4096))

/* Returns how many times finer this map is; `side` is 0 for auto. */
static inline double tw_resolution_scale(const struct tw_task *task, int32_t side)
{
    return side > 0 ? (double)tw_task_width(task) / side : 1;
}

/* Returns `count` times `factor`, to the nearest; at least 1 unless `count` is 0. */
static inline int32_t tw_resolution_count(int32_t count, double factor)
{
    double scaled = (double)count * factor + 0.5;
    int32_t whole = scaled < (double)INT32_MAX ? (int32_t)scaled : INT32_MAX;
    return whole > 0 || count == 0 ? whole : 1;
}

#endif
