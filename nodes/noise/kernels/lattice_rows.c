/* SPDX-License-Identifier: MIT */
#include "noise/kernels/lattice_rows.h"

#include "noise/kernels/lattice_fine.h"
#include "noise/kernels/lattice_spread.h"

#include <string.h>

enum { VECTOR = TW_LATTICE_VECTOR };

/* A map row of a strip: how far it lies below lattice row j where it does not rise, and the first
 * column that is on the other side of row j + 1 than column 0. */
struct across {
    int32_t j, crossing;
    float down;
};

/* Columns of a map row that lie between the same two lattice rows. */
static TW_INLINE void blend_section(const struct tw_lattice_strip *s, bool gradients, int32_t j,
                                    float down, int32_t first, int32_t end, float *restrict out)
{
    const struct tw_lattice_pair row = {{s->height[j & 3], s->height[(j + 1) & 3]},
                                        {s->slope[j & 3], s->slope[(j + 1) & 3]}};
    for (int32_t i = first; i < end; i++)
        out[i] = tw_lattice_between(gradients, row, i, down + s->rise[i]);
}

/* Sections begin and end at whole vectors: what the second overwrites is put back. */
static TW_INLINE void blend_sections(const struct tw_lattice_strip *s, bool gradients,
                                     struct across row, float *restrict out)
{
    int32_t carry = row.down + s->rise[0] >= 1.0f, first = row.crossing & ~(VECTOR - 1);
    int32_t end = first + VECTOR < s->count ? first + VECTOR : s->count;
    float kept[VECTOR];
    blend_section(s, gradients, row.j + carry, row.down - (float)carry, 0, end, out);
    if (row.crossing == s->count)
        return;
    memcpy(kept, out + first, sizeof kept);
    blend_section(s, gradients, row.j + 1 - carry, row.down - (float)(1 - carry), first, s->count,
                  out);
    for (int32_t i = 0; i < VECTOR; i++)
        out[first + i] = first + i < row.crossing ? kept[i] : out[first + i];
}

static TW_INLINE void blend_body(const struct tw_lattice_strip *s, bool gradients,
                                 struct across row, float *restrict out)
{
    if (gradients)
        blend_sections(s, true, row, out);
    else
        blend_sections(s, false, row, out);
}
TW_SIMD_KERNEL(blend,
               (const struct tw_lattice_strip *s, bool gradients, struct across row,
                float *restrict out),
               (s, gradients, row, out))

/* The first column that lies on the other side of lattice row j + 1 than column 0: all of them
 * where a row leads away from it. A guess comes first, since rounding may move it. */
static int32_t find_crossing(const struct tw_lattice *o, const struct tw_lattice_strip *s,
                             float down)
{
    double guess = (1 - (double)(down + s->rise[0])) * o->width * o->climb;
    int32_t at = guess < 0 ? 0 : guess > s->count ? s->count : (int32_t)guess;
    bool side = down + s->rise[0] >= 1.0f;
    if (side == (o->climb > 0))
        return s->count;
    while (at > 0 && (down + s->rise[at - 1] >= 1.0f) != side)
        at--;
    while (at < s->count && (down + s->rise[at] >= 1.0f) == side)
        at++;
    return at;
}

void tw_lattice_strip_place(const struct tw_lattice *lattice, int32_t x, int32_t count,
                            struct tw_lattice_strip *strip)
{
    const double start = lattice->climb > 0 ? 0 : 1,
                 rise = (double)lattice->climb / (double)lattice->width;
    strip->count = count;
    strip->origin = (int32_t)(((double)x + 0.5) * lattice->step_x);
    strip->next = 0;
    for (int32_t i = 0; i < count + VECTOR; i++) {
        double across = (double)(x + i) + 0.5, u = across * lattice->step_x;
        int32_t column = (int32_t)u;
        strip->column[i] = column - strip->origin;
        strip->word[i] = (uint32_t)strip->column[i] * TW_LATTICE_ACROSS;
        strip->share[i] = (float)(u - (double)column);
        strip->rise[i] = (float)(start + across * rise);
    }
}

/* Both sections of a map row, on both sides of a lattice row. */
static void fill_fine(const struct tw_lattice *o, enum tw_simd simd,
                      const struct tw_lattice_strip *s, struct across row, float *out)
{
    int32_t carry = row.down + s->rise[0] >= 1.0f;
    struct tw_lattice_section section = {row.j + carry, 0, row.crossing, row.down - (float)carry};
    tw_lattice_fine(o, simd, s, &section, out);
    carry = 1 - carry;
    section =
        (struct tw_lattice_section){row.j + carry, row.crossing, s->count, row.down - (float)carry};
    tw_lattice_fine(o, simd, s, &section, out);
}

void tw_lattice_strip_row(const struct tw_lattice *lattice, enum tw_simd simd, int32_t y,
                          struct tw_lattice_strip *strip, float *out)
{
    double v = ((double)y + 0.5) * lattice->step_y + lattice->start_y;
    struct across row = {.j = (int32_t)v};
    row.down = (float)(v - (double)row.j);
    row.crossing = find_crossing(lattice, strip, row.down);
    if (lattice->step_x > TW_LATTICE_FINE) {
        fill_fine(lattice, simd, strip, row, out);
        return;
    }
    bool beyond = row.down + strip->rise[0] >= 1.0f, crosses = row.crossing < strip->count;
    int32_t first = row.j + (beyond && !crosses), last = row.j + 1 + (beyond || crosses);
    for (strip->next = strip->next < first ? first : strip->next; strip->next <= last;
         strip->next++)
        tw_lattice_spread(lattice, simd, strip->next, strip);
    blend(simd)(strip, lattice->basis == TW_BASIS_PERLIN, row, out);
}
