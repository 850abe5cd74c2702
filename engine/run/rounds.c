/* SPDX-License-Identifier: MIT */
/* Rounds of parts, in which a worker that comes late or leaves keeps nobody waiting: whoever is
 * there takes the next part, and whoever finishes the last one of a round begins the next. */
#include "base/cpu.h"

#include <thalweg/node.h>

#include <stdatomic.h>

enum { TOGETHER = 32, PART_BITS = 32 };

struct rounds {
    tw_round_fn *work;
    tw_round_next_fn *next;
    void *context;
    int32_t count;
    /* The round, and below it the next part that nobody has begun; `count` and more: none. */
    _Alignas(64) atomic_uint_least64_t ticket;
    _Alignas(64) atomic_int finished; /* parts of this round */
    atomic_bool over;
};

static uint64_t part_of(uint64_t ticket) { return ticket & (((uint64_t)1 << PART_BITS) - 1); }

/* What the round wrote happens before `next`, and that before the next round. */
static void finish_part(struct rounds *r)
{
    if (atomic_fetch_add(&r->finished, 1) + 1 < r->count)
        return;
    atomic_store(&r->finished, 0);
    if (r->next(r->context))
        atomic_store(&r->ticket, ((atomic_load(&r->ticket) >> PART_BITS) + 1) << PART_BITS);
    else
        atomic_store(&r->over, true);
}

/* Parts are counted up only while there are some, so that those who wait never fill the bits. */
static void join(void *context, int32_t begin, int32_t end)
{
    struct rounds *r = context;
    const uint64_t count = (uint64_t)r->count;
    (void)begin;
    (void)end;
    for (int64_t turn = 1; !atomic_load(&r->over); turn++) {
        uint64_t part = part_of(atomic_load(&r->ticket));
        if (part < count)
            part = part_of(atomic_fetch_add(&r->ticket, 1));
        if (part < count) {
            r->work(r->context, (int32_t)part);
            finish_part(r);
            turn = 0;
        } else
            tw_cpu_wait(turn);
    }
}

void tw_rounds_run(struct tw_task *task, int32_t count, tw_round_fn *work, tw_round_next_fn *next,
                   void *context)
{
    struct rounds r = {.work = work, .next = next, .context = context, .count = count};
    if (count > 0)
        tw_rows(task, count < TOGETHER ? count : TOGETHER, 1, join, &r);
}
