/* SPDX-License-Identifier: MIT */
/* Shadows along digital lines of wind. A line takes one cell of each column (or of each row, where
 * the wind is nearer to north and south), and each cell lies on one line. */
#include "layer/kernels/dunes.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

enum { LINES = 16 };
#define BEYOND (-1e30f) /* below all ground */

struct lines {
    const struct tw_dunes *d;
    int32_t steps, count;             /* cells of a line; lines */
    int32_t first;                    /* step of the run-in, at most 0 */
    int32_t step_stride, line_stride; /* between cells of the framed map */
    bool backwards;                   /* lines begin at the last column or row */
    float fall;                       /* of a shadow, in slabs a step */
};

/* The lines of a block at one step. */
struct front {
    int32_t at[LINES]; /* along the column or row of this step */
    float shadow[LINES], top[LINES];
};

/* Moves the lines sideways by -1, 0 or 1 cells. Those that leave one border of the map come in at
 * the other, where nothing shades them if the border is closed. */
static TW_INLINE void shift(const struct lines *l, struct front *f, int32_t by)
{
    for (int i = 0; i < LINES; i++) {
        const int32_t at = f->at[i] + by;
        const bool crossed = at < 0 || at >= l->count;
        f->at[i] = at < 0 ? l->count - 1 : at >= l->count ? 0 : at;
        f->shadow[i] = crossed && !l->d->wraps ? BEYOND : f->shadow[i];
        f->top[i] = crossed && !l->d->wraps ? BEYOND : f->top[i];
    }
}

/* Advances the shadows by a step; in the run-in, cells of other lines are not marked. */
static TW_INLINE void step(const struct lines *l, struct front *f, int32_t i, int32_t lines)
{
    const struct tw_dunes *d = l->d;
    const float *tops = d->tops + d->width + 3;
    const int32_t along = tw_wrap(l->backwards ? l->steps - 1 - i : i, l->steps);
    const int32_t shade_step = l->step_stride == 1 ? 1 : d->width;
    const int32_t shade_line = l->step_stride == 1 ? d->width : 1;
    for (int k = 0; k < lines; k++) {
        const float top = tops[along * l->step_stride + f->at[k] * l->line_stride];
        f->shadow[k] = tw_max(f->top[k], f->shadow[k]) - l->fall;
        f->top[k] = top;
        if (i >= 0)
            d->shade[along * shade_step + f->at[k] * shade_line] = top < f->shadow[k];
    }
}

static void shade_lines(void *context, int32_t begin, int32_t end)
{
    const struct lines *l = context;
    for (int32_t first = begin * LINES; first < end * LINES && first < l->count; first += LINES) {
        const int32_t lines = l->count - first < LINES ? l->count - first : LINES;
        struct front f;
        for (int32_t i = 0; i < LINES; i++) {
            f.at[i] = tw_wrap(first + i + l->d->offsets[0], l->count);
            f.shadow[i] = f.top[i] = BEYOND;
        }
        for (int32_t i = l->first; i < l->steps; i++) {
            const int32_t at = i - l->first;
            if (at > 0 && l->d->offsets[at] != l->d->offsets[at - 1])
                shift(l, &f, l->d->offsets[at] - l->d->offsets[at - 1]);
            step(l, &f, i, lines);
        }
    }
}

void tw_dunes_shade(struct tw_task *task, const struct tw_dunes *d, const struct tw_wind *wind)
{
    const double east = wind->east < 0 ? -wind->east : wind->east;
    const double south = wind->south < 0 ? -wind->south : wind->south;
    const bool across = east >= south; /* lines take a cell of each column */
    const double slope = (across ? wind->south : wind->east) / (across ? east : south);
    struct lines l = {.d = d,
                      .steps = across ? d->width : d->height,
                      .count = across ? d->height : d->width,
                      .first = d->wraps ? -TW_DUNES_REACH : 0,
                      .step_stride = across ? 1 : d->width + 2,
                      .line_stride = across ? d->width + 2 : 1,
                      .backwards = (across ? wind->east : wind->south) < 0};
    l.fall = (float)(TW_DUNES_SLABS_PER_CELL * 0.2679491924311227 * sqrt(1 + slope * slope));
    for (int32_t i = l.first; i < l.steps; i++) {
        const double offset = slope * i + 0.5;
        const int32_t whole = (int32_t)offset;
        d->offsets[i - l.first] = (double)whole > offset ? whole - 1 : whole;
    }
    tw_rows(task, (l.count + LINES - 1) / LINES, 1, shade_lines, &l);
}
