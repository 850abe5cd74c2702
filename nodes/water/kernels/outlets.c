/* SPDX-License-Identifier: MIT */
#include "water/kernels/outlets.h"

enum tw_status tw_water_check_size(struct tw_task *task)
{
    size_t cells = (size_t)tw_task_width(task) * (size_t)tw_task_height(task);
    if (cells <= (size_t)1 << 28)
        return TW_OK;
    return tw_task_fail(task, "water is limited to maps of 2^28 cells; this one has %zu", cells);
}
