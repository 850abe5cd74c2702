/* SPDX-License-Identifier: MIT */
#include "node/rule.h"

#include "node/param.h"

#include <stdio.h>
#include <string.h>

enum { VALUE_MAX = 160 };

struct tw_rule tw_rule_check(const struct tw_node_type *type, const void *params)
{
    return type->check ? type->check(params) : TW_RULES_HOLD;
}

/* Prints "0 1" as "[0, 1]"; ends in dots if it does not fit. */
static void print_list(const struct tw_param *row, const void *params, char *text, size_t size)
{
    char items[400], *rest = items;
    size_t used = 1;
    bool is_first = true;
    tw_param_print(row, params, items, sizeof items);
    text[0] = '[';
    for (char *item; (item = strtok_r(rest, " ", &rest)); is_first = false) {
        if (used + strlen(item) + sizeof ", ...]" > size) {
            used += (size_t)snprintf(text + used, size - used, ", ...");
            break;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%s", is_first ? "" : ", ", item);
    }
    snprintf(text + used, size - used, "]");
}

static const struct tw_table *table_of(const struct tw_param *row, const void *params)
{
    return (const struct tw_table *)((const unsigned char *)params + row->offset);
}

static void print_value(const struct tw_param *row, const void *params, char *text, size_t size)
{
    char value[VALUE_MAX];
    if (row->kind == TW_KIND_LIST || row->kind == TW_KIND_LABELS) {
        print_list(row, params, text, size);
        return;
    }
    bool quoted = row->kind == TW_KIND_ENUM || row->kind == TW_KIND_FILE;
    tw_param_print(row, params, value, sizeof value);
    snprintf(text, size, quoted ? "'%s'" : "%s", value);
}

/* Prints "low is 0.5", "points has 1 row" or "points.x is 0.5 in row 2". */
static void print_found(const struct tw_param *row, const void *params, const struct tw_rule *rule,
                        char *text, size_t size)
{
    char value[VALUE_MAX];
    if (row->kind != TW_KIND_TABLE) {
        print_value(row, params, value, sizeof value);
        snprintf(text, size, "%s is %s", row->name, value);
        return;
    }
    const struct tw_table *table = table_of(row, params);
    if (rule->row == 0) {
        snprintf(text, size, "%s has %d row%s", row->name, (int)table->rows,
                 table->rows == 1 ? "" : "s");
        return;
    }
    int32_t column = tw_param_find_column(row, rule->column);
    tw_param_print_cell(&row->columns[column], table->at[(rule->row - 1) * table->columns + column],
                        value, sizeof value);
    snprintf(text, size, "%s.%s is %s in row %d", row->name, rule->column,
             value[0] ? value : "not given", (int)rule->row);
}

/* True for a parameter without a default, which shows nothing. */
static bool is_empty(const struct tw_param *row, const void *params)
{
    char value[VALUE_MAX];
    if (row->kind == TW_KIND_TABLE)
        return table_of(row, params)->rows == 0;
    tw_param_print(row, params, value, sizeof value);
    return value[0] == 0;
}

void tw_rule_print(const struct tw_node_type *type, const void *params, const struct tw_rule *rule,
                   struct tw_rule_defaults defaults, char *text, size_t size)
{
    char found[VALUE_MAX + 100], value[VALUE_MAX], tail[VALUE_MAX + 100] = "";
    const struct tw_param *row = tw_param_find(type->params, rule->param);
    const struct tw_param *other = rule->other ? tw_param_find(type->params, rule->other) : NULL;
    if (!row) { /* an embedder's rule that names none of its parameters */
        snprintf(text, size, "%s breaks a rule; expected %s", rule->param, rule->expected);
        return;
    }
    bool is_missing = defaults.param && is_empty(row, params);
    if (is_missing)
        snprintf(found, sizeof found, "%s is not given", row->name);
    else
        print_found(row, params, rule, found, sizeof found);
    if (other) {
        print_value(other, params, value, sizeof value);
        snprintf(tail, sizeof tail, " %s, %s%s", other->name,
                 defaults.other ? "whose default is " : "", value);
    }
    snprintf(text, size, "%s%s; expected %s%s", found,
             defaults.param && !is_missing ? ", its default" : "", rule->expected, tail);
}
