/* SPDX-License-Identifier: MIT */
/* A recipe's state: everything that decides its results, and of the results what they are, but not
 * the values. Lock files hold one (lock.h); two are compared by drift.h.
 *
 * What decides a node stands in its facts, by name: type, version, borders, seed, file, and with a
 * dot params.talus, inputs.in. Facts are sorted by name. A snapshot holds enough to build the same
 * graph again. */
#ifndef TW_ENGINE_GATE_SNAPSHOT_H
#define TW_ENGINE_GATE_SNAPSHOT_H

#include "runner/runner.h"

struct tw_fact {
    const char *name, *value;
};
struct tw_facts {
    struct tw_fact *at;
    int32_t count, capacity;
};
/* NULL when there is none of that name. */
const char *tw_facts_find(const struct tw_facts *facts, const char *name);
/* False without memory. Both texts are copied into the arena. */
bool tw_facts_add(struct tw_arena *arena, struct tw_facts *facts, const char *name,
                  const char *value);
void tw_facts_sort(struct tw_facts *facts);

/* An output of the recipe, or an exported file as a reader of it sees it: PNG bytes differ between
 * versions of zlib, the decoded values do not. An entry with tiles is described as one file. */
struct tw_result_facts {
    const char *name;
    const char *type;      /* heightmap; of a file that is text, its ending: json */
    int32_t width, height; /* of a list: entries, and 1; of text: bytes, and 1 */
    bool ranged;           /* least, greatest and mean mean something: maps and images */
    double least, greatest, mean;
    int32_t line, column; /* of a lock; 0: from no file */
    char sha256[65];      /* of type, size and the elements, little-endian; of text its bytes */
};

/* All but the name. */
void tw_result_describe(const struct tw_value *value, struct tw_result_facts *facts);

struct tw_snapshot_node {
    const char *path;         /* hills/noise */
    struct tw_facts causes;   /* what decides its outputs, except the values of its inputs */
    struct tw_facts contents; /* by output that is used: digest of the value */
};

struct tw_snapshot {
    struct tw_arena arena;
    const char *engine;               /* version of the engine */
    struct tw_facts world;            /* borders, height, seed, side, size, width: of all nodes */
    struct tw_facts given;            /* what the command line gave besides: seed, size, set.NAME */
    int32_t given_line, given_column; /* of a lock; 0: from no file */
    struct tw_snapshot_node *nodes;
    int32_t node_count;
    struct tw_result_facts *outputs, *exports;
    int32_t output_count, export_count;
};

const struct tw_snapshot_node *tw_snapshot_find(const struct tw_snapshot *snapshot,
                                                const char *path);
void tw_snapshot_release(struct tw_snapshot *snapshot);

struct tw_merged;
struct tw_snapshot_request {
    const struct tw_run_options *run;
    /* The observer of a graph that is about to run, made of some of the recipes; may be NULL. */
    const struct tw_run_observer *(*observe)(void *context, const struct tw_merged *merged,
                                             struct tw_recipe *const *parts);
    /* Called with each failure of a recipe, which then has no snapshot while the others get theirs.
     * NULL: the first failure ends all, as what tw_run_goes_on() is false for does in any case. */
    void (*failed)(void *context, int32_t recipe, const struct tw_error *error);
    void *context;
};

/* Runs the recipes, those of one size and world as one graph in which equal nodes are one, and
 * describes each. `snapshots` holds `count`; where this fails all are NULL. `computed` counts the
 * nodes that the cache did not answer; it may be NULL. */
enum tw_status tw_snapshot_take(struct tw_recipe *const *recipes, int32_t count,
                                const struct tw_snapshot_request *request,
                                struct tw_snapshot **snapshots, int32_t *computed,
                                struct tw_error *err);

/* What decides a recipe's outputs, without running it: no contents, results or digests of files. */
enum tw_status tw_snapshot_describe(struct tw_recipe *recipe, struct tw_snapshot **snapshot,
                                    struct tw_error *err);

/* snapshot_results.c */
bool tw_snapshot_add_output(struct tw_snapshot *snapshot, const char *name,
                            const struct tw_value *value);
enum tw_status tw_snapshot_add_export(struct tw_snapshot *snapshot, const struct tw_export *item,
                                      const struct tw_value *const *values, struct tw_error *err);

/* snapshot_recipe.c: the graph that a snapshot was taken of, without outputs or exports: types are
 * looked up in this engine, files relative to `folder`. TW_RECIPE, with the reason, when this
 * engine has another version of a node or a file has other bytes. */
enum tw_status tw_snapshot_recipe(const struct tw_snapshot *snapshot, const char *folder,
                                  const char *const *allow, struct tw_recipe **recipe,
                                  struct tw_error *err);

#endif
