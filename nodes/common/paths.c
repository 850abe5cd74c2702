/* SPDX-License-Identifier: MIT */
#include "common/paths.h"

#include <string.h>

enum { BUCKETS_MAX = 4096, POLL_EVERY = 1 << 14 };

static bool comes_before(const struct tw_source *a, const struct tw_source *b,
                         enum tw_source_order order)
{
    if (order == TW_BY_FEATURE && a->feature != b->feature)
        return a->feature < b->feature;
    if (a->cost != b->cost)
        return a->cost < b->cost;
    return a->feature != b->feature ? a->feature < b->feature : a->cell < b->cell;
}

static void merge(const struct tw_source *from, struct tw_source *to, int32_t begin, int32_t middle,
                  int32_t end, enum tw_source_order order)
{
    int32_t left = begin, right = middle;
    for (int32_t i = begin; i < end; i++) {
        bool take_right =
            left == middle || (right < end && comes_before(&from[right], &from[left], order));
        to[i] = from[take_right ? right++ : left++];
    }
}

void tw_sources_sort(struct tw_source *sources, struct tw_source *room, int32_t count,
                     enum tw_source_order order)
{
    struct tw_source *from = sources, *to = room;
    for (int64_t run = 1; run < count; run *= 2) {
        for (int64_t begin = 0; begin < count; begin += 2 * run) {
            int64_t middle = begin + run < count ? begin + run : count;
            int64_t end = begin + 2 * run < count ? begin + 2 * run : count;
            merge(from, to, (int32_t)begin, (int32_t)middle, (int32_t)end, order);
        }
        struct tw_source *swap = from;
        from = to;
        to = swap;
    }
    if (from != sources)
        memcpy(sources, from, (size_t)count * sizeof *sources);
}

void tw_slopes_fill(const struct tw_value *profile, double sea, double mean,
                    struct tw_slopes *slopes)
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

size_t tw_search_blocks(const struct tw_grid *grid)
{
    return ((size_t)grid->cells + TW_BLOCK - 1) / TW_BLOCK;
}

struct cleaner {
    const struct tw_grid *grid;
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

enum tw_status tw_search_make(struct tw_task *task, const struct tw_paths *paths,
                              struct tw_search *searches, int32_t count)
{
    const struct tw_grid *grid = paths->grid;
    size_t blocks = tw_search_blocks(grid), cells = blocks * TW_BLOCK, n = (size_t)count;
    struct tw_search first = {.cost = tw_task_scratch(task, n * cells, sizeof(double)),
                              .link = tw_task_scratch(task, n * cells, sizeof(struct tw_link)),
                              .touched = tw_task_scratch(task, n * blocks, 1)};
    choose_buckets(paths, &first);
    size_t buckets = (size_t)first.buckets;
    first.heads = tw_task_scratch(task, n * buckets, sizeof(int32_t));
    if (!first.cost || !first.link || !first.touched || !first.heads)
        return tw_task_no_memory(task);
    memset(first.touched, 0, n * blocks);
    for (size_t i = 0; i < n * buckets; i++)
        first.heads[i] = -1;
    for (size_t i = 0; i < n; i++) {
        searches[i] = first;
        searches[i].cost += i * cells;
        searches[i].link += i * cells;
        searches[i].touched += i * blocks;
        searches[i].heads += i * buckets;
        for (size_t cell = (size_t)grid->cells; cell < cells; cell++)
            searches[i].cost[cell] = TW_COST_BORDER;
    }
    struct cleaner cleaner = {grid, searches, count};
    tw_rows(task, grid->height + 2, 16, clean_rows, &cleaner);
    return TW_OK;
}

/* ---- the queue: cells linked into buckets, each cell in one at most ---- */

struct run {
    const struct tw_paths *paths;
    const struct tw_bounds *bounds;
    struct tw_search *search;
    int32_t offset[8]; /* to the neighbours: E SE S SW W NW N NE */
    double base, inverse, limit;
    int32_t mask;
    int32_t waiting; /* cells in buckets */
};

static inline int64_t bucket_of(const struct run *run, double cost)
{
    return (int64_t)((cost - run->base) * run->inverse);
}

static inline void enqueue(struct run *run, int32_t cell, int32_t slot)
{
    struct tw_link *link = run->search->link;
    int32_t head = run->search->heads[slot];
    link[cell].next = head;
    link[cell].prev = ~slot;
    if (head >= 0)
        link[head].prev = cell;
    run->search->heads[slot] = cell;
    run->waiting++;
}

static inline void dequeue(struct run *run, int32_t cell)
{
    struct tw_link *link = run->search->link;
    int32_t next = link[cell].next, prev = link[cell].prev;
    if (prev < 0)
        run->search->heads[~prev] = next;
    else
        link[prev].next = next;
    if (next >= 0)
        link[next].prev = prev;
    run->waiting--;
}

/* Takes the cells of a bucket that nothing can improve any more out of it, as a chain. */
static int32_t take_settled(struct run *run, int32_t slot)
{
    struct tw_search *search = run->search;
    int32_t chain = -1, cell = search->heads[slot];
    double lowest = TW_COST_NONE;
    if (search->width < run->paths->least) {
        for (int32_t at = cell; at >= 0; at = search->link[at].next)
            run->waiting--;
        search->heads[slot] = -1;
        return cell;
    }
    for (int32_t at = cell; at >= 0; at = search->link[at].next)
        lowest = search->cost[at] < lowest ? search->cost[at] : lowest;
    for (int32_t next; cell >= 0; cell = next) {
        next = search->link[cell].next;
        if (search->cost[cell] >= lowest + run->paths->least * (1 - 1e-6))
            continue;
        dequeue(run, cell);
        search->link[cell].next = chain;
        chain = cell;
    }
    return chain;
}

/* ---- settling ---- */

/* w_s at a cell that a path from `source` has reached at cost c: eq 1. */
static inline double scale_at(const struct tw_paths *paths, const struct tw_source *source,
                              double c)
{
    if (source->profile < 0)
        return 1;
    const struct tw_slopes *slopes = &paths->slopes[source->profile];
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
    const struct tw_source *sources = run->paths->sources;
    int32_t old = run->search->link[cell].from;
    int32_t feature = sources[from >> 4].feature, held = sources[old >> 4].feature;
    if (feature != held)
        return feature < held;
    int32_t other = cell - run->offset[old & 15];
    double cost = run->search->cost[before], other_cost = run->search->cost[other];
    return cost != other_cost ? cost < other_cost : before < other;
}

/* The cost at `cell` can be had for `cost`, no more than it costs so far. */
static void improve(struct run *run, int32_t cell, double cost, int32_t from, int32_t before)
{
    struct tw_search *search = run->search;
    struct tw_link *link = &search->link[cell];
    double old = search->cost[cell];
    int32_t slot = (int32_t)(bucket_of(run, cost) & run->mask);
    int32_t domain = run->paths->sources[from >> 4].domain;
    if (cost >= run->limit || (domain >= 0 && run->paths->domains[cell] != domain))
        return;
    if (old < TW_COST_NONE) {
        int32_t held = (int32_t)(bucket_of(run, old) & run->mask);
        if ((link->from & 15) == TW_AT_SOURCE ||
            (cost == old && !wins_tie(run, cell, from, before)))
            return;
        if (held != slot) {
            dequeue(run, cell);
            enqueue(run, cell, slot);
        }
    } else {
        search->touched[cell / TW_BLOCK] = 1;
        enqueue(run, cell, slot);
    }
    search->cost[cell] = cost;
    link->from = from;
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
    int32_t from = run->search->link[cell].from, stride = run->paths->grid->stride;
    if ((from & 15) != TW_AT_SOURCE && is_low(run, cell, cost)) {
        costs[cell] = TW_COST_DROPPED;
        return;
    }
    double scale = scale_at(run->paths, &run->paths->sources[from >> 4], cost);
    const float *here = run->paths->grid->edges + (size_t)cell * TW_EDGES;
    const float *above = here - (size_t)stride * TW_EDGES;
    const float edge[8] = {here[0],  here[1],   here[2],  here[3],
                           here[-4], above[-3], above[2], above[7]};
    double found[8];
    for (int k = 0; k < 8; k++)
        found[k] = cost + (double)edge[k] * scale;
    int32_t start = from & ~15;
    for (int32_t k = 0; k < 8; k++)
        if (found[k] <= costs[cell + run->offset[k]])
            improve(run, cell + run->offset[k], found[k], start | k, cell);
}

/* ---- the search ---- */

/* Sources keep their cost: they are marked before anything is settled. Returns the first of those
 * sorted by cost that are beyond the limit. */
static int32_t mark_sources(struct run *run, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++) {
        const struct tw_source *source = &run->paths->sources[i];
        double *cost = &run->search->cost[source->cell];
        if (*cost < TW_COST_NONE)
            continue; /* an earlier one, so of no greater cost, holds the cell */
        *cost = source->cost;
        run->search->link[source->cell].from = i << 4 | TW_AT_SOURCE;
        run->search->touched[source->cell / TW_BLOCK] = 1;
    }
    while (end > begin && (run->paths->sources[end - 1].cost >= run->limit ||
                           run->paths->sources[end - 1].cost >= run->paths->sea))
        end--;
    return end;
}

void tw_search_run(const struct tw_paths *paths, const struct tw_bounds *bounds,
                   struct tw_search *search, int32_t begin, int32_t end)
{
    int32_t stride = paths->grid->stride, polled = 0;
    struct run run = {
        .paths = paths,
        .bounds = bounds,
        .search = search,
        .offset = {1, stride + 1, stride, stride - 1, -1, -stride - 1, -stride, -stride + 1},
        .base = paths->sources[begin].cost,
        .inverse = 1 / search->width,
        .limit = bounds->limit,
        .mask = search->buckets - 1};
    end = mark_sources(&run, begin, end);
    for (int64_t bucket = 0; run.waiting > 0 || begin < end; bucket++) {
        int32_t slot = (int32_t)(bucket & run.mask);
        if (run.waiting == 0)
            bucket = bucket_of(&run, paths->sources[begin].cost);
        slot = (int32_t)(bucket & run.mask);
        for (; begin < end && bucket_of(&run, paths->sources[begin].cost) <= bucket; begin++)
            if (search->link[paths->sources[begin].cell].from == (begin << 4 | TW_AT_SOURCE))
                enqueue(&run, paths->sources[begin].cell, slot);
        while (search->heads[slot] >= 0)
            for (int32_t next, cell = take_settled(&run, slot); cell >= 0; cell = next) {
                next = search->link[cell].next;
                settle(&run, cell);
                if (++polled % POLL_EVERY == 0 && tw_task_cancelled(paths->task))
                    return;
            }
    }
}

int32_t tw_search_before(const struct tw_grid *grid, const struct tw_search *search, int32_t cell)
{
    int32_t stride = grid->stride, k = search->link[cell].from & 15;
    const int32_t offset[9] = {1,           stride + 1, stride,      stride - 1, -1,
                               -stride - 1, -stride,    -stride + 1, 0};
    return cell - offset[k];
}
