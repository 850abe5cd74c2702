/* SPDX-License-Identifier: MIT */
/* Chooses which points of failure a test tries: an evenly spread share, equal in every run; with
 * THALWEG_ALL_FAULTS=1 in the environment all; with THALWEG_ACT=TEXT only those of acts whose name
 * contains the text. */
#ifndef TW_TESTS_SUPPORT_POINTS_H
#define TW_TESTS_SUPPORT_POINTS_H

#include <stdbool.h>

bool points_all(void);
/* THALWEG_ALL_FAULTS=each: also those that are alike (support/starved.h). */
bool points_each(void);
bool points_chosen(const char *name);
/* Step between the points to try so that about `share` of `total` are tried. At least 1. */
long points_step(long total, long share);

#endif
