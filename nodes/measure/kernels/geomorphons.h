/* SPDX-License-Identifier: MIT */
/* Landforms by the directions that are higher and lower: Jasiewicz and Stepinski 2013. */
#ifndef TW_NODES_MEASURE_KERNELS_GEOMORPHONS_H
#define TW_NODES_MEASURE_KERNELS_GEOMORPHONS_H

#include "common/landform.h"
#include "common/shadows/horizon.h"

struct tw_geomorphons {
    struct tw_horizon horizon;
    double sine, cosine;                      /* of the flatness threshold */
    int32_t (*counts)[TW_LANDFORM_COUNT + 1]; /* of each row, by label */
};

/* `radius` in map sides, `flatness` in degrees. */
enum tw_status tw_geomorphons_init(struct tw_task *task, struct tw_geomorphons *g, float radius,
                                   double flatness, bool wrap);
/* Labels of all cells, and the share of each; `scale` turns heights into cells. May be called many
 * times. */
enum tw_status tw_geomorphons_find(struct tw_task *task, struct tw_geomorphons *g,
                                   const float *heights, double scale, int32_t *labels,
                                   double shares[TW_LANDFORM_COUNT + 1]);
/* The scratch that they take. */
void tw_geomorphons_forecast(struct tw_forecast *f, float radius);

#endif
