/* SPDX-License-Identifier: MIT */
/* Where threads may run. Whether a kernel would place them well without is not for a test. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/os/cpu.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static cpu_set_t set_of(pthread_t thread)
{
    cpu_set_t set;
    assert_int_equal(pthread_getaffinity_np(thread, sizeof set, &set), 0);
    return set;
}

static cpu_set_t first_of(const cpu_set_t *all, int count)
{
    cpu_set_t some;
    CPU_ZERO(&some);
    for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&some) < count; i++)
        if (CPU_ISSET(i, all))
            CPU_SET(i, &some);
    return some;
}

static void use(const cpu_set_t *set)
{
    assert_int_equal(pthread_setaffinity_np(pthread_self(), sizeof *set, set), 0);
}

/* As taskset, containers and Slurm hand them out. */
static void processors_are_those_that_may_be_used(void **state)
{
    const cpu_set_t all = set_of(pthread_self());
    (void)state;
    assert_int_equal(tw_cpu_count(), CPU_COUNT(&all));
    for (int count = 1; count <= 2 && count <= CPU_COUNT(&all); count++) {
        const cpu_set_t some = first_of(&all, count);
        use(&some);
        assert_int_equal(tw_cpu_count(), count);
    }
    use(&all);
}

struct sleeper {
    struct tw_cpu_sleeper self;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool known, woken;
    cpu_set_t at_end;
};

static void *sleep_once(void *at)
{
    struct sleeper *s = at;
    pthread_mutex_lock(&s->mutex);
    s->self.thread = (uintptr_t)pthread_self();
    s->known = true;
    pthread_cond_broadcast(&s->changed);
    while (!s->woken)
        pthread_cond_wait(&s->changed, &s->mutex);
    tw_cpu_come_back(&s->self);
    s->at_end = set_of(pthread_self());
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

/* The sets of a thread while it sleeps, sent away by one that may use `waker`, and at its end.
 * `meanwhile`: what others set then. */
static void wake_from(const cpu_set_t *waker, const cpu_set_t *meanwhile, cpu_set_t *asleep,
                      cpu_set_t *at_end)
{
    struct sleeper s = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, sleep_once, &s), 0);
    pthread_mutex_lock(&s.mutex);
    while (!s.known)
        pthread_cond_wait(&s.changed, &s.mutex);
    use(waker);
    tw_cpu_send_away(&s.self);
    tw_cpu_send_away(&s.self); /* once is enough */
    *asleep = set_of(thread);
    if (meanwhile)
        assert_int_equal(pthread_setaffinity_np(thread, sizeof *meanwhile, meanwhile), 0);
    s.woken = true;
    pthread_cond_broadcast(&s.changed);
    pthread_mutex_unlock(&s.mutex);
    pthread_join(thread, NULL);
    *at_end = s.at_end;
}

static void who_is_woken_runs_elsewhere_and_is_free_again(void **state)
{
    const cpu_set_t all = set_of(pthread_self()), one = first_of(&all, 1);
    cpu_set_t asleep, at_end, others;
    (void)state;
    if (CPU_COUNT(&all) < 2)
        skip();
    wake_from(&one, NULL, &asleep, &at_end);
    CPU_XOR(&others, &all, &one);
    use(&all);
    assert_true(CPU_EQUAL(&asleep, &others));
    assert_true(CPU_EQUAL(&at_end, &all));
}

static void what_others_set_meanwhile_stays(void **state)
{
    const cpu_set_t all = set_of(pthread_self()), one = first_of(&all, 1);
    cpu_set_t asleep, at_end;
    (void)state;
    if (CPU_COUNT(&all) < 2)
        skip();
    wake_from(&one, &one, &asleep, &at_end);
    use(&all);
    assert_true(CPU_EQUAL(&at_end, &one));
}

static void who_has_one_processor_stays_there(void **state)
{
    const cpu_set_t all = set_of(pthread_self()), one = first_of(&all, 1);
    cpu_set_t asleep, at_end;
    (void)state;
    use(&one); /* inherited */
    wake_from(&one, NULL, &asleep, &at_end);
    use(&all);
    assert_true(CPU_EQUAL(&asleep, &one));
    assert_true(CPU_EQUAL(&at_end, &one));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processors_are_those_that_may_be_used),
        cmocka_unit_test(who_is_woken_runs_elsewhere_and_is_free_again),
        cmocka_unit_test(what_others_set_meanwhile_stays),
        cmocka_unit_test(who_has_one_processor_stays_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
