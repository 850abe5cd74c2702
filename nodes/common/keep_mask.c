/* SPDX-License-Identifier: MIT */
/* Shares cut to 0..1. */
#include "common/keep_mask.h"

#include "common/simd.h"

#include <thalweg/kernel.h>

static TW_INLINE void cut_body(float *cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cells[i] = tw_clamp(cells[i], 0.0f, 1.0f);
}
TW_SIMD_KERNEL(cut, (float *cells, size_t count), (cells, count))

void tw_keep_mask_cells(enum tw_simd simd, float *cells, size_t count) { cut(simd)(cells, count); }

struct map {
    float *cells;
    size_t width;
    enum tw_simd simd;
};

static void cut_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    tw_keep_mask_cells(map->simd, map->cells + (size_t)begin * map->width,
                       (size_t)(end - begin) * map->width);
}

void tw_keep_mask(struct tw_task *task)
{
    const struct tw_value *out = tw_task_output(task, 0);
    struct map map = {tw_floats(out), (size_t)out->width, tw_task_simd(task)};
    if (out->type == TW_MASK)
        tw_rows(task, out->height, 64, cut_rows, &map);
}
