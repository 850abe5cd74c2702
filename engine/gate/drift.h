/* SPDX-License-Identifier: MIT */
/* Finds what differs between two snapshots. Nodes are matched by path, never by line or order. */
#ifndef TW_ENGINE_GATE_DRIFT_H
#define TW_ENGINE_GATE_DRIFT_H

#include "gate/snapshot.h"

/* A fact in two states; NULL where a state lacks it. */
struct tw_change {
    const char *name, *before, *after;
};

enum tw_drift_kind {
    TW_DRIFT_ADDED,
    TW_DRIFT_REMOVED,
    TW_DRIFT_CHANGED, /* a cause differs; the contents may still be equal */
    TW_DRIFT_FOLLOWED /* only its inputs differ */
};
extern const char *const tw_drift_names[];

struct tw_node_drift {
    enum tw_drift_kind kind;
    const struct tw_snapshot_node *before,
        *after; /* `before` is NULL if added, `after` if removed */
    struct tw_change *causes;
    int32_t cause_count;
    const char *port; /* the first output whose content differs; NULL: none */
    /* Of a random node that was added: the removed one that is equal but for name and seed. */
    const char *renamed;
};

struct tw_result_drift {
    const char *name;
    bool is_export;
    const struct tw_result_facts *before,
        *after; /* `before` is NULL if added, `after` if removed */
};

struct tw_drift {
    struct tw_arena arena;
    struct tw_change *world; /* of size, world, borders, engine */
    int32_t world_count;
    struct tw_node_drift
        *nodes; /* in the order of the state after, sources first; then removed nodes */
    int32_t node_count;
    struct tw_result_drift *results; /* only those that differ */
    int32_t result_count;
    /* The first node that is new, or whose content differs, or whose causes differ while its
     * contents are unknown; -1: none. */
    int32_t first;
};

/* The snapshots must outlive the result. tw_drift_release(). NULL if memory runs out. */
struct tw_drift *tw_drift_find(const struct tw_snapshot *before, const struct tw_snapshot *after);
void tw_drift_release(struct tw_drift *drift);
/* Whether results differ, which is what a gate checks: a node may change without effect. */
bool tw_drift_matters(const struct tw_drift *drift);

#endif
