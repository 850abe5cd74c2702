/* SPDX-License-Identifier: MIT */
/* A run whose values do not fit into its memory limit, with a cache folder: before the next node
 * starts, or the next value is read, others leave memory for the disk (graph/spill_forecast.h says
 * which), and come back for the node that takes them next. Nodes run one after the other, as they
 * do wherever memory is short. Loop thread. docs/decisions/spilling.md. */
#ifndef TW_ENGINE_RUN_SPILL_H
#define TW_ENGINE_RUN_SPILL_H

#include "graph/spill_forecast.h"
#include "run/state.h"

struct tw_spilling {
    struct tw_spill_forecast forecast;
    struct tw_spill_goal *goals; /* those of the run; without sources where no value is taken */
    int (*files)[TW_PORTS_MAX];  /* by node: the descriptor of an output's file + 1; 0: none */
    struct tw_spill_counts counts;
};

/* Forecasts the run, and makes it run->spilling where it stays within the limit that way; else that
 * is NULL, and *forecast says what is needed. TW_MEMORY. */
enum tw_status tw_spilling_plan(struct tw_run *run, struct tw_spill_forecast *forecast,
                                struct tw_error *err);
/* Before a run begins: lets it open as many files as it may need. TW_IO when the cache folder
 * cannot be written to. */
enum tw_status tw_spilling_prepare(const struct tw_run *run, struct tw_error *err);
/* Spills one value when `bytes` more, which `consumer` needs, would exceed the limit. True when one
 * was spilled or is being written; false when nothing has to leave, or nothing can. */
bool tw_spilling_make_room(struct tw_run *run, int32_t consumer, uint64_t bytes);
/* Whether the consumer takes the value; INT32_MAX, as without spilling, takes all. */
bool tw_spilling_takes(const struct tw_run *run, int32_t consumer, struct tw_source source);
/* The file with a value that is not in memory; -1: none. */
int tw_spilling_file(const struct tw_run *run, struct tw_source source);
/* Whether all values of node i that are in use and not in memory have files. */
bool tw_spilling_holds(const struct tw_run *run, int32_t i);
/* Nobody uses the value again, or its file is damaged. */
void tw_spilling_forget(struct tw_run *run, struct tw_source source);
/* Does nothing for a run that does not spill. */
void tw_spilling_release(struct tw_run *run);

#endif
