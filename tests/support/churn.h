/* SPDX-License-Identifier: MIT */
/* Several threads that do the same at a time. */
#ifndef TW_TESTS_SUPPORT_CHURN_H
#define TW_TESTS_SUPPORT_CHURN_H

#include <stdint.h>

/* What one of them does, as it differs by its number from 1 on; how many faults it found. */
typedef uintptr_t churn_fn(uintptr_t number);

/* Four threads; fails the test when one finds a fault. */
void churn_in_threads(churn_fn *fn);

#endif
