/* SPDX-License-Identifier: MIT */
/* Each leg makes a row from what the leg before it has made some steps ahead: in any number of
 * threads the rows are those of a plain loop. */
#include "support/probe.h"
#include "support/sanitized.h"

#include <stdatomic.h>

enum { LEGS = SANITIZED ? 300 : TW_RELAY_LEGS_MAX, STEPS = 40, AHEAD = 9 };

static struct {
    int32_t legs, together;
    const int *thread; /* that has run a leg, by the address of what each has its own of */
    atomic_bool others;
    uint32_t row[LEGS][STEPS];
} given;

static uint32_t expected[LEGS][STEPS];

static uint32_t mixed(uint32_t before, uint32_t above)
{
    return before * 2654435761u + (above ^ above >> 15) + 1;
}

static int32_t end_of(int32_t step) { return step + AHEAD < STEPS ? step + AHEAD : STEPS; }

static void run_plainly(void)
{
    for (int32_t leg = 0; leg < LEGS; leg++)
        for (int32_t i = 0; i < STEPS; i++)
            expected[leg][i] = mixed(i ? expected[leg][i - 1] : 0,
                                     leg ? expected[leg - 1][end_of(i) - 1] : (uint32_t)i);
}

static void run_leg(void *context, struct tw_relay *relay, int32_t leg)
{
    static _Thread_local int own;
    (void)context;
    if (given.together == 1 && leg > 0 && given.thread != &own)
        atomic_store(&given.others, true);
    if (given.together == 1)
        given.thread = &own;
    for (int32_t i = 0; i < STEPS; i++) {
        if (leg > 0)
            tw_relay_wait(relay, leg - 1, end_of(i));
        given.row[leg][i] = mixed(i ? given.row[leg][i - 1] : 0,
                                  leg ? given.row[leg - 1][end_of(i) - 1] : (uint32_t)i);
        tw_relay_reach(relay, leg, i + 1);
    }
}

static enum tw_status run_twice(struct tw_task *task)
{
    for (int i = 0; i < 2; i++) { /* what the first has reached is forgotten */
        memset(given.row, 0, sizeof given.row);
        tw_relay_run(task, given.legs, given.together, run_leg, NULL);
        size_t bytes = (size_t)given.legs * sizeof *expected;
        probe_require(memcmp(given.row, expected, bytes) == 0);
    }
    probe_require(!atomic_load(&given.others));
    return TW_OK;
}

/* Also more threads than legs, and more than may run together. */
static void test_legs_follow_each_other_at_their_distance(void **state)
{
    static const int32_t legs[] = {LEGS, 3, 1, 0};
    (void)state;
    run_plainly();
    for (int i = 0; i < 4; i++)
        for (int32_t threads = 1; threads <= 8; threads *= 2)
            for (given.together = 2; given.together < 10; given.together += 6) {
                given.legs = legs[i];
                probe_run(run_twice, 8, 8, threads);
            }
}

static void test_one_thread_may_run_them_all(void **state)
{
    (void)state;
    run_plainly();
    given.legs = LEGS;
    given.together = 1;
    probe_run(run_twice, 8, 8, 4);
}

/* Several work together: a leg of each of two waits for the other's. */
static atomic_int meeting;

static void meet(void *context, struct tw_relay *relay, int32_t leg)
{
    (void)context;
    (void)relay;
    (void)leg;
    atomic_fetch_add(&meeting, 1);
    while (atomic_load(&meeting) < 2)
        ;
}

static enum tw_status run_meeting(struct tw_task *task)
{
    tw_relay_run(task, 2, 2, meet, NULL);
    return TW_OK;
}

static void test_two_legs_are_under_way_at_once(void **state)
{
    (void)state;
    probe_run(run_meeting, 8, 8, 2);
    assert_int_equal(meeting, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_legs_follow_each_other_at_their_distance),
        cmocka_unit_test(test_one_thread_may_run_them_all),
        cmocka_unit_test(test_two_legs_are_under_way_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
