/* SPDX-License-Identifier: MIT */
/* Along a row of the map the words of lattice points rise by TW_LATTICE_ACROSS, except where the
 * lattice wraps: a row is cut there, at most a few times. */
#include "noise/kernels/lattice_fine.h"

#include "noise/kernels/lattice_word.h"

/* The points of one lattice row on one side of columns: their words, less TW_LATTICE_ACROSS for
 * every lattice cell to the columns' left points, up to a column. */
struct side {
    uint32_t word;
    int32_t until;
};

/* A lattice row: left and right points. */
struct row {
    int64_t origin; /* lattice column of the strip's column[] 0 */
    int32_t j;
    float shift; /* share of a lattice cell that it begins further left */
    struct side side[2];
};

/* Columns between the same cuts. */
struct piece {
    uint32_t upper[2], lower[2]; /* words */
    float upper_shift, lower_shift, down;
    int32_t first, count;
};

static TW_INLINE float row_at(bool gradients, const uint32_t word[2], uint32_t key, int32_t column,
                              float share, float y)
{
    int32_t carry = share >= 1.0f;
    uint32_t across = (uint32_t)(column + carry) * TW_LATTICE_ACROSS;
    return tw_lattice_between(gradients, tw_lattice_mix(word[0] + across, key),
                              tw_lattice_mix(word[1] + across, key), share - (float)carry, y);
}

static TW_INLINE void fill_cells(const struct tw_lattice_strip *s, const struct piece *p,
                                 uint32_t key, bool gradients, float *restrict out)
{
    const int32_t *column = s->column + p->first, count = p->count & ~(TW_LATTICE_VECTOR - 1);
    const float *share = s->share + p->first, *rise = s->rise + p->first;
    const float factor = tw_lattice_factor(gradients ? TW_BASIS_PERLIN : TW_BASIS_VALUE);
    const struct piece at = *p;
    for (int32_t i = 0; i < count; i++) {
        float y = at.down + rise[i];
        float upper = row_at(gradients, at.upper, key, column[i], share[i] + at.upper_shift, y);
        float lower =
            row_at(gradients, at.lower, key, column[i], share[i] + at.lower_shift, y - 1.0f);
        out[i] = (upper + tw_lattice_fade(y) * (lower - upper)) * factor;
    }
}

static TW_INLINE void fill_body(const struct tw_lattice_strip *s, const struct piece *p,
                                uint32_t key, bool gradients, float *restrict out)
{
    if (gradients)
        fill_cells(s, p, key, true, out);
    else
        fill_cells(s, p, key, false, out);
}
TW_SIMD_KERNEL(fill,
               (const struct tw_lattice_strip *s, const struct piece *p, uint32_t key,
                bool gradients, float *restrict out),
               (s, p, key, gradients, out))

static struct row place_row(const struct tw_lattice *o, const struct tw_lattice_strip *s, int32_t j,
                            int32_t first)
{
    struct row row = {.j = j, .side = {{0, first}, {0, first}}};
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

/* The words from a column on, up to the next cut or `end`. */
static void name_side(const struct tw_lattice *o, const struct tw_lattice_strip *s,
                      const struct row *row, bool right, int32_t column, int32_t end,
                      struct side *side)
{
    int32_t left = point_at(s, row, column), last = point_at(s, row, end - 1);
    int32_t run = last - left + 1;
    side->word = tw_lattice_word(o, row->origin + left + right, row->j, &run) -
                 (uint32_t)left * TW_LATTICE_ACROSS;
    side->until = left + run > last ? end : column_of(s, row, left + run, column, end);
}

/* Names the points of both sides where they are cut at a column; returns the next cut. */
static int32_t name_row(const struct tw_lattice *o, const struct tw_lattice_strip *s,
                        struct row *row, int32_t column, int32_t end, uint32_t word[2])
{
    for (int i = 0; i < 2; i++) {
        if (row->side[i].until == column)
            name_side(o, s, row, i == 1, column, end, &row->side[i]);
        word[i] = row->side[i].word;
    }
    return row->side[0].until < row->side[1].until ? row->side[0].until : row->side[1].until;
}

void tw_lattice_fine(const struct tw_lattice *lattice, enum tw_simd simd,
                     const struct tw_lattice_strip *strip, const struct tw_lattice_part *part,
                     float *out)
{
    struct row upper = place_row(lattice, strip, part->j, part->first);
    struct row lower = place_row(lattice, strip, part->j + 1, part->first);
    struct piece piece = {
        .upper_shift = upper.shift, .lower_shift = lower.shift, .down = part->down};
    for (int32_t at = part->first, next; at < part->end; at = next) {
        int32_t cut = name_row(lattice, strip, &upper, at, part->end, piece.upper);
        next = name_row(lattice, strip, &lower, at, part->end, piece.lower);
        next = cut < next ? cut : next;
        piece.first = at;
        piece.count = next - at + TW_LATTICE_VECTOR - 1;
        fill(simd)(strip, &piece, lattice->key[1], lattice->basis == TW_BASIS_PERLIN, out + at);
    }
}
