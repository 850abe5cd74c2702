/* SPDX-License-Identifier: MIT */
#include "noise/kernels/lattice_simplex_avx512.h"

#include <math.h>

#if defined(__x86_64__)

enum { VECTOR = 16 };

/* Of cells: how far right of and below their first corner they lie, the numbers of their squares,
 * and 2^16 i + j, from the cell before the first one on. */
struct counted {
    TW_LATTICE_ALIGNED float x[TW_SIMPLEX_SHARED_MAX];
    TW_LATTICE_ALIGNED float y[TW_SIMPLEX_SHARED_MAX];
    TW_LATTICE_ALIGNED int32_t number[TW_SIMPLEX_SHARED_MAX];
    TW_LATTICE_ALIGNED uint32_t square[1 + TW_SIMPLEX_SHARED_MAX];
};

/* A square of the skewed lattice. */
struct square {
    int32_t i, j;
};

/* The change of i and j from cell to cell along a row. */
struct slopes {
    double i, j;
};

static inline struct slopes slopes_of(const struct tw_simplex_line *line)
{
    double cosine = (double)line->cosine, sine = (double)line->sine;
    double both = (cosine + sine) * (double)TW_SIMPLEX_SKEW;
    return (struct slopes){cosine + both, sine + both};
}

TW_LATTICE_AVX512 struct square square_of(const struct tw_simplex_line *line, int32_t x)
{
    const struct tw_simplex_place at = tw_simplex_place_avx512(line, tw_simplex_centres_avx512(x));
    return (struct square){_mm_cvtsi128_si32(_mm512_castsi512_si128(at.i)),
                           _mm_cvtsi128_si32(_mm512_castsi512_si128(at.j))};
}

/* Numbers rise from 0 at `start`, by 1 from square to square and by 2 across a corner, whichever
 * way the row leads. */
TW_LATTICE_AVX512 void count_cells(const struct tw_simplex_line *line, struct square start,
                                   int32_t x, int32_t count, struct counted *out)
{
    const struct slopes slope = slopes_of(line);
    const int32_t turn_i = slope.i < 0 ? -1 : 0, turn_j = slope.j < 0 ? -1 : 0;
    const __m512i zero = _mm512_set1_epi32((start.i ^ turn_i) + (start.j ^ turn_j));
    __m512 right_of = tw_simplex_centres_avx512(x);
    out->square[0] = (uint32_t)start.i * 65536u + (uint32_t)start.j;
    for (int32_t n = 0; n < count; n += VECTOR) {
        const struct tw_simplex_place at = tw_simplex_place_avx512(line, right_of);
        __m512i number = _mm512_add_epi32(_mm512_xor_si512(at.i, _mm512_set1_epi32(turn_i)),
                                          _mm512_xor_si512(at.j, _mm512_set1_epi32(turn_j)));
        _mm512_store_ps(out->x + n, at.x);
        _mm512_store_ps(out->y + n, at.y);
        _mm512_store_si512(out->number + n, _mm512_sub_epi32(number, zero));
        _mm512_storeu_si512(out->square + 1 + n,
                            _mm512_add_epi32(_mm512_slli_epi32(at.i, 16), at.j));
        right_of = _mm512_add_ps(right_of, _mm512_set1_ps(VECTOR));
    }
}

/* The cells of 16 that lie in another square than the one before. */
TW_LATTICE_AVX512 uint32_t find_changes(const struct counted *at, int32_t n)
{
    return _mm512_cmpneq_epi32_mask(_mm512_load_si512(at->square + n),
                                    _mm512_loadu_si512(at->square + n + 1));
}

/* words[k]: of the first corner of square k, before it is mixed; `first` is that of square 0.
 * Returns false where a number exceeds 15 or stands for two squares. */
TW_LATTICE_AVX512 bool list_squares(const struct counted *at, int32_t count, uint32_t first,
                                    uint32_t words[VECTOR])
{
    uint32_t seen = 1;
    words[0] = first;
    for (int32_t n = 0; n < count; n += VECTOR)
        for (uint32_t left = find_changes(at, n); left; left &= left - 1) {
            int32_t cell = n + __builtin_ctz(left);
            int32_t moved = (int32_t)(at->square[1 + cell] - at->square[0]);
            int32_t j = (int16_t)moved, i = (moved - j) / 65536;
            uint32_t number = (uint32_t)at->number[cell];
            uint32_t word = first + (uint32_t)i * TW_LATTICE_ACROSS + (uint32_t)j * TW_LATTICE_DOWN;
            if (number >= VECTOR || ((seen >> number & 1) && words[number] != word))
                return false;
            words[number] = word;
            seen |= 1u << number;
        }
    return true;
}

/* Of 16 squares, the gradients of the corners (0, 0), (1, 0), (0, 1), (1, 1). */
struct gradients {
    __m512 x[4], y[4];
};

TW_LATTICE_AVX512 struct gradients draw_squares(const struct tw_lattice *o, const uint32_t *words)
{
    const __m512i key = _mm512_set1_epi32((int32_t)tw_lattice_spread_key(o->key[1]));
    struct gradients out;
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t step = (k & 1) * TW_LATTICE_ACROSS + (k >> 1) * TW_LATTICE_DOWN;
        __m512i word = _mm512_add_epi32(_mm512_load_si512(words), _mm512_set1_epi32((int32_t)step));
        tw_lattice_gradient_avx512(tw_lattice_mix_avx512(word, key), &out.x[k], &out.y[k]);
    }
    return out;
}

TW_LATTICE_AVX512 __m512 sum_shared(const struct gradients *g, const struct counted *at, int32_t n)
{
    __m512 x = _mm512_load_ps(at->x + n), y = _mm512_load_ps(at->y + n);
    __m512i number = _mm512_load_si512(at->number + n);
    __mmask16 right = tw_simplex_right_avx512(x, y), below = tw_simplex_below_avx512(x, y);
    __m512 gx = _mm512_permutexvar_ps(number, g->x[2]), gy = _mm512_permutexvar_ps(number, g->y[2]);
    gx = _mm512_mask_permutexvar_ps(gx, right, number, g->x[1]);
    gy = _mm512_mask_permutexvar_ps(gy, right, number, g->y[1]);
    __m512 sum = tw_simplex_share_avx512(_mm512_permutexvar_ps(number, g->x[0]),
                                         _mm512_permutexvar_ps(number, g->y[0]), x, y);
    sum = _mm512_add_ps(sum, tw_simplex_share_avx512(gx, gy, tw_simplex_second_avx512(x, right),
                                                     tw_simplex_second_avx512(y, below)));
    sum = _mm512_add_ps(sum, tw_simplex_share_avx512(_mm512_permutexvar_ps(number, g->x[3]),
                                                     _mm512_permutexvar_ps(number, g->y[3]),
                                                     tw_simplex_opposite_avx512(x),
                                                     tw_simplex_opposite_avx512(y)));
    return _mm512_mul_ps(sum, _mm512_set1_ps(TW_SIMPLEX_FACTOR));
}

int32_t tw_simplex_shared_cells(const struct tw_simplex_line *line)
{
    const struct slopes slope = slopes_of(line);
    double cells = (VECTOR - 1) / (fabs(slope.i) + fabs(slope.j));
    return (cells < TW_SIMPLEX_SHARED_MAX ? (int32_t)cells : TW_SIMPLEX_SHARED_MAX) / VECTOR *
           VECTOR;
}

TW_TARGET_AVX512 bool tw_simplex_fill_shared(const struct tw_lattice *lattice,
                                             const struct tw_simplex_line *line, int32_t x,
                                             int32_t count, float *out)
{
    const struct square start = square_of(line, x);
    const uint32_t first = (uint32_t)start.i * TW_LATTICE_ACROSS +
                           (uint32_t)start.j * TW_LATTICE_DOWN + lattice->key[0];
    TW_LATTICE_ALIGNED uint32_t words[VECTOR] = {0};
    struct counted at;
    count_cells(line, start, x, count, &at);
    if (!list_squares(&at, count, first, words))
        return false;
    const struct gradients gradients = draw_squares(lattice, words);
    for (int32_t n = 0; n < count; n += VECTOR)
        _mm512_storeu_ps(out + n, sum_shared(&gradients, &at, n));
    return true;
}

#endif
