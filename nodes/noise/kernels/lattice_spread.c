/* SPDX-License-Identifier: MIT */
/* Points are drawn once and columns pick theirs: a vector of columns reaches over two vectors of
 * points at most, from which a permutation takes them; that is several times as fast as loading one
 * point after the other. The last of 8 columns lies 7 TW_LATTICE_FINE, rounded up, a carry and its
 * right point beyond the first, at most 15; the last of 16 at most 31. */
#include "noise/kernels/lattice_spread.h"

#include "noise/kernels/lattice_word.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { VECTOR = TW_LATTICE_VECTOR, CHUNK = 128 };
enum { POINTS = TW_LATTICE_STRIP * 7 / 4 + 8, PADDED = POINTS + 2 * VECTOR };

/* Points of a lattice row: gradients, or values in x. */
struct points {
    TW_LATTICE_ALIGNED float x[PADDED];
    TW_LATTICE_ALIGNED float y[PADDED];
};

/* Some columns of a strip, and the lattice points on both sides of them. */
struct chunk {
    int32_t first, count;
    TW_LATTICE_ALIGNED int32_t at[CHUNK]; /* the left point, counted from the row's first */
    TW_LATTICE_ALIGNED float share[CHUNK];
    TW_LATTICE_ALIGNED float left_x[CHUNK];
    TW_LATTICE_ALIGNED float left_y[CHUNK];
    TW_LATTICE_ALIGNED float right_x[CHUNK];
    TW_LATTICE_ALIGNED float right_y[CHUNK];
};

/* The row begins `shift` of a lattice cell further left. */
static TW_INLINE void place_body(const struct tw_lattice_strip *s, float shift, struct chunk *b)
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
TW_SIMD_KERNEL(place, (const struct tw_lattice_strip *s, float shift, struct chunk *b),
               (s, shift, b))

/* Points word, word + ACROSS, ... of a row. */
static TW_INLINE void draw_body(const struct tw_lattice *o, uint32_t word, int32_t count,
                                float *restrict x, float *restrict y)
{
    uint32_t key = o->key[1];
    if (o->basis == TW_BASIS_VALUE)
        for (int32_t i = 0; i < count; i++)
            x[i] = tw_lattice_value(tw_lattice_mix(word + (uint32_t)i * TW_LATTICE_ACROSS, key));
    else
        for (int32_t i = 0; i < count; i++)
            tw_lattice_gradient(tw_lattice_mix(word + (uint32_t)i * TW_LATTICE_ACROSS, key), &x[i],
                                &y[i]);
}
TW_SIMD_KERNEL(draw,
               (const struct tw_lattice *o, uint32_t word, int32_t count, float *restrict x,
                float *restrict y),
               (o, word, count, x, y))

/* May write more, up to whole vectors. */
static void draw_run(const struct tw_lattice *o, enum tw_simd simd, uint32_t word, int32_t count,
                     float *x, float *y)
{
#if defined(__x86_64__)
    if (simd == TW_SIMD_AVX512) {
        tw_lattice_draw_avx512(o, word, count, x, y);
        return;
    }
#endif
    draw(simd)(o, word, count, x, y);
}

static void draw_points(const struct tw_lattice *o, enum tw_simd simd, int64_t first, int32_t j,
                        int32_t count, struct points *points)
{
    for (int32_t done = 0, run; done < count; done += run) {
        run = count - done;
        uint32_t word = tw_lattice_word(o, first + done, j, &run);
        draw_run(o, simd, word, run, points->x + done, points->y + done);
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
#endif

static void pick(enum tw_simd simd, const float *restrict points, const int32_t *restrict at,
                 int32_t count, float *restrict left, float *restrict right)
{
#if defined(__x86_64__)
    if (simd != TW_SIMD_BASE)
        pick_avx2(points, at, count, left, right);
    else
        pick_base(points, at, count, left, right);
#else
    (void)simd;
    pick_base(points, at, count, left, right);
#endif
}

static TW_INLINE void spread_body(const struct chunk *b, bool gradients, float *restrict height,
                                  float *restrict slope)
{
    for (int32_t i = 0; i < b->count; i++) {
        float share = b->share[i], t = tw_fade(share);
        float left = tw_lattice_ramp(gradients, b->left_x[i], share);
        float right = tw_lattice_ramp(gradients, b->right_x[i], share - 1.0f);
        height[i] = left + t * (right - left);
        if (gradients)
            slope[i] = b->left_y[i] + t * (b->right_y[i] - b->left_y[i]);
    }
}
TW_SIMD_KERNEL(spread,
               (const struct chunk *b, bool gradients, float *restrict height,
                float *restrict slope),
               (b, gradients, height, slope))

static void spread_chunks(enum tw_simd simd, bool gradients, const struct tw_lattice_strip *strip,
                          float shift, const struct points *points, float *height, float *slope)
{
    struct chunk b;
    for (b.first = 0; b.first < strip->count; b.first += CHUNK) {
        b.count = strip->count - b.first < CHUNK ? strip->count - b.first : CHUNK;
        place(simd)(strip, shift, &b);
        pick(simd, points->x, b.at, b.count, b.left_x, b.right_x);
        if (gradients)
            pick(simd, points->y, b.at, b.count, b.left_y, b.right_y);
        spread(simd)(&b, gradients, height + b.first, slope + b.first);
    }
}

void tw_lattice_spread(const struct tw_lattice *lattice, enum tw_simd simd, int32_t j,
                       struct tw_lattice_strip *strip)
{
    bool gradients = lattice->basis == TW_BASIS_PERLIN;
    float *height = strip->height[j & 3], *slope = strip->slope[j & 3];
    struct points points;
    int64_t whole;
    float shift = tw_lattice_row_start(lattice, j, &whole);
    draw_points(lattice, simd, strip->origin + whole, j, strip->column[strip->count - 1] + 3,
                &points);
#if defined(__x86_64__)
    if (simd == TW_SIMD_AVX512) {
        tw_lattice_spread_points_avx512(gradients, strip, shift, points.x, points.y, height, slope);
        return;
    }
#endif
    spread_chunks(simd, gradients, strip, shift, &points, height, slope);
}
