/* SPDX-License-Identifier: MIT */
/* Both points of a vector's cells are drawn at once; where the lattice wraps within a vector, some
 * of its lanes take the words of the next run. Two loops over a chunk, which stays in the first
 * cache: one draws points, the other blends them. */
#include "noise/kernels/lattice_fine.h"

#include "noise/kernels/lattice_avx512.h"
#include "noise/kernels/lattice_word.h"

#if defined(__x86_64__)

enum { VECTOR = TW_LATTICE_VECTOR, CHUNK = 256 };

/* A lattice row, as it is drawn from left to right: points before `end` have the word `word` and
 * TW_LATTICE_ACROSS for each point. `last` is the last one to draw, behind which no run ends. */
struct line {
    struct tw_lattice_row row;
    int32_t end, last;
    uint32_t word;
};

/* A lattice row at a chunk's cells: how far these lie right of their left points, and the random
 * numbers of the left and the right points. */
struct points {
    TW_LATTICE_ALIGNED float x[CHUNK];
    TW_LATTICE_ALIGNED uint32_t left[CHUNK];
    TW_LATTICE_ALIGNED uint32_t right[CHUNK];
};

/* The run that begins at point `at`. */
static void begin_run(const struct tw_lattice *o, struct line *line, int32_t at)
{
    int32_t run = line->last + 1 - at;
    line->word = tw_lattice_word(o, line->row.origin + at, line->row.j, &run) -
                 (uint32_t)at * TW_LATTICE_ACROSS;
    line->end = at + run <= line->last ? at + run : INT32_MAX;
}

/* From column `first` on to `end`, a whole number of vectors right of it. */
static struct line place_line(const struct tw_lattice *o, const struct tw_lattice_strip *s,
                              int32_t j, int32_t first, int32_t end)
{
    struct line line = {.row = tw_lattice_row_place(o, s, j)};
    line.last = tw_lattice_point_at(s, &line.row, end - 1) + 1;
    begin_run(o, &line, tw_lattice_point_at(s, &line.row, first));
    return line;
}

/* The words of 16 cells' left and right points. */
struct words {
    __m512i left, right;
};

/* Of the cells from `column` on, as long as no run ends there; `x`: how far they lie right of their
 * left points. Where `carry`, a left point is one further right than in s->column. */
TW_LATTICE_AVX512 struct words place_points(const struct tw_lattice_strip *s,
                                            const struct line *line, int32_t column, __m512 shift,
                                            __mmask16 *carry, float *x)
{
    const __m512 one = _mm512_set1_ps(1);
    const __m512i across = _mm512_set1_epi32((int32_t)TW_LATTICE_ACROSS);
    __m512 above = _mm512_add_ps(_mm512_loadu_ps(s->share + column), shift);
    __m512i word = _mm512_add_epi32(_mm512_loadu_si512(s->word + column),
                                    _mm512_set1_epi32((int32_t)line->word));
    *carry = _mm512_cmp_ps_mask(above, one, _CMP_GE_OQ);
    _mm512_store_ps(x, _mm512_mask_sub_ps(above, *carry, above, one));
    struct words words = {.left = _mm512_mask_add_epi32(word, *carry, word, across)};
    words.right = _mm512_add_epi32(words.left, across);
    return words;
}

TW_LATTICE_AVX512 void hash_points(const struct words *words, __m512i key, int32_t i,
                                   struct points *out)
{
    _mm512_store_si512(out->left + i, tw_lattice_mix_avx512(words->left, key));
    _mm512_store_si512(out->right + i, tw_lattice_mix_avx512(words->right, key));
}

/* Whether the points of 16 columns surely lie before the end of a run. */
static inline bool is_within(const struct tw_lattice_strip *s, const struct line *line,
                             int32_t column)
{
    return s->column[column + VECTOR - 1] + 2 < line->end;
}

/* Where the lattice wraps: points from there on take the words of the next run. */
TW_TARGET_AVX512 __attribute__((noinline)) static void
draw_wrapping(const struct tw_lattice *o, const struct tw_lattice_strip *s, struct line *line,
              int32_t column, int32_t i, struct points *out)
{
    __mmask16 carry;
    struct words words =
        place_points(s, line, column, _mm512_set1_ps(line->row.shift), &carry, out->x + i);
    __m512i left = _mm512_loadu_si512(s->column + column);
    left = _mm512_mask_add_epi32(left, carry, left, _mm512_set1_epi32(1));
    while (line->end <= line->last) {
        __mmask16 lefts = _mm512_cmpge_epi32_mask(left, _mm512_set1_epi32(line->end));
        __mmask16 rights = _mm512_cmpge_epi32_mask(left, _mm512_set1_epi32(line->end - 1));
        uint32_t before = line->word;
        if (!rights)
            break;
        begin_run(o, line, line->end);
        __m512i change = _mm512_set1_epi32((int32_t)(line->word - before));
        words.left = _mm512_mask_add_epi32(words.left, lefts, words.left, change);
        words.right = _mm512_mask_add_epi32(words.right, rights, words.right, change);
    }
    hash_points(&words, _mm512_set1_epi32((int32_t)tw_lattice_spread_key(o->key[1])), i, out);
}

TW_LATTICE_AVX512 void draw_points(const struct tw_lattice *o, const struct tw_lattice_strip *s,
                                   struct line *line, int32_t first, int32_t count,
                                   struct points *out)
{
    const __m512i key = _mm512_set1_epi32((int32_t)tw_lattice_spread_key(o->key[1]));
    const __m512 shift = _mm512_set1_ps(line->row.shift);
    for (int32_t i = 0; i < count; i += VECTOR) {
        for (; i < count && is_within(s, line, first + i); i += VECTOR) {
            __mmask16 carry;
            struct words words = place_points(s, line, first + i, shift, &carry, out->x + i);
            hash_points(&words, key, i, out);
        }
        if (i < count)
            draw_wrapping(o, s, line, first + i, i, out);
    }
}

TW_LATTICE_AVX512 struct tw_lattice_terms_avx512 find_terms(bool gradients, const struct points *at,
                                                            int32_t i)
{
    __m512 x = _mm512_load_ps(at->x + i);
    const struct tw_lattice_ends_avx512 ends = tw_lattice_ends_avx512(
        gradients, _mm512_load_si512(at->left + i), _mm512_load_si512(at->right + i));
    return tw_lattice_across_avx512(gradients, ends, x, tw_lattice_fade_avx512(x));
}

TW_LATTICE_AVX512 void fill_section(const struct tw_lattice *o, bool gradients,
                                    const struct tw_lattice_strip *s,
                                    const struct tw_lattice_section *section, float *restrict out)
{
    const int32_t end =
        section->first + (section->end - section->first + VECTOR - 1) / VECTOR * VECTOR;
    const __m512 down = _mm512_set1_ps(section->down);
    struct line line[2] = {place_line(o, s, section->j, section->first, end),
                           place_line(o, s, section->j + 1, section->first, end)};
    struct points row[2];
    for (int32_t at = section->first; at < end; at += CHUNK) {
        int32_t count = end - at < CHUNK ? end - at : CHUNK;
        draw_points(o, s, &line[0], at, count, &row[0]);
        draw_points(o, s, &line[1], at, count, &row[1]);
        for (int32_t i = 0; i < count; i += VECTOR) {
            __m512 y = _mm512_add_ps(down, _mm512_loadu_ps(s->rise + at + i));
            struct tw_lattice_terms_avx512 upper = find_terms(gradients, &row[0], i);
            struct tw_lattice_terms_avx512 lower = find_terms(gradients, &row[1], i);
            _mm512_storeu_ps(out + at + i, tw_lattice_between_avx512(gradients, upper, lower, y));
        }
    }
}

TW_TARGET_AVX512 void tw_lattice_fine_avx512(const struct tw_lattice *lattice,
                                             const struct tw_lattice_strip *strip,
                                             const struct tw_lattice_section *section, float *out)
{
    if (section->first == section->end)
        return;
    if (lattice->basis == TW_BASIS_PERLIN)
        fill_section(lattice, true, strip, section, out);
    else
        fill_section(lattice, false, strip, section, out);
}

#endif
