/* SPDX-License-Identifier: MIT */
/* Included by small_blur.c: rows under weights, LANES cells at a time. It is included once for each
 * width of vectors, so names end in their width and there is no include guard. */
#define NAME_(name, width) name##_##width
#define NAME__(name, width) NAME_(name, width)
#define NAME(name) NAME__(name, LANES)

typedef float NAME(lanes) __attribute__((vector_size(4 * LANES)));
typedef float NAME(stored) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
#define LOAD(from) (*(const NAME(stored) *)(from))
#define STORE(to, v) (*(NAME(stored) *)(to) = (v))

/* `count` vectors from cell i on. */
static TW_INLINE void NAME(sum_pairs)(const float *const *rows, const float *weights, int32_t reach,
                                      int32_t i, int count, float *to)
{
    NAME(lanes) sum[AT_ONCE], twice[AT_ONCE];
    for (int u = 0; u < count; u++) {
        twice[u] = 2 * LOAD(rows[0] + i + u * LANES);
        sum[u] = (NAME(lanes)){0};
    }
    for (int32_t k = 1; k <= reach; k++) {
        const float *before = rows[-k] + i, *after = rows[k] + i;
        for (int u = 0; u < count; u++)
            sum[u] +=
                weights[k] * ((LOAD(before + u * LANES) + LOAD(after + u * LANES)) - twice[u]);
    }
    for (int u = 0; u < count; u++)
        STORE(to + u * LANES, LOAD(rows[0] + i + u * LANES) + sum[u]);
}

TARGET static void NAME(filter_even)(const float *const *rows, const float *weights, int32_t reach,
                                     int32_t cells, float *to)
{
    int32_t i = 0;
    for (; i + AT_ONCE * LANES <= cells; i += AT_ONCE * LANES)
        NAME(sum_pairs)(rows, weights, reach, i, AT_ONCE, to + i);
    for (; i < cells; i += LANES) {
        float last[LANES];
        NAME(sum_pairs)(rows, weights, reach, i, 1, last);
        memcpy(to + i, last, (size_t)(cells - i < LANES ? cells - i : LANES) * sizeof *to);
    }
}

/* Sixteen cells from i on. */
static TW_INLINE void NAME(sum_uneven)(const float *const *rows, const struct uneven *uneven,
                                       int32_t reach, int32_t i, float *to)
{
    enum { VECTORS = UNEVEN / LANES };
    NAME(lanes) sum[VECTORS], middle[VECTORS];
    for (int u = 0; u < VECTORS; u++) {
        middle[u] = LOAD(rows[0] + i + u * LANES);
        sum[u] = (NAME(lanes)){0};
    }
    for (int32_t k = -reach; k <= reach; k++)
        for (int u = 0; u < VECTORS; u++)
            sum[u] += LOAD(uneven->weights[k + reach] + u * LANES) *
                      (LOAD(rows[k] + i + u * LANES) - middle[u]);
    for (int u = 0; u < VECTORS; u++)
        STORE(to + u * LANES, middle[u] + sum[u]);
}

TARGET static void NAME(filter_uneven)(const float *const *rows, const struct uneven *uneven,
                                       int32_t reach, int32_t cells, float *to)
{
    for (int32_t i = 0; i < cells; i += UNEVEN)
        NAME(sum_uneven)(rows, uneven, reach, i, to + i);
}

#undef NAME_
#undef NAME__
#undef NAME
#undef LOAD
#undef STORE
#undef LANES
#undef TARGET
