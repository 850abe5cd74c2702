/* SPDX-License-Identifier: MIT */
/* Checks that recipes and experiments share on the values in a file; faults go to the log. */
#ifndef TW_ENGINE_GRAPH_LOAD_EXPECT_H
#define TW_ENGINE_GRAPH_LOAD_EXPECT_H

#include "graph/load/yaml.h"

/* Expects a value of this kind; `what` is its name in the message. */
bool tw_expect_kind(struct tw_fault_log *log, const struct tw_yaml *value, enum tw_yaml_kind kind,
                    const char *what);
/* Expects one of the keys `known` (NULL-terminated); the hint, in the arena's memory, is the
 * nearest. */
bool tw_expect_key(struct tw_fault_log *log, struct tw_arena *arena, const struct tw_yaml *key,
                   const char *what, const char *const *known);
/* Expects every key of a mapping to be one of `known` (NULL-terminated). */
void tw_expect_keys(struct tw_fault_log *log, struct tw_arena *arena, const struct tw_yaml *mapping,
                    const char *what, const char *const *known);

#endif
