/* SPDX-License-Identifier: MIT */
/* What differs between two snapshots: nodes by path, never by line or order. */
#ifndef TW_ENGINE_GATE_DRIFT_H
#define TW_ENGINE_GATE_DRIFT_H

#include "gate/snapshot.h"

/* A fact of two states; NULL where a state has none. */
struct tw_change {
    const char *name, *before, *after;
};

enum tw_drift_kind {
    TW_DRIFT_ADDED,
    TW_DRIFT_REMOVED,
    TW_DRIFT_CHANGED, /* some cause differs; its contents may be the same all the same */
    TW_DRIFT_FOLLOWED /* only what it is given differs */
};
extern const char *const tw_drift_names[];

struct tw_node_drift {
    enum tw_drift_kind kind;
    const struct tw_snapshot_node *before, *after; /* NULL for added, removed */
    struct tw_change *causes;
    int32_t cause_count;
    const char *port; /* the first output whose content differs; NULL when none does */
};

struct tw_result_drift {
    const char *name;
    bool is_export;
    const struct tw_result_facts *before, *after; /* NULL for added, removed */
};

struct tw_drift {
    struct tw_arena arena;
    struct tw_change *world; /* of size, world, borders, engine */
    int32_t world_count;
    struct tw_node_drift *nodes; /* sources first, as in the state after; then the removed ones */
    int32_t node_count;
    struct tw_result_drift *results; /* what differs only */
    int32_t result_count;
    /* The first node whose content differs, is new, or differs in its causes while nothing is known
     * of contents; -1: none. */
    int32_t first;
};

/* The snapshots must outlive it; tw_drift_release(). NULL without memory. */
struct tw_drift *tw_drift_find(const struct tw_snapshot *before, const struct tw_snapshot *after);
void tw_drift_release(struct tw_drift *drift);
/* Whether results differ, which is what a gate is for: a node may change and nothing come of it. */
bool tw_drift_matters(const struct tw_drift *drift);

#endif
