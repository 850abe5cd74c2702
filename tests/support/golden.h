/* SPDX-License-Identifier: MIT */
/* Golden digests: each is a line of a file in tests/golden. With THALWEG_UPDATE_GOLDEN=1 the lines
 * of a test become that file instead, whole and only once the test has passed. */
#ifndef TW_TESTS_SUPPORT_GOLDEN_H
#define TW_TESTS_SUPPORT_GOLDEN_H

#include <stdio.h>

struct golden {
    const char *path; /* of the file */
    FILE *update;     /* collects lines; NULL when they are compared */
    char *text;
    size_t length;
    int compared, missing;
};

void golden_begin(struct golden *golden, const char *path);
/* A line with its line end. */
void golden_line(struct golden *golden, const char *line);
/* Writes the file, or fails the test when lines were missing, or the file has others (but with
 * THALWEG_NODE). */
void golden_end(struct golden *golden);

#endif
