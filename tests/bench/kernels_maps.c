/* SPDX-License-Identifier: MIT */
/* Maps to maps, cell by cell or nearly so, and what is measured and drawn of them. */
#include "bench/bench.h"

#include <math.h>
#include <stddef.h>

static void remap(float *map, int32_t w, int32_t h)
{
    for (int32_t i = 0; i < w * h; i++) {
        float t = (map[i] - 0.1f) / 0.8f;
        map[i] = 0.2f * (1 - t) + 0.7f * t;
    }
}

static void power(float *map, int32_t w, int32_t h)
{
    for (int32_t i = 0; i < w * h; i++)
        map[i] = copysignf(powf(fabsf(map[i]), 1.5f), map[i]);
}

#define ADD(id, in) id ": {type: combine.add, a: " in ", b: other}\n"
#define MASK BENCH_TERRAIN "mask: {type: mask.height, in: in, low: 0.7, high: 1, softness: 0}\n"

/* Five nodes, named with `n`, from map `in` to map n "e". */
#define FIVE(n, in)                                                                                \
    n "a: {type: shape.remap, in: " in ", to: [0.1, 0.9]}\n" n "b: {type: combine.multiply, a: " n \
      "a, b: in}\n" n "c: {type: combine.add, a: " n "b, b: in}\n" n                               \
      "d: {type: shape.clamp, in: " n "c, low: 0.05, high: 1.5}\n" n                               \
      "e: {type: shape.invert, in: " n "d}\n"

const struct bench_row bench_maps[] = {
    {"shape.remap", "{type: shape.remap, in: in, from: [0.1, 0.9], to: [0.2, 0.7]}", 1, remap},
    {"shape.power", "{type: shape.power, in: in}", 1, power},
    {"shape.power, 1.3", "{type: shape.power, in: in, exponent: 1.3}", 1, NULL},
    {"shape.terrace", "{type: shape.terrace, in: in}", 1, NULL},
    {"shape.curve", "{type: shape.curve, in: in, points: [[0, 0], [0.4, 0.1], [0.6, 0.5], [1, 1]]}",
     1, NULL},
    {"shape.normalize", "{type: shape.normalize, in: in}", 1, NULL},
    {"layer.slide", "{type: layer.slide, rock: in, loose: in}", 1, NULL},
    {"layer.sand", "{type: layer.sand, rock: in, sweeps: 100}", 100, NULL},
    {"shape.blur", "{type: shape.blur, in: in}", 1, NULL},
    {"combine.add, four after each other",
     ADD("a", "in") ADD("b", "a") ADD("c", "b") ADD("out", "c"), 4, NULL,
     BENCH_TERRAIN "other: {type: noise.perlin}\n"},
    {"21 nodes, cell by cell",
     FIVE("i", "in") FIVE("j", "ie") FIVE("k", "je")
         FIVE("l", "ke") "out: {type: combine.maximum, a: le, b: in}\n",
     21, NULL, BENCH_TERRAIN},
    {"combine.formula, the same four sums",
     "{type: combine.formula, a: in, b: other, formula: a + b + b + b + b}", 4, NULL,
     BENCH_TERRAIN "other: {type: noise.perlin}\n"},
    {"combine.formula, a power", "{type: combine.formula, a: in, formula: a ^ 1.5}", 1, power},
    {"mask.slope", "{type: mask.slope, in: in}", 1, NULL},
    {"mask.strata", "{type: mask.strata, in: in, bend: in}", 1, NULL},
    {"mask.distance", "{type: mask.distance, in: mask}", 1, NULL, MASK},
    {"mask.light", "{type: mask.light, in: in}", 1, NULL},
    {"measure.slope", "{type: measure.slope, in: in}", 1, NULL},
    {"measure.statistics", "{type: measure.statistics, in: in}", 1, NULL},
    {"measure.volume", "{type: measure.volume, in: in}", 1, NULL},
    {"measure.pits", "{type: measure.pits, in: in}", 1, NULL},
    {"render.hillshade", "{type: render.hillshade, in: in}", 1, NULL},
    {"render.relief", "{type: render.relief, in: in}", 1, NULL},
    {"render.perspective", "{type: render.perspective, in: in}", 1, NULL},
    {NULL, NULL, 0, NULL},
};
