/* SPDX-License-Identifier: MIT */
/* Perturbation of island maps: fractal gradient noise displaces the place where a cell looks up
 * what it shows. Cells of a row together, as vectors. */
#ifndef TW_NODES_ISLAND_KERNELS_PERTURBATION_H
#define TW_NODES_ISLAND_KERNELS_PERTURBATION_H

#include <thalweg/node.h>

enum { TW_PERTURBED = 256 }; /* cells at most */

struct tw_perturbation {
    uint64_t key;
    float magnitude, frequency; /* in sides, periods a side */
    int32_t octaves, width, height;
    enum tw_simd simd;
};

/* `count` cells of row y from x on. */
struct tw_perturbed {
    int32_t x, y, count;
    size_t at[4][TW_PERTURBED]; /* cells around the places: above, below, left one first */
    float across[TW_PERTURBED], along[TW_PERTURBED]; /* shares of the right and the lower ones */
};

/* One octave's row of lattice cells: places (x0 + n step, y), n = first .. first + count - 1. */
struct tw_gradient_row {
    uint64_t key;
    int32_t layer; /* an octave, a component */
    double x0, step, y, weight;
    int32_t first, count;
};

/* Adds `weight` times the noise at the n-th place to sum[n - first]; step >= 0. Gradients are drawn
 * once a lattice cell; the bytes are those of tw_gradient_noise() with its terms in another order.
 */
void tw_gradient_row(enum tw_simd simd, const struct tw_gradient_row *row, float *sum);

/* Finds where the bent cells x, y, count sample the map; beyond its border they sample the border.
 */
void tw_perturbation_find(const struct tw_perturbation *perturbation, struct tw_perturbed *cells);
/* Samples a map at those places, bilinear, to `out`; labels from the nearest cell. */
void tw_perturbed_floats(const struct tw_perturbed *cells, enum tw_simd simd, const float *map,
                         float *out);
void tw_perturbed_labels(const struct tw_perturbed *cells, const int32_t *map, int32_t *out);

#endif
