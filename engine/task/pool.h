/* SPDX-License-Identifier: MIT */
/* Workers: libuv's threads for nodes, and helpers for ranges of rows, of whom together no more
 * compute than there may be threads. The loop thread owns the pool; workers meet it only through
 * the open row jobs, which one mutex guards. A worker that waits for its ranges waits only for
 * ranges that run on other threads, so nothing can deadlock. Waking a thread costs more than a
 * short row job, so helpers spin for the next job before they park, and an owner for the end of its
 * last range before it sleeps. */
#ifndef TW_ENGINE_TASK_POOL_H
#define TW_ENGINE_TASK_POOL_H

#include "base/os/cpu.h"
#include "base/os/workers.h"

#include <stdatomic.h>
#include <uv.h>

/* See helpers.c. A spinner looks some 50 ns times PAUSES apart. */
enum { TW_POOL_SPIN_NS = 100 * 1000, TW_POOL_PAUSES = 32 };

struct tw_pool {
    uv_loop_t loop;
    uv_async_t wake;  /* a helper freed a worker for a waiting node, or work was postponed */
    uv_timer_t timer; /* progress and cancellation */
    uv_mutex_t mutex; /* guards jobs, what is taken of one, and helpers */
    uv_cond_t finished;
    struct tw_row_job *jobs;
    struct tw_helper *helpers, *parked; /* the last first */
    int32_t helper_count;
    atomic_bool ends;       /* helpers leave */
    atomic_uint opened;     /* row jobs so far; spinners watch it */
    atomic_int spinners;    /* helpers that spin for the next row job */
    atomic_int helping;     /* helpers that are not parked */
    atomic_bool wanted;     /* a node is ready and no worker is idle */
    int32_t threads, spare; /* workers; processors besides the one of an owner */
    enum tw_simd simd;
    /* Jobs on libuv's threads, and those of them that read and write; changed by the loop thread.
     */
    atomic_int running, transfers;
    bool begun;                     /* a work was started */
    void (*on_free)(void *context); /* a worker is free: start what is ready */
    void *context;
};

enum tw_status tw_pool_open(struct tw_pool *pool, int32_t threads, struct tw_error *err);
void tw_pool_close(struct tw_pool *pool);

/* Loop thread: true while a worker is idle; if none is, on_free is called when one may be. */
bool tw_pool_has_idle(struct tw_pool *pool);
/* Loop thread: runs work on a worker, then done on the loop thread. */
bool tw_pool_start(struct tw_pool *pool, uv_work_t *work, uv_work_cb run, uv_after_work_cb done);
/* Loop thread, from `done`: the worker is free again, first for on_free, then for row jobs. */
void tw_pool_finish(struct tw_pool *pool);

/* Worker: see tw_rows() in node.h. */
void tw_pool_rows(struct tw_pool *pool, int32_t count, int32_t grain, tw_rows_fn *fn,
                  void *context);
/* The same for what is below this layer. */
struct tw_workers tw_pool_workers(struct tw_pool *pool);

#endif
