/* SPDX-License-Identifier: MIT */
/* All cells of a stretch of a row take the same step at the same time: their samples lie side by
 * side. */
#include "common/shadows/horizon.h"

#include "common/sides.h"

#include <thalweg/simd.h>

#define NOTHING 1e300 /* beyond every tangent */

/* Multiples of 45 degrees meet centres exactly. */
static struct tw_horizon_direction direction_of(int32_t i, int32_t count, double radius)
{
    double degrees = 360.0 * i / count;
    double east = tw_sin_degrees(degrees), south = -tw_cos_degrees(degrees);
    double wide = east < 0 ? -east : east, high = south < 0 ? -south : south;
    int32_t eighth = 8 * i % count == 0 ? 8 * i / count : -1;
    struct tw_horizon_direction d = {.columns = wide > high};
    double along = d.columns ? east : south, across = d.columns ? south : east;
    if (eighth >= 0) {
        d.columns = eighth % 2 == 1 || eighth % 4 == 2;
        along = d.columns ? eighth < 4 ? 1 : -1 : eighth == 0 ? -1 : 1;
        across = eighth % 2 == 0 ? 0 : eighth == 1 || eighth == 7 ? -1 : 1;
    }
    d.sign = along < 0 ? -1 : 1;
    d.across = across / (along < 0 ? -along : along);
    d.length = sqrt(1 + d.across * d.across);
    double steps = radius / d.length;
    d.steps = steps >= 1 ? (int32_t)steps : 1;
    return d;
}

static int32_t pad_of(double cells) { return (int32_t)cells + 2; }

enum tw_status tw_horizon_init(struct tw_task *task, struct tw_horizon *h, int32_t count,
                               float radius, bool wrap)
{
    double cells = tw_sides_in_cells(radius, tw_task_width(task));
    h->count = count;
    for (int32_t i = 0; i < count; i++)
        h->directions[i] = direction_of(i, count, cells);
    return tw_padded_init(task, &h->heights, pad_of(cells), wrap);
}

void tw_horizon_forecast(struct tw_forecast *f, float radius)
{
    tw_padded_forecast(f, pad_of(tw_sides_in_cells(radius, f->width)));
}

/* A step of a stretch: samples lie at `share` between a[i] and b[i]. */
struct step {
    const double *from, *a, *b;
    double share, nearness; /* 1 / distance */
    int32_t begin, end;
};

static TW_INLINE void raise(const struct step *s, double *restrict up)
{
    const double *restrict from = s->from, *restrict a = s->a, *restrict b = s->b;
    double share = s->share, nearness = s->nearness;
    for (int32_t i = s->begin; i < s->end; i++) {
        double slope = ((a[i] + (b[i] - a[i]) * share) - from[i]) * nearness;
        up[i] = slope > up[i] ? slope : up[i];
    }
}

static TW_INLINE void lower(const struct step *s, double *restrict down)
{
    const double *restrict from = s->from, *restrict a = s->a, *restrict b = s->b;
    double share = s->share, nearness = s->nearness;
    for (int32_t i = s->begin; i < s->end; i++) {
        double slope = ((a[i] + (b[i] - a[i]) * share) - from[i]) * nearness;
        down[i] = slope < down[i] ? slope : down[i];
    }
}

/* Finds where the samples of step k lie; false if all are beyond a closed border. */
static TW_INLINE bool place_step(const struct tw_horizon *h, const struct tw_horizon_direction *d,
                                 int32_t k, int32_t x, int32_t y, int32_t width, struct step *s)
{
    const struct tw_padded *m = &h->heights;
    double across = d->across * (double)k;
    int32_t whole = (int32_t)across - (across < (double)(int32_t)across);
    s->share = across - (double)whole;
    s->nearness = 1 / ((double)k * d->length);
    int32_t dx = d->columns ? k * d->sign : whole, dy = d->columns ? whole : k * d->sign;
    int32_t next_x = !d->columns && s->share > 0, next_y = d->columns && s->share > 0;
    s->begin = 0;
    s->end = width;
    if (!m->wrap) {
        if (y + dy < 0 || y + dy + next_y >= m->height)
            return false;
        s->begin = x + dx < 0 ? -(x + dx) : 0;
        s->end = x + dx + next_x + width > m->width ? m->width - x - dx - next_x : width;
    }
    s->from = tw_padded_row(m, y) + x;
    s->a = tw_padded_row(m, y + dy) + x + dx;
    s->b = tw_padded_row(m, y + dy + next_y) + x + dx + next_x;
    return s->begin < s->end;
}

static TW_INLINE void look_body(const struct tw_horizon *h, int32_t direction, int32_t x, int32_t y,
                                int32_t width, double *up, double *down)
{
    const struct tw_horizon_direction d = h->directions[direction];
    for (int32_t i = 0; i < width; i++) {
        if (up)
            up[i] = -NOTHING;
        if (down)
            down[i] = NOTHING;
    }
    for (int32_t k = 1; k <= d.steps; k++) {
        struct step step;
        if (!place_step(h, &d, k, x, y, width, &step))
            continue;
        if (up)
            raise(&step, up);
        if (down)
            lower(&step, down);
    }
    for (int32_t i = 0; i < width; i++) {
        if (up)
            up[i] = up[i] == -NOTHING ? 0 : up[i];
        if (down)
            down[i] = down[i] == NOTHING ? 0 : down[i];
    }
}
TW_SIMD_KERNEL(look,
               (const struct tw_horizon *h, int32_t direction, int32_t x, int32_t y, int32_t width,
                double *up, double *down),
               (h, direction, x, y, width, up, down))

void tw_horizon_row(const struct tw_horizon *h, enum tw_simd simd, int32_t direction, int32_t x,
                    int32_t y, int32_t width, double *up, double *down)
{
    look(simd)(h, direction, x, y, width, up, down);
}
