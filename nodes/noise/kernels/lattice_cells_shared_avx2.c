/* SPDX-License-Identifier: MIT */
/* Where a rotated lattice is coarser than the map, cells of a stretch of a row share their points.
 * The lattice cells that a stretch leads through are a staircase: each lies one step across or down
 * from the one before, all in the same directions. They are numbered from 0 on, and a stretch is so
 * long that there are 8 at most: the corners of all are drawn as one vector each, from which
 * permutations take them. Each stage is a loop over all stretches of a chunk, so that the processor
 * need not wait for the long chain of operations of a single one. */
#include "noise/kernels/lattice_cells.h"

#include <math.h>

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi2")))
#define INLINE TARGET static inline __attribute__((always_inline))

enum { VECTOR = 8, STRETCH_MIN = 2 * VECTOR, STRETCH_MAX = 64, CHUNK = 256 };
enum { STRETCHES = CHUNK / STRETCH_MIN, POINTS = STRETCHES * VECTOR };

/* Lattice cells across and down, from the first to the last cell of a stretch. Either may lead into
 * one more than it is long: the last number is below 8. */
#define REACH 5.9

/* Cells of a chunk: the numbers of their lattice cells, and shares of the way to the next ones. */
struct cells {
    TW_LATTICE_ALIGNED float x[CHUNK];
    TW_LATTICE_ALIGNED float y[CHUNK];
    TW_LATTICE_ALIGNED int32_t number[CHUNK];
};

/* The first lattice cell of a stretch by its upper left corner's word; the cells, from the lowest
 * bit on, that lie in another column, or row, of the lattice than the one before. */
struct stretch {
    uint64_t across, down;
    uint32_t word;
};

/* Corners of 8 lattice cells a stretch: 0 is the upper left one, 1 the upper right one, 2 and 3 lie
 * below these. Gradients, or values in x. */
struct corners {
    TW_LATTICE_ALIGNED float x[4][POINTS];
    TW_LATTICE_ALIGNED float y[4][POINTS];
};

/* ---- where cells lie ---- */

/* What is added to the places of a row's cells along an axis of the lattice, first the first: as
 * place() in lattice_cells.c. */
struct line {
    double down, start;
};

/* A row's lines, and which way it leads along the axes: 1, or -1 for left or up. */
struct row {
    struct line x, y;
    int32_t right, below;
};

static struct row row_of(const struct tw_lattice *o, int32_t y)
{
    const double middle = (double)y + 0.5;
    return (struct row){.x = {-(o->sine * middle), o->start_x + TW_LATTICE_POSITIVE},
                        .y = {o->cosine * middle, o->start_y + TW_LATTICE_POSITIVE},
                        .right = o->cosine < 0 ? -1 : 1,
                        .below = o->sine < 0 ? -1 : 1};
}

/* Where 8 cells lie along an axis: whole lattice cells, and shares of one. Places are positive; in
 * the sum with 2^52 the whole cells are the lowest bits. */
INLINE __m256i place_vector(const double *columns, struct line line, float *share)
{
    __m256 whole[2];
    for (int k = 0; k < 2; k++) {
        __m256d place = _mm256_add_pd(_mm256_loadu_pd(columns + 4 * k), _mm256_set1_pd(line.down));
        place = _mm256_add_pd(place, _mm256_set1_pd(line.start));
        const __m256d floor = _mm256_floor_pd(place);
        _mm_store_ps(share + 4 * k, _mm256_cvtpd_ps(_mm256_sub_pd(place, floor)));
        whole[k] = _mm256_castpd_ps(_mm256_add_pd(floor, _mm256_set1_pd(0x1p52)));
    }
    const __m256 even = _mm256_shuffle_ps(whole[0], whole[1], _MM_SHUFFLE(2, 0, 2, 0));
    return _mm256_permute4x64_epi64(_mm256_castps_si256(even), _MM_SHUFFLE(3, 1, 2, 0));
}

/* The last of 8 numbers, then the others. */
INLINE __m256i turn(__m256i numbers)
{
    return _mm256_permutevar8x32_epi32(numbers, _mm256_set_epi32(6, 5, 4, 3, 2, 1, 0, 7));
}

/* Which of 8 numbers differ from the one before; `before`: the turned ones before these. */
INLINE uint64_t find_steps(__m256i here, __m256i *before)
{
    const __m256i turned = turn(here);
    const __m256i same = _mm256_cmpeq_epi32(here, _mm256_blend_epi32(turned, *before, 1));
    *before = turned;
    return 0xFF & ~(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(same));
}

INLINE __m256i first_of(__m256i numbers)
{
    return _mm256_broadcastd_epi32(_mm256_castsi256_si128(numbers));
}

/* Cells n to n + count of a chunk, whole vectors, whose columns are given. */
INLINE struct stretch place(struct row row, uint32_t key, const double *across, const double *down,
                            int32_t n, int32_t count, struct cells *restrict at)
{
    const __m256i left = _mm256_set1_epi32(row.right >> 1), up = _mm256_set1_epi32(row.below >> 1);
    __m256i zero = left, before_i = left, before_j = left;
    struct stretch stretch = {0, 0, key};
    for (int32_t k = 0; k < count; k += VECTOR) {
        const __m256i i = place_vector(across + n + k, row.x, at->x + n + k);
        const __m256i j = place_vector(down + n + k, row.y, at->y + n + k);
        const __m256i number = _mm256_add_epi32(_mm256_xor_si256(i, left), _mm256_xor_si256(j, up));
        if (k == 0) {
            before_i = first_of(i);
            before_j = first_of(j);
            zero = first_of(number);
            stretch.word += (uint32_t)_mm256_cvtsi256_si32(i) * TW_LATTICE_ACROSS +
                            (uint32_t)_mm256_cvtsi256_si32(j) * TW_LATTICE_DOWN;
        }
        stretch.across |= find_steps(i, &before_i) << k;
        stretch.down |= find_steps(j, &before_j) << k;
        _mm256_store_si256((__m256i *)(void *)(at->number + n + k), _mm256_sub_epi32(number, zero));
    }
    return stretch;
}

/* ---- lattice points ---- */

/* Steps of a staircase in order, from the lowest bit on: 1 is across. */
INLINE uint32_t sort_steps(const struct stretch *stretch)
{
    const uint64_t even = 0x5555555555555555u;
    uint32_t sorted = 0;
    int known = 0;
    for (int half = 0; half < 64; half += 32) {
        const uint64_t steps =
            _pdep_u64(stretch->across >> half, even) | _pdep_u64(stretch->down >> half, ~even);
        sorted |= (uint32_t)_pext_u64(even, steps) << known;
        known += __builtin_popcountll(steps);
    }
    return sorted;
}

/* The words of the upper left corners of all stretches' lattice cells. */
INLINE void find_words(struct row row, const struct stretch *stretch, int32_t count,
                       uint32_t *restrict word)
{
    const uint64_t each = 0x0101010101010101u;
    const uint32_t down = (uint32_t)row.below * TW_LATTICE_DOWN;
    const uint32_t apart = (uint32_t)row.right * TW_LATTICE_ACROSS - down;
    const __m256i straight = _mm256_mullo_epi32(_mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0),
                                                _mm256_set1_epi32((int32_t)down));
    for (int32_t k = 0; k < count; k++) {
        const uint64_t across = _pdep_u64((uint64_t)sort_steps(&stretch[k]) << 1, each) * each;
        const __m256i counts = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)across));
        __m256i words = _mm256_mullo_epi32(counts, _mm256_set1_epi32((int32_t)apart));
        words = _mm256_add_epi32(words, straight);
        words = _mm256_add_epi32(words, _mm256_set1_epi32((int32_t)stretch[k].word));
        _mm256_store_si256((__m256i *)(void *)(word + k * VECTOR), words);
    }
}

INLINE void draw(bool gradients, uint32_t key, const uint32_t *restrict word, int32_t count,
                 struct corners *restrict out)
{
    TW_LATTICE_ALIGNED uint32_t point[POINTS];
    for (uint32_t corner = 0; corner < 4; corner++) {
        const uint32_t away = (corner & 1) * TW_LATTICE_ACROSS + (corner >> 1) * TW_LATTICE_DOWN;
        for (int32_t n = 0; n < count; n++)
            point[n] = tw_lattice_mix(word[n] + away, key);
        for (int32_t n = 0; n < count; n++)
            if (gradients)
                tw_lattice_gradient(point[n], &out->x[corner][n], &out->y[corner][n]);
            else
                out->x[corner][n] = tw_lattice_value(point[n]);
    }
}

/* ---- cells ---- */

INLINE __m256 fade(__m256 t)
{
    const __m256 cube = _mm256_mul_ps(_mm256_mul_ps(t, t), t);
    __m256 rest = _mm256_sub_ps(_mm256_mul_ps(t, _mm256_set1_ps(6)), _mm256_set1_ps(15));
    rest = _mm256_add_ps(_mm256_mul_ps(t, rest), _mm256_set1_ps(10));
    return _mm256_mul_ps(cube, rest);
}

INLINE __m256 interpolate(__m256 a, __m256 b, __m256 t)
{
    return _mm256_add_ps(a, _mm256_mul_ps(t, _mm256_sub_ps(b, a)));
}

INLINE __m256 pick(const float *from, __m256i number)
{
    return _mm256_permutevar8x32_ps(_mm256_load_ps(from), number);
}

/* A lattice row at 8 cells of stretch k, `y` below it: tw_lattice_across() and the half of
 * tw_lattice_between(). */
INLINE __m256 row_at(bool gradients, const struct corners *from, int left, int32_t k,
                     __m256i number, __m256 x, __m256 t, __m256 y)
{
    const int32_t at = k * VECTOR;
    __m256 p0 = pick(from->x[left] + at, number), p1 = pick(from->x[left + 1] + at, number);
    if (!gradients)
        return interpolate(p0, p1, t);
    p0 = _mm256_mul_ps(p0, x);
    p1 = _mm256_mul_ps(p1, _mm256_sub_ps(x, _mm256_set1_ps(1)));
    const __m256 q =
        interpolate(pick(from->y[left] + at, number), pick(from->y[left + 1] + at, number), t);
    return _mm256_add_ps(interpolate(p0, p1, t), _mm256_mul_ps(q, y));
}

/* Cells n to n + count, of stretch k. */
INLINE void blend(bool gradients, const struct cells *at, const struct corners *corners, int32_t k,
                  int32_t n, int32_t count, float *restrict out)
{
    const __m256 factor = _mm256_set1_ps(tw_lattice_factor(gradients));
    for (int32_t i = n; i < n + count; i += VECTOR) {
        const __m256i number = _mm256_load_si256((const __m256i *)(const void *)(at->number + i));
        const __m256 x = _mm256_load_ps(at->x + i), y = _mm256_load_ps(at->y + i), t = fade(x);
        const __m256 upper = row_at(gradients, corners, 0, k, number, x, t, y);
        const __m256 lower =
            row_at(gradients, corners, 2, k, number, x, t, _mm256_sub_ps(y, _mm256_set1_ps(1)));
        _mm256_storeu_ps(out + i, _mm256_mul_ps(interpolate(upper, lower, fade(y)), factor));
    }
}

INLINE int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

/* Cells first to first + count of a span, whole vectors. */
INLINE void fill_chunk(const struct tw_lattice *o, bool gradients,
                       const struct tw_lattice_columns *columns, const struct tw_lattice_span *s,
                       int32_t first, int32_t count, int32_t shared, float *restrict out)
{
    const struct row row = row_of(o, s->y);
    struct cells at;
    struct stretch stretch[STRETCHES];
    TW_LATTICE_ALIGNED uint32_t word[POINTS];
    struct corners corners;
    int32_t stretches = 0;
    for (int32_t n = 0; n < count; n += shared)
        stretch[stretches++] = place(row, o->key[0], columns->across + first, columns->down + first,
                                     n, least(shared, count - n), &at);
    find_words(row, stretch, stretches, word);
    draw(gradients, o->key[1], word, stretches * VECTOR, &corners);
    for (int32_t k = 0, n = 0; k < stretches; k++, n += shared)
        blend(gradients, &at, &corners, k, n, least(shared, count - n), out);
}

INLINE void fill(const struct tw_lattice *o, bool gradients,
                 const struct tw_lattice_columns *columns, const struct tw_lattice_span *s,
                 int32_t shared, float *restrict out)
{
    const int32_t chunk = CHUNK / shared * shared;
    const int32_t end = (s->count + VECTOR - 1) / VECTOR * VECTOR;
    for (int32_t n = 0; n < end; n += chunk)
        fill_chunk(o, gradients, columns, s, n, least(chunk, end - n), shared, out + n);
}

int32_t tw_cells_shared_avx2(const struct tw_lattice *lattice)
{
    const double cells = 1 + REACH / (fabs(lattice->cosine) + fabs(lattice->sine));
    const int32_t shared = (cells < STRETCH_MAX ? (int32_t)cells : STRETCH_MAX) / VECTOR * VECTOR;
    return shared < STRETCH_MIN ? 0 : shared;
}

TARGET void tw_lattice_cells_avx2(const struct tw_lattice *lattice,
                                  const struct tw_lattice_columns *columns,
                                  const struct tw_lattice_span *span, int32_t shared, float *out)
{
    if (lattice->basis == TW_BASIS_PERLIN)
        fill(lattice, true, columns, span, shared, out);
    else
        fill(lattice, false, columns, span, shared, out);
}

#endif
