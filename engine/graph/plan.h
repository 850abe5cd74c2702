/* SPDX-License-Identifier: MIT */
/* The plan: which nodes the goals need, who uses what, and how much memory that takes.
 * Facts in, facts out; what the cache already holds is found out by the run. */
#ifndef TW_ENGINE_GRAPH_PLAN_H
#define TW_ENGINE_GRAPH_PLAN_H

#include "graph/graph.h"

/* What a node needs, in bytes. Forecasts of lists are upper bounds. */
struct tw_need {
    uint64_t values;  /* of all outputs */
    uint64_t scratch; /* while it runs, with its file as it is read and decoded */
};

/* Nodes that are computed together (fusion.h); lists by node. */
struct tw_fusion {
    int32_t *root;         /* the node whose computation includes this one; itself for most */
    int32_t *first, *next; /* by root its lowest member, by member the next one, up to the root */
    int32_t *buffer;       /* by member, in which block its rows are; -1: in a map */
    int32_t *buffer_count; /* blocks by root */
};

struct tw_plan {
    bool *needed;         /* by node */
    uint32_t *outputs;    /* by node: bit i when a needed node or a goal uses output i */
    int32_t needed_count; /* nodes */
    /* The nodes that use node i: users[first_user[i]] up to users[first_user[i + 1]], once each. */
    int32_t *first_user;
    int32_t *users;
    struct tw_fusion fusion;
    struct tw_need *needs; /* by node; values of fused nodes other than the root take nothing */
    uint64_t (*sizes)[TW_PORTS_MAX]; /* by node: bytes of each output that has a block */
    /* Values alive at once, scratch, and what writing files takes, when nodes run one after the
     * other in order. */
    uint64_t peak_bytes;
    uint64_t file_bytes;                 /* of that, files; runner/fit.c adds them */
    int32_t peak_node;                   /* where that is; -1 without nodes */
    uint64_t value_bytes, scratch_bytes; /* sum of all values; greatest scratch */
};

/* Goals are sources whose values must be there at the end. `fusing` is the number of workers of a
 * run that asks for no other values, so that nodes may be fused; 0: every value is needed. TW_LIMIT
 * when sizes overflow, TW_MEMORY. */
enum tw_status tw_plan_build(const struct tw_recipe *recipe, const struct tw_source *goals,
                             int32_t goal_count, int32_t fusing, struct tw_plan *plan,
                             struct tw_error *err);
void tw_plan_release(struct tw_plan *plan);

/* Whether a node that runs gets a block for output i: all but those on demand that nobody uses. */
bool tw_plan_has_block(const struct tw_recipe *recipe, const struct tw_plan *plan, int32_t node,
                       int i);
/* Bytes of the node's grid outputs that are used. */
uint64_t tw_plan_output_bytes(const struct tw_recipe *recipe, const struct tw_plan *plan,
                              int32_t node);

#endif
