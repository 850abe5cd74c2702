/* SPDX-License-Identifier: MIT */
/* Parts take different times; in any number of threads they are added in their order, each with
 * what it has left in its slot, and no slot belongs to two of them. */
#include "support/probe.h"
#include "support/sanitized.h"

#include <stdatomic.h>

enum { PARTS = SANITIZED ? 300 : 1000, SPINS = 2000 };

static struct {
    int32_t parts, slots;
    atomic_int owner[TW_ORDERED_SLOTS_MAX]; /* part + 1; 0: free */
    atomic_bool wrong;
    atomic_int adding;
    uint32_t left[TW_ORDERED_SLOTS_MAX];
    int32_t added, highest; /* parts; slot */
} given;

static uint32_t outcome(int32_t part) { return (uint32_t)part * 2654435761u; }

static void work(void *context, int32_t part, int32_t slot)
{
    atomic_uint spins = 0;
    (void)context;
    if (slot < 0 || slot >= given.slots || atomic_exchange(&given.owner[slot], part + 1) != 0)
        atomic_store(&given.wrong, true);
    while (atomic_fetch_add(&spins, 1) < outcome(part) % SPINS)
        continue;
    given.left[slot] = outcome(part);
}

static void add(void *context, int32_t part, int32_t slot)
{
    (void)context;
    if (atomic_fetch_add(&given.adding, 1) != 0 || part != given.added++ ||
        given.left[slot] != outcome(part) || atomic_exchange(&given.owner[slot], 0) != part + 1)
        atomic_store(&given.wrong, true);
    given.highest = slot > given.highest ? slot : given.highest;
    atomic_fetch_sub(&given.adding, 1);
}

static enum tw_status run_parts(struct tw_task *task)
{
    given.added = given.highest = 0;
    tw_ordered_run(task, given.parts, given.slots, work, add, NULL);
    probe_require(given.added == given.parts && !atomic_load(&given.wrong));
    return TW_OK;
}

/* Also more threads than slots, and than parts. */
static void test_parts_are_added_in_their_order(void **state)
{
    static const int32_t parts[] = {PARTS, 3, 1, 0}, slots[] = {TW_ORDERED_SLOTS_MAX, 5, 2, 1};
    (void)state;
    for (int i = 0; i < 16; i++)
        for (int32_t threads = 1; threads <= 8; threads *= 2) {
            given.parts = parts[i / 4];
            given.slots = slots[i % 4];
            probe_run(run_parts, 8, 8, threads);
        }
}

static void test_one_worker_uses_one_slot(void **state)
{
    (void)state;
    given.parts = 100;
    given.slots = 8;
    probe_run(run_parts, 8, 8, 1);
    assert_int_equal(given.highest, 0);
}

/* Part 0 ends after all others have begun: whoever works on those does not wait for it. */
static atomic_int begun;

static void wait_for_all(void *context, int32_t part, int32_t slot)
{
    (void)context;
    (void)slot;
    atomic_fetch_add(&begun, 1);
    while (part == 0 && atomic_load(&begun) < given.parts)
        continue;
}

static void ignore(void *context, int32_t part, int32_t slot)
{
    (void)context;
    (void)part;
    (void)slot;
}

static enum tw_status run_waiting(struct tw_task *task)
{
    tw_ordered_run(task, given.parts, given.slots, wait_for_all, ignore, NULL);
    return TW_OK;
}

static void test_workers_go_on_while_a_part_waits(void **state)
{
    (void)state;
    given.parts = given.slots = 8;
    probe_run(run_waiting, 8, 8, 2);
    assert_int_equal(begun, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_are_added_in_their_order),
        cmocka_unit_test(test_one_worker_uses_one_slot),
        cmocka_unit_test(test_workers_go_on_while_a_part_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
