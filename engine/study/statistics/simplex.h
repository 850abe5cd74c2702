/* SPDX-License-Identifier: MIT */
/* Minimises without derivatives, in the unit cube: the simplex of Nelder & Mead 1965, "A simplex
 * method for function minimization", Computer Journal 7, 308. Moves points outside to the surface;
 * restarts at a random place when the simplex has shrunk, until the trials are used up. Equal seeds
 * give equal trials. */
#ifndef TW_ENGINE_STUDY_STATISTICS_SIMPLEX_H
#define TW_ENGINE_STUDY_STATISTICS_SIMPLEX_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stdint.h>

#define TW_SIMPLEX_DIMENSIONS_MAX 16

struct tw_simplex_request {
    int32_t dimensions;
    int32_t trials; /* most evaluations */
    uint64_t seed;
    /* Computes the loss at a point. Setting `*enough`, or a failure, ends the search. */
    enum tw_status (*evaluate)(void *context, const double *point, double *loss, bool *enough,
                               struct tw_error *err);
    void *context;
};

/* Results are what `evaluate` saw. TW_OK when trials are used up or `*enough` is set. */
enum tw_status tw_simplex_minimise(const struct tw_simplex_request *request, struct tw_error *err);

#endif
