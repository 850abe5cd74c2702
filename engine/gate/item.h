/* SPDX-License-Identifier: MIT */
/* A recipe held against its lock, or against another recipe. */
#ifndef TW_ENGINE_GATE_ITEM_H
#define TW_ENGINE_GATE_ITEM_H

#include "gate/drift.h"
#include "gate/pairs.h"
#include "runner/overwrite.h"

enum tw_gate_verdict {
    TW_GATE_OPEN, /* not compared, or not yet */
    TW_GATE_SAME, /* this and the next have a drift */
    TW_GATE_DIFFERS,
    TW_GATE_NO_LOCK, /* it is missing or damaged; this and the next have an exit code */
    TW_GATE_FAILED,  /* the recipe could not be loaded or run */
    TW_GATE_WITHIN,  /* it differs within its tolerances, and has a drift */
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
    const struct tw_tolerance *tolerances; /* of its project */
    int32_t tolerance_count;
    char *no_pairs; /* why the earlier maps cannot be computed; NULL when they can */
    bool written;   /* the lock was written */
    enum tw_gate_verdict verdict;
    int code;              /* exit code; 0 for none */
    struct tw_error fault; /* the first that gave it; status TW_OK: none */
};

/* An item for each operand, with its FILE.lock; NULL without memory. */
struct tw_gate_item *tw_gate_items_create(char **operands, int32_t count);
void tw_gate_release(struct tw_gate_item *items, int32_t count);
/* The item's failure, unless it had one before: what is left of it is not compared. */
void tw_gate_fail(struct tw_gate_item *item, enum tw_gate_verdict verdict, int code,
                  const struct tw_error *fault);
/* The worst exit code of the items. */
int tw_gate_worst(const struct tw_gate_item *items, int32_t count);
/* Guards all that the items' recipes have read; the guard starts as {0}. */
enum tw_status tw_gate_guard(const struct tw_gate_item *items, int32_t count,
                             struct tw_overwrite_guard *guard, struct tw_error *err);
/* Computes the maps that differ, of the two states, as far as that is possible. */
void tw_gate_find_pairs(struct tw_gate_item *item, const struct tw_recipe *before,
                        const struct tw_run_options *options);

#endif
