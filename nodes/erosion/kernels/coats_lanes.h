/* SPDX-License-Identifier: MIT */
/* Included by coats_parallel.c: what leaves LANES cells in a step. It is included once for each
 * width of vectors, so names end in their width and there is no include guard. */
#define NAME_(name, width) name##_##width
#define NAME__(name, width) NAME_(name, width)
#define NAME(name) NAME__(name, LANES)

typedef float NAME(lanes) __attribute__((vector_size(4 * LANES)));
typedef int32_t NAME(marks) __attribute__((vector_size(4 * LANES)));
#define lanes NAME(lanes)
#define marks NAME(marks)
#define KEEP(mark, value) ((lanes)((marks)(value) & (mark))) /* 0 where not marked */
#define LESS(x, y) ((lanes)(((marks)(x) & ((x) < (y))) | ((marks)(y) & ~((x) < (y)))))
#define ADD_KEPT(to, mark, value) (to) = (lanes)((marks)(to) | ((marks)(value) & (mark)))

/* What a cell has left in a step, and what went to its neighbours in reading order. */
struct NAME(cells) {
    lanes a, w, s;
    lanes water_to[8], sediment_to[8];
};

static TW_INLINE bool NAME(any)(const marks *mark)
{
    uint64_t pairs[LANES / 2], any = 0;
    memcpy(pairs, mark, sizeof pairs);
    for (int i = 0; i < LANES / 2; i++)
        any |= pairs[i];
    return any != 0;
}

/* Which of 8 altitudes is the lowest, the second lowest, ...; the first in reading order on ties.
 */
static TW_INLINE void NAME(rank)(const lanes a[8], marks rank[8])
{
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        rank[i] = (marks){0};
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
#pragma GCC unroll 8
        for (int j = i + 1; j < 8; j++) {
            marks above = a[i] > a[j]; /* 0 or -1 */
            rank[i] -= above;
            rank[j] += above + 1;
        }
}

/* Water goes to the neighbour of this rank, at most the difference of the surfaces; it can carry Kc
 * of sediment, and of what is missing a share of Ks is dug from the ground. */
static TW_INLINE void NAME(pour)(const struct flow *f, struct NAME(cells) * c, const lanes level[8],
                                 const marks rank[8], int32_t turn)
{
    const lanes none = {0};
    lanes goal = none;
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        ADD_KEPT(goal, rank[i] == turn, level[i]);
    lanes drop = (c->w + c->a) - goal;
    lanes moved = LESS(c->w, drop);
    moved = KEEP(moved > none, moved);
    lanes capacity = f->capacity * moved;
    lanes taken = LESS(c->s, capacity);
    lanes dug = f->softness * (capacity - taken);
    lanes carried = taken + dug;
    c->w -= moved;
    c->s -= taken;
    c->a -= dug;
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        ADD_KEPT(c->water_to[i], rank[i] == turn, moved);
        ADD_KEPT(c->sediment_to[i], rank[i] == turn, carried);
    }
}

/* Water goes to all lower surfaces at once, in proportion to the slope. */
static TW_INLINE void NAME(share)(const struct flow *f, struct NAME(cells) * c,
                                  const lanes level[8])
{
    const lanes none = {0}, surface = c->w + c->a;
    lanes slope[8], sum = none;
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        bool diagonal = i == 0 || i == 2 || i == 5 || i == 7;
        lanes drop = surface - level[i];
        slope[i] = KEEP(drop > none, diagonal ? TW_COATS_DIAGONAL * drop : drop);
        sum += slope[i];
    }
    lanes most = TW_COATS_EXCHANGE * sum, moved = LESS(c->w, most);
    lanes capacity = f->capacity * moved, taken = LESS(c->s, capacity);
    lanes dug = f->softness * (capacity - taken), carried = taken + dug;
    c->w -= moved;
    c->s -= taken;
    c->a -= dug;
    moved = KEEP(sum > none, moved / sum);
    carried = KEEP(sum > none, carried / sum);
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        c->water_to[i] = moved * slope[i];
        c->sediment_to[i] = carried * slope[i];
    }
}

/* Cells `at` and on. Where no neighbouring surface is lower, or no water is left, nothing flows. */
static TW_INLINE void NAME(flow)(const struct flow *f, size_t at, struct NAME(cells) * c)
{
    const ptrdiff_t row = (ptrdiff_t)f->stride;
    const ptrdiff_t around[8] = {-row - 1, -row, -row + 1, -1, 1, row - 1, row, row + 1};
    lanes neighbour[8], level[8];
    marks rank[8], wet;
    memcpy(&c->a, f->now.altitude + at, sizeof c->a);
    memcpy(&c->w, f->now.water + at, sizeof c->w);
    memcpy(&c->s, f->now.sediment + at, sizeof c->s);
    marks lower = {0};
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        memcpy(&neighbour[i], f->now.altitude + at + around[i], sizeof *neighbour);
        memcpy(&level[i], f->now.water + at + around[i], sizeof *level);
        level[i] += neighbour[i];
        c->water_to[i] = c->sediment_to[i] = (lanes){0};
        lower |= level[i] < c->w + c->a;
    }
    wet = lower & (c->w > (lanes){0});
    if (!NAME(any)(&wet))
        return;
    if (f->shares) {
        NAME(share)(f, c, level);
        return;
    }
    NAME(rank)(neighbour, rank);
    for (int32_t turn = 0; turn < 8 && NAME(any)(&wet); turn++) {
        NAME(pour)(f, c, level, rank, turn);
        wet = lower & (c->w > (lanes){0});
    }
}

static TW_INLINE void NAME(flow_row)(const struct flow *f, int32_t y, float *ring)
{
    const size_t stride = f->stride, row = (size_t)(y + 1) * stride;
    for (size_t x = 1; x < stride - 1; x += LANES) {
        struct NAME(cells) c;
        NAME(flow)(f, row + x, &c);
        lanes settled = f->deposition * c.s;
        c.a += settled;
        c.s -= settled;
        for (size_t i = 0; i < 8; i++) {
            memcpy(ring + (WATER_TO + i) * stride + x, &c.water_to[i], sizeof c.w);
            memcpy(ring + (SEDIMENT_TO + i) * stride + x, &c.sediment_to[i], sizeof c.w);
        }
        memcpy(ring + STAYS * stride + x, &c.a, sizeof c.w);
        memcpy(ring + (STAYS + 1) * stride + x, &c.w, sizeof c.w);
        memcpy(ring + (STAYS + 2) * stride + x, &c.s, sizeof c.w);
    }
}

#undef lanes
#undef marks
#undef KEEP
#undef LESS
#undef ADD_KEPT
#undef NAME
#undef NAME__
#undef NAME_
#undef LANES
