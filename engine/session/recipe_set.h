/* SPDX-License-Identifier: MIT */
/* The recipes of one `run`: loads them, merges them into graphs in which equal nodes appear once,
 * runs these, and gives each recipe its part of the report. Recipes of equal size and world share a
 * graph; graphs run one after the other. */
#ifndef TW_ENGINE_SESSION_RECIPE_SET_H
#define TW_ENGINE_SESSION_RECIPE_SET_H

#include "console/settings.h"
#include "graph/load/recipe.h"
#include "graph/merge.h"
#include "runner/history.h"
#include "runner/overwrite.h"
#include "runner/watch.h"
#include "session/recipe_folder.h"

/* One recipe of the call. */
struct tw_recipe_entry {
    const char *operand;
    const char *file;   /* its name in messages */
    const char *folder; /* receives its exports: place.path */
    const char *inside; /* part of `folder` below place.base: "" or "hills" */
    struct tw_recipe_folder place;
    struct tw_recipe *recipe;
    struct tw_history *history; /* of its earlier runs; NULL: none */
    /* Covers its own nodes and exports; the graph's report owns the key texts. */
    struct tw_run_summary report;
    int32_t graph;         /* index; -1: not assigned yet */
    struct tw_error fault; /* its first; status TW_OK: none */
};

/* Recipes that run together as one graph. */
struct tw_set_graph {
    struct tw_recipe *recipe; /* the merged recipe, or the only part's own */
    struct tw_merged merged;  /* set if it has several parts */
    const char *folder;       /* exports are named relative to it */
    double *expected;         /* seconds by node; NULL until tw_recipe_set_expected() */
    double weight;            /* sum of `expected` */
    struct tw_run_summary report;
};

struct tw_recipe_set {
    struct tw_recipe_entry *at;
    struct tw_set_graph *graphs;
    int32_t count, graph_count;
    const char *only; /* name of an output; NULL for all */
    bool shown;       /* a viewer merges the graphs and takes the values; nothing is written */
};

/* Names the recipes and their folders; fails only with TW_MEMORY. Initialise `parts` with {0}. */
enum tw_status tw_recipe_set_create(struct tw_recipe_set *parts, const struct tw_settings *settings,
                                    char **operands, struct tw_error *err);
/* Loads all recipes and reports every fault of each; adds the files that they read to `watch`,
 * unless that is NULL. `changes` has one entry per recipe; NULL: none. Returns the exit code. */
int tw_recipe_set_load(struct tw_recipe_set *parts, const struct tw_settings *settings,
                       const struct tw_load_changes *changes, struct tw_watch *watch,
                       struct tw_error *err);
/* Builds the graphs from the loaded recipes. `cache_dir` may be NULL. With parts->shown the viewer
 * must merge each of them. */
enum tw_status tw_recipe_set_join(struct tw_recipe_set *parts, const char *cache_dir,
                                  struct tw_error *err);
/* Returns the seconds that each of a graph's nodes took when its recipes last ran; NULL without
 * memory. */
const double *tw_recipe_set_expected(struct tw_recipe_set *parts, int32_t graph);
/* Returns the output that the graph's run is limited to, NULL for all: a merged graph contains only
 * the needed outputs. */
const char *tw_recipe_set_only(const struct tw_recipe_set *parts, const struct tw_set_graph *graph);
/* Checks, before anything runs, that `only` names outputs, that recipes do not write a file twice
 * or one that is read, and that memory, folders and disk space suffice. `guard` gets all files that
 * the recipes read. */
enum tw_status tw_recipe_set_check(const struct tw_recipe_set *parts,
                                   const struct tw_run_request *request,
                                   struct tw_overwrite_guard *guard, struct tw_error *err);
/* Returns the part's own node that became node i of its graph; NULL for none. */
const struct tw_node *tw_recipe_set_find_node(const struct tw_recipe_set *parts,
                                              const struct tw_recipe_entry *part, int32_t i);
/* Returns the part's own export that became `item` of its graph; NULL for none. */
const struct tw_export *tw_recipe_set_find_export(const struct tw_recipe_set *parts,
                                                  const struct tw_recipe_entry *part,
                                                  const struct tw_export *item);
/* Distributes a graph's report to its parts after it ran. */
void tw_recipe_set_share_summary(struct tw_recipe_set *parts, int32_t graph);
void tw_recipe_set_release(struct tw_recipe_set *parts);

#endif
