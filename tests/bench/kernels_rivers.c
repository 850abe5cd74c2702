/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include <stddef.h>

#define WAY                                                                                        \
    BENCH_TERRAIN                                                                                  \
    "way: {type: path.line, interpolation: smooth, ground: in, "                                   \
    "points: [[0, 0.1, 0.2, 0, 0.01], [0, 0.5, 0.3], [0, 0.4, 0.7], [0, 0.9, 0.8]]}\n"
#define HILL BENCH_TERRAIN "hill: {type: mask.shape, falloff: 0.5}\n"

/* pipes: dt is small enough that a step stays one at 1024 cells a side. */
const struct bench_row bench_rivers[] = {
    {"shape.fill_depressions", "{type: shape.fill_depressions, in: in}", 1, NULL},
    {"water.lakes", "{type: water.lakes, in: in, evaporation: 10}", 1, NULL},
    {"water.rivers", "{type: water.rivers, in: in}", 1, NULL},
    {"path.meander", "{type: path.meander, lines: way, ground: in}", 1, NULL, WAY},
    {"path.carve", "{type: path.carve, in: in, lines: [way]}", 1, NULL, WAY},
    {"path.carve road", "{type: path.carve, in: in, lines: [way], kind: road}", 1, NULL, WAY},
    {"source.stamp",
     "{type: source.stamp, in: in, stamp: hill, points: [[0.3, 0.4, 0.5], [0.8, 0.7, 0.2]]}", 1,
     NULL, HILL},
    {"measure.flow d8", "{type: measure.flow, in: in}", 1, NULL},
    {"measure.flow mfd", "{type: measure.flow, in: in, method: mfd}", 1, NULL},
    {"erosion.stream_power", "{type: erosion.stream_power, in: in, steps: 20}", 20, NULL},
    {"erosion.coast", "{type: erosion.coast, in: in, level: 0.4}", 1, NULL},
    {"erosion.analytical", "{type: erosion.analytical, in: in}", 1, NULL},
    {"erosion.creep", "{type: erosion.creep, in: in, dt: 1e-6, steps: 50}", 50, NULL},
    {"erosion.creep nonlinear",
     "{type: erosion.creep, in: in, dt: 1e-6, steps: 50, nonlinear: true}", 50, NULL},
    {"erosion.pipes", "{type: erosion.pipes, in: in, dt: 0.0001, steps: 50}", 50, NULL},
    {NULL, NULL, 0, NULL},
};
