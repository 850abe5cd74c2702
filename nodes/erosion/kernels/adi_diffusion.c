/* SPDX-License-Identifier: MIT */
/* Thomas' algorithm for -a z(i-1) + (1 + 2a) z(i) - a z(i+1) = d(i) between fixed ends: with
 * p(i) = 1 / (1 + 2a - a^2 p(i-1)), p(0) = 0, the forward sweep is d(i) = (d(i) + a d(i-1)) p(i)
 * and the backward one z(i) = d(i) + a p(i) z(i+1). The end z(0) enters as d(0) with weight a. */
#include "erosion/kernels/adi_diffusion.h"
#include "common/simd.h"

enum { ABREAST = 8 }; /* rows swept together, so that their chains of operations overlap */

struct sweep {
    const struct tw_adi_diffusion *s;
    float *z;
    void (*columns)(const struct sweep *, int32_t, int32_t);
};

static void sweep_row_group(const struct tw_adi_diffusion *s, float *z, int32_t rows)
{
    size_t w = (size_t)s->width, count = (size_t)rows;
    float a = s->a;
    for (size_t x = 1; x < w - 1; x++)
        for (size_t r = 0; r < count; r++)
            z[r * w + x] = (z[r * w + x] + a * z[r * w + x - 1]) * s->across[x];
    for (size_t x = w - 2; x > 0; x--)
        for (size_t r = 0; r < count; r++)
            z[r * w + x] += a * s->across[x] * z[r * w + x + 1];
}

static void sweep_rows(void *context, int32_t begin, int32_t end)
{
    const struct sweep *sweep = context;
    int32_t w = sweep->s->width, h = sweep->s->height;
    for (int32_t y = begin > 1 ? begin : 1; y < end && y < h - 1;) {
        int32_t last = end < h - 1 ? end : h - 1, rows = last - y < ABREAST ? last - y : ABREAST;
        float *z = sweep->z + (size_t)y * (size_t)w;
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
    size_t w = (size_t)s->width, first = (size_t)begin, last = (size_t)end;
    for (int32_t y = 1; y < s->height - 1; y++) {
        float *here = sweep->z + (size_t)y * w, *up = here - w, p = s->along[y], a = s->a;
        for (size_t x = first; x < last; x++)
            here[x] = (here[x] + a * up[x]) * p;
    }
    for (int32_t y = s->height - 2; y > 0; y--) {
        float *here = sweep->z + (size_t)y * w, *down = here + w, f = s->a * s->along[y];
        for (size_t x = first; x < last; x++)
            here[x] += f * down[x];
    }
}
TW_SIMD_KERNEL(columns, (const struct sweep *sweep, int32_t begin, int32_t end),
               (sweep, begin, end))

static void sweep_columns(void *context, int32_t begin, int32_t end)
{
    const struct sweep *sweep = context;
    int32_t last = end < sweep->s->width - 1 ? end : sweep->s->width - 1;
    sweep->columns(sweep, begin > 1 ? begin : 1, last);
}

static void set_pivots(float *pivots, int32_t count, double a)
{
    double p = 0;
    for (int32_t i = 1; i < count - 1; i++) {
        p = 1 / (1 + 2 * a - a * a * p);
        pivots[i] = (float)p;
    }
}

enum tw_status tw_adi_diffusion_init(struct tw_task *task, struct tw_adi_diffusion *s, float a)
{
    *s = (struct tw_adi_diffusion){
        .a = a, .width = tw_task_width(task), .height = tw_task_height(task)};
    s->across = tw_task_scratch(task, (size_t)s->width, sizeof *s->across);
    s->along = tw_task_scratch(task, (size_t)s->height, sizeof *s->along);
    if (!s->across || !s->along)
        return tw_task_no_memory(task);
    set_pivots(s->across, s->width, (double)a);
    set_pivots(s->along, s->height, (double)a);
    return TW_OK;
}

void tw_adi_diffusion_step(struct tw_task *task, const struct tw_adi_diffusion *s, float *z)
{
    struct sweep sweep = {s, z, columns(tw_task_simd(task))};
    if (s->width < 3 || s->height < 3)
        return;
    tw_rows(task, s->height, 16, sweep_rows, &sweep);
    tw_rows(task, s->width, 64, sweep_columns, &sweep);
}
