/* SPDX-License-Identifier: MIT */
/* What a recipe asserts of its records: `assert: {fair.area_balance: {min: 0.95}}`. Each assertion
 * becomes a node whose type is in no table and has no run(): its task judges the record
 * (task/task_assert.c). Its result is cached as any other, so only what holds is not judged again.
 */
#ifndef TW_ENGINE_GRAPH_ASSERTION_H
#define TW_ENGINE_GRAPH_ASSERTION_H

#include "graph/graph.h"

struct tw_assertion {
    const char *name;  /* "fair.area_balance" */
    const char *field; /* the part behind the output's name */
    bool has_min, has_max;
    double min, max;
};

extern const struct tw_node_type tw_assertion_type;

/* Prints "fair.area_balance min 0.95", for the cache key and for messages. */
void tw_assertion_print(const struct tw_assertion *assertion, char *text, size_t size);
/* Adds a part's assertions to the recipe that it was merged into; `only` limits them to those of
 * one output, NULL to none. False when out of memory. */
bool tw_assertion_merge(struct tw_recipe *merged, const struct tw_recipe *part,
                        const int32_t *node_of, const char *only);
/* Returns whether the output, an entry of recipe->assertions, is one of the output `only`. */
bool tw_assertion_is_of(const struct tw_output *assertion, const char *only);

#endif
