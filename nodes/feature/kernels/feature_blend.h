/* SPDX-License-Identifier: MIT */
/* Rusnell, Mould and Eramian 2009, equation 2: the heights h_i = c_s - c_i of several features at
 * a cell become h_f = sum h_i^(b+1) / sum h_i^b, the mean for b = 0 and nearly the highest for
 * large b. */
#ifndef TW_NODES_FEATURE_KERNELS_FEATURE_BLEND_H
#define TW_NODES_FEATURE_KERNELS_FEATURE_BLEND_H

#include "feature/kernels/least_cost.h"

/* Features whose sources are paths->sources[starts[i]..starts[i + 1]) and lie in rising cost. */
struct tw_features {
    const struct tw_paths *paths;
    const struct tw_bounds *bounds;
    const int32_t *starts; /* count + 1 */
    int32_t count;
};

/* Searches from every feature, several at once, and writes scale h_f; 0 where none reaches. */
enum tw_status tw_feature_blend(struct tw_task *task, const struct tw_features *features,
                                float bias, double scale, float *out);

/* The scratch that it takes for a map of that size, at most so many features and increments of
 * about `least` to `most`. */
void tw_feature_blend_forecast(struct tw_forecast *f, uint64_t features, double least, double most);

#endif
