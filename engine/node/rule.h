/* SPDX-License-Identifier: MIT */
/* Checks rules between parameters and words the broken ones. */
#ifndef TW_ENGINE_NODE_RULE_H
#define TW_ENGINE_NODE_RULE_H

#include <thalweg/node.h>

/* Returns the first rule of the type that the parameters break; its `param` is NULL if there is
 * none. */
struct tw_rule tw_rule_check(const struct tw_node_type *type, const void *params);

/* Which of the rule's parameters are defaults. */
struct tw_rule_defaults {
    bool param, other;
};
/* Prints "low is 0.5, its default; expected at most high, 0.46". */
void tw_rule_print(const struct tw_node_type *type, const void *params, const struct tw_rule *rule,
                   struct tw_rule_defaults defaults, char *text, size_t size);

#endif
