/* SPDX-License-Identifier: MIT */
/* Runs part of a node's work on a map of another size, such as a coarser one. */
#ifndef THALWEG_PART_H
#define THALWEG_PART_H

#include <thalweg/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Until fn returns, tw_task_width() and tw_task_height() return the part's size, progress maps 0..1
 * to `begin`..`end`, and scratch that fn takes is freed at its end. Inputs and outputs do not
 * change. Parts nest. */
struct tw_task_span {
    int32_t width, height; /* at least 1 */
    double begin, end;     /* 0..1 */
};
typedef enum tw_status tw_part_fn(struct tw_task *task, void *context);
/* Returns what fn returns. Not for types with a reach, which the engine may run on some rows
 * only. */
TW_API enum tw_status tw_task_part(struct tw_task *task, const struct tw_task_span *part,
                                   tw_part_fn *fn, void *context);

#ifdef __cplusplus
}
#endif
#endif
