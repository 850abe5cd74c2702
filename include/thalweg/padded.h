/* SPDX-License-Identifier: MIT */
/* A map in double whose rows have extra columns at both ends, so that loops over neighbours need no
 * special cases. On a torus these hold the cells of the opposite side; else the ground continues
 * straight on (border.h), also for one row beyond the first and the last. */
#ifndef THALWEG_PADDED_H
#define THALWEG_PADDED_H

#include <thalweg/border.h>
#include <thalweg/kernel.h>
#include <thalweg/node.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tw_padded {
    double *cells; /* column 0 of row 0; columns -pad to width + pad - 1 exist */
    size_t stride;
    int32_t width, height, pad;
    bool wrap;
};

/* Creates a map of the task's size with undefined contents; fails only when out of memory. */
TW_API enum tw_status tw_padded_init(struct tw_task *task, struct tw_padded *map, int32_t pad,
                                     bool wrap);
/* Fills cells and extra columns from the heights times `scale`. */
TW_API void tw_padded_load(struct tw_task *task, const struct tw_padded *map, const float *heights,
                           double scale);
/* Fills the extra columns of one row from its cells. */
TW_API void tw_padded_close_row(const struct tw_padded *map, int32_t y);
/* Fills the extra rows from rows whose columns are filled. */
TW_API void tw_padded_close(const struct tw_padded *map);

/* Returns row y. Beyond the border: the opposite side's row on a torus, else, at -1 and height, the
 * extra row. */
static inline const double *tw_padded_row(const struct tw_padded *map, int32_t y)
{
    y = map->wrap ? tw_wrap(y, map->height) : y;
    return map->cells + (ptrdiff_t)y * (ptrdiff_t)map->stride;
}

/* Adds the scratch that tw_padded_init() takes. */
static inline void tw_padded_forecast(struct tw_forecast *f, int32_t pad)
{
    tw_forecast_scratch(f, ((uint64_t)f->width + 2 * (uint64_t)pad) * ((uint64_t)f->height + 2),
                        sizeof(double));
}

#ifdef __cplusplus
}
#endif
#endif
