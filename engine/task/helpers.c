/* SPDX-License-Identifier: MIT */
/* Threads that run ranges of whatever row jobs are open. They do not use libuv's work requests: the
 * loop thread would have to wake to send those, and they would take pool threads from nodes, other
 * runs and the host. A helper that finds no range spins briefly, then parks until it is called. The
 * first are created before a node computes, since a new or waking thread may have to wait for the
 * node's processor (see tw_cpu_send_away()). */
#include "task/pool_private.h"

#include <stdlib.h>

enum { CALLS = 2, FEW = 7 };

struct tw_helper {
    struct tw_pool *pool;
    uv_thread_t thread;
    struct tw_helper *next;        /* created earlier */
    struct tw_helper *next_parked; /* parked earlier */
    struct tw_cpu_sleeper sleeper;
    uv_cond_t called;
    bool parked;
};

/* ---- parking; mutex held ---- */

static void park(struct tw_helper *helper)
{
    helper->parked = true;
    helper->next_parked = helper->pool->parked;
    helper->pool->parked = helper;
}

static void call(struct tw_helper *helper, bool from_work)
{
    struct tw_pool *pool = helper->pool;
    pool->parked = helper->next_parked;
    helper->parked = false;
    pool->helping++;
    if (from_work)
        tw_cpu_send_away(&helper->sleeper);
    uv_cond_signal(&helper->called);
}

/* ---- a helper's life ---- */

/* Waits briefly until a row job opens after number `seen`, but only on a spare processor. */
static void spin(struct tw_pool *pool, unsigned seen)
{
    uint64_t start = uv_hrtime();
    bool spare_cpu = atomic_fetch_add(&pool->spinners, 1) < pool->spare;
    while (spare_cpu && pool->opened == seen && !pool->wanted &&
           uv_hrtime() - start < TW_POOL_SPIN_NS)
        tw_cpu_relax(TW_POOL_PAUSES);
    atomic_fetch_sub(&pool->spinners, 1);
}

/* tw_helpers_end() calls all helpers. Mutex held. */
static void wait_for_call(struct tw_helper *helper)
{
    while (helper->parked)
        uv_cond_wait(&helper->called, &helper->pool->mutex);
    tw_cpu_come_back(&helper->sleeper);
}

static void wait_for_job(struct tw_helper *helper, unsigned seen)
{
    struct tw_pool *pool = helper->pool;
    spin(pool, seen);
    uv_mutex_lock(&pool->mutex);
    if (pool->opened == seen && !pool->ends) {
        park(helper);
        pool->helping--;
        if (pool->wanted)
            uv_async_send(&pool->wake);
        wait_for_call(helper);
    }
    uv_mutex_unlock(&pool->mutex);
}

static void run_helper(void *at)
{
    struct tw_helper *helper = at;
    struct tw_pool *pool = helper->pool;
    fenv_t mode;
    tw_cpu_enter(&mode);
    uv_mutex_lock(&pool->mutex);
    wait_for_call(helper);
    uv_mutex_unlock(&pool->mutex);
    while (!pool->ends) {
        unsigned seen = pool->opened;
        while (tw_pool_run_range(pool))
            ;
        wait_for_job(helper, seen);
    }
    tw_cpu_leave(&mode);
}

/* The new helper starts parked. Mutex held. */
static bool create(struct tw_pool *pool)
{
    struct tw_helper *helper = calloc(1, sizeof *helper);
    if (!helper || uv_cond_init(&helper->called) != 0) {
        free(helper);
        return false;
    }
    helper->pool = pool;
    if (uv_thread_create(&helper->thread, run_helper, helper) != 0) {
        uv_cond_destroy(&helper->called);
        free(helper);
        return false;
    }
    helper->sleeper = (struct tw_cpu_sleeper){.thread = (uintptr_t)helper->thread};
    helper->next = pool->helpers;
    pool->helpers = helper;
    pool->helper_count++;
    park(helper);
    return true;
}

/* ---- interface of pool_private.h ---- */

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

/* More helpers than processors gain nothing; the few extra let tests exercise races between
 * threads. */
static bool may_create(const struct tw_pool *pool)
{
    const int32_t most = pool->spare > FEW ? pool->spare : FEW;
    return pool->helper_count < least(pool->threads - 1, most);
}

void tw_helpers_begin(struct tw_pool *pool)
{
    uv_mutex_lock(&pool->mutex);
    while (may_create(pool) && pool->helper_count < least(pool->spare, FEW) && create(pool))
        ;
    uv_mutex_unlock(&pool->mutex);
}

void tw_helpers_call(struct tw_pool *pool, bool from_work)
{
    for (int i = 0; i < CALLS && tw_pool_has_ranges(pool) && tw_pool_has_room(pool); i++) {
        if (!pool->parked && (!may_create(pool) || !create(pool)))
            return;
        call(pool->parked, from_work);
    }
}

void tw_helpers_end(struct tw_pool *pool)
{
    uv_mutex_lock(&pool->mutex);
    pool->ends = true;
    while (pool->parked)
        call(pool->parked, false);
    uv_mutex_unlock(&pool->mutex);
    while (pool->helpers) {
        struct tw_helper *helper = pool->helpers;
        pool->helpers = helper->next;
        uv_thread_join(&helper->thread);
        uv_cond_destroy(&helper->called);
        free(helper);
    }
}
