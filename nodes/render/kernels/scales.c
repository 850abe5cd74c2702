/* SPDX-License-Identifier: MIT */
/* Halving, blurring and reading back, row by row. */
#include "render/kernels/scales.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

struct halving {
    const float *z;
    int32_t from_width, from_height;
    float *to;
    int32_t width;
};

static void halve_rows(void *context, int32_t begin, int32_t end)
{
    const struct halving *h = context;
    for (int32_t y = begin; y < end; y++) {
        size_t below = (size_t)tw_clamp_index(2 * y + 1, h->from_height);
        const float *upper = h->z + 2 * (size_t)y * (size_t)h->from_width;
        const float *lower = h->z + below * (size_t)h->from_width;
        float *to = h->to + (size_t)y * (size_t)h->width;
        for (int32_t x = 0; x < h->from_width / 2; x++)
            to[x] = ((upper[2 * x] + upper[2 * x + 1]) + (lower[2 * x] + lower[2 * x + 1])) * 0.25f;
        if (h->from_width % 2)
            to[h->width - 1] = (upper[h->from_width - 1] + lower[h->from_width - 1]) * 0.5f;
    }
}

struct blur {
    const float *from;
    float *to;
    int32_t width, height, stride;
    enum tw_simd simd;
};

enum { PIECE = 512 };

/* Columns x .. x + count - 1 of a row; `around` gets them with `stride` more at both ends. */
static TW_INLINE void blur_body(const float *const *rows, int32_t width, int32_t stride, int32_t x,
                                int32_t count, float *to)
{
    float column[PIECE + 128] = {0};
    const float *up = rows[0], *at = rows[1], *down = rows[2];
    int32_t first = x - stride, total = count + 2 * stride;
    int32_t begin = first < 0 ? -first : 0, end = total;
    end = first + end > width ? width - first : end;
    for (int32_t i = begin; i < end; i++)
        column[i] = 0.25f * (up[first + i] + down[first + i]) + 0.5f * at[first + i];
    for (int32_t i = 0; i < begin; i++)
        column[i] = column[begin];
    for (int32_t i = end; i < total; i++)
        column[i] = column[end - 1];
    for (int32_t i = 0; i < count; i++)
        to[i] = 0.25f * (column[i] + column[i + 2 * stride]) + 0.5f * column[i + stride];
}
TW_SIMD_KERNEL(blur,
               (const float *const *rows, int32_t width, int32_t stride, int32_t x, int32_t count,
                float *to),
               (rows, width, stride, x, count, to))

static void blur_rows(void *context, int32_t begin, int32_t end)
{
    const struct blur *b = context;
    size_t width = (size_t)b->width;
    for (int32_t y = begin; y < end; y++) {
        const float *const rows[3] = {
            b->from + (size_t)tw_clamp_index(y - b->stride, b->height) * width,
            b->from + (size_t)y * width,
            b->from + (size_t)tw_clamp_index(y + b->stride, b->height) * width};
        for (int32_t x = 0; x < b->width; x += PIECE)
            blur(b->simd)(rows, b->width, b->stride, x, b->width - x < PIECE ? b->width - x : PIECE,
                          b->to + (size_t)y * width + (size_t)x);
    }
}

bool tw_scales_lay_out(struct tw_scratch *scratch, int32_t width, int32_t height,
                       struct tw_scales *s)
{
    *s = (struct tw_scales){.width = (width + 1) / 2, .height = (height + 1) / 2};
    for (int i = 0; i < TW_SCALES; i++)
        s->at[i] =
            tw_scratch_take(scratch, (uint64_t)s->width * (uint64_t)s->height, sizeof(float));
    return tw_scratch_is_laid(scratch);
}

enum tw_status tw_scales_build(struct tw_task *task, const float *z, int32_t width, int32_t height,
                               struct tw_scales *s)
{
    if (!tw_scales_lay_out(&(struct tw_scratch){.task = task}, width, height, s))
        return tw_task_no_memory(task);
    struct halving halving = {z, width, height, s->at[0], s->width};
    tw_rows(task, s->height, 32, halve_rows, &halving);
    for (int i = 0; i + 1 < TW_SCALES; i++) {
        struct blur b = {s->at[i], s->at[i + 1], s->width, s->height, 1 << i, tw_task_simd(task)};
        tw_rows(task, s->height, 16, blur_rows, &b);
    }
    return TW_OK;
}

/* Cell x of the map lies a quarter of a half-cell left or right of the middle of half-cell x/2. */
static TW_INLINE void read_body(const float *near, const float *far, int32_t width, int32_t x,
                                int32_t count, float *to)
{
    float row[TW_SCALES_CELLS / 2 + 2] = {0};
    int32_t first = x / 2 - 1, halves = (count + 1) / 2;
    for (int32_t i = 0; i < halves + 2; i++) {
        int32_t at = tw_clamp_index(first + i, width);
        row[i] = 0.75f * near[at] + 0.25f * far[at];
    }
    for (int32_t i = 0; i < count / 2; i++) {
        to[2 * i] = 0.25f * row[i] + 0.75f * row[i + 1];
        to[2 * i + 1] = 0.75f * row[i + 1] + 0.25f * row[i + 2];
    }
    if (count % 2)
        to[count - 1] = 0.25f * row[halves - 1] + 0.75f * row[halves];
}
TW_SIMD_KERNEL(read,
               (const float *near, const float *far, int32_t width, int32_t x, int32_t count,
                float *to),
               (near, far, width, x, count, to))

void tw_scales_read(enum tw_simd simd, const float *plane, const struct tw_scales *scales,
                    int32_t y, int32_t x, int32_t count, float *to)
{
    int32_t other = tw_clamp_index(y % 2 ? y / 2 + 1 : y / 2 - 1, scales->height);
    size_t width = (size_t)scales->width;
    read(simd)(plane + (size_t)(y / 2) * width, plane + (size_t)other * width, scales->width, x,
               count, to);
}
