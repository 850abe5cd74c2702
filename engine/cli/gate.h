/* SPDX-License-Identifier: MIT */
/* What lock, verify and diff share. */
#ifndef TW_ENGINE_CLI_GATE_H
#define TW_ENGINE_CLI_GATE_H

#include "cli/cli.h"
#include "gate/drift.h"
#include "gate/lock.h"
#include "gate/pairs.h"

/* A recipe with its lock, and what became of it. */
struct tw_gate_item {
    const char *file;
    char *lock_file;
    struct tw_recipe *recipe;
    struct tw_snapshot *before; /* what the lock holds; NULL for `lock` */
    struct tw_snapshot *after;  /* what the recipe is now */
    struct tw_drift *drift;
    struct tw_pair *pairs; /* maps that differ, where both could be computed */
    int32_t pair_count;
    char *no_pairs; /* why the earlier maps cannot be computed; NULL when they can */
    bool written;   /* the lock was written */
};

/* FILE.lock; NULL without memory. */
char *tw_gate_lock_file(const char *file);
/* The facts that the command line gives, into a snapshot; false without memory. */
bool tw_gate_add_given(const struct tw_settings *settings, struct tw_snapshot *snapshot);
/* Loads a recipe with what was given when it was locked. Returns the exit code. */
int tw_gate_load(const struct tw_settings *settings, const char *file, const struct tw_facts *given,
                 struct tw_recipe **recipe);
/* Snapshots of all items, as the settings say; how many nodes were computed. Returns the exit code.
 */
int tw_gate_take(const struct tw_settings *settings, struct tw_gate_item *items, int32_t count,
                 int32_t *computed);
/* Writes the lock unless it is there already. With CI set an old one is replaced only with --yes.
 * Returns the exit code. */
int tw_gate_write_lock(const struct tw_settings *settings, struct tw_gate_item *item);
/* Computes the maps that differ, of the two states, as far as that is possible. */
void tw_gate_find_pairs(const struct tw_settings *settings, struct tw_gate_item *item,
                        const struct tw_recipe *before);
void tw_gate_release(struct tw_gate_item *items, int32_t count);

/* gate_text.c: for people. */
void tw_gate_print(FILE *out, const struct tw_gate_item *item);
/* The same of two recipes: every node that was added, removed, rewired or changed. */
void tw_gate_print_graphs(FILE *out, const struct tw_gate_item *item);
/* gate_json.c: one object, format thalweg.verify/1. */
void tw_gate_json(FILE *out, const char *command, const struct tw_gate_item *items, int32_t count,
                  int32_t computed, const char *page);
/* gate_page.c: index.html and, for each map, before, now and difference as PNG below `folder`. */
enum tw_status tw_gate_write_page(const char *folder, const struct tw_gate_item *items,
                                  int32_t count, struct tw_error *err);

#endif
