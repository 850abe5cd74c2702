/* SPDX-License-Identifier: MIT */
/* Feature curves as constraints on cells (Weiss 2015, chapter V): Hermite interpolation of the
 * control points and the bands around the curves. */
#ifndef TW_NODES_FEATURE_KERNELS_CURVE_CONSTRAINTS_H
#define TW_NODES_FEATURE_KERNELS_CURVE_CONSTRAINTS_H

#include <thalweg/node.h>

enum tw_curve_band {
    TW_CURVE_BAND_PLATEAU,
    TW_CURVE_BAND_SLOPE,
    TW_CURVE_BAND_ENVELOPE,
    TW_CURVE_BAND_NONE
};

/* What an angle means: how far it leads up over a way of 1 in the plane, or along the slope. */
enum tw_curve_rise { TW_CURVE_RISE_TANGENT, TW_CURVE_RISE_SINE };

/* What the curves demand of one cell. */
struct tw_constraint {
    float value;  /* plateau: the height E; slope: its rise, see tw_curve_rise; else 0 */
    float weight; /* plateau: share of its points that constrain the elevation, 0..1; else 1 */
    float nx, ny; /* slope: unit vector away from the curve */
    enum tw_curve_band band;
};

/* Cells of the task's map, row after row, for the curves that are inputs `first` and on. */
enum tw_status tw_curve_constraints_fill(struct tw_task *task, int first, enum tw_curve_rise rise,
                                         struct tw_constraint *cells);

/* The scratch that it takes for the controls of the inputs from `first` on. */
void tw_curve_constraints_forecast(struct tw_forecast *f, int first);

#endif
