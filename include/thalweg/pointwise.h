/* SPDX-License-Identifier: MIT */
/* Nodes whose output cell depends on the same cell of the inputs only. A node file states its
 * equation as a TW_INLINE function, and TW_POINTWISE_n(equation) writes its run():
 *
 *     static TW_INLINE float add(float a, float b) { return a + b; }
 *     TW_POINTWISE_2(add)
 *
 * All of them may run in place. An output that is a mask is clamped to 0..1. */
#ifndef THALWEG_POINTWISE_H
#define THALWEG_POINTWISE_H

#include <thalweg/simd.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tw_pointwise {
    const void *context; /* the node's parameters, or whatever the equation needs */
    const float *in[3];  /* NULL past the node's inputs */
    float *out;
    size_t width;
};
typedef void tw_pointwise_fn(const struct tw_pointwise *maps, size_t begin, size_t end);

/* Runs the kernel over all cells of the task's inputs and its first output. */
TW_API enum tw_status tw_pointwise_run(struct tw_task *task, const void *context,
                                       tw_pointwise_fn *kernel);
/* Runs the kernel, then blends its result into input 0 by `mask` (masks.h); NULL: no blending. */
TW_API enum tw_status tw_pointwise_run_masked(struct tw_task *task, const void *context,
                                              tw_pointwise_fn *kernel, const struct tw_value *mask);

#define TW_POINTWISE_KERNEL(equation, ...)                                                         \
    static TW_INLINE void equation##_cells_body(const struct tw_pointwise *maps, size_t begin,     \
                                                size_t end)                                        \
    {                                                                                              \
        const float *a = maps->in[0], *b = maps->in[1], *c = maps->in[2];                          \
        float *out = maps->out;                                                                    \
        (void)b;                                                                                   \
        (void)c;                                                                                   \
        for (size_t i = begin; i < end; i++)                                                       \
            out[i] = equation(__VA_ARGS__);                                                        \
    }                                                                                              \
    TW_SIMD_KERNEL(equation##_cells, (const struct tw_pointwise *maps, size_t begin, size_t end),  \
                   (maps, begin, end))

#define TW_POINTWISE_RUN(equation)                                                                 \
    static enum tw_status run(struct tw_task *task)                                                \
    {                                                                                              \
        return tw_pointwise_run(task, tw_task_params(task), equation##_cells(tw_task_simd(task))); \
    }

/* One input and the parameters: float equation(const struct params *p, float v) */
#define TW_POINTWISE_1(equation)                                                                   \
    TW_POINTWISE_KERNEL(equation, maps->context, a[i])                                             \
    TW_POINTWISE_RUN(equation)
/* Two inputs: float equation(float a, float b) */
#define TW_POINTWISE_2(equation)                                                                   \
    TW_POINTWISE_KERNEL(equation, a[i], b[i])                                                      \
    TW_POINTWISE_RUN(equation)
/* Three inputs: float equation(float a, float b, float c) */
#define TW_POINTWISE_3(equation)                                                                   \
    TW_POINTWISE_KERNEL(equation, a[i], b[i], c[i])                                                \
    TW_POINTWISE_RUN(equation)

#ifdef __cplusplus
}
#endif
#endif
