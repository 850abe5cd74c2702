/* SPDX-License-Identifier: MIT */
/* Facts, by the file that fills them. */
#ifndef TW_ENGINE_GATE_SNAPSHOT_PRIVATE_H
#define TW_ENGINE_GATE_SNAPSHOT_PRIVATE_H

#include "gate/snapshot.h"

/* Longest name of a fact, including "params." and "inputs.". */
#define TW_FACT_NAME_MAX 100

/* snapshot_facts.c: what decides the recipe and its nodes, without digests of files. False if
 * memory runs out. */
bool tw_snapshot_add_world(struct tw_snapshot *snapshot, const struct tw_recipe *recipe);
bool tw_snapshot_add_causes(struct tw_snapshot *snapshot, const struct tw_recipe *recipe,
                            const struct tw_node *node, struct tw_facts *causes);
#endif
