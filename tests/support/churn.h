/* SPDX-License-Identifier: MIT */
/* Runs one function on several threads at once. */
#ifndef TW_TESTS_SUPPORT_CHURN_H
#define TW_TESTS_SUPPORT_CHURN_H

#include <stdint.h>

/* Work of one thread, given its number from 1 on; returns how many faults it found. */
typedef uintptr_t churn_fn(uintptr_t number);

/* Runs four threads; fails the test if any finds a fault. */
void churn_in_threads(churn_fn *fn);

#endif
