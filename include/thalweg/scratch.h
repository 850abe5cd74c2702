/* SPDX-License-Identifier: MIT */
/* Lays out a node's scratch in one function, which takes the blocks when the node runs and counts
 * them for the forecast, so that the two cannot differ.
 *
 *     struct work {
 *         float *filled;
 *         int32_t *order;
 *     };
 *
 *     static bool lay_out(struct tw_scratch *s, struct work *w)
 *     {
 *         w->filled = tw_scratch_maps(s, 1, sizeof *w->filled);
 *         w->order = tw_scratch_wants(s, ORDER) ? tw_scratch_maps(s, 1, sizeof *w->order) : NULL;
 *         return tw_scratch_is_laid(s);
 *     }
 *
 *     static enum tw_status run(struct tw_task *task)
 *     {
 *         struct tw_scratch scratch = {.task = task};
 *         struct work w;
 *         if (!lay_out(&scratch, &w))
 *             return tw_task_no_memory(task);
 *         ...
 *     }
 *
 *     static void forecast(struct tw_forecast *f)
 *     {
 *         struct work w;
 *         lay_out(&(struct tw_scratch){.forecast = f}, &w);
 *     } */
#ifndef THALWEG_SCRATCH_H
#define THALWEG_SCRATCH_H

#include <thalweg/node.h>

struct tw_scratch {
    struct tw_task *task;         /* takes blocks from this task; NULL: only counts them */
    struct tw_forecast *forecast; /* counts blocks here; NULL: takes them */
    bool refused;                 /* an allocation failed */
};

/* Takes a block for `count` elements of `size` bytes, uninitialised, which the task holds until it
 * ends or releases it. NULL when only counting or out of memory: tw_scratch_is_laid() tells
 * which. */
static inline void *tw_scratch_take(struct tw_scratch *s, uint64_t count, size_t size)
{
    void *block = NULL;
    if (s->forecast) {
        tw_forecast_scratch(s->forecast, count, size);
    } else {
        block = count <= SIZE_MAX ? tw_task_scratch(s->task, (size_t)count, size) : NULL;
        s->refused |= !block;
    }
    return block;
}

/* A block of tw_task_reserve(), for a worst case that runs never come near: the forecast counts
 * `expected` elements of it. */
static inline void *tw_scratch_reserve(struct tw_scratch *s, uint64_t count, size_t size,
                                       uint64_t expected)
{
    if (s->forecast)
        return tw_scratch_take(s, expected, size);
    void *block = tw_task_reserve(s->task, (size_t)count, size, (size_t)expected);
    s->refused |= !block;
    return block;
}

/* Returns whether every block was taken; if not, run() returns tw_task_no_memory(). */
static inline bool tw_scratch_is_laid(const struct tw_scratch *s) { return !s->refused; }

static inline const void *tw_scratch_params(const struct tw_scratch *s)
{
    return s->forecast ? s->forecast->params : tw_task_params(s->task);
}
static inline int32_t tw_scratch_width(const struct tw_scratch *s)
{
    return s->forecast ? s->forecast->width : tw_task_width(s->task);
}
static inline int32_t tw_scratch_height(const struct tw_scratch *s)
{
    return s->forecast ? s->forecast->height : tw_task_height(s->task);
}
/* Returns whether the run uses an output on demand. Outputs without TW_ON_DEMAND always have a
 * block, used or not. */
static inline bool tw_scratch_wants(const struct tw_scratch *s, int output)
{
    return s->forecast ? tw_forecast_wants(s->forecast, output) : tw_task_wants(s->task, output);
}
static inline bool tw_scratch_wraps(const struct tw_scratch *s, int32_t border)
{
    return s->forecast ? tw_forecast_wraps(s->forecast, border) : tw_task_wraps(s->task, border);
}
/* Returns whether input i is connected. */
static inline bool tw_scratch_has_input(const struct tw_scratch *s, int i)
{
    return s->forecast ? s->forecast->inputs[i] > 0 : tw_task_input(s->task, i) != NULL;
}

/* Takes one block for `planes` maps of the task's size. */
static inline void *tw_scratch_maps(struct tw_scratch *s, uint64_t planes, size_t size)
{
    const uint64_t cells = (uint64_t)tw_scratch_width(s) * (uint64_t)tw_scratch_height(s);
    return tw_scratch_take(s, cells * planes, size);
}

/* The block of output i where the run uses that map, else scratch of its size; NULL while blocks
 * are only counted. */
static inline float *tw_scratch_output(struct tw_scratch *s, int i)
{
    if (!tw_scratch_wants(s, i))
        return tw_scratch_maps(s, 1, sizeof(float));
    return s->forecast ? NULL : tw_floats(tw_task_output(s->task, i));
}

#endif
