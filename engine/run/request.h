/* SPDX-License-Identifier: MIT */
/* What is requested of a run, what it reports while it works, and its outcome. */
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
    TW_OUTCOME_UNDECIDED,  /* dry run: depends on one that would be computed; or the run stopped */
    TW_OUTCOME_HIT,        /* answered from the cache */
    TW_OUTCOME_COMPUTED,   /* dry run: its key missed, so it would be */
};

/* The outcome of a node. */
struct tw_node_summary {
    enum tw_outcome outcome;
    char *key_text;                 /* NULL without a cache; allocated */
    double seconds;                 /* computing took, now or when the cache entry was made */
    bool loaded;                    /* a blob was read */
    bool redone;                    /* unchanged, but a value was needed that no cache has */
    bool remote;                    /* the cache entry came from the remote cache */
    bool fetched;                   /* the blob did */
    const struct tw_stamp *outputs; /* by port; the report of the run has them */
    uint32_t stamped;               /* one bit per output whose stamp is known */
    uint32_t lacking;               /* one bit per used output that its cache entry lacked */
    struct tw_need forecast;        /* of memory */
    uint64_t scratch_bytes;         /* taken when it was computed */
};

struct tw_export_summary {
    const struct tw_export *item;
    bool there;   /* the file on disk is what the run gave; of a dry run, where that is known */
    bool failed;  /* it could not be computed or written, and the run went on */
    bool written; /* false: it was up to date, or a dry run */
    uint64_t bytes;
    struct tw_export_identity identity; /* of its bytes: SHA-256 if request.digest_files */
};

/* Values that left memory for the disk, to stay within the limit. */
struct tw_spill_counts {
    uint64_t values, bytes; /* each once */
    uint64_t written_bytes; /* of these: the others were in the cache folder already */
    uint64_t read_bytes;    /* back, as often as that was */
};

struct tw_run_summary {
    struct tw_node_summary *nodes; /* by node of the recipe */
    int32_t node_count;
    struct tw_stamp *stamps; /* what nodes' `outputs` point to */
    struct tw_export_summary *exports;
    int32_t export_count;
    uint64_t peak_bytes; /* forecast, one node after the other: values, scratch, files */
    uint64_t used_bytes; /* the most that was taken at once */
    bool spills;         /* whole values do not fit; the counts, and the forecast of them for a
                            run that finds nothing in the cache: */
    struct tw_spill_counts spilled, spill_forecast;
    int32_t needed;  /* nodes needed */
    bool has_remote; /* a remote cache was asked; its counts, of all runs with it: */
    struct tw_remote_counts remote;
    int32_t failed_node;    /* that ended the run; -1 for none */
    enum tw_status failure; /* the worst of those that request.failed got; TW_OK: none */
};

/* What happens in a run, as it happens, on the thread that runs. Members may be NULL. */
struct tw_run_observer {
    /* Before the first node, when the run is known to be possible. */
    void (*plan)(void *context, const struct tw_plan *plan, int32_t exports);
    void (*started)(void *context, int32_t node);
    /* Once a node: computed, or answered from the cache. */
    void (*done)(void *context, int32_t node, enum tw_outcome outcome, double seconds);
    void (*exported)(void *context, const struct tw_export_summary *report);
    void *context;
};

struct tw_run_failure {
    int32_t node;                 /* -1: an export */
    const struct tw_export *item; /* NULL: a node */
    const struct tw_error *error;
};

struct tw_run_request {
    const struct tw_run_options *options;
    const char *export_folder; /* NULL: keep the outputs' values; else write exports there */
    bool cache_only; /* without a folder: keep nothing, leave what exports need in the cache, too */
    int32_t bands;   /* go in bands of so many rows; -1: of a suitable number; 0: only where the
                        whole  maps are beyond the memory limit or 2^28 cells (bands.h) */
    bool dry;        /* decide everything, compute and write nothing */
    bool stamp_all;  /* digests of all nodes are known afterwards, cache or not */
    bool digest_files; /* SHA-256 of exported files is wanted in the report */
    /* Seconds by node for progress, asked for when the first one is computed; NULL: all the same.
     */
    const double *(*expect)(void *context); /* may be NULL */
    void *expect_context;
    struct tw_trace *trace; /* may be NULL */
    struct tw_memo *memo;   /* what runs before this one left in memory; may be NULL */
    const struct tw_run_observer *observer; /* may be NULL */
    struct tw_run_summary *report; /* may be NULL; tw_run_summary_release() it in any case */
    /* Called with each failure of a node or export, which then ends what depends on it and nothing
     * else. A run that got to its end this way returns TW_OK. NULL: the first failure ends the run,
     * as one that tw_run_goes_on() is false for does in any case. */
    void (*failed)(void *context, const struct tw_run_failure *failure);
    void *failed_context;
    /* Asked when a stopped run waits for nothing but nodes and no file is being written: whether
     * the process ends here and now, which abandon() then does; the report is there for it. NULL:
     * wait for them. */
    bool (*may_abandon)(void);
    void (*abandon)(void);
};

/* Values that outlive a run. */
struct tw_result {
    struct tw_kept {
        char *name;
        struct tw_value value;
    } * kept;
    int32_t count;
};

/* Workers of a run; libuv's pool needs 2 more, for a reader and a writer. */
int32_t tw_run_threads(const struct tw_run_options *options);
/* Whether other recipes, nodes and exports go on after a failure with this status: not after a
 * signal, and not where memory or time ran out. */
bool tw_run_goes_on(enum tw_status status);
/* TW_USAGE when the recipe has no output `only`, which may be NULL. */
enum tw_status tw_run_check_only(const struct tw_recipe *recipe, const char *only,
                                 struct tw_error *err);
/* Whether a run of output `only` (NULL: of all) writes this export. */
bool tw_run_selects(const struct tw_export *item, const char *only);
void tw_run_summary_release(struct tw_run_summary *report);

#endif
