/* SPDX-License-Identifier: MIT */
/* One loop places columns, picks their points and blends these: nothing goes through memory. */
#include "noise/kernels/lattice_spread.h"

#include "noise/kernels/lattice_avx512.h"

#if defined(__x86_64__)

enum { VECTOR = TW_LATTICE_VECTOR };

TW_LATTICE_AVX512 void draw_points(bool gradients, uint32_t spread_key, uint32_t word,
                                   int32_t count, float *restrict x, float *restrict y)
{
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i key = _mm512_set1_epi32((int32_t)spread_key);
    const __m512i step = _mm512_set1_epi32((int32_t)(VECTOR * TW_LATTICE_ACROSS));
    __m512i words = _mm512_mullo_epi32(lanes, _mm512_set1_epi32((int32_t)TW_LATTICE_ACROSS));
    words = _mm512_add_epi32(words, _mm512_set1_epi32((int32_t)word));
    for (int32_t i = 0; i < count; i += VECTOR) {
        __m512i number = tw_lattice_mix_avx512(words, key);
        __m512 gx = _mm512_cvtepi32_ps(number), gy;
        words = _mm512_add_epi32(words, step);
        if (gradients) {
            tw_lattice_gradient_avx512(number, &gx, &gy);
            _mm512_storeu_ps(y + i, gy);
        }
        _mm512_storeu_ps(x + i, gx);
    }
}

TW_TARGET_AVX512 void tw_lattice_draw_avx512(const struct tw_lattice *lattice, uint32_t word,
                                             int32_t count, float *x, float *y)
{
    const uint32_t key = tw_lattice_spread_key(lattice->key[1]);
    if (lattice->basis == TW_BASIS_PERLIN)
        draw_points(true, key, word, count, x, y);
    else
        draw_points(false, key, word, count, x, y);
}

/* Points `from` of the 32 from `at` on. */
TW_LATTICE_AVX512 __m512 pick(const float *at, __m512i from)
{
    return _mm512_permutex2var_ps(_mm512_loadu_ps(at), from, _mm512_loadu_ps(at + VECTOR));
}

TW_LATTICE_AVX512 void spread(bool gradients, const struct tw_lattice_strip *s, float shift,
                              const float *restrict x, const float *restrict y,
                              float *restrict height, float *restrict slope)
{
    const __m512 one = _mm512_set1_ps(1);
    const __m512i next = _mm512_set1_epi32(1);
    for (int32_t i = 0; i < s->count; i += VECTOR) {
        __m512 share = _mm512_add_ps(_mm512_load_ps(s->share + i), _mm512_set1_ps(shift));
        __mmask16 carry = _mm512_cmp_ps_mask(share, one, _CMP_GE_OQ);
        __m512i from =
            _mm512_sub_epi32(_mm512_load_si512(s->column + i), _mm512_set1_epi32(s->column[i]));
        const int32_t first = s->column[i];
        from = _mm512_mask_add_epi32(from, carry, from, next);
        share = _mm512_mask_sub_ps(share, carry, share, one);
        __m512i right = _mm512_add_epi32(from, next);
        struct tw_lattice_ends_avx512 ends = {.left_x = pick(x + first, from),
                                              .right_x = pick(x + first, right)};
        ends.left_y = gradients ? pick(y + first, from) : ends.left_x;
        ends.right_y = gradients ? pick(y + first, right) : ends.right_x;
        const struct tw_lattice_terms_avx512 terms =
            tw_lattice_across_avx512(gradients, ends, share, tw_lattice_fade_avx512(share));
        _mm512_store_ps(height + i, terms.p);
        if (gradients)
            _mm512_store_ps(slope + i, terms.q);
    }
}

TW_TARGET_AVX512 void tw_lattice_spread_points_avx512(bool gradients,
                                                      const struct tw_lattice_strip *strip,
                                                      float shift, const float *x, const float *y,
                                                      float *height, float *slope)
{
    if (gradients)
        spread(true, strip, shift, x, y, height, slope);
    else
        spread(false, strip, shift, x, y, height, slope);
}

#endif
