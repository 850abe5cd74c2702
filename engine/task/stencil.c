/* SPDX-License-Identifier: MIT */
/* Runs the rows of a stencil on all workers. */
#include <thalweg/stencil.h>

#include <thalweg/kernel.h>

struct job {
    struct tw_stencil stencil;
    tw_stencil_fn *kernel;
    int32_t width, height;
};

struct tw_stencil_row tw_stencil_row_at(const float *cells, int32_t width, int32_t height,
                                        int32_t y, bool wrap)
{
    int32_t above = wrap ? tw_wrap(y - 1, height) : tw_clamp_index(y - 1, height);
    int32_t below = wrap ? tw_wrap(y + 1, height) : tw_clamp_index(y + 1, height);
    return (struct tw_stencil_row){cells + (size_t)above * (size_t)width,
                                   cells + (size_t)y * (size_t)width,
                                   cells + (size_t)below * (size_t)width,
                                   width,
                                   wrap ? width - 1 : 0,
                                   wrap ? 0 : width - 1,
                                   !wrap && y == 0,
                                   !wrap && y == height - 1,
                                   !wrap};
}

static void work_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    const struct tw_stencil *s = &job->stencil;
    for (int32_t y = begin; y < end; y++) {
        struct tw_stencil_row rows = tw_stencil_row_at(s->in, job->width, job->height, y, s->wrap);
        if (s->repeat)
            rows.first = rows.last = rows.ends = false;
        job->kernel(s->constants, &rows, s->out + (size_t)y * (size_t)job->width);
    }
}

void tw_stencil_run(struct tw_task *task, const struct tw_stencil *stencil,
                    tw_stencil_kernel *kernel)
{
    struct job job = {*stencil, kernel(tw_task_simd(task)), tw_task_width(task),
                      tw_task_height(task)};
    tw_rows(task, job.height, 32, work_rows, &job);
}
