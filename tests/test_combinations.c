/* SPDX-License-Identifier: MIT */
/* Nodes with several settings that reach some code only in combination: lists and tables at their
 * limits, inputs that few graphs connect, and invalid settings with their errors, in
 * tests/golden/combinations.txt. Lines may change only with the node's version
 * (THALWEG_UPDATE_GOLDEN=1 rewrites them). */
#include "support/golden.h"
#include "support/outcome.h"

#include "node/registry.h"

#define LAND                                                                                       \
    "spare: {type: noise.perlin, frequency: 3}\n"                                                  \
    "land: {type: combine.formula, a: spare, formula: a - 0.4}\n"
#define RAMP "ramp: [[-1, 10, 20, 30], [0, 200, 100, 50], [0, 20, 240, 60], [1, 255, 255, 0]]"
#define HALF "half: {type: mask.height, in: land, low: 0.05, high: 0.15, softness: 0.1}\n"
#define SCENE "size: [48, 36], mode: scene, "
#define POINTS "from: {type: feature.points, points: [[0, 0, 5], [1, 1, 7, 1], [0.5, 0.5, 9, 2]]}\n"

static const struct {
    const char *type, *name, *nodes;
    int32_t width, height; /* 0: 29 x 22 */
} rows[] = {
    /* ---- erosion: hard ground, masks and closed borders together, few rows and columns ---- */
    {"erosion.creep", "a wide apron and hard ground",
     LAND HALF
     "out: {type: erosion.creep, in: land, hardness: half, border: closed, diffusivity: 0.05}\n",
     0, 0},
    {"erosion.creep", "a wide apron and hard ground, nonlinear",
     LAND HALF "out: {type: erosion.creep, in: land, hardness: half, border: closed, diffusivity: "
               "0.02, nonlinear: true, critical: 2}\n",
     0, 0},
    {"erosion.creep", "a wide apron on two rows",
     LAND HALF "out: {type: erosion.creep, in: land, hardness: half, mask: half, border: closed, "
               "diffusivity: 0.05}\n",
     30, 2},
    {"erosion.creep", "a wide apron on two columns",
     LAND HALF
     "out: {type: erosion.creep, in: land, hardness: half, border: closed, diffusivity: 0.05}\n",
     2, 30},
    {"erosion.creep", "a wide apron on a row",
     LAND "out: {type: erosion.creep, in: land, border: closed, diffusivity: 0.05}\n", 30, 1},
    {"erosion.creep", "on a torus",
     LAND HALF "out: {type: erosion.creep, in: land, hardness: half, border: wrap, diffusivity: "
               "0.05, nonlinear: true}\n",
     0, 0},
    {"erosion.droplets", "a grid of few rows",
     LAND HALF "out: {type: erosion.droplets, in: land, hardness: half, rain_map: half, side: 8}\n",
     40, 3},
    {"erosion.droplets", "levels on few rows",
     LAND HALF "out: {type: erosion.droplets, in: land, hardness: half, mask: half, levels: 3}\n",
     40, 3},
    {"erosion.droplets", "levels of a coarse grid",
     LAND HALF "out: {type: erosion.droplets, in: land, hardness: half, rain_map: half, mask: "
               "half, levels: 2, side: 16}\n",
     0, 0},
    {"erosion.hydraulic", "all inputs in a closed world",
     LAND HALF "out: {type: erosion.hydraulic, in: land, hardness: half, rain_map: half, mask: "
               "half, border: closed, iterations: 30}\n",
     0, 0},
    {"erosion.hydraulic", "all inputs on a torus",
     LAND HALF "out: {type: erosion.hydraulic, in: land, hardness: half, rain_map: half, mask: "
               "half, border: wrap, iterations: 30}\n",
     0, 0},
    {"erosion.hydraulic_fast", "a mask in a closed world",
     LAND HALF
     "out: {type: erosion.hydraulic_fast, in: land, mask: half, border: closed, iterations: 30}\n",
     70, 50},
    {"erosion.hydraulic_fast", "a mask on a torus",
     LAND HALF
     "out: {type: erosion.hydraulic_fast, in: land, mask: half, border: wrap, iterations: 30}\n",
     70, 50},
    {"erosion.olsen", "a mask on a torus",
     LAND HALF "out: {type: erosion.olsen, in: land, mask: half, border: wrap, iterations: 20}\n",
     70, 50},
    {"erosion.thermal_fast", "a mask on a torus",
     LAND HALF
     "out: {type: erosion.thermal_fast, in: land, mask: half, border: wrap, iterations: 20}\n",
     70, 50},
    {"erosion.thermal", "a mask in a closed world",
     LAND HALF "out: {type: erosion.thermal, in: land, mask: half, border: closed, iterations: 20, "
               "talus: 1}\n",
     0, 0},
    {"erosion.pipes", "rain by a map, closed",
     LAND HALF "out: {type: erosion.pipes, in: land, rain_map: half, border: closed, steps: 40}\n",
     0, 0},
    {"erosion.pipes", "rain by a map, open",
     LAND HALF
     "out: {type: erosion.pipes, in: land, rain_map: half, border: open, steps: 40, friction: 0}\n",
     0, 0},
    {"erosion.gradient", "rain once",
     LAND HALF "out: {type: erosion.gradient, in: land, mask: half, rain_period: 1000, steps: 40, "
               "evaporation: 1}\n",
     0, 0},
    {"erosion.analytical", "outlets within, sinking land",
     LAND HALF "out: {type: erosion.analytical, in: land, uplift: half, outlets: half, "
               "hardness: half, uplift_rate: -2, passes: 7}\n",
     0, 0},
    {"erosion.analytical", "two rows, a low border",
     LAND "out: {type: erosion.analytical, in: land, border: low, hillslope: 0.01, m: 0}\n", 30, 2},
    {"erosion.stream_power", "outlets within, sinking land",
     LAND HALF "out: {type: erosion.stream_power, in: land, uplift: half, outlets: half, "
               "uplift_rate: -2, n: 1, steps: 5}\n",
     0, 0},
    {"erosion.stream_power", "without diffusion on a torus",
     LAND "out: {type: erosion.stream_power, in: land, diffusion: 0, talus: 0, n: 2, border: wrap, "
          "steps: 5}\n",
     0, 0},
    {"erosion.stream_power", "without erosion",
     LAND "out: {type: erosion.stream_power, in: land, K: 0, n: 0.5, m: 0, steps: 5}\n", 0, 0},
    {"erosion.stream_power", "two rows",
     LAND "out: {type: erosion.stream_power, in: land, diffusion: 0.1, steps: 5}\n", 30, 2},
    {"erosion.stream_power", "two columns, a fixed border",
     LAND "out: {type: erosion.stream_power, in: land, diffusion: 0.1, steps: 5, border: fixed}\n",
     2, 30},
    {"erosion.stream_power", "a low border",
     LAND "out: {type: erosion.stream_power, in: land, steps: 5, border: low}\n", 0, 0},
    {"erosion.stream_power", "a free border",
     LAND "out: {type: erosion.stream_power, in: land, steps: 5, border: free, channel: 1}\n", 0,
     0},
    /* ---- paths, lakes, layers: few rows and columns, masks that hold all or nothing ---- */
    {"erosion.coast", "hard ground and a mask on a torus",
     LAND HALF
     "out: {type: erosion.coast, in: land, hardness: half, mask: half, level: 0, retreat: 0.2, "
     "border: wrap}\n",
     0, 0},
    {"erosion.coast", "all sea", LAND "out: {type: erosion.coast, in: land, level: 9}\n", 0, 0},
    {"erosion.coast", "two rows",
     LAND "out: {type: erosion.coast, in: land, level: 0.1, border: closed}\n", 30, 2},
    {"path.carve", "a river over the border of a torus",
     LAND "way: {type: path.line, ground: land, points: [[0, 0.7, 0.2, 0, 0.1], [0, 1.3, 0.5]]}\n"
          "out: {type: path.carve, in: land, lines: [way], border: wrap}\n",
     0, 0},
    {"path.carve", "a road under a mask, on two rows",
     LAND HALF "way: {type: path.line, points: [[0, 0.1, 0.2, 0.2, 0.1], [0, 0.9, 0.8]]}\n"
               "out: {type: path.carve, in: land, mask: half, lines: [way], kind: road}\n",
     30, 2},
    {"path.carve", "a cut of two lists",
     LAND "way: {type: path.line, points: [[0, 0.1, 0.2, 0.2, 0.1], [0, 0.9, 0.8]]}\n"
          "out: {type: path.carve, in: land, lines: [way, way], kind: cut}\n",
     0, 0},
    {"path.meander", "a river that is held",
     LAND "way: {type: path.line, points: [[0, 0.1, 0.2, 0.2, 0.1], [0, 0.9, 0.8]]}\n"
          "all: {type: mask.height, in: land, low: -9, high: 9}\n"
          "out: {type: path.meander, lines: way, hold: all, age: 20}\n",
     0, 0},
    {"path.road", "no way through",
     LAND "ends: {type: feature.points, points: [[0.2, 0.2], [0.8, 0.7]]}\n"
          "all: {type: mask.height, in: land, low: -9, high: 9}\n"
          "out: {type: path.road, in: land, via: ends, forbid: all}\n",
     0, 0},
    {"water.lakes", "rain by a map, a sea, evaporation",
     LAND HALF "out: {type: water.lakes, in: land, rain: half, sea: half, evaporation: 5}\n", 0, 0},
    {"water.lakes", "a torus without a sea",
     LAND "out: {type: water.lakes, in: land, border: wrap, least_depth: 0.01}\n", 0, 0},
    {"water.rivers", "no river",
     LAND "out: {type: water.rivers, in: land, threshold: 1, border: closed}\n", 0, 0},
    {"water.rivers", "two rows, a sea",
     LAND HALF "out: {type: water.rivers, in: land, sea: half}\n", 30, 2},
    {"layer.slide", "nothing lies loose",
     LAND "zero: {type: source.constant, value: 0}\n"
          "out: {type: layer.slide, rock: land, loose: zero}\n",
     0, 0},
    {"layer.slide", "levels on few rows",
     LAND "out: {type: layer.slide, rock: land, loose: spare, border: closed}\n", 200, 3},
    {"mask.strata", "tilted and bent",
     LAND "out: {type: mask.strata, in: land, bend: spare, dip: 0.3, azimuth: 40, blend: 1}\n", 0,
     0},
    {"source.stamp", "over the border of a torus",
     LAND "out: {type: source.stamp, in: land, stamp: spare, points: [[0.98, 0.02, 0.6, 30]]}\n", 0,
     0},
    {"source.stamp", "as a maximum",
     LAND "out: {type: source.stamp, in: land, stamp: spare, blend: max, points: [[0.5, 0.5]]}\n",
     0, 0},
    {"erosion.fir", "a mask, a kept border, only downhill",
     LAND HALF
     "out: {type: erosion.fir, in: land, mask: half, border: kept, downhill_only: true}\n",
     0, 0},
    {"erosion.raindrops", "no drops", LAND "out: {type: erosion.raindrops, in: land, drops: 0}\n",
     0, 0},
    {"erosion.raindrops", "nothing to pick up",
     "zero: {type: source.constant, value: 0}\nout: {type: erosion.raindrops, in: zero, drops: "
     "9}\n",
     0, 0},
    {"erosion.raindrops", "all is picked up",
     LAND "out: {type: erosion.raindrops, in: land, drops: 2000, pickup_chance: 1, pickup: 1}\n", 0,
     0},
    {"erosion.pipes", "levels, hard ground and rain by a map",
     LAND HALF
     "out: {type: erosion.pipes, in: land, hardness: half, rain_map: half, levels: 2, steps: 20}\n",
     0, 0},
    {"erosion.pipes", "levels on three rows",
     LAND HALF
     "out: {type: erosion.pipes, in: land, hardness: half, mask: half, levels: 3, steps: 20}\n",
     40, 3},
    {"erosion.thermal", "levels and hard ground",
     LAND HALF "out: {type: erosion.thermal, in: land, hardness: half, mask: half, levels: 2, "
               "iterations: 20, talus: 1}\n",
     0, 0},
    {"erosion.stream_power", "levels and hard ground",
     LAND HALF "out: {type: erosion.stream_power, in: land, hardness: half, mask: half, levels: 2, "
               "steps: 4}\n",
     0, 0},
    {"erosion.stream_power", "a power of 1 on hard ground",
     LAND HALF
     "out: {type: erosion.stream_power, in: land, hardness: half, uplift: half, n: 1, steps: 4}\n",
     0, 0},
    {"feature.diffusion", "a point twice in a curve",
     LAND "lines: {type: feature.curve, points: [[0, 0.3, 0.5, 1, 0.1], [0, 0.3, 0.5, 1, 0.1], [0, "
          "0.7, 0.4, 0, 0.1], [0, 0.7, 0.4, 0, 0.1]]}\n"
          "out: {type: feature.diffusion, in: land, curves: lines}\n",
     0, 0},
    {"render.surface", "a sun in the zenith",
     LAND "out: {type: render.surface, in: land, size: 30, sun: [0, 90], softness: 10}\n", 0, 0},
    {"render.surface", "a sun at the horizon",
     LAND "out: {type: render.surface, in: land, size: 30, sun: [360, 0.1], softness: 0}\n", 0, 0},
    {"render.surface", "a sun from the corner",
     LAND "out: {type: render.surface, in: land, size: 30, sun: [45, 1], softness: 10}\n", 0, 0},
    {"render.relief", "a range of its own",
     LAND "out: {type: render.relief, in: land, size: [40, 31], low: -0.1, high: 0.1, shading: 2, "
          "sea: 0}\n",
     0, 0},
    {"render.relief", "in the moon's light",
     LAND
     "out: {type: render.relief, in: land, size: [40, 31], mood: moon, shading: 0, exposure: 4}\n",
     0, 0},
    {"render.normals", "on a row",
     LAND "out: {type: render.normals, in: land, exaggeration: 100}\n", 30, 1},
    {"noise.phasor", "along one direction",
     "out: {type: noise.phasor, spread: 0, azimuth: 360, frequency: 3}\n", 0, 0},
    {"noise.phasor", "any direction", "out: {type: noise.phasor, spread: 90, frequency: 9}\n", 40,
     3},
    {"shape.resample", "blocks of uneven cells",
     LAND "out: {type: shape.resample, in: land, cell: 0.13, method: nearest}\n", 0, 0},
    {"shape.resample", "facets of part of a torus",
     LAND HALF "out: {type: shape.resample, in: land, mask: half, cell: 0.2, border: wrap}\n", 0,
     0},
    {"shape.resample", "smooth, closed",
     LAND "out: {type: shape.resample, in: land, cell: 0.1, method: cubic, border: closed}\n", 40,
     3},
    {"shape.resample", "three lobes around a torus of two cells",
     LAND "out: {type: shape.resample, in: land, cell: 0.5, method: lanczos, border: wrap}\n", 0,
     0},
    {"shape.resample", "a mask of steep sides",
     LAND HALF "out: {type: shape.resample, in: half, cell: 0.06, method: lanczos}\n", 0, 0},
    {"shape.resample", "one cell", LAND "out: {type: shape.resample, in: land, cell: 1}\n", 9, 40},
    {"shape.resample", "finer than the map",
     LAND "out: {type: shape.resample, in: land, cell: 0.001, method: cubic}\n", 0, 0},
    {"shape.slope_blur", "without distance",
     LAND "out: {type: shape.slope_blur, in: land, distance: 0}\n", 0, 0},
    {"shape.slope_blur", "far, closed",
     LAND "out: {type: shape.slope_blur, in: land, distance: 1, steps: 40, border: closed}\n", 0,
     0},
    {"shape.blur", "wider than the map", LAND "out: {type: shape.blur, in: land, radius: 1}\n", 0,
     0},
    {"shape.blur", "a border that blurs have not",
     LAND "out: {type: shape.blur, in: land, radius: 1, border: closed}\n", 9, 40},
    {"feature.distance", "flat profile",
     POINTS "flat: {type: feature.profile, points: [[0, 1], [4, 1]]}\n"
            "out: {type: feature.distance, generators: from, profiles: [flat]}\n",
     0, 0},
    {"feature.distance", "profile beyond",
     "from: {type: feature.points, points: [[0, 0, 5, 0, 2]]}\n"
     "p: {type: feature.profile, points: [[0, 1], [4, 0]]}\n"
     "out: {type: feature.distance, generators: from, profiles: [p, p]}\n",
     0, 0},
    {"feature.distance", "no sea",
     "from: {type: feature.points, points: [[0, 0, 0]]}\n"
     "out: {type: feature.distance, generators: from}\n",
     0, 0},
    {"feature.distance", "below the sea",
     "from: {type: feature.points, points: [[0.2, 0.3, 1, 0, 0], [0.6, 0.5, 4, 0, 0]]}\n"
     "out: {type: feature.distance, generators: from, sea_level: 0.25}\n",
     0, 0},
    {"feature.distance", "limits without domain",
     POINTS "out: {type: feature.distance, generators: from, limits: [[1, 2]]}\n", 0, 0},
    {"feature.distance", "limits",
     POINTS "cells: {type: voronoi.cells, regions: 2}\n"
            "out: {type: feature.distance, generators: from, domain: cells.domain, "
            "limits: [[0, 0], [1, 3]], metric: octile, heights: share}\n",
     0, 0},
    {"feature.ridges", "weights of another width",
     LAND HALF POINTS "to: {type: feature.points, points: [[1, 0, 1], [0.3, 1, 2]]}\n"
                      "out: {type: feature.ridges, generators: from, targets: to, weights: half, "
                      "weight_range: [0.5, 2], side: 17}\n",
     0, 0},
    {"feature.ridges", "a grid of one column",
     POINTS "to: {type: feature.points, points: [[1, 0, 1], [0.3, 1, 2]]}\n"
            "out: {type: feature.ridges, generators: from, targets: to, side: 1}\n",
     0, 0},
    {"feature.ridges", "a grid of one row",
     POINTS "to: {type: feature.points, points: [[1, 0, 1], [0.3, 1, 2]]}\n"
            "out: {type: feature.ridges, generators: from, targets: to, side: 5}\n",
     200, 3},
    {"feature.ridges", "targets at generators",
     POINTS "out: {type: feature.ridges, generators: from, targets: from}\n", 0, 0},
    {"feature.ridges", "too many cells",
     POINTS "out: {type: feature.ridges, generators: from, targets: from, side: 16384}\n", 2, 2100},
    {"feature.diffusion", "a plateau of most of a cell and a wider one",
     "thin: {type: feature.curve, points: [{x: 0.2, y: 0.3, z: 0.8, plateau: 0.02},\n"
     "  {x: 0.8, y: 0.5, z: 0.7, plateau: 0.024}]}\n"
     "wide: {type: feature.curve, points: [{x: 0.2, y: 0.8, z: 0.8, plateau: 0.2},\n"
     "  {x: 0.8, y: 0.9, z: 0.7, plateau: 0.2}]}\n"
     "out: {type: feature.diffusion, curves: [thin, wide]}\n",
     0, 0},
    {"feature.diffusion", "a wide plateau",
     "wide: {type: feature.curve, points: [{x: 0.2, y: 0.8, z: 0.8, plateau: 0.2},\n"
     "  {x: 0.8, y: 0.9, z: 0.7, plateau: 0.2}]}\n"
     "out: {type: feature.diffusion, curves: wide}\n",
     0, 0},
    {"feature.diffusion", "a plateau that is only smoothed",
     "ground: {type: noise.midpoint}\n"
     "wide: {type: feature.curve, points: [{x: 0.2, y: 0.3, z: 0.8, plateau: 0.2, elevation: 0},\n"
     "  {x: 0.8, y: 0.9, z: 0.7, plateau: 0.2, elevation: 0}]}\n"
     "out: {type: feature.diffusion, in: ground, curves: wide}\n",
     0, 0},
    {"feature.diffusion", "a plateau that begins to have a height",
     "wide: {type: feature.curve, points: [{x: 0.2, y: 0.3, z: 0.8, plateau: 0.2, elevation: 0},\n"
     "  {x: 0.8, y: 0.9, z: 0.7, plateau: 0.2}]}\n"
     "out: {type: feature.diffusion, curves: wide}\n",
     0, 0},
    {"feature.diffusion", "curves within and over the border",
     LAND
     "lines: {type: feature.curve, points: [[0, 0.3, 0.5, 1, 0.05, 0.2, 30, 0.1, -20, 0.3, 0.2], "
     "[0, 0.6, 0.5, 0.5, 0, 0.1, 10, 0.2, 5, 0.1, 0.3, 1], [1, -0.1, -0.2, 1], "
     "[1, 0.2, 0.1, 0]]}\n"
     "out: {type: feature.diffusion, in: land, curves: lines}\n",
     0, 0},
    {"feature.diffusion", "the same curve twice",
     "lines: {type: feature.curve, points: [[0, 0, 0.5, 1, 0.1], [0, 1, 0.5, 1, 0.1], "
     "[1, 0, 0.5, 1, 0.1], [1, 1, 0.5, 1, 0.1]]}\n"
     "out: {type: feature.diffusion, curves: lines, slope: literal, mode: relative}\n",
     0, 0},
    {"feature.shadow", "the light of another",
     LAND HALF "one: {type: feature.shadow, in: land, image: half, azimuth: 30, tilt: 50}\n"
               "out: {type: feature.shadow, in: land, image: half, light: one.report, tilt: 80}\n",
     0, 0},
    {"feature.shadow", "that light",
     LAND HALF "out: {type: feature.shadow, in: land, image: half, azimuth: 30, tilt: 50}\n", 0, 0},
    {"feature.shadow", "without ridges",
     LAND HALF "out: {type: feature.shadow, in: land, image: half, secondary: false}\n", 0, 0},
    {"feature.strokes", "at the corners",
     "out: {type: feature.strokes, line: smooth, strokes: [[1, 0, 0, 5], [1, 1, 1, 6], "
     "[2, 1, 0, 7], [2, 1, 0, 8], [3, 0.5, 0.5, 9]]}\n",
     0, 0},
    {"feature.merge", "renumbered",
     POINTS "out: {type: feature.merge, generators: [from, from, from]}\n", 0, 0},
    {"feature.points", "an area of a line",
     "out: {type: feature.points, count: 20, profiles: 64, cost: [3, 3], area: [0.2, 1, 0.9, 1]}\n",
     0, 0},
    {"island.scatter", "too dense",
     LAND "out: {type: island.scatter, height: land, distance: 0.0005}\n", 1, 100},
    {"island.scatter", "bare",
     LAND "out: {type: island.scatter, height: land, distance: 0.05, cover: 0}\n", 0, 0},
    {"island.scatter", "full",
     LAND "out: {type: island.scatter, height: land, distance: 0.05, cover: 100, "
          "steepest: 1000}\n",
     0, 0},
    {"mask.prominence", "relative on flat land",
     "land: {type: source.constant, value: 3}\n"
     "out: {type: mask.prominence, in: land, relative: true}\n",
     0, 0},
    {"mask.shape", "a polygon with a corner twice",
     "out: {type: mask.shape, kind: polygon, points: [[0.2, 0.2], [0.2, 0.2], [0.8, 0.2], "
     "[0.5, 0.9]], falloff: 0.2}\n",
     0, 0},
    {"mask.shape", "a line of a point",
     "out: {type: mask.shape, kind: line, points: [[0.4, 0.4], [0.4, 0.4]], width: 0.3}\n", 0, 0},
    {"mask.shape", "a line over the border",
     "out: {type: mask.shape, kind: line, points: [[0.9, 0.1], [1.2, 0.4]], width: 0.2, "
     "border: wrap, inside: true}\n",
     0, 0},
    {"render.colour", "by mask",
     LAND HALF "out: {type: render.colour, in: land, mask: half, ramp_by: mask, " RAMP "}\n", 0, 0},
    {"render.colour", "by mask, not fitted",
     LAND HALF
     "out: {type: render.colour, in: land, mask: half, ramp_by: mask, ramp_fit: false, " RAMP "}\n",
     0, 0},
    {"render.colour", "by mask without one",
     LAND "out: {type: render.colour, in: land, ramp_by: mask, " RAMP "}\n", 0, 0},
    {"render.colour", "by slope, not fitted",
     LAND "out: {type: render.colour, in: land, ramp_by: slope, ramp_fit: false, " RAMP "}\n", 0,
     0},
    {"render.colour", "around a sea, not fitted",
     LAND "out: {type: render.colour, in: land, ramp_fit: false, sea: 0.1, " RAMP "}\n", 0, 0},
    {"render.colour", "around a sea",
     LAND "out: {type: render.colour, in: land, sea: 0.1, " RAMP "}\n", 0, 0},
    {"render.colour", "by slope",
     LAND "out: {type: render.colour, in: land, ramp_by: slope, " RAMP "}\n", 0, 0},
    {"render.colour", "fitted below the sea",
     LAND "out: {type: render.colour, in: land, sea: 9, " RAMP "}\n", 0, 0},
    {"render.colour", "fitted to flat land",
     "land: {type: source.constant, value: 3}\n"
     "out: {type: render.colour, in: land, " RAMP "}\n",
     0, 0},
    {"render.colour", "a step at the end",
     LAND "out: {type: render.colour, in: land, "
          "ramp: [[-1, 0, 0, 0], [0.1, 90, 91, 92], [0.1, 255, 254, 253]]}\n",
     0, 0},
    {"render.surface", "by mask without one",
     LAND "out: {type: render.surface, in: land, ramp_by: mask, " RAMP "}\n", 0, 0},
    {"render.surface", "by mask, not fitted",
     LAND HALF "out: {type: render.surface, in: land, mask: half, ramp_by: mask, ramp_fit: false, "
               "size: 30, " RAMP "}\n",
     0, 0},
    {"render.surface", "by slope, not fitted",
     LAND "out: {type: render.surface, in: land, ramp_by: slope, ramp_fit: false, size: 30, " RAMP
          "}\n",
     0, 0},
    {"mask.light", "low from 15 degrees",
     LAND "out: {type: mask.light, in: land, azimuth: 15, altitude: 4, exaggeration: 0.3}\n", 75,
     52},
    {"mask.light", "low from 75 degrees",
     LAND "out: {type: mask.light, in: land, azimuth: 75, altitude: 4, exaggeration: 0.3}\n", 75,
     52},
    {"mask.light", "low from 105 degrees",
     LAND "out: {type: mask.light, in: land, azimuth: 105, altitude: 4, exaggeration: 0.3}\n", 75,
     52},
    {"mask.light", "low from 165 degrees",
     LAND "out: {type: mask.light, in: land, azimuth: 165, altitude: 4, exaggeration: 0.3}\n", 75,
     52},
    {"mask.light", "low from 195 degrees",
     LAND "out: {type: mask.light, in: land, azimuth: 195, altitude: 4, exaggeration: 0.3}\n", 75,
     52},
    {"mask.light", "low from 255 degrees",
     LAND "out: {type: mask.light, in: land, azimuth: 255, altitude: 4, exaggeration: 0.3}\n", 75,
     52},
    {"mask.light", "low from 285 degrees",
     LAND "out: {type: mask.light, in: land, azimuth: 285, altitude: 4, exaggeration: 0.3}\n", 75,
     52},
    {"mask.light", "low from 345 degrees",
     LAND "out: {type: mask.light, in: land, azimuth: 345, altitude: 4, exaggeration: 0.3}\n", 75,
     52},
    {"mask.light", "low from 0 degrees",
     LAND "out: {type: mask.light, in: land, azimuth: 0, altitude: 4, exaggeration: 0.3}\n", 75,
     52},
    {"mask.light", "low from 90 degrees",
     LAND "out: {type: mask.light, in: land, azimuth: 90, altitude: 4, exaggeration: 0.3}\n", 75,
     52},
    {"render.surface", "by slope",
     LAND "out: {type: render.surface, in: land, ramp_by: slope, size: 30, " RAMP "}\n", 0, 0},
    {"render.surface", "by height around a sea",
     LAND "out: {type: render.surface, in: land, sea: 0.1, size: 30, " RAMP "}\n", 0, 0},
    {"render.perspective", "a dry scene",
     LAND "out: {type: render.perspective, in: land, " SCENE "pitch: 14}\n", 0, 0},
    {"render.perspective", "a scene by the sea",
     LAND "out: {type: render.perspective, in: land, " SCENE "sea: 0.15, azimuth: 10, haze: 4}\n",
     0, 0},
    {"render.perspective", "a scene on the moon",
     LAND "out: {type: render.perspective, in: land, " SCENE "mood: moon, pitch: 90}\n", 0, 0},
    {"render.perspective", "the moon's sky",
     LAND "out: {type: render.perspective, in: land, " SCENE
          "mood: moon, distance: 3, pitch: 3, view: 150}\n",
     0, 0},
    {"render.perspective", "a scene from afar",
     LAND "out: {type: render.perspective, in: land, " SCENE "distance: 3, pitch: 3, view: 150}\n",
     0, 0},
    {"render.perspective", "a block aimed at",
     LAND "out: {type: render.perspective, in: land, size: [48, 36], distance: 2, target: 0.5}\n",
     0, 0},
    {"render.perspective", "a block from above",
     LAND "out: {type: render.perspective, in: land, size: [48, 36], pitch: 90, azimuth: 0}\n", 0,
     0},
    {"render.perspective", "a block from the north-east",
     LAND "out: {type: render.perspective, in: land, size: [48, 36], azimuth: 40, sun: [70, 12]}\n",
     0, 0},
    {"render.perspective", "a block from the north-west",
     LAND "out: {type: render.perspective, in: land, size: [48, 36], azimuth: 310, sun: [260, "
          "12]}\n",
     0, 0},
    {"render.perspective", "a block in the night",
     LAND "out: {type: render.perspective, in: land, size: [48, 36], sun: [120, -20]}\n", 0, 0},
    {"render.perspective", "below the land",
     LAND "out: {type: render.perspective, in: land, size: [48, 36], distance: 0.1, pitch: 0, "
          "target: -3}\n",
     0, 0},
    {"render.perspective", "a cell in a large picture",
     LAND "out: {type: render.perspective, in: land, size: [48, 36]}\n", 1, 1},
    {"render.perspective", "a picture of some bands and a row",
     LAND "out: {type: render.perspective, in: land, size: [33, 129], distance: 1}\n", 0, 0},
    {"render.perspective", "a scene of a band and two rows",
     LAND "out: {type: render.perspective, in: land, size: [19, 66], mode: scene}\n", 0, 0},
    {"render.perspective", "time and sun",
     LAND "out: {type: render.perspective, in: land, size: [48, 36], time: [1, 2]}\n", 0, 0},
    {"render.perspective", "a sun beyond the zenith",
     LAND "out: {type: render.perspective, in: land, size: [48, 36], sun: [10, 91]}\n", 0, 0},
    {"render.perspective", "half a sun",
     LAND "out: {type: render.perspective, in: land, size: [48, 36], sun: [10]}\n", 0, 0},
    {"render.perspective", "three sides",
     LAND "out: {type: render.perspective, in: land, size: [48, 36, 2]}\n", 0, 0},
    {"render.perspective", "half a pixel",
     LAND "out: {type: render.perspective, in: land, size: [48.5, 36]}\n", 0, 0},
    {"render.perspective", "too large",
     LAND "out: {type: render.perspective, in: land, size: [65536, 4097]}\n", 0, 0},
    {"island.moisture", "without a river",
     "land: {type: island.polygons, cells: 60}\n"
     "shape: {type: island.shape, in: land, offset: -0.5, scale: 1.2}\n"
     "height: {type: island.elevation, in: shape}\n"
     "rivers: {type: island.rivers, in: height, count: 0}\n"
     "out: {type: island.moisture, in: rivers}\n",
     0, 0},
    {"measure.score", "level ground",
     "level: {type: source.constant, value: 2}\nout: {type: measure.score, in: level}\n", 0, 0},
    {"water.sea", "the largest on a torus",
     LAND "out: {type: water.sea, in: land, level: 0, connected: true, border: wrap}\n", 0, 0},
    {"water.sea", "from the border",
     LAND "out: {type: water.sea, in: land, level: 0, connected: true, border: closed}\n", 0, 0},
    {"water.sea", "none", LAND "out: {type: water.sea, in: land, level: -9}\n", 0, 0},
    {"water.sea", "everywhere", LAND "out: {type: water.sea, in: land, level: 9}\n", 0, 0},
};

/* Digests all outputs of the node `out`, or records the error. */
static void find(const char *nodes, const struct tw_node_type *type, int32_t width, int32_t height,
                 struct outcome *outcome)
{
    char text[2000] = "thalweg: 1\nseed: 1\nnodes:\n";
    size_t used = strlen(text);
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    const struct tw_load_options options = {.width = width, .height = height};
    for (const char *line = nodes; *line; line += strcspn(line, "\n") + 1)
        used += (size_t)snprintf(text + used, sizeof text - used, "  %.*s\n",
                                 (int)strcspn(line, "\n"), line);
    used += (size_t)snprintf(text + used, sizeof text - used, "outputs:\n");
    for (const struct tw_port *port = type->outputs; port->name; port++)
        used += (size_t)snprintf(text + used, sizeof text - used, "  %s: out.%s\n", port->name,
                                 port->name);
    assert_true(used < sizeof text);
    if (tw_recipe_parse(text, used, "test.yaml", &options, &recipe, &error) == TW_OK)
        outcome_find(recipe, type->name, outcome);
    else
        snprintf(outcome->text, sizeof outcome->text, "%d:%d: %s", error.line, error.column,
                 error.message);
}

static void combinations_change_bytes_only_with_versions(void **state)
{
    struct golden golden;
    (void)state;
    golden_begin(&golden, TW_GOLDEN "/combinations.txt");
    EACH_NODE_TYPE(type)
    {
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            struct outcome outcome;
            if (strcmp(rows[i].type, (*type)->name) != 0)
                continue;
            find(rows[i].nodes, *type, rows[i].width ? rows[i].width : 29,
                 rows[i].height ? rows[i].height : 22, &outcome);
            outcome_print(&golden, *type, rows[i].name, outcome.text);
        }
    }
    golden_end(&golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(combinations_change_bytes_only_with_versions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
