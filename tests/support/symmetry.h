/* SPDX-License-Identifier: MIT */
/* A node's output turns, mirrors and rolls with its input. */
#ifndef TW_TESTS_SUPPORT_SYMMETRY_H
#define TW_TESTS_SUPPORT_SYMMETRY_H

#include "support/harness.h"

/* One output of a node on a square map: `node` is its YAML mapping with `in: in`; free(data). The
 * cells are floats, labels converted. */
struct tw_value symmetry_run(const struct tw_value *map, const char *node, const char *port);

/* On the eight turns and mirrorings of a map the output is turned and mirrored the same way; cells
 * may differ by `tolerance`, and `exceptions` of them by more. */
void symmetry_turns(const char *node, const char *port, double tolerance, int exceptions);

/* On a torus a map that is rolled by any number of cells gives the same, rolled; cells may
 * differ by `tolerance`. */
void symmetry_rolls(const char *node, const char *port, double tolerance);

/* A node's radius of 0.03 reaches 3 of 100 cells, as one that is a little larger does, though 0.03
 * as a float is a little less. */
void symmetry_reaches(const char *type, const char *port);

#endif
