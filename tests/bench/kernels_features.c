/* SPDX-License-Identifier: MIT */
/* Terrain from distances, curves and shadows. Peers of the first two: bench/peers. */
#include "bench/bench.h"

#include <stddef.h>

#define PEAKS "peaks: {type: feature.points, count: 100, cost: [5, 30]}\n"
#define PROFILE "slope: {type: feature.profile, points: [[0, 1], [20, 0.4], [80, 0]]}\n"

/* Two ridges and a valley, whose envelopes hold most of the map. */
#define CURVES                                                                                     \
    "curves:\n"                                                                                    \
    "  type: feature.curve\n"                                                                      \
    "  points:\n"                                                                                  \
    "    - [0, 0.1, 0.2, 0.9, 0.01, 0.04, -40, 0.05, -30, 0.3, 0.3]\n"                             \
    "    - [0, 0.5, 0.3, 0.7, 0.01, 0.04, -40, 0.05, -30, 0.3, 0.3]\n"                             \
    "    - [0, 0.9, 0.1, 0.8, 0.01, 0.04, -40, 0.05, -30, 0.3, 0.3]\n"                             \
    "    - [1, 0.2, 0.9, 0.8, 0.02, 0.05, -30, 0.03, -50, 0.2, 0.3]\n"                             \
    "    - [1, 0.6, 0.6, 0.6, 0.02, 0.05, -30, 0.03, -50, 0.3, 0.2]\n"                             \
    "    - [2, 0.7, 0.9, 0.1, 0.02, 0.03, 20, 0.03, 20, 0.2, 0.2]\n"                               \
    "    - [2, 0.8, 0.5, 0.2, 0.02, 0.03, 20, 0.03, 20, 0.2, 0.2]\n"

/* distance: no sea and features that end at once leave C_a; with side the land is the same at any
 * size. */
const struct bench_row bench_features[] = {
    {"feature.distance, C_a alone",
     "{type: feature.distance, generators: peaks, sea_level: 30000, stop: 1000000}", 1, NULL,
     PEAKS},
    {"feature.distance, C_a, a profile",
     "{type: feature.distance, generators: peaks, profiles: [slope], sea_level: 100, stop: "
     "1000000}",
     1, NULL, PEAKS PROFILE},
    {"feature.distance, 100 features", "{type: feature.distance, generators: peaks, side: 512}", 1,
     NULL, PEAKS},
    {"feature.distance, 100 features, a profile",
     "{type: feature.distance, generators: peaks, profiles: [slope], side: 512}", 1, NULL,
     PEAKS PROFILE},
    {"feature.ridges, 100 targets", "{type: feature.ridges, generators: peaks, targets: ends}", 1,
     NULL, PEAKS "ends: {type: feature.points, count: 100, cost: [30, 60]}\n"},
    {"feature.diffusion, local", "{type: feature.diffusion, in: in, curves: curves}", 1, NULL,
     BENCH_TERRAIN CURVES},
    {"feature.diffusion, relative",
     "{type: feature.diffusion, in: in, curves: curves, mode: relative}", 1, NULL,
     BENCH_TERRAIN CURVES},
    {"feature.shadow", "{type: feature.shadow, in: base, image: spots}", 1, NULL,
     "base: {type: source.constant, value: 0.1}\n"
     "cells: {type: voronoi.cells}\n"
     "spots: {type: voronoi.domain, domain: cells.domain, values: binary}\n"},
    {NULL, NULL, 0, NULL},
};
