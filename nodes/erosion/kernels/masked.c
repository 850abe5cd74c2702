/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/masked.h"

#include <thalweg/kernel.h>

struct maps {
    const float *mask;
    float *eroded, *deposited;
    size_t width;
};

static void scale_rows(void *context, int32_t begin, int32_t end)
{
    const struct maps *m = context;
    for (size_t i = (size_t)begin * m->width; i < (size_t)end * m->width; i++) {
        float share = tw_clamp(m->mask[i], 0, 1);
        if (m->eroded)
            m->eroded[i] *= share;
        if (m->deposited)
            m->deposited[i] *= share;
    }
}

void tw_masked_apply(struct tw_task *task, const float *before, const struct tw_value *mask,
                     float *eroded, float *deposited)
{
    float *out = tw_floats(tw_task_output(task, 0));
    if (!mask)
        return;
    struct maps maps = {tw_floats(mask), eroded, deposited, (size_t)tw_task_width(task)};
    tw_strength_apply(task, before, out, mask, out);
    if (eroded || deposited)
        tw_rows(task, tw_task_height(task), 64, scale_rows, &maps);
}
