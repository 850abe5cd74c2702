/* SPDX-License-Identifier: MIT */
/* Each round makes a row of numbers from the row before it, all of which it needs: in any number of
 * threads the rows are those of a plain loop. */
#include "support/probe.h"
#include "support/sanitized.h"

enum { PARTS = 40, ROUNDS = SANITIZED ? 300 : 3000 };

static struct {
    int32_t parts, rounds, round;
    uint32_t row[2][PARTS]; /* of odd and even rounds */
} given;

static uint32_t mixed(uint32_t a, uint32_t b) { return a * 2654435761u + (b ^ b >> 15) + 1; }

/* From its own place and, far away, from another one. */
static void make(void *context, int32_t part)
{
    const uint32_t *before = given.row[(given.round + 1) & 1];
    (void)context;
    given.row[given.round & 1][part] =
        mixed(before[part], before[(part * 7 + given.round) % given.parts]);
}

/* Rounds of one part less, too. */
static int32_t next(void *context)
{
    (void)context;
    return ++given.round > given.rounds ? 0 : given.parts - given.round % 2;
}

static void begin(void)
{
    given.round = 0;
    memset(given.row, 0, sizeof given.row);
}

static enum tw_status run_all(struct tw_task *task)
{
    uint32_t expected[2][PARTS];
    begin();
    for (int32_t parts; (parts = next(NULL)) > 0;)
        for (int32_t part = 0; part < parts; part++)
            make(NULL, part);
    memcpy(expected, given.row, sizeof expected);
    for (int i = 0; i < 2; i++) { /* nothing is left of the first */
        begin();
        tw_rounds_run(task, make, next, NULL);
        probe_require(given.round == given.rounds + 1);
        probe_require(memcmp(given.row, expected, sizeof expected) == 0);
    }
    return TW_OK;
}

static void test_rounds_see_all_of_the_one_before(void **state)
{
    static const int32_t parts[] = {PARTS, 3, 2}, rounds[] = {0, 1, ROUNDS};
    (void)state;
    for (int i = 0; i < 9; i++)
        for (int32_t threads = 1; threads <= 8; threads *= 2) {
            given.parts = parts[i / 3];
            given.rounds = rounds[i % 3];
            probe_run(run_all, 8, 8, threads);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds_see_all_of_the_one_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
