/* SPDX-License-Identifier: MIT */
/* Decides what the workers do next: one node per compute worker, plus a few transfers. */
#include "run/job.h"
#include "run/spill.h"

/* Workers beyond the compute workers: readers and writers, and workers that wait for a server, one
 * of which is reserved for requests while others send. */
enum { TRANSFERS_MAX = 2, REQUESTS_MAX = 3, SENDS_MAX = 2 };
enum { HERE_MAX = 64 }; /* nodes that the loop thread runs between polls of its events */

static int32_t local_transfers(const struct tw_run *run)
{
    return run->pool.transfers - run->requests;
}

/* Moves the load that the lowest waiting consumer needs (ties: the lowest node) to the end of the
 * list; returns that consumer. */
static int32_t choose_load(const struct tw_run *run)
{
    int32_t *at = run->loads.at, last = run->loads.count - 1, best = 0, lowest = INT32_MAX;
    for (int32_t k = 0; k <= last; k++) {
        int32_t user = tw_state_first_waiting(run, at[k]);
        bool first = user < lowest || (user == lowest && at[k] < at[best]);
        best = first ? k : best;
        lowest = first ? user : lowest;
    }
    int32_t load = at[best];
    at[best] = at[last];
    at[last] = load;
    return lowest;
}

/* Pending stores finish before any value is spilled, so nothing is written twice. */
static bool is_idle(const struct tw_run *run)
{
    const bool stores_first = run->spilling && run->stores.count > 0;
    return run->computing + local_transfers(run) == 0 && !stores_first;
}

/* Under a memory limit, loads follow the order that the forecast assumes: a node's inputs are
 * loaded when all nodes before it are done, not as soon as they are known to be needed. The load at
 * the end of the list is next; *consumer waits for it. */
static bool loads_next(const struct tw_run *run, int32_t *consumer)
{
    if (run->loads.count == 0)
        return false;
    *consumer = choose_load(run);
    return run->ready.count == 0 || run->ready.at[0] > *consumer;
}

static bool may_load(const struct tw_run *run)
{
    int32_t consumer;
    if (!run->serial)
        return run->loads.count > 0;
    return is_idle(run) && loads_next(run, &consumer);
}

/* True if a value was spilled, or is being spilled, to make room for what runs next. */
static bool make_room(struct tw_run *run)
{
    int32_t consumer;
    if (!run->spilling || !is_idle(run))
        return false;
    if (loads_next(run, &consumer)) {
        int32_t i = run->loads.at[run->loads.count - 1];
        return tw_spilling_make_room(run, consumer, tw_job_load_bytes(run, i));
    }
    if (run->ready.count == 0)
        return false;
    const struct tw_need *need = &run->plan.needs[run->ready.at[0]];
    return tw_spilling_make_room(run, run->ready.at[0], need->values + need->scratch);
}

/* What is shown is loaded in its order; otherwise the last value that was demanded is next. */
static void load_next(struct tw_run *run)
{
    if (run->request->display)
        (void)choose_load(run);
    tw_job_load(run, tw_work_pop(&run->loads));
}

static bool start_transfer(struct tw_run *run)
{
    if (run->deliveries.count > 0)
        tw_job_deliver(run, tw_work_pop(&run->deliveries));
    else if (make_room(run))
        return true;
    else if (may_load(run))
        load_next(run);
    else if (run->stores.count > 0)
        tw_job_store(run, tw_work_pop(&run->stores));
    else
        return false;
    return true;
}

static bool may_compute(struct tw_run *run)
{
    if (run->ready.count == 0)
        return false;
    return run->serial ? is_idle(run) : tw_pool_has_idle(&run->pool);
}

/* Requests go before sends, since nodes wait for the answers. */
static bool start_request(struct tw_run *run)
{
    struct tw_remote *remote = run->cache.remote;
    if (run->asks.count > 0) {
        tw_job_ask(run, tw_work_pop(&run->asks));
        return true;
    }
    if (run->sends.count > 0 && !tw_remote_takes(remote)) {
        tw_remote_drop(remote, run->sends.count);
        run->sends.count = 0;
    }
    if (run->sends.count == 0 || run->sending >= SENDS_MAX)
        return false;
    tw_job_send(run, tw_work_pop(&run->sends));
    return true;
}

static bool only_sends(const struct tw_run *run)
{
    return is_idle(run) && run->open_goals == 0 && run->stores.count == 0;
}

static void fail_late(struct tw_run *run)
{
    struct tw_error error;
    tw_error_set(&error, TW_LIMIT, "the run took longer than the %.6g seconds allowed",
                 run->options->max_seconds);
    tw_state_fail(run, NULL, TW_LIMIT, &error);
}

void tw_jobs_poll(void *context)
{
    struct tw_run *run = context;
    if (run->options->cancel && __atomic_load_n(run->options->cancel, __ATOMIC_RELAXED))
        tw_state_fail(run, NULL, TW_CANCELLED, NULL);
    if (run->deadline > 0 && uv_hrtime() > run->deadline)
        fail_late(run);
}

static void start_transfers(struct tw_run *run)
{
    while (run->status == TW_OK && local_transfers(run) < TRANSFERS_MAX && start_transfer(run))
        ;
    while (run->status == TW_OK && run->requests < REQUESTS_MAX && start_request(run))
        ;
}

/* Runs ready nodes and those that become ready; polls the loop's events after HERE_MAX of them. */
static void start_ready(struct tw_run *run)
{
    int32_t here = 0;
    for (start_transfers(run); run->status == TW_OK && here < HERE_MAX && may_compute(run);
         start_transfers(run))
        here += tw_job_compute(run, tw_work_heap_take(&run->ready));
    run->postponed = here == HERE_MAX;
    if (run->postponed)
        uv_async_send(&run->pool.wake);
}

void tw_jobs_start(void *context)
{
    struct tw_run *run = context;
    tw_jobs_poll(run);
    start_ready(run);
    if (run->requests > 0 && only_sends(run))
        tw_remote_drain(run->cache.remote);
}
