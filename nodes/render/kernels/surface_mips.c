/* SPDX-License-Identifier: MIT */
/* Means are of light, not of what is stored, which is its root. */
#include "render/kernels/surface_mips.h"

struct halving {
    const struct tw_surface_cell *from;
    struct tw_surface_cell *to;
    int32_t from_width, from_height, width;
    enum tw_simd simd;
};

static TW_INLINE uint16_t mean_light(uint16_t a, uint16_t b, uint16_t c, uint16_t d)
{
    float sum =
        ((float)a * (float)a + (float)b * (float)b) + ((float)c * (float)c + (float)d * (float)d);
    return (uint16_t)(int32_t)(sqrtf(sum * 0.25f) + 0.5f);
}

static TW_INLINE struct tw_surface_cell mean_cell(const struct tw_surface_cell *a,
                                                  const struct tw_surface_cell *b,
                                                  const struct tw_surface_cell *c,
                                                  const struct tw_surface_cell *d)
{
    return (struct tw_surface_cell){
        mean_light(a->red, b->red, c->red, d->red),
        mean_light(a->green, b->green, c->green, d->green),
        mean_light(a->blue, b->blue, c->blue, d->blue),
        (uint16_t)((a->water + b->water + c->water + d->water + 2) / 4)};
}

static TW_INLINE void halve_body(const struct halving *h, int32_t y)
{
    const struct tw_surface_cell *upper = h->from + 2 * (size_t)y * (size_t)h->from_width;
    const struct tw_surface_cell *lower =
        h->from + (size_t)tw_clamp_index(2 * y + 1, h->from_height) * (size_t)h->from_width;
    struct tw_surface_cell *to = h->to + (size_t)y * (size_t)h->width;
    int32_t pairs = h->from_width / 2;
    for (int32_t x = 0; x < pairs; x++)
        to[x] = mean_cell(upper + 2 * x, upper + 2 * x + 1, lower + 2 * x, lower + 2 * x + 1);
    if (h->from_width % 2)
        to[pairs] =
            mean_cell(upper + 2 * pairs, upper + 2 * pairs, lower + 2 * pairs, lower + 2 * pairs);
}
TW_SIMD_KERNEL(halve, (const struct halving *h, int32_t y), (h, y))

static void halve_rows(void *context, int32_t begin, int32_t end)
{
    const struct halving *h = context;
    for (int32_t y = begin; y < end; y++)
        halve(h->simd)(h, y);
}

enum tw_status tw_surface_mips_build(struct tw_task *task, const struct tw_surface_cell *cells,
                                     int32_t width, int32_t height, struct tw_surface_mips *mips)
{
    struct tw_surface_mips m = {.at = {cells}, .width = {width}, .height = {height}, .levels = 1};
    while (width > 1 || height > 1) {
        int32_t half_width = (width + 1) / 2, half_height = (height + 1) / 2;
        struct tw_surface_cell *to = tw_task_scratch(task, (size_t)half_width * (size_t)half_height,
                                                     sizeof(struct tw_surface_cell));
        if (!to)
            return tw_task_no_memory(task);
        struct halving h = {m.at[m.levels - 1], to, width, height, half_width, tw_task_simd(task)};
        tw_rows(task, half_height, 16, halve_rows, &h);
        width = m.width[m.levels] = half_width;
        height = m.height[m.levels] = half_height;
        m.at[m.levels++] = to;
    }
    *mips = m;
    return TW_OK;
}

void tw_surface_mips_forecast(struct tw_forecast *f, int32_t width, int32_t height)
{
    while (width > 1 || height > 1) {
        width = (width + 1) / 2;
        height = (height + 1) / 2;
        tw_forecast_scratch(f, (uint64_t)width * (uint64_t)height, sizeof(struct tw_surface_cell));
    }
}
