/* SPDX-License-Identifier: MIT */
#include "support/churn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <pthread.h>

enum { THREADS = 4 };

struct worker {
    pthread_t thread;
    churn_fn *fn;
    uintptr_t number, faults;
};

static void *run_worker(void *context)
{
    struct worker *worker = context;
    worker->faults = worker->fn(worker->number);
    return NULL;
}

void churn_in_threads(churn_fn *fn)
{
    struct worker workers[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.fn = fn, .number = i + 1};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        assert_int_equal(workers[i].faults, 0);
    }
}
