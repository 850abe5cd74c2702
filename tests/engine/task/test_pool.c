/* SPDX-License-Identifier: MIT */
/* Row jobs: every row once, whatever the number of threads and the grain, for several nodes at
 * once. The jobs run as libuv works of a pool, as nodes do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/until.h"

#include "task/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 3001, WORKS = 12, LIBUV_THREADS = 8 };

/* What one work does: some calls of tw_pool_rows(), and their outcome. */
struct job {
    uv_work_t work;
    struct tw_pool *pool;
    int32_t count, grain;
    atomic_int seen[ROWS_MAX];
    atomic_int ranges, shortest, active, most;
    atomic_bool wrong, finished;
    int32_t meets;        /* a range ends once so many have been at work at once */
    struct job *outlasts; /* its ranges end once one of this job is at work; NULL: none */
    bool done;
};

static void rows(void *context, int32_t begin, int32_t end)
{
    struct job *job = context;
    int now = atomic_fetch_add(&job->active, 1) + 1;
    for (int most = atomic_load(&job->most); now > most;)
        if (atomic_compare_exchange_weak(&job->most, &most, now))
            break;
    if (begin < 0 || begin >= end || end > job->count) {
        atomic_store(&job->wrong, true);
        return;
    }
    if (end < job->count && end - begin < atomic_load(&job->shortest))
        atomic_store(&job->shortest, end - begin);
    for (int32_t y = begin; y < end; y++)
        atomic_fetch_add(&job->seen[y], 1);
    UNTIL(atomic_load(&job->most) >= job->meets);
    UNTIL(!job->outlasts || atomic_load(&job->outlasts->most) > 0);
    atomic_fetch_add(&job->ranges, 1);
    atomic_fetch_sub(&job->active, 1);
}

static void on_worker(uv_work_t *work)
{
    struct job *job = work->data;
    tw_pool_rows(job->pool, job->count, job->grain, rows, job);
    job->done = true;
}

static void on_loop(uv_work_t *work, int status)
{
    struct job *job = work->data;
    (void)status;
    tw_pool_finish(job->pool);
}

/* Starts what waits, as the runner does. */
struct queue {
    struct tw_pool pool;
    struct job *jobs;
    int count, next;
};

static void start_ready(void *context)
{
    struct queue *queue = context;
    while (queue->next < queue->count && tw_pool_has_idle(&queue->pool)) {
        struct job *job = &queue->jobs[queue->next++];
        job->work.data = job;
        job->pool = &queue->pool;
        assert_true(tw_pool_start(&queue->pool, &job->work, on_worker, on_loop));
    }
}

static void run_jobs(struct job *jobs, int count, int32_t threads)
{
    static struct queue queue;
    memset(&queue, 0, sizeof queue);
    assert_int_equal(tw_pool_open(&queue.pool, threads, NULL), TW_OK);
    queue.jobs = jobs;
    queue.count = count;
    queue.pool.on_free = start_ready;
    queue.pool.context = &queue;
    start_ready(&queue);
    while (queue.pool.running > 0)
        uv_run(&queue.pool.loop, UV_RUN_ONCE);
    assert_null(queue.pool.jobs);
    assert_true(queue.pool.helper_count < threads);
    tw_pool_close(&queue.pool);
    assert_int_equal(queue.next, count);
}

static struct job *new_jobs(int count)
{
    struct job *jobs = calloc((size_t)count, sizeof *jobs);
    assert_non_null(jobs);
    for (int i = 0; i < count; i++)
        atomic_init(&jobs[i].shortest, INT32_MAX);
    return jobs;
}

static void check(struct job *job)
{
    assert_true(job->done);
    assert_false(atomic_load(&job->wrong));
    for (int32_t y = 0; y < ROWS_MAX; y++)
        assert_int_equal(atomic_load(&job->seen[y]), y < job->count ? 1 : 0);
    assert_true(atomic_load(&job->shortest) >= job->grain);
}

static void every_row_comes_once(void **state)
{
    static const int32_t counts[] = {0, 1, 2, 7, 63, 64, 65, 1000, ROWS_MAX};
    static const int32_t grains[] = {1, 2, 3, 16, 64, 1000, 5000};
    static const int32_t threads[] = {1, 2, 3, 8};
    (void)state;
    for (int t = 0; t < 4; t++) {
        struct job *jobs = new_jobs(9 * 7);
        for (int i = 0; i < 9 * 7; i++) {
            jobs[i].count = counts[i / 7];
            jobs[i].grain = grains[i % 7];
        }
        run_jobs(jobs, 9 * 7, threads[t]);
        for (int i = 0; i < 9 * 7; i++) {
            check(&jobs[i]);
            if (threads[t] == 1 || jobs[i].grain >= jobs[i].count)
                assert_int_equal(atomic_load(&jobs[i].ranges), jobs[i].count > 0);
        }
        free(jobs);
    }
}

static void several_nodes_split_rows_at_once(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct job *jobs = new_jobs(WORKS);
        for (int i = 0; i < WORKS; i++) {
            jobs[i].count = 200 + 17 * i;
            jobs[i].grain = 1 + i % 5;
        }
        run_jobs(jobs, WORKS, 1 + round % 8);
        for (int i = 0; i < WORKS; i++)
            check(&jobs[i]);
        free(jobs);
    }
}

/* Ranges that wait for one another end only when workers that have nothing to do come to help. */
static void idle_workers_help(void **state)
{
    (void)state;
    for (int32_t threads = 1; threads <= 4; threads += 3) {
        struct job *job = new_jobs(1);
        job->count = 64;
        job->grain = 4;
        job->meets = threads > 1 ? 2 : 1;
        run_jobs(job, 1, threads);
        check(job);
        if (threads == 1)
            assert_int_equal(atomic_load(&job->most), 1);
        else
            assert_in_range(atomic_load(&job->most), 2, 4);
        free(job);
    }
}

/* Both workers are busy when the second job opens; the first to end goes on with it. */
static void a_worker_that_ends_goes_on_to_help(void **state)
{
    struct job *jobs = new_jobs(2);
    (void)state;
    jobs[0].count = jobs[0].grain = 1;
    jobs[1].count = 64;
    jobs[1].grain = 4;
    jobs[0].outlasts = &jobs[1];
    jobs[1].meets = 2;
    run_jobs(jobs, 2, 2);
    check(&jobs[0]);
    check(&jobs[1]);
    assert_int_equal(atomic_load(&jobs[1].most), 2);
    free(jobs);
}

/* The loop thread sees to nothing until all rows are done; the second row job calls a helper that
 * has parked. */
static void open_twice(uv_work_t *work)
{
    struct job *job = work->data;
    tw_pool_rows(job->pool, job->count, job->grain, rows, job);
    for (bool parked = false; !parked; sched_yield()) {
        uv_mutex_lock(&job->pool->mutex);
        parked = job->pool->parked != NULL;
        uv_mutex_unlock(&job->pool->mutex);
    }
    memset(job->seen, 0, sizeof job->seen);
    atomic_store(&job->most, 0);
    on_worker(work);
    atomic_store(&job->finished, true);
}

/* A pool, and a job for it of 16 ranges, of which two meet. */
static struct job *open_for_job(struct tw_pool *pool, int32_t threads)
{
    static struct queue none;
    struct job *job = new_jobs(1);
    assert_int_equal(tw_pool_open(pool, threads, NULL), TW_OK);
    pool->on_free = start_ready;
    pool->context = &none;
    job->count = 64;
    job->grain = 4;
    job->meets = 2;
    job->work.data = job;
    job->pool = pool;
    return job;
}

/* How many threads worked on its rows at once. */
static int32_t end_job(struct tw_pool *pool, struct job *job)
{
    while (pool->running > 0)
        uv_run(&pool->loop, UV_RUN_ONCE);
    assert_true(pool->helper_count < pool->threads);
    tw_pool_close(pool);
    check(job);
    int32_t most = atomic_load(&job->most);
    free(job);
    return most;
}

static void helpers_are_called_by_whoever_opens_a_job(void **state)
{
    struct tw_pool pool;
    struct job *job = open_for_job(&pool, 2);
    (void)state;
    assert_true(tw_pool_start(&pool, &job->work, open_twice, on_loop));
    while (!atomic_load(&job->finished))
        sched_yield();
    assert_int_equal(pool.helper_count, 1);
    assert_int_equal(end_job(&pool, job), 2);
}

/* Who ran each row: 1 the owner, 2 a helper. */
struct split {
    struct job *job;
    pthread_t owner;
    atomic_int by[ROWS_MAX];
};

static void note_thread(void *context, int32_t begin, int32_t end)
{
    struct split *split = context;
    rows(split->job, begin, end);
    for (int32_t y = begin; y < end; y++)
        atomic_store(&split->by[y], pthread_equal(pthread_self(), split->owner) ? 1 : 2);
}

static void open_split(uv_work_t *work)
{
    static struct split split;
    struct job *job = work->data;
    memset(split.by, 0, sizeof split.by);
    split.job = job;
    split.owner = pthread_self();
    tw_pool_rows(job->pool, job->count, job->grain, note_thread, &split);
    job->done = true;
    for (int32_t y = 1; y < job->count; y++)
        if (atomic_load(&split.by[y]) < atomic_load(&split.by[y - 1]))
            atomic_store(&job->wrong, true);
    if (atomic_load(&split.by[0]) != 1 || atomic_load(&split.by[job->count - 1]) != 2)
        atomic_store(&job->wrong, true);
}

/* Also where the last range is short. */
static void the_owner_has_the_first_rows_and_helpers_the_last(void **state)
{
    (void)state;
    for (int32_t count = 61; count <= 64; count++) {
        struct tw_pool pool;
        struct job *job = open_for_job(&pool, 2);
        job->count = count;
        assert_true(tw_pool_start(&pool, &job->work, open_split, on_loop));
        assert_int_equal(end_job(&pool, job), 2);
    }
}

/* Others' works take all of libuv's threads but one, and that is the node's. */
struct foreign {
    uv_work_t work;
    const struct job *until;
};

static void wait_for_rows(uv_work_t *work)
{
    const struct foreign *foreign = work->data;
    while (!atomic_load(&foreign->until->finished))
        sched_yield();
}

static void after_foreign(uv_work_t *work, int status)
{
    (void)work;
    (void)status;
}

static void helpers_take_no_thread_of_libuv(void **state)
{
    struct tw_pool pool;
    struct job *job = open_for_job(&pool, 4);
    struct foreign foreign[LIBUV_THREADS - 1];
    (void)state;
    for (int i = 0; i < LIBUV_THREADS - 1; i++) {
        foreign[i] = (struct foreign){.work.data = &foreign[i], .until = job};
        assert_int_equal(uv_queue_work(&pool.loop, &foreign[i].work, wait_for_rows, after_foreign),
                         0);
    }
    assert_true(tw_pool_start(&pool, &job->work, open_twice, on_loop));
    assert_in_range(end_job(&pool, job), 2, 4);
}

static void a_pool_without_work_opens_and_closes(void **state)
{
    (void)state;
    for (int32_t threads = 1; threads <= 8; threads++)
        run_jobs(NULL, 0, threads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_comes_once),
        cmocka_unit_test(several_nodes_split_rows_at_once),
        cmocka_unit_test(idle_workers_help),
        cmocka_unit_test(a_worker_that_ends_goes_on_to_help),
        cmocka_unit_test(helpers_are_called_by_whoever_opens_a_job),
        cmocka_unit_test(the_owner_has_the_first_rows_and_helpers_the_last),
        cmocka_unit_test(helpers_take_no_thread_of_libuv),
        cmocka_unit_test(a_pool_without_work_opens_and_closes),
    };
    setenv("UV_THREADPOOL_SIZE", "8", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
