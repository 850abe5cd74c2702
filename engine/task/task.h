/* SPDX-License-Identifier: MIT */
/* A node at work. Its worker alone uses a task; the loop thread creates it and takes its outputs.
 */
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
    int32_t top, rows; /* rows of the map to compute; 0 rows: all */
    struct tw_fused
        *fused; /* runs the node with those fused to it, instead of the node; may be NULL */
    struct tw_value inputs[TW_INPUTS_MAX]; /* data is NULL when not connected */
    struct tw_value outputs[TW_PORTS_MAX];
    struct tw_task_file *file; /* open while the node runs; NULL without a file */
    /* Called after row y of the file, with the number of finished map rows from the north; a status
     * other than TW_OK ends the task. May be NULL. */
    enum tw_status (*on_row)(void *context, int32_t y, int32_t done);
    void *row_context;
    void *scratch[TW_SCRATCH_MAX];
    int scratch_count;
    uint64_t scratch_bytes;   /* held now */
    uint64_t scratch_most;    /* most held at once */
    struct tw_task_span part; /* the part that runs; 0 x 0 outside of any */
    uint64_t file_bytes;      /* of its decoded file, and the most that reading it took */
    uint64_t reading_bytes;
    uint64_t forecast_scratch; /* as planned */
    struct tw_memory *memory;  /* the run's account */
    bool refused;              /* the memory limit was reached; the error explains */
    const atomic_bool *stop;
    /* Sets `stop` when the run should stop, for tasks on the loop thread, which nothing else can
     * interrupt. NULL on workers. */
    void (*poll)(void *context);
    void *poll_context;
    atomic_int permille; /* progress */
    struct tw_error error;
    struct tw_error warning;
    enum tw_status status;
    uint64_t nanoseconds;
    double processor_seconds; /* processor time of the worker: other load on the machine does not
                                 count */
    const struct tw_key_file *known_file; /* what the file must still match; NULL: anything */
    const struct tw_secret *secret;       /* the cache's; NULL: no keyed digests */
    uint32_t used;                        /* one bit per output that the run uses */
    bool stamped;                         /* the run needs digests of them */
    struct tw_stamp stamps[TW_PORTS_MAX];
};

/* task_file.c. Describes the node's file as it is now; *has is false if the node has none. */
enum tw_status tw_task_file_state(const struct tw_recipe *recipe, const struct tw_node *node,
                                  bool *has, struct tw_key_file *file, struct tw_error *err);

/* Opens the node's file before it runs: decodes all of it, or only the header if the node reads
 * rows. */
enum tw_status tw_task_file_open(struct tw_task *task);
void tw_task_file_close(struct tw_task *task);

/* Worker: reads the node's file, runs the node, checks that its floats are finite, stamps them,
 * frees scratch. Sets task->status. */
void tw_task_run(struct tw_task *task);
/* task_feed.c: run function of an input of the recipe. */
enum tw_status tw_task_copy_feed(struct tw_task *task);
/* task_assert.c: run function of an assertion. TW_DIFFERENCE if it does not hold. */
enum tw_status tw_task_judge(struct tw_task *task);
/* Last step of tw_task_run(), for callers that call the node's run() themselves. */
void tw_task_free_scratch(struct tw_task *task);
/* Releases the outputs that are still in the task. */
void tw_task_clear(struct tw_task *task);

#endif
