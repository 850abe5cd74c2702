/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include <stddef.h>

/* pipes: dt is small enough that a step stays one at 1024 cells a side. */
const struct bench_row bench_rivers[] = {
    {"shape.fill_depressions", "{type: shape.fill_depressions, in: in}", 1, NULL},
    {"water.lakes", "{type: water.lakes, in: in, evaporation: 10}", 1, NULL},
    {"water.rivers", "{type: water.rivers, in: in}", 1, NULL},
    {"measure.flow d8", "{type: measure.flow, in: in}", 1, NULL},
    {"measure.flow mfd", "{type: measure.flow, in: in, method: mfd}", 1, NULL},
    {"erosion.stream_power", "{type: erosion.stream_power, in: in, steps: 20}", 20, NULL},
    {"erosion.analytical", "{type: erosion.analytical, in: in}", 1, NULL},
    {"erosion.creep", "{type: erosion.creep, in: in, dt: 1e-6, steps: 50}", 50, NULL},
    {"erosion.creep nonlinear",
     "{type: erosion.creep, in: in, dt: 1e-6, steps: 50, nonlinear: true}", 50, NULL},
    {"erosion.pipes", "{type: erosion.pipes, in: in, dt: 0.0001, steps: 50}", 50, NULL},
    {NULL, NULL, 0, NULL},
};
