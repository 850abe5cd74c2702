/* SPDX-License-Identifier: MIT */
/* A small recipe that reads and writes a little of everything, and an experiment on it, for tests
 * in which memory, the disk or the process fails: files are right afterwards, or missing. */
#ifndef TW_TESTS_SUPPORT_SAMPLE_H
#define TW_TESTS_SUPPORT_SAMPLE_H

#include <stdbool.h>

/* Writes recipe.yaml, the files it reads, and experiment.yaml into the working directory. */
void sample_write(void);
/* Checks that every file below out/ equals its counterpart below expected/, and with `all` that
 * none is missing. With `leftovers` ignores temporary files. */
void sample_check(bool all, bool leftovers);
/* Number of files below a folder whose names end in .tmp. */
int sample_count_temporary(const char *folder);

#endif
