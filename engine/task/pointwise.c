/* SPDX-License-Identifier: MIT */
/* Applies a change to rows of cells on all workers; with a mask, in blocks that fit the L1 cache.
 */
#include <thalweg/masks.h>
#include <thalweg/pointwise.h>

#include <string.h>

enum { BLOCK = 1024 }; /* cells */

struct job {
    struct tw_pointwise maps;
    tw_pointwise_fn *kernel;
    const float *strength; /* NULL: apply the change in full */
    bool is_mask;
    enum tw_simd simd;
};

/* Copies the input first, since the output may overwrite it. */
static void work_block(const struct job *job, size_t begin, size_t end)
{
    float kept[BLOCK], *out = job->maps.out + begin;
    if (job->strength)
        memcpy(kept, job->maps.in[0] + begin, (end - begin) * sizeof *kept);
    job->kernel(&job->maps, begin, end);
    if (job->strength)
        tw_strength_cells(job->simd, kept, out, job->strength + begin, out, end - begin);
    if (job->is_mask)
        tw_keep_mask_cells(job->simd, out, end - begin);
}

static void work_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    size_t first = (size_t)begin * job->maps.width, last = (size_t)end * job->maps.width;
    if (!job->strength && !job->is_mask)
        job->kernel(&job->maps, first, last);
    else
        for (size_t at = first; at < last; at += BLOCK)
            work_block(job, at, at + BLOCK < last ? at + BLOCK : last);
}

enum tw_status tw_pointwise_run_masked(struct tw_task *task, const void *context,
                                       tw_pointwise_fn *kernel, const struct tw_value *mask)
{
    const struct tw_value *out = tw_task_output(task, 0);
    struct job job = {
        .maps = {.context = context, .out = tw_floats(out), .width = (size_t)out->width},
        .kernel = kernel,
        .strength = mask ? tw_floats(mask) : NULL,
        .is_mask = out->type == TW_MASK,
        .simd = tw_task_simd(task)};
    for (int i = 0; i < 3 && i < tw_task_input_count(task); i++) {
        const struct tw_value *input = tw_task_input(task, i);
        job.maps.in[i] = input ? tw_floats(input) : NULL;
    }
    tw_rows(task, out->height, 64, work_rows, &job);
    return TW_OK;
}

enum tw_status tw_pointwise_run(struct tw_task *task, const void *context, tw_pointwise_fn *kernel)
{
    return tw_pointwise_run_masked(task, context, kernel, NULL);
}
