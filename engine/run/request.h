/* SPDX-License-Identifier: MIT */
/* Request of a run, what it reports while it works, and its outcome. */
#ifndef TW_ENGINE_RUN_REQUEST_H
#define TW_ENGINE_RUN_REQUEST_H

#include "cache/memo.h"
#include "cache/remote.h"
#include "graph/key.h"
#include "graph/plan.h"
#include "run/export_digest.h"
#include "run/trace.h"

#include <thalweg/thalweg.h>

enum tw_outcome {
    TW_OUTCOME_NOT_NEEDED, /* no requested output depends on it */
    TW_OUTCOME_UNDECIDED,  /* dry run: depends on a node that would be computed; or the run stopped
                            */
    TW_OUTCOME_HIT,        /* answered from the cache */
    TW_OUTCOME_COMPUTED,   /* in a dry run: its key missed, so it would be computed */
};

/* The outcome of a node. */
struct tw_node_summary {
    enum tw_outcome outcome;
    char *key_text; /* NULL without a cache; allocated */
    double seconds; /* time to compute it, now or when its cache entry was made */
    bool loaded;    /* a value was read from the cache */
    bool redone;    /* unchanged, but computed again for a value that no cache has */
    bool remote;    /* its entry came from the remote cache */
    bool fetched;   /* its values came from the remote cache */
    const struct tw_stamp *outputs; /* by port; owned by the run's summary */
    uint32_t stamped;               /* one bit per output whose stamp is known */
    uint32_t lacking;               /* one bit per used output that its cache entry lacked */
    struct tw_need forecast;        /* forecast of its memory */
    uint64_t scratch_bytes;         /* scratch that computing it took */
};

struct tw_export_summary {
    const struct tw_export *item;
    bool there;   /* the file on disk matches the run; in a dry run, if known */
    bool failed;  /* it failed, and the run went on */
    bool written; /* false: it was up to date, or a dry run */
    uint64_t bytes;
    struct tw_export_identity identity; /* of the file's bytes: SHA-256 if request.digest_files */
};

/* Values spilled to disk to stay within the memory limit. */
struct tw_spill_counts {
    uint64_t values, bytes; /* each counted once */
    uint64_t written_bytes; /* of `bytes`: the rest was in the cache folder already */
    uint64_t read_bytes;    /* read back, counted each time */
};

struct tw_run_summary {
    struct tw_node_summary *nodes; /* by node of the recipe */
    int32_t node_count;
    struct tw_stamp *stamps; /* storage for the `outputs` of nodes */
    struct tw_export_summary *exports;
    int32_t export_count;
    uint64_t peak_bytes; /* forecast of running one node after another: values, scratch, files */
    uint64_t used_bytes; /* most memory taken at once */
    bool spills; /* whole values do not fit in memory; the counts, and their forecast for an empty
                    cache: */
    struct tw_spill_counts spilled, spill_forecast;
    int32_t needed;  /* nodes needed */
    bool has_remote; /* the run used a remote cache; its counts, over all runs that share it: */
    struct tw_remote_counts remote;
    int32_t failed_node;    /* the node that ended the run; -1 for none */
    enum tw_status failure; /* the worst failure passed to request.failed; TW_OK: none */
};

/* Callbacks on the thread that runs, as things happen. Members may be NULL. */
struct tw_run_observer {
    /* Before the first node, once the run is known to be possible. */
    void (*plan)(void *context, const struct tw_plan *plan, int32_t exports);
    void (*started)(void *context, int32_t node);
    /* Once per node, computed or answered from the cache. */
    void (*done)(void *context, int32_t node, enum tw_outcome outcome, double seconds);
    void (*exported)(void *context, const struct tw_export_summary *report);
    void *context;
};

/* Takes the values of outputs as they become ready, on the thread that runs, instead of keeping
 * them until the end. */
struct tw_run_display {
    /* Whether a value with this stamp, whose `content` may be zero, need not be shown again. */
    bool (*knows)(void *context, const char *output, const struct tw_stamp *stamp);
    void (*show)(void *context, const char *output, const struct tw_stamp *stamp,
                 const struct tw_value *value);
    void *context;
};

struct tw_run_failure {
    int32_t node;                 /* -1: an export */
    const struct tw_export *item; /* NULL: a node */
    const struct tw_error *error;
};

struct tw_run_request {
    const struct tw_run_options *options;
    const char *export_folder; /* NULL: keep the outputs' values; otherwise write exports there */
    bool
        cache_only; /* without a folder: keep no values, but leave what exports need in the cache */
    /* What makes read-only files of exports writable that would change; NULL: they are replaced. */
    const struct tw_checkout *checkout;
    int32_t bands; /* rows per band; -1: choose a number; 0: use bands only if whole maps exceed the
                      memory limit or 2^28 cells (bands.h) */
    bool dry;      /* decide everything; compute and write nothing */
    bool judges;   /* judge what the recipe asserts */
    bool stamp_all;    /* compute digests of all nodes, with or without a cache */
    bool digest_files; /* report the SHA-256 of exported files */
    /* Returns the expected seconds by node, for progress; called when the first node is computed.
     * NULL: weigh all nodes alike. */
    const double *(*expect)(void *context); /* may be NULL */
    void *expect_context;
    struct tw_trace *trace; /* may be NULL */
    struct tw_memo *memo;   /* values that earlier runs left in memory; may be NULL */
    const struct tw_run_observer *observer; /* may be NULL */
    const struct tw_run_display *display;   /* without a folder; NULL: keep the outputs' values */
    struct tw_run_summary *report;          /* may be NULL; always tw_run_summary_release() it */
    /* Called with each failure of a node or export; the run then goes on without what depends on
     * it, and returns TW_OK at its end. NULL: the first failure ends the run. A failure for which
     * tw_run_goes_on() is false always does. */
    void (*failed)(void *context, const struct tw_run_failure *failure);
    void *failed_context;
    /* Called when a stopped run waits only for nodes and is writing no file: returns whether to end
     * the process here, which abandon() then does; the report is filled in for it. NULL: wait for
     * the nodes. */
    bool (*may_abandon)(void);
    void (*abandon)(void);
};

/* Values that outlive their run. */
struct tw_result {
    struct tw_kept {
        char *name;
        struct tw_value value;
    } * kept;
    int32_t count;
    struct tw_run_report report;
    struct tw_node_report *nodes; /* those that were needed; report.nodes of them */
};

/* Notes what a run did in its result. */
enum tw_status tw_results_report(struct tw_result *result, const struct tw_recipe *recipe,
                                 const struct tw_run_summary *summary, double seconds,
                                 struct tw_error *err);

/* Number of workers of a run; libuv's pool needs 2 more, for a reader and a writer. */
int32_t tw_run_threads(const struct tw_run_options *options);
/* Whether other recipes, nodes and exports continue after a failure with this status: not after a
 * signal, nor when memory or time ran out. */
bool tw_run_goes_on(enum tw_status status);
/* TW_USAGE if the recipe has no output `only`, which may be NULL. */
enum tw_status tw_run_check_only(const struct tw_recipe *recipe, const char *only,
                                 struct tw_error *err);
/* Whether a run of output `only` (NULL: all outputs) writes this export. */
bool tw_run_selects(const struct tw_export *item, const char *only);
void tw_run_summary_release(struct tw_run_summary *report);

#endif
