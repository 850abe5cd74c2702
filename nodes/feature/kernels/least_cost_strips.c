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

static enum tw_status create_lists(struct tw_task *task, struct strips *s)
{
    const size_t most = announced_most(s->paths->grid->width), lists = (size_t)s->count * 2 * SIDES;
    int32_t *cells = tw_task_scratch(task, lists * most, sizeof *cells);
    if (!cells)
        return tw_task_no_memory(task);
    for (int32_t i = 0; i < s->count * 2 * SIDES; i++)
        s->at[i / (2 * SIDES)].announced[i / SIDES % 2][i % SIDES] =
            (struct tw_announced){cells + (size_t)i * most, 0};
    return TW_OK;
}

static enum tw_status create(struct tw_task *task, struct strips *s, struct tw_search *whole)
{
    struct tw_search searches[STRIPS_MAX];
    enum tw_status status = tw_search_create_cells(task, s->paths->grid, whole, 1);
    for (int32_t i = 0; i < s->count; i++)
        searches[i] = *whole;
    if (status == TW_OK)
        status = tw_search_create_queues(task, s->paths, s->cells, searches, s->count);
    if (status == TW_OK)
        status = create_lists(task, s);
    if (status != TW_OK)
        return status;
    tw_search_clean(s->paths->grid, whole);
    for (int32_t i = 0; i < s->count; i++) {
        s->at[i].search = searches[i];
        tw_search_clean_queue(&s->at[i].search.queue);
    }
    return TW_OK;
}

static void begin(struct strips *s, const struct tw_bounds *bounds)
{
    const struct tw_weighted_grid *grid = s->paths->grid;
    for (int32_t i = 0; i < s->count; i++) {
        struct strip *strip = &s->at[i];
        const int32_t first = i * s->cells;
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
    struct tw_bucket_queue queue;
    tw_bucket_queue_choose(&queue, paths->least, paths->most, paths->highest);
    s.count = strips_of(paths->grid->height, &queue, paths->least);
    s.cells = rows_of(paths->grid->height, s.count) * paths->grid->stride;
    if (s.count == 1) {
        enum tw_status status = tw_search_create(task, paths, search, 1);
        if (status == TW_OK)
            tw_search_run(paths, &bounds, search, 0, sources);
        return status == TW_OK && tw_task_cancelled(task) ? TW_CANCELLED : status;
    }
    enum tw_status status = create(task, &s, search);
    if (status != TW_OK)
        return status;
    begin(&s, &bounds);
    s.end = tw_search_hold_sources(&s.at[0].run, 0, sources);
    tw_rounds_run(task, work, next_round, &s);
    tw_search_show_held(paths, search, 0, sources);
    return s.cancelled ? TW_CANCELLED : TW_OK;
}

void tw_search_everywhere_forecast(struct tw_forecast *f, int32_t width, int32_t height,
                                   double least, double most)
{
    const struct tw_weighted_grid grid = {.cells = (width + 2) * (height + 2)};
    struct tw_bucket_queue queue;
    tw_bucket_queue_choose(&queue, least, most, 0);
    const int32_t count = strips_of(height, &queue, least);
    const int32_t cells = count > 1 ? rows_of(height, count) * (width + 2) : grid.cells;
    tw_search_forecast_cells(f, &grid, 1);
    tw_search_forecast_queues(f, &queue, cells, (uint64_t)count);
    if (count > 1)
        tw_forecast_scratch(f, (uint64_t)count * 2 * SIDES * announced_most(width),
                            sizeof(int32_t));
}
