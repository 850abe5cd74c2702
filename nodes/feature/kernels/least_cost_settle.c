/* SPDX-License-Identifier: MIT */
/* The eight neighbours are two vectors. What is better is known as bits, since a branch for each
 * neighbour would be guessed wrong. */
#include "feature/kernels/least_cost_settle.h"

#include <thalweg/simd.h>

#include <string.h>

enum { AHEAD = 3, HALF = TW_DIRECTIONS / 2 };

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

static TW_INLINE bool is_low(const struct tw_settling *s, int32_t cell, double cost)
{
    const struct tw_bounds *bounds = s->bounds;
    double sea = s->paths->sea;
    return bounds->field && sea - cost < bounds->share * (sea - bounds->field[cell]);
}

/* The costs of the neighbours, E SE S SW and W NW N NE. */
static TW_INLINE void load_costs(const double *here, int32_t stride, lanes costs[2])
{
    lanes row = *(const stored *)(here - 2), below = *(const stored *)(here + stride - 2);
    lanes above = *(const stored *)(here - stride - 1);
    costs[0] = __builtin_shufflevector(below, row, 7, 3, 2, 1);
    costs[1] = __builtin_shufflevector(above, row, 5, 0, 1, 2);
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

/* Costs over the cell, and bit k where that of neighbour k is no more than it has, and below the
 * limit. */
static TW_INLINE uint32_t offer(const lanes edges[2], const lanes costs[2], double cost,
                                double scale, double limit, double found[TW_DIRECTIONS])
{
    static const bits place[2] = {{1, 2, 4, 8}, {16, 32, 64, 128}};
    double last_place = cost * TW_LAST_PLACE;
    bits better = {0};
    for (int half = 0; half < 2; half++) {
        lanes increment = edges[half] * scale;
        for (int i = 0; i < HALF; i++)
            increment[i] = increment[i] > last_place ? increment[i] : last_place;
        lanes sum = cost + increment;
        *(stored *)(found + half * HALF) = sum;
        better |= (sum <= costs[half]) & (sum < limit) & place[half];
    }
    return (uint32_t)((better[0] | better[2]) | (better[1] | better[3]));
}

/* A path from `before` reaches the cell at `cost`, no more than it costs so far. */
static TW_INLINE void improve(struct tw_settling *s, int32_t cell, double cost, int32_t source,
                              int32_t direction, int32_t before)
{
    struct tw_search *search = s->search;
    double old = search->cost[cell];
    int64_t bucket = tw_bucket_of(&search->queue, cost);
    int64_t held = tw_bucket_of(&search->queue, old);
    if (cost == old && !wins_tie(s, cell, source, before))
        return;
    search->cost[cell] = cost;
    search->reached[cell] = tw_reached_pack(source, direction);
    search->touched[cell / TW_BLOCK] = 1;
    if (bucket != held)
        tw_bucket_queue_enter(&search->queue, cell, bucket);
}

/* The neighbours that a path may enter, of those in `better`. */
static uint32_t within_domain(const struct tw_settling *s, int32_t cell, int32_t domain,
                              uint32_t better)
{
    for (uint32_t left = better; left; left &= left - 1) {
        int32_t k = __builtin_ctz(left);
        if (s->paths->domains[cell + s->offset[k]] != domain)
            better &= ~(1u << k);
    }
    return better;
}

static TW_INLINE void settle_body(struct tw_settling *s, int32_t cell)
{
    double *costs = s->search->cost, cost = costs[cell], found[TW_DIRECTIONS];
    int32_t stride = s->paths->grid->stride, number = tw_search_source(s->search, cell);
    const struct tw_path_source *source = &s->paths->sources[number];
    lanes edges[2], around[2];
    s->settled++;
    if (!tw_search_at_source(s->search, cell) && is_low(s, cell, cost)) {
        costs[cell] = TW_COST_DROPPED;
        return;
    }
    load_edges(s->paths->grid->edges + (size_t)cell * TW_WEIGHTED_GRID_EDGES, stride, edges);
    load_costs(costs + cell, stride, around);
    uint32_t better = offer(edges, around, cost, scale_at(s->paths, source, cost), s->limit, found);
    if (better && source->domain >= 0)
        better = within_domain(s, cell, source->domain, better);
    for (; better; better &= better - 1) {
        int32_t k = __builtin_ctz(better);
        improve(s, cell + s->offset[k], found[k], number, k, cell);
    }
}
TW_SIMD_KERNEL(settle, (struct tw_settling * s, int32_t cell), (s, cell))

/* Cells of a bucket lie anywhere along the front: prefetch their surroundings. */
static TW_INLINE void fetch(const struct tw_settling *s, uint32_t cell)
{
    size_t stride = (size_t)s->paths->grid->stride;
    const float *edges = s->paths->grid->edges + (size_t)cell * TW_WEIGHTED_GRID_EDGES;
    __builtin_prefetch(s->search->cost + cell - stride);
    __builtin_prefetch(s->search->cost + cell);
    __builtin_prefetch(s->search->cost + cell + stride);
    __builtin_prefetch(edges);
    __builtin_prefetch(edges - stride * TW_WEIGHTED_GRID_EDGES);
    __builtin_prefetch(s->search->reached + cell);
    if (s->bounds->field)
        __builtin_prefetch(s->bounds->field + cell);
}

static TW_INLINE void settle_bucket_body(struct tw_settling *s, int64_t bucket, double below)
{
    struct tw_bucket_queue *queue = &s->search->queue;
    uint32_t tail = *tw_bucket_tail(queue, bucket);
    struct tw_bucket_cells chunk;
    *tw_bucket_tail(queue, bucket) = 0;
    while (tw_bucket_queue_take(queue, &tail, &chunk)) {
        uint32_t cells[TW_BUCKET_CHUNK + AHEAD]; /* the chunk may be filled anew meanwhile */
        memcpy(cells, chunk.at, (size_t)chunk.count * sizeof *cells);
        for (int32_t i = 0; i < AHEAD; i++)
            cells[chunk.count + i] = cells[chunk.count - 1];
        for (int32_t i = 0; i < chunk.count; i++) {
            int32_t cell = (int32_t)cells[i];
            double cost = s->search->cost[cell];
            fetch(s, cells[i + AHEAD]);
            if (cost < queue->base || tw_bucket_of(queue, cost) != bucket)
                continue; /* dropped or settled earlier */
            if (cost < below)
                settle_body(s, cell);
            else
                tw_bucket_queue_enter(queue, cell, bucket);
        }
    }
}
TW_SIMD_KERNEL(settle_bucket, (struct tw_settling * s, int64_t bucket, double below),
               (s, bucket, below))

void tw_settling_init(struct tw_settling *settling, enum tw_simd simd)
{
    settling->settle = settle(simd);
    settling->settle_bucket = settle_bucket(simd);
}
