/* SPDX-License-Identifier: MIT */
#include "noise/kernels/lattice_cells.h"

#include "noise/kernels/lattice_cells_avx512.h"
#include "noise/kernels/lattice_chunk.h"
#include "noise/kernels/lattice_simplex.h"

/* Cells of a chunk in their lattice cells: shares of the way right and down, and the random numbers
 * of the four corners, the lower ones at [2] and [3]. */
struct cells {
    TW_LATTICE_ALIGNED float x[TW_LATTICE_CHUNK];
    TW_LATTICE_ALIGNED float y[TW_LATTICE_CHUNK];
    TW_LATTICE_ALIGNED uint32_t point[4][TW_LATTICE_CHUNK];
};

/* The corners' words, before they are mixed: of the upper left one. Cells of a span from `first`
 * on. */
static TW_INLINE void place(const struct tw_lattice *o, const struct tw_lattice_columns *columns,
                            const struct tw_lattice_span *s, int32_t first, int32_t count,
                            struct cells *restrict out)
{
    const double *across = columns->across + first, *down = columns->down + first;
    const double middle = (double)s->y + 0.5, left = o->sine * middle, below = o->cosine * middle;
    const double start_x = o->start_x + TW_LATTICE_POSITIVE,
                 start_y = o->start_y + TW_LATTICE_POSITIVE;
    const uint32_t key = o->key[0];
    for (int32_t n = 0; n < count; n++) {
        double u = across[n] - left + start_x, v = down[n] + below + start_y;
        int32_t i = (int32_t)u, j = (int32_t)v;
        out->x[n] = (float)(u - (double)i);
        out->y[n] = (float)(v - (double)j);
        out->point[0][n] = (uint32_t)i * TW_LATTICE_ACROSS + (uint32_t)j * TW_LATTICE_DOWN + key;
    }
}

static TW_INLINE void hash(uint32_t key, int32_t count, struct cells *restrict at)
{
    for (int32_t n = 0; n < count; n++) {
        uint32_t word = at->point[0][n];
        at->point[0][n] = tw_lattice_mix(word, key);
        at->point[1][n] = tw_lattice_mix(word + TW_LATTICE_ACROSS, key);
        at->point[2][n] = tw_lattice_mix(word + TW_LATTICE_DOWN, key);
        at->point[3][n] = tw_lattice_mix(word + TW_LATTICE_DOWN + TW_LATTICE_ACROSS, key);
    }
}

static TW_INLINE void rotated_chunk(const struct tw_lattice *o, bool gradients,
                                    const struct tw_lattice_columns *columns,
                                    const struct tw_lattice_span *s, int32_t first, int32_t count,
                                    float *restrict out)
{
    struct cells at;
    struct tw_lattice_terms row[2];
    const struct tw_lattice_pair pair = {{row[0].p, row[1].p}, {row[0].q, row[1].q}};
    place(o, columns, s, first, count, &at);
    hash(o->key[1], count, &at);
    for (int i = 0; i < 2; i++)
        tw_lattice_across(gradients, at.point[2 * i], at.point[2 * i + 1], at.x, count, &row[i]);
    for (int32_t n = 0; n < count; n++)
        out[n] = tw_lattice_between(gradients, pair, n, at.y[n]);
}

static TW_INLINE void rotated_body(const struct tw_lattice *o,
                                   const struct tw_lattice_columns *columns,
                                   const struct tw_lattice_span *s, float *restrict out)
{
    for (int32_t n = 0; n < s->count; n += TW_LATTICE_CHUNK) {
        int32_t count = s->count - n < TW_LATTICE_CHUNK ? s->count - n : TW_LATTICE_CHUNK;
        if (o->basis == TW_BASIS_PERLIN)
            rotated_chunk(o, true, columns, s, n, count, out + n);
        else
            rotated_chunk(o, false, columns, s, n, count, out + n);
    }
}
TW_SIMD_KERNEL(rotated,
               (const struct tw_lattice *o, const struct tw_lattice_columns *columns,
                const struct tw_lattice_span *s, float *restrict out),
               (o, columns, s, out))

void tw_lattice_columns_place(const struct tw_lattice *lattice, int32_t x, int32_t count,
                              struct tw_lattice_columns *columns)
{
    for (int32_t n = 0; n < count + TW_LATTICE_VECTOR; n++) {
        double centre = (double)(x + n) + 0.5;
        columns->across[n] = lattice->cosine * centre;
        columns->down[n] = lattice->sine * centre;
    }
}

void tw_lattice_cells(const struct tw_lattice *lattice, enum tw_simd simd,
                      const struct tw_lattice_columns *columns, const struct tw_lattice_span *span,
                      float *out)
{
    if (lattice->basis == TW_BASIS_SIMPLEX) {
        tw_lattice_simplex(lattice, simd, span, out);
        return;
    }
#if defined(__x86_64__)
    if (simd == TW_SIMD_AVX512) {
        tw_lattice_cells_avx512(lattice, columns, span, out);
        return;
    }
    const int32_t shared = simd == TW_SIMD_AVX2 ? tw_cells_shared_avx2(lattice) : 0;
    if (shared > 0) {
        tw_lattice_cells_avx2(lattice, columns, span, shared, out);
        return;
    }
#endif
    rotated(simd)(lattice, columns, span, out);
}
