/* SPDX-License-Identifier: MIT */
/* Where a rotated lattice is coarser than the map, cells of a stretch of a row share their points.
 * The lattice cells that a stretch leads through are a staircase: each lies one step across or down
 * from the one before, all in the same directions. They are numbered from 0 on, and their corners
 * lie on diagonals of which the staircase leaves two points each, on either side. So 14 lattice
 * cells have all their corners among two vectors of points, from which permutations take them. */
#include "noise/kernels/lattice_cells_avx512.h"

#include "noise/kernels/lattice_avx512.h"

#include <math.h>

#if defined(__x86_64__)

enum { VECTOR = 16, CHUNK = TW_CELLS_CHUNK, SHARED_MIN = 2 * VECTOR };
enum { STRETCHES = CHUNK / SHARED_MIN };

/* Lattice cells across and down, from the first to the last cell of a stretch. Either may lead into
 * one more than it is long: the last number is below 14. */
#define REACH 11.9

/* Which way rows lead: all bits where left or up, else 0. */
struct ways {
    int32_t left, up;
};

static struct ways ways_of(const struct tw_lattice *o)
{
    return (struct ways){-(o->cosine < 0), -(o->sine < 0)};
}

/* The first lattice cell of a stretch by its corner's word, and the steps from each to the next, in
 * bits: 1 is across. */
struct stretch {
    uint32_t word, steps;
};

/* Gradients, or values in x, of a stretch's lattice cells: corner 0 is the upper left one, 1 the
 * upper right one, 2 and 3 lie below these. */
struct corners {
    TW_LATTICE_ALIGNED float x[4][VECTOR];
    TW_LATTICE_ALIGNED float y[4][VECTOR];
};

/* The cells from n on that lie in another column, or row, of the lattice than the one before; not
 * the first cell of a stretch. */
TW_LATTICE_AVX512 uint32_t find_steps(const int32_t *at, bool first)
{
    __m512i here = _mm512_load_si512(at);
    __m512i before =
        first ? _mm512_alignr_epi32(here, here, VECTOR - 1) : _mm512_loadu_si512(at - 1);
    return _mm512_mask_cmpneq_epi32_mask(first ? 0xFFFE : 0xFFFF, before, here);
}

/* From cell n on; also numbers the lattice cells in `number`. */
TW_LATTICE_AVX512 struct stretch follow(const struct tw_lattice *o, struct ways ways,
                                        const struct tw_cells *at, int32_t n, int32_t count,
                                        int32_t *number)
{
    const __m512i left = _mm512_set1_epi32(ways.left), up = _mm512_set1_epi32(ways.up);
    const __m512i zero = _mm512_set1_epi32((at->column[n] ^ ways.left) + (at->row[n] ^ ways.up));
    struct stretch stretch = {
        .word = ((uint32_t)at->column[n] - (uint32_t)ways.left) * TW_LATTICE_ACROSS +
                ((uint32_t)at->row[n] - (uint32_t)ways.up) * TW_LATTICE_DOWN + o->key[0]};
    uint32_t known = 0;
    for (int32_t k = n; k < n + count; k += VECTOR) {
        const uint32_t across = 0x55555555;
        uint32_t steps = _pdep_u32(find_steps(at->column + k, k == n), across) |
                         _pdep_u32(find_steps(at->row + k, k == n), ~across);
        stretch.steps |= _pext_u32(across, steps) << known;
        known += (uint32_t)_mm_popcnt_u32(steps);
        __m512i i = _mm512_xor_si512(_mm512_load_si512(at->column + k), left);
        __m512i j = _mm512_xor_si512(_mm512_load_si512(at->row + k), up);
        _mm512_store_si512(number + k, _mm512_sub_epi32(_mm512_add_epi32(i, j), zero));
    }
    return stretch;
}

/* How many of a number's bits are 1, up to each of its 16 lowest. */
TW_LATTICE_AVX512 __m512i count_bits(uint32_t bits)
{
    const uint64_t each = 0x0101010101010101u;
    uint64_t low = _pdep_u64(bits & 255, each) * each;
    uint64_t high = _pdep_u64(bits >> 8, each) * each + (low >> 56) * each;
    return _mm512_cvtepu8_epi32(_mm_set_epi64x((int64_t)high, (int64_t)low));
}

/* The points on either side of a staircase, by diagonals: their words, then random numbers. */
struct sides {
    TW_LATTICE_ALIGNED uint32_t point[2][VECTOR];
};

/* Diagonal d has two points, the second one step across from the first and none down. */
TW_LATTICE_AVX512 void find_sides(struct ways ways, const struct stretch *stretch, int32_t count,
                                  struct sides *restrict out)
{
    const __m512i diagonal = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const uint32_t across = ways.left ? -TW_LATTICE_ACROSS : TW_LATTICE_ACROSS;
    const uint32_t down = ways.up ? -TW_LATTICE_DOWN : TW_LATTICE_DOWN;
    const __m512i apart = _mm512_set1_epi32((int32_t)(across - down));
    const __m512i straight = _mm512_mullo_epi32(diagonal, _mm512_set1_epi32((int32_t)down));
    for (int32_t k = 0; k < count; k++) {
        __m512i word = _mm512_add_epi32(straight, _mm512_set1_epi32((int32_t)stretch[k].word));
        __m512i turned = _mm512_mullo_epi32(count_bits(stretch[k].steps << 2), apart);
        word = _mm512_add_epi32(word, turned);
        _mm512_store_si512(out[k].point[0], word);
        _mm512_store_si512(out[k].point[1], _mm512_add_epi32(word, apart));
    }
}

TW_LATTICE_AVX512 void hash_sides(uint32_t spread_key, int32_t count, struct sides *restrict at)
{
    const __m512i key = _mm512_set1_epi32((int32_t)spread_key);
    for (int32_t k = 0; k < count; k++)
        for (int side = 0; side < 2; side++)
            _mm512_store_si512(at[k].point[side],
                               tw_lattice_mix_avx512(_mm512_load_si512(at[k].point[side]), key));
}

/* Lattice cell n has its nearest corner on diagonal n, whichever point the step to it leads to,
 * both points of the next one, and on the one after it that which the next step does not lead away
 * from. */
TW_LATTICE_AVX512 void sort_corners(unsigned turned, uint32_t steps, __m512 left, __m512 right,
                                    float (*restrict to)[VECTOR])
{
    const __mmask16 near = (__mmask16)(steps << 1), far = (__mmask16)(~steps << 2);
    __m512i a = _mm512_castps_si512(left), b = _mm512_castps_si512(right);
    __m512i ends = _mm512_mask_mov_epi32(a, far, b);
    _mm512_store_ps(to[0 ^ turned], _mm512_mask_mov_ps(left, near, right));
    _mm512_store_si512(to[1 ^ turned], _mm512_alignr_epi32(b, b, 1));
    _mm512_store_si512(to[2 ^ turned], _mm512_alignr_epi32(a, a, 1));
    _mm512_store_si512(to[3 ^ turned], _mm512_alignr_epi32(ends, ends, 2));
}

TW_LATTICE_AVX512 void draw_corners(bool gradients, struct ways ways, const struct stretch *stretch,
                                    const struct sides *sides, int32_t count,
                                    struct corners *restrict out)
{
    const unsigned turned = (ways.left & 1) | (ways.up & 2);
    for (int32_t k = 0; k < count; k++) {
        const struct tw_lattice_ends_avx512 at = tw_lattice_ends_avx512(
            gradients, _mm512_load_si512(sides[k].point[0]), _mm512_load_si512(sides[k].point[1]));
        sort_corners(turned, stretch[k].steps, at.left_x, at.right_x, out[k].x);
        if (gradients)
            sort_corners(turned, stretch[k].steps, at.left_y, at.right_y, out[k].y);
    }
}

TW_LATTICE_AVX512 struct tw_lattice_ends_avx512 pick(bool gradients, const struct corners *from,
                                                     int left, __m512i number)
{
    struct tw_lattice_ends_avx512 out = {
        .left_x = _mm512_permutexvar_ps(number, _mm512_load_ps(from->x[left])),
        .right_x = _mm512_permutexvar_ps(number, _mm512_load_ps(from->x[left + 1]))};
    out.left_y =
        gradients ? _mm512_permutexvar_ps(number, _mm512_load_ps(from->y[left])) : out.left_x;
    out.right_y =
        gradients ? _mm512_permutexvar_ps(number, _mm512_load_ps(from->y[left + 1])) : out.right_x;
    return out;
}

TW_LATTICE_AVX512 void blend_stretch(bool gradients, const struct tw_cells *at,
                                     const int32_t *numbers, const struct corners *corners,
                                     int32_t n, int32_t count, float *restrict out)
{
    for (int32_t k = n; k < n + count; k += VECTOR) {
        __m512 x = _mm512_load_ps(at->x + k), t = tw_lattice_fade_avx512(x);
        __m512i number = _mm512_load_si512(numbers + k);
        const struct tw_lattice_terms_avx512 upper =
            tw_lattice_across_avx512(gradients, pick(gradients, corners, 0, number), x, t);
        const struct tw_lattice_terms_avx512 lower =
            tw_lattice_across_avx512(gradients, pick(gradients, corners, 2, number), x, t);
        _mm512_storeu_ps(
            out + k, tw_lattice_between_avx512(gradients, upper, lower, _mm512_load_ps(at->y + k)));
    }
}

/* Stretches of `shared` cells, up to CHUNK in all. */
TW_LATTICE_AVX512 void fill_shared(const struct tw_lattice *o, bool gradients,
                                   const struct tw_cells *at, int32_t count, int32_t shared,
                                   float *restrict out)
{
    const struct ways ways = ways_of(o);
    TW_LATTICE_ALIGNED int32_t number[CHUNK];
    struct stretch stretch[STRETCHES] = {{0}};
    struct sides sides[STRETCHES];
    struct corners corners[STRETCHES];
    int32_t stretches = 0;
    for (int32_t n = 0; n < count; n += shared)
        stretch[stretches++] =
            follow(o, ways, at, n, count - n < shared ? count - n : shared, number);
    find_sides(ways, stretch, stretches, sides);
    hash_sides(tw_lattice_spread_key(o->key[1]), stretches, sides);
    draw_corners(gradients, ways, stretch, sides, stretches, corners);
    for (int32_t k = 0, n = 0; k < stretches; k++, n += shared)
        blend_stretch(gradients, at, number, &corners[k], n,
                      count - n < shared ? count - n : shared, out);
}

int32_t tw_cells_shared(const struct tw_lattice *lattice)
{
    double cells = 1 + REACH / (fabs(lattice->cosine) + fabs(lattice->sine));
    int32_t shared = (cells < CHUNK ? (int32_t)cells : CHUNK) / VECTOR * VECTOR;
    return shared < SHARED_MIN ? 0 : shared;
}

TW_TARGET_AVX512 void tw_cells_fill_shared(const struct tw_lattice *lattice,
                                           const struct tw_cells *cells, int32_t count,
                                           int32_t shared, float *out)
{
    if (lattice->basis == TW_BASIS_PERLIN)
        fill_shared(lattice, true, cells, count, shared, out);
    else
        fill_shared(lattice, false, cells, count, shared, out);
}

#endif
