/* SPDX-License-Identifier: MIT */
/* Solves one equation a cell that ties it to its four neighbours,
 *
 *     anchor x + sum over neighbours k of weight_k (x - x_k) = rhs,   weights and anchor >= 0,
 *
 * as diffusion with one-sided transport gives them. The cost of a cell does not depend on the
 * map's size, and the bytes not on threads or instruction set. */
#ifndef TW_NODES_COMMON_MULTIGRID_MULTIGRID_H
#define TW_NODES_COMMON_MULTIGRID_MULTIGRID_H

#include <thalweg/node.h>

struct tw_equation {
    float left, right, up, down; /* weights; ignored towards cells outside */
    float anchor, rhs;
    float start; /* where the iteration starts */
};

/* The cells to solve for, a part of the task's map, and their equations, from any thread. */
struct tw_system {
    int32_t x, y, width, height;
    struct tw_equation (*equation)(const void *context, int32_t x, int32_t y);
    const void *context;
};

/* Solves until the error is estimated below tolerance times the range of the solution, and writes
 * the system's cells of solution[], a whole map. Every connected part must have an anchor. */
enum tw_status tw_multigrid_solve(struct tw_task *task, const struct tw_system *system,
                                  double tolerance, float *solution);

/* The scratch of solving on the whole map. */
void tw_multigrid_forecast(struct tw_forecast *f);

#endif
