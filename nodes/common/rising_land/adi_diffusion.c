/* SPDX-License-Identifier: MIT */
/* Thomas' algorithm for -a(i) z(i-1) + b(i) z(i) - a(i+1) z(i+1) = d(i), where b(i) is 1 + a(i) +
 * a(i+1) and a(i) lies between the cells i - 1 and i, 0 at a closed end: with p(i) = 1 / (b(i) -
 * a(i)^2 p(i-1)) the forward sweep is d(i) = (d(i) + a(i) d(i-1)) p(i) and the backward one z(i) =
 * d(i) + a(i+1) p(i) z(i+1). A fixed end z(0) enters as d(0) with weight a. On a ring, where a is
 * the same everywhere, with g = -(1 + 2a) the same is solved for b(0) - g and b(n-1) - a^2 / g;
 * then z loses q (z(0) - a / g z(n-1)) / (1 + q(0) - a / g q(n-1)), where q solves it for (g, 0,
 * ..., 0, -a). */
#include "common/rising_land/adi_diffusion.h"

#include <thalweg/simd.h>

enum { ABREAST = 8 }; /* rows swept together, so that their chains of operations overlap */

struct sweep {
    const struct tw_adi_diffusion *s;
    float *z;
    void (*columns)(const struct sweep *, int32_t, int32_t);
};

static void close_row(const struct tw_adi_line *line, float *z)
{
    float correction = (z[0] + line->tail * z[line->last - 1]) * line->scale;
    for (int32_t x = 0; x < line->last; x++)
        z[x] -= line->closing[x] * correction;
}

static void sweep_row_group(const struct tw_adi_diffusion *s, float *z, int32_t rows)
{
    const struct tw_adi_line *line = &s->across;
    size_t w = (size_t)s->width, count = (size_t)rows;
    size_t first = (size_t)line->first, last = (size_t)line->last;
    for (size_t r = 0; first == 0 && r < count; r++)
        z[r * w] *= line->pivots[0];
    for (size_t x = first ? first : 1; x < last; x++)
        for (size_t r = 0; r < count; r++)
            z[r * w + x] = (z[r * w + x] + line->a[x] * z[r * w + x - 1]) * line->pivots[x];
    for (size_t x = first ? last : last - 1; x-- > first;)
        for (size_t r = 0; r < count; r++)
            z[r * w + x] += line->back[x] * z[r * w + x + 1];
    for (size_t r = 0; line->closing && r < count; r++)
        close_row(line, z + r * w);
}

static void sweep_rows(void *context, int32_t begin, int32_t end)
{
    const struct sweep *sweep = context;
    const struct tw_adi_line *along = &sweep->s->along; /* rows that are unknown */
    int32_t last = end < along->last ? end : along->last;
    for (int32_t y = begin > along->first ? begin : along->first; y < last;) {
        int32_t rows = last - y < ABREAST ? last - y : ABREAST;
        float *z = sweep->z + (size_t)y * (size_t)sweep->s->width;
        if (rows == ABREAST)
            sweep_row_group(sweep->s, z, ABREAST);
        else
            sweep_row_group(sweep->s, z, rows);
        y += rows;
    }
}

static TW_INLINE void columns_body(const struct sweep *sweep, int32_t begin, int32_t end)
{
    const struct tw_adi_diffusion *s = sweep->s;
    const struct tw_adi_line *line = &s->along;
    size_t w = (size_t)s->width, first = (size_t)begin, last = (size_t)end;
    float *top = sweep->z, *kept = s->kept;
    for (size_t x = first; line->first == 0 && x < last; x++)
        top[x] *= line->pivots[0];
    for (int32_t y = line->first ? line->first : 1; y < line->last; y++) {
        float *here = top + (size_t)y * w, *up = here - w, a = line->a[y], p = line->pivots[y];
        for (size_t x = first; x < last; x++)
            here[x] = (here[x] + a * up[x]) * p;
    }
    for (int32_t y = line->first ? line->last : line->last - 1; y-- > line->first;) {
        float *here = top + (size_t)y * w, *down = here + w, f = line->back[y];
        for (size_t x = first; x < last; x++)
            here[x] += f * down[x];
    }
    if (!line->closing)
        return;
    for (size_t x = first; x < last; x++)
        kept[x] = (top[x] + line->tail * top[(size_t)(line->last - 1) * w + x]) * line->scale;
    for (int32_t y = 0; y < line->last; y++)
        for (size_t x = first; x < last; x++)
            top[(size_t)y * w + x] -= line->closing[y] * kept[x];
}
TW_SIMD_KERNEL(columns, (const struct sweep *sweep, int32_t begin, int32_t end),
               (sweep, begin, end))

static void sweep_columns(void *context, int32_t begin, int32_t end)
{
    const struct sweep *sweep = context;
    const struct tw_adi_line *across = &sweep->s->across;
    int32_t last = end < across->last ? end : across->last;
    sweep->columns(sweep, begin > across->first ? begin : across->first, last);
}

/* The ring's q, by the same two sweeps in double. */
static void set_closing(struct tw_adi_line *line, double *q, double a, double g)
{
    int32_t n = line->last;
    for (int32_t i = 0; i < n; i++) {
        double right = i == 0 ? g : i == n - 1 ? -a : 0;
        q[i] = (right + (i ? a * q[i - 1] : 0)) * (double)line->pivots[i];
    }
    for (int32_t i = n - 1; i-- > 0;)
        q[i] += a * (double)line->pivots[i] * q[i + 1];
    double tail = -a / g;
    line->tail = (float)tail;
    line->scale = (float)(1 / (1 + q[0] + tail * q[n - 1]));
    for (int32_t i = 0; i < n; i++)
        line->closing[i] = (float)q[i];
}

/* Of the sides between cells; a line's end is a side, too, through which nothing goes from a fade
 * of 0 on. */
static void set_sides(struct tw_adi_line *line, int32_t count, float a, double fade)
{
    for (int32_t i = 0; i <= count; i++) {
        double end = i < count - i ? i : count - i;
        line->a[i] = end > fade ? a : end > 0 ? (float)((double)a * end / fade) : 0;
    }
}

static void set_pivots(struct tw_adi_line *line, int32_t count, bool ring)
{
    double p = 0;
    for (int32_t i = line->first; i < line->last; i++) {
        double a = (double)line->a[i], next = (double)line->a[i + 1], b = 1 + (a + next);
        double g = -b;
        if (ring)
            b -= i == 0 ? g : i == count - 1 ? a * a / g : 0;
        p = 1 / (b - a * a * p);
        line->pivots[i] = (float)p;
        line->back[i] = line->a[i + 1] * line->pivots[i];
    }
}

static enum tw_status set_line(struct tw_task *task, struct tw_adi_line *line, int32_t count,
                               float a, enum tw_adi_ends ends, double fade)
{
    bool ring = ends == TW_ADI_WRAP && count > 2;
    *line = (struct tw_adi_line){.first = ends == TW_ADI_FIXED, .last = count};
    line->last -= ends == TW_ADI_FIXED && count > 1;
    line->a = tw_task_scratch(task, (size_t)count + 1, 3 * sizeof *line->a);
    double *q = ring ? tw_task_scratch(task, (size_t)count, sizeof *q) : NULL;
    line->closing = ring ? tw_task_scratch(task, (size_t)count, sizeof *line->closing) : NULL;
    if (!line->a || (ring && (!q || !line->closing)))
        return tw_task_no_memory(task);
    line->pivots = line->a + count + 1;
    line->back = line->pivots + count + 1;
    set_sides(line, count, a, ends == TW_ADI_FIXED || ring ? -1 : ends == TW_ADI_WRAP ? 0 : fade);
    set_pivots(line, count, ring);
    if (ring)
        set_closing(line, q, (double)a, -(1 + 2 * (double)a));
    return TW_OK;
}

enum tw_status tw_adi_diffusion_init(struct tw_task *task, struct tw_adi_diffusion *s, float a,
                                     enum tw_adi_ends ends, double fade)
{
    *s = (struct tw_adi_diffusion){.width = tw_task_width(task), .height = tw_task_height(task)};
    s->kept = tw_task_scratch(task, (size_t)s->width, sizeof *s->kept);
    if (!s->kept)
        return tw_task_no_memory(task);
    enum tw_status status = set_line(task, &s->across, s->width, a, ends, fade);
    return status == TW_OK ? set_line(task, &s->along, s->height, a, ends, fade) : status;
}

void tw_adi_diffusion_step(struct tw_task *task, const struct tw_adi_diffusion *s, float *z)
{
    struct sweep sweep = {s, z, columns(tw_task_simd(task))};
    if (s->across.first >= s->across.last || s->along.first >= s->along.last)
        return;
    tw_rows(task, s->height, 16, sweep_rows, &sweep);
    tw_rows(task, s->width, 64, sweep_columns, &sweep);
}

void tw_adi_diffusion_forecast(struct tw_forecast *f)
{
    uint64_t lines = (uint64_t)f->width + (uint64_t)f->height;
    tw_forecast_scratch(f, (uint64_t)f->width, sizeof(float));
    tw_forecast_scratch(f, lines + 2, 4 * sizeof(float) + sizeof(double)); /* of a ring */
}
