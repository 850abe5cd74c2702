/* SPDX-License-Identifier: MIT */
/* Tests of one node that makes a map from a map: facts that many of them share. `node` is the
 * node's YAML mapping; its input is `in`. */
#ifndef TW_TESTS_SUPPORT_KERNEL_H
#define TW_TESTS_SUPPORT_KERNEL_H

#include "support/harness.h"

/* Turns a map into what is expected; `water` has as many cells, for the second output. */
typedef void kernel_reference(struct tw_value *map, float *water);

/* Equal bytes at odd sizes, with all instruction sets and 1, 2 and 8 threads; with `water` the
 * second output, out.water, is compared, too. */
void kernel_equals(kernel_reference *reference, const char *node, bool water);
/* `order: raster` and the default are the same on maps of 23 rows, within walls, too, and not on
 * those of 24. */
void kernel_is_raster_below_24_rows(const char *type);
void kernel_gives(const struct tw_value *in, const char *node, const float *expected);
/* The heights' sum stays within `tolerance` of itself. */
void kernel_keeps_sum(const char *node, double tolerance);
void kernel_is_identity(const char *node);
/* Loading or running fails with a message that has `word` in it. */
void kernel_refuses(const char *node, const char *word);

#endif
