/* SPDX-License-Identifier: MIT */
/* Along a row of the map the words of lattice points rise by TW_LATTICE_ACROSS, except where the
 * lattice wraps: a row is cut there, at most a few times. */
#include "noise/kernels/lattice_fine.h"

#include "noise/kernels/lattice_block.h"
#include "noise/kernels/lattice_word.h"

#include <string.h>

/* A lattice row. */
struct row {
    int64_t origin; /* lattice column of the strip's column[] 0 */
    int32_t j;
    float shift; /* share of a lattice cell that it begins further left */
};

/* Cells of a part: for both lattice rows how far they lie right of their left point, the lattice
 * cells to it as a word, and the random numbers of the left and the right point. */
struct cells {
    TW_LATTICE_ALIGNED float x[2][TW_LATTICE_ROW];
    TW_LATTICE_ALIGNED uint32_t across[2][TW_LATTICE_ROW];
    TW_LATTICE_ALIGNED uint32_t point[2][2][TW_LATTICE_ROW];
};

/* `shift`: of the upper and the lower row. Counts are of whole vectors from here on. */
static TW_INLINE void place_body(const struct tw_lattice_strip *s,
                                 const struct tw_lattice_part *part, int32_t count,
                                 const float shift[2], struct cells *restrict out)
{
    const int32_t *column = s->column + part->first;
    const float *share = s->share + part->first, upper = shift[0], lower = shift[1];
    for (int32_t i = 0; i < count; i++) {
        float above = share[i] + upper, below = share[i] + lower;
        uint32_t word = (uint32_t)column[i] * TW_LATTICE_ACROSS;
        uint32_t carry[2] = {0u - (uint32_t)(above >= 1.0f), 0u - (uint32_t)(below >= 1.0f)};
        out->across[0][i] = word + (carry[0] & TW_LATTICE_ACROSS);
        out->across[1][i] = word + (carry[1] & TW_LATTICE_ACROSS);
        out->x[0][i] = above - tw_lattice_masked(1.0f, carry[0]);
        out->x[1][i] = below - tw_lattice_masked(1.0f, carry[1]);
    }
}
TW_SIMD_KERNEL(place,
               (const struct tw_lattice_strip *s, const struct tw_lattice_part *part, int32_t count,
                const float shift[2], struct cells *out),
               (s, part, count, shift, out))

static TW_INLINE void hash_body(const uint32_t *across, uint32_t word, uint32_t key, int32_t count,
                                uint32_t *restrict out)
{
    for (int32_t i = 0; i < count; i++)
        out[i] = tw_lattice_mix(word + across[i], key);
}
TW_SIMD_KERNEL(hash,
               (const uint32_t *across, uint32_t word, uint32_t key, int32_t count, uint32_t *out),
               (across, word, key, count, out))

static TW_INLINE void blend_block(bool gradients, const struct cells *at, int32_t begin,
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
    for (int32_t i = 0; i < count; i += TW_LATTICE_BLOCK) {
        int32_t length = count - i < TW_LATTICE_BLOCK ? count - i : TW_LATTICE_BLOCK;
        if (gradients)
            blend_block(true, at, i, length, rise + i, down, out + i);
        else
            blend_block(false, at, i, length, rise + i, down, out + i);
    }
}
TW_SIMD_KERNEL(blend,
               (bool gradients, const struct cells *at, int32_t count, const float *rise,
                float down, float *out),
               (gradients, at, count, rise, down, out))

static struct row place_row(const struct tw_lattice *o, const struct tw_lattice_strip *s, int32_t j)
{
    struct row row = {.j = j};
    int64_t whole;
    row.shift = tw_lattice_row_start(o, j, &whole);
    row.origin = s->origin + whole;
    return row;
}

/* The point left of a column, counted from the row's origin. */
static int32_t point_at(const struct tw_lattice_strip *s, const struct row *row, int32_t column)
{
    return s->column[column] + (s->share[column] + row->shift >= 1.0f);
}

/* The first column of low..high - 1 whose left point is `point` or lies right of it. */
static int32_t column_of(const struct tw_lattice_strip *s, const struct row *row, int32_t point,
                         int32_t low, int32_t high)
{
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (point_at(s, row, middle) < point)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The word of the point left or right of a column, less TW_LATTICE_ACROSS for every lattice cell to
 * the left one: it serves all columns up to the next cut or `end`, which `until` becomes. */
static uint32_t name_side(const struct tw_lattice *o, const struct tw_lattice_strip *s,
                          const struct row *row, bool right, int32_t column, int32_t end,
                          int32_t *until)
{
    int32_t left = point_at(s, row, column), last = point_at(s, row, end - 1);
    int32_t run = last - left + 1;
    uint32_t word = tw_lattice_word(o, row->origin + left + right, row->j, &run);
    *until = left + run > last ? end : column_of(s, row, left + run, column, end);
    return word - (uint32_t)left * TW_LATTICE_ACROSS;
}

/* Whole vectors that hold so many cells. */
static int32_t whole(int32_t count)
{
    return (count + TW_LATTICE_VECTOR - 1) & ~(TW_LATTICE_VECTOR - 1);
}

/* Draws the points of one side of a part, cut by cut: what a vector draws behind a cut, the next
 * piece overwrites. */
static void draw_side(const struct tw_lattice *o, enum tw_simd simd,
                      const struct tw_lattice_strip *s, const struct row *row, bool right,
                      const struct tw_lattice_part *part, const uint32_t *across, uint32_t *out)
{
    /* what the last piece may leave of the last vector */
    memset(out + whole(part->end - part->first) - TW_LATTICE_VECTOR, 0,
           TW_LATTICE_VECTOR * sizeof *out);
    for (int32_t at = part->first, next; at < part->end; at = next) {
        uint32_t word = name_side(o, s, row, right, at, part->end, &next);
        hash(simd)(across + at - part->first, word, o->key[1], whole(next - at),
                   out + at - part->first);
    }
}

void tw_lattice_fine(const struct tw_lattice *lattice, enum tw_simd simd,
                     const struct tw_lattice_strip *strip, const struct tw_lattice_part *part,
                     float *out)
{
    const struct row row[2] = {place_row(lattice, strip, part->j),
                               place_row(lattice, strip, part->j + 1)};
    const int32_t count = whole(part->end - part->first);
    struct cells cells;
    if (count == 0)
        return;
    place(simd)(strip, part, count, (const float[]){row[0].shift, row[1].shift}, &cells);
    for (int i = 0; i < 4; i++)
        draw_side(lattice, simd, strip, &row[i >> 1], i & 1, part, cells.across[i >> 1],
                  cells.point[i >> 1][i & 1]);
    blend(simd)(lattice->basis == TW_BASIS_PERLIN, &cells, count, strip->rise + part->first,
                part->down, out + part->first);
}
