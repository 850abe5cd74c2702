/* SPDX-License-Identifier: MIT */
/* Runs a node that represents an input of the recipe: copies the array that the program fed or,
 * without one, the input's default. */
#include "task/task.h"

#include <string.h>

enum tw_status tw_task_copy_feed(struct tw_task *task)
{
    const struct tw_feed *feed = task->node->feed;
    const struct tw_value *from = feed->value.data ? &feed->value : tw_task_input(task, 0);
    enum tw_status status = TW_OK;
    if (!tw_type_is_grid(feed->type))
        status = tw_task_list(task, 0, from->width);
    if (status == TW_OK && tw_value_count(from) > 0)
        memcpy(tw_task_output(task, 0)->data, from->data,
               tw_value_count(from) * tw_type_size(feed->type));
    return status;
}
