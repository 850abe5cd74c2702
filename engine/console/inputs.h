/* SPDX-License-Identifier: MIT */
/* The files that recipes read: their own, recipes that they use, files of nodes with sidecars,
 * and the project file that they take settings from. */
#ifndef TW_ENGINE_CONSOLE_INPUTS_H
#define TW_ENGINE_CONSOLE_INPUTS_H

#include "base/memory/arena.h"
#include "console/settings.h"

struct tw_inputs {
    struct tw_arena arena;
    const char **at; /* as messages show them, sorted; the recipe's own file among them */
    int32_t count, capacity;
    bool failed; /* memory ran out */
    bool whole;  /* the recipe has no fault: there are no others */
};

/* Lists what a recipe reads, without a word about its faults; of files that do not exist, those
 * that a node names. tw_inputs_release(). */
void tw_inputs_find(const struct tw_settings *settings, const char *path, struct tw_inputs *inputs);
/* Returns whether there is such a file: a sidecar is read if it exists. */
bool tw_inputs_exist(const char *path);
void tw_inputs_release(struct tw_inputs *inputs);

/* Keeps, of the operands, the recipes that have changed since --since, as have their inputs or, for
 * `verify`, their locks. Reports faults and returns the exit code. */
int tw_console_take_changed(enum tw_command_bits bit, struct tw_settings *settings,
                            char **operands);

#endif
