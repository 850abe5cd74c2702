/* SPDX-License-Identifier: MIT */
/* lattice_simplex.c for vectors of 16 cells, in two steps over a block: find and hash the three
 * corners of each cell, and sum their shares. */
#include "noise/kernels/lattice_simplex_avx512.h"

#include "noise/kernels/lattice_avx512.h"

#if defined(__x86_64__)

enum { VECTOR = 16, BLOCK = 128 };

/* Of a block's cells: how far right of and below the first and the second corner they lie, and the
 * random numbers of the three corners. */
struct cells {
    TW_LATTICE_ALIGNED float x[2][BLOCK];
    TW_LATTICE_ALIGNED float y[2][BLOCK];
    TW_LATTICE_ALIGNED uint32_t point[3][BLOCK];
};

TW_LATTICE_AVX512 __m512i floor_of(__m512 v)
{
    return _mm512_cvt_roundps_epi32(v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}

/* times * v + added */
TW_LATTICE_AVX512 __m512 scaled(float times, __m512 v, float added)
{
    return _mm512_add_ps(_mm512_mul_ps(v, _mm512_set1_ps(times)), _mm512_set1_ps(added));
}

/* The word of lattice point (i, j), before it is mixed. */
TW_LATTICE_AVX512 __m512i word_of(__m512i i, __m512i j, uint32_t key)
{
    i = _mm512_mullo_epi32(i, _mm512_set1_epi32((int32_t)TW_LATTICE_ACROSS));
    j = _mm512_mullo_epi32(j, _mm512_set1_epi32((int32_t)TW_LATTICE_DOWN));
    return _mm512_add_epi32(_mm512_add_epi32(i, j), _mm512_set1_epi32((int32_t)key));
}

/* 16 cells that lie `right_of` the map's left border. */
TW_LATTICE_AVX512 void place_vector(const struct tw_lattice *o, const struct tw_simplex_line *line,
                                    __m512 right_of, int32_t n, struct cells *out)
{
    const __m512 one = _mm512_set1_ps(1), unskew = _mm512_set1_ps(TW_SIMPLEX_UNSKEW);
    const __m512i key = _mm512_set1_epi32((int32_t)tw_lattice_spread_key(o->key[1]));
    const __m512i down = _mm512_set1_epi32((int32_t)TW_LATTICE_DOWN);
    const __m512i across = _mm512_set1_epi32((int32_t)TW_LATTICE_ACROSS);
    __m512 u = scaled(line->cosine, right_of, line->start_u);
    __m512 v = scaled(line->sine, right_of, line->start_v);
    __m512 skew = _mm512_mul_ps(_mm512_add_ps(u, v), _mm512_set1_ps(TW_SIMPLEX_SKEW));
    __m512i i = floor_of(_mm512_add_ps(u, skew)), j = floor_of(_mm512_add_ps(v, skew));
    __m512 left = _mm512_cvtepi32_ps(i), top = _mm512_cvtepi32_ps(j);
    __m512 back = _mm512_mul_ps(_mm512_add_ps(left, top), unskew);
    __m512 x = _mm512_sub_ps(u, _mm512_sub_ps(left, back));
    __m512 y = _mm512_sub_ps(v, _mm512_sub_ps(top, back));
    __mmask16 right = _mm512_cmp_ps_mask(x, y, _CMP_GT_OQ);
    __mmask16 below = _mm512_cmp_ps_mask(x, y, _CMP_NGT_UQ);
    __m512i first = word_of(i, j, o->key[0]);
    __m512i second = _mm512_add_epi32(first, _mm512_mask_blend_epi32(right, down, across));
    __m512i third =
        _mm512_add_epi32(first, _mm512_set1_epi32((int32_t)(TW_LATTICE_ACROSS + TW_LATTICE_DOWN)));
    _mm512_store_ps(out->x[0] + n, x);
    _mm512_store_ps(out->y[0] + n, y);
    _mm512_store_ps(out->x[1] + n, _mm512_add_ps(_mm512_mask_sub_ps(x, right, x, one), unskew));
    _mm512_store_ps(out->y[1] + n, _mm512_add_ps(_mm512_mask_sub_ps(y, below, y, one), unskew));
    _mm512_store_si512(out->point[0] + n, tw_lattice_mix_avx512(first, key));
    _mm512_store_si512(out->point[1] + n, tw_lattice_mix_avx512(second, key));
    _mm512_store_si512(out->point[2] + n, tw_lattice_mix_avx512(third, key));
}

/* The share of a corner that cells lie right of and below by (x, y). */
TW_LATTICE_AVX512 __m512 share_of(__m512i h, __m512 x, __m512 y)
{
    __m512 gx, gy, t = _mm512_sub_ps(_mm512_set1_ps(0.5f), _mm512_mul_ps(x, x));
    t = _mm512_max_ps(_mm512_sub_ps(t, _mm512_mul_ps(y, y)), _mm512_setzero_ps());
    t = _mm512_mul_ps(t, t);
    tw_lattice_axis_avx512(h, &gx, &gy);
    __m512 ramp = _mm512_add_ps(_mm512_mul_ps(gx, x), _mm512_mul_ps(gy, y));
    return tw_lattice_turned_avx512(_mm512_mul_ps(_mm512_mul_ps(t, t), ramp),
                                    _mm512_slli_epi32(h, TW_LATTICE_SIGN));
}

TW_LATTICE_AVX512 __m512 opposite(__m512 x)
{
    return _mm512_add_ps(_mm512_sub_ps(x, _mm512_set1_ps(1)),
                         _mm512_set1_ps(2.0f * TW_SIMPLEX_UNSKEW));
}

TW_LATTICE_AVX512 __m512 sum_shares(const struct cells *at, int32_t n)
{
    __m512 x = _mm512_load_ps(at->x[0] + n), y = _mm512_load_ps(at->y[0] + n);
    __m512 sum = share_of(_mm512_load_si512(at->point[0] + n), x, y);
    sum = _mm512_add_ps(sum, share_of(_mm512_load_si512(at->point[1] + n),
                                      _mm512_load_ps(at->x[1] + n), _mm512_load_ps(at->y[1] + n)));
    sum =
        _mm512_add_ps(sum, share_of(_mm512_load_si512(at->point[2] + n), opposite(x), opposite(y)));
    return _mm512_mul_ps(sum, _mm512_set1_ps(TW_SIMPLEX_FACTOR));
}

TW_TARGET_AVX512 void tw_lattice_simplex_avx512(const struct tw_lattice *lattice,
                                                const struct tw_lattice_span *span, float *out)
{
    const struct tw_simplex_line line = tw_simplex_line_of(lattice, span->y);
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __m512 right_of = _mm512_cvtepi32_ps(_mm512_add_epi32(lanes, _mm512_set1_epi32(span->x)));
    right_of = _mm512_add_ps(right_of, _mm512_set1_ps(0.5f));
    struct cells at;
    for (int32_t begin = 0; begin < span->count; begin += BLOCK) {
        int32_t count = span->count - begin < BLOCK ? span->count - begin : BLOCK;
        for (int32_t n = 0; n < count; n += VECTOR) {
            place_vector(lattice, &line, right_of, n, &at);
            right_of = _mm512_add_ps(right_of, _mm512_set1_ps(VECTOR));
        }
        for (int32_t n = 0; n < count; n += VECTOR)
            _mm512_storeu_ps(out + begin + n, sum_shares(&at, n));
    }
}

#endif
