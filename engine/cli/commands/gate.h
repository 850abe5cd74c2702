/* SPDX-License-Identifier: MIT */
/* What lock, verify and diff share. */
#ifndef TW_ENGINE_CLI_COMMANDS_GATE_H
#define TW_ENGINE_CLI_COMMANDS_GATE_H

#include "cli/cli.h"
#include "gate/item.h"
#include "gate/lock.h"

/* The facts that the command line gives, into a snapshot; false without memory. */
bool tw_gate_add_given(const struct tw_settings *settings, struct tw_snapshot *snapshot);
/* Loads a recipe, with what was given when it was locked where `locked` is not NULL and has its
 * lock. Returns the exit code. */
int tw_gate_load(const struct tw_settings *settings, const char *file,
                 const struct tw_gate_item *locked, struct tw_recipe **recipe);
/* Snapshots of the items that have a recipe and no exit code, as the settings say; how many nodes
 * were computed. An item that fails is reported and gets an exit code, and the others go on.
 * Returns the exit code of what ends all of them. */
int tw_gate_take(const struct tw_settings *settings, struct tw_gate_item *items, int32_t count,
                 int32_t *computed);
/* Whether the locks can be written: found out before anything is computed. Returns the exit code.
 */
int tw_gate_check_locks(const struct tw_gate_item *items, int32_t count);
/* Writes the locks that are not there already. With CI set an old one is replaced only with --yes.
 * Returns the exit code. */
int tw_gate_write_locks(const struct tw_settings *settings, struct tw_gate_item *items,
                        int32_t count);
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
/* Writes the page of what differs (report/gate_page.h) to --out. Nothing is written where one of
 * its files would replace the events or what the recipes of the first `readers` items have read.
 * Returns the exit code. */
int tw_gate_write_page(const struct tw_settings *settings, const struct tw_gate_item *items,
                       int32_t count, int32_t readers);
/* Checks that as far as it is known before anything is computed. */
int tw_gate_check_page(const struct tw_settings *settings, const struct tw_gate_item *items,
                       int32_t count, int32_t readers);

#endif
