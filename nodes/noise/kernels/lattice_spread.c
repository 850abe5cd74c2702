/* SPDX-License-Identifier: MIT */
/* On a lattice about as fine as the map or coarser, points are drawn once and columns pick theirs:
 * a vector of columns reaches over two vectors of points at most, from which a permutation takes
 * them; that is several times as fast as loading one point after the other. On a finer lattice
 * every column draws its own two points. */
#include "noise/kernels/lattice_spread.h"

#include <thalweg/kernel.h>

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Lattice cells a column up to which columns pick: the last of 8 lies 7 PICKED, rounded up, a carry
 * and its right point beyond the first, at most 15; the last of 16 at most 31. */
#define PICKED 1.75

enum { VECTOR = 16, BLOCK = 128 };
enum { POINTS = TW_LATTICE_STRIP * 7 / 4 + 8, PADDED = POINTS + 2 * VECTOR };

/* Points of a lattice row: gradients, or values in x. */
struct points {
    TW_LATTICE_ALIGNED float x[PADDED];
    TW_LATTICE_ALIGNED float y[PADDED];
};

/* Some columns of a strip, and the lattice points on both sides of them. */
struct block {
    int32_t first, count;
    TW_LATTICE_ALIGNED int32_t at[BLOCK]; /* the left point, counted from the row's first */
    TW_LATTICE_ALIGNED float share[BLOCK];
    TW_LATTICE_ALIGNED float left_x[BLOCK];
    TW_LATTICE_ALIGNED float left_y[BLOCK];
    TW_LATTICE_ALIGNED float right_x[BLOCK];
    TW_LATTICE_ALIGNED float right_y[BLOCK];
};

/* The row begins `shift` of a lattice cell further left. */
static TW_INLINE void place_body(const struct tw_lattice_strip *s, float shift, struct block *b)
{
    const int32_t *column = s->column + b->first;
    const float *shares = s->share + b->first;
    for (int32_t i = 0; i < b->count; i++) {
        float share = shares[i] + shift;
        int32_t carry = share >= 1.0f;
        b->at[i] = column[i] + carry;
        b->share[i] = share - (float)carry;
    }
    for (int32_t i = b->count; i % VECTOR; i++)
        b->at[i] = b->at[b->count - 1];
}
TW_SIMD_KERNEL(place, (const struct tw_lattice_strip *s, float shift, struct block *b),
               (s, shift, b))

/* Points word, word + ACROSS, ... of a row, or those that `at` counts from the first one. */
static TW_INLINE void draw_body(const struct tw_lattice *o, uint32_t word, const int32_t *at,
                                int32_t count, float *restrict x, float *restrict y)
{
    uint32_t key = o->key[1];
    if (o->basis == TW_BASIS_VALUE)
        for (int32_t i = 0; i < count; i++) {
            uint32_t steps = (uint32_t)(at ? at[i] : i);
            x[i] = tw_lattice_value(tw_lattice_mix(word + steps * TW_LATTICE_ACROSS, key));
        }
    else
        for (int32_t i = 0; i < count; i++) {
            uint32_t steps = (uint32_t)(at ? at[i] : i);
            tw_lattice_gradient(tw_lattice_mix(word + steps * TW_LATTICE_ACROSS, key), &x[i],
                                &y[i]);
        }
}
TW_SIMD_KERNEL(draw,
               (const struct tw_lattice *o, uint32_t word, const int32_t *at, int32_t count,
                float *restrict x, float *restrict y),
               (o, word, at, count, x, y))

/* Moves lattice point (i, j), at most a few maps away, to the one of all its names whose random
 * numbers are drawn: between (0, 0), (wrap_x, climb) and (slip, wrap_y). Returns how many of
 * `count` points to the right, with it, move alike. */
static int32_t find_point(const struct tw_lattice *o, int64_t *i, int64_t *j, int32_t count)
{
    int64_t points = (int64_t)o->wrap_x * o->wrap_y - o->climb * o->slip;
    for (int64_t p = 1, q = 1; p || q;) {
        int64_t across = *i * o->wrap_y - *j * o->slip, down = *j * o->wrap_x - *i * o->climb;
        p = (across >= points) - (across < 0);
        q = (down >= points) - (down < 0);
        *i -= p * o->wrap_x + q * o->slip;
        *j -= p * o->climb + q * o->wrap_y;
    }
    int64_t right = points - (*i * o->wrap_y - *j * o->slip), run = count;
    int64_t down = *j * o->wrap_x - *i * o->climb, rows = o->climb > 0 ? down + 1 : points - down;
    if ((run - 1) * o->wrap_y >= right)
        run = (right + o->wrap_y - 1) / o->wrap_y;
    return (int32_t)(run < rows ? run : rows);
}

/* The word of lattice point (i, j); `run` becomes how many points to the right follow on, of those
 * that are there. */
static uint32_t word_of(const struct tw_lattice *o, int64_t i, int64_t j, int32_t *run)
{
    *run = find_point(o, &i, &j, *run);
    return (uint32_t)i * TW_LATTICE_ACROSS + (uint32_t)j * TW_LATTICE_DOWN + o->key[0];
}

static void draw_points(const struct tw_lattice *o, enum tw_simd simd, int64_t first, int32_t j,
                        int32_t count, struct points *points)
{
    for (int32_t done = 0, run; done < count; done += run) {
        run = count - done;
        uint32_t word = word_of(o, first + done, j, &run);
        draw(simd)(o, word, NULL, run, points->x + done, points->y + done);
    }
    memset(points->x + count, 0, 2 * VECTOR * sizeof *points->x);
    memset(points->y + count, 0, 2 * VECTOR * sizeof *points->y);
}

/* left[i] = points[at[i]], right[i] = points[at[i] + 1]. */
static void pick_base(const float *restrict points, const int32_t *restrict at, int32_t count,
                      float *restrict left, float *restrict right)
{
    for (int32_t i = 0; i < count; i++) {
        left[i] = points[at[i]];
        right[i] = points[at[i] + 1];
    }
}

#if defined(__x86_64__)
/* Elements 0 to 15 of two vectors. */
__attribute__((target("avx2,bmi2"))) static inline __m256 permute_avx2(__m256 near, __m256 far,
                                                                       __m256i from)
{
    __m256 beyond = _mm256_castsi256_ps(_mm256_slli_epi32(from, 28)); /* the sign: 8 or more */
    return _mm256_blendv_ps(_mm256_permutevar8x32_ps(near, from),
                            _mm256_permutevar8x32_ps(far, from), beyond);
}

__attribute__((target("avx2,bmi2"))) static void pick_avx2(const float *restrict points,
                                                           const int32_t *restrict at,
                                                           int32_t count, float *restrict left,
                                                           float *restrict right)
{
    for (int32_t i = 0; i < count; i += 8) {
        __m256 near = _mm256_loadu_ps(points + at[i]), far = _mm256_loadu_ps(points + at[i] + 8);
        __m256i from = _mm256_sub_epi32(_mm256_load_si256((const __m256i *)(const void *)(at + i)),
                                        _mm256_set1_epi32(at[i]));
        _mm256_store_ps(left + i, permute_avx2(near, far, from));
        from = _mm256_add_epi32(from, _mm256_set1_epi32(1));
        _mm256_store_ps(right + i, permute_avx2(near, far, from));
    }
}

TW_TARGET_AVX512 static void pick_avx512(const float *restrict points, const int32_t *restrict at,
                                         int32_t count, float *restrict left, float *restrict right)
{
    for (int32_t i = 0; i < count; i += VECTOR) {
        __m512 near = _mm512_loadu_ps(points + at[i]);
        __m512 far = _mm512_loadu_ps(points + at[i] + VECTOR);
        __m512i from = _mm512_sub_epi32(_mm512_load_si512(at + i), _mm512_set1_epi32(at[i]));
        __m512i next = _mm512_add_epi32(from, _mm512_set1_epi32(1));
        _mm512_store_ps(left + i, _mm512_permutex2var_ps(near, from, far));
        _mm512_store_ps(right + i, _mm512_permutex2var_ps(near, next, far));
    }
}
#endif

static void pick(enum tw_simd simd, const float *restrict points, const int32_t *restrict at,
                 int32_t count, float *restrict left, float *restrict right)
{
#if defined(__x86_64__)
    if (simd == TW_SIMD_AVX512)
        pick_avx512(points, at, count, left, right);
    else if (simd == TW_SIMD_AVX2)
        pick_avx2(points, at, count, left, right);
    else
        pick_base(points, at, count, left, right);
#else
    (void)simd;
    pick_base(points, at, count, left, right);
#endif
}

/* The first column of a block whose left point is `point` or lies right of it. */
static int32_t column_of(const struct block *b, int32_t point)
{
    int32_t low = 0, high = b->count;
    if (point <= b->at[0])
        return 0;
    if (point > b->at[high - 1])
        return high;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (b->at[middle] < point)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Draws both points of every column of a block. */
static void draw_columns(const struct tw_lattice *o, enum tw_simd simd, int64_t first, int32_t j,
                         struct block *b)
{
    int32_t end = b->at[b->count - 1] + 2;
    for (int32_t point = b->at[0], run; point < end; point += run) {
        run = end - point;
        uint32_t word = word_of(o, first + point, j, &run);
        word -= (uint32_t)point * TW_LATTICE_ACROSS;
        int32_t left = column_of(b, point), right = column_of(b, point - 1);
        draw(simd)(o, word, b->at + left, column_of(b, point + run) - left, b->left_x + left,
                   b->left_y + left);
        draw(simd)(o, word + TW_LATTICE_ACROSS, b->at + right,
                   column_of(b, point + run - 1) - right, b->right_x + right, b->right_y + right);
    }
}

static TW_INLINE void spread_body(const struct block *b, bool gradients, float *restrict height,
                                  float *restrict slope)
{
    for (int32_t i = 0; i < b->count; i++) {
        float share = b->share[i], t = tw_lattice_fade(share);
        float left = tw_lattice_ramp(gradients, b->left_x[i], share);
        float right = tw_lattice_ramp(gradients, b->right_x[i], share - 1.0f);
        height[i] = left + t * (right - left);
        if (gradients)
            slope[i] = b->left_y[i] + t * (b->right_y[i] - b->left_y[i]);
    }
}
TW_SIMD_KERNEL(spread,
               (const struct block *b, bool gradients, float *restrict height,
                float *restrict slope),
               (b, gradients, height, slope))

void tw_lattice_spread(const struct tw_lattice *lattice, enum tw_simd simd, int32_t j,
                       struct tw_lattice_strip *strip)
{
    double start = lattice->start_x + (double)lattice->slip * (double)j / (double)lattice->wrap_y;
    int64_t whole = (int64_t)start, first = strip->origin + whole;
    bool gradients = lattice->basis == TW_BASIS_PERLIN, picks = lattice->step_x <= PICKED;
    struct points points;
    struct block b;
    if (picks)
        draw_points(lattice, simd, first, j, strip->column[strip->count - 1] + 3, &points);
    for (b.first = 0; b.first < strip->count; b.first += BLOCK) {
        b.count = strip->count - b.first < BLOCK ? strip->count - b.first : BLOCK;
        place(simd)(strip, (float)(start - (double)whole), &b);
        if (picks)
            pick(simd, points.x, b.at, b.count, b.left_x, b.right_x);
        if (picks && gradients)
            pick(simd, points.y, b.at, b.count, b.left_y, b.right_y);
        if (!picks)
            draw_columns(lattice, simd, first, j, &b);
        spread(simd)(&b, gradients, strip->height[j & 3] + b.first, strip->slope[j & 3] + b.first);
    }
}
