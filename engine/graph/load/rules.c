/* SPDX-License-Identifier: MIT */
/* Checks rules between a node's parameters once each has its value, and reports the place of the
 * wrong value. */
#include "graph/load/load_private.h"

#include "node/param.h"
#include "node/rule.h"

/* Returns entry `i` of a list; NULL past its end, or for anything else. */
static const struct tw_yaml *entry_of(const struct tw_yaml *list, int32_t i)
{
    const struct tw_yaml_item *item = list->kind == TW_YAML_SEQUENCE ? list->items : NULL;
    for (; item && i > 0; i--)
        item = item->next;
    return item ? item->value : NULL;
}

/* Returns the cell that the rule concerns, or whatever is nearest to it in the file. */
static const struct tw_yaml *cell_of(const struct tw_yaml *value, const struct tw_param *row,
                                     const struct tw_rule *rule)
{
    const struct tw_yaml *entry = rule->row > 0 ? entry_of(value, rule->row - 1) : NULL;
    if (!entry)
        return value;
    const struct tw_yaml *cell = entry->kind == TW_YAML_MAPPING
                                     ? tw_yaml_find(entry, rule->column)
                                     : entry_of(entry, tw_param_find_column(row, rule->column));
    return cell ? cell : entry;
}

void tw_load_check_rules(struct tw_loader *loader, const struct tw_node *node,
                         const struct tw_yaml *yaml)
{
    char text[400];
    const struct tw_node_type *type = node->type;
    struct tw_rule rule = tw_rule_check(type, node->params);
    if (!rule.param)
        return;
    const struct tw_yaml *value = tw_yaml_find(yaml, rule.param);
    const struct tw_yaml *other = rule.other ? tw_yaml_find(yaml, rule.other) : NULL;
    struct tw_place place = value
                                ? cell_of(value, tw_node_find_param(type, rule.param), &rule)->place
                            : other ? other->place
                                    : node->place;
    struct tw_rule_defaults defaults = {.param = !value, .other = !other};
    tw_rule_print(type, node->params, &rule, defaults, text, sizeof text);
    tw_fault_log_add(loader->log, TW_RECIPE, place, rule.hint, "%s.%s", type->name, text);
}
