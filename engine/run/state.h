/* SPDX-License-Identifier: MIT */
/* The state machine of a run. The loop thread owns all of it.
 *
 * A needed node first becomes known: by the action table when its key hits, else by being
 * computed. Only then are its users' keys known, so a changed node with equal output stops the
 * rebuild there. Values are separate: a known node's values are loaded or computed only when
 * a user that must be computed, or a goal, asks for them. */
#ifndef TW_ENGINE_RUN_STATE_H
#define TW_ENGINE_RUN_STATE_H

#include "cache/cache.h"
#include "graph/plan.h"
#include "run/request.h"
#include "run/work_list.h"
#include "task/pool.h"
#include "task/quick.h"
#include "task/task.h"
#include "value/memory.h"

enum tw_phase {
    TW_IDLE,     /* nothing under way */
    TW_ASKING,   /* the server is asked for its entry */
    TW_DEMANDED, /* known, its values are asked for: to be loaded or computed */
    TW_QUEUED,   /* waits for a reader */
    TW_WAITING,  /* must be computed, waits for values */
    TW_READY,    /* must be computed, waits for a worker */
    TW_BUSY,     /* a worker computes it or loads its values */
    TW_FAILED,   /* it could not be computed, or what it needs, or nothing needs it any more */
};

struct tw_slot {
    enum tw_phase phase;
    enum tw_outcome outcome;
    bool known;   /* all used outputs have stamps; without a cache only those of goals do */
    bool claims;  /* its claims on its inputs are held */
    bool missing; /* the cache does not have its values */
    bool loaded;  /* they were read from the cache */
    bool redone;  /* its entry hit, and its values were computed again */
    bool is_goal; /* some goal takes an output */
    bool storing; /* in the list of stores */
    bool to_disk; /* its values are worth storing there */
    bool remote;  /* its entry came from the server */
    bool fetched; /* its values did */
    bool lost;    /* the server does not have the values of its entry any more */
    bool sending; /* in the list of sends */
    int32_t first_goal,
        end_goal;  /* all goals that take an output are from one to before the other */
    uint32_t held; /* one bit per port whose value is kept for a pending store */
    int32_t unknown_sources;
    uint32_t stamped; /* one bit per output whose stamp is valid */
    uint32_t lacking; /* one bit per used output that its cache entry lacked */
    /* By output; their memory is the run's, since most nodes have one output of TW_PORTS_MAX. */
    int32_t outputs; /* their number */
    struct tw_stamp *stamps;
    struct tw_value *values;
    int32_t *uses; /* claims of users, goals and writers; at 0 the value is freed */
    struct tw_sha256 key;
    char *key_text;
    struct tw_key_file file; /* of the file parameter */
    double seconds;
    double debt;            /* processor time to compute its values once more from what is stored */
    uint64_t scratch_bytes; /* taken when it was computed */
    struct tw_task *task;   /* while it is computed */
};

enum tw_goal_kind { TW_GOAL_VALUE, TW_GOAL_STAMP, TW_GOAL_EXPORT };

/* What the run is for: an output's value or digest, or an exported file. */
struct tw_goal {
    enum tw_goal_kind kind;
    const char *name; /* of the output or the file */
    const struct tw_export *item;
    const struct tw_output *sources; /* of an export several records, else one */
    int32_t file;                    /* of a sidecar: the goal whose file it is about; else -1 */
    int32_t sidecar;                 /* of a file: the goal that waits for this one; else -1 */
    bool checked;                    /* export: compared with the file on disk */
    bool busy, done, failed;         /* failed: and done */
    struct tw_export_summary report;
};

struct tw_run {
    const struct tw_recipe *recipe;
    const struct tw_run_request *request;
    const struct tw_run_options *options;
    struct tw_plan plan;
    struct tw_bands *bands;       /* NULL unless it goes in bands of rows: bands.h */
    struct tw_spilling *spilling; /* NULL unless values leave memory on the way: spill.h */
    struct tw_pool pool;
    struct tw_cache cache;
    struct tw_slot *slots;
    struct tw_stamp *stamps; /* of all slots, as the next two; the report takes them */
    struct tw_value *values;
    int32_t *uses;
    struct tw_goal *goals;
    struct tw_output *goal_sources; /* backing of goals with one source */
    int32_t goal_count, open_goals;
    /* Empty when the state is settled: nodes whose keys can be made, whose values are asked for,
     * and that failed. */
    struct tw_work_list undecided, demanded, failures;
    struct tw_work_list loads, stores, deliveries; /* for I/O workers */
    struct tw_work_list asks, sends;               /* for workers that wait for the server */
    struct tw_work_list ready;                     /* for compute workers: a heap by index */
    struct tw_memory memory;
    struct tw_quick quick;
    bool postponed;    /* quick nodes are left for the next turn of the loop */
    bool serial;       /* --max-memory: one node or load at a time */
    int32_t computing; /* nodes on workers */
    int32_t requests;  /* workers that wait for the server; of these, those that send: */
    int32_t sending;
    const double *expected;           /* seconds by node; NULL: all the same */
    double done_weight, total_weight; /* for progress, once it is reported; before that 0 */
    atomic_bool stop;                 /* everything */
    atomic_bool stop_nodes;           /* what is being computed */
    uint64_t deadline;                /* on uv_hrtime()'s clock; 0: none */
    enum tw_status status;            /* what ended the run */
    int32_t failed_node;              /* the first that failed; -1 for none */
    struct tw_error *error;
    enum tw_status failure; /* the worst of those that the run went on after */
};

/* state.c: transitions, on the loop thread. Each leaves the state settled. */
void tw_state_begin(struct tw_run *run);
/* A worker computed node i: its outputs and stamps are moved out of the task. */
void tw_state_computed(struct tw_run *run, int32_t i, struct tw_task *task);
/* It could not, since `node` failed: node i, or one that is fused with it. */
void tw_state_uncomputed(struct tw_run *run, int32_t i, const struct tw_node *node,
                         enum tw_status status, const struct tw_error *error);
/* A worker asked the server for node i's entry; NULL: it has none. */
void tw_state_asked(struct tw_run *run, int32_t i, const struct tw_action *action);
/* A worker tried to load node i's claimed values, moved out of `values`. */
void tw_state_loaded(struct tw_run *run, int32_t i, struct tw_value *values, bool ok);
/* A value is in a file and leaves memory. */
void tw_state_spilled(struct tw_run *run, struct tw_source source);
/* A worker compared or wrote a goal's file. */
void tw_state_delivered(struct tw_run *run, int32_t goal, bool done);
/* It could not write the file. */
void tw_state_undelivered(struct tw_run *run, int32_t goal, enum tw_status status,
                          const struct tw_error *error);
/* Goals of node i whose sources are known, or have failed, go on. */
void tw_state_advance_goals(struct tw_run *run, int32_t i);

/* state_failure.c: ends the run. The first such failure counts; `node` may be NULL. */
void tw_state_fail(struct tw_run *run, const struct tw_node *node, enum tw_status status,
                   const struct tw_error *error);
/* Node i cannot be computed, since `node` failed. The caller settles. */
void tw_state_fail_node(struct tw_run *run, int32_t i, const struct tw_node *node,
                        enum tw_status status, const struct tw_error *error);
/* Gives up what node i, which is TW_FAILED, was needed for, and what was needed for it alone. */
void tw_state_spread_failure(struct tw_run *run, int32_t i);
/* Gives node i up where it waits for a value that never comes, or is needed no more. */
void tw_state_review(struct tw_run *run, int32_t i);
/* Whether a value will never be in memory. */
bool tw_state_is_lost(const struct tw_run *run, struct tw_source source);
void tw_state_close_goal(struct tw_run *run, struct tw_goal *goal);
/* Closes it without a result. */
void tw_state_drop_goal(struct tw_run *run, struct tw_goal *goal);
/* The goal's file cannot be written. The caller settles. */
void tw_state_fail_goal(struct tw_run *run, struct tw_goal *goal, enum tw_status status,
                        const struct tw_error *error);

/* state_claims.c: whether the value is in memory. */
bool tw_state_has_value(const struct tw_run *run, struct tw_source source);
/* Whether all values of node i that are in use are. */
bool tw_state_is_complete(const struct tw_run *run, int32_t i);
/* Ends one use of a value. */
void tw_state_release(struct tw_run *run, struct tw_source source);
/* Node i uses its sources until it is computed or known by an entry. */
void tw_state_hold_claims(struct tw_run *run, int32_t i);
void tw_state_drop_claims(struct tw_run *run, int32_t i);
/* Whether an edge of node i comes from outside of what is fused with it. */
bool tw_state_is_input(const struct tw_run *run, int32_t i, int32_t edge);
/* Whether the inputs of node i, and of all that is fused with it, are in memory. */
bool tw_state_has_inputs(const struct tw_run *run, int32_t i);
/* The lowest consumer that waits for a value of node i: a node, or the number of nodes plus a
 * goal's; INT32_MAX: none. */
int32_t tw_state_first_waiting(const struct tw_run *run, int32_t i);

/* state_store.c: takes the digests of the outputs that the task computed. False when one differs
 * from what the node gave before, in this run or in one that left an entry. */
bool tw_state_take_stamps(struct tw_slot *slot, const struct tw_task *task);
/* Node i took so many seconds: what it takes to compute its values again. */
void tw_state_count_debt(struct tw_run *run, int32_t i, double seconds);
/* Puts node i among those whose entries and values are written. */
void tw_state_queue_store(struct tw_run *run, int32_t i);

/* progress.c: node i is done, before it is known. */
void tw_progress_done(struct tw_run *run, int32_t i);
/* Reports the work that is done and `share` of what is under way. */
void tw_progress_report(struct tw_run *run, const char *node, double share);
/* The same with the shares of the nodes that are being computed; nothing without any. */
void tw_progress_tick(struct tw_run *run);

/* goals.c: lists them; false without memory. */
bool tw_goals_list(struct tw_run *run);

/* largest_size.c: estimates the largest square map that fits in memory whole, where this one takes
 * `bytes`. */
void tw_run_print_largest(const struct tw_run *run, uint64_t bytes, char *text, size_t size);

/* slots.c: one for each node, empty; false without memory. tw_slots_release() in any case. */
bool tw_slots_create(struct tw_run *run);
void tw_slots_release(struct tw_run *run);

/* results.c: the outputs' values, moved out of the run that succeeded. */
enum tw_status tw_results_keep(struct tw_run *run, struct tw_result **out, struct tw_error *err);
/* The report of a run, however it ended; false when memory ran out for parts of it. */
bool tw_results_summarise(struct tw_run *run, struct tw_run_summary *report);

/* state_entry.c: the key of node i, whose sources are known; false after a failure. */
bool tw_state_make_key(struct tw_run *run, int32_t i);
/* Takes the stamps of an entry. False when they do not do: it is none of this node's, or holds too
 * few outputs. */
bool tw_state_take_entry(struct tw_run *run, int32_t i, const struct tw_action *action);
/* `done`: what happens to the node or export instead, as "computed". */
void tw_state_warn_damaged(const struct tw_run *run, const char *name, const char *done);

/* schedule.c: starts as many jobs as there are free workers. */
void tw_jobs_start(void *context); /* the run */
/* Fails a run that was cancelled or takes too long. */
void tw_jobs_poll(void *context); /* the run */

/* export.c. `values` has one entry per source. */
enum tw_status tw_export_write(const struct tw_run *run, const struct tw_goal *goal,
                               const struct tw_value *const *values,
                               const struct tw_workers *workers, struct tw_export_summary *report,
                               struct tw_error *err);
/* Key of the action that records which bytes the sources are exported to; false without memory. */
bool tw_export_key(const struct tw_goal *goal, const struct tw_stamp *const *stamps,
                   struct tw_sha256 *key);
/* True when the file in the folder is the one whose bytes the cache knows by `content`; then the
 * report has its length and digests. */
bool tw_export_is_fresh(const struct tw_run *run, const struct tw_sha256 *content,
                        struct tw_export_summary *report);
/* Removes what killed runs left next to the file, which writing it does by itself. */
void tw_export_sweep(const char *folder, const struct tw_export *item);

#endif
