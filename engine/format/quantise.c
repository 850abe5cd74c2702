/* SPDX-License-Identifier: MIT */
/* Converts heights to the levels of an integer format, and back as a reader gets them: a division
 * and two roundings per cell, vectorised. Cells are independent, so all vector widths give
 * identical levels. */
#include "format/codec.h"

#include "base/memory/byte_order.h"
#include "base/os/cpu.h"

#include <thalweg/simd.h>

#include <math.h>

enum { BLOCK = 256 }; /* cells at a time */

/* If `span` is a power of two, above all for 0 to 1, its inverse is exact: multiplying rounds as
 * dividing does, in a fifth of the time. */
struct scale {
    double low, span, inverse, full;
    bool exact, clip;
};

static struct scale scale_of(const struct tw_export_range *range)
{
    const double span = range->high - range->low;
    int exponent;
    return (struct scale){.low = range->low,
                          .span = span,
                          .inverse = 1 / span,
                          .full = range->bits == 8 ? 255 : 65535,
                          .exact = frexp(span, &exponent) == 0.5 && isnormal(1 / span),
                          .clip = range->clip};
}

/* Returned flags: some cell is outside, or its share is not a number (an empty range, a bad cell).
 * Levels of such cells are meaningless, unless they are clipped. */
enum { OUTSIDE = 1, NO_NUMBER = 2 };
static TW_INLINE void quantise_cells(bool exact, const float *cells, int32_t count,
                                     const struct scale *scale, int32_t *restrict levels,
                                     int *found)
{
    const double low = scale->low, by = exact ? scale->inverse : scale->span, full = scale->full;
    int outside = 0, no_number = 0;
    TW_INDEPENDENT
    for (int32_t i = 0; i < count; i++) {
        double above = (double)cells[i] - low, share = exact ? above * by : above / by;
        outside |= !(share >= 0) | !(share <= 1);
        no_number |= share != share;
        share = share > 0 ? share : 0; /* includes NaN, whose cast is undefined */
        share = share < 1 ? share : 1;
        levels[i] = (int32_t)(share * full + 0.5);
    }
    *found = (outside ? OUTSIDE : 0) | (no_number ? NO_NUMBER : 0);
}

static TW_INLINE void quantise_body(const float *cells, int32_t count, const struct scale *scale,
                                    int32_t *levels, int *found)
{
    if (scale->exact)
        quantise_cells(true, cells, count, scale, levels, found);
    else
        quantise_cells(false, cells, count, scale, levels, found);
}
TW_SIMD_KERNEL(quantise,
               (const float *cells, int32_t count, const struct scale *scale, int32_t *levels,
                int *found),
               (cells, count, scale, levels, found))

/* Converts cells from x on of row y; false if one has no level. */
static bool quantise_block(enum tw_simd simd, const struct tw_value *value, int32_t y, int32_t x,
                           int32_t count, const struct scale *scale, int32_t levels[BLOCK])
{
    const float *cells = tw_floats(value) + (size_t)y * (size_t)value->width + x;
    int found;
    quantise(simd)(cells, count, scale, levels, &found);
    return scale->clip ? (found & NO_NUMBER) == 0 : found == 0;
}

static void put_levels(const int32_t *levels, int32_t count, int bits, unsigned char *row)
{
    uint16_t words[BLOCK];
    if (bits == 8) {
        for (int32_t i = 0; i < count; i++)
            row[i] = (unsigned char)levels[i];
        return;
    }
    for (int32_t i = 0; i < count; i++) {
        uint16_t level = (uint16_t)levels[i];
        words[i] = TW_LITTLE_ENDIAN ? (uint16_t)(level << 8 | level >> 8) : level;
    }
    memcpy(row, words, (size_t)count * sizeof *words);
}

bool tw_codec_quantise(const struct tw_value *value, int32_t y, const struct tw_export_range *range,
                       unsigned char *row)
{
    const enum tw_simd simd = tw_cpu_simd();
    const struct scale scale = scale_of(range);
    int32_t levels[BLOCK];
    for (int32_t x = 0; x < value->width; x += BLOCK) {
        int32_t left = value->width - x, count = left < BLOCK ? left : BLOCK;
        if (!quantise_block(simd, value, y, x, count, &scale, levels))
            return false;
        put_levels(levels, count, range->bits, row + (size_t)x * (size_t)(range->bits / 8));
    }
    return true;
}

bool tw_codec_requantise(const struct tw_value *value, int32_t y,
                         const struct tw_export_range *range, float *cells)
{
    const float full = range->bits == 8 ? 255.0f : 65535.0f;
    const enum tw_simd simd = tw_cpu_simd();
    const struct scale scale = scale_of(range);
    int32_t levels[BLOCK];
    for (int32_t x = 0; x < value->width; x += BLOCK) {
        int32_t left = value->width - x, count = left < BLOCK ? left : BLOCK;
        if (!quantise_block(simd, value, y, x, count, &scale, levels))
            return false;
        for (int32_t i = 0; i < count; i++)
            cells[x + i] = (float)levels[i] / full;
    }
    return true;
}
