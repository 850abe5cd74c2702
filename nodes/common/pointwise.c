/* SPDX-License-Identifier: MIT */
/* Cells in rows, rows on all workers. */
#include "common/pointwise.h"

struct job {
    struct tw_pointwise maps;
    tw_pointwise_fn *kernel;
};

static void work_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    job->kernel(&job->maps, (size_t)begin * job->maps.width, (size_t)end * job->maps.width);
}

enum tw_status tw_pointwise_run(struct tw_task *task, const void *context, tw_pointwise_fn *kernel)
{
    struct job job = {.maps = {.context = context,
                               .out = tw_floats(tw_task_output(task, 0)),
                               .width = (size_t)tw_task_width(task)},
                      .kernel = kernel};
    for (int i = 0; i < 3 && i < tw_task_input_count(task); i++) {
        const struct tw_value *input = tw_task_input(task, i);
        job.maps.in[i] = input ? tw_floats(input) : NULL;
    }
    tw_rows(task, tw_task_height(task), 64, work_rows, &job);
    return TW_OK;
}
