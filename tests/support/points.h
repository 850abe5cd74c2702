/* SPDX-License-Identifier: MIT */
/* Which of many points of failure a test tries: a share of them, spread evenly and the same in
 * every run, or with THALWEG_ALL_FAULTS=1 in the environment all; with THALWEG_ACT=TEXT only of
 * acts whose name has the text in it. */
#ifndef TW_TESTS_SUPPORT_POINTS_H
#define TW_TESTS_SUPPORT_POINTS_H

#include <stdbool.h>

bool points_all(void);
/* THALWEG_ALL_FAULTS=each: also those that are alike (support/starved.h). */
bool points_each(void);
bool points_chosen(const char *name);
/* Distance of the points that are tried when about `share` of `total` are. At least 1. */
long points_step(long total, long share);

#endif
