/* SPDX-License-Identifier: MIT */
/* The plan: which nodes the goals need, who uses what, and how much memory that takes. It depends
 * on facts only; the run finds out what the cache holds. */
#ifndef TW_ENGINE_GRAPH_PLAN_H
#define TW_ENGINE_GRAPH_PLAN_H

#include "graph/graph.h"

/* Memory that a node needs, in bytes. Forecasts of lists are upper bounds. */
struct tw_need {
    uint64_t values;  /* of all outputs */
    uint64_t scratch; /* while it runs, including its file as it is read and decoded */
};

/* Nodes that are computed together (fusion.h); lists by node. */
struct tw_fusion {
    int32_t *root;         /* the node whose computation includes this one; itself for most */
    int32_t *first, *next; /* first: by root, its lowest member; next: by member, up to the root */
    int32_t *buffer;       /* by member: the block of its rows; -1: a map */
    int32_t *buffer_count; /* number of blocks by root */
};

struct tw_plan {
    bool *needed;         /* by node */
    uint32_t *outputs;    /* by node: bit i is set if a needed node or a goal uses output i */
    int32_t needed_count; /* number of needed nodes */
    /* Nodes that use node i: users[first_user[i]] up to users[first_user[i + 1]], once each. */
    int32_t *first_user;
    int32_t *users;
    struct tw_fusion fusion;
    struct tw_need *needs; /* by node; values of fused nodes other than the root take nothing */
    uint64_t (*sizes)[TW_PORTS_MAX]; /* by node: bytes of each output that has a block */
    /* Peak of live values, scratch, and memory for writing files, when nodes run one after the
     * other in order. */
    uint64_t peak_bytes;
    uint64_t file_bytes;                 /* the files' part of it, which runner/fit.c adds */
    int32_t peak_node;                   /* node at the peak; -1 without nodes */
    uint64_t value_bytes, scratch_bytes; /* sum of all values; greatest scratch */
};

/* Plans the computation of goals: sources whose values must exist at the end. `fusing` is the
 * number of workers of a run that needs no other values, so that nodes may be fused; 0: every value
 * is needed. TW_LIMIT when sizes overflow, TW_MEMORY. */
enum tw_status tw_plan_build(const struct tw_recipe *recipe, const struct tw_source *goals,
                             int32_t goal_count, int32_t fusing, struct tw_plan *plan,
                             struct tw_error *err);
void tw_plan_release(struct tw_plan *plan);

/* Returns whether a running node gets a block for output i: all do but unused ones on demand. */
bool tw_plan_has_block(const struct tw_recipe *recipe, const struct tw_plan *plan, int32_t node,
                       int i);
/* Returns the bytes of the node's used grid outputs. */
uint64_t tw_plan_output_bytes(const struct tw_recipe *recipe, const struct tw_plan *plan,
                              int32_t node);

#endif
