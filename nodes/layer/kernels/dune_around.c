/* SPDX-License-Identifier: MIT */
/* The mean height around each cell, in a square of up to 97 cells: what a dune stands on, whatever
 * the rock's relief. Heights are rounded to slabs, so sums do not depend on their order. */
#include "layer/kernels/dunes.h"

#include <thalweg/kernel.h>

enum { RADIUS = 48 };

struct span {
    int32_t first, last; /* may lie beyond the border where borders meet */
};

/* Returns the cells of a side around `at`: on a torus at most once around, else cut at borders. */
static struct span around(const struct tw_dunes *d, int32_t at, int32_t side)
{
    const int32_t most = (side - 1) / 2, radius = RADIUS < most ? RADIUS : most;
    struct span s = {at - radius, at + radius};
    if (!d->wraps)
        s = (struct span){s.first > 0 ? s.first : 0, s.last < side - 1 ? s.last : side - 1};
    return s;
}

static void add_row(const struct tw_dunes *d, int32_t y, int64_t times)
{
    const float *tops = d->tops + (size_t)(tw_wrap(y, d->height) + 1) * ((size_t)d->width + 2) + 1;
    for (int32_t x = 0; x < d->width; x++)
        d->sums[x] += times * (int64_t)tops[x];
}

/* Writes the means of a row from the sums of its columns over `rows` rows. */
static void average(const struct tw_dunes *d, int32_t y, int32_t rows)
{
    float *means = d->around + (size_t)y * (size_t)d->width;
    struct span have = {0, -1};
    int64_t sum = 0;
    for (int32_t x = 0; x < d->width; x++) {
        const struct span need = around(d, x, d->width);
        if (x == 0)
            have = (struct span){need.first, need.first - 1};
        while (have.last < need.last)
            sum += d->sums[tw_wrap(++have.last, d->width)];
        while (have.first < need.first)
            sum -= d->sums[tw_wrap(have.first++, d->width)];
        means[x] = (float)((double)sum / ((double)rows * (need.last - need.first + 1)));
    }
}

void tw_dunes_look_around(const struct tw_dunes *d)
{
    struct span have = around(d, 0, d->height);
    for (int32_t x = 0; x < d->width; x++)
        d->sums[x] = 0;
    have.last = have.first - 1;
    for (int32_t y = 0; y < d->height; y++) {
        const struct span need = around(d, y, d->height);
        while (have.last < need.last)
            add_row(d, ++have.last, 1);
        while (have.first < need.first)
            add_row(d, have.first++, -1);
        average(d, y, need.last - need.first + 1);
    }
}
