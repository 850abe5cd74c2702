/* SPDX-License-Identifier: MIT */
/* What nine numbers are on real mountains: 13 ranges from the Himalaya to the Highlands of the
 * repository oargudo/orometry-terrains (Argudo et al. 2019), whose heights come from SRTM-3 as
 * corrected by J. de Ferranti. Percentiles over 155 overlapping windows of 256 and 384 cells of
 * 90 m, and over 48 of 180 m; a range's windows are not independent, the effective number is nearer
 * to 13. Without deserts and karst. measure.realism judges by these, reports draw them. */
#ifndef THALWEG_REALISM_H
#define THALWEG_REALISM_H

#include <thalweg/node.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tw_realism_number {
    TW_REALISM_HOLLOWS,
    TW_REALISM_UPSIDE,
    TW_REALISM_THETA,
    TW_REALISM_SCATTER,
    TW_REALISM_BRANCHING,
    TW_REALISM_CRESTS,
    TW_REALISM_FINE,
    TW_REALISM_STEEP,
    TW_REALISM_PROMINENCE,
    TW_REALISM_COUNT
};

struct tw_realism_band {
    const char *name; /* of the number in the record */
    double p5, p50, p95;
};

enum { TW_REALISM_SIDE_MIN = 128 }; /* in reference cells */

/* By number; `cell_m` is the side of a reference cell, 0 for unknown, which counts as 90 m. */
TW_API const struct tw_realism_band *tw_realism_bands(double cell_m);

/* How many of the map's cells a reference cell has along each side; `cell_m` is the side of one of
 * the map's cells, 0 for unknown. */
TW_API int32_t tw_realism_factor(int32_t width, int32_t height, double cell_m);

/* -1 below the band, 1 above, 0 inside. */
TW_API int tw_realism_verdict(const struct tw_realism_band *band, double number);
/* Where the band has -1 at p5, 0 at p50 and 1 at p95: straight on either side of the median. */
TW_API double tw_realism_place(const struct tw_realism_band *band, double number);

#ifdef __cplusplus
}
#endif
#endif
