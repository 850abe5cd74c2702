/* SPDX-License-Identifier: MIT */
/* Checks that a node's output turns, mirrors and rolls with its input. */
#ifndef TW_TESTS_SUPPORT_SYMMETRY_H
#define TW_TESTS_SUPPORT_SYMMETRY_H

#include "support/harness.h"

/* Runs a node on a square map and returns one output: `node` is its YAML mapping with `in: in`;
 * free(data). The cells are floats, labels converted. */
struct tw_value symmetry_run(const struct tw_value *map, const char *node, const char *port);

/* Checks that the output turns and mirrors with the map in all eight ways; cells may differ by
 * `tolerance`, and `exceptions` of them by more. */
void symmetry_turns(const char *node, const char *port, double tolerance, int exceptions);

/* Checks that on a torus the output rolls with the map by any number of cells; cells may differ by
 * `tolerance`. */
void symmetry_rolls(const char *node, const char *port, double tolerance);

/* Checks that a radius of 0.03 reaches 3 of 100 cells, as a slightly larger one does, though 0.03
 * as a float is a little less. */
void symmetry_reaches(const char *type, const char *port);

#endif
