/* SPDX-License-Identifier: MIT */
/* Runs row jobs on libuv's pool. Only the loop thread calls uv_queue_work(), as libuv requires. */
#include "task/pool_private.h"

#include "base/os/process.h"

#include <stdlib.h>

enum { RANGES_PER_THREAD = 8 };
/* descriptors of a loop, counting libuv's signal pipe: libuv aborts if it cannot create that */
enum { LOOP_FILES = 6 };

struct tw_row_job {
    struct tw_row_job *next;
    tw_rows_fn *fn;
    void *context;
    int32_t count, length; /* of all rows, of one range */
    int32_t first, last;   /* rows not handed out yet: first to last - 1 */
    atomic_int done;       /* rows finished; rises with the mutex held */
};

struct range {
    int32_t begin, end;
};

static bool has_ranges(const struct tw_row_job *job) { return job->first < job->last; }

/* The owner takes rows from the front and helpers from the back, job after job: each finds in its
 * cache what it wrote before, and no two clear the same new page. Mutex held. */
static struct range take_first(struct tw_row_job *job)
{
    const int32_t left = job->last - job->first;
    const struct range range = {job->first, job->first + (left < job->length ? left : job->length)};
    job->first = range.end;
    return range;
}

static struct range take_last(struct tw_row_job *job)
{
    const struct range range = {(job->last - 1) / job->length * job->length, job->last};
    job->last = range.begin;
    return range;
}

static void run_range(struct tw_pool *pool, struct tw_row_job *job, const struct range *range)
{
    const int32_t rows = range->end - range->begin;
    job->fn(job->context, range->begin, range->end);
    uv_mutex_lock(&pool->mutex);
    if (atomic_fetch_add(&job->done, rows) + rows == job->count)
        uv_cond_broadcast(&pool->finished);
    uv_mutex_unlock(&pool->mutex);
}

static struct tw_row_job *find_job(const struct tw_pool *pool)
{
    struct tw_row_job *job = pool->jobs;
    while (job && !has_ranges(job))
        job = job->next;
    return job;
}

bool tw_pool_has_ranges(const struct tw_pool *pool) { return find_job(pool) != NULL; }

bool tw_pool_run_range(struct tw_pool *pool)
{
    struct range range = {0, 0};
    uv_mutex_lock(&pool->mutex);
    struct tw_row_job *job = find_job(pool);
    if (job)
        range = take_last(job);
    tw_helpers_call(pool, true);
    uv_mutex_unlock(&pool->mutex);
    if (job)
        run_range(pool, job, &range);
    return job != NULL;
}

bool tw_pool_has_room(const struct tw_pool *pool)
{
    return pool->running - pool->transfers + pool->helping < pool->threads;
}

/* A helper that parks lowers `helping` before it checks for work. */
bool tw_pool_has_idle(struct tw_pool *pool)
{
    atomic_store(&pool->wanted, false);
    if (tw_pool_has_room(pool))
        return true;
    atomic_store(&pool->wanted, true);
    return tw_pool_has_room(pool);
}

static void on_wake(uv_async_t *wake)
{
    struct tw_pool *pool = wake->data;
    pool->on_free(pool->context);
}

/* ---- starting libuv's threads ---- */

static void wait_at_gate(void *gate)
{
    uv_mutex_lock(gate);
    uv_mutex_unlock(gate);
}

static int32_t pool_size(void)
{
    enum { DEFAULT = 4, MAX = 1024 }; /* as libuv has them */
    const char *text = getenv("UV_THREADPOOL_SIZE");
    long size = text ? strtol(text, NULL, 10) : DEFAULT;
    return size < 1 ? 1 : size > MAX ? MAX : (int32_t)size;
}

/* True if so many threads can exist at the same time. */
static bool try_threads(int32_t count)
{
    uv_mutex_t gate;
    uv_thread_t *threads = malloc((size_t)count * sizeof *threads);
    int32_t started = 0;
    if (!threads || uv_mutex_init(&gate) != 0) {
        free(threads);
        return false;
    }
    uv_mutex_lock(&gate);
    while (started < count && uv_thread_create(&threads[started], wait_at_gate, &gate) == 0)
        started++;
    uv_mutex_unlock(&gate);
    for (int32_t i = 0; i < started; i++)
        uv_thread_join(&threads[i]);
    uv_mutex_destroy(&gate);
    free(threads);
    return started == count;
}

static void do_nothing(uv_work_t *work) { (void)work; }
static void after_nothing(uv_work_t *work, int status)
{
    (void)work;
    (void)status;
}

/* libuv starts its whole pool with the first work request and aborts if it cannot. So this first
 * checks that the threads can start, then starts the pool before other memory is taken. */
static bool start_threads(uv_loop_t *loop)
{
    static atomic_bool started;
    uv_work_t work;
    if (atomic_load(&started))
        return true;
    if (!try_threads(pool_size()) || uv_queue_work(loop, &work, do_nothing, after_nothing) != 0)
        return false;
    uv_run(loop, UV_RUN_DEFAULT);
    atomic_store(&started, true);
    return true;
}

enum tw_status tw_pool_open(struct tw_pool *pool, int32_t threads, struct tw_error *err)
{
    *pool =
        (struct tw_pool){.threads = threads, .spare = tw_cpu_count() - 1, .simd = tw_cpu_simd()};
    if (!tw_process_can_open(LOOP_FILES) || uv_loop_init(&pool->loop) != 0)
        return tw_error_set(err, TW_MEMORY, "cannot start an event loop");
    if (!start_threads(&pool->loop)) {
        uv_loop_close(&pool->loop);
        return tw_error_set(err, TW_MEMORY, "cannot start the worker threads");
    }
    if (uv_mutex_init(&pool->mutex) != 0) {
        uv_loop_close(&pool->loop);
        return tw_error_set(err, TW_MEMORY, "cannot create a mutex");
    }
    if (uv_cond_init(&pool->finished) != 0) {
        uv_mutex_destroy(&pool->mutex);
        uv_loop_close(&pool->loop);
        return tw_error_set(err, TW_MEMORY, "cannot create a condition variable");
    }
    uv_async_init(&pool->loop, &pool->wake, on_wake);
    uv_timer_init(&pool->loop, &pool->timer);
    pool->wake.data = pool;
    return TW_OK;
}

void tw_pool_close(struct tw_pool *pool)
{
    tw_helpers_end(pool);
    uv_close((uv_handle_t *)&pool->wake, NULL);
    uv_close((uv_handle_t *)&pool->timer, NULL);
    uv_run(&pool->loop, UV_RUN_DEFAULT);
    uv_loop_close(&pool->loop);
    uv_cond_destroy(&pool->finished);
    uv_mutex_destroy(&pool->mutex);
}

bool tw_pool_start(struct tw_pool *pool, uv_work_t *work, uv_work_cb run, uv_after_work_cb done)
{
    if (!pool->begun)
        tw_helpers_begin(pool);
    pool->begun = true;
    if (uv_queue_work(&pool->loop, work, run, done) != 0)
        return false;
    pool->running++;
    return true;
}

void tw_pool_finish(struct tw_pool *pool)
{
    pool->running--;
    pool->on_free(pool->context);
    uv_mutex_lock(&pool->mutex);
    tw_helpers_call(pool, false);
    uv_mutex_unlock(&pool->mutex);
}

static void remove_job(struct tw_pool *pool, struct tw_row_job *job)
{
    struct tw_row_job **at = &pool->jobs;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
}

static void open_job(struct tw_pool *pool, struct tw_row_job *job)
{
    uv_mutex_lock(&pool->mutex);
    job->next = pool->jobs;
    pool->jobs = job;
    atomic_fetch_add(&pool->opened, 1);
    uv_mutex_unlock(&pool->mutex);
}

static void close_job(struct tw_pool *pool, struct tw_row_job *job)
{
    uint64_t start = uv_hrtime();
    while (pool->spare > 0 && atomic_load(&job->done) < job->count &&
           uv_hrtime() - start < TW_POOL_SPIN_NS)
        tw_cpu_relax(TW_POOL_PAUSES);
    uv_mutex_lock(&pool->mutex);
    remove_job(pool, job);
    while (atomic_load(&job->done) < job->count)
        uv_cond_wait(&pool->finished, &pool->mutex);
    uv_mutex_unlock(&pool->mutex);
}

/* Returns false once all ranges are handed out. */
static bool run_own_range(struct tw_pool *pool, struct tw_row_job *job)
{
    uv_mutex_lock(&pool->mutex);
    const struct range range = take_first(job);
    tw_helpers_call(pool, true);
    uv_mutex_unlock(&pool->mutex);
    if (range.begin < range.end)
        run_range(pool, job, &range);
    return range.begin < range.end;
}

void tw_pool_rows(struct tw_pool *pool, int32_t count, int32_t grain, tw_rows_fn *fn, void *context)
{
    if (count <= 0)
        return;
    int32_t length = (count - 1) / (pool->threads * RANGES_PER_THREAD) + 1;
    length = length < grain ? grain : length;
    if (pool->threads == 1 || length >= count) {
        fn(context, 0, count);
        return;
    }
    struct tw_row_job job = {
        .fn = fn, .context = context, .count = count, .length = length, .last = count};
    open_job(pool, &job);
    while (run_own_range(pool, &job))
        continue;
    close_job(pool, &job);
}

static void lend_rows(void *pool, int32_t count, int32_t grain, tw_rows_fn *fn, void *context)
{
    tw_pool_rows(pool, count, grain, fn, context);
}

struct tw_workers tw_pool_workers(struct tw_pool *pool)
{
    return (struct tw_workers){lend_rows, pool};
}
