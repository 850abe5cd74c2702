/* SPDX-License-Identifier: MIT */
/* Cells of a rotated lattice that is finer than the map draw their own points. Where it is coarser,
 * cells of a stretch of a row share theirs. The lattice cells that a stretch leads through are a
 * staircase: each lies one step across or down from the one before, all in the same directions.
 * They are numbered from 0 on, and their corners lie on diagonals of which the staircase leaves two
 * points each, on either side. So 14 lattice cells have all their corners among two vectors of
 * points, from which permutations take them. */
#include "noise/kernels/lattice_cells_avx512.h"

#include "noise/kernels/lattice_avx512.h"

#include <math.h>

#if defined(__x86_64__)

enum { VECTOR = 16, BLOCK = 256, STRETCHES = BLOCK / VECTOR };

/* From the first to the last cell of a stretch, lattice cells across and down; they are numbered up
 * to 2 more at most, and rounded down. */
#define REACH 11.9

/* Where the cells of a row lie, and which way it leads. */
struct line {
    double cosine, sine, left, down, start_x, start_y;
    int32_t back_x, back_y; /* all bits where it leads left or up, else 0 */
};

/* Of cells: shares of the way right and down in their lattice cells, and the numbers of these. */
struct cells {
    TW_LATTICE_ALIGNED float x[BLOCK];
    TW_LATTICE_ALIGNED float y[BLOCK];
    TW_LATTICE_ALIGNED int32_t number[BLOCK];
};

/* Of cells that draw their own, the random numbers of the left and right corners, first the upper
 * ones. */
struct drawn {
    TW_LATTICE_ALIGNED uint32_t left[2][BLOCK];
    TW_LATTICE_ALIGNED uint32_t right[2][BLOCK];
};

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

static struct line line_of(const struct tw_lattice *o, int32_t y)
{
    const double down = (double)y + 0.5;
    return (struct line){.cosine = o->cosine,
                         .sine = o->sine,
                         .left = o->sine * down,
                         .down = o->cosine * down,
                         .start_x = o->start_x + TW_LATTICE_POSITIVE,
                         .start_y = o->start_y + TW_LATTICE_POSITIVE,
                         .back_x = -(o->cosine < 0),
                         .back_y = -(o->sine < 0)};
}

/* ---- places ---- */

/* Whole lattice cells, and shares of one. */
struct places {
    __m512i whole;
    __m512 share;
};

/* Two times 8 places, which are positive: 2^52 leaves no bits to shares. */
TW_LATTICE_AVX512 struct places split(__m512d a, __m512d b)
{
    enum { DOWN = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC };
    const __m512i even =
        _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    const __m512d high = _mm512_set1_pd(0x1p52);
    __m512d floor_a = _mm512_add_round_pd(a, high, DOWN),
            floor_b = _mm512_add_round_pd(b, high, DOWN);
    __m256 share_a = _mm512_cvtpd_ps(_mm512_sub_pd(a, _mm512_sub_pd(floor_a, high)));
    __m256 share_b = _mm512_cvtpd_ps(_mm512_sub_pd(b, _mm512_sub_pd(floor_b, high)));
    return (struct places){
        _mm512_permutex2var_epi32(_mm512_castpd_si512(floor_a), even, _mm512_castpd_si512(floor_b)),
        _mm512_insertf32x8(_mm512_castps256_ps512(share_a), share_b, 1)};
}

/* The centres of 8 cells from column x on. */
TW_LATTICE_AVX512 __m512d centres(int32_t x)
{
    return _mm512_add_pd(_mm512_set1_pd((double)x),
                         _mm512_set_pd(7.5, 6.5, 5.5, 4.5, 3.5, 2.5, 1.5, 0.5));
}

TW_LATTICE_AVX512 __m512d place_across(const struct line *l, __m512d centre)
{
    __m512d at = _mm512_mul_pd(_mm512_set1_pd(l->cosine), centre);
    return _mm512_add_pd(_mm512_sub_pd(at, _mm512_set1_pd(l->left)), _mm512_set1_pd(l->start_x));
}

TW_LATTICE_AVX512 __m512d place_down(const struct line *l, __m512d centre)
{
    __m512d at = _mm512_mul_pd(_mm512_set1_pd(l->sine), centre);
    return _mm512_add_pd(_mm512_add_pd(at, _mm512_set1_pd(l->down)), _mm512_set1_pd(l->start_y));
}

/* ---- stretches ---- */

/* So many cells, whole vectors and at most BLOCK, share their points; 0: they do not. */
static int32_t shared_cells(const struct tw_lattice *o)
{
    double cells = 1 + REACH / (fabs(o->cosine) + fabs(o->sine));
    return (cells < BLOCK ? (int32_t)cells : BLOCK) / VECTOR * VECTOR;
}

/* The cells that lie in another column or row of the lattice than the one before, as bits; `before`
 * are the 16 cells before them, or anything where `first`. */
TW_LATTICE_AVX512 uint32_t find_steps(__m512i at, __m512i before, bool first)
{
    __m512i left = _mm512_alignr_epi32(at, before, VECTOR - 1);
    return _mm512_mask_cmpneq_epi32_mask(first ? 0xFFFE : 0xFFFF, at, left);
}

TW_LATTICE_AVX512 struct stretch place_stretch(const struct tw_lattice *o, const struct line *line,
                                               int32_t x, int32_t n, int32_t count,
                                               struct cells *out)
{
    const __m512i back_x = _mm512_set1_epi32(line->back_x),
                  back_y = _mm512_set1_epi32(line->back_y);
    const __m512d eight = _mm512_set1_pd(8);
    __m512d centre = centres(x);
    __m512i i = _mm512_setzero_si512(), j = i, zero = i;
    struct stretch stretch = {0};
    uint32_t known = 0;
    for (int32_t k = 0; k < count; k += VECTOR) {
        __m512d next = _mm512_add_pd(centre, eight);
        struct places u = split(place_across(line, centre), place_across(line, next));
        struct places v = split(place_down(line, centre), place_down(line, next));
        centre = _mm512_add_pd(next, eight);
        __m512i number =
            _mm512_add_epi32(_mm512_xor_si512(u.whole, back_x), _mm512_xor_si512(v.whole, back_y));
        if (k == 0) {
            zero = _mm512_broadcastd_epi32(_mm512_castsi512_si128(number));
            uint32_t left = (uint32_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(u.whole));
            uint32_t top = (uint32_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(v.whole));
            stretch.word = (left - (uint32_t)line->back_x) * TW_LATTICE_ACROSS +
                           (top - (uint32_t)line->back_y) * TW_LATTICE_DOWN + o->key[0];
        }
        _mm512_store_ps(out->x + n + k, u.share);
        _mm512_store_ps(out->y + n + k, v.share);
        _mm512_store_si512(out->number + n + k, _mm512_sub_epi32(number, zero));
        const uint32_t across = 0x55555555;
        uint32_t steps = _pdep_u32(find_steps(u.whole, i, k == 0), across) |
                         _pdep_u32(find_steps(v.whole, j, k == 0), ~across);
        stretch.steps |= _pext_u32(across, steps) << known;
        known += (uint32_t)_mm_popcnt_u32(steps);
        i = u.whole;
        j = v.whole;
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

/* Diagonal d has a point that is one step across from the other. Lattice cell n has its nearest
 * corner on diagonal n, whichever point the step to it leads to, both points of the next one, and
 * on the one after it that which the next step does not lead away from. */
TW_LATTICE_AVX512 void draw_corners(const struct tw_lattice *o, bool gradients,
                                    const struct line *line, const struct stretch *stretch,
                                    struct corners *out)
{
    const __m512i key = _mm512_set1_epi32((int32_t)tw_lattice_spread_key(o->key[1]));
    const __m512i diagonal = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const uint32_t across = line->back_x ? -TW_LATTICE_ACROSS : TW_LATTICE_ACROSS;
    const uint32_t down = line->back_y ? -TW_LATTICE_DOWN : TW_LATTICE_DOWN;
    const __m512i apart = _mm512_set1_epi32((int32_t)(across - down));
    const unsigned turned = (line->back_x & 1) | (line->back_y & 2);
    __m512i words =
        _mm512_add_epi32(_mm512_set1_epi32((int32_t)stretch->word),
                         _mm512_mullo_epi32(diagonal, _mm512_set1_epi32((int32_t)down)));
    words = _mm512_add_epi32(words, _mm512_mullo_epi32(count_bits(stretch->steps << 2), apart));
    const struct tw_lattice_ends_avx512 at =
        tw_lattice_ends_avx512(gradients, tw_lattice_mix_avx512(words, key),
                               tw_lattice_mix_avx512(_mm512_add_epi32(words, apart), key));
    const __mmask16 near = (__mmask16)(stretch->steps << 1),
                    far = (__mmask16)(~stretch->steps << 2);
    for (int axis = 0; axis < (gradients ? 2 : 1); axis++) {
        __m512 left = axis ? at.left_y : at.left_x, right = axis ? at.right_y : at.right_x;
        float(*to)[VECTOR] = axis ? out->y : out->x;
        __m512i a = _mm512_castps_si512(left), b = _mm512_castps_si512(right);
        __m512i ends = _mm512_mask_mov_epi32(a, far, b);
        _mm512_store_ps(to[0 ^ turned], _mm512_mask_mov_ps(left, near, right));
        _mm512_store_si512(to[1 ^ turned], _mm512_alignr_epi32(b, b, 1));
        _mm512_store_si512(to[2 ^ turned], _mm512_alignr_epi32(a, a, 1));
        _mm512_store_si512(to[3 ^ turned], _mm512_alignr_epi32(ends, ends, 2));
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

TW_LATTICE_AVX512 void blend_stretch(bool gradients, const struct cells *at,
                                     const struct corners *corners, int32_t n, int32_t count,
                                     float *restrict out)
{
    for (int32_t k = n; k < n + count; k += VECTOR) {
        __m512 x = _mm512_load_ps(at->x + k), t = tw_lattice_fade_avx512(x);
        __m512i number = _mm512_load_si512(at->number + k);
        const struct tw_lattice_terms_avx512 upper =
            tw_lattice_across_avx512(gradients, pick(gradients, corners, 0, number), x, t);
        const struct tw_lattice_terms_avx512 lower =
            tw_lattice_across_avx512(gradients, pick(gradients, corners, 2, number), x, t);
        _mm512_storeu_ps(
            out + k, tw_lattice_between_avx512(gradients, upper, lower, _mm512_load_ps(at->y + k)));
    }
}

/* Stretches of `shared` cells, up to BLOCK in all. */
TW_LATTICE_AVX512 void fill_shared(const struct tw_lattice *o, bool gradients,
                                   const struct line *line, int32_t x, int32_t count,
                                   int32_t shared, float *restrict out)
{
    struct cells at;
    struct stretch stretch[STRETCHES];
    struct corners corners[STRETCHES];
    int32_t stretches = 0;
    for (int32_t n = 0; n < count; n += shared)
        stretch[stretches++] =
            place_stretch(o, line, x + n, n, count - n < shared ? count - n : shared, &at);
    for (int32_t k = 0; k < stretches; k++)
        draw_corners(o, gradients, line, &stretch[k], &corners[k]);
    for (int32_t k = 0, n = 0; k < stretches; k++, n += shared)
        blend_stretch(gradients, &at, &corners[k], n, count - n < shared ? count - n : shared, out);
}

/* ---- cells that draw their own ---- */

TW_LATTICE_AVX512 void draw_cells(const struct tw_lattice *o, const struct line *line, int32_t x,
                                  int32_t count, struct cells *out, struct drawn *points)
{
    const __m512i key = _mm512_set1_epi32((int32_t)tw_lattice_spread_key(o->key[1]));
    const __m512i right = _mm512_set1_epi32((int32_t)TW_LATTICE_ACROSS);
    const __m512i down = _mm512_set1_epi32((int32_t)TW_LATTICE_DOWN);
    const __m512d eight = _mm512_set1_pd(8);
    __m512d centre = centres(x);
    for (int32_t n = 0; n < count; n += VECTOR) {
        __m512d next = _mm512_add_pd(centre, eight);
        struct places u = split(place_across(line, centre), place_across(line, next));
        struct places v = split(place_down(line, centre), place_down(line, next));
        centre = _mm512_add_pd(next, eight);
        __m512i word =
            _mm512_add_epi32(_mm512_mullo_epi32(u.whole, right), _mm512_mullo_epi32(v.whole, down));
        word = _mm512_add_epi32(word, _mm512_set1_epi32((int32_t)o->key[0]));
        _mm512_store_ps(out->x + n, u.share);
        _mm512_store_ps(out->y + n, v.share);
        for (int row = 0; row < 2; row++) {
            _mm512_store_si512(points->left[row] + n, tw_lattice_mix_avx512(word, key));
            _mm512_store_si512(points->right[row] + n,
                               tw_lattice_mix_avx512(_mm512_add_epi32(word, right), key));
            word = _mm512_add_epi32(word, down);
        }
    }
}

TW_LATTICE_AVX512 void fill_drawn(const struct tw_lattice *o, bool gradients,
                                  const struct line *line, int32_t x, int32_t count,
                                  float *restrict out)
{
    struct cells at;
    struct drawn points;
    draw_cells(o, line, x, count, &at, &points);
    for (int32_t n = 0; n < count; n += VECTOR) {
        struct tw_lattice_terms_avx512 row[2];
        __m512 right_of = _mm512_load_ps(at.x + n), t = tw_lattice_fade_avx512(right_of);
        for (int k = 0; k < 2; k++)
            row[k] = tw_lattice_across_avx512(
                gradients,
                tw_lattice_ends_avx512(gradients, _mm512_load_si512(points.left[k] + n),
                                       _mm512_load_si512(points.right[k] + n)),
                right_of, t);
        _mm512_storeu_ps(out + n, tw_lattice_between_avx512(gradients, row[0], row[1],
                                                            _mm512_load_ps(at.y + n)));
    }
}

TW_LATTICE_AVX512 void fill_span(const struct tw_lattice *o, bool gradients,
                                 const struct tw_lattice_span *s, float *restrict out)
{
    const struct line line = line_of(o, s->y);
    const int32_t shared = shared_cells(o), step = shared ? BLOCK / shared * shared : BLOCK;
    for (int32_t n = 0; n < s->count; n += step) {
        int32_t count = s->count - n < step ? s->count - n : step;
        if (shared)
            fill_shared(o, gradients, &line, s->x + n, count, shared, out + n);
        else
            fill_drawn(o, gradients, &line, s->x + n, count, out + n);
    }
}

TW_TARGET_AVX512 void tw_lattice_cells_avx512(const struct tw_lattice *lattice,
                                              const struct tw_lattice_span *span, float *out)
{
    if (lattice->basis == TW_BASIS_PERLIN)
        fill_span(lattice, true, span, out);
    else
        fill_span(lattice, false, span, out);
}

#endif
