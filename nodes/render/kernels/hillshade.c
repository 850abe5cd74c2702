/* SPDX-License-Identifier: MIT */
/* Slopes and light, row pieces at a time. */
#include "render/kernels/hillshade.h"

#include <thalweg/gradient.h>

struct tw_hillshade_slopes tw_hillshade_slopes_of(const struct tw_task *task, int input,
                                                  float exaggeration, int32_t border)
{
    return (struct tw_hillshade_slopes){.cells = tw_floats(tw_task_input(task, input)),
                                        .width = tw_task_width(task),
                                        .height = tw_task_height(task),
                                        .scale = exaggeration * (float)tw_task_width(task),
                                        .wrap = tw_task_wraps(task, border),
                                        .simd = tw_task_simd(task)};
}

struct tw_hillshade_light tw_hillshade_light_from(float azimuth, float altitude, float softness)
{
    double flat = tw_cos_degrees((double)altitude);
    return (struct tw_hillshade_light){(float)(flat * tw_sin_degrees((double)azimuth)),
                                       (float)(-flat * tw_cos_degrees((double)azimuth)),
                                       (float)tw_sin_degrees((double)altitude), softness};
}

/* A row of the map and those around it. */
struct line {
    struct tw_stencil_row rows;
    float scale;
};

static TW_INLINE void horn(struct tw_around around, float scale, float *dx, float *dy)
{
    struct tw_gradient g = tw_gradient_horn(&around, scale);
    *dx = g.dx;
    *dy = g.dy;
}

static TW_INLINE void find_body(const struct line *line, int32_t x, int32_t count, float *dx,
                                float *dy)
{
    const struct tw_stencil_row r = line->rows;
    const float scale = line->scale;
    const bool whole = !r.first && !r.last;
    int32_t last = r.width - 1, stop = count - (x + count > last);
    for (int32_t i = x == 0; whole && i < stop; i++)
        horn(tw_stencil_inside(&r, x + i - 1, x + i, x + i + 1), scale, dx + i, dy + i);
    for (int32_t i = x == 0; !whole && i < stop; i++)
        horn(tw_stencil_beyond(&r, tw_stencil_inside(&r, x + i - 1, x + i, x + i + 1)), scale,
             dx + i, dy + i);
    if (x == 0)
        horn(tw_stencil_around(&r, 0), scale, dx, dy);
    if (stop < count && last > 0)
        horn(tw_stencil_around(&r, last), scale, dx + stop, dy + stop);
}
TW_SIMD_KERNEL(find, (const struct line *line, int32_t x, int32_t count, float *dx, float *dy),
               (line, x, count, dx, dy))

void tw_hillshade_slopes_find(const struct tw_hillshade_slopes *slopes, int32_t y, int32_t x,
                              int32_t count, float *dx, float *dy)
{
    const struct tw_hillshade_slopes *s = slopes;
    const struct line line = {.rows = tw_stencil_row_at(s->cells, s->width, s->height, y, s->wrap),
                              .scale = s->scale};
    find(s->simd)(&line, x, count, dx, dy);
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
