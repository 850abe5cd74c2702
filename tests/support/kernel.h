/* SPDX-License-Identifier: MIT */
/* Facts that many nodes share which turn a map into a map. `node` is the node's YAML mapping; its
 * input is `in`. */
#ifndef TW_TESTS_SUPPORT_KERNEL_H
#define TW_TESTS_SUPPORT_KERNEL_H

#include "support/harness.h"

/* Turns a map into the expected one; `water` has as many cells, for the second output. */
typedef void kernel_reference(struct tw_value *map, float *water);

/* Compares bytes at odd sizes, with all instruction sets and 1, 2 and 8 threads; with `water` also
 * the second output, out.water. */
void kernel_equals(kernel_reference *reference, const char *node, bool water);
/* Checks that `order: raster` equals the default on maps of 23 rows, also inside walls, and differs
 * on maps of 24. */
void kernel_is_raster_below_24_rows(const char *type);
void kernel_gives(const struct tw_value *in, const char *node, const float *expected);
/* Checks that the heights' sum changes by at most `tolerance`. */
void kernel_keeps_sum(const char *node, double tolerance);
void kernel_is_identity(const char *node);
/* Checks that loading or running fails with a message that contains `word`. */
void kernel_refuses(const char *node, const char *word);

#endif
