/* SPDX-License-Identifier: MIT */
/* Finds the lowest and highest cell of a map, and stretches maps to a range. */
#ifndef THALWEG_RESCALE_H
#define THALWEG_RESCALE_H

#include <thalweg/node.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tw_span {
    float low, high;
};

/* Finds the extremes of width x height cells; fails only when out of memory. */
TW_API enum tw_status tw_span_find(struct tw_task *task, const float *cells, int32_t width,
                                   int32_t height, struct tw_span *span);

/* out = low (1 - t) + high t with t = (in - least) / (greatest - least), so the extremes become
 * exactly low and high. A flat map becomes low. `out` may be `in`. */
TW_API enum tw_status tw_rescale(struct tw_task *task, const float *in, float *out, int32_t width,
                                 int32_t height, struct tw_span to);

/* Adds the scratch that tw_span_find() or tw_rescale() takes. */
static inline void tw_rescale_forecast(struct tw_forecast *f)
{
    tw_forecast_scratch(f, (uint64_t)f->height, sizeof(struct tw_span));
}

#ifdef __cplusplus
}
#endif
#endif
