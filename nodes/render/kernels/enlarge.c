/* SPDX-License-Identifier: MIT */
/* Separable: a piece of a row is blended from four rows, then from four columns. A cell is
 * x + sum w (x' - x) over its three neighbours x', so that level ground stays level to the bit:
 * rounded weights sum to 1 only nearly, and a picture would stretch what is left into relief. */
#include "render/kernels/enlarge.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

enum { PIECE = 128, MARGIN = 2 };

/* Of the cells around, the cell's own weight being what is left of 1. */
struct weights {
    float before, after; /* of the two next to it */
    float far;           /* of the one that is next but one */
    int32_t where;       /* that one: -2 before, 2 after */
};

struct enlargement {
    const float *from;
    float *to;
    int32_t width, height, factor;
    float datum, scale;
    struct weights weights[TW_ENLARGE_MAX]; /* by phase */
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

float tw_enlarge_datum(const float *from, float exaggeration)
{
    return fabsf(from[0]) * exaggeration > 1 ? from[0] : 0;
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
        int32_t where = at < 0 ? -2 : 2;
        e->weights[phase] = (struct weights){(float)mitchell(-1 - at), (float)mitchell(1 - at),
                                             (float)mitchell(where - at), where};
    }
}

/* What a cell differs by from its own. */
static TW_INLINE float blend(const struct weights *w, float own, float before, float after,
                             float far)
{
    return (w->before * (before - own) + w->after * (after - own)) + w->far * (far - own);
}

static const float *row_at(const struct enlargement *e, int32_t y)
{
    return e->from + (size_t)tw_clamp_index(y, e->height) * (size_t)e->width;
}

/* Row y at the source's columns first .. first + count - 1, some of which may lie beyond it. */
static TW_INLINE void blend_rows(const struct enlargement *e, int32_t y, int32_t first,
                                 int32_t count, float *row)
{
    int32_t middle = y / e->factor, begin = first < 0 ? -first : 0;
    int32_t end = e->width - first < count ? e->width - first : count;
    const struct weights *w = &e->weights[y % e->factor];
    const float *own = row_at(e, middle) + (first + begin);
    const float *before = row_at(e, middle - 1) + (first + begin);
    const float *after = row_at(e, middle + 1) + (first + begin);
    const float *far = row_at(e, middle + w->where) + (first + begin);
    for (int32_t i = 0; i < end - begin; i++)
        row[begin + i] = (own[i] - e->datum) + blend(w, own[i], before[i], after[i], far[i]);
    for (int32_t i = 0; i < begin; i++)
        row[i] = row[begin];
    for (int32_t i = end; i < count; i++)
        row[i] = row[end - 1];
}

/* Columns of the source x .. x + count - 1, all phases. */
static TW_INLINE void piece_body(const struct enlargement *e, int32_t y, int32_t x, int32_t count)
{
    float row[PIECE + 2 * MARGIN];
    blend_rows(e, y, x - MARGIN, count + 2 * MARGIN, row);
    float *to = e->to + ((size_t)y * (size_t)e->width + (size_t)x) * (size_t)e->factor;
    for (int32_t p = 0; p < e->factor; p++) {
        const struct weights w = e->weights[p];
        const float *own = row + MARGIN, *far = own + w.where;
        for (int32_t i = 0; i < count; i++)
            to[i * e->factor + p] =
                (own[i] + blend(&w, own[i], own[i - 1], own[i + 1], far[i])) * e->scale;
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
        e->to[i] = (e->from[i] - e->datum) * e->scale;
}

void tw_enlarge(struct tw_task *task, const float *from, int32_t width, int32_t height,
                int32_t factor, float datum, float scale, float *to)
{
    struct enlargement e = {.from = from,
                            .to = to,
                            .width = width,
                            .height = height,
                            .factor = factor,
                            .datum = datum,
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
