/* SPDX-License-Identifier: MIT */
/* Repeats an act with its first, second, third... allocation failing, once or with all later ones,
 * until none fails. For programs with support/starve.h. */
#ifndef TW_TESTS_SUPPORT_STARVED_H
#define TW_TESTS_SUPPORT_STARVED_H

#include "support/harness.h"

/* `prepare` and `check` have as much memory as they need; `check` gets whether the act was done.
 * Either may be NULL. */
struct act {
    void (*prepare)(void);
    enum tw_status (*run)(struct tw_error *error);
    void (*check)(bool done);
};

extern long starved_points; /* allocations that failed so far */

/* Tries about `share` of the allocations that the act needs; with THALWEG_ALL_FAULTS=1 all, or of
 * thousands the first and the last on each call path, since those of a loop fail alike; with
 * THALWEG_ALL_FAULTS=each every single one. Returns how many the act needs. Fails the test if the
 * status is neither TW_OK nor TW_MEMORY, or there is no message. */
long starve_some(const struct act *act, long share);
long starve_all(const struct act *act);
/* Tries only the last `last` allocations of an act. */
void starve_last(const struct act *act, long last);

/* Set-up of a group of tests: writes the sample (support/sample.h) into a folder, and exports its
 * recipe into expected/. */
int starved_set_up(void **state);
/* Checks that every file in out/ equals its counterpart in expected/, and with `all` that none is
 * missing. */
void starved_check_files(bool all);

#endif
