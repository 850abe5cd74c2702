/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"
#include "reference/olsen.h"

static void passes(float *map, int32_t width, int32_t height, float talus, ref_visit *visit)
{
    const struct ref_map m = {
        .h = map, .width = width, .height = height, .threshold = talus / (float)width};
    for (int i = 0; i < 50; i++)
        ref_pass(&m, false, i, visit);
}

static void olsen(float *map, int32_t width, int32_t height)
{
    passes(map, width, height, 16, ref_olsen_visit);
}

static void thermal_fast(float *map, int32_t width, int32_t height)
{
    passes(map, width, height, 4, ref_thermal_rotated_visit);
}

static void thermal(float *map, int32_t width, int32_t height)
{
    ref_thermal(map, NULL, (struct ref_size){width, height, false}, 4 / (float)width, 0.5f, 50);
}

static void hydraulic_fast(float *map, int32_t width, int32_t height)
{
    size_t count = (size_t)width * (size_t)height;
    struct ref_map m = {.h = map,
                        .w = malloc(count * sizeof(float)),
                        .width = width,
                        .height = height,
                        .carried = 0.01f,
                        .evaporate = 0.5f};
    if (m.w)
        ref_hydraulic_fast(&m, false, 100, 0.01f);
    free(m.w);
}

static void hydraulic(float *map, int32_t width, int32_t height)
{
    const struct ref_rain rain = {0.01f, 0.01f, 0.5f, 0.01f, 100, NULL, NULL};
    float *maps = malloc(2 * (size_t)width * (size_t)height * sizeof *maps);
    if (maps)
        ref_hydraulic(map, maps, (struct ref_size){width, height, false}, &rain);
    free(maps);
}

const struct bench_row bench_olsen[] = {
    {"erosion.olsen", "{type: erosion.olsen, in: in, iterations: 50}", 50, olsen},
    {"erosion.thermal_fast", "{type: erosion.thermal_fast, in: in, iterations: 50}", 50,
     thermal_fast},
    {"erosion.thermal", "{type: erosion.thermal, in: in, iterations: 50}", 50, thermal},
    {"erosion.hydraulic_fast", "{type: erosion.hydraulic_fast, in: in, iterations: 100}", 100,
     hydraulic_fast},
    {"erosion.hydraulic", "{type: erosion.hydraulic, in: in, iterations: 100}", 100, hydraulic},
    {"measure.score", "{type: measure.score, in: in}", 1, NULL},
    {NULL, NULL, 0, NULL},
};
