/* SPDX-License-Identifier: MIT */
/* What lock, verify and diff share. */
#ifndef TW_ENGINE_CLI_COMMANDS_GATE_H
#define TW_ENGINE_CLI_COMMANDS_GATE_H

#include "cli/cli.h"
#include "gate/drift.h"
#include "gate/lock.h"
#include "gate/pairs.h"
#include "runner/overwrite.h"

enum tw_gate_verdict {
    TW_GATE_OPEN, /* not compared, or not yet */
    TW_GATE_SAME, /* this and the next have a drift */
    TW_GATE_DIFFERS,
    TW_GATE_NO_LOCK, /* it is missing or damaged; this and the next have an exit code */
    TW_GATE_FAILED,  /* the recipe could not be loaded or run */
};
extern const char *const tw_gate_verdict_names[];

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
    enum tw_gate_verdict verdict;
    int code; /* exit code; 0 for none */
};

/* An item for each operand, with its FILE.lock; NULL without memory. */
struct tw_gate_item *tw_gate_items_create(char **operands, int32_t count);
/* The facts that the command line gives, into a snapshot; false without memory. */
bool tw_gate_add_given(const struct tw_settings *settings, struct tw_snapshot *snapshot);
/* Loads a recipe, with what was given when it was locked where `locked` is not NULL and has its
 * lock. Returns the exit code. */
int tw_gate_load(const struct tw_settings *settings, const char *file,
                 const struct tw_gate_item *locked, struct tw_recipe **recipe);
/* The item's failure, unless it had one before: what is left of it is not compared. */
void tw_gate_fail(struct tw_gate_item *item, enum tw_gate_verdict verdict, int code);
/* The worst exit code of the items. */
int tw_gate_worst(const struct tw_gate_item *items, int32_t count);
/* Snapshots of the items that have a recipe and no exit code, as the settings say; how many nodes
 * were computed. An item that fails is reported and gets an exit code, and the others go on.
 * Returns the exit code of what ends all of them. */
int tw_gate_take(const struct tw_settings *settings, struct tw_gate_item *items, int32_t count,
                 int32_t *computed);
/* Guards all that the items' recipes have read; the guard starts as {0}. */
enum tw_status tw_gate_guard(const struct tw_gate_item *items, int32_t count,
                             struct tw_overwrite_guard *guard, struct tw_error *err);
/* Whether the locks can be written: found out before anything is computed. Returns the exit code.
 */
int tw_gate_check_locks(const struct tw_gate_item *items, int32_t count);
/* Writes the locks that are not there already. With CI set an old one is replaced only with --yes.
 * Returns the exit code. */
int tw_gate_write_locks(const struct tw_settings *settings, struct tw_gate_item *items,
                        int32_t count);
/* Computes the maps that differ, of the two states, as far as that is possible. */
void tw_gate_find_pairs(const struct tw_settings *settings, struct tw_gate_item *item,
                        const struct tw_recipe *before);
void tw_gate_release(struct tw_gate_item *items, int32_t count);

/* gate_text.c: for people. */
void tw_gate_print(FILE *out, const struct tw_gate_item *item);
/* The same of two recipes: every node that was added, removed, rewired or changed. */
void tw_gate_print_graphs(FILE *out, const struct tw_gate_item *item);
/* gate_json.c: the fields of thalweg.lock/1, thalweg.verify/1 or thalweg.diff/1 (answer.h). */
void tw_gate_json(const struct tw_gate_item *items, int32_t count, int32_t computed,
                  const char *page);
/* What two maps differ by: thalweg.map-diff/1. */
void tw_gate_json_maps(char **files, const struct tw_map_difference *d, bool equal);
/* gate_annotate.c: what a recipe's lock says that the recipe no longer gives, at the node where
 * that begins. */
void tw_annotate_drift(const struct tw_gate_item *item);
/* gate_page.c: index.html and, for each map, before, now and difference as PNG below --out. Of
 * `count` items; nothing is written where one of these files would replace the events or what the
 * recipes of the first `readers` items have read. Returns the exit code. */
int tw_gate_write_page(const struct tw_settings *settings, const struct tw_gate_item *items,
                       int32_t count, int32_t readers);
/* The same as far as it is known before anything is computed. */
int tw_gate_check_page(const struct tw_settings *settings, const struct tw_gate_item *items,
                       int32_t count, int32_t readers);

#endif
