/* SPDX-License-Identifier: MIT */
/* A map in double with columns beyond both ends of its rows, so that loops over neighbours need no
 * cases: those of the other side on a torus; else the ground goes straight on (border.h), also for
 * one row beyond the first and the last. */
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

/* A map of the task's size, contents undefined; fails only when out of memory. */
TW_API enum tw_status tw_padded_init(struct tw_task *task, struct tw_padded *map, int32_t pad,
                                     bool wrap);
/* Cells and columns beyond from the heights times `scale`. */
TW_API void tw_padded_load(struct tw_task *task, const struct tw_padded *map, const float *heights,
                           double scale);
/* The columns beyond of one row, from its cells. */
TW_API void tw_padded_close_row(const struct tw_padded *map, int32_t y);
/* The rows beyond, from closed rows. */
TW_API void tw_padded_close(const struct tw_padded *map);

/* Row y; beyond the border that of the other side, or, at -1 and height, the row beyond. */
static inline const double *tw_padded_row(const struct tw_padded *map, int32_t y)
{
    y = map->wrap ? tw_wrap(y, map->height) : y;
    return map->cells + (ptrdiff_t)y * (ptrdiff_t)map->stride;
}

/* The scratch that it takes. */
static inline void tw_padded_forecast(struct tw_forecast *f, int32_t pad)
{
    tw_forecast_scratch(f, ((uint64_t)f->width + 2 * (uint64_t)pad) * ((uint64_t)f->height + 2),
                        sizeof(double));
}

#ifdef __cplusplus
}
#endif
#endif
