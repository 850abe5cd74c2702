/* SPDX-License-Identifier: MIT */
/* Samples of a row at another spacing by Lanczos' windowed sinc of three lobes (Duchon 1979), which
 * is stretched where samples lie farther apart than cells, so that what they cannot show is left
 * out (Turkowski 1990). The last cell repeats beyond the border. */
#ifndef TW_NODES_COMMON_LANCZOS_H
#define TW_NODES_COMMON_LANCZOS_H

#include <stdint.h>

/* How many cells of `from` each of `to` samples is a sum of, at most. */
int32_t tw_lanczos_taps(int32_t from, int32_t to);
/* For sample i the first of its cells, which may lie beyond the border, and the weights of that one
 * and those after it, which add up to 1. */
int32_t tw_lanczos_weights(int32_t from, int32_t to, int32_t i, double *weights);
/* The same of a sample at cell number `centre`, where samples lie `step` cells apart: `stretch` is
 * the larger of step and 1, and `taps` at least tw_lanczos_taps_of(step). */
int32_t tw_lanczos_taps_of(double step);
int32_t tw_lanczos_weights_at(double centre, double stretch, int32_t taps, double *weights);

#endif
