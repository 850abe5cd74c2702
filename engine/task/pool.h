/* SPDX-License-Identifier: MIT */
/* Workers: libuv's threads, which run nodes, and helpers, which run ranges of rows; together at
 * most `threads` of them compute. The loop thread owns the pool; workers reach it only through the
 * open row jobs, which one mutex guards. A worker waits only for ranges that already run on other
 * threads, so nothing can deadlock. Waking a thread costs more than a short row job, so helpers
 * spin for the next job before they park, and an owner spins for its last range before it sleeps.
 */
#ifndef TW_ENGINE_TASK_POOL_H
#define TW_ENGINE_TASK_POOL_H

#include "base/os/cpu.h"
#include "base/os/workers.h"

#include <stdatomic.h>
#include <uv.h>

/* Spin time of helpers.c. A spinner polls about every 50 ns times PAUSES. */
enum { TW_POOL_SPIN_NS = 100 * 1000, TW_POOL_PAUSES = 32 };

struct tw_pool {
    uv_loop_t loop;
    uv_async_t
        wake; /* sent when a helper frees a worker for a waiting node, or work was postponed */
    uv_timer_t timer; /* polls progress and cancellation */
    uv_mutex_t mutex; /* guards jobs, their handed-out ranges, and helpers */
    uv_cond_t finished;
    struct tw_row_job *jobs;
    struct tw_helper *helpers, *parked; /* lists, newest first */
    int32_t helper_count;
    atomic_bool ends;       /* helpers must exit */
    atomic_uint opened;     /* number of row jobs so far; spinners poll it */
    atomic_int spinners;    /* helpers that spin for the next row job */
    atomic_int helping;     /* helpers not parked */
    atomic_bool wanted;     /* a node is ready and no worker is idle */
    int32_t threads, spare; /* workers; processors left when an owner has one */
    enum tw_simd simd;
    /* Jobs on libuv's threads, and how many of them read or write. Changed by the loop thread. */
    atomic_int running, transfers;
    bool begun;                     /* work has started */
    void (*on_free)(void *context); /* called when a worker is free: starts what is ready */
    void *context;
};

enum tw_status tw_pool_open(struct tw_pool *pool, int32_t threads, struct tw_error *err);
void tw_pool_close(struct tw_pool *pool);

/* Loop thread: true if a worker is idle; otherwise on_free is called when one may be. */
bool tw_pool_has_idle(struct tw_pool *pool);
/* Loop thread: runs `work` on a worker, then `done` on the loop thread. */
bool tw_pool_start(struct tw_pool *pool, uv_work_t *work, uv_work_cb run, uv_after_work_cb done);
/* Loop thread, from `done`: frees the worker, first for on_free, then for row jobs. */
void tw_pool_finish(struct tw_pool *pool);

/* Worker: see tw_rows() in node.h. */
void tw_pool_rows(struct tw_pool *pool, int32_t count, int32_t grain, tw_rows_fn *fn,
                  void *context);
/* The pool as lower layers see it. */
struct tw_workers tw_pool_workers(struct tw_pool *pool);

#endif
