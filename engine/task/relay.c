/* SPDX-License-Identifier: MIT */
/* Legs that follow each other at a distance, without barriers: each leg counts its steps, and the
 * leg behind polls that counter. */
#include "base/os/cpu.h"

#include <thalweg/node.h>

#include <assert.h>
#include <stdatomic.h>

enum { LINES = TW_RELAY_LEGS_MAX / 16 }; /* of 16 counters each */

struct tw_relay {
    tw_relay_fn *fn;
    void *context;
    int32_t count;
    atomic_int next;                       /* first leg not begun */
    atomic_int reached[TW_RELAY_LEGS_MAX]; /* neighbours lie in different cache lines */
};

static atomic_int *counter(struct tw_relay *relay, int32_t leg)
{
    return &relay->reached[leg % LINES * 16 + leg / LINES];
}

void tw_relay_reach(struct tw_relay *relay, int32_t leg, int32_t step)
{
    atomic_store_explicit(counter(relay, leg), step, memory_order_release);
}

/* The awaited leg has begun and runs, unless another program has its processor. */
void tw_relay_wait(struct tw_relay *relay, int32_t leg, int32_t step)
{
    const atomic_int *reached = counter(relay, leg);
    for (int64_t spins = 1; atomic_load_explicit(reached, memory_order_acquire) < step; spins++)
        tw_cpu_wait(spins);
}

/* Takes legs one by one: with several in one range, the second thread would wait for the first
 * thread's last leg. */
static void run_legs(void *context, int32_t begin, int32_t end)
{
    struct tw_relay *relay = context;
    (void)begin;
    (void)end;
    for (int leg; (leg = atomic_fetch_add(&relay->next, 1)) < relay->count;)
        relay->fn(relay->context, relay, leg);
}

void tw_relay_run(struct tw_task *task, int32_t count, int32_t together, tw_relay_fn *fn,
                  void *context)
{
    struct tw_relay relay = {.fn = fn, .context = context, .count = count};
    assert(count <= TW_RELAY_LEGS_MAX && together > 0);
    tw_rows(task, count < together ? count : together, 1, run_legs, &relay);
}
