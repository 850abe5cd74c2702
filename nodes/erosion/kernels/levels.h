/* SPDX-License-Identifier: MIT */
/* Erosion from coarse to fine, the parameter `levels`: it begins on a map of larger cells, what it
 * did to the ground there is added to the ground of the next finer map, and so on to the map of the
 * task. Each level takes half of the time that the next coarser one takes. A wave or a rill then
 * crosses as many cells on each, so that each level makes the shapes of its own size, and the
 * finest, which costs most, has the least to do. Nested iteration, or cascadic multigrid (Bornemann
 * and Deuflhard 1996), but for a process in time.
 *
 *     static enum tw_status erode(struct tw_task *task, const struct tw_level *level,
 *                                 void *context)
 *     {
 *         ... tw_task_width(task) x tw_task_height(task) cells of level->ground, for
 *         ... tw_level_steps() steps, into level->after or at the finest level the outputs
 *     }
 *     const struct tw_levels levels = {.levels = p->levels, .in = in, .erode = erode, ...};
 *     status = tw_levels_run(task, &levels);
 */
#ifndef TW_NODES_EROSION_KERNELS_LEVELS_H
#define TW_NODES_EROSION_KERNELS_LEVELS_H

#include "common/regrid.h"

enum { TW_LEVELS_MAX = 8, TW_LEVELS_MAPS = 2, TW_LEVELS_STATES = 6, TW_LEVELS_NARROWEST = 16 };

/* The struct's field is int32_t levels. */
#define TW_PARAM_LEVELS(S)                                                                         \
    TW_PARAM_I32(S, levels, 0, 0, TW_LEVELS_MAX, "halvings",                                       \
                 "begin on a map halved so often and go on to finer ones: faster, other bytes")

/* Documents levels in a node's `.detail`. */
#define TW_LEVELS_DETAIL                                                                           \
    "\nlevels n: erosion begins on a map halved up to n times, as long as both sides keep 16 "     \
    "cells, and continues on each finer one. Half of an odd side is rounded up; each cell is the " \
    "mean of those that it covers, for `in` as for masks.\n"                                       \
    "What a level changed is carried to the next finer one by smooth splines that keep each mean." \
    " There it buries lower detail: of a detail t it leaves:\n"                                    \
    "    t^3 / (t^2 + change^2).\n"                                                                \
    "Each level takes half of the time of the next coarser one, so that all make the shapes of "   \
    "their own size; the finest of three takes 1/7. On hard ground only (1 - H) of a fall is "     \
    "carried, so sums of heights then change a little."

/* One of the maps that an erosion runs on. */
struct tw_level {
    double begin, end;                 /* of the time of all levels, 0..1: this one's part */
    double cells;                      /* of the task's map, that one of this level covers */
    const float *in;                   /* the ground before any erosion */
    const float *ground;               /* what the level begins with */
    const float *maps[TW_LEVELS_MAPS]; /* means of the node's maps */
    struct tw_level_coarser *coarser;  /* NULL at the coarsest */
    float *after;                      /* to be filled with the ground at its end, and its ... */
    float *states[TW_LEVELS_STATES];   /* ... states; NULL at the finest */
};

typedef enum tw_status tw_level_fn(struct tw_task *task, const struct tw_level *level,
                                   void *context);

struct tw_levels {
    int32_t levels;                         /* the parameter */
    bool wraps;                             /* opposite borders meet */
    const float *in, *maps[TW_LEVELS_MAPS]; /* of the task's size; maps may be NULL */
    const float *hardness; /* one of the maps, or NULL: what it keeps at a finer level */
    int states;         /* maps that levels carry along with the ground, 0 or more in each cell */
    tw_level_fn *erode; /* runs one level; at the finest `after` is NULL */
    void *context;
};

enum tw_status tw_levels_run(struct tw_task *task, const struct tw_levels *levels);

/* State i as the coarser level left it, on all cells of this one, in rows `stride` cells apart. Not
 * at the coarsest. */
void tw_level_state(struct tw_task *task, const struct tw_level *level, int i, float *state,
                    size_t stride);
/* Steps of this level, out of so many; over all levels they add up. */
int32_t tw_level_steps(const struct tw_level *level, int32_t steps);

/* For the forecast: `work` adds what `erode` takes on a map of the forecast's size. */
struct tw_levels_need {
    int32_t levels;
    int maps, states; /* maps: those that are connected */
    bool wraps;
    void (*work)(struct tw_forecast *f, bool finest);
    bool finest; /* for itself */
};
void tw_levels_forecast(struct tw_forecast *f, const struct tw_levels_need *need);

#endif
