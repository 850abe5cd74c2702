/* SPDX-License-Identifier: MIT */
/* Separable: a piece of a row is blended from four rows, then from four columns. */
#include "render/kernels/enlarge.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

enum { PIECE = 128, TAPS = 4 };

struct enlargement {
    const float *from;
    float *to;
    int32_t width, height, factor;
    float scale;
    float weights[TW_ENLARGE_MAX][TAPS]; /* of the cells from `first` on, by phase */
    int32_t first[TW_ENLARGE_MAX];       /* relative to the phase's own cell */
    enum tw_simd simd;
};

int32_t tw_enlarge_factor(int32_t width, int32_t height, int32_t picture)
{
    int64_t longest = width > height ? width : height;
    int32_t factor = 1;
    while (factor < TW_ENLARGE_MAX && longest * factor * 8 < (int64_t)picture * 7)
        factor++;
    return factor;
}

static double mitchell(double x)
{
    x = fabs(x);
    if (x < 1)
        return (7 * x * x * x - 12 * x * x + 16.0 / 3) / 6;
    return x < 2 ? (-7.0 / 3 * x * x * x + 12 * x * x - 20 * x + 32.0 / 3) / 6 : 0;
}

static void find_weights(struct enlargement *e)
{
    for (int32_t phase = 0; phase < e->factor; phase++) {
        double at = (phase + 0.5) / e->factor - 0.5;
        e->first[phase] = at < 0 ? -2 : -1;
        for (int32_t tap = 0; tap < TAPS; tap++)
            e->weights[phase][tap] = e->factor == 1 ? (tap == 1 ? 1.0f : 0.0f)
                                                    : (float)mitchell(e->first[phase] + tap - at);
    }
}

/* Columns of the source x .. x + count - 1, all phases. */
static TW_INLINE void piece_body(const struct enlargement *e, int32_t y, int32_t x, int32_t count)
{
    float row[PIECE + 4];
    int32_t phase = y % e->factor, middle = y / e->factor;
    const float *w = e->weights[phase], *rows[TAPS];
    for (int32_t tap = 0; tap < TAPS; tap++)
        rows[tap] = e->from + (size_t)tw_clamp_index(middle + e->first[phase] + tap, e->height) *
                                  (size_t)e->width;
    for (int32_t i = 0; i < count + 4; i++) {
        int32_t at = tw_clamp_index(x - 2 + i, e->width);
        row[i] =
            (w[0] * rows[0][at] + w[1] * rows[1][at]) + (w[2] * rows[2][at] + w[3] * rows[3][at]);
    }
    float *to = e->to + ((size_t)y * (size_t)e->width + (size_t)x) * (size_t)e->factor;
    for (int32_t p = 0; p < e->factor; p++) {
        const float *v = e->weights[p], *from = row + 2 + e->first[p];
        for (int32_t i = 0; i < count; i++)
            to[i * e->factor + p] = ((v[0] * from[i] + v[1] * from[i + 1]) +
                                     (v[2] * from[i + 2] + v[3] * from[i + 3])) *
                                    e->scale;
    }
}
TW_SIMD_KERNEL(piece, (const struct enlargement *e, int32_t y, int32_t x, int32_t count),
               (e, y, x, count))

static void enlarge_rows(void *context, int32_t begin, int32_t end)
{
    const struct enlargement *e = context;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < e->width; x += PIECE)
            piece(e->simd)(e, y, x, e->width - x < PIECE ? e->width - x : PIECE);
}

static void scale_rows(void *context, int32_t begin, int32_t end)
{
    const struct enlargement *e = context;
    for (size_t i = (size_t)begin * (size_t)e->width; i < (size_t)end * (size_t)e->width; i++)
        e->to[i] = e->from[i] * e->scale;
}

void tw_enlarge(struct tw_task *task, const float *from, int32_t width, int32_t height,
                int32_t factor, float scale, float *to)
{
    struct enlargement e = {.from = from,
                            .to = to,
                            .width = width,
                            .height = height,
                            .factor = factor,
                            .scale = scale,
                            .simd = tw_task_simd(task)};
    find_weights(&e);
    tw_rows(task, height * factor, 32, factor == 1 ? scale_rows : enlarge_rows, &e);
}

void tw_enlarge_read(const float *from, int32_t width, int32_t height, int32_t factor, int32_t y,
                     int32_t x, int32_t count, float *to)
{
    if (factor == 1) {
        memcpy(to, from + (size_t)y * (size_t)width + (size_t)x, (size_t)count * sizeof *to);
        return;
    }
    float step = 1.0f / (float)factor, v = ((float)y + 0.5f) * step - 0.5f;
    int32_t top = tw_floor(v);
    const float *upper = from + (size_t)tw_clamp_index(top, height) * (size_t)width;
    const float *lower = from + (size_t)tw_clamp_index(top + 1, height) * (size_t)width;
    float fy = v - (float)top;
    for (int32_t i = 0; i < count; i++) {
        float u = ((float)(x + i) + 0.5f) * step - 0.5f;
        int32_t left = tw_floor(u), a = tw_clamp_index(left, width);
        int32_t b = tw_clamp_index(left + 1, width);
        float fx = u - (float)left;
        float above = upper[a] + (upper[b] - upper[a]) * fx;
        float below = lower[a] + (lower[b] - lower[a]) * fx;
        to[i] = above + (below - above) * fy;
    }
}
