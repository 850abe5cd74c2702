/* SPDX-License-Identifier: MIT */
/* Where cells lie on a rotated lattice, and cells that draw their own four points: those of octaves
 * about as fine as the map, or finer. */
#include "noise/kernels/lattice_cells_avx512.h"

#include "noise/kernels/lattice_avx512.h"

#if defined(__x86_64__)

enum { VECTOR = 16, CHUNK = TW_CELLS_CHUNK };

/* Added to the places of a row's cells, first the first: as place() in lattice_cells.c. */
struct line {
    double down, start;
};

/* The random numbers of the left and right corners, the upper ones first. */
struct drawn {
    TW_LATTICE_ALIGNED uint32_t left[2][CHUNK];
    TW_LATTICE_ALIGNED uint32_t right[2][CHUNK];
};

/* Places of 16 cells along an axis of the lattice: whole lattice cells, and shares of one. Places
 * are positive: 2^52 leaves no bits to shares. */
TW_LATTICE_AVX512 void place_vector(const double *columns, struct line line, int32_t *whole,
                                    float *share)
{
    enum { DOWN = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC };
    const __m512i even =
        _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    const __m512d high = _mm512_set1_pd(0x1p52);
    __m512d place[2], floor[2];
    for (int k = 0; k < 2; k++) {
        place[k] = _mm512_add_pd(_mm512_loadu_pd(columns + 8 * k), _mm512_set1_pd(line.down));
        place[k] = _mm512_add_pd(place[k], _mm512_set1_pd(line.start));
        floor[k] = _mm512_add_round_pd(place[k], high, DOWN);
        _mm256_store_ps(share + 8 * k,
                        _mm512_cvtpd_ps(_mm512_sub_pd(place[k], _mm512_sub_pd(floor[k], high))));
    }
    _mm512_store_si512(whole, _mm512_permutex2var_epi32(_mm512_castpd_si512(floor[0]), even,
                                                        _mm512_castpd_si512(floor[1])));
}

/* Cells n to n + count of a span. */
TW_LATTICE_AVX512 void place_cells(const struct tw_lattice *o,
                                   const struct tw_lattice_columns *columns,
                                   const struct tw_lattice_span *s, int32_t n, int32_t count,
                                   struct tw_cells *restrict out)
{
    const double down = (double)s->y + 0.5;
    const struct line x = {-(o->sine * down), o->start_x + TW_LATTICE_POSITIVE};
    const struct line y = {o->cosine * down, o->start_y + TW_LATTICE_POSITIVE};
    for (int32_t k = 0; k < count; k += VECTOR) {
        place_vector(columns->across + n + k, x, out->column + k, out->x + k);
        place_vector(columns->down + n + k, y, out->row + k, out->y + k);
    }
}

TW_LATTICE_AVX512 void draw_cells(const struct tw_lattice *o, const struct tw_cells *at,
                                  int32_t count, struct drawn *restrict out)
{
    const __m512i key = _mm512_set1_epi32((int32_t)tw_lattice_spread_key(o->key[1]));
    const __m512i right = _mm512_set1_epi32((int32_t)TW_LATTICE_ACROSS);
    const __m512i down = _mm512_set1_epi32((int32_t)TW_LATTICE_DOWN);
    for (int32_t n = 0; n < count; n += VECTOR) {
        __m512i word =
            _mm512_add_epi32(_mm512_mullo_epi32(_mm512_load_si512(at->column + n), right),
                             _mm512_mullo_epi32(_mm512_load_si512(at->row + n), down));
        word = _mm512_add_epi32(word, _mm512_set1_epi32((int32_t)o->key[0]));
        for (int row = 0; row < 2; row++) {
            _mm512_store_si512(out->left[row] + n, tw_lattice_mix_avx512(word, key));
            _mm512_store_si512(out->right[row] + n,
                               tw_lattice_mix_avx512(_mm512_add_epi32(word, right), key));
            word = _mm512_add_epi32(word, down);
        }
    }
}

TW_LATTICE_AVX512 void blend_drawn(bool gradients, const struct tw_cells *at,
                                   const struct drawn *points, int32_t count, float *restrict out)
{
    for (int32_t n = 0; n < count; n += VECTOR) {
        struct tw_lattice_terms_avx512 row[2];
        __m512 x = _mm512_load_ps(at->x + n), t = tw_lattice_fade_avx512(x);
        for (int k = 0; k < 2; k++) {
            const struct tw_lattice_ends_avx512 ends =
                tw_lattice_ends_avx512(gradients, _mm512_load_si512(points->left[k] + n),
                                       _mm512_load_si512(points->right[k] + n));
            row[k] = tw_lattice_across_avx512(gradients, ends, x, t);
        }
        _mm512_storeu_ps(out + n, tw_lattice_between_avx512(gradients, row[0], row[1],
                                                            _mm512_load_ps(at->y + n)));
    }
}

TW_LATTICE_AVX512 void fill_drawn(const struct tw_lattice *o, const struct tw_cells *at,
                                  int32_t count, float *restrict out)
{
    struct drawn points;
    draw_cells(o, at, count, &points);
    if (o->basis == TW_BASIS_PERLIN)
        blend_drawn(true, at, &points, count, out);
    else
        blend_drawn(false, at, &points, count, out);
}

TW_TARGET_AVX512 void tw_lattice_cells_avx512(const struct tw_lattice *lattice,
                                              const struct tw_lattice_columns *columns,
                                              const struct tw_lattice_span *span, float *out)
{
    const int32_t shared = tw_cells_shared(lattice);
    const int32_t step = shared ? CHUNK / shared * shared : CHUNK;
    struct tw_cells at;
    for (int32_t n = 0; n < span->count; n += step) {
        int32_t count = span->count - n < step ? span->count - n : step;
        place_cells(lattice, columns, span, n, count, &at);
        if (shared)
            tw_cells_fill_shared(lattice, &at, count, shared, out + n);
        else
            fill_drawn(lattice, &at, count, out + n);
    }
}

#endif
