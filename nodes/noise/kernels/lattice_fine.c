/* SPDX-License-Identifier: MIT */
/* Along a row of the map the words of lattice points rise by TW_LATTICE_ACROSS, except where the
 * lattice wraps: a row is cut there, at most a few times. */
#include "noise/kernels/lattice_fine.h"

#include "noise/kernels/lattice_chunk.h"
#include "noise/kernels/lattice_word.h"

#include <string.h>

/* Cells of a section: for both lattice rows how far they lie right of their left point, the lattice
 * cells to it as a word, and the random numbers of the left and the right point. */
struct cells {
    TW_LATTICE_ALIGNED float x[2][TW_LATTICE_ROW];
    TW_LATTICE_ALIGNED uint32_t across[2][TW_LATTICE_ROW];
    TW_LATTICE_ALIGNED uint32_t point[2][2][TW_LATTICE_ROW];
};

/* `shift`: of the upper and the lower row. Counts are of whole vectors from here on. */
static TW_INLINE void place_body(const struct tw_lattice_strip *s,
                                 const struct tw_lattice_section *section, int32_t count,
                                 const float shift[2], struct cells *restrict out)
{
    const uint32_t *words = s->word + section->first;
    const float *share = s->share + section->first, upper = shift[0], lower = shift[1];
    for (int32_t i = 0; i < count; i++) {
        float above = share[i] + upper, below = share[i] + lower;
        uint32_t word = words[i];
        uint32_t carry[2] = {0u - (uint32_t)(above >= 1.0f), 0u - (uint32_t)(below >= 1.0f)};
        out->across[0][i] = word + (carry[0] & TW_LATTICE_ACROSS);
        out->across[1][i] = word + (carry[1] & TW_LATTICE_ACROSS);
        out->x[0][i] = above - tw_lattice_masked(1.0f, carry[0]);
        out->x[1][i] = below - tw_lattice_masked(1.0f, carry[1]);
    }
}
TW_SIMD_KERNEL(place,
               (const struct tw_lattice_strip *s, const struct tw_lattice_section *section,
                int32_t count, const float shift[2], struct cells *out),
               (s, section, count, shift, out))

static TW_INLINE void hash_body(const uint32_t *across, uint32_t word, uint32_t key, int32_t count,
                                uint32_t *restrict out)
{
    for (int32_t i = 0; i < count; i++)
        out[i] = tw_lattice_mix(word + across[i], key);
}
TW_SIMD_KERNEL(hash,
               (const uint32_t *across, uint32_t word, uint32_t key, int32_t count, uint32_t *out),
               (across, word, key, count, out))

static TW_INLINE void blend_chunk(bool gradients, const struct cells *at, int32_t begin,
                                  int32_t count, const float *rise, float down, float *restrict out)
{
    struct tw_lattice_terms row[2];
    const struct tw_lattice_pair pair = {{row[0].p, row[1].p}, {row[0].q, row[1].q}};
    for (int i = 0; i < 2; i++)
        tw_lattice_across(gradients, at->point[i][0] + begin, at->point[i][1] + begin,
                          at->x[i] + begin, count, &row[i]);
    for (int32_t i = 0; i < count; i++)
        out[i] = tw_lattice_between(gradients, pair, i, down + rise[i]);
}

static TW_INLINE void blend_body(bool gradients, const struct cells *at, int32_t count,
                                 const float *rise, float down, float *restrict out)
{
    for (int32_t i = 0; i < count; i += TW_LATTICE_CHUNK) {
        int32_t length = count - i < TW_LATTICE_CHUNK ? count - i : TW_LATTICE_CHUNK;
        if (gradients)
            blend_chunk(true, at, i, length, rise + i, down, out + i);
        else
            blend_chunk(false, at, i, length, rise + i, down, out + i);
    }
}
TW_SIMD_KERNEL(blend,
               (bool gradients, const struct cells *at, int32_t count, const float *rise,
                float down, float *out),
               (gradients, at, count, rise, down, out))

/* The first column of low..high - 1 whose left point is `point` or lies right of it. */
static int32_t column_of(const struct tw_lattice_strip *s, const struct tw_lattice_row *row,
                         int32_t point, int32_t low, int32_t high)
{
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (tw_lattice_point_at(s, row, middle) < point)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whole vectors that hold so many cells. */
static int32_t whole(int32_t count)
{
    return (count + TW_LATTICE_VECTOR - 1) & ~(TW_LATTICE_VECTOR - 1);
}

/* Draws the left and the right points of one row, run by run: what a vector draws behind the end of
 * a run, the next one overwrites. A run ends for right points a column or so before it does for
 * left ones. */
static void draw_row(const struct tw_lattice *o, enum tw_simd simd,
                     const struct tw_lattice_strip *s, const struct tw_lattice_row *row,
                     const struct tw_lattice_section *section, const uint32_t *across,
                     uint32_t point[2][TW_LATTICE_ROW])
{
    const int32_t last = tw_lattice_point_at(s, row, section->end - 1);
    int32_t left = section->first, right = section->first, run;
    for (int32_t at = tw_lattice_point_at(s, row, left); right < section->end; at += run) {
        run = last + 2 - at;
        uint32_t word = tw_lattice_word(o, row->origin + at, row->j, &run);
        int32_t end = at + run, left_end = section->end;
        if (end <= last)
            left_end = column_of(s, row, end, left, section->end);
        int32_t right_end = left_end;
        while (right_end > right && tw_lattice_point_at(s, row, right_end - 1) + 1 >= end)
            right_end--;
        word -= (uint32_t)at * TW_LATTICE_ACROSS;
        hash(simd)(across + left - section->first, word, o->key[1], whole(left_end - left),
                   point[0] + left - section->first);
        hash(simd)(across + right - section->first, word + TW_LATTICE_ACROSS, o->key[1],
                   whole(right_end - right), point[1] + right - section->first);
        left = left_end;
        right = right_end;
    }
}

static void fill_section(const struct tw_lattice *lattice, enum tw_simd simd,
                         const struct tw_lattice_strip *strip,
                         const struct tw_lattice_section *section, float *out)
{
    const struct tw_lattice_row row[2] = {tw_lattice_row_place(lattice, strip, section->j),
                                          tw_lattice_row_place(lattice, strip, section->j + 1)};
    const int32_t count = whole(section->end - section->first);
    struct cells cells;
    if (count == 0)
        return;
    place(simd)(strip, section, count, (const float[]){row[0].shift, row[1].shift}, &cells);
    for (int i = 0; i < 2; i++) {
        for (int side = 0; side < 2; side++) /* what the last run may leave of the last vector */
            memset(cells.point[i][side] + count - TW_LATTICE_VECTOR, 0,
                   TW_LATTICE_VECTOR * sizeof cells.point[i][side][0]);
        draw_row(lattice, simd, strip, &row[i], section, cells.across[i], cells.point[i]);
    }
    blend(simd)(lattice->basis == TW_BASIS_PERLIN, &cells, count, strip->rise + section->first,
                section->down, out + section->first);
}

void tw_lattice_fine(const struct tw_lattice *lattice, enum tw_simd simd,
                     const struct tw_lattice_strip *strip, const struct tw_lattice_section *section,
                     float *out)
{
#if defined(__x86_64__)
    if (simd == TW_SIMD_AVX512) {
        tw_lattice_fine_avx512(lattice, strip, section, out);
        return;
    }
#endif
    fill_section(lattice, simd, strip, section, out);
}
