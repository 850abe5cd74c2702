/* SPDX-License-Identifier: MIT */
#include "feature/kernels/least_cost_private.h"

#include <string.h>

/* A source that is not settled yet: nothing can be cheaper, so nothing relaxes it. */
#define COST_HELD (-1e307 * 3)

/* A least-cost path costs no more than a straight one, which takes a step per column or row; round
 * cells of another domain it may take a step per cell. Where c_s is the limit, no cell costs more.
 */
static double highest_cost(const struct tw_paths *paths, double highest)
{
    const struct tw_weighted_grid *grid = paths->grid;
    double steps = paths->domains ? grid->cells : grid->width + grid->height;
    double reached = highest + paths->most * steps;
    return paths->sea < TW_COST_NONE && paths->sea > reached ? paths->sea : reached;
}

void tw_paths_bound(struct tw_paths *paths, int32_t profiles, bool plain, double highest)
{
    double low = plain ? 1 : 1e300, high = plain ? 1 : 0; /* w_s = 1 without a profile */
    for (int32_t p = 0; p < profiles; p++)
        for (int32_t i = 0; i < paths->slopes[p].count; i++) {
            double scale = paths->slopes[p].scale[i];
            low = scale < low ? scale : low;
            high = scale > high ? scale : high;
        }
    paths->least = paths->grid->least * low;
    paths->most = paths->grid->most * high;
    paths->highest = highest_cost(paths, highest);
}

size_t tw_search_chunks(const struct tw_weighted_grid *grid)
{
    return ((size_t)grid->cells + TW_CHUNK - 1) / TW_CHUNK;
}

void tw_search_clean(const struct tw_weighted_grid *grid, struct tw_search *search)
{
    int32_t stride = grid->stride, bottom = grid->height + 1;
    size_t chunks = tw_search_chunks(grid), cells = chunks * TW_CHUNK;
    double *row = search->cost;
    for (int32_t y = 0; y <= bottom; y++, row += stride)
        for (int32_t x = 0; x < stride; x++)
            row[x] =
                y == 0 || y == bottom || x == 0 || x == stride - 1 ? TW_COST_BORDER : TW_COST_NONE;
    for (size_t cell = (size_t)grid->cells; cell < cells; cell++)
        search->cost[cell] = TW_COST_BORDER;
    memset(search->touched, 0, chunks);
    search->used = true;
}

void tw_search_clean_queue(struct tw_bucket_queue *queue)
{
    memset(queue->tails, 0, (size_t)queue->buckets * sizeof *queue->tails);
    queue->fresh = 1;
}

void tw_search_lay_out_queues(struct tw_scratch *s, const struct tw_paths *paths, int32_t cells,
                              struct tw_search *searches, int32_t count)
{
    struct tw_bucket_queue first = {0};
    size_t n = (size_t)count;
    tw_bucket_queue_choose(&first, paths->least, paths->most, paths->highest);
    size_t buckets = (size_t)first.buckets, pool = tw_bucket_queue_pool(&first, cells);
    first.tails = tw_scratch_take(s, n * buckets, sizeof *first.tails);
    first.pool = tw_scratch_reserve(s, n * pool, sizeof *first.pool,
                                    n * tw_bucket_queue_expected(&first, cells));
    for (size_t i = 0; first.tails && first.pool && i < n; i++) {
        searches[i].queue = first;
        searches[i].queue.tails += i * buckets;
        searches[i].queue.pool += i * pool;
    }
}

void tw_search_lay_out_cells(struct tw_scratch *s, const struct tw_weighted_grid *grid,
                             struct tw_search *searches, int32_t count)
{
    size_t chunks = tw_search_chunks(grid), cells = chunks * TW_CHUNK, n = (size_t)count;
    struct tw_search first = {.cost = tw_scratch_take(s, n * cells, sizeof(double)),
                              .reached = tw_scratch_take(s, n * cells, sizeof(int32_t)),
                              .touched = tw_scratch_take(s, n * chunks, 1)};
    for (size_t i = 0; first.cost && first.reached && first.touched && i < n; i++) {
        searches[i] = first;
        searches[i].cost += i * cells;
        searches[i].reached += i * cells;
        searches[i].touched += i * chunks;
    }
}

bool tw_search_lay_out(struct tw_scratch *s, const struct tw_paths *paths,
                       struct tw_search *searches, int32_t count)
{
    tw_search_lay_out_cells(s, paths->grid, searches, count);
    tw_search_lay_out_queues(s, paths, paths->grid->cells, searches, count);
    return tw_scratch_is_laid(s);
}

/* ---- the search ---- */

struct tw_settling tw_search_begin(const struct tw_paths *paths, const struct tw_bounds *bounds,
                                   struct tw_search *search, double base)
{
    const int32_t stride = paths->grid->stride;
    const struct tw_cell_range all = {0, paths->grid->cells};
    struct tw_settling run = {
        .paths = paths,
        .bounds = bounds,
        .search = search,
        .offset = {1, stride + 1, stride, stride - 1, -1, -stride - 1, -stride, -stride + 1},
        .limit = bounds->limit,
        .only = -1,
        .own = all,
        .inner = all};
    tw_settling_init(&run, tw_task_simd(paths->task));
    search->queue.base = base;
    search->queue.waiting = 0;
    return run;
}

int32_t tw_search_hold_sources(struct tw_settling *run, int32_t begin, int32_t end)
{
    const struct tw_path_source *sources = run->paths->sources;
    for (int32_t i = begin; i < end; i++) {
        int32_t cell = sources[i].cell;
        if (sources[i].yields || run->search->cost[cell] == COST_HELD)
            continue; /* an earlier one, so of no greater cost, has the cell */
        run->search->cost[cell] = COST_HELD;
        run->search->reached[cell] = tw_reached_pack(i, TW_REACHED_AT_SOURCE);
        run->search->touched[cell / TW_CHUNK] = 1;
    }
    while (end > begin &&
           (sources[end - 1].cost >= run->limit || sources[end - 1].cost >= run->paths->sea))
        end--;
    return end;
}

/* The least cost in a bucket. */
static double lowest_in(const struct tw_settling *run, int64_t bucket)
{
    const struct tw_bucket_queue *queue = &run->search->queue;
    uint32_t tail = *tw_bucket_tail(queue, bucket);
    struct tw_bucket_cells chunk;
    double lowest = TW_COST_NONE;
    while (tw_bucket_queue_next(queue, &tail, &chunk))
        for (int32_t i = 0; i < chunk.count; i++) {
            double cost = run->search->cost[chunk.at[i]];
            if (cost >= queue->base && tw_bucket_of(queue, cost) == bucket && cost < lowest)
                lowest = cost;
        }
    return lowest;
}

/* Whether source i settles at its cell: it was held there, or it yields and is cheaper. */
static bool holds(struct tw_settling *run, int32_t i)
{
    const struct tw_path_source *source = &run->paths->sources[i];
    double *cost = &run->search->cost[source->cell];
    if (!source->yields)
        return run->search->reached[source->cell] == tw_reached_pack(i, TW_REACHED_AT_SOURCE);
    if (*cost <= source->cost)
        return false;
    run->search->reached[source->cell] = tw_reached_pack(i, TW_REACHED_AT_SOURCE);
    run->search->touched[source->cell / TW_CHUNK] = 1;
    return true;
}

void tw_search_settle_source(struct tw_settling *run, int32_t i)
{
    const struct tw_path_source *source = &run->paths->sources[i];
    if (!holds(run, i))
        return;
    run->search->cost[source->cell] = source->cost;
    run->settle(run, source->cell);
}

/* Settles the sources that cost less than `below`; returns the next. */
static int32_t settle_sources(struct tw_settling *run, int32_t begin, int32_t end, int64_t bucket,
                              double below)
{
    const struct tw_path_source *source = run->paths->sources + begin;
    for (; begin < end && source->cost < below &&
           tw_bucket_of(&run->search->queue, source->cost) <= bucket;
         begin++, source++)
        tw_search_settle_source(run, begin);
    return begin;
}

/* The cost below which nothing in a bucket can improve another cell or source of it. */
static double settled_below(const struct tw_settling *run, int64_t bucket, int32_t begin,
                            int32_t end)
{
    if (run->search->queue.width < run->paths->least)
        return TW_COST_NONE;
    double lowest = lowest_in(run, bucket);
    if (begin < end && run->paths->sources[begin].cost < lowest)
        lowest = run->paths->sources[begin].cost;
    double below = lowest + run->paths->least * (1 - 1e-6);
    return below > lowest ? below : lowest * (1 + TW_LAST_PLACE);
}

/* Settles the cells and sources of a bucket; returns the next source. */
static int32_t empty_bucket(struct tw_settling *run, int64_t bucket, int32_t begin, int32_t end)
{
    const struct tw_bucket_queue *queue = &run->search->queue;
    const struct tw_path_source *sources = run->paths->sources;
    do {
        double below = settled_below(run, bucket, begin, end);
        begin = settle_sources(run, begin, end, bucket, below);
        run->settle_bucket(run, bucket, below);
    } while (*tw_bucket_tail(queue, bucket) ||
             (begin < end && tw_bucket_of(queue, sources[begin].cost) <= bucket));
    return begin;
}

void tw_search_show_held(const struct tw_paths *paths, struct tw_search *search, int32_t begin,
                         int32_t end)
{
    for (const struct tw_path_source *source = paths->sources + begin; begin < end;
         begin++, source++)
        if (search->cost[source->cell] == COST_HELD)
            search->cost[source->cell] = source->cost;
}

/* Of several sources any where nothing depends on which one it is. */
static int32_t only_source(const struct tw_paths *paths, const struct tw_bounds *bounds,
                           int32_t begin, int32_t end)
{
    bool alike = !paths->domains;
    for (int32_t i = begin; i < end; i++)
        alike = alike && paths->sources[i].profile < 0;
    return bounds->costs_only && (alike || end - begin == 1) ? begin : -1;
}

void tw_search_run(const struct tw_paths *paths, const struct tw_bounds *bounds,
                   struct tw_search *search, int32_t begin, int32_t end)
{
    const int32_t first = begin, last = end;
    struct tw_bucket_queue *queue = &search->queue;
    const struct tw_path_source *sources = paths->sources;
    if (!search->used) {
        tw_search_clean(paths->grid, search);
        tw_search_clean_queue(queue);
    }
    struct tw_settling run = tw_search_begin(paths, bounds, search, sources[begin].cost);
    run.only = only_source(paths, bounds, begin, end);
    end = tw_search_hold_sources(&run, begin, end);
    for (int64_t bucket = 0, polled = 0; queue->waiting > 0 || begin < end; bucket++) {
        if (queue->waiting == 0)
            bucket = tw_bucket_of(queue, sources[begin].cost);
        begin = empty_bucket(&run, bucket, begin, end);
        if (run.settled - polled >= TW_SEARCH_POLLS) {
            polled = run.settled;
            if (tw_task_cancelled(paths->task))
                return;
        }
    }
    tw_search_show_held(paths, search, first, last);
}

int32_t tw_search_predecessor(const struct tw_weighted_grid *grid, const struct tw_search *search,
                              int32_t cell)
{
    int32_t stride = grid->stride;
    const int32_t offset[TW_DIRECTIONS + 1] = {1,           stride + 1, stride,      stride - 1, -1,
                                               -stride - 1, -stride,    -stride + 1, 0};
    return cell - offset[tw_reached_direction(search->reached[cell])];
}
