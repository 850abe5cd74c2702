/* SPDX-License-Identifier: MIT */
/* Something to do with little memory: it is repeated with the first, second, third... allocation
 * failing, once and with all after it, until it needs no more. For programs with support/starve.h.
 */
#ifndef TW_TESTS_SUPPORT_STARVED_H
#define TW_TESTS_SUPPORT_STARVED_H

#include "support/harness.h"

/* `prepare` and `check` have as much memory as they need; `check` is called with whether the act
 * was done. Either may be NULL. */
struct act {
    void (*prepare)(void);
    enum tw_status (*run)(struct tw_error *error);
    void (*check)(bool done);
};

extern long starved_points; /* allocations that failed so far */

/* Tries about `share` of the allocations that the act needs, or, with THALWEG_ALL_FAULTS=1, all: of
 * acts that need thousands the first and the last to which each path of calls leads, since those of
 * a loop fail alike; with THALWEG_ALL_FAULTS=each every single one. Returns how many it needs.
 * Fails the test when the status is none of TW_OK and TW_MEMORY, or there is no message. */
long starve_some(const struct act *act, long share);
long starve_all(const struct act *act);
/* Tries those only that an act needs at last, `last` of them. */
void starve_last(const struct act *act, long last);

/* Set-up of a group of tests: the sample (support/sample.h) in a folder, and in expected/ what its
 * recipe exports. */
int starved_set_up(void **state);
/* Every file in out/ has the bytes of its like in expected/, and none is missing with `all`. */
void starved_check_files(bool all);

#endif
