/* SPDX-License-Identifier: MIT */
#include "base/cpu.h"

#include <stdatomic.h>

enum { LINES = TW_RELAY_LEGS_MAX / 16 }; /* of 16 counters each */
enum { LOOKS = 256 }; /* before another thread may have this processor: some ten microseconds */

struct tw_relay {
    tw_relay_fn *fn;
    void *context;
    atomic_int next;                       /* leg that nobody has begun */
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

/* Whoever is waited for has begun and runs, unless another program has its processor. */
void tw_relay_wait(struct tw_relay *relay, int32_t leg, int32_t step)
{
    const atomic_int *reached = counter(relay, leg);
    for (int looks = 1; atomic_load_explicit(reached, memory_order_acquire) < step; looks++)
        if (looks % LOOKS == 0)
            tw_cpu_yield();
        else
            tw_cpu_relax(1);
}

/* A range is as many legs, but those that nobody has begun: ranges of several would let the second
 * thread wait for the first one's last leg. */
static void run_legs(void *context, int32_t begin, int32_t end)
{
    struct tw_relay *relay = context;
    for (int32_t i = begin; i < end; i++)
        relay->fn(relay->context, relay, atomic_fetch_add(&relay->next, 1));
}

void tw_relay_run(struct tw_task *task, int32_t count, bool alone, tw_relay_fn *fn, void *context)
{
    struct tw_relay relay = {.fn = fn, .context = context};
    tw_rows(task, count, alone ? count : 1, run_legs, &relay);
}
