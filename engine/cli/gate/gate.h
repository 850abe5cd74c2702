/* SPDX-License-Identifier: MIT */
/* Loads recipes, takes snapshots, and writes locks and reports for lock, verify and diff. */
#ifndef TW_ENGINE_CLI_GATE_GATE_H
#define TW_ENGINE_CLI_GATE_GATE_H

#include "cli/cli.h"
#include "gate/item.h"
#include "gate/lock.h"

/* load.c: records the command line's parameters and seed, and the size of command line or project,
 * in a snapshot; false if memory runs out. */
bool tw_gate_add_given(const struct tw_settings *settings, const char *file,
                       struct tw_snapshot *snapshot);
/* Loads a recipe; if `locked` is not NULL, with the parameters, seed and size that its lock
 * records. `error` gets the first fault. Returns the exit code. */
int tw_gate_load(const struct tw_settings *settings, const char *file,
                 const struct tw_gate_item *locked, struct tw_recipe **recipe,
                 struct tw_error *error);
/* Takes snapshots of the items that have a recipe and no exit code, and counts the nodes that had
 * to be computed; `judges` what the recipes assert. Reports an item that fails, sets its exit code
 * and continues with the others. Returns a nonzero exit code only for an error that stops them all.
 */
int tw_gate_take(const struct tw_settings *settings, struct tw_gate_item *items, int32_t count,
                 bool judges, int32_t *computed);
/* Compares two loaded recipes, after[0] and the state before it, after[1], which is called
 * `before`; finds the maps that differ. The snapshots then are those of after[0]. Returns the exit
 * code. */
int tw_gate_compare(const struct tw_settings *settings, struct tw_gate_item after[2],
                    const char *before, int32_t *computed);
/* locks.c: checks, before anything is computed, that the locks can be written. Returns the exit
 * code. */
int tw_gate_check_locks(const struct tw_gate_item *items, int32_t count);
/* Writes the locks that are new or have changed. If CI is set, replaces a lock only with --yes. A
 * lock that cannot be written, because it is read-only, gets an exit code, and the others are
 * written. Returns the worst exit code. */
int tw_gate_write_locks(const struct tw_settings *settings, struct tw_gate_item *items,
                        int32_t count);
/* earlier.c: finds the earlier values of what differs, and compares them. */
void tw_gate_find_earlier(const struct tw_settings *settings, struct tw_gate_item *item);
/* upgrade.c: locks anew what versions of nodes changed, and nothing else. */
int tw_gate_upgrade(const struct tw_settings *settings, struct tw_gate_item *items, int32_t count);
/* Reads an item's lock, and reports what is wrong with it. */
int tw_gate_read_lock(const struct tw_settings *settings, struct tw_gate_item *item,
                      struct tw_error *error);
/* text.c: prints as text how an item differs from its lock. */
void tw_gate_print(FILE *out, const struct tw_gate_item *item);
/* Prints how two recipes differ: every node that was added, removed, rewired or changed. */
void tw_gate_print_graphs(FILE *out, const struct tw_gate_item *item);
/* ending.c: prints how long each recipe took, on standard error, and gives its case that time;
 * prints the last line of `verify`. */
void tw_gate_print_times(const struct tw_settings *settings, const struct tw_gate_item *items,
                         int32_t count);
void tw_gate_print_ending(const struct tw_settings *settings, const struct tw_gate_item *items,
                          int32_t count, int code);
/* Prints the last line of `lock` for several recipes, whose locks are written. */
void tw_gate_print_lock_ending(const struct tw_settings *settings, const struct tw_gate_item *items,
                               int32_t count);
/* json.c: answers with the fields of thalweg.lock/1, thalweg.verify/1 or thalweg.diff/1
 * (answer.h). */
void tw_gate_json(const struct tw_gate_item *items, int32_t count, int32_t computed,
                  const char *page);
/* Answers with the difference of two maps, format thalweg.map-diff/1. */
void tw_gate_json_maps(char **files, const struct tw_map_difference *d, bool equal);
/* annotate.c: annotates the first node at which a recipe no longer matches its lock. */
void tw_annotate_drift(const struct tw_gate_item *item);
/* page.c: writes the page of differences (report/gate_page.h) to --out. Writes nothing if one of
 * its files would replace the events or a file that the recipes of the first `readers` items have
 * read. Returns the exit code. */
int tw_gate_write_page(const struct tw_settings *settings, const struct tw_gate_item *items,
                       int32_t count, int32_t readers);
/* Checks, as far as possible before anything is computed, that tw_gate_write_page() would replace
 * neither the events nor a file that the recipes of the first `readers` items read. */
int tw_gate_check_page(const struct tw_settings *settings, const struct tw_gate_item *items,
                       int32_t count, int32_t readers);

#endif
