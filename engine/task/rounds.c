/* SPDX-License-Identifier: MIT */
/* Runs rounds of parts without barriers, so that no worker waits for a late one: any free worker
 * takes the next part, and the one that finishes a round's last part begins the next round. */
#include "base/os/cpu.h"

#include <thalweg/node.h>

#include <assert.h>
#include <stdatomic.h>

/* TOGETHER: most workers. */
enum { TOGETHER = 32, PART_BITS = 20 };

/* Parts first to last - 1 of a round have not begun. Packed into one number, so that taking a part
 * needs no lock and cannot take one of an earlier round. */
struct ticket {
    uint64_t round;
    int32_t first, last;
};

struct rounds {
    tw_round_fn *work;
    tw_round_next_fn *next;
    void *context;
    _Alignas(64) atomic_uint_least64_t ticket;
    _Alignas(64) atomic_int unfinished; /* parts of this round */
    atomic_bool over;
};

static uint64_t pack(struct ticket t)
{
    return t.round << (2 * PART_BITS) | (uint64_t)t.first << PART_BITS | (uint64_t)t.last;
}

static struct ticket unpack(uint64_t packed)
{
    const uint64_t mask = ((uint64_t)1 << PART_BITS) - 1;
    return (struct ticket){packed >> (2 * PART_BITS), (int32_t)(packed >> PART_BITS & mask),
                           (int32_t)(packed & mask)};
}

/* As in tw_rows(), the owner takes parts from the front and helpers from the back, round after
 * round: each finds in its cache what it wrote before. Returns -1 if none is left. */
static int32_t take_part(struct rounds *r, bool owner)
{
    uint64_t packed = atomic_load(&r->ticket);
    for (;;) {
        struct ticket t = unpack(packed);
        if (t.first == t.last)
            return -1;
        const int32_t part = owner ? t.first++ : --t.last;
        if (atomic_compare_exchange_weak(&r->ticket, &packed, pack(t)))
            return part;
    }
}

static void begin_round(struct rounds *r, int32_t count)
{
    const uint64_t before = unpack(atomic_load(&r->ticket)).round;
    assert(count >= 0 && count < 1 << PART_BITS);
    atomic_store(&r->unfinished, count);
    atomic_store(&r->over, count == 0);
    atomic_store(&r->ticket, pack((struct ticket){before + 1, 0, count}));
}

/* Publishes the round's writes through `next` before the next round begins. */
static void finish_part(struct rounds *r)
{
    if (atomic_fetch_sub(&r->unfinished, 1) == 1)
        begin_round(r, r->next(r->context));
}

static void join(void *context, int32_t begin, int32_t end)
{
    struct rounds *r = context;
    (void)end;
    for (int64_t spins = 1; !atomic_load(&r->over); spins++) {
        int32_t part = take_part(r, begin == 0);
        if (part < 0) {
            tw_cpu_wait(spins);
            continue;
        }
        r->work(r->context, part);
        finish_part(r);
        spins = 0;
    }
}

void tw_rounds_run(struct tw_task *task, tw_round_fn *work, tw_round_next_fn *next, void *context)
{
    struct rounds r = {.work = work, .next = next, .context = context};
    begin_round(&r, next(context));
    tw_rows(task, TOGETHER, 1, join, &r);
}
