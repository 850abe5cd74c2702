/* SPDX-License-Identifier: MIT */
/* Slopes and light, row pieces at a time. */
#include "render/kernels/hillshade.h"

#include <thalweg/kernel.h>

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

struct rows {
    const float *up, *row, *down;
    float weight; /* of a Horn sum: the scale over 8 */
};

static struct rows rows_at(const struct tw_hillshade_slopes *s, int32_t y)
{
    size_t width = (size_t)s->width;
    return (struct rows){
        s->cells + (size_t)tw_clamp_index(y - 1, s->height) * width, s->cells + (size_t)y * width,
        s->cells + (size_t)tw_clamp_index(y + 1, s->height) * width, s->scale * 0.125f};
}

static TW_INLINE void gradient(const struct rows *r, int32_t left, int32_t x, int32_t right,
                               float *dx, float *dy)
{
    float west = r->up[left] + 2.0f * r->row[left] + r->down[left];
    float east = r->up[right] + 2.0f * r->row[right] + r->down[right];
    float north = r->up[left] + 2.0f * r->up[x] + r->up[right];
    float south = r->down[left] + 2.0f * r->down[x] + r->down[right];
    *dx = (east - west) * r->weight;
    *dy = (south - north) * r->weight;
}

static TW_INLINE void find_body(const struct rows *rows, int32_t width, int32_t x, int32_t count,
                                float *dx, float *dy)
{
    const struct rows r = *rows;
    int32_t first = x == 0, inner = x + count == width ? count - 1 : count;
    for (int32_t i = first; i < inner; i++)
        gradient(&r, x + i - 1, x + i, x + i + 1, dx + i, dy + i);
    if (x == 0)
        gradient(&r, 0, 0, width > 1, dx, dy);
    if (x + count == width && (x != 0 || count > 1))
        gradient(&r, width - 2, width - 1, width - 1, dx + count - 1, dy + count - 1);
}
TW_SIMD_KERNEL(find,
               (const struct rows *rows, int32_t width, int32_t x, int32_t count, float *dx,
                float *dy),
               (rows, width, x, count, dx, dy))

void tw_hillshade_slopes_find(const struct tw_hillshade_slopes *slopes, int32_t y, int32_t x,
                              int32_t count, float *dx, float *dy)
{
    struct rows rows = rows_at(slopes, y);
    find(slopes->simd)(&rows, slopes->width, x, count, dx, dy);
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

float tw_hillshade_light_level(const struct tw_hillshade_light *light)
{
    return tw_hillshade_light_soften(light->z, light->softness);
}
