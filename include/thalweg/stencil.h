/* SPDX-License-Identifier: MIT */
/* Nodes whose output cell follows from the 3 x 3 cells around it. A node file states its equation
 * as a TW_INLINE function of its constants and the nine heights, and TW_STENCIL(equation, type)
 * makes the kernel of every instruction set:
 *
 *     static TW_INLINE float steepest(const struct params *p, const struct tw_around *a) {...}
 *     TW_STENCIL(steepest, struct params)
 *
 *     tw_stencil_run(task, &(struct tw_stencil){p, in, out, wrap}, steepest_row);
 *
 * Beyond the border lie the cells of the other side (`wrap`) or those of the border itself. */
#ifndef THALWEG_STENCIL_H
#define THALWEG_STENCIL_H

#include <thalweg/simd.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A cell `c` and its neighbours; n is the row above. */
struct tw_around {
    float nw, n, ne, w, c, e, sw, s, se;
};

/* What a stencil runs on: maps of the task's size; `out` must not be `in`. */
struct tw_stencil {
    const void *constants; /* of the equation */
    const float *in;
    float *out;
    bool wrap;
};

/* Three rows of the input and the columns beyond both ends. */
struct tw_stencil_row {
    const float *up, *row, *down;
    int32_t width, before, after;
};

typedef void tw_stencil_fn(const void *constants, const struct tw_stencil_row *rows, float *out);
typedef tw_stencil_fn *tw_stencil_kernel(enum tw_simd simd);

/* Row y of a map and the two around it. */
TW_API struct tw_stencil_row tw_stencil_row_at(const float *cells, int32_t width, int32_t height,
                                               int32_t y, bool wrap);
/* All rows on all workers. */
TW_API void tw_stencil_run(struct tw_task *task, const struct tw_stencil *stencil,
                           tw_stencil_kernel *kernel);

static TW_INLINE struct tw_around tw_stencil_around(const struct tw_stencil_row *r, int32_t left,
                                                    int32_t x, int32_t right)
{
    return (struct tw_around){r->up[left],   r->up[x],      r->up[right], r->row[left],  r->row[x],
                              r->row[right], r->down[left], r->down[x],   r->down[right]};
}

#define TW_STENCIL(equation, type)                                                                 \
    static TW_INLINE void equation##_row_body(const void *constants,                               \
                                              const struct tw_stencil_row *rows, float *out)       \
    {                                                                                              \
        const type kept = *(const type *)constants;                                                \
        const struct tw_stencil_row r = *rows;                                                     \
        struct tw_around around;                                                                   \
        for (int32_t x = 1; x < r.width - 1; x++) {                                                \
            around = tw_stencil_around(&r, x - 1, x, x + 1);                                       \
            out[x] = equation(&kept, &around);                                                     \
        }                                                                                          \
        around = tw_stencil_around(&r, r.before, 0, r.width > 1 ? 1 : r.after);                    \
        out[0] = equation(&kept, &around);                                                         \
        around =                                                                                   \
            tw_stencil_around(&r, r.width > 1 ? r.width - 2 : r.before, r.width - 1, r.after);     \
        out[r.width - 1] = equation(&kept, &around);                                               \
    }                                                                                              \
    TW_SIMD_KERNEL(equation##_row,                                                                 \
                   (const void *constants, const struct tw_stencil_row *rows, float *out),         \
                   (constants, rows, out))

#ifdef __cplusplus
}
#endif
#endif
