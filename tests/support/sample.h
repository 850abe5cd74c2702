/* SPDX-License-Identifier: MIT */
/* A small recipe that reads and writes a little of everything, and an experiment about it, for
 * tests that let memory, the disk or the process fail: what is there afterwards is right or is not
 * there. */
#ifndef TW_TESTS_SUPPORT_SAMPLE_H
#define TW_TESTS_SUPPORT_SAMPLE_H

#include <stdbool.h>

/* Writes recipe.yaml, what it reads, and experiment.yaml into the working directory. */
void sample_write(void);
/* Every file below out/ has the bytes of its like below expected/, and with `all` none is missing.
 * With `leftovers` temporary files are ignored. */
void sample_check(bool all, bool leftovers);
/* Number of files below a folder whose names end in .tmp. */
int sample_count_temporary(const char *folder);

#endif
