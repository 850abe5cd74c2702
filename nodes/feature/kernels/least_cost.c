/* SPDX-License-Identifier: MIT */
#include "feature/kernels/least_cost.h"

#include <string.h>

enum { BUCKETS_MAX = 4096, POLL_EVERY = 1 << 14, CHUNK = 64, AHEAD = 3 };

/* A source that is not settled yet: nothing can be cheaper, so nothing relaxes it. */
#define COST_HELD (-1e307 * 3)

static bool comes_before(const struct tw_path_source *a, const struct tw_path_source *b,
                         enum tw_source_order order)
{
    if (order == TW_BY_FEATURE && a->feature != b->feature)
        return a->feature < b->feature;
    if (a->cost != b->cost)
        return a->cost < b->cost;
    return a->feature != b->feature ? a->feature < b->feature : a->cell < b->cell;
}

static void merge(const struct tw_path_source *from, struct tw_path_source *to, int32_t begin,
                  int32_t middle, int32_t end, enum tw_source_order order)
{
    int32_t left = begin, right = middle;
    for (int32_t i = begin; i < end; i++) {
        bool take_right =
            left == middle || (right < end && comes_before(&from[right], &from[left], order));
        to[i] = from[take_right ? right++ : left++];
    }
}

void tw_sources_sort(struct tw_path_source *sources, struct tw_path_source *room, int32_t count,
                     enum tw_source_order order)
{
    struct tw_path_source *from = sources, *to = room;
    for (int64_t run = 1; run < count; run *= 2) {
        for (int64_t begin = 0; begin < count; begin += 2 * run) {
            int64_t middle = begin + run < count ? begin + run : count;
            int64_t end = begin + 2 * run < count ? begin + 2 * run : count;
            merge(from, to, (int32_t)begin, (int32_t)middle, (int32_t)end, order);
        }
        struct tw_path_source *swap = from;
        from = to;
        to = swap;
    }
    if (from != sources)
        memcpy(sources, from, (size_t)count * sizeof *sources);
}

void tw_cost_profile_fill(const struct tw_value *profile, double sea, double mean,
                          struct tw_cost_profile *slopes)
{
    const float *pairs = tw_floats(profile);
    int32_t last = profile->width - 1;
    double top = (double)pairs[1], fall = top - (double)pairs[2 * last + 1];
    slopes->count = 0;
    for (int32_t i = 0; i < last; i++) {
        double from = sea * (top - (double)pairs[2 * i + 1]) / fall;
        double to = sea * (top - (double)pairs[2 * i + 3]) / fall;
        if (to <= from)
            continue;
        slopes->knot[slopes->count] = from;
        slopes->scale[slopes->count] =
            (to - from) / ((double)pairs[2 * i + 2] - (double)pairs[2 * i]) / mean;
        slopes->count++;
    }
}

void tw_paths_bound(struct tw_paths *paths, int32_t profiles)
{
    double low = profiles ? 1e300 : 1, high = profiles ? 0 : 1;
    for (int32_t p = 0; p < profiles; p++)
        for (int32_t i = 0; i < paths->slopes[p].count; i++) {
            double scale = paths->slopes[p].scale[i];
            low = scale < low ? scale : low;
            high = scale > high ? scale : high;
        }
    /* sources without a profile have w_s = 1 */
    paths->least = paths->grid->least * (low < 1 ? low : 1);
    paths->most = paths->grid->most * (high > 1 ? high : 1);
}

size_t tw_search_blocks(const struct tw_weighted_grid *grid)
{
    return ((size_t)grid->cells + TW_BLOCK - 1) / TW_BLOCK;
}

struct cleaner {
    const struct tw_weighted_grid *grid;
    struct tw_search *searches;
    int32_t count;
};

static void clean_rows(void *context, int32_t begin, int32_t end)
{
    const struct cleaner *cleaner = context;
    int32_t stride = cleaner->grid->stride, bottom = cleaner->grid->height + 1;
    for (int32_t i = 0; i < cleaner->count; i++)
        for (int32_t y = begin; y < end; y++) {
            double *row = cleaner->searches[i].cost + (size_t)y * (size_t)stride;
            for (int32_t x = 0; x < stride; x++)
                row[x] = y == 0 || y == bottom || x == 0 || x == stride - 1 ? TW_COST_BORDER
                                                                            : TW_COST_NONE;
        }
}

/* A bucket is a little narrower than the least increment, so that rounding cannot put a cell and
 * the one before it into one bucket; or as wide as the ring's size asks for. */
static void choose_buckets(const struct tw_paths *paths, struct tw_search *search)
{
    double width = paths->least * (1 - 1e-6);
    if (paths->most / width > BUCKETS_MAX - 4)
        width = paths->most / (BUCKETS_MAX - 4);
    search->width = width;
    search->buckets = 8;
    while ((double)search->buckets < paths->most / width + 4)
        search->buckets *= 2;
}

/* Eight entries a cell and a started chunk a bucket. */
static size_t pool_of(const struct tw_weighted_grid *grid, const struct tw_search *search)
{
    size_t entries = (size_t)grid->cells * 8;
    return (entries / (CHUNK - 1) + (size_t)search->buckets + 2) * CHUNK;
}

enum tw_status tw_search_make(struct tw_task *task, const struct tw_paths *paths,
                              struct tw_search *searches, int32_t count)
{
    const struct tw_weighted_grid *grid = paths->grid;
    size_t blocks = tw_search_blocks(grid), cells = blocks * TW_BLOCK, n = (size_t)count;
    struct tw_search first = {.cost = tw_task_scratch(task, n * cells, sizeof(double)),
                              .from = tw_task_scratch(task, n * cells, sizeof(int32_t)),
                              .touched = tw_task_scratch(task, n * blocks, 1)};
    choose_buckets(paths, &first);
    size_t buckets = (size_t)first.buckets, pool = pool_of(grid, &first);
    first.tails = tw_task_scratch(task, n * buckets, sizeof *first.tails);
    first.pool = tw_task_scratch(task, n * pool, sizeof *first.pool);
    if (!first.cost || !first.from || !first.touched || !first.tails || !first.pool)
        return tw_task_no_memory(task);
    memset(first.touched, 0, n * blocks);
    memset(first.tails, 0, n * buckets * sizeof *first.tails);
    first.fresh = 1;
    for (size_t i = 0; i < n; i++) {
        searches[i] = first;
        searches[i].cost += i * cells;
        searches[i].from += i * cells;
        searches[i].touched += i * blocks;
        searches[i].tails += i * buckets;
        searches[i].pool += i * pool;
        for (size_t cell = (size_t)grid->cells; cell < cells; cell++)
            searches[i].cost[cell] = TW_COST_BORDER;
    }
    struct cleaner cleaner = {grid, searches, count};
    tw_rows(task, grid->height + 2, 16, clean_rows, &cleaner);
    return TW_OK;
}

/* ---- the queue ---- */

struct run {
    const struct tw_paths *paths;
    const struct tw_bounds *bounds;
    struct tw_search *search;
    int32_t offset[8]; /* to the neighbours: E SE S SW W NW N NE */
    double base, inverse, limit;
    double beyond; /* a cost of no bucket */
    int32_t mask;
    int64_t waiting; /* entries in buckets, those passed over included */
    int64_t settled;
};

static inline int64_t bucket_of(const struct run *run, double cost)
{
    return (int64_t)((cost - run->base) * run->inverse);
}

static uint32_t new_chunk(struct tw_search *search, uint32_t before)
{
    uint32_t chunk = search->free;
    if (chunk)
        search->free = search->pool[(size_t)chunk * CHUNK];
    else
        chunk = search->fresh++;
    search->pool[(size_t)chunk * CHUNK] = before;
    return chunk;
}

static inline void enter(struct run *run, int32_t cell, int64_t bucket)
{
    struct tw_search *search = run->search;
    uint32_t *tail = &search->tails[bucket & run->mask];
    if (*tail % CHUNK == 0)
        *tail = new_chunk(search, *tail ? *tail / CHUNK - 1 : 0) * CHUNK + 1;
    search->pool[(*tail)++] = (uint32_t)cell;
    run->waiting++;
}

/* The entries of one chunk. */
struct chunk {
    uint32_t *cells;
    int32_t count;
};

/* Takes the last chunk off a chain that starts with `tail` entries; the chain goes on at its end.
 */
static bool next_chunk(struct run *run, uint32_t *tail, struct chunk *chunk)
{
    struct tw_search *search = run->search;
    if (*tail == 0)
        return false;
    uint32_t k = (*tail - 1) / CHUNK, *start = search->pool + (size_t)k * CHUNK;
    *chunk = (struct chunk){start + 1, (int32_t)(*tail - k * CHUNK) - 1};
    *tail = start[0] ? (start[0] + 1) * CHUNK : 0;
    start[0] = search->free;
    search->free = k;
    run->waiting -= chunk->count;
    return true;
}

/* ---- settling ---- */

/* w_s at a cell that a path from `source` has reached at cost c: eq 1. */
static inline double scale_at(const struct tw_paths *paths, const struct tw_path_source *source,
                              double c)
{
    if (source->profile < 0)
        return 1;
    const struct tw_cost_profile *slopes = &paths->slopes[source->profile];
    double c_m = (c - source->cost) / (paths->sea - source->cost) * paths->sea;
    int32_t low = 0, length = slopes->count;
    while (length > 1) {
        int32_t half = length / 2;
        low += slopes->knot[low + half] <= c_m ? half : 0;
        length -= half;
    }
    return slopes->scale[low];
}

/* Of two equal costs, that of the lower feature holds, then that of the cell settled first. */
static bool wins_tie(const struct run *run, int32_t cell, int32_t from, int32_t before)
{
    const struct tw_path_source *sources = run->paths->sources;
    int32_t old = run->search->from[cell];
    int32_t feature = sources[from >> 4].feature, held = sources[old >> 4].feature;
    if (feature != held)
        return feature < held;
    int32_t other = cell - run->offset[old & 15];
    double cost = run->search->cost[before], other_cost = run->search->cost[other];
    return cost != other_cost ? cost < other_cost : before < other;
}

/* The cost at `cell` can be had for `cost`, no more than it costs so far. */
static inline void improve(struct run *run, int32_t cell, double cost, int32_t from, int32_t before)
{
    struct tw_search *search = run->search;
    double old = search->cost[cell];
    int64_t bucket = bucket_of(run, cost);
    int64_t held = bucket_of(run, old < run->beyond ? old : run->beyond);
    int32_t domain = run->paths->sources[from >> 4].domain;
    if (cost >= run->limit || (domain >= 0 && run->paths->domains[cell] != domain) ||
        (cost == old && !wins_tie(run, cell, from, before)))
        return;
    search->cost[cell] = cost;
    search->from[cell] = from;
    search->touched[cell / TW_BLOCK] = 1;
    if (bucket != held)
        enter(run, cell, bucket);
}

static bool is_low(const struct run *run, int32_t cell, double cost)
{
    const struct tw_bounds *bounds = run->bounds;
    double sea = run->paths->sea;
    return bounds->field && sea - cost < bounds->share * (sea - bounds->field[cell]);
}

static void settle(struct run *run, int32_t cell)
{
    double *costs = run->search->cost, cost = costs[cell];
    run->settled++;
    int32_t from = run->search->from[cell], stride = run->paths->grid->stride;
    if ((from & 15) != TW_AT_SOURCE && is_low(run, cell, cost)) {
        costs[cell] = TW_COST_DROPPED;
        return;
    }
    double scale = scale_at(run->paths, &run->paths->sources[from >> 4], cost);
    const float *here = run->paths->grid->edges + (size_t)cell * TW_WEIGHTED_GRID_EDGES;
    const float *above = here - (size_t)stride * TW_WEIGHTED_GRID_EDGES;
    const float edge[8] = {here[0],  here[1],   here[2],  here[3],
                           here[-4], above[-3], above[2], above[7]};
    double found[8];
    uint32_t better = 0; /* bits, since a branch a neighbour would be guessed wrong */
    for (int k = 0; k < 8; k++) {
        found[k] = cost + (double)edge[k] * scale;
        better |= (uint32_t)(found[k] <= costs[cell + run->offset[k]]) << k;
    }
    for (; better; better &= better - 1) {
        int32_t k = __builtin_ctz(better);
        improve(run, cell + run->offset[k], found[k], (from & ~15) | k, cell);
    }
}

/* Cells of a bucket lie anywhere along the front: ask for their surroundings early. */
static inline void fetch(const struct run *run, uint32_t cell)
{
    size_t stride = (size_t)run->paths->grid->stride;
    const float *edges = run->paths->grid->edges + (size_t)cell * TW_WEIGHTED_GRID_EDGES;
    __builtin_prefetch(run->search->cost + cell - stride);
    __builtin_prefetch(run->search->cost + cell);
    __builtin_prefetch(run->search->cost + cell + stride);
    __builtin_prefetch(edges);
    __builtin_prefetch(edges - stride * TW_WEIGHTED_GRID_EDGES);
    __builtin_prefetch(run->search->from + cell);
}

/* ---- the search ---- */

/* Sources are held from the start and settle at their own cost. Returns the first of those sorted
 * by cost that are beyond the limit. */
static int32_t hold_sources(struct run *run, int32_t begin, int32_t end)
{
    const struct tw_path_source *sources = run->paths->sources;
    for (int32_t i = begin; i < end; i++) {
        int32_t cell = sources[i].cell;
        if (sources[i].yields || run->search->cost[cell] == COST_HELD)
            continue; /* an earlier one, so of no greater cost, has the cell */
        run->search->cost[cell] = COST_HELD;
        run->search->from[cell] = i << 4 | TW_AT_SOURCE;
        run->search->touched[cell / TW_BLOCK] = 1;
    }
    while (end > begin &&
           (sources[end - 1].cost >= run->limit || sources[end - 1].cost >= run->paths->sea))
        end--;
    return end;
}

/* Cells that nothing can improve any more: those of the bucket, or, when it is wider than the least
 * increment, those less than that above its lowest. Others go back. */
static void settle_bucket(struct run *run, int64_t bucket, double below)
{
    uint32_t tail = run->search->tails[bucket & run->mask];
    struct chunk chunk;
    run->search->tails[bucket & run->mask] = 0;
    while (next_chunk(run, &tail, &chunk)) {
        uint32_t cells[CHUNK + AHEAD]; /* the chunk may be filled anew meanwhile */
        memcpy(cells, chunk.cells, (size_t)chunk.count * sizeof *cells);
        for (int32_t i = 0; i < AHEAD; i++)
            cells[chunk.count + i] = cells[chunk.count - 1];
        for (int32_t i = 0; i < chunk.count; i++) {
            int32_t cell = (int32_t)cells[i];
            double cost = run->search->cost[cell];
            fetch(run, cells[i + AHEAD]);
            if (cost < run->base || bucket_of(run, cost) != bucket)
                continue; /* dropped or settled earlier */
            if (cost < below)
                settle(run, cell);
            else
                enter(run, cell, bucket);
        }
    }
}

/* The least cost in a bucket. */
static double lowest_in(struct run *run, int64_t bucket)
{
    uint32_t tail = run->search->tails[bucket & run->mask];
    double lowest = TW_COST_NONE;
    while (tail) {
        uint32_t k = (tail - 1) / CHUNK, *start = run->search->pool + (size_t)k * CHUNK;
        for (uint32_t i = 1; i < tail - k * CHUNK; i++) {
            double cost = run->search->cost[start[i]];
            if (cost >= run->base && bucket_of(run, cost) == bucket && cost < lowest)
                lowest = cost;
        }
        tail = start[0] ? (start[0] + 1) * CHUNK : 0;
    }
    return lowest;
}

/* Whether source i settles at its cell: it was held there, or it yields and is cheaper. */
static bool holds(struct run *run, int32_t i)
{
    const struct tw_path_source *source = &run->paths->sources[i];
    double *cost = &run->search->cost[source->cell];
    if (!source->yields)
        return run->search->from[source->cell] == (i << 4 | TW_AT_SOURCE);
    if (*cost <= source->cost)
        return false;
    run->search->from[source->cell] = i << 4 | TW_AT_SOURCE;
    run->search->touched[source->cell / TW_BLOCK] = 1;
    return true;
}

/* Settles the sources that cost less than `below`; returns the next. */
static int32_t settle_sources(struct run *run, int32_t begin, int32_t end, int64_t bucket,
                              double below)
{
    const struct tw_path_source *source = run->paths->sources + begin;
    for (; begin < end && source->cost < below && bucket_of(run, source->cost) <= bucket;
         begin++, source++)
        if (holds(run, begin)) {
            run->search->cost[source->cell] = source->cost;
            settle(run, source->cell);
        }
    return begin;
}

void tw_search_run(const struct tw_paths *paths, const struct tw_bounds *bounds,
                   struct tw_search *search, int32_t begin, int32_t end)
{
    int32_t stride = paths->grid->stride, first = begin, last = end;
    const struct tw_path_source *sources = paths->sources;
    bool narrow = search->width < paths->least;
    struct run run = {
        .paths = paths,
        .bounds = bounds,
        .search = search,
        .offset = {1, stride + 1, stride, stride - 1, -1, -stride - 1, -stride, -stride + 1},
        .base = sources[begin].cost,
        .inverse = 1 / search->width,
        .limit = bounds->limit,
        .beyond = sources[begin].cost + search->width * 1e12,
        .mask = search->buckets - 1};
    end = hold_sources(&run, begin, end);
    for (int64_t bucket = 0, polled = 0; run.waiting > 0 || begin < end; bucket++) {
        if (run.waiting == 0)
            bucket = bucket_of(&run, sources[begin].cost);
        do {
            double below = TW_COST_NONE;
            if (!narrow) {
                below = lowest_in(&run, bucket);
                if (begin < end && sources[begin].cost < below)
                    below = sources[begin].cost;
                below += paths->least * (1 - 1e-6);
            }
            begin = settle_sources(&run, begin, end, bucket, below);
            settle_bucket(&run, bucket, below);
        } while (search->tails[bucket & run.mask] ||
                 (begin < end && bucket_of(&run, sources[begin].cost) <= bucket));
        if (run.settled - polled >= POLL_EVERY) {
            polled = run.settled;
            if (tw_task_cancelled(paths->task))
                return;
        }
    }
    for (; first < last; first++)
        if (search->cost[sources[first].cell] == COST_HELD)
            search->cost[sources[first].cell] = sources[first].cost;
}

int32_t tw_search_before(const struct tw_weighted_grid *grid, const struct tw_search *search,
                         int32_t cell)
{
    int32_t stride = grid->stride, k = search->from[cell] & 15;
    const int32_t offset[9] = {1,           stride + 1, stride,      stride - 1, -1,
                               -stride - 1, -stride,    -stride + 1, 0};
    return cell - offset[k];
}
