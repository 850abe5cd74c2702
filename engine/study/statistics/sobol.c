/* SPDX-License-Identifier: MIT */
/* Bratley and Fox 1988, algorithm 659, in Gray code order (Antonov and Saleev 1979). */
#include "study/statistics/sobol.h"

enum { BITS = 32, DEGREE_MAX = 6 };

/* A primitive polynomial of that degree, its inner coefficients as bits, and the first odd
 * numbers m_i. Dimension 0 is van der Corput's sequence and has none. */
static const struct polynomial {
    uint32_t degree, inner, m[DEGREE_MAX];
} polynomials[TW_SOBOL_DIMENSIONS_MAX - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
};

/* v_i = m_i 2^(32 - i), the rest by the polynomial's recurrence. */
static void find_directions(int32_t dimension, uint32_t v[BITS])
{
    if (dimension == 0) {
        for (uint32_t i = 0; i < BITS; i++)
            v[i] = 1u << (31 - i);
        return;
    }
    const struct polynomial *p = &polynomials[dimension - 1];
    for (uint32_t i = 0; i < BITS; i++) {
        if (i < p->degree) {
            v[i] = p->m[i] << (31 - i);
            continue;
        }
        v[i] = v[i - p->degree] ^ (v[i - p->degree] >> p->degree);
        for (uint32_t k = 1; k < p->degree; k++)
            if ((p->inner >> (p->degree - 1 - k)) & 1)
                v[i] ^= v[i - k];
    }
}

double tw_sobol(uint32_t index, int32_t dimension)
{
    uint32_t v[BITS] = {0}, bits = 0, gray = index ^ (index >> 1);
    find_directions(dimension, v);
    for (uint32_t i = 0; i < BITS; i++)
        if ((gray >> i) & 1)
            bits ^= v[i];
    return (double)bits * 0x1p-32;
}
