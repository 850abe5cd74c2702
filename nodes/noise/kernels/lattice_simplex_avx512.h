/* SPDX-License-Identifier: MIT */
/* AVX-512 variant of lattice_simplex.h, 16 cells per vector, and how cells lie in their triangles.
 */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_SIMPLEX_AVX512_H
#define TW_NODES_NOISE_KERNELS_LATTICE_SIMPLEX_AVX512_H

#include "noise/kernels/lattice_avx512.h"
#include "noise/kernels/lattice_simplex.h"

#if defined(__x86_64__)
void tw_lattice_simplex_avx512(const struct tw_lattice *lattice, const struct tw_lattice_span *span,
                               float *out);

/* Octaves coarser than the map: a stretch of a row lies in at most 16 squares of the lattice, whose
 * gradients stay in registers; permutations give each cell its own. */
enum { TW_SIMPLEX_SHARED_MAX = 512 };
/* So many cells, whole vectors and at most TW_SIMPLEX_SHARED_MAX, nearly always lie in 16 squares.
 */
int32_t tw_simplex_shared_cells(const struct tw_simplex_line *line);
/* Writes the octave at such cells of a row; returns false where they lie in more squares. */
bool tw_simplex_fill_shared(const struct tw_lattice *lattice, const struct tw_simplex_line *line,
                            int32_t x, int32_t count, float *out);

TW_LATTICE_AVX512 __m512i tw_simplex_floor_avx512(__m512 v)
{
    return _mm512_cvt_roundps_epi32(v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}

/* times * v + added */
TW_LATTICE_AVX512 __m512 tw_simplex_scaled_avx512(float times, __m512 v, float added)
{
    return _mm512_add_ps(_mm512_mul_ps(v, _mm512_set1_ps(times)), _mm512_set1_ps(added));
}

/* Where 16 cells lie: their squares, and how far right of and below the first corner. */
struct tw_simplex_place {
    __m512i i, j;
    __m512 x, y;
};

/* 16 cells that lie `right_of` the map's left border. */
TW_LATTICE_AVX512 struct tw_simplex_place
tw_simplex_place_avx512(const struct tw_simplex_line *line, __m512 right_of)
{
    const __m512 unskew = _mm512_set1_ps(TW_SIMPLEX_UNSKEW);
    __m512 u = tw_simplex_scaled_avx512(line->cosine, right_of, line->start_u);
    __m512 v = tw_simplex_scaled_avx512(line->sine, right_of, line->start_v);
    __m512 skew = _mm512_mul_ps(_mm512_add_ps(u, v), _mm512_set1_ps(TW_SIMPLEX_SKEW));
    __m512i i = tw_simplex_floor_avx512(_mm512_add_ps(u, skew)),
            j = tw_simplex_floor_avx512(_mm512_add_ps(v, skew));
    __m512 left = _mm512_cvtepi32_ps(i), top = _mm512_cvtepi32_ps(j);
    __m512 back = _mm512_mul_ps(_mm512_add_ps(left, top), unskew);
    return (struct tw_simplex_place){i, j, _mm512_sub_ps(u, _mm512_sub_ps(left, back)),
                                     _mm512_sub_ps(v, _mm512_sub_ps(top, back))};
}

/* The centres of 16 cells from column x on. */
TW_LATTICE_AVX512 __m512 tw_simplex_centres_avx512(int32_t x)
{
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __m512i columns = _mm512_add_epi32(lanes, _mm512_set1_epi32(x));
    return _mm512_add_ps(_mm512_cvtepi32_ps(columns), _mm512_set1_ps(0.5f));
}

/* Distance from the second corner, which lies a step this way from the first where `there` is set.
 */
TW_LATTICE_AVX512 __m512 tw_simplex_second_avx512(__m512 x, __mmask16 there)
{
    return _mm512_add_ps(_mm512_mask_sub_ps(x, there, x, _mm512_set1_ps(1)),
                         _mm512_set1_ps(TW_SIMPLEX_UNSKEW));
}

/* Whether the second corner lies right of the first, or below it. */
TW_LATTICE_AVX512 __mmask16 tw_simplex_right_avx512(__m512 x, __m512 y)
{
    return _mm512_cmp_ps_mask(x, y, _CMP_GT_OQ);
}

TW_LATTICE_AVX512 __mmask16 tw_simplex_below_avx512(__m512 x, __m512 y)
{
    return _mm512_cmp_ps_mask(x, y, _CMP_NGT_UQ);
}

/* From the first corner to the one across the square. */
TW_LATTICE_AVX512 __m512 tw_simplex_opposite_avx512(__m512 x)
{
    return _mm512_add_ps(_mm512_sub_ps(x, _mm512_set1_ps(1)),
                         _mm512_set1_ps(2.0f * TW_SIMPLEX_UNSKEW));
}

/* (1/2 - d^2)^4 of a gradient's ramp. */
TW_LATTICE_AVX512 __m512 tw_simplex_share_avx512(__m512 gx, __m512 gy, __m512 x, __m512 y)
{
    __m512 t = _mm512_sub_ps(_mm512_set1_ps(0.5f), _mm512_mul_ps(x, x));
    t = _mm512_max_ps(_mm512_sub_ps(t, _mm512_mul_ps(y, y)), _mm512_setzero_ps());
    t = _mm512_mul_ps(t, t);
    return _mm512_mul_ps(_mm512_mul_ps(t, t),
                         _mm512_add_ps(_mm512_mul_ps(gx, x), _mm512_mul_ps(gy, y)));
}

#endif

#endif
