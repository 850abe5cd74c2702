/* SPDX-License-Identifier: MIT */
/* Sixteen azimuths, eleven distances up to 96 half-cells, whole-cell offsets: a row is one vector
 * loop per sample. Beyond the border the sky is open. */
#include "render/kernels/sky_view.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

enum { AZIMUTHS = 16, DISTANCES = 11, PIECE = 512 };

static const struct {
    int32_t distance, level;
} samples[DISTANCES] = {{1, 0},  {2, 0},  {3, 0},  {5, 1},  {8, 1}, {12, 2},
                        {18, 2}, {28, 3}, {42, 3}, {64, 4}, {96, 4}};

struct view {
    const struct tw_scales *scales;
    struct tw_sky_view to;
    int32_t dx[AZIMUTHS][DISTANCES], dy[AZIMUTHS][DISTANCES];
    float nearness[DISTANCES]; /* 1 / distance, per cell */
    float sunward[AZIMUTHS];   /* 1 + cos of the angle to the sun */
    struct tw_task *task;
    enum tw_simd simd;
};

static TW_INLINE void raise_horizon(const float *far, const float *z, float nearness,
                                    float *horizon, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        horizon[i] = tw_max(horizon[i], (far[i] - z[i]) * nearness);
}

static TW_INLINE void add_sky(const float *horizon, float weight, float *all, float *sunward,
                              int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        float sky = 1.0f / (1.0f + horizon[i] * horizon[i]);
        all[i] += sky;
        sunward[i] += sky * weight;
    }
}

static TW_INLINE void find_body(const struct view *v, int32_t y, int32_t x, int32_t count)
{
    float horizon[PIECE] = {0}, all[PIECE] = {0}, sunward[PIECE] = {0};
    const struct tw_scales *s = v->scales;
    size_t width = (size_t)s->width, at = (size_t)y * width + (size_t)x;
    const float *z = s->at[0] + at;
    for (int32_t a = 0; a < AZIMUTHS; a++) {
        for (int32_t i = 0; i < count; i++)
            horizon[i] = 0;
        for (int32_t d = 0; d < DISTANCES; d++) {
            int32_t row = y + v->dy[a][d], column = x + v->dx[a][d];
            int32_t first = column < 0 ? -column : 0;
            int32_t last = column + count > s->width ? s->width - column : count;
            if (row < 0 || row >= s->height || first >= last)
                continue;
            const float *far = s->at[samples[d].level] + (size_t)row * width;
            raise_horizon(far + (column + first), z + first, v->nearness[d], horizon + first,
                          last - first);
        }
        add_sky(horizon, v->sunward[a], all, sunward, count);
    }
    for (int32_t i = 0; i < count; i++) {
        v->to.all[at + (size_t)i] = all[i] * (1.0f / AZIMUTHS);
        v->to.sunward[at + (size_t)i] = sunward[i] * (1.0f / AZIMUTHS);
    }
}
TW_SIMD_KERNEL(find, (const struct view *v, int32_t y, int32_t x, int32_t count), (v, y, x, count))

static void find_rows(void *context, int32_t begin, int32_t end)
{
    const struct view *v = context;
    int32_t width = v->scales->width;
    for (int32_t y = begin; y < end && !tw_task_cancelled(v->task); y++)
        for (int32_t x = 0; x < width; x += PIECE)
            find(v->simd)(v, y, x, width - x < PIECE ? width - x : PIECE);
}

static int32_t nearest(double v) { return (int32_t)(v < 0 ? v - 0.5 : v + 0.5); }

static void aim(struct view *v, double sun_azimuth)
{
    for (int32_t a = 0; a < AZIMUTHS; a++) {
        double azimuth = 360.0 * (a + 0.5) / AZIMUTHS;
        v->sunward[a] = (float)(1 + tw_cos_degrees(azimuth - sun_azimuth));
        for (int32_t d = 0; d < DISTANCES; d++) {
            v->dx[a][d] = nearest(samples[d].distance * tw_sin_degrees(azimuth));
            v->dy[a][d] = nearest(-samples[d].distance * tw_cos_degrees(azimuth));
        }
    }
    for (int32_t d = 0; d < DISTANCES; d++)
        v->nearness[d] = 0.5f / (float)samples[d].distance; /* heights are in whole cells */
}

bool tw_sky_view_lay_out(struct tw_scratch *scratch, const struct tw_scales *scales,
                         struct tw_sky_view *view)
{
    const uint64_t cells = (uint64_t)scales->width * (uint64_t)scales->height;
    view->all = tw_scratch_take(scratch, cells, sizeof *view->all);
    view->sunward = tw_scratch_take(scratch, cells, sizeof *view->sunward);
    return tw_scratch_is_laid(scratch);
}

enum tw_status tw_sky_view_find(struct tw_task *task, const struct tw_scales *scales,
                                double sun_azimuth, struct tw_sky_view *view)
{
    struct view v = {.scales = scales, .task = task, .simd = tw_task_simd(task)};
    if (!tw_sky_view_lay_out(&(struct tw_scratch){.task = task}, scales, &v.to))
        return tw_task_no_memory(task);
    aim(&v, sun_azimuth);
    tw_rows(task, scales->height, 4, find_rows, &v);
    *view = v.to;
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}
