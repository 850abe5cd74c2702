/* SPDX-License-Identifier: MIT */
/* Nodes whose output cell depends on the 3 x 3 cells around it. A node file states its equation as
 * a TW_INLINE function of its constants and the nine heights, and TW_STENCIL(equation, type)
 * compiles the kernel for every instruction set:
 *
 *     static TW_INLINE float steepest(const struct params *p, const struct tw_around *a) {...}
 *     TW_STENCIL(steepest, struct params)
 *
 *     tw_stencil_run(task, &(struct tw_stencil){p, in, out, wrap}, steepest_row);
 *
 * Beyond the border, `wrap` continues with the cells of the opposite side and `repeat` with the
 * border's own cells, for equations that compare a cell with each neighbour separately. Otherwise
 * the ground continues straight on (border.h). */
#ifndef THALWEG_STENCIL_H
#define THALWEG_STENCIL_H

#include <thalweg/border.h>
#include <thalweg/simd.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A cell `c` and its neighbours; n is the row above. */
struct tw_around {
    float nw, n, ne, w, c, e, sw, s, se;
};

/* The maps of the task's size that a stencil reads and writes; `out` must not be `in`. */
struct tw_stencil {
    const void *constants; /* passed to the equation */
    const float *in;
    float *out;
    bool wrap, repeat;
};

/* Three rows of the input and the columns beyond both ends. */
struct tw_stencil_row {
    const float *up, *row, *down;
    int32_t width, before, after;
    bool first, last, ends; /* outer rows, outer columns: the ground continues straight on */
};

typedef void tw_stencil_fn(const void *constants, const struct tw_stencil_row *rows, float *out);
typedef tw_stencil_fn *tw_stencil_kernel(enum tw_simd simd);

/* Returns row y of a map and the two around it; beyond a border that ends the map the ground
 * continues straight on. */
TW_API struct tw_stencil_row tw_stencil_row_at(const float *cells, int32_t width, int32_t height,
                                               int32_t y, bool wrap);
/* Runs the kernel for all rows on all workers. */
TW_API void tw_stencil_run(struct tw_task *task, const struct tw_stencil *stencil,
                           tw_stencil_kernel *kernel);

/* Column x between columns `left` and `right`, of rows inside the map. */
static TW_INLINE struct tw_around tw_stencil_inside(const struct tw_stencil_row *r, int32_t left,
                                                    int32_t x, int32_t right)
{
    return (struct tw_around){r->up[left],   r->up[x],      r->up[right], r->row[left],  r->row[x],
                              r->row[right], r->down[left], r->down[x],   r->down[right]};
}

/* Extends the first or last row: the ground continues straight on to the north or south. */
static TW_INLINE struct tw_around tw_stencil_beyond(const struct tw_stencil_row *r,
                                                    struct tw_around a)
{
    if (r->first) {
        a.nw = tw_straight_on(a.w, a.sw);
        a.n = tw_straight_on(a.c, a.s);
        a.ne = tw_straight_on(a.e, a.se);
    }
    if (r->last) {
        a.sw = tw_straight_on(a.w, a.nw);
        a.s = tw_straight_on(a.c, a.n);
        a.se = tw_straight_on(a.e, a.ne);
    }
    return a;
}

/* The cells around any column of any row. */
static TW_INLINE struct tw_around tw_stencil_around(const struct tw_stencil_row *r, int32_t x)
{
    const int32_t left = x > 0 ? x - 1 : r->before, right = x < r->width - 1 ? x + 1 : r->after;
    struct tw_around a = tw_stencil_beyond(r, tw_stencil_inside(r, left, x, right));
    if (r->ends && x == 0) {
        a.nw = tw_straight_on(a.n, a.ne);
        a.w = tw_straight_on(a.c, a.e);
        a.sw = tw_straight_on(a.s, a.se);
    }
    if (r->ends && x == r->width - 1) {
        a.ne = tw_straight_on(a.n, a.nw);
        a.e = tw_straight_on(a.c, a.w);
        a.se = tw_straight_on(a.s, a.sw);
    }
    return a;
}

#define TW_STENCIL(equation, type)                                                                 \
    static TW_INLINE void equation##_row_body(const void *constants,                               \
                                              const struct tw_stencil_row *rows, float *out)       \
    {                                                                                              \
        const type kept = *(const type *)constants;                                                \
        const struct tw_stencil_row r = *rows;                                                     \
        struct tw_around around;                                                                   \
        for (int32_t x = 1; x < r.width - 1 && !(r.first || r.last); x++) {                        \
            around = tw_stencil_inside(&r, x - 1, x, x + 1);                                       \
            out[x] = equation(&kept, &around);                                                     \
        }                                                                                          \
        for (int32_t x = 1; x < r.width - 1 && (r.first || r.last); x++) {                         \
            around = tw_stencil_beyond(&r, tw_stencil_inside(&r, x - 1, x, x + 1));                \
            out[x] = equation(&kept, &around);                                                     \
        }                                                                                          \
        around = tw_stencil_around(&r, 0);                                                         \
        out[0] = equation(&kept, &around);                                                         \
        around = tw_stencil_around(&r, r.width - 1);                                               \
        out[r.width - 1] = equation(&kept, &around);                                               \
    }                                                                                              \
    TW_SIMD_KERNEL(equation##_row,                                                                 \
                   (const void *constants, const struct tw_stencil_row *rows, float *out),         \
                   (constants, rows, out))

#ifdef __cplusplus
}
#endif
#endif
