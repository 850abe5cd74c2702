/* SPDX-License-Identifier: MIT */
/* Detail by example: a coarse map is cut into patches that overlap; each takes the patch of the
 * exemplar's means that it is most like, scaled, and the detail of the exemplar there. Guerin and
 * others 2016 with a dictionary of the exemplar's own patches and one atom for each patch. */
#ifndef TW_NODES_SHAPE_KERNELS_EXEMPLAR_H
#define TW_NODES_SHAPE_KERNELS_EXEMPLAR_H

#include <thalweg/node.h>

/* Fills out, of the task's size, from the means of `in` over factor x factor cells. */
enum tw_status tw_exemplar_amplify(struct tw_task *task, int32_t factor, bool wrap,
                                   const float *exemplar, const float *in, float *out);
void tw_exemplar_forecast(struct tw_forecast *f, int32_t factor, bool wrap);

#endif
