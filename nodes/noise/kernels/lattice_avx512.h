/* SPDX-License-Identifier: MIT */
/* lattice.h for vectors of 16 cells, to the last bit: masks and the logic of three operands leave a
 * third of what compilers make of its integers. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_AVX512_H
#define TW_NODES_NOISE_KERNELS_LATTICE_AVX512_H

#include "noise/kernels/lattice.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TW_LATTICE_AVX512 TW_TARGET_AVX512 static inline __attribute__((always_inline))

TW_LATTICE_AVX512 __m512 tw_lattice_fade_avx512(__m512 t)
{
    __m512 inner = _mm512_sub_ps(_mm512_mul_ps(t, _mm512_set1_ps(6)), _mm512_set1_ps(15));
    inner = _mm512_add_ps(_mm512_mul_ps(t, inner), _mm512_set1_ps(10));
    return _mm512_mul_ps(_mm512_mul_ps(_mm512_mul_ps(t, t), t), inner);
}

/* from + t (to - from) */
TW_LATTICE_AVX512 __m512 tw_lattice_mean_avx512(__m512 from, __m512 to, __m512 t)
{
    return _mm512_add_ps(from, _mm512_mul_ps(t, _mm512_sub_ps(to, from)));
}

/* `key`: tw_lattice_spread_key(). */
TW_LATTICE_AVX512 __m512i tw_lattice_mix_avx512(__m512i h, __m512i key)
{
    h = _mm512_xor_si512(h, _mm512_srli_epi32(h, 16));
    h = _mm512_mullo_epi32(h, _mm512_set1_epi32((int32_t)TW_LATTICE_MIX_FIRST));
    h = _mm512_ternarylogic_epi32(h, _mm512_srli_epi32(h, 13), key, 0x96); /* a ^ b ^ c */
    h = _mm512_mullo_epi32(h, _mm512_set1_epi32((int32_t)TW_LATTICE_MIX_SECOND));
    return _mm512_xor_si512(h, _mm512_srli_epi32(h, 16));
}

/* v, or -v where `sign` has the highest bit. */
TW_LATTICE_AVX512 __m512 tw_lattice_turned_avx512(__m512 v, __m512i sign)
{
    const __m512i highest = _mm512_set1_epi32(INT32_MIN);
    return _mm512_castsi512_ps(
        _mm512_ternarylogic_epi32(_mm512_castps_si512(v), sign, highest, 0x78)); /* a ^ (b & c) */
}

TW_LATTICE_AVX512 void tw_lattice_axis_avx512(__m512i h, __m512 *gx, __m512 *gy)
{
    __m512 u = _mm512_cvtepi32_ps(h), square = _mm512_mul_ps(u, u);
    __m512 sine = _mm512_mul_ps(_mm512_set1_ps(TW_LATTICE_SINE_3), square);
    sine = _mm512_mul_ps(u, _mm512_sub_ps(_mm512_set1_ps(TW_LATTICE_SINE_1), sine));
    __m512 cosine = _mm512_mul_ps(_mm512_set1_ps(TW_LATTICE_COSINE_4), square);
    cosine = _mm512_mul_ps(square, _mm512_sub_ps(_mm512_set1_ps(TW_LATTICE_COSINE_2), cosine));
    cosine = _mm512_sub_ps(_mm512_set1_ps(TW_LATTICE_UNIT), cosine);
    __m512 swap = _mm512_sub_ps(sine, cosine);
    __mmask16 swaps = _mm512_test_epi32_mask(h, _mm512_set1_epi32(1));
    *gx = _mm512_mask_add_ps(cosine, swaps, cosine, swap);
    *gy = _mm512_mask_sub_ps(sine, swaps, sine, swap);
}

TW_LATTICE_AVX512 void tw_lattice_gradient_avx512(__m512i h, __m512 *gx, __m512 *gy)
{
    __m512i sign = _mm512_slli_epi32(h, TW_LATTICE_SIGN);
    tw_lattice_axis_avx512(h, gx, gy);
    *gx = tw_lattice_turned_avx512(*gx, sign);
    *gy = tw_lattice_turned_avx512(*gy, sign);
}

/* P and Q of a lattice row at 16 cells: lattice_rows.h. */
struct tw_lattice_terms_avx512 {
    __m512 p, q;
};

/* Gradients, or values in x, of the points left and right of 16 cells. */
struct tw_lattice_ends_avx512 {
    __m512 left_x, left_y, right_x, right_y;
};

TW_LATTICE_AVX512 struct tw_lattice_ends_avx512 tw_lattice_ends_avx512(bool gradients, __m512i left,
                                                                       __m512i right)
{
    struct tw_lattice_ends_avx512 out;
    if (gradients) {
        tw_lattice_gradient_avx512(left, &out.left_x, &out.left_y);
        tw_lattice_gradient_avx512(right, &out.right_x, &out.right_y);
    } else {
        out.left_x = out.left_y = _mm512_cvtepi32_ps(left);
        out.right_x = out.right_y = _mm512_cvtepi32_ps(right);
    }
    return out;
}

/* Of cells that lie `x` right of their left points; `t` is its fade. */
TW_LATTICE_AVX512 struct tw_lattice_terms_avx512
tw_lattice_across_avx512(bool gradients, struct tw_lattice_ends_avx512 at, __m512 x, __m512 t)
{
    if (gradients) {
        at.left_x = _mm512_mul_ps(at.left_x, x);
        at.right_x = _mm512_mul_ps(at.right_x, _mm512_sub_ps(x, _mm512_set1_ps(1)));
    }
    return (struct tw_lattice_terms_avx512){tw_lattice_mean_avx512(at.left_x, at.right_x, t),
                                            tw_lattice_mean_avx512(at.left_y, at.right_y, t)};
}

TW_LATTICE_AVX512 __m512 tw_lattice_between_avx512(bool gradients,
                                                   struct tw_lattice_terms_avx512 upper,
                                                   struct tw_lattice_terms_avx512 lower, __m512 y)
{
    __m512 below = _mm512_sub_ps(y, _mm512_set1_ps(1));
    __m512 from = gradients ? _mm512_add_ps(upper.p, _mm512_mul_ps(upper.q, y)) : upper.p;
    __m512 to = gradients ? _mm512_add_ps(lower.p, _mm512_mul_ps(lower.q, below)) : lower.p;
    return _mm512_mul_ps(tw_lattice_mean_avx512(from, to, tw_lattice_fade_avx512(y)),
                         _mm512_set1_ps(tw_lattice_factor(gradients)));
}

#endif
#endif
