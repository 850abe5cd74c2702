/* SPDX-License-Identifier: MIT */
/* The recipes of one `run`: loaded, put together into graphs in which equal nodes are one, run, and
 * what each of them got. Recipes of one size and world share a graph; others run one after the
 * other. */
#ifndef TW_ENGINE_SESSION_RECIPE_SET_H
#define TW_ENGINE_SESSION_RECIPE_SET_H

#include "console/settings.h"
#include "graph/merge.h"
#include "runner/history.h"
#include "runner/overwrite.h"
#include "runner/watch.h"

/* A recipe of the call. */
struct tw_recipe_entry {
    const char *operand;
    const char *file;   /* as messages call it */
    char *folder;       /* that its exports go to: --out with {recipe} replaced */
    const char *inside; /* what of that lies below the common folder: "" or "hills/" */
    struct tw_recipe *recipe;
    struct tw_history *history; /* NULL without */
    /* Of its own nodes and exports. Key texts belong to the graph's report. */
    struct tw_run_summary report;
    int32_t graph; /* index; -1: not put into one yet */
};

/* Recipes that run together. */
struct tw_set_graph {
    struct tw_recipe *recipe; /* the merged one, or that of its only part */
    struct tw_merged merged;  /* of several parts */
    const char *folder;       /* that its exports are named below */
    double *expected;         /* seconds by node; NULL until tw_recipe_set_expected() */
    double weight;            /* their sum */
    struct tw_run_summary report;
};

struct tw_recipe_set {
    struct tw_recipe_entry *at;
    struct tw_set_graph *graphs;
    int32_t count, graph_count;
    const char *only; /* output; NULL for all */
    bool keeps;       /* outputs' values are kept, and nothing is written */
    char *base;       /* the part of --out that has no {recipe} */
};

/* False, and reported, when --out has a placeholder other than {recipe}, or the name of a recipe in
 * its place makes a folder that not every system has. */
bool tw_recipe_set_check_out(const struct tw_settings *settings, char **operands);
/* Names the parts and their folders; TW_MEMORY. `parts` starts as {0}. */
enum tw_status tw_recipe_set_create(struct tw_recipe_set *parts, const struct tw_settings *settings,
                                    char **operands, struct tw_error *err);
/* Loads all, and reports every fault of each; `watch`, if it is not NULL, gets what is read for it.
 * The exit code. */
int tw_recipe_set_load(struct tw_recipe_set *parts, const struct tw_settings *settings,
                       struct tw_watch *watch, struct tw_error *err);
/* Builds the graphs of recipes that are loaded. `cache_dir` may be NULL. */
enum tw_status tw_recipe_set_join(struct tw_recipe_set *parts, const char *cache_dir,
                                  struct tw_error *err);
/* What a graph's nodes took when its recipes ran last; NULL without memory. */
const double *tw_recipe_set_expected(struct tw_recipe_set *parts, int32_t graph);
/* What its run computes of a graph's outputs; a merged graph has no others. */
const char *tw_recipe_set_only(const struct tw_recipe_set *parts, const struct tw_set_graph *graph);
/* What can be known before anything runs: outputs that `only` names, files that two recipes write
 * or that are read, memory, folders, room on the disk. `guard` gets what all of them read. */
enum tw_status tw_recipe_set_check(const struct tw_recipe_set *parts,
                                   const struct tw_run_request *request,
                                   struct tw_overwrite_guard *guard, struct tw_error *err);
/* The part's own node that is node i of its graph; NULL for none. */
const struct tw_node *tw_recipe_set_find_node(const struct tw_recipe_set *parts,
                                              const struct tw_recipe_entry *part, int32_t i);
/* The part's own export that is `item` of its graph; NULL for none. */
const struct tw_export *tw_recipe_set_find_export(const struct tw_recipe_set *parts,
                                                  const struct tw_recipe_entry *part,
                                                  const struct tw_export *item);
/* After a graph ran: the reports of its parts. */
void tw_recipe_set_share_summary(struct tw_recipe_set *parts, int32_t graph);
void tw_recipe_set_release(struct tw_recipe_set *parts);

#endif
