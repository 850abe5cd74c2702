/* SPDX-License-Identifier: MIT */
/* The eight neighbours are two vectors. Bits note which of them improve, since a branch for each
 * would be mispredicted often. */
#include "feature/kernels/least_cost_settle.h"

#include <thalweg/simd.h>

#include <string.h>

enum { HALF = TW_DIRECTIONS / 2, TOGETHER = 8 };

typedef double lanes __attribute__((vector_size(32)));
typedef int64_t bits __attribute__((vector_size(32)));
typedef double stored __attribute__((vector_size(32), aligned(8), may_alias)); /* among doubles */

/* w_s at a cell that a path from `source` has reached at cost c: eq 1. */
static TW_INLINE double scale_at(const struct tw_paths *paths, const struct tw_path_source *source,
                                 double c)
{
    if (source->profile < 0)
        return 1;
    const struct tw_cost_profile *slopes = &paths->slopes[source->profile];
    double c_m = (c - source->cost) / (paths->sea - source->cost) * paths->sea;
    return tw_cost_profile_scale(slopes, c_m);
}

/* Of two equal costs, that of the lower feature holds, then that of the cell settled first. */
static bool wins_tie(const struct tw_settling *s, int32_t cell, int32_t source, int32_t before)
{
    const struct tw_path_source *sources = s->paths->sources;
    int32_t old = s->search->reached[cell];
    int32_t feature = sources[source].feature;
    int32_t held = sources[tw_reached_source(old)].feature;
    if (feature != held)
        return feature < held;
    int32_t other = cell - s->offset[tw_reached_direction(old)];
    double cost = s->search->cost[before], other_cost = s->search->cost[other];
    return cost != other_cost ? cost < other_cost : before < other;
}

/* Whether a cell that is not a source ends its paths: it is too far below the height by C_a. */
static TW_INLINE bool is_low(const struct tw_settling *s, int32_t cell, double cost)
{
    const struct tw_bounds *bounds = s->bounds;
    double sea = s->paths->sea;
    return sea - cost < bounds->share * (sea - bounds->field[cell]);
}

/* The costs of the neighbours, E SE S SW and W NW N NE, from the cell and those above and below. */
static TW_INLINE void load_costs(const double *above, const double *here, const double *below,
                                 lanes costs[2])
{
    lanes row = *(const stored *)(here - 2), south = *(const stored *)(below - 2);
    lanes north = *(const stored *)(above - 1);
    costs[0] = __builtin_shufflevector(south, row, 7, 3, 2, 1);
    costs[1] = __builtin_shufflevector(north, row, 5, 0, 1, 2);
}

/* A cell in a row that cannot be improved, in place of one whose row is not to be read. */
static const double closed_row[] = {TW_COST_BORDER, TW_COST_BORDER, TW_COST_BORDER, TW_COST_BORDER,
                                    TW_COST_BORDER};
enum { CLOSED_AT = 2 };

/* Loads costs as load_costs() does, for a cell next to cells of another settling, which may be
 * changing them: those count as closed. */
static void load_own_costs(const struct tw_settling *s, int32_t cell, lanes costs[2])
{
    const int32_t stride = s->paths->grid->stride;
    const double *rows[3];
    for (int i = 0; i < 3; i++) {
        int32_t at = cell + (i - 1) * stride;
        rows[i] = tw_cell_within(&s->own, at) ? s->search->cost + at : closed_row + CLOSED_AT;
    }
    load_costs(rows[0], rows[1], rows[2], costs);
}

/* What the edges to them weigh: a cell keeps those to E SE S SW. */
static TW_INLINE void load_edges(const float *here, int32_t stride, lanes edges[2])
{
    const float *above = here - (size_t)stride * TW_WEIGHTED_GRID_EDGES;
    const float to[TW_DIRECTIONS] = {here[0],  here[1],   here[2],  here[3],
                                     here[-4], above[-3], above[2], above[7]};
    for (int i = 0; i < HALF; i++) {
        edges[0][i] = (double)to[i];
        edges[1][i] = (double)to[i + HALF];
    }
}

/* Costs over a cell, and bit 8 k where that of neighbour k is no more than it has, and below the
 * limit. */
static TW_INLINE uint64_t offer(const lanes edges[2], const lanes costs[2], double cost,
                                double scale, double limit, double found[TW_DIRECTIONS])
{
    static const bits place[2] = {{1 << 0, 1 << 8, 1 << 16, 1 << 24},
                                  {1ll << 32, 1ll << 40, 1ll << 48, 1ll << 56}};
    const lanes least = cost * TW_LAST_PLACE + (lanes){0};
    bits better = {0};
    for (int half = 0; half < 2; half++) {
        lanes increment = edges[half] * scale;
        bits lost = increment < least;
        increment = (lanes)(((bits)least & lost) | ((bits)increment & ~lost));
        lanes sum = cost + increment;
        *(stored *)(found + half * HALF) = sum;
        better |= (sum <= costs[half]) & (sum < limit) & place[half];
    }
    return (uint64_t)((better[0] | better[2]) | (better[1] | better[3]));
}

/* Cells of final cost that cannot improve each other. They take a step together, so that no branch
 * depends on a single one: which of them live, and which neighbours they improve, is hardly ever
 * foreseen. */
struct batch {
    int32_t count;
    int32_t cell[TW_BUCKET_CHUNK];
    int32_t source[TW_BUCKET_CHUNK];
    double scale[TW_BUCKET_CHUNK];
    double found[TW_BUCKET_CHUNK][TW_DIRECTIONS];
};

/* Takes the cells of the chunk whose cost still lies in the bucket: others have been settled
 * earlier, or dropped. */
static TW_INLINE void take_live(const struct tw_settling *s, const struct tw_bucket_cells *chunk,
                                int64_t bucket, struct batch *batch)
{
    const struct tw_bucket_queue *queue = &s->search->queue;
    const double begin = (double)bucket, end = (double)(bucket + 1);
    int32_t count = 0;
    for (int32_t i = 0; i < chunk->count; i++) {
        int32_t cell = (int32_t)chunk->at[i];
        double place = (s->search->cost[cell] - queue->base) * queue->inverse;
        batch->cell[count] = cell;
        count += (place >= begin) & (place < end);
    }
    batch->count = count;
}

/* Puts cells back that may still be improved: those not below a cost. */
static void put_back(struct tw_settling *s, int64_t bucket, double below, struct batch *batch)
{
    int32_t count = 0;
    for (int32_t i = 0; i < batch->count; i++) {
        int32_t cell = batch->cell[i];
        if (s->search->cost[cell] < below)
            batch->cell[count++] = cell;
        else
            tw_bucket_queue_enter(&s->search->queue, cell, bucket, true);
    }
    batch->count = count;
}

/* Settles the cells of a bucket one by one, where no source is. Only one that yields may be taken
 * from a bucket again, and searches that drop cells have none of these. */
static TW_INLINE void drop_low(struct tw_settling *s, struct batch *batch)
{
    double *costs = s->search->cost;
    int32_t count = 0;
    for (int32_t i = 0; i < batch->count; i++) {
        int32_t cell = batch->cell[i];
        bool low = is_low(s, cell, costs[cell]);
        costs[cell] = low ? TW_COST_DROPPED : costs[cell];
        batch->cell[count] = cell;
        count += !low;
    }
    batch->count = count;
}

/* Cells of a bucket lie anywhere along the front: prefetch their surroundings. */
static TW_INLINE void fetch(const struct tw_settling *s, const struct batch *batch)
{
    size_t stride = (size_t)s->paths->grid->stride;
    for (int32_t i = 0; i < batch->count; i++) {
        const double *cost = s->search->cost + batch->cell[i];
        const float *edges =
            s->paths->grid->edges + (size_t)batch->cell[i] * TW_WEIGHTED_GRID_EDGES;
        __builtin_prefetch(cost - stride);
        __builtin_prefetch(cost + stride);
        __builtin_prefetch(edges);
        if (s->only < 0)
            __builtin_prefetch(s->search->reached + batch->cell[i]);
        if (s->bounds->field)
            __builtin_prefetch(s->bounds->field + batch->cell[i]);
        __builtin_prefetch(edges - stride * TW_WEIGHTED_GRID_EDGES);
    }
}

static TW_INLINE void scale_all(const struct tw_settling *s, struct batch *batch)
{
    for (int32_t i = 0; i < batch->count; i++) {
        int32_t cell = batch->cell[i];
        int32_t source = s->only < 0 ? tw_search_source(s->search, cell) : s->only;
        batch->source[i] = source;
        batch->scale[i] = scale_at(s->paths, &s->paths->sources[source], s->search->cost[cell]);
    }
}

/* Offers paths over cell i; see offer(). */
static TW_INLINE uint64_t offer_over(const struct tw_settling *s, struct batch *batch, int32_t i)
{
    const struct tw_weighted_grid *grid = s->paths->grid;
    int32_t cell = batch->cell[i];
    const double *here = s->search->cost + cell;
    lanes edges[2], around[2];
    load_edges(grid->edges + (size_t)cell * TW_WEIGHTED_GRID_EDGES, grid->stride, edges);
    if (tw_cell_within(&s->inner, cell))
        load_costs(here - grid->stride, here, here + grid->stride, around);
    else
        load_own_costs(s, cell, around);
    return offer(edges, around, *here, batch->scale[i], s->limit, batch->found[i]);
}

static bool may_enter(const struct tw_settling *s, int32_t cell, int32_t source)
{
    int32_t domain = s->paths->sources[source].domain;
    return domain < 0 || s->paths->domains[cell] == domain;
}

/* A path over cell i may improve neighbour k, unless another has meanwhile. */
static TW_INLINE void improve(struct tw_settling *s, const struct batch *batch, int32_t i,
                              int32_t k)
{
    struct tw_search *search = s->search;
    struct tw_bucket_queue *queue = &search->queue;
    int32_t before = batch->cell[i], cell = before + s->offset[k], source = batch->source[i];
    double cost = batch->found[i][k], old = search->cost[cell];
    int64_t bucket = tw_bucket_of(queue, cost);
    bool wins = cost < old;
    if (s->paths->domains && !may_enter(s, cell, source))
        return;
    if (s->only < 0) {
        if (cost == old)
            wins = wins_tie(s, cell, source, before);
        search->reached[cell] = wins ? tw_reached_pack(source, k) : search->reached[cell];
    }
    search->cost[cell] = wins ? cost : old;
    /* two strips may share a chunk of it */
    __atomic_store_n(&search->touched[cell / TW_CHUNK], 1, __ATOMIC_RELAXED);
    /* the cell's new cost is lower, so its old bucket is this one or a later one */
    bool later = (old - queue->base) * queue->inverse >= (double)(bucket + 1);
    tw_bucket_queue_enter(queue, cell, bucket, wins & later);
}

static TW_INLINE void settle_batch(struct tw_settling *s, struct batch *batch)
{
    scale_all(s, batch);
    for (int32_t first = 0; first < batch->count; first += TOGETHER) {
        int32_t end = first + TOGETHER < batch->count ? first + TOGETHER : batch->count;
        uint64_t better = 0;
        for (int32_t i = first; i < end; i++)
            better |= offer_over(s, batch, i) << (i - first);
        for (; better; better &= better - 1) {
            int32_t bit = __builtin_ctzll(better);
            improve(s, batch, first + bit % TOGETHER, bit / TOGETHER);
        }
    }
}

/* Announces to the neighbouring strips which of their neighbours have settled. */
static TW_INLINE void announce(struct tw_settling *s, const struct batch *batch)
{
    for (int32_t i = 0; i < batch->count; i++)
        if (!tw_cell_within(&s->inner, batch->cell[i])) {
            struct tw_announced *to = &s->announced[batch->cell[i] >= s->inner.end];
            to->cells[to->count++] = batch->cell[i];
        }
}

static TW_INLINE void settle_own(struct tw_settling *s, struct batch *batch)
{
    settle_batch(s, batch);
    announce(s, batch);
    s->settled += batch->count;
}

static TW_INLINE void settle_body(struct tw_settling *s, int32_t cell)
{
    struct batch batch;
    batch.count = 1;
    batch.cell[0] = cell;
    settle_own(s, &batch);
}
TW_SIMD_KERNEL(settle, (struct tw_settling * s, int32_t cell), (s, cell))

static TW_INLINE void settle_bucket_body(struct tw_settling *s, int64_t bucket, double below)
{
    struct tw_bucket_queue *queue = &s->search->queue;
    uint32_t tail = *tw_bucket_tail(queue, bucket);
    struct tw_bucket_cells chunk;
    struct batch batch;
    *tw_bucket_tail(queue, bucket) = 0;
    while (tw_bucket_queue_take(queue, &tail, &chunk)) {
        take_live(s, &chunk, bucket, &batch);
        if (below < TW_COST_NONE)
            put_back(s, bucket, below, &batch);
        fetch(s, &batch);
        if (s->bounds->field)
            drop_low(s, &batch);
        settle_own(s, &batch);
    }
}
TW_SIMD_KERNEL(settle_bucket, (struct tw_settling * s, int64_t bucket, double below),
               (s, bucket, below))

static TW_INLINE void hear_body(struct tw_settling *s, const struct tw_announced *announced)
{
    struct batch batch;
    for (int32_t first = 0; first < announced->count; first += TW_BUCKET_CHUNK) {
        int32_t left = announced->count - first;
        batch.count = left < TW_BUCKET_CHUNK ? left : TW_BUCKET_CHUNK;
        memcpy(batch.cell, announced->cells + first, (size_t)batch.count * sizeof *batch.cell);
        settle_batch(s, &batch);
    }
}
TW_SIMD_KERNEL(hear, (struct tw_settling * s, const struct tw_announced *announced), (s, announced))

void tw_settling_init(struct tw_settling *settling, enum tw_simd simd)
{
    settling->settle = settle(simd);
    settling->settle_bucket = settle_bucket(simd);
    settling->hear = hear(simd);
}
