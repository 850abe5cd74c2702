/* SPDX-License-Identifier: MIT */
/* Golden digests: each is a line of a file in tests/golden. With THALWEG_UPDATE_GOLDEN=1 a test
 * that passes replaces that file with its lines. */
#ifndef TW_TESTS_SUPPORT_GOLDEN_H
#define TW_TESTS_SUPPORT_GOLDEN_H

#include <stdio.h>

struct golden {
    const char *path; /* of the file */
    FILE *update;     /* collects lines; NULL when comparing */
    char *text;
    size_t length;
    int compared, missing;
};

void golden_begin(struct golden *golden, const char *path);
/* Adds or compares a line, which includes its line end. */
void golden_line(struct golden *golden, const char *line);
/* Writes the file; when comparing, fails the test if lines were missing or are left over (the
 * latter not with THALWEG_NODE). */
void golden_end(struct golden *golden);

#endif
