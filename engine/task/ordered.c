/* SPDX-License-Identifier: MIT */
/* Works on parts concurrently and adds them up in order, without a lock. The thread that finishes a
 * part adds all that are due; if another thread is adding, that one picks the part up. A waiting
 * part keeps its slot, so at most `slots` parts wait. */
#include "base/os/cpu.h"

#include <thalweg/node.h>

#include <assert.h>
#include <stdatomic.h>

struct ordered {
    tw_ordered_fn *work, *add;
    void *context;
    int32_t count, slots;
    atomic_int next, added; /* parts begun; parts added */
    atomic_uint unused;     /* one bit per slot */
    atomic_bool adding;
    atomic_int
        waiting[TW_ORDERED_SLOTS_MAX]; /* by part % slots: its slot + 1 once it is finished */
};

/* Takes the first free slot; returns -1 if all are taken. */
static int32_t take_slot(struct ordered *o)
{
    unsigned unused = atomic_load(&o->unused);
    while (unused && !atomic_compare_exchange_weak(&o->unused, &unused, unused & (unused - 1)))
        continue;
    return unused ? __builtin_ctz(unused) : -1;
}

static void return_slot(struct ordered *o, int32_t slot)
{
    atomic_fetch_or(&o->unused, 1u << slot);
}

/* Returns the slot of the part to be added next; -1 if that part is unfinished. */
static int32_t due_slot(struct ordered *o)
{
    return atomic_load(&o->waiting[atomic_load(&o->added) % o->slots]) - 1;
}

static void add_due(struct ordered *o)
{
    for (int32_t slot; (slot = due_slot(o)) >= 0;) {
        int part = atomic_load(&o->added);
        o->add(o->context, part, slot);
        atomic_store(&o->waiting[part % o->slots], 0);
        atomic_store(&o->added, part + 1);
        return_slot(o, slot);
    }
}

/* Checks again after adding, since a part may have finished meanwhile. */
static void add_in_turn(struct ordered *o)
{
    while (due_slot(o) >= 0 && !atomic_exchange(&o->adding, true)) {
        add_due(o);
        atomic_store(&o->adding, false);
    }
}

/* A slot is taken before its part begins, so every part that others wait for is running. */
static void work_parts(void *context, int32_t begin, int32_t end)
{
    struct ordered *o = context;
    (void)begin;
    (void)end;
    for (int64_t spins = 1; atomic_load(&o->next) < o->count; spins++) {
        int32_t slot = take_slot(o);
        if (slot < 0) {
            tw_cpu_wait(spins);
            continue;
        }
        spins = 0;
        int part = atomic_fetch_add(&o->next, 1);
        if (part >= o->count) {
            return_slot(o, slot);
            return;
        }
        o->work(o->context, part, slot);
        atomic_store(&o->waiting[part % o->slots], slot + 1);
        add_in_turn(o);
    }
}

void tw_ordered_run(struct tw_task *task, int32_t count, int32_t slots, tw_ordered_fn *work,
                    tw_ordered_fn *add, void *context)
{
    assert(slots > 0 && slots <= TW_ORDERED_SLOTS_MAX);
    struct ordered o = {.work = work,
                        .add = add,
                        .context = context,
                        .count = count,
                        .slots = slots,
                        .unused = slots < 32 ? (1u << slots) - 1 : UINT32_MAX};
    tw_rows(task, count < slots ? count : slots, 1, work_parts, &o);
}
