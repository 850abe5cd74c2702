/* SPDX-License-Identifier: MIT */
/* Steps that may be unstable: whether a node divides them, and the name of the largest one that is
 * allowed, which must still be allowed when printed with few digits. */
#ifndef TW_NODES_EROSION_KERNELS_STABLE_LIMIT_H
#define TW_NODES_EROSION_KERNELS_STABLE_LIMIT_H

#include <thalweg/node.h>

enum { TW_SUBSTEPS_AUTO, TW_SUBSTEPS_ONE };
#define TW_PARAM_SUBSTEPS(S, field)                                                                \
    TW_PARAM_ENUM(S, field, TW_SUBSTEPS_AUTO, "auto|one",                                          \
                  "auto divides a step that is not stable; one makes that an error")

/* Share above the bound that is accepted: parameters are floats, so one set to 0.01 may be above.
 */
#define TW_STABLE_LIMIT_SLACK 1e-6

/* The greatest number of 4 digits, for "%.4g", that is not above x > 0 by more than half of that.
 */
static inline double tw_stable_limit_shown(double x)
{
    double up = 1, down = 1; /* exact to 1e22: products of tens */
    while (x * up < 1000 && up < 1e300)
        up *= 10;
    while (x / down >= 10000)
        down *= 10;
    int32_t digits = (int32_t)(x * up / down * (1 + 0.5 * TW_STABLE_LIMIT_SLACK));
    return (double)digits / up * down;
}

#endif
