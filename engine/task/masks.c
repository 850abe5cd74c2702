/* SPDX-License-Identifier: MIT */
/* Blends changes by a mask, and clamps masks to 0..1. */
#include <thalweg/masks.h>

#include <thalweg/kernel.h>

#include <string.h>

static TW_INLINE void blend_body(const float *in, const float *changed, const float *mask,
                                 float *out, size_t count)
{
    TW_INDEPENDENT
    for (size_t i = 0; i < count; i++)
        out[i] = tw_strength_blend(in[i], changed[i], mask[i]);
}
TW_SIMD_KERNEL(blend,
               (const float *in, const float *changed, const float *mask, float *out, size_t count),
               (in, changed, mask, out, count))

void tw_strength_cells(enum tw_simd simd, const float *in, const float *changed, const float *mask,
                       float *out, size_t count)
{
    blend(simd)(in, changed, mask, out, count);
}

struct maps {
    const float *in, *changed, *mask;
    float *out;
    size_t width;
    enum tw_simd simd;
};

static void apply_rows(void *context, int32_t begin, int32_t end)
{
    const struct maps *m = context;
    size_t first = (size_t)begin * m->width, count = (size_t)(end - begin) * m->width;
    if (m->mask)
        tw_strength_cells(m->simd, m->in + first, m->changed + first, m->mask + first,
                          m->out + first, count);
    else if (m->out != m->changed)
        memcpy(m->out + first, m->changed + first, count * sizeof *m->out);
}

void tw_strength_apply(struct tw_task *task, const float *in, const float *changed,
                       const struct tw_value *mask, float *out)
{
    struct maps maps = {in,
                        changed,
                        mask ? tw_floats(mask) : NULL,
                        out,
                        (size_t)tw_task_width(task),
                        tw_task_simd(task)};
    if (mask || out != changed)
        tw_rows(task, tw_task_height(task), 64, apply_rows, &maps);
}

static TW_INLINE void cut_body(float *cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cells[i] = tw_clamp(cells[i], 0.0f, 1.0f);
}
TW_SIMD_KERNEL(cut, (float *cells, size_t count), (cells, count))

void tw_keep_mask_cells(enum tw_simd simd, float *cells, size_t count) { cut(simd)(cells, count); }

struct shares {
    float *cells;
    size_t width;
    enum tw_simd simd;
};

static void clamp_rows(void *context, int32_t begin, int32_t end)
{
    const struct shares *map = context;
    tw_keep_mask_cells(map->simd, map->cells + (size_t)begin * map->width,
                       (size_t)(end - begin) * map->width);
}

void tw_keep_mask(struct tw_task *task)
{
    const struct tw_value *out = tw_task_output(task, 0);
    struct shares map = {tw_floats(out), (size_t)out->width, tw_task_simd(task)};
    if (out->type == TW_MASK)
        tw_rows(task, out->height, 64, clamp_rows, &map);
}
