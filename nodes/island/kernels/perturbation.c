/* SPDX-License-Identifier: MIT */
#include "island/kernels/perturbation.h"

#include "island/kernels/gradient_noise.h"

#include <thalweg/simd.h>

/* Places of a row between two columns of lattice points. */
struct piece {
    double x0, step, left, along, weight; /* of the lattice cell; the lower row's weight */
    double value[4], slope[4];            /* of its corners at u = 0, row by row */
    int32_t first, count;
};

static TW_INLINE void add_piece_body(const struct piece *piece, float *restrict sum)
{
    const struct piece p = *piece;
    for (int32_t k = 0; k < p.count; k++) {
        double u = p.x0 + (double)(p.first + k) * p.step - p.left, s = tw_gradient_fade(u);
        double above = p.value[0] + u * p.slope[0], below = p.value[2] + u * p.slope[2];
        above += s * (p.value[1] + (u - 1) * p.slope[1] - above);
        below += s * (p.value[3] + (u - 1) * p.slope[3] - below);
        sum[k] += (float)(p.weight * (above + p.along * (below - above)));
    }
}
TW_SIMD_KERNEL(add_piece, (const struct piece *piece, float *restrict sum), (piece, sum))

/* Corner k of the piece at lattice point (i, j), `v` above the row. */
static void draw_corner(const struct tw_gradient_row *row, int32_t i, int32_t j, double v, int k,
                        struct piece *p)
{
    const double *g = tw_gradient_at(row->key, row->layer, i, j);
    p->value[k] = g[0] * 0.0 + g[1] * v;
    p->slope[k] = g[0] * 1.0 + g[1] * v - p->value[k];
}

static double place_of(const struct tw_gradient_row *row, int32_t n)
{
    return row->x0 + (double)n * row->step;
}

/* The first place from n on that does not lie left of a column, or `end`. */
static int32_t find_end(const struct tw_gradient_row *row, int32_t n, double column, int32_t end)
{
    double reach = (column - row->x0) / row->step;
    int32_t at = reach < (double)end ? (int32_t)reach : end;
    at = at > n + 1 ? at : n + 1;
    while (at > n + 1 && place_of(row, at - 1) >= column)
        at--;
    while (at < end && place_of(row, at) < column)
        at++;
    return at;
}

void tw_gradient_row(enum tw_simd simd, const struct tw_gradient_row *row, float *sum)
{
    int32_t j = (int32_t)row->y, end = row->first + row->count, drawn = INT32_MIN;
    j -= j > row->y;
    double v = row->y - j;
    struct piece p = {
        .x0 = row->x0, .step = row->step, .along = tw_gradient_fade(v), .weight = row->weight};
    for (int32_t n = row->first; n < end; n += p.count) {
        double x = place_of(row, n);
        int32_t i = (int32_t)x;
        i -= i > x;
        for (int k = 0; k < 4; k += 2) {
            p.value[k] = p.value[k + 1];
            p.slope[k] = p.slope[k + 1];
            if (drawn != i)
                draw_corner(row, i, j + k / 2, v - k / 2, k, &p);
            draw_corner(row, i + 1, j + k / 2, v - k / 2, k + 1, &p);
        }
        drawn = i + 1;
        p.left = i;
        p.first = n;
        p.count = find_end(row, n, (double)i + 1, end) - n;
        add_piece(simd)(&p, sum + (n - row->first));
    }
}

/* Places to cells: in `place` how far they lie beyond the one before them. */
static TW_INLINE void split(float *restrict place, int32_t count, int32_t cells,
                            int32_t *restrict before, int32_t *restrict after)
{
    for (int32_t i = 0; i < count; i++) {
        float at = tw_clamp(place[i], 0.0f, (float)(cells - 1));
        int32_t cell = (int32_t)at;
        place[i] = at - (float)cell;
        before[i] = cell;
        after[i] = cell + 1 < cells ? cell + 1 : cell;
    }
}

static TW_INLINE void find_cells_body(const struct tw_perturbation *p, struct tw_perturbed *c)
{
    int32_t left[TW_PERTURBED], right[TW_PERTURBED], upper[TW_PERTURBED], lower[TW_PERTURBED];
    const int32_t count = c->count, x = c->x;
    const float y = (float)c->y;
    const size_t width = (size_t)p->width;
    for (int32_t i = 0; i < count; i++) {
        c->across[i] += (float)(x + i);
        c->along[i] += y;
    }
    split(c->across, count, p->width, left, right);
    split(c->along, count, p->height, upper, lower);
    for (int32_t i = 0; i < count; i++) {
        c->at[0][i] = (size_t)upper[i] * width + (size_t)left[i];
        c->at[1][i] = (size_t)upper[i] * width + (size_t)right[i];
        c->at[2][i] = (size_t)lower[i] * width + (size_t)left[i];
        c->at[3][i] = (size_t)lower[i] * width + (size_t)right[i];
    }
}
TW_SIMD_KERNEL(find_cells, (const struct tw_perturbation *p, struct tw_perturbed *c), (p, c))

/* A vector of noises: the offset of every cell, in cells. */
void tw_perturbation_find(const struct tw_perturbation *p, struct tw_perturbed *cells)
{
    for (int32_t axis = 0; axis < 2; axis++) {
        float *offset = axis ? cells->along : cells->across;
        double frequency = (double)p->frequency;
        double weight = (double)p->magnitude * (axis ? p->height : p->width);
        memset(offset, 0, (size_t)cells->count * sizeof *offset);
        for (int32_t octave = 0; octave < p->octaves; octave++) {
            double step = frequency / p->width;
            tw_gradient_row(p->simd,
                            &(struct tw_gradient_row){.key = p->key,
                                                      .layer = 2 * octave + axis,
                                                      .x0 = 0.5 * step,
                                                      .step = step,
                                                      .y = (cells->y + 0.5) * frequency / p->height,
                                                      .weight = weight,
                                                      .first = cells->x,
                                                      .count = cells->count},
                            offset);
            frequency *= 2;
            weight *= 0.5;
        }
    }
    find_cells(p->simd)(p, cells);
}

static TW_INLINE void blend_body(const struct tw_perturbed *c, const float *map,
                                 float *restrict out)
{
    float corner[4][TW_PERTURBED];
    for (int k = 0; k < 4; k++)
        for (int32_t i = 0; i < c->count; i++)
            corner[k][i] = map[c->at[k][i]];
    for (int32_t i = 0; i < c->count; i++) {
        float above = corner[0][i] + (corner[1][i] - corner[0][i]) * c->across[i];
        float below = corner[2][i] + (corner[3][i] - corner[2][i]) * c->across[i];
        out[i] = above + (below - above) * c->along[i];
    }
}
TW_SIMD_KERNEL(blend, (const struct tw_perturbed *c, const float *map, float *restrict out),
               (c, map, out))

void tw_perturbed_floats(const struct tw_perturbed *cells, enum tw_simd simd, const float *map,
                         float *out)
{
    blend(simd)(cells, map, out);
}

void tw_perturbed_labels(const struct tw_perturbed *cells, const int32_t *map, int32_t *out)
{
    for (int32_t i = 0; i < cells->count; i++)
        out[i] =
            map[cells->at[(cells->across[i] < 0.5f ? 0 : 1) + (cells->along[i] < 0.5f ? 0 : 2)][i]];
}
