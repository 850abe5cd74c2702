/* SPDX-License-Identifier: MIT */
#include "study/axis.h"

#include "base/text/number.h"
#include "graph/load/expect.h"

#include <thalweg/formula.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { STEP_DIGITS = 6, EXACT_DIGITS = 17 };
#define NEARNESS 1e-5 /* of a range: a part of it that nobody tells apart from the printed one */

static bool fault(struct tw_fault_log *log, const struct tw_yaml *value, const char *of,
                  const char *axis, const char *expected)
{
    tw_fault_log_add(log, TW_RECIPE, value->place, NULL, "%sparameter %.60s is %s; expected %s", of,
                     axis, TW_YAML_FOUND(value), expected);
    return false;
}

static bool no_memory(struct tw_fault_log *log, struct tw_place place)
{
    tw_fault_log_add(log, TW_MEMORY, place, NULL, "out of memory");
    return false;
}

void tw_axis_print(char *text, size_t size, int digits, double value, double range)
{
    double back = INFINITY;
    for (; digits < EXACT_DIGITS && fabs(back - value) > NEARNESS * range; digits++) {
        tw_number_print_digits(text, size, digits, value);
        tw_number_parse(text, &back);
    }
    if (!(fabs(back - value) <= NEARNESS * range))
        tw_number_print(text, size, value);
}

const char *tw_axis_text(struct tw_arena *arena, const struct tw_axis *axis, double share,
                         int digits)
{
    char text[40];
    double value = share == 1 ? axis->to : axis->from + share * (axis->to - axis->from), back = 0;
    if (axis->whole)
        value = tw_formula_round(value);
    if (value == axis->from || value == axis->to)
        digits = EXACT_DIGITS; /* as in the file */
    tw_axis_print(text, sizeof text, digits, value, axis->to - axis->from);
    tw_number_parse(text, &back);
    if (back < axis->from || back > axis->to || (axis->whole && back != value))
        tw_number_print(text, sizeof text,
                        axis->whole         ? value
                        : back < axis->from ? axis->from
                                            : axis->to);
    return tw_arena_copy(arena, text, strlen(text));
}

/* ---- ranges ---- */

static bool read_number(const struct tw_yaml *value, double *number)
{
    return value && value->kind == TW_YAML_SCALAR && tw_number_parse(value->text, number);
}

static bool read_ends(struct tw_fault_log *log, const struct tw_yaml *place,
                      const struct tw_yaml *from, const struct tw_yaml *to, struct tw_axis *axis)
{
    if (!read_number(from, &axis->from) || !read_number(to, &axis->to) ||
        !(axis->from < axis->to) || axis->to - axis->from > DBL_MAX)
        return fault(log, place, "", axis->name,
                     "two numbers, the smaller first, as in {from: 0, to: 1}, whose difference is "
                     "finite");
    axis->is_range = true;
    return true;
}

static bool read_whole(struct tw_fault_log *log, const struct tw_yaml *value, struct tw_axis *axis)
{
    const struct tw_yaml *whole = tw_yaml_find(value, "whole");
    const char *text = whole && whole->kind == TW_YAML_SCALAR ? whole->text : "";
    if (whole && strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
        return fault(log, whole, "whole of ", axis->name, "true or false");
    axis->whole = strcmp(text, "true") == 0;
    if (axis->whole &&
        (axis->from != tw_formula_round(axis->from) || axis->to != tw_formula_round(axis->to)))
        return fault(log, value, "", axis->name, "whole ends of a range of whole numbers");
    return true;
}

static bool read_mapping(struct tw_fault_log *log, struct tw_arena *arena,
                         const struct tw_yaml *value, const char *const *known,
                         struct tw_axis *axis)
{
    tw_expect_keys(log, arena, value, "a range", known);
    return read_ends(log, value, tw_yaml_find(value, "from"), tw_yaml_find(value, "to"), axis) &&
           read_whole(log, value, axis);
}

bool tw_axis_read_range(struct tw_fault_log *log, struct tw_arena *arena,
                        const struct tw_yaml_item *item, struct tw_axis *axis)
{
    static const char *const known[] = {"from", "to", "whole", NULL};
    const struct tw_yaml *value = item->value;
    *axis = (struct tw_axis){.name = item->key->text, .place = value->place};
    if (value->kind == TW_YAML_MAPPING)
        return read_mapping(log, arena, value, known, axis);
    const struct tw_yaml_item *first = value->kind == TW_YAML_SEQUENCE ? value->items : NULL;
    if (!first || !first->next || first->next->next)
        return fault(log, value, "", axis->name, "a range, as in [2, 40]");
    return read_ends(log, value, first->value, first->next->value, axis);
}

/* ---- values ---- */

static bool read_list(struct tw_fault_log *log, struct tw_arena *arena, const struct tw_yaml *list,
                      struct tw_axis *axis)
{
    axis->values = tw_arena_alloc(arena, (size_t)list->count + 1, sizeof *axis->values);
    if (!axis->values)
        return no_memory(log, list->place);
    for (const struct tw_yaml_item *item = list->items; item; item = item->next) {
        if (!tw_expect_kind(log, item->value, TW_YAML_SCALAR, axis->name))
            return false;
        axis->values[axis->count++] =
            (struct tw_setting){axis->name, item->value->text, item->value->place};
    }
    return axis->count > 0 || fault(log, list, "", axis->name, "at least one value");
}

/* Values at equal distances, both ends included. */
static bool make_steps(struct tw_fault_log *log, struct tw_arena *arena,
                       const struct tw_yaml *steps, struct tw_axis *axis)
{
    uint64_t count = 0;
    if (steps->kind != TW_YAML_SCALAR || !tw_number_parse_whole(steps->text, &count) || count < 2 ||
        count > TW_AXIS_VALUES_MAX)
        return fault(log, steps, "steps of ", axis->name, "a whole number from 2 to 10000");
    axis->values = tw_arena_alloc(arena, (size_t)count, sizeof *axis->values);
    if (!axis->values)
        return no_memory(log, steps->place);
    for (axis->count = 0; axis->count < (int32_t)count; axis->count++) {
        double share = (double)axis->count / (double)(count - 1);
        const char *text = tw_axis_text(arena, axis, share, STEP_DIGITS);
        if (!text)
            return no_memory(log, steps->place);
        axis->values[axis->count] = (struct tw_setting){axis->name, text, axis->place};
    }
    return true;
}

bool tw_axis_read(struct tw_fault_log *log, struct tw_arena *arena, const struct tw_yaml_item *item,
                  struct tw_axis *axis)
{
    static const char *const known[] = {"from", "to", "steps", "whole", NULL};
    const struct tw_yaml *value = item->value, *steps;
    *axis = (struct tw_axis){.name = item->key->text, .place = value->place};
    if (value->kind == TW_YAML_SEQUENCE)
        return read_list(log, arena, value, axis);
    if (value->kind != TW_YAML_MAPPING)
        return fault(log, value, "", axis->name,
                     "a list of values, or a range as in {from: 0, to: 1, steps: 5}");
    if (!read_mapping(log, arena, value, known, axis))
        return false;
    steps = tw_yaml_find(value, "steps");
    return !steps || make_steps(log, arena, steps, axis);
}

static bool refuse_repeated(struct tw_fault_log *log, const struct tw_axis *axis, int32_t first,
                            int32_t second)
{
    const struct tw_setting *one = &axis->values[first], *other = &axis->values[second];
    if (strcmp(one->text, other->text) == 0)
        tw_fault_log_add(log, TW_RECIPE, other->place, NULL,
                         "parameter %.60s: %.60s is listed twice", axis->name, other->text);
    else
        tw_fault_log_add(log, TW_RECIPE, other->place, NULL,
                         "parameter %.60s: %.60s is the same number as %.60s", axis->name,
                         other->text, one->text);
    return false;
}

bool tw_axis_check_values(struct tw_fault_log *log, struct tw_arena *arena,
                          const struct tw_axis *axis)
{
    double *numbers = tw_arena_alloc(arena, (size_t)axis->count + 1, sizeof *numbers);
    if (!numbers)
        return no_memory(log, axis->place);
    for (int32_t i = 0; i < axis->count; i++) {
        if (!tw_number_parse(axis->values[i].text, &numbers[i]))
            numbers[i] = NAN; /* NaN equals nothing */
        for (int32_t k = 0; k < i; k++)
            if (numbers[k] == numbers[i] || strcmp(axis->values[k].text, axis->values[i].text) == 0)
                return refuse_repeated(log, axis, k, i);
    }
    return true;
}
