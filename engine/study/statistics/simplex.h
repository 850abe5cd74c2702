/* SPDX-License-Identifier: MIT */
/* Minimising without derivatives: the simplex of Nelder & Mead 1965, "A simplex method for function
 * minimization", Computer Journal 7, 308, in the unit cube. Points beyond it are moved to its
 * surface; a simplex that has shrunk starts again at a random place, until the trials are used up.
 * The same seed gives the same trials. */
#ifndef TW_ENGINE_STUDY_STATISTICS_SIMPLEX_H
#define TW_ENGINE_STUDY_STATISTICS_SIMPLEX_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stdint.h>

#define TW_SIMPLEX_DIMENSIONS_MAX 16

struct tw_simplex_request {
    int32_t dimensions;
    int32_t trials; /* at most */
    uint64_t seed;
    /* The loss at a point. `*enough` ends the search; a failure, too. */
    enum tw_status (*evaluate)(void *context, const double *point, double *loss, bool *enough,
                               struct tw_error *err);
    void *context;
};

/* What `evaluate` saw is the result. TW_OK when trials are used up or there is enough. */
enum tw_status tw_simplex_minimise(const struct tw_simplex_request *request, struct tw_error *err);

#endif
