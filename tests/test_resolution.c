/* SPDX-License-Identifier: MIT */
/* One recipe at several sizes must keep its large shapes. Each row runs at 128 and at 512 cells per
 * side and reduces the larger map to 128; the divergence is the root mean square of the difference,
 * over the deviation of the small map. Bounds are a little above measured values, so that a
 * parameter that ignores the map's size fails. docs/resolution.md has this table
 * (THALWEG_UPDATE_DOCS=1 rewrites it). */
#include "support/harness.h"

#include "node/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SMALL = 128, LARGE = 512, COARSE = 32 };

/* How to reduce a map to a cell: the mean of the cells in it; the mean around its north-west
 * corner, where some noises take samples; or the greatest, for rivers one cell wide. */
enum pooling { MEAN, CORNER, GREATEST };

struct row {
    const char *node, *how; /* type; which of its methods, may be "" */
    const char *lines;      /* measures `out` against `in`, which the node changes */
    enum pooling pooling;
    double most; /* largest allowed divergence; 0: the node promises nothing */
    const char *scaling;
};

/* Smooth enough for 128 cells: any divergence is the node's. */
#define LAND                                                                                       \
    "noise: {type: noise.perlin, octaves: 4, frequency: 3}\n"                                      \
    "in: {type: shape.remap, in: noise, from: [0.25, 0.75]}\n"
#define CELLS "cells: {type: voronoi.cells}\n"
#define CELLWISE "nothing: cell by cell"
#define ISLAND                                                                                     \
    "land: {type: island.polygons, cells: 500}\n"                                                  \
    "shape: {type: island.shape, in: land, offset: -0.5, scale: 1.2}\n"                            \
    "height: {type: island.elevation, in: shape}\n"                                                \
    "rivers: {type: island.rivers, in: height}\n"                                                  \
    "moist: {type: island.moisture, in: rivers}\n"                                                 \
    "biomes: {type: island.biomes, in: moist}\n"
#define RIDGE                                                                                      \
    "ridge: {type: feature.curve, points: [{x: 0.2, y: 0.3, z: 0.8, slope_left: 0.1, "             \
    "angle_left: -60}, {x: 0.8, y: 0.5, z: 0.7}]}\n"
#define PEAKS                                                                                      \
    "peaks: {type: feature.points, count: 12, cost: [5, 30]}\n"                                    \
    "slope: {type: feature.profile, points: [[0, 1], [20, 0.4], [80, 0]]}\n"

static const struct row rows[] = {
    {"noise.spectral", "", "out: {type: noise.spectral}", CORNER, 0.04,
     "`frequency` is values a side; 0..1 is that of the cells there are"},
    {"noise.midpoint", "", "out: {type: noise.midpoint}", CORNER, 0.102,
     "`frequency` is values a side; a doubling adds a level below the others. Sizes between "
     "`frequency` 2^k show a part of the next larger"},
    {"noise.midpoint", "smoothed", "out: {type: noise.midpoint, smoothed: true}", CORNER, 0.074,
     "the same"},
    {"noise.diamond_square", "", "out: {type: noise.diamond_square, rescale: true}", MEAN, 0,
     "`roughness` is for a half step of a cell, so every size is other terrain"},
    {"noise.diamond_square", "side: 128",
     "out: {type: noise.diamond_square, rescale: true, side: 128}", MEAN, 0.117,
     "`side` keeps the terrain"},
    {"noise.perlin", "", "out: {type: noise.perlin}", MEAN, 0.028,
     "`frequency` is lattice cells a side; octaves too fine for the map turn into white noise"},
    {"noise.perlin", "simplex", "out: {type: noise.perlin, basis: simplex}", MEAN, 0.044,
     "the same"},
    {"noise.multifractal", "", "out: {type: noise.multifractal}", MEAN, 0.114, "the same"},
    {"noise.phasor", "", "out: {type: noise.phasor, frequency: 8}", MEAN, 0.05,
     "`frequency` is waves along the longer side; random numbers are of the grid's cells"},
    {"noise.ridged", "", "out: {type: noise.ridged}", MEAN, 0.047, "the same"},
    {"noise.fault", "", "out: {type: noise.fault}", MEAN, 0.112,
     "`width` is in map sides; a step is one cell wide"},
    {"noise.fault", "sine", "out: {type: noise.fault, profile: sine}", MEAN, 0.002,
     "`width` is in map sides"},
    {"voronoi.cells", "", "out: {type: voronoi.cells}", MEAN, 0.039,
     "`regions` a side; 0..1 is that of the cells there are"},
    {"voronoi.domain", "", CELLS "out: {type: voronoi.domain, domain: cells.domain}", MEAN, 0.127,
     "values of domains, whatever the size; borders are sharp"},
    {"source.constant", "", "out: {type: source.constant, value: 1}", MEAN, 0.002, CELLWISE},
    {"source.heightmap", "",
     "out: {type: source.heightmap, file: data/jacksboro.png, fit: bilinear}", MEAN, 0.035,
     "`fit: bilinear` takes single places of the file; a crop is another map"},
    {"source.image", "", "out: {type: source.image, file: data/jacksboro.png, fit: bilinear}", MEAN,
     0.035, "the same"},
    {"source.stamp", "",
     LAND "hill: {type: noise.perlin, octaves: 3, frequency: 3}\n"
          "out: {type: source.stamp, in: in, stamp: hill, points: [[0.3, 0.4, 0.5], [0.8, 0.7, "
          "0.3, 60]]}",
     MEAN, 0.04, "`size` is in map sides; stamps are interpolated, not averaged"},
    {"combine.add", "", LAND CELLS "out: {type: combine.add, a: in, b: cells}", MEAN, 0.017,
     CELLWISE},
    {"combine.blend", "",
     LAND CELLS "mask: {type: mask.height, in: cells}\nout: {type: combine.blend, a: in, b: cells, "
                "mask: mask}",
     MEAN, 0.042, CELLWISE},
    {"combine.formula", "",
     LAND CELLS "out: {type: combine.formula, a: in, b: cells, formula: \"max(a, b) ^ 2\"}", MEAN,
     0.017, CELLWISE},
    {"combine.maximum", "", LAND CELLS "out: {type: combine.maximum, a: in, b: cells}", MEAN, 0.02,
     CELLWISE},
    {"combine.minimum", "", LAND CELLS "out: {type: combine.minimum, a: in, b: cells}", MEAN, 0.021,
     CELLWISE},
    {"combine.mix", "", LAND CELLS "out: {type: combine.mix, a: in, b: cells}", MEAN, 0.017,
     CELLWISE},
    {"combine.multiply", "", LAND CELLS "out: {type: combine.multiply, a: in, b: cells}", MEAN,
     0.019, CELLWISE},
    {"combine.subtract", "", LAND CELLS "out: {type: combine.subtract, a: in, b: cells}", MEAN,
     0.017, CELLWISE},
    {"combine.switch", "", LAND CELLS "out: {type: combine.switch, in: [in, cells], index: 1}",
     MEAN, 0.02, "it is its input"},
    {"shape.blur", "", LAND "out: {type: shape.blur, in: in, radius: 0.02}", MEAN, 0.002,
     "`radius` is in map sides"},
    {"shape.clamp", "", LAND "out: {type: shape.clamp, in: in, low: 0.3, high: 0.7}", MEAN, 0.007,
     CELLWISE},
    {"shape.curve", "",
     LAND "out: {type: shape.curve, in: in, points: [[0, 0], [0.4, 0.1], [0.6, 0.5], [1, 1]]}",
     MEAN, 0.007, CELLWISE},
    {"shape.fill_depressions", "", LAND "out: {type: shape.fill_depressions, in: in, epsilon: 0.1}",
     MEAN, 0.03, "`epsilon` is rise per map side; a gap of one cell drains a lake"},
    {"shape.fill_gaps", "",
     LAND "holes: {type: mask.height, in: in, low: 0.55, high: 0.62, softness: 0}\n"
          "out: {type: shape.fill_gaps, in: in, gaps: holes}",
     MEAN, 0.01, "gaps are cells; the surface is that of the ground around them"},
    {"shape.dequantise", "",
     LAND "steps: {type: combine.formula, a: in, formula: \"floor(a * 16) / 16\"}\n"
          "out: {type: shape.dequantise, in: steps}",
     MEAN, 0.028, "`step` is a height"},
    {"shape.breach", "", LAND "out: {type: shape.breach, in: in}", MEAN, 0.091,
     "`most_length` is in map sides; channels are one cell wide"},
    {"shape.connect", "", LAND "out: {type: shape.connect, in: in, unit_talus: 3, least: 0.01}",
     MEAN, 0.015,
     "`unit_talus` is per map side, `unit_size` in cells; finer maps have steeper cells"},
    {"shape.amplify", "", LAND "out: {type: shape.amplify, in: in}", MEAN, 0.3,
     "a larger map shows finer coarse cells, from which its valleys begin"},
    {"shape.invert", "", LAND "out: {type: shape.invert, in: in}", MEAN, 0.005, CELLWISE},
    {"shape.normalize", "", LAND "out: {type: shape.normalize, in: in}", MEAN, 0.011,
     "the range is that of the cells there are"},
    {"shape.offset_clip", "", LAND "out: {type: shape.offset_clip, in: in, offset: 0.4}", MEAN,
     0.007, CELLWISE},
    {"shape.perturb", "", LAND "out: {type: shape.perturb, in: in}", MEAN, 0.118,
     "`magnitude` is in map sides; its noise shakes every cell of a larger map"},
    {"shape.power", "", LAND "out: {type: shape.power, in: in}", MEAN, 0.005, CELLWISE},
    {"shape.remap", "", LAND "out: {type: shape.remap, in: in, to: [-1, 1]}", MEAN, 0.005,
     CELLWISE},
    {"shape.resample", "", LAND "out: {type: shape.resample, in: in}", MEAN, 0.01,
     "`cell` is in map sides"},
    {"shape.slope_blur", "", LAND "out: {type: shape.slope_blur, in: in}", MEAN, 0.06,
     "`distance` and `radius` are in map sides; finer ground has steeper ways"},
    {"shape.terrace", "", LAND "out: {type: shape.terrace, in: in}", MEAN, 0.033, CELLWISE},
    {"shape.transform", "", LAND "out: {type: shape.transform, in: in, rotate: 30, shift_x: 0.25}",
     MEAN, 0.006, "shifts are in map sides"},
    {"shape.warp", "",
     LAND "v: {type: shape.gradient, in: in}\n"
          "out: {type: shape.warp, in: in, vectors: v, strength: 0.01}",
     MEAN, 0.06, "vectors and `strength` are in map sides"},
    {"path.carve", "",
     LAND "river: {type: path.line, interpolation: smooth, points: [[0, 0.1, 0.2, 0.5, 0.02], [0, "
          "0.5, 0.6, 0.4, 0.03], [0, 0.9, 0.4, 0.3, 0.04]]}\n"
          "out: {type: path.carve, in: in, lines: [river]}",
     MEAN, 0.006, "widths are in map sides, of a cell at least"},
    {"water.sea", "", LAND "out: {type: water.sea, in: in, level: 0.4}", MEAN, 0.18,
     "cell by cell; the shore is sharp"},
    {"water.lakes", "", LAND "out: {type: water.lakes, in: in}", MEAN, 0.01,
     "a gap of one cell drains a lake"},
    {"water.lakes", "evaporation: 10",
     LAND "out: {type: water.lakes, in: in, evaporation: 10, border: closed}", MEAN, 0.114,
     "shares of the map; a gap of one cell drains a lake"},
    {"layer.slide", "",
     "land: {type: noise.perlin, octaves: 4, frequency: 3}\n"
     "in: {type: shape.remap, in: land, from: [0.25, 0.75], to: [0, 3]}\n"
     "deep: {type: source.constant, value: 0.02}\n"
     "out: {type: layer.slide, rock: in, loose: deep}",
     MEAN, 0.008, "repose is rise per map side; material comes to rest at any size"},
    {"layer.sand", "",
     LAND "flat: {type: shape.remap, in: in, to: [0, 0.2]}\n"
          "out: {type: layer.sand, rock: flat, lattice: 100, sweeps: 200}",
     MEAN, 0.23, "a lattice of its own; where a dune stands depends on its rock's every cell"},
    {"mask.height", "", LAND "out: {type: mask.height, in: in}", MEAN, 0.042, CELLWISE},
    {"mask.light", "", LAND "out: {type: mask.light, in: in}", MEAN, 0.434,
     "shadows keep their length; finer ground casts more of them"},
    {"mask.light", "sun", LAND "out: {type: mask.light, in: in, kind: sun}", MEAN, 0.43,
     "slopes are in map sides; finer ground casts more shadows"},
    {"mask.slope", "", LAND "out: {type: mask.slope, in: in, low: 3, softness: 2}", MEAN, 0.6,
     "slopes are rise per map side, over one cell; rough ground is steeper on smaller cells"},
    {"mask.slope", "radius: 0.008",
     LAND "out: {type: mask.slope, in: in, low: 3, softness: 2, radius: 0.008}", MEAN, 0.18,
     "slopes are over the same distance"},
    {"mask.slope", "downhill",
     LAND "out: {type: mask.slope, in: in, kind: downhill, low: 3, softness: 2, radius: 0.008}",
     MEAN, 0.18, "the same"},
    {"mask.threshold", "", LAND "out: {type: mask.threshold, in: in}", MEAN, 0.18,
     "cell by cell; the edge is sharp"},
    {"mask.distance", "",
     LAND "low: {type: mask.height, in: in, low: 0, high: 0.4, softness: 0}\nout: {type: "
          "mask.distance, in: low, reach: 0.2}",
     MEAN, 0.075,
     "`reach` is in map sides; distances are those of cell centres, so they begin with a cell"},
    {"mask.flow", "", LAND "out: {type: mask.flow, in: in}", GREATEST, 0.716,
     "thresholds are shares of the map; a river is one cell wide"},
    {"mask.from", "", LAND "out: {type: mask.from, in: in, range: [0.7, 0.3]}", MEAN, 0.006,
     CELLWISE},
    {"mask.strata", "", LAND "out: {type: mask.strata, in: in, seed: 1}", MEAN, 0.4,
     "cell by cell; the borders of layers are sharp"},
    {"mask.shape", "", "out: {type: mask.shape}", MEAN, 0.002,
     "positions and lengths are in map sides"},
    {"mask.labels", "",
     LAND CELLS "out: {type: mask.labels, in: cells.domain, labels: [1, 5, 9, 11, 14, 20, 22]}",
     MEAN, 0.13, "cell by cell; borders are sharp"},
    {"mask.curvature", "",
     LAND "out: {type: mask.curvature, in: in, radius: 0.04, low: 1, softness: 2}", MEAN, 0.035,
     "`radius` is in map sides; the mask takes the change of slope over it"},
    {"mask.aspect", "",
     LAND "soft: {type: shape.blur, in: in, radius: 0.02}\n"
          "out: {type: mask.aspect, in: soft}",
     MEAN, 0.08, "directions of the slope between neighbouring cells"},
    {"mask.prominence", "", LAND "out: {type: mask.prominence, in: in, radius: 0.1}", MEAN, 0.055,
     "`radius` is in map sides"},
    {"mask.openness", "", LAND "out: {type: mask.openness, in: in}", MEAN, 0.33,
     "`radius` is in map sides; finer ground hides more of the sky"},
    {"mask.wetness", "", LAND "out: {type: mask.wetness, in: in, low: 0, softness: 6}", MEAN, 0.36,
     "areas and slopes are in map sides; rivers, one cell wide, gain ln 2 a doubling"},
    {"measure.flow", "", LAND "out: {type: measure.flow, in: in}", GREATEST, 0.799,
     "a share of the map; a river is one cell wide"},
    {"measure.flow", "mfd", LAND "out: {type: measure.flow, in: in, method: mfd}", GREATEST, 0.787,
     "the same"},
    {"measure.flow", "log", LAND "out: {type: measure.flow, in: in, scale: log}", GREATEST, 0,
     "the logarithm counts cells, of which a larger map has more"},
    {"measure.uplift", "", LAND "out: {type: measure.uplift, in: in}", MEAN, 0.85,
     "areas and slopes are in map sides; depressions and rivers differ from size to size"},
    {"measure.slope", "", LAND "out: {type: measure.slope, in: in}", MEAN, 0,
     "a difference between cells: half as great on a map twice as fine (mask.slope is per map "
     "side)"},
    {"feature.diffusion", "", LAND RIDGE "out: {type: feature.diffusion, in: in, curves: ridge}",
     MEAN, 0.021, "curves are in map sides, slopes are angles"},
    {"feature.diffusion", "relative",
     LAND RIDGE "out: {type: feature.diffusion, in: in, curves: ridge, mode: relative}", MEAN,
     0.031, "the same"},
    {"feature.distance", "",
     PEAKS "out: {type: feature.distance, generators: peaks, profiles: [slope], heights: share}",
     MEAN, 0, "weights and profiles are per cell"},
    {"feature.distance", "side: 128",
     PEAKS "out: {type: feature.distance, generators: peaks, profiles: [slope], heights: share, "
           "side: 128}",
     MEAN, 0.126,
     "`side` makes weights and profiles those of a map of that width; on smaller cells paths find "
     "more ways around, and weights are drawn anew"},
    {"feature.shadow", "",
     "base: {type: source.constant, value: 0.1}\n" CELLS
     "spots: {type: voronoi.domain, domain: cells.domain, values: binary, coverage: 0.2}\nout: "
     "{type: feature.shadow, in: base, image: spots}",
     MEAN, 0.297, "lengths are in map sides; its ridges and peaks are drawn cell by cell"},
    {"island.raster", "", ISLAND "out: {type: island.raster, in: biomes, magnitude: 0.03}", MEAN,
     0.006, "lengths are in map sides; polygons know no cells"},
    {"island.biome_noise", "",
     ISLAND "map: {type: island.raster, in: biomes}\nout: {type: island.biome_noise, biome: "
            "map.biome, blend: 0.04}",
     MEAN, 0.07, "`blend` is in map sides"},
    {"erosion.coast", "", LAND "out: {type: erosion.coast, in: in, level: 0.4}", MEAN, 0.012,
     "map sides; cliffs begin between cells"},
    {"erosion.creep", "", LAND "out: {type: erosion.creep, in: in, nonlinear: true, critical: 6}",
     MEAN, 0.006, "sides^2 per time; 4 times the substeps a doubling, by itself"},
    {"erosion.fir", "", LAND "out: {type: erosion.fir, in: in, strength: 0.7}", MEAN, 0,
     "`strength` is from cell to cell"},
    {"erosion.fir", "side: 128", LAND "out: {type: erosion.fir, in: in, strength: 0.7, side: 128}",
     MEAN, 0.006, "`side` takes the square root of `strength` a doubling"},
    {"erosion.thermal", "", LAND "out: {type: erosion.thermal, in: in}", MEAN, 0,
     "talus is rise per map side; a pass reaches one cell"},
    {"erosion.thermal", "side: 128", LAND "out: {type: erosion.thermal, in: in, side: 128}", MEAN,
     0.008, "`side` makes 4 times the passes a doubling"},
    {"erosion.thermal_fast", "", LAND "out: {type: erosion.thermal_fast, in: in}", MEAN, 0,
     "as erosion.thermal"},
    {"erosion.thermal_fast", "side: 128",
     LAND "out: {type: erosion.thermal_fast, in: in, side: 128}", MEAN, 0.096,
     "`side` makes 4 times the passes a doubling"},
    {"erosion.olsen", "", LAND "out: {type: erosion.olsen, in: in, iterations: 20}", MEAN, 0,
     "as erosion.thermal"},
    {"erosion.olsen", "side: 128",
     LAND "out: {type: erosion.olsen, in: in, iterations: 20, side: 128}", MEAN, 0.195,
     "`side` makes 4 times the passes a doubling"},
    {"erosion.hydraulic", "", LAND "out: {type: erosion.hydraulic, in: in, iterations: 50}", MEAN,
     0, "a pass reaches one cell"},
    {"erosion.hydraulic", "side: 128",
     LAND "out: {type: erosion.hydraulic, in: in, iterations: 50, side: 128}", MEAN, 0.012,
     "`side` makes 2.8 times the passes a doubling"},
    {"erosion.hydraulic_fast", "",
     LAND "out: {type: erosion.hydraulic_fast, in: in, iterations: 50}", MEAN, 0,
     "a pass reaches one cell"},
    {"erosion.hydraulic_fast", "side: 128",
     LAND "out: {type: erosion.hydraulic_fast, in: in, iterations: 50, side: 128}", MEAN, 0.018,
     "`side` makes 2.8 times the passes a doubling"},
    {"erosion.gradient", "", LAND "out: {type: erosion.gradient, in: in, update: synchronous}",
     MEAN, 0,
     "a step pours whole differences of surfaces over one cell: neither more steps nor a longer "
     "`rain_period` brings the sizes together"},
    {"erosion.gradient", "slope: distance",
     LAND "out: {type: erosion.gradient, in: in, update: synchronous, slope: distance}", MEAN, 0,
     "water crosses one cell a step"},
    {"erosion.gradient", "slope: distance, side: 128",
     LAND "out: {type: erosion.gradient, in: in, update: synchronous, slope: distance, side: 128}",
     MEAN, 0.033, "`side` makes twice the steps a doubling, with shares to match"},
    {"erosion.raindrops", "", LAND "out: {type: erosion.raindrops, in: in, drops: 20000}", MEAN, 0,
     "`drops` is for the whole map, and a drop goes a few cells"},
    {"erosion.raindrops", "side: 128",
     LAND "out: {type: erosion.raindrops, in: in, drops: 20000, side: 128}", MEAN, 0.12,
     "`side` makes 6.3 times the drops of half the pickup a doubling"},
    {"erosion.droplets", "", LAND "out: {type: erosion.droplets, in: in, density: 0.1}", MEAN, 0,
     "`radius` is in cells and `lifetime` in steps of a cell"},
    {"erosion.droplets", "side: 128",
     LAND "out: {type: erosion.droplets, in: in, density: 0.1, side: 128}", MEAN, 0.042,
     "`side` erodes a map of that width, carries the change to all cells and adds fine gullies"},
    {"erosion.droplets", "levels: 2",
     LAND "out: {type: erosion.droplets, in: in, density: 0.1, levels: 2}", MEAN, 0,
     "`levels` shortens steps and radius with the cells, so they are those of the finest map"},
    {"erosion.pipes", "", LAND "out: {type: erosion.pipes, in: in, steps: 100}", MEAN, 0.021,
     "map sides and times; twice the substeps a doubling, by itself"},
    {"erosion.pipes", "levels: 1", LAND "out: {type: erosion.pipes, in: in, steps: 100, levels: 1}",
     MEAN, 0.021, "`levels` begins on a map halved once, takes two fifths of the time"},
    {"erosion.stream_power", "", LAND "out: {type: erosion.stream_power, in: in, steps: 20}", MEAN,
     0.70, "map sides and times; floors of rivers are some cells wide"},
    {"erosion.analytical", "", LAND "out: {type: erosion.analytical, in: in}", MEAN, 0.7,
     "map sides and times; rivers are one cell wide"},
    {"erosion.stream_power", "levels: 1",
     LAND "out: {type: erosion.stream_power, in: in, steps: 20, levels: 1}", MEAN, 0.92,
     "`levels` begins on a map halved once, takes two fifths of the time"},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* ---- measuring ---- */

static struct tw_value map_at(const struct row *row, int32_t size, const char *name)
{
    struct tw_result *result = harness_run(&(struct harness){
        .width = size, .height = size, .seed = 7, .threads = 2, .nodes = row->lines});
    const struct tw_value *from = tw_result_output(result, name);
    struct tw_value map = {TW_HEIGHTMAP, size, size, NULL};
    if (from) {
        assert_true(from->type == TW_HEIGHTMAP || from->type == TW_MASK);
        map.data = malloc(tw_value_count(&map) * sizeof(float));
        assert_non_null(map.data);
        memcpy(map.data, from->data, tw_value_count(&map) * sizeof(float));
    }
    tw_result_release(result);
    return map;
}

/* A cell of the map reduced by the factor `by`. A mean around a corner takes half a reduced cell to
 * each side, weighting its outermost cells by half; borders wrap. */
static double pooled(const struct tw_value *map, enum pooling pooling, int32_t by, int32_t x,
                     int32_t y)
{
    int32_t from = pooling == CORNER ? -by / 2 : 0, to = pooling == CORNER ? by / 2 : by - 1;
    double sum = 0, weights = 0, greatest = -INFINITY;
    for (int32_t j = from; j <= to; j++)
        for (int32_t i = from; i <= to; i++) {
            int32_t column = (x * by + i + map->width) % map->width;
            int32_t row = (y * by + j + map->height) % map->height;
            double v = (double)tw_floats(map)[(size_t)row * (size_t)map->width + (size_t)column];
            bool corner = pooling == CORNER && by > 1;
            double weight =
                (corner && abs(i) == by / 2 ? 0.5 : 1) * (corner && abs(j) == by / 2 ? 0.5 : 1);
            sum += weight * v;
            weights += weight;
            greatest = v > greatest ? v : greatest;
        }
    return pooling == GREATEST ? greatest : sum / weights;
}

static double *pool(const struct tw_value *map, enum pooling pooling, int32_t size)
{
    double *out = malloc((size_t)size * (size_t)size * sizeof *out);
    assert_non_null(out);
    for (int32_t y = 0; y < size; y++)
        for (int32_t x = 0; x < size; x++)
            out[y * size + x] = pooled(map, pooling, map->width / size, x, y);
    return out;
}

/* Root mean square of b - a over the deviation of a; not divided if a is flat. */
static double divergence(const struct tw_value *a, const struct tw_value *b, enum pooling pooling,
                         int32_t size)
{
    double *p = pool(a, pooling, size), *q = pool(b, pooling, size);
    double count = (double)size * size, mean = 0, square = 0, difference = 0;
    for (int32_t i = 0; i < size * size; i++) {
        mean += p[i] / count;
        difference += (q[i] - p[i]) * (q[i] - p[i]) / count;
    }
    for (int32_t i = 0; i < size * size; i++)
        square += (p[i] - mean) * (p[i] - mean) / count;
    free(p);
    free(q);
    return square > 0 ? sqrt(difference / square) : sqrt(difference);
}

struct found {
    double all, coarse, change; /* change: -1 if the node changes no map */
};
static struct found found[ROWS];

static void measure(const struct row *row, struct found *to)
{
    struct tw_value small = map_at(row, SMALL, "out"), large = map_at(row, LARGE, "out");
    struct tw_value in = map_at(row, SMALL, "in");
    to->all = divergence(&small, &large, row->pooling, SMALL);
    to->coarse = divergence(&small, &large, row->pooling, COARSE);
    bool changes = strncmp(row->node, "shape.", 6) == 0 || strncmp(row->node, "erosion.", 8) == 0;
    to->change = in.data && changes ? divergence(&small, &in, MEAN, SMALL) : -1;
    free(small.data);
    free(large.data);
    free(in.data);
}

/* ---- tests ---- */

static void large_shapes_stay(void **state)
{
    int wrong = 0;
    (void)state;
    assert_int_equal(chdir(TW_GRAPHS), 0); /* its data/ */
    for (int i = 0; i < ROWS; i++) {
        measure(&rows[i], &found[i]);
        if (rows[i].most > 0 && !(found[i].all <= rows[i].most)) {
            print_error("%s %s: divergence %.4f, allowed %.4f\n", rows[i].node, rows[i].how,
                        found[i].all, rows[i].most);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

/* Every node whose default output is a map needs a row. */
static void every_map_node_is_here(void **state)
{
    int missing = 0;
    (void)state;
    for (const struct tw_node_type *const *type = tw_node_table; *type; type++) {
        bool map = (*type)->outputs[0].type == TW_HEIGHTMAP || (*type)->outputs[0].type == TW_MASK;
        bool here = false;
        for (int i = 0; i < ROWS; i++)
            here = here || strcmp(rows[i].node, (*type)->name) == 0;
        if (map && !here) {
            print_error("%s gives a map and is not in this table\n", (*type)->name);
            missing++;
        }
    }
    assert_int_equal(missing, 0);
}

/* `side` at 64 cells must do what the documented rule does by hand. */
static void side_is_a_rule(void **state)
{
    static const char *const pairs[][2] = {
        {"erosion.thermal, in: in, iterations: 5, side: 32",
         "erosion.thermal, in: in, iterations: 20"},
        {"erosion.thermal_fast, in: in, iterations: 5, side: 32",
         "erosion.thermal_fast, in: in, iterations: 20"},
        {"erosion.olsen, in: in, iterations: 20, side: 128",
         "erosion.olsen, in: in, iterations: 5"},
        {"erosion.hydraulic, in: in, iterations: 2, side: 16",
         "erosion.hydraulic, in: in, iterations: 16"},
        {"erosion.hydraulic_fast, in: in, iterations: 2, side: 16",
         "erosion.hydraulic_fast, in: in, iterations: 16"},
        {"erosion.hydraulic, in: in, iterations: 2, side: 65535",
         "erosion.hydraulic, in: in, iterations: 1"},
        {"erosion.fir, in: in, strength: 0.25, side: 32", "erosion.fir, in: in, strength: 0.5"},
        {"erosion.raindrops, in: in, seed: 1, drops: 500, side: 32",
         "erosion.raindrops, in: in, seed: 1, drops: 3175, pickup: 0.1"},
        {"erosion.droplets, in: in, seed: 1, radius: 4, lifetime: 40, capacity: 8, erosion: 0.5, "
         "deposition: 0.5, evaporation: 0.5, side: 128",
         "erosion.droplets, in: in, seed: 1, radius: 2, lifetime: 20, capacity: 4, erosion: 0.75, "
         "deposition: 0.75, evaporation: 0.75"},
        {"erosion.gradient, in: in, steps: 20, rain_period: 7, Kd: 0.75, Ks: 0.75, evaporation: "
         "0.75, side: 32",
         "erosion.gradient, in: in, steps: 40, rain_period: 14, Kd: 0.5, Ks: 0.5, evaporation: "
         "0.5"},
        {"noise.diamond_square, seed: 1, roughness: 0.5, side: 32",
         "noise.diamond_square, seed: 1, roughness: 0.25"},
        {"noise.diamond_square, seed: 1, roughness: 0.5, side: 64",
         "noise.diamond_square, seed: 1, roughness: 0.5"},
    };
    struct tw_value terrain = harness_terrain(64, 64, 3);
    (void)state;
    harness_give(0, &terrain);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char nodes[1000];
        snprintf(nodes, sizeof nodes, "in: {type: test.map}\na: {type: %s}\nb: {type: %s}\n",
                 pairs[i][0], pairs[i][1]);
        struct tw_result *result = harness_run(&(struct harness){.nodes = nodes});
        harness_same(tw_result_output(result, "a"), tw_floats(tw_result_output(result, "b")));
        tw_result_release(result);
    }
    free(terrain.data);
}

/* ---- docs/resolution.md ends with the table ---- */

static void print_number(char *to, size_t size, double value)
{
    size_t used = strlen(to);
    if (value < 0)
        snprintf(to + used, size - used, " |");
    else
        snprintf(to + used, size - used, " %.3f |", value);
}

static void print_table(char *to, size_t size)
{
    snprintf(to, size,
             "| node | with | how it scales | changes | divergence | large shapes |\n"
             "|---|---|---|---|---|---|\n");
    for (int i = 0; i < ROWS; i++) {
        size_t used = strlen(to);
        snprintf(to + used, size - used, "| [%s](nodes/%s.md) | %s | %s |", rows[i].node,
                 rows[i].node, rows[i].how, rows[i].scaling);
        print_number(to, size, found[i].change);
        print_number(to, size, found[i].all);
        print_number(to, size, found[i].coarse);
        strncat(to, "\n", size - strlen(to) - 1);
    }
}

static void page_is_current(void **state)
{
    static char page[1 << 16], table[1 << 15];
    const char *path = TW_DOCS "/resolution.md", *update = getenv("THALWEG_UPDATE_DOCS");
    FILE *file = fopen(path, "r");
    (void)state;
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    fclose(file);
    char *old = strstr(page, "| node |");
    assert_non_null(old);
    print_table(table, sizeof table);
    if (update && update[0]) {
        assert_true(strlen(table) < sizeof page - (size_t)(old - page));
        file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "%.*s%s", (int)(old - page), page, table);
        fclose(file);
        return;
    }
    if (strcmp(old, table) != 0)
        fail_msg("docs/resolution.md is not current: run this with THALWEG_UPDATE_DOCS=1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_shapes_stay),
        cmocka_unit_test(every_map_node_is_here),
        cmocka_unit_test(side_is_a_rule),
        cmocka_unit_test(page_is_current),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
