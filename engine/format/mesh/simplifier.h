/* SPDX-License-Identifier: MIT */
/* The functions of meshoptimizer that we call, as its header declares them since 0.18. */
#ifndef TW_ENGINE_FORMAT_MESH_SIMPLIFIER_H
#define TW_ENGINE_FORMAT_MESH_SIMPLIFIER_H

#include <thalweg/status.h>

#include <stddef.h>

enum { TW_SIMPLIFY_LOCK_BORDER = 1 };

struct tw_simplifier {
    size_t (*meshopt_simplify)(unsigned *to, const unsigned *from, size_t count,
                               const float *places, size_t vertices, size_t stride,
                               size_t target_count, float target_error, unsigned options,
                               float *error);
    /* Returns what an error of 1 measures. */
    float (*meshopt_simplifyScale)(const float *places, size_t vertices, size_t stride);
};

/* Returns the library, or NULL if it is not installed. */
const struct tw_simplifier *tw_simplifier_load(void);
/* Returns TW_LIMIT with what to install. */
enum tw_status tw_simplifier_missing(struct tw_error *err);

#endif
