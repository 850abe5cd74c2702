/* SPDX-License-Identifier: MIT */
/* State machine of a run; the loop thread owns all of it. A needed node first becomes known: by the
 * action table if its key hits, otherwise by being computed. Only then can its users' keys be made,
 * so a changed node with equal output stops the rebuild there. Values are separate: a known node's
 * values are loaded or computed only for a user that must be computed, or for a goal. */
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
    TW_IDLE,     /* no job in progress */
    TW_ASKING,   /* waits for its entry from the server */
    TW_DEMANDED, /* known; its values must be loaded or computed */
    TW_QUEUED,   /* waits for a reader */
    TW_WAITING,  /* must be computed, waits for values */
    TW_READY,    /* must be computed, waits for a worker */
    TW_BUSY,     /* a worker computes it or loads its values */
    TW_FAILED,   /* it or one of its inputs failed, or it is no longer needed */
};

struct tw_slot {
    enum tw_phase phase;
    enum tw_outcome outcome;
    bool known;   /* all used outputs have stamps; without a cache, only those of goals */
    bool claims;  /* it holds its claims on its inputs */
    bool missing; /* the cache lacks its values */
    bool loaded;  /* its values were read from the cache */
    bool redone;  /* its entry hit, but its values were computed again */
    bool is_goal; /* a goal takes one of its outputs */
    bool storing; /* in the list of stores */
    bool to_disk; /* its values are worth storing on disk */
    bool remote;  /* its entry came from the server */
    bool fetched; /* its values came from the server */
    bool lost;    /* the server no longer has the values of its entry */
    bool sending; /* in the list of sends */
    int32_t first_goal, end_goal; /* the goals that take an output: first to end - 1 */
    uint32_t held;                /* one bit per port whose value is kept for a pending store */
    int32_t unknown_sources;
    uint32_t stamped; /* one bit per output whose stamp is valid */
    uint32_t lacking; /* one bit per used output that its cache entry lacked */
    /* By output. The run owns the memory, since most nodes have one output of TW_PORTS_MAX. */
    int32_t outputs; /* their number */
    struct tw_stamp *stamps;
    struct tw_value *values;
    int32_t *uses; /* claims of users, goals and writers; at 0 the value is freed */
    struct tw_sha256 key;
    char *key_text;
    struct tw_key_file file; /* state of the file that a parameter names */
    double seconds;
    double debt;            /* processor time to compute its values again from stored ones */
    uint64_t scratch_bytes; /* scratch that computing it took */
    struct tw_task *task;   /* while a worker computes it */
};

enum tw_goal_kind { TW_GOAL_VALUE, TW_GOAL_SHOWN, TW_GOAL_STAMP, TW_GOAL_EXPORT };

/* A goal of the run: an output's value, kept or only shown, or its digest, or an exported file. */
struct tw_goal {
    enum tw_goal_kind kind;
    const char *name; /* of the output or the file */
    const struct tw_export *item;
    const struct tw_output *sources; /* several for some exports, otherwise one */
    int32_t file;    /* for a sidecar or picture: the goal of the file that it lies beside, or -1 */
    int32_t beside;  /* for a file: the goal of the last file beside it, or -1 */
    int32_t sibling; /* the goal of the file before this one that lies beside the same, or -1 */
    bool checked;    /* export: it was compared with the file on disk */
    bool busy, done, failed; /* failed implies done */
    struct tw_export_summary report;
};

struct tw_run {
    const struct tw_recipe *recipe;
    const struct tw_run_request *request;
    const struct tw_run_options *options;
    struct tw_plan plan;
    struct tw_bands *bands;       /* NULL unless the run goes in bands of rows: bands.h */
    struct tw_spilling *spilling; /* NULL unless the run spills values to disk: spill.h */
    struct tw_pool pool;
    struct tw_cache cache;
    struct tw_slot *slots;
    struct tw_stamp
        *stamps; /* storage for all slots, like the next two; the summary takes it over */
    struct tw_value *values;
    int32_t *uses;
    struct tw_goal *goals;
    struct tw_output *goal_sources; /* storage for goals with one source */
    int32_t goal_count, open_goals;
    /* Empty once the state is settled: nodes to decide, nodes whose values are demanded, nodes that
     * failed. */
    struct tw_work_list undecided, demanded, failures;
    struct tw_work_list loads, stores, deliveries; /* for I/O workers */
    struct tw_work_list asks, sends;               /* for workers that wait for the server */
    struct tw_work_list ready;                     /* for compute workers: a heap by index */
    struct tw_memory memory;
    struct tw_quick quick;
    bool postponed;    /* quick nodes wait for the next turn of the loop */
    bool serial;       /* --max-memory: one node or load at a time */
    int32_t computing; /* nodes on workers */
    int32_t requests;  /* workers that wait for the server; of these, workers that send: */
    int32_t sending;
    const double *expected;           /* expected seconds by node; NULL: all alike */
    double done_weight, total_weight; /* for progress; 0 until it is first reported */
    atomic_bool stop;                 /* cancels the run */
    atomic_bool stop_nodes;           /* cancels the nodes being computed */
    uint64_t deadline;                /* on uv_hrtime()'s clock; 0: none */
    enum tw_status status;            /* why the run ended */
    int32_t failed_node;              /* the first that failed; -1 for none */
    struct tw_error *error;
    enum tw_status failure; /* the worst failure after which the run went on */
};

/* state.c: transitions, on the loop thread. Each leaves the state settled. */
void tw_state_begin(struct tw_run *run);
/* A worker computed node i: moves its outputs and stamps out of the task. */
void tw_state_computed(struct tw_run *run, int32_t i, struct tw_task *task);
/* A worker failed to compute node i, because of `node`: node i, or one fused with it. */
void tw_state_uncomputed(struct tw_run *run, int32_t i, const struct tw_node *node,
                         enum tw_status status, const struct tw_error *error);
/* The server answered the request for node i's entry; NULL: it has none. */
void tw_state_asked(struct tw_run *run, int32_t i, const struct tw_action *action);
/* A worker tried to load node i's claimed values; moves them out of `values`. */
void tw_state_loaded(struct tw_run *run, int32_t i, struct tw_value *values, bool ok);
/* A value is now in a file: frees its memory. */
void tw_state_spilled(struct tw_run *run, struct tw_source source);
/* A worker compared or wrote a goal's file. */
void tw_state_delivered(struct tw_run *run, int32_t goal, bool done);
/* A worker failed to write a goal's file. */
void tw_state_undelivered(struct tw_run *run, int32_t goal, enum tw_status status,
                          const struct tw_error *error);
/* Advances goals of node i whose sources are all known, or have failed. */
void tw_state_advance_goals(struct tw_run *run, int32_t i);

/* state_failure.c: ends the run. The first such failure counts; `node` may be NULL. */
void tw_state_fail(struct tw_run *run, const struct tw_node *node, enum tw_status status,
                   const struct tw_error *error);
/* Node i cannot be computed, because of `node`. The caller settles. */
void tw_state_fail_node(struct tw_run *run, int32_t i, const struct tw_node *node,
                        enum tw_status status, const struct tw_error *error);
/* Drops the users of node i, which is TW_FAILED, and whatever was needed for it alone. */
void tw_state_spread_failure(struct tw_run *run, int32_t i);
/* Drops node i if it waits for a value that cannot be computed, or is no longer needed. */
void tw_state_review(struct tw_run *run, int32_t i);
/* Whether a value will never be in memory. */
bool tw_state_is_lost(const struct tw_run *run, struct tw_source source);
void tw_state_close_goal(struct tw_run *run, struct tw_goal *goal);
/* Closes a goal without a result. */
void tw_state_drop_goal(struct tw_run *run, struct tw_goal *goal);
/* The goal's file cannot be written. The caller settles. */
void tw_state_fail_goal(struct tw_run *run, struct tw_goal *goal, enum tw_status status,
                        const struct tw_error *error);

/* state_claims.c: whether the value is in memory. */
bool tw_state_has_value(const struct tw_run *run, struct tw_source source);
/* Whether all values of node i that are in use are in memory. */
bool tw_state_is_complete(const struct tw_run *run, int32_t i);
/* Ends one use of a value. */
void tw_state_release(struct tw_run *run, struct tw_source source);
/* Node i claims its sources until it is computed or known by an entry. */
void tw_state_hold_claims(struct tw_run *run, int32_t i);
void tw_state_drop_claims(struct tw_run *run, int32_t i);
/* Whether an edge of node i comes from outside its fused group. */
bool tw_state_is_input(const struct tw_run *run, int32_t i, int32_t edge);
/* Whether the inputs of node i, and of all nodes fused with it, are in memory. */
bool tw_state_has_inputs(const struct tw_run *run, int32_t i);
/* Returns the lowest consumer that waits for a value of node i: a node, or the number of nodes plus
 * a goal's index; INT32_MAX: none. */
int32_t tw_state_first_waiting(const struct tw_run *run, int32_t i);

/* state_store.c: takes the digests of the outputs that the task computed. False if one differs from
 * an earlier result of the node, in this run or in a cache entry. */
bool tw_state_take_stamps(struct tw_slot *slot, const struct tw_task *task);
/* Adds so many seconds to the debt of node i: the time to compute its values again. */
void tw_state_count_debt(struct tw_run *run, int32_t i, double seconds);
/* Queues node i's entry and values to be written. */
void tw_state_queue_store(struct tw_run *run, int32_t i);

/* progress.c: counts node i as done; called before the node becomes known. */
void tw_progress_done(struct tw_run *run, int32_t i);
/* Reports the finished work plus `share` of the work in progress. */
void tw_progress_report(struct tw_run *run, const char *node, double share);
/* Reports progress with the shares of the nodes being computed; does nothing if there are none. */
void tw_progress_tick(struct tw_run *run);

/* goals.c: lists the run's goals; false if memory runs out. */
bool tw_goals_list(struct tw_run *run);

/* largest_size.c: estimates the largest square map that fits in memory whole, given that this one
 * takes `bytes`. */
void tw_run_print_largest(const struct tw_run *run, uint64_t bytes, char *text, size_t size);

/* slots.c: creates an empty slot per node; false if memory runs out. Call tw_slots_release() in any
 * case. */
bool tw_slots_create(struct tw_run *run);
void tw_slots_release(struct tw_run *run);

/* results.c: moves the outputs' values out of a run that succeeded. */
enum tw_status tw_results_keep(struct tw_run *run, struct tw_result **out, struct tw_error *err);
/* Summarises a run, however it ended; false if memory ran out for parts of the summary. */
bool tw_results_summarise(struct tw_run *run, struct tw_run_summary *report);

/* state_entry.c: makes the key of node i, whose sources are known; false after a failure. */
bool tw_state_make_key(struct tw_run *run, int32_t i);
/* Takes the stamps of an entry. False if the entry does not fit the node's outputs, or holds too
 * few. */
bool tw_state_take_entry(struct tw_run *run, int32_t i, const struct tw_action *action);
/* `done`: what happens to the node or export instead, such as "computed". */
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
/* Before the file `written` replaces `path`: decides, with the request's `checkout`, about one that
 * is read-only. If it has the same bytes, it `stays`; any other must be made writable, as
 * tw_checkout_take() says. */
enum tw_status tw_export_take_place(const struct tw_run *run, const char *written, const char *path,
                                    bool *stays, struct tw_error *err);
/* Makes the key of the action that records the bytes the sources are exported to; false if memory
 * runs out. */
bool tw_export_key(const struct tw_goal *goal, const struct tw_stamp *const *stamps,
                   struct tw_sha256 *key);
/* True if the file in the folder has the digest `content`; the report then gets its length and
 * digests. */
bool tw_export_is_fresh(const struct tw_run *run, const struct tw_sha256 *content,
                        struct tw_export_summary *report);
/* Removes temporary files that killed runs left next to the export's file. Writing the file does so
 * by itself. */
void tw_export_sweep(const char *folder, const struct tw_export *item);

#endif
