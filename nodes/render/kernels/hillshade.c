/* SPDX-License-Identifier: MIT */
/* Slopes and light, row pieces at a time. */
#include "render/kernels/hillshade.h"

#include <thalweg/gradient.h>

struct tw_hillshade_slopes tw_hillshade_slopes_of(const struct tw_task *task, int input,
                                                  float exaggeration)
{
    return (struct tw_hillshade_slopes){
        tw_floats(tw_task_input(task, input)), tw_task_width(task), tw_task_height(task),
        exaggeration * (float)tw_task_width(task), tw_task_simd(task)};
}

struct tw_hillshade_light tw_hillshade_light_from(float azimuth, float altitude, float softness)
{
    double flat = tw_cos_degrees((double)altitude);
    return (struct tw_hillshade_light){(float)(flat * tw_sin_degrees((double)azimuth)),
                                       (float)(-flat * tw_cos_degrees((double)azimuth)),
                                       (float)tw_sin_degrees((double)altitude), softness};
}

static TW_INLINE void horn(const struct tw_stencil_row *rows, float scale, int32_t left, int32_t x,
                           int32_t right, float *dx, float *dy)
{
    struct tw_around around = tw_stencil_around(rows, left, x, right);
    struct tw_gradient g = tw_gradient_horn(&around, scale);
    *dx = g.dx;
    *dy = g.dy;
}

static TW_INLINE void find_body(const struct tw_stencil_row *rows, float scale, int32_t x,
                                int32_t count, float *dx, float *dy)
{
    const struct tw_stencil_row r = *rows;
    int32_t last = r.width - 1;
    if (last == 0) { /* a single column, so no slope in x */
        for (int32_t i = 0; i < count; i++)
            horn(&r, scale, 0, 0, 0, dx + i, dy + i);
        return;
    }
    bool at_end = x + count > last;
    for (int32_t i = x == 0; i < count - at_end; i++)
        horn(&r, scale, x + i - 1, x + i, x + i + 1, dx + i, dy + i);
    if (x == 0)
        horn(&r, scale, 0, 0, 1, dx, dy);
    if (at_end)
        horn(&r, scale, last - 1, last, last, dx + count - 1, dy + count - 1);
}
TW_SIMD_KERNEL(find,
               (const struct tw_stencil_row *rows, float scale, int32_t x, int32_t count, float *dx,
                float *dy),
               (rows, scale, x, count, dx, dy))

void tw_hillshade_slopes_find(const struct tw_hillshade_slopes *slopes, int32_t y, int32_t x,
                              int32_t count, float *dx, float *dy)
{
    struct tw_stencil_row rows =
        tw_stencil_row_at(slopes->cells, slopes->width, slopes->height, y, false);
    find(slopes->simd)(&rows, slopes->scale, x, count, dx, dy);
}

static TW_INLINE void light_body(const struct tw_hillshade_light *light, const float *dx,
                                 const float *dy, int32_t count, float *shade)
{
    const struct tw_hillshade_light l = *light;
    for (int32_t i = 0; i < count; i++) {
        float along = l.z - l.x * dx[i] - l.y * dy[i];
        float cosine = along / sqrtf(1.0f + dx[i] * dx[i] + dy[i] * dy[i]);
        shade[i] = tw_clamp(tw_hillshade_light_soften(cosine, l.softness), 0.0f, 1.0f);
    }
}
TW_SIMD_KERNEL(light,
               (const struct tw_hillshade_light *light, const float *dx, const float *dy,
                int32_t count, float *shade),
               (light, dx, dy, count, shade))

void tw_hillshade_light_find(const struct tw_hillshade_slopes *slopes,
                             const struct tw_hillshade_light *source, int32_t y, int32_t x,
                             int32_t count, float *shade)
{
    float dx[TW_HILLSHADE_CELLS], dy[TW_HILLSHADE_CELLS];
    tw_hillshade_slopes_find(slopes, y, x, count, dx, dy);
    light(slopes->simd)(source, dx, dy, count, shade);
}
