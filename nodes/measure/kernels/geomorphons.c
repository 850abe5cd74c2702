/* SPDX-License-Identifier: MIT */
/* A direction is higher where nadir angle less zenith angle, the sum of the greatest and the least
 * angle of elevation, exceeds the flatness threshold; a common GIS module compares the larger of
 * both angles instead. */
#include "measure/kernels/geomorphons.h"

#include <thalweg/simd.h>

#include <string.h>

enum { DIRECTIONS = 8, CHUNK = 256 };

/* By the number of lower (row) and of higher directions. */
static const uint8_t forms[DIRECTIONS + 1][DIRECTIONS + 1] = {
    {1, 1, 1, 8, 8, 9, 9, 9, 10}, {1, 1, 8, 8, 8, 9, 9, 9, 0}, {1, 4, 6, 6, 7, 7, 9, 0, 0},
    {4, 4, 6, 6, 6, 7, 0, 0, 0},  {4, 4, 5, 6, 6, 0, 0, 0, 0}, {3, 3, 5, 5, 0, 0, 0, 0, 0},
    {3, 3, 3, 0, 0, 0, 0, 0, 0},  {3, 3, 0, 0, 0, 0, 0, 0, 0}, {2, 0, 0, 0, 0, 0, 0, 0, 0}};

struct job {
    const struct tw_geomorphons *g;
    int32_t *labels;
    const struct tw_task *task;
    enum tw_simd simd;
};

/* With tangents A and B of the two angles, the sine and the cosine of their sum are in the ratio of
 * A + B to 1 - A B. The sum, within -180..180 degrees, has the sign of A + B; a positive one
 * exceeds t, of 0..45 degrees, where (A + B) cos t > (1 - A B) sin t, so no arc is needed. A
 * negative one below t - 180 meets that, too: hence at least 0 on the right. */
static TW_INLINE void compare_body(const struct tw_geomorphons *g, const double *restrict up,
                                   const double *restrict down, int32_t *restrict higher,
                                   int32_t *restrict lower, int32_t count)
{
    double sine = g->sine, cosine = g->cosine;
    for (int32_t i = 0; i < count; i++) {
        double sum = (up[i] + down[i]) * cosine, rest = (1 - up[i] * down[i]) * sine;
        rest = rest > 0 ? rest : 0;
        higher[i] += sum > rest;
        lower[i] += -sum > rest;
    }
}
TW_SIMD_KERNEL(compare,
               (const struct tw_geomorphons *g, const double *up, const double *down,
                int32_t *higher, int32_t *lower, int32_t count),
               (g, up, down, higher, lower, count))

static void classify(const struct job *job, int32_t x, int32_t y, int32_t width)
{
    double up[CHUNK], down[CHUNK];
    int32_t higher[CHUNK] = {0}, lower[CHUNK] = {0};
    const struct tw_horizon *h = &job->g->horizon;
    int32_t *labels = job->labels + (size_t)y * (size_t)h->heights.width + (size_t)x;
    for (int32_t d = 0; d < DIRECTIONS; d++) {
        tw_horizon_row(h, job->simd, d, x, y, width, up, down);
        compare(job->simd)(job->g, up, down, higher, lower, width);
    }
    for (int32_t i = 0; i < width; i++) {
        labels[i] = forms[lower[i]][higher[i]];
        job->g->counts[y][labels[i]]++;
    }
}

static void classify_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    int32_t width = job->g->horizon.heights.width;
    for (int32_t y = begin; y < end && !tw_task_cancelled(job->task); y++) {
        memset(job->g->counts[y], 0, sizeof job->g->counts[y]);
        for (int32_t x = 0; x < width; x += CHUNK)
            classify(job, x, y, width - x < CHUNK ? width - x : CHUNK);
    }
}

enum tw_status tw_geomorphons_init(struct tw_task *task, struct tw_geomorphons *g, float radius,
                                   double flatness, bool wrap)
{
    g->sine = tw_sin_degrees(flatness);
    g->cosine = tw_cos_degrees(flatness);
    g->counts = tw_task_scratch(task, (size_t)tw_task_height(task), sizeof *g->counts);
    if (!g->counts)
        return tw_task_no_memory(task);
    return tw_horizon_init(task, &g->horizon, DIRECTIONS, radius, wrap);
}

enum tw_status tw_geomorphons_find(struct tw_task *task, struct tw_geomorphons *g,
                                   const float *heights, double scale, int32_t *labels,
                                   double shares[TW_LANDFORM_COUNT + 1])
{
    const struct tw_padded *map = &g->horizon.heights;
    struct job job = {g, labels, task, tw_task_simd(task)};
    tw_padded_load(task, map, heights, scale);
    tw_rows(task, map->height, 4, classify_rows, &job);
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    for (int32_t form = 0; form <= TW_LANDFORM_COUNT; form++) {
        int64_t count = 0;
        for (int32_t y = 0; y < map->height; y++)
            count += g->counts[y][form];
        shares[form] = (double)count / ((double)map->width * (double)map->height);
    }
    return TW_OK;
}

void tw_geomorphons_forecast(struct tw_forecast *f, float radius)
{
    struct tw_geomorphons g;
    tw_horizon_forecast(f, radius);
    tw_forecast_scratch(f, (uint64_t)f->height, sizeof *g.counts);
}
