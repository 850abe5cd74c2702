/* SPDX-License-Identifier: MIT */
/* Judges what a recipe asserts of a record. */
#include "graph/assertion.h"
#include "task/task.h"

#include "base/text/number.h"
#include "base/text/suggest.h"

#include <stdio.h>
#include <string.h>

/* The record has no such field, which only its node knows. */
static enum tw_status unknown_field(struct tw_task *task, const struct tw_assertion *assertion)
{
    const struct tw_value *record = tw_task_input(task, 0);
    struct tw_suggestion suggestion = {.unknown = assertion->field};
    for (int32_t i = 0; i < record->width; i++)
        tw_suggest_offer(&suggestion, tw_entries(record)[i].name);
    tw_error_set(&task->error, TW_RECIPE, "the record of '%s' has no field '%.60s'",
                 assertion->name, assertion->field);
    tw_suggest_to(&suggestion, &task->error);
    return TW_RECIPE;
}

static enum tw_status fails(struct tw_task *task, const struct tw_assertion *assertion,
                            double number)
{
    char found[40], min[40], max[40];
    tw_number_print_digits(found, sizeof found, 9, number);
    tw_number_print(min, sizeof min, assertion->min);
    tw_number_print(max, sizeof max, assertion->max);
    const bool both = assertion->has_min && assertion->has_max;
    return tw_error_set(&task->error, TW_DIFFERENCE, "found %s; expected %s%s%s%s", found,
                        both                 ? "from "
                        : assertion->has_min ? "at least "
                                             : "at most ",
                        assertion->has_min ? min : "", both ? " to " : "",
                        assertion->has_max ? max : "");
}

enum tw_status tw_task_judge(struct tw_task *task)
{
    const struct tw_assertion *assertion = task->node->assertion;
    const double *number = tw_record_find(tw_task_input(task, 0), assertion->field);
    if (!number)
        return unknown_field(task, assertion);
    if ((assertion->has_min && !(*number >= assertion->min)) ||
        (assertion->has_max && !(*number <= assertion->max)))
        return fails(task, assertion, *number);
    enum tw_status status = tw_task_list(task, 0, 1);
    if (status == TW_OK)
        tw_record_set(tw_task_output(task, 0), 0, "found", *number);
    return status;
}
