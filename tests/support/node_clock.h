/* SPDX-License-Identifier: MIT */
/* Gives nodes the cost that a test states: the cache decides by the time that nodes take, which a
 * busy machine makes longer. Programs that include this are linked with --wrap=tw_task_run
 * (tests/CMakeLists.txt). */
#ifndef TW_TESTS_SUPPORT_NODE_CLOCK_H
#define TW_TESTS_SUPPORT_NODE_CLOCK_H

#include "task/task.h"

static _Thread_local double node_clock; /* s, of the node that runs on this thread */

void __real_tw_task_run(struct tw_task *task);
void __wrap_tw_task_run(struct tw_task *task);
void __wrap_tw_task_run(struct tw_task *task)
{
    node_clock = 0;
    __real_tw_task_run(task);
    task->processor_seconds = node_clock;
    task->nanoseconds = (uint64_t)(1e9 * node_clock);
}

static inline void node_costs(double seconds) { node_clock += seconds; }

#endif
