/* SPDX-License-Identifier: MIT */
#include "support/churn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <pthread.h>

enum { THREADS = 4 };

struct turn {
    pthread_t thread;
    churn_fn *fn;
    uintptr_t number, faults;
};

static void *run_turn(void *context)
{
    struct turn *turn = context;
    turn->faults = turn->fn(turn->number);
    return NULL;
}

void churn_in_threads(churn_fn *fn)
{
    struct turn turns[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++) {
        turns[i] = (struct turn){.fn = fn, .number = i + 1};
        assert_int_equal(pthread_create(&turns[i].thread, NULL, run_turn, &turns[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(turns[i].thread, NULL), 0);
        assert_int_equal(turns[i].faults, 0);
    }
}
