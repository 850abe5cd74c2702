/* SPDX-License-Identifier: MIT */
/* Plain multiple-flow accumulation for tests, on a map where every cell but the outlets has a lower
 * neighbour: shares cell by cell, water passed on by a queue. Outlets are the border's cells; on a
 * torus those that are as low as the lowest. */
#ifndef TW_TESTS_REFERENCE_FLOW_MFD_H
#define TW_TESTS_REFERENCE_FLOW_MFD_H

#include <thalweg/field.h>
#include <thalweg/kernel.h>

#include <stdlib.h>

struct flow_mfd {
    const struct tw_value *map;
    float lowest, exponent;
    bool wrap;
};

static inline int32_t flow_mfd_next(const struct flow_mfd *f, int32_t cell, int k)
{
    int32_t w = f->map->width, h = f->map->height, at = k < 4 ? k : k + 1;
    return (cell / w + at / 3 - 1 + h) % h * w + (cell % w + at % 3 - 1 + w) % w;
}

/* The shares of a cell: NW N NE W E SW S SE. */
static inline void flow_mfd_shares(const struct flow_mfd *f, int32_t cell, float *shares)
{
    int32_t w = f->map->width, h = f->map->height, x = cell % w, y = cell / w;
    const float *z = tw_floats(f->map);
    bool border = x == 0 || y == 0 || x == w - 1 || y == h - 1;
    bool outlet = f->wrap ? z[cell] <= f->lowest : border;
    float steepest = 0, sum = 0;
    for (int k = 0; k < 8; k++) {
        float drop = outlet ? 0 : z[cell] - z[flow_mfd_next(f, cell, k)];
        bool straight = k == 1 || k == 3 || k == 4 || k == 6;
        shares[k] = (drop > 0 ? drop : 0) * (straight ? 1.0f : 0.70710678f);
        steepest = shares[k] > steepest ? shares[k] : steepest;
    }
    for (int k = 0; k < 8 && !outlet; k++) {
        shares[k] = (float)tw_pow((double)(shares[k] / steepest), (double)f->exponent);
        sum += shares[k];
    }
    for (int k = 0; k < 8 && !outlet; k++)
        shares[k] /= sum;
}

static inline float *flow_mfd_reference(const struct tw_value *map, float exponent, bool wrap)
{
    struct flow_mfd f = {map, tw_floats(map)[0], exponent, wrap};
    int32_t cells = map->width * map->height, length = 0;
    float *shares = calloc((size_t)cells, 8 * sizeof *shares);
    float *area = calloc((size_t)cells, sizeof *area);
    double *sums = calloc((size_t)cells, sizeof *sums);
    int32_t *donors = calloc((size_t)cells, sizeof *donors);
    int32_t *queue = calloc((size_t)cells, sizeof *queue);
    for (int32_t i = 0; i < cells; i++)
        f.lowest = tw_floats(map)[i] < f.lowest ? tw_floats(map)[i] : f.lowest;
    for (int32_t i = 0; i < cells; i++) {
        flow_mfd_shares(&f, i, shares + 8 * (size_t)i);
        for (int k = 0; k < 8; k++)
            if (shares[8 * i + k] > 0)
                donors[flow_mfd_next(&f, i, k)]++;
    }
    for (int32_t i = 0; i < cells; i++) {
        sums[i] = 1;
        if (donors[i] == 0)
            queue[length++] = i;
    }
    for (int32_t head = 0; head < length; head++)
        for (int k = 0; k < 8; k++) {
            int32_t from = queue[head], to = flow_mfd_next(&f, from, k);
            if (shares[8 * from + k] <= 0)
                continue;
            sums[to] += sums[from] * (double)shares[8 * from + k];
            if (--donors[to] == 0)
                queue[length++] = to;
        }
    for (int32_t i = 0; i < cells; i++)
        area[i] = (float)sums[i];
    free(shares);
    free(sums);
    free(donors);
    free(queue);
    return area;
}

#endif
