/* SPDX-License-Identifier: MIT */
/* Minimises without derivatives, in the unit cube: the simplex of Nelder & Mead 1965, "A simplex
 * method for function minimization", Computer Journal 7, 308. Moves points outside to the surface;
 * restarts at a random place when the simplex has shrunk or its share of the trials is used up.
 * Equal seeds give equal trials. */
#ifndef TW_ENGINE_STUDY_STATISTICS_SIMPLEX_H
#define TW_ENGINE_STUDY_STATISTICS_SIMPLEX_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stdint.h>

#define TW_SIMPLEX_DIMENSIONS_MAX 16

/* How bad a point is: first by what it misses, then by its value. */
struct tw_loss {
    double missed, value;
};

static inline bool tw_loss_is_less(struct tw_loss a, struct tw_loss b)
{
    return a.missed < b.missed || (a.missed == b.missed && a.value < b.value);
}

/* What `evaluate` says of a point. */
struct tw_simplex_answer {
    struct tw_loss loss;
    bool enough; /* ends the search */
    bool known;  /* an earlier trial was at this point: it costs none */
};

struct tw_simplex_request {
    int32_t dimensions;
    int32_t trials; /* most evaluations */
    int32_t starts; /* simplexes, at least 1, with equal shares of the trials; more if they shrink
                       early */
    uint64_t seed;
    /* Computes the loss at a point; `start` numbers the simplexes from 0. A failure ends the
     * search. */
    enum tw_status (*evaluate)(void *context, int32_t start, const double *point,
                               struct tw_simplex_answer *answer, struct tw_error *err);
    void *context;
};

/* Results are what `evaluate` saw. TW_OK when trials are used up, when an answer is enough, or when
 * hardly any point is new. */
enum tw_status tw_simplex_minimise(const struct tw_simplex_request *request, struct tw_error *err);

#endif
