/* SPDX-License-Identifier: MIT */
/* A node at work. One worker sees a task; the loop thread creates it and takes its outputs. */
#ifndef TW_ENGINE_TASK_TASK_H
#define TW_ENGINE_TASK_TASK_H

#include "graph/key.h"
#include "task/pool.h"
#include "value/field.h"
#include "value/memory.h"

#include <thalweg/part.h>

#include <stdatomic.h>

#define TW_SCRATCH_MAX 64

struct tw_task {
    struct tw_pool *pool;
    const struct tw_recipe *recipe;
    const struct tw_node *node;
    int32_t top, rows;      /* what it computes of the map; 0 rows: all */
    struct tw_fused *fused; /* run instead of the node: it and those fused with it; may be NULL */
    struct tw_value inputs[TW_INPUTS_MAX]; /* data NULL when not connected */
    struct tw_value outputs[TW_PORTS_MAX];
    struct tw_task_file *file; /* while it runs; NULL without one */
    /* Called after row y of the file, with the rows of the map that are done, from the north; a
     * status other than TW_OK ends the task. May be NULL. */
    enum tw_status (*on_row)(void *context, int32_t y, int32_t done);
    void *row_context;
    void *scratch[TW_SCRATCH_MAX];
    int scratch_count;
    uint64_t scratch_bytes;   /* held now */
    uint64_t scratch_most;    /* held at once at most */
    struct tw_task_span part; /* the one that runs; 0 x 0 outside of any */
    uint64_t file_bytes;      /* of its decoded file, and the most that reading it took */
    uint64_t reading_bytes;
    uint64_t forecast_scratch; /* what the plan counts on */
    struct tw_memory *memory;  /* of the run */
    bool refused;              /* the memory limit was reached; the error says how */
    const atomic_bool *stop;
    /* Sets `stop` when the run should stop; for tasks on the loop thread, which nothing else can
     * interrupt. Else NULL. */
    void (*poll)(void *context);
    void *poll_context;
    atomic_int permille; /* progress */
    struct tw_error error;
    struct tw_error warning;
    enum tw_status status;
    uint64_t nanoseconds;
    double processor_seconds; /* of the worker, which no other load on the machine adds to */
    const struct tw_key_file *known_file; /* what the file must still be; NULL: anything */
    const struct tw_secret *secret;       /* of the cache; NULL: no keyed digests */
    uint32_t used;                        /* one bit per output that the run uses */
    bool stamped;                         /* their digests are needed */
    struct tw_stamp stamps[TW_PORTS_MAX];
};

/* task_file.c. What the node's file is now; *has is false when it names none. */
enum tw_status tw_task_file_state(const struct tw_recipe *recipe, const struct tw_node *node,
                                  bool *has, struct tw_key_file *file, struct tw_error *err);

/* Reads the node's file before it runs: whole, or only what it is when the node takes rows. */
enum tw_status tw_task_file_open(struct tw_task *task);
void tw_task_file_close(struct tw_task *task);

/* Worker: reads the file if there is one, runs the node, checks that its floats are finite, stamps
 * them, frees scratch. The result is task->status. */
void tw_task_run(struct tw_task *task);
/* task_feed.c: what it runs for an input of the recipe. */
enum tw_status tw_task_copy_feed(struct tw_task *task);
/* The last step of that, for those who call the node's run() themselves. */
void tw_task_free_scratch(struct tw_task *task);
/* Releases outputs that nobody took. */
void tw_task_clear(struct tw_task *task);

#endif
