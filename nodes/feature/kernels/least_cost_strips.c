/* SPDX-License-Identifier: MIT */
/* No cell of a bucket improves another one of it, so strips of rows empty theirs side by side, each
 * from a queue of its own. A strip improves only its own cells: it announces the settled ones of
 * its first and last row to the neighbouring strips, which offer paths over them before their next
 * bucket. Those offers belong to that bucket or a later one, and which of two offers wins does not
 * depend on their order: the bytes are those of a search in one piece. */
#include "feature/kernels/least_cost_strips.h"

#include "feature/kernels/least_cost_private.h"

enum { STRIPS_MAX = 16, ROWS_MIN = 32, BUCKETS_MOST = 256 };
enum { NORTH, SOUTH, SIDES };

/* Rounds as small as the last one are not worth a second worker. */
enum { CELLS_MIN = 64 };

struct strip {
    _Alignas(64) struct tw_settling run;
    struct tw_search search;                 /* cells shared by all, a queue of its own */
    struct tw_announced announced[2][SIDES]; /* in even and odd rounds */
};

struct strips {
    struct strip at[STRIPS_MAX];
    int32_t count, cells; /* strips; cells of one but the last */
    const struct tw_paths *paths;
    int32_t first, next, end; /* sources: of this round, of later ones */
    int64_t bucket, settled, polled;
    int32_t round;
    bool cancelled;
};

/* Returns the number of strips; 1 if queues are wide, since each strip needs one of its own. */
static int32_t strips_of(int32_t height, const struct tw_bucket_queue *queue, double least)
{
    int32_t count = height / ROWS_MIN < STRIPS_MAX ? height / ROWS_MIN : STRIPS_MAX;
    bool fits = queue->width < least && queue->buckets <= BUCKETS_MOST;
    return fits && count > 1 ? count : 1;
}

/* Of a grid with its border; the last strip may be shorter. */
static int32_t rows_of(int32_t height, int32_t count) { return (height + 2 + count - 1) / count; }

/* Of each strip, side and kind of round: a row, whose sources that yield may settle twice. */
static size_t announced_most(int32_t width) { return 2 * (size_t)width; }

static void lay_out_lists(struct tw_scratch *scratch, struct strips *s)
{
    const size_t most = announced_most(s->paths->grid->width), lists = (size_t)s->count * 2 * SIDES;
    int32_t *cells = tw_scratch_take(scratch, lists * most, sizeof *cells);
    for (int32_t i = 0; cells && i < s->count * 2 * SIDES; i++)
        s->at[i / (2 * SIDES)].announced[i / SIDES % 2][i % SIDES] =
            (struct tw_announced){cells + (size_t)i * most, 0};
}

static bool lay_out(struct tw_scratch *scratch, struct strips *s, struct tw_search *whole)
{
    const struct tw_paths *paths = s->paths;
    struct tw_search searches[STRIPS_MAX] = {0};
    struct tw_bucket_queue queue;
    tw_bucket_queue_choose(&queue, paths->least, paths->most, paths->highest);
    s->count = strips_of(paths->grid->height, &queue, paths->least);
    s->cells = rows_of(paths->grid->height, s->count) * paths->grid->stride;
    if (s->count == 1)
        return tw_search_lay_out(scratch, paths, whole, 1);
    tw_search_lay_out_cells(scratch, paths->grid, whole, 1);
    tw_search_lay_out_queues(scratch, paths, s->cells, searches, s->count);
    lay_out_lists(scratch, s);
    for (int32_t i = 0; i < s->count; i++) {
        s->at[i].search = *whole;
        s->at[i].search.queue = searches[i].queue;
    }
    return tw_scratch_is_laid(scratch);
}

static void begin(struct strips *s, const struct tw_bounds *bounds)
{
    const struct tw_weighted_grid *grid = s->paths->grid;
    for (int32_t i = 0; i < s->count; i++) {
        struct strip *strip = &s->at[i];
        const int32_t first = i * s->cells;
        tw_search_clean_queue(&strip->search.queue);
        strip->run = tw_search_begin(s->paths, bounds, &strip->search, s->paths->sources[0].cost);
        struct tw_cell_range own = {first, i + 1 < s->count ? first + s->cells : grid->cells};
        strip->run.own = strip->run.inner = own;
        strip->run.inner.begin += i > 0 ? grid->stride : 0;
        strip->run.inner.end -= i + 1 < s->count ? grid->stride : 0;
    }
}

static void settle_sources(const struct strips *s, struct strip *strip)
{
    for (int32_t i = s->first; i < s->next; i++)
        if (tw_cell_within(&strip->run.own, s->paths->sources[i].cell))
            tw_search_settle_source(&strip->run, i);
}

/* Offers paths over the cells that a neighbouring strip announced in the round before. */
static void hear(const struct strips *s, struct strip *strip, const struct strip *other, int side)
{
    const struct tw_announced *announced = &other->announced[(s->round + 1) % 2][side];
    if (announced->count > 0)
        strip->run.hear(&strip->run, announced);
}

/* Takes the offers of the neighbouring strips, while sources are still held, and empties this
 * round's bucket. */
static void work(void *context, int32_t number)
{
    struct strips *s = context;
    struct strip *strip = &s->at[number];
    if (number > 0)
        hear(s, strip, strip - 1, SOUTH);
    if (number + 1 < s->count)
        hear(s, strip, strip + 1, NORTH);
    settle_sources(s, strip);
    if (*tw_bucket_tail(&strip->search.queue, s->bucket))
        strip->run.settle_bucket(&strip->run, s->bucket, TW_COST_NONE);
}

/* Counts the cells that wait in queues, or were announced and not taken over yet. */
static int64_t count_waiting(const struct strips *s)
{
    int64_t waiting = 0;
    for (int32_t i = 0; i < s->count; i++) {
        const struct tw_announced *announced = s->at[i].announced[s->round % 2];
        waiting += s->at[i].search.queue.waiting + announced[NORTH].count + announced[SOUTH].count;
    }
    return waiting;
}

/* Cells of the last round. */
static int64_t count_settled(struct strips *s)
{
    int64_t before = s->settled;
    s->settled = 0;
    for (int32_t i = 0; i < s->count; i++)
        s->settled += s->at[i].run.settled;
    return s->settled - before;
}

/* Goes to the next bucket; false if none is left. */
static bool advance(struct strips *s)
{
    const struct tw_bucket_queue *queue = &s->at[0].search.queue;
    const struct tw_path_source *sources = s->paths->sources;
    if (count_waiting(s) > 0)
        s->bucket++;
    else if (s->next < s->end)
        s->bucket = tw_bucket_of(queue, sources[s->next].cost);
    else
        return false;
    s->first = s->next;
    while (s->next < s->end && tw_bucket_of(queue, sources[s->next].cost) <= s->bucket)
        s->next++;
    s->round++;
    for (int32_t i = 0; i < s->count; i++) {
        s->at[i].run.announced = s->at[i].announced[s->round % 2];
        for (int side = 0; side < SIDES; side++)
            s->at[i].run.announced[side].count = 0;
    }
    return true;
}

static int32_t next_round(void *context)
{
    struct strips *s = context;
    while (advance(s)) {
        if (s->settled - s->polled >= TW_SEARCH_POLLS) {
            s->polled = s->settled;
            s->cancelled = tw_task_cancelled(s->paths->task);
            if (s->cancelled)
                return 0;
        }
        if (count_settled(s) >= CELLS_MIN)
            return s->count;
        for (int32_t i = 0; i < s->count; i++)
            work(s, i);
    }
    return 0;
}

enum tw_status tw_search_everywhere(struct tw_task *task, const struct tw_paths *paths,
                                    double limit, struct tw_search *search, int32_t sources)
{
    const struct tw_bounds bounds = {.limit = limit};
    struct strips s = {.paths = paths, .bucket = -1};
    if (!lay_out(&(struct tw_scratch){.task = task}, &s, search))
        return tw_task_no_memory(task);
    if (s.count == 1) {
        tw_search_run(paths, &bounds, search, 0, sources);
        return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
    }
    tw_search_clean(paths->grid, search);
    begin(&s, &bounds);
    s.end = tw_search_hold_sources(&s.at[0].run, 0, sources);
    tw_rounds_run(task, work, next_round, &s);
    tw_search_show_held(paths, search, 0, sources);
    return s.cancelled ? TW_CANCELLED : TW_OK;
}

void tw_search_everywhere_forecast(struct tw_forecast *f, int32_t width, int32_t height,
                                   double least, double most)
{
    const struct tw_weighted_grid grid = tw_weighted_grid_sized(width, height);
    const struct tw_paths paths = {.grid = &grid, .least = least, .most = most};
    struct strips s = {.paths = &paths};
    struct tw_search whole = {0};
    lay_out(&(struct tw_scratch){.forecast = f}, &s, &whole);
}
