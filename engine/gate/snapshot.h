/* SPDX-License-Identifier: MIT */
/* A recipe's state: everything that decides its results, and a description of the results without
 * their values. Lock files hold one (lock.h); drift.h compares two. Facts record by name what
 * decides a node: type, version, borders, seed, file, and with a dot params.talus, inputs.in. Facts
 * are sorted by name. A snapshot suffices to build an equal graph again. */
#ifndef TW_ENGINE_GATE_SNAPSHOT_H
#define TW_ENGINE_GATE_SNAPSHOT_H

#include "gate/tolerance.h"
#include "runner/runner.h"

struct tw_fact {
    const char *name, *value;
};
struct tw_facts {
    struct tw_fact *at;
    int32_t count, capacity;
};
/* Returns NULL if there is no fact of that name. */
const char *tw_facts_find(const struct tw_facts *facts, const char *name);
/* Copies both texts into the arena. False if memory runs out. */
bool tw_facts_add(struct tw_arena *arena, struct tw_facts *facts, const char *name,
                  const char *value);
void tw_facts_sort(struct tw_facts *facts);

/* An output of the recipe, or an exported file as its readers see it: PNG bytes differ between
 * versions of zlib, decoded values do not. An entry with tiles counts as one file. */
struct tw_result_facts {
    const char *name;
    const char *type;      /* heightmap; for a text file its extension: json */
    int32_t width, height; /* of a list: entries, and 1; of text: bytes, and 1 */
    bool ranged;           /* maps and images: least, greatest and mean are set */
    double least, greatest, mean;
    int32_t line, column; /* in a lock; 0: from no file */
    bool tolerant;        /* of an output: `tolerance` is set */
    struct tw_tolerance tolerance;
    char sha256[65]; /* of type, size and the elements, little-endian; of a text file's bytes */
};

/* Fills in all but the name. */
void tw_result_describe(const struct tw_value *value, struct tw_result_facts *facts);

struct tw_snapshot_node {
    const char *path;         /* hills/noise */
    struct tw_facts causes;   /* all that decides its outputs, except the values of its inputs */
    struct tw_facts contents; /* by used output: digest of the value */
};

struct tw_snapshot {
    struct tw_arena arena;
    const char *engine;    /* version of the engine */
    struct tw_facts world; /* borders, height, seed, side, size, width: shared by all nodes */
    struct tw_facts given; /* from the command line: seed, size, set.NAME */
    int32_t given_line, given_column; /* in a lock; 0: from no file */
    struct tw_snapshot_node *nodes;
    int32_t node_count;
    struct tw_result_facts *outputs, *exports;
    int32_t output_count, export_count;
    /* Of the run that took it; not in a lock. */
    int32_t computed; /* nodes */
    double seconds;   /* of these */
};

const struct tw_snapshot_node *tw_snapshot_find(const struct tw_snapshot *snapshot,
                                                const char *path);
void tw_snapshot_release(struct tw_snapshot *snapshot);

struct tw_merged;
struct tw_snapshot_request {
    const struct tw_run_options *run;
    bool judges; /* judge what recipes assert */
    /* Returns the observer of a graph that is about to run, merged from some of the recipes; may be
     * NULL. */
    const struct tw_run_observer *(*observe)(void *context, const struct tw_merged *merged,
                                             struct tw_recipe *const *parts);
    /* Called with each failure of a recipe, which then gets no snapshot; the others still do. NULL:
     * the first failure ends everything. A failure for which tw_run_goes_on() is false always does.
     */
    void (*failed)(void *context, int32_t recipe, const struct tw_error *error);
    void *context;
};

/* Runs the recipes and describes each; recipes of one size and world run as one graph, in which
 * equal nodes run once. `snapshots` has `count` entries, all NULL on failure. `computed` counts the
 * nodes that the cache could not answer; may be NULL. */
enum tw_status tw_snapshot_take(struct tw_recipe *const *recipes, int32_t count,
                                const struct tw_snapshot_request *request,
                                struct tw_snapshot **snapshots, int32_t *computed,
                                struct tw_error *err);

/* Describes what decides a recipe's outputs, without running it: no contents, results or digests of
 * files. */
enum tw_status tw_snapshot_describe(struct tw_recipe *recipe, struct tw_snapshot **snapshot,
                                    struct tw_error *err);

/* snapshot_results.c */
bool tw_snapshot_add_output(struct tw_snapshot *snapshot, const char *name,
                            const struct tw_value *value);
enum tw_status tw_snapshot_add_export(struct tw_snapshot *snapshot, const struct tw_export *item,
                                      const struct tw_value *const *values, struct tw_error *err);

/* snapshot_recipe.c: rebuilds the graph of a snapshot, without outputs or exports; finds types in
 * this engine, and files relative to `folder`. TW_RECIPE, with the reason, if this engine has
 * another version of a node or a file has other bytes. */
enum tw_status tw_snapshot_recipe(const struct tw_snapshot *snapshot, const char *folder,
                                  const char *const *allow, struct tw_recipe **recipe,
                                  struct tw_error *err);
/* Loads the recipe of a snapshot even if nodes have other versions now: those cannot be computed,
 * and their values must be in the cache. */
enum tw_status tw_snapshot_cached_recipe(const struct tw_snapshot *snapshot, const char *folder,
                                         const char *const *allow, struct tw_recipe **recipe,
                                         struct tw_error *err);

#endif
