/* SPDX-License-Identifier: MIT */
/* A parameter of a recipe that an experiment varies: a list of values, equal steps, or a range to
 * draw points from. */
#ifndef TW_ENGINE_STUDY_AXIS_H
#define TW_ENGINE_STUDY_AXIS_H

#include "graph/load/recipe.h"

#define TW_AXIS_VALUES_MAX 10000

struct tw_axis {
    const char *name; /* the parameter's */
    struct tw_place place;
    struct tw_setting *values; /* NULL for a range without steps */
    int32_t count;
    double from, to; /* of a range; from < to */
    bool is_range, whole;
};

/* Reads [4, 8, 16], or {from: 0, to: 1, steps: 5, whole: true}, in which steps and whole are
 * optional. False after a fault. */
bool tw_axis_read(struct tw_fault_log *log, struct tw_arena *arena, const struct tw_yaml_item *item,
                  struct tw_axis *axis);
/* Reports values that occur twice, even if written differently, as 1 and 1.0. False after a fault.
 */
bool tw_axis_check_values(struct tw_fault_log *log, struct tw_arena *arena,
                          const struct tw_axis *axis);
/* Reads a range: [2, 40] or {from: 2, to: 40, whole: true}. */
bool tw_axis_read_range(struct tw_fault_log *log, struct tw_arena *arena,
                        const struct tw_yaml_item *item, struct tw_axis *axis);
/* Prints a value with at least `digits` digits, and with as many as it takes to be within 1e-5 of
 * the range: a third of 404 is 134.667. From 17 digits on it is the number itself. */
void tw_axis_print(char *text, size_t size, int digits, double value, double range);
/* Prints the value at share 0..1 of a range so; the text then is the value. It
 * lies within the range, and is whole if the axis is. In the arena; NULL if memory runs out. */
const char *tw_axis_text(struct tw_arena *arena, const struct tw_axis *axis, double share,
                         int digits);

#endif
