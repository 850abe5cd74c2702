/* SPDX-License-Identifier: MIT */
/* Workers that run ranges of whatever row jobs are open. One that finds none spins for a moment and
 * then parks, so that the thread that opens the next row job can wake it, on another processor. By
 * way of the loop thread there are two wakes, and either thread may be left on the processor of
 * whoever is to be helped (see tw_cpu_send_away()). A parked helper leaves when its thread is
 * needed otherwise, and soon when it is not called: other runs of the process share libuv's
 * threads. */
#include "run/pool_private.h"

#include <stdlib.h>

enum { SPIN_NS = TW_POOL_SPIN_NS, PAUSES = TW_POOL_PAUSES, CALLS = 2, EARLY = 7 };

struct tw_helper {
    uv_work_t work;
    struct tw_pool *pool;
    struct tw_helper *next; /* parked before */
    struct tw_cpu_sleeper self;
    uv_cond_t woken;
    bool parked, leaves;
};

/* ---- parking; mutex held ---- */

static void unpark(struct tw_helper *helper)
{
    struct tw_helper **at = &helper->pool->parked;
    while (*at != helper)
        at = &(*at)->next;
    *at = helper->next;
    helper->parked = false;
    atomic_fetch_sub(&helper->pool->parked_count, 1);
}

static void leave(struct tw_helper *helper)
{
    helper->leaves = true;
    atomic_fetch_add(&helper->pool->leaving, 1);
}

static void send_home(struct tw_pool *pool)
{
    struct tw_helper *helper = pool->parked;
    unpark(helper);
    leave(helper);
    uv_cond_signal(&helper->woken);
}

void tw_helpers_call(struct tw_pool *pool)
{
    for (int call = 0; call < CALLS && pool->parked && tw_pool_has_ranges(pool); call++) {
        struct tw_helper *helper = pool->parked;
        unpark(helper);
        tw_cpu_send_away(&helper->self);
        uv_cond_signal(&helper->woken);
    }
}

/* Whether parked helpers keep threads from others, or nobody is left to be helped. */
static bool is_crowded(const struct tw_pool *pool)
{
    const int32_t works = pool->running - pool->leaving;
    return pool->running == pool->helpers || works - pool->transfers > pool->threads ||
           works > pool->size;
}

static void wait_parked(struct tw_helper *helper)
{
    struct tw_pool *pool = helper->pool;
    helper->parked = true;
    helper->next = pool->parked;
    pool->parked = helper;
    atomic_fetch_add(&pool->parked_count, 1);
    while (helper->parked)
        if (uv_cond_timedwait(&helper->woken, &pool->mutex, pool->park_ns) != 0 && helper->parked) {
            unpark(helper);
            leave(helper);
        }
}

/* ---- a helper's life ---- */

/* Until a row job opens after number `seen`, for a short time and only on a processor that no one
 * else needs. */
static void spin(struct tw_pool *pool, unsigned seen)
{
    uint64_t start = uv_hrtime();
    bool spare_cpu = atomic_fetch_add(&pool->spinners, 1) < pool->spare;
    while (spare_cpu && atomic_load(&pool->opened) == seen && uv_hrtime() - start < SPIN_NS)
        tw_cpu_relax(PAUSES);
    atomic_fetch_sub(&pool->spinners, 1);
}

/* False when it is to leave. Whoever counted on its spinning has opened a row job before. */
static bool waits(struct tw_helper *helper, unsigned seen, bool worked)
{
    struct tw_pool *pool = helper->pool;
    if (worked)
        spin(pool, seen);
    uv_mutex_lock(&pool->mutex);
    if (atomic_load(&pool->opened) == seen && is_crowded(pool))
        leave(helper);
    else if (atomic_load(&pool->opened) == seen)
        wait_parked(helper);
    uv_mutex_unlock(&pool->mutex);
    tw_cpu_come_back(&helper->self);
    return !helper->leaves;
}

static void run_helper(uv_work_t *work)
{
    struct tw_helper *helper = work->data;
    unsigned seen;
    bool worked;
    fenv_t mode;
    tw_cpu_enter(&mode);
    helper->self = tw_cpu_this_thread();
    do {
        seen = atomic_load(&helper->pool->opened);
        for (worked = false; tw_pool_run_range(helper->pool); worked = true)
            ;
    } while (waits(helper, seen, worked));
    tw_cpu_leave(&mode);
}

static void on_helper_done(uv_work_t *work, int status)
{
    struct tw_helper *helper = work->data;
    struct tw_pool *pool = helper->pool;
    (void)status;
    pool->helpers--;
    pool->leaving--;
    uv_cond_destroy(&helper->woken);
    free(helper);
    tw_pool_finish(pool);
}

static bool send_one(struct tw_pool *pool)
{
    struct tw_helper *helper = calloc(1, sizeof *helper);
    if (!helper || uv_cond_init(&helper->woken) != 0) {
        free(helper);
        return false;
    }
    helper->pool = pool;
    helper->work.data = helper;
    pool->helpers++;
    if (tw_pool_start(pool, &helper->work, run_helper, on_helper_done))
        return true;
    pool->helpers--;
    uv_cond_destroy(&helper->woken);
    free(helper);
    return false;
}

/* They park before the first row job opens, while their processors are idle. */
void tw_helpers_send_early(struct tw_pool *pool)
{
    int32_t count = pool->threads - 1 < pool->spare ? pool->threads - 1 : pool->spare;
    count = count < EARLY ? count : EARLY;
    while (count-- > 0 && send_one(pool))
        ;
}

/* ---- how many ---- */

bool tw_helpers_suffice(struct tw_pool *pool)
{
    return atomic_load(&pool->spinners) + atomic_load(&pool->parked_count) >= pool->threads - 1;
}

static bool needs_helpers(struct tw_pool *pool)
{
    uv_mutex_lock(&pool->mutex);
    bool found = tw_pool_has_ranges(pool) && !pool->parked &&
                 pool->running - pool->transfers - atomic_load(&pool->leaving) < pool->threads;
    uv_mutex_unlock(&pool->mutex);
    return found;
}

void tw_helpers_balance(struct tw_pool *pool)
{
    uv_mutex_lock(&pool->mutex);
    while (pool->parked && is_crowded(pool))
        send_home(pool);
    uv_mutex_unlock(&pool->mutex);
    while (needs_helpers(pool) && send_one(pool))
        ; /* without memory the owner does it all */
}
