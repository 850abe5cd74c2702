/* SPDX-License-Identifier: MIT */
/* lattice_simplex.c for vectors of 16 cells, in two steps over a chunk: find and hash the three
 * corners of each cell, and sum their shares. */
#include "noise/kernels/lattice_simplex_avx512.h"

#if defined(__x86_64__)

/* Cells of a chunk, and fewest that gain by sharing gradients. */
enum { VECTOR = 16, CHUNK = 128, SHARED_MIN = 128 };

/* Of a chunk's cells: how far right of and below the first and the second corner they lie, and the
 * random numbers of the three corners. */
struct cells {
    TW_LATTICE_ALIGNED float x[2][CHUNK];
    TW_LATTICE_ALIGNED float y[2][CHUNK];
    TW_LATTICE_ALIGNED uint32_t point[3][CHUNK];
};

/* The word of lattice point (i, j), before it is mixed. */
TW_LATTICE_AVX512 __m512i word_of(__m512i i, __m512i j, uint32_t key)
{
    i = _mm512_mullo_epi32(i, _mm512_set1_epi32((int32_t)TW_LATTICE_ACROSS));
    j = _mm512_mullo_epi32(j, _mm512_set1_epi32((int32_t)TW_LATTICE_DOWN));
    return _mm512_add_epi32(_mm512_add_epi32(i, j), _mm512_set1_epi32((int32_t)key));
}

TW_LATTICE_AVX512 void draw_vector(const struct tw_lattice *o, const struct tw_simplex_line *line,
                                   __m512 right_of, int32_t n, struct cells *out)
{
    const __m512i key = _mm512_set1_epi32((int32_t)tw_lattice_spread_key(o->key[1]));
    const __m512i down = _mm512_set1_epi32((int32_t)TW_LATTICE_DOWN);
    const __m512i across = _mm512_set1_epi32((int32_t)TW_LATTICE_ACROSS);
    const struct tw_simplex_place at = tw_simplex_place_avx512(line, right_of);
    __mmask16 right = tw_simplex_right_avx512(at.x, at.y);
    __m512i first = word_of(at.i, at.j, o->key[0]);
    __m512i second = _mm512_add_epi32(first, _mm512_mask_blend_epi32(right, down, across));
    __m512i third =
        _mm512_add_epi32(first, _mm512_set1_epi32((int32_t)(TW_LATTICE_ACROSS + TW_LATTICE_DOWN)));
    _mm512_store_ps(out->x[0] + n, at.x);
    _mm512_store_ps(out->y[0] + n, at.y);
    _mm512_store_ps(out->x[1] + n, tw_simplex_second_avx512(at.x, right));
    _mm512_store_ps(out->y[1] + n,
                    tw_simplex_second_avx512(at.y, tw_simplex_below_avx512(at.x, at.y)));
    _mm512_store_si512(out->point[0] + n, tw_lattice_mix_avx512(first, key));
    _mm512_store_si512(out->point[1] + n, tw_lattice_mix_avx512(second, key));
    _mm512_store_si512(out->point[2] + n, tw_lattice_mix_avx512(third, key));
}

/* The share of a corner that cells lie right of and below by (x, y). */
TW_LATTICE_AVX512 __m512 share_of(__m512i h, __m512 x, __m512 y)
{
    __m512 gx, gy;
    tw_lattice_axis_avx512(h, &gx, &gy);
    return tw_lattice_turned_avx512(tw_simplex_share_avx512(gx, gy, x, y),
                                    _mm512_slli_epi32(h, TW_LATTICE_SIGN));
}

TW_LATTICE_AVX512 __m512 sum_shares(const struct cells *at, int32_t n)
{
    __m512 x = _mm512_load_ps(at->x[0] + n), y = _mm512_load_ps(at->y[0] + n);
    __m512 sum = share_of(_mm512_load_si512(at->point[0] + n), x, y);
    sum = _mm512_add_ps(sum, share_of(_mm512_load_si512(at->point[1] + n),
                                      _mm512_load_ps(at->x[1] + n), _mm512_load_ps(at->y[1] + n)));
    sum =
        _mm512_add_ps(sum, share_of(_mm512_load_si512(at->point[2] + n),
                                    tw_simplex_opposite_avx512(x), tw_simplex_opposite_avx512(y)));
    return _mm512_mul_ps(sum, _mm512_set1_ps(TW_SIMPLEX_FACTOR));
}

TW_LATTICE_AVX512 void fill_drawn(const struct tw_lattice *o, const struct tw_simplex_line *line,
                                  int32_t x, int32_t count, float *restrict out)
{
    __m512 right_of = tw_simplex_centres_avx512(x);
    struct cells at;
    for (int32_t begin = 0; begin < count; begin += CHUNK) {
        int32_t length = count - begin < CHUNK ? count - begin : CHUNK;
        for (int32_t n = 0; n < length; n += VECTOR) {
            draw_vector(o, line, right_of, n, &at);
            right_of = _mm512_add_ps(right_of, _mm512_set1_ps(VECTOR));
        }
        for (int32_t n = 0; n < length; n += VECTOR)
            _mm512_storeu_ps(out + begin + n, sum_shares(&at, n));
    }
}

TW_TARGET_AVX512 void tw_lattice_simplex_avx512(const struct tw_lattice *lattice,
                                                const struct tw_lattice_span *span, float *out)
{
    const struct tw_simplex_line line = tw_simplex_line_of(lattice, span->y);
    const int32_t shared = tw_simplex_shared_cells(&line);
    const int32_t step = shared < SHARED_MIN ? span->count : shared;
    for (int32_t n = 0; n < span->count; n += step) {
        int32_t count = span->count - n < step ? span->count - n : step;
        if (shared < SHARED_MIN ||
            !tw_simplex_fill_shared(lattice, &line, span->x + n, count, out + n))
            fill_drawn(lattice, &line, span->x + n, count, out + n);
    }
}

#endif
