/* SPDX-License-Identifier: MIT */
/* What nine numbers are on real mountains: 13 ranges from the Himalaya to the Highlands of the
 * repository oargudo/orometry-terrains (Argudo et al. 2019), whose heights come from SRTM-3 as
 * corrected by J. de Ferranti. Percentiles over 155 overlapping windows of 256 and 384 cells of
 * 90 m, and over 48 of 180 m; a range's windows are not independent, the effective number is nearer
 * to 13. Without deserts and karst. */
#ifndef TW_NODES_MEASURE_KERNELS_REALISM_BANDS_H
#define TW_NODES_MEASURE_KERNELS_REALISM_BANDS_H

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
    double p5, p50, p95;
};

/* By number; `cell_m` is the side of a reference cell, 0 for unknown, which counts as 90 m. */
const struct tw_realism_band *tw_realism_bands(double cell_m);

/* -1 below the band, 1 above, 0 inside. */
int tw_realism_verdict(const struct tw_realism_band *band, double number);
/* From the median, as a share of the band's half on that side. */
double tw_realism_distance(const struct tw_realism_band *band, double number);

#endif
