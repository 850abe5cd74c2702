/* SPDX-License-Identifier: MIT */
/* Runs whose values do not fit in the memory limit, with a cache folder: before the next node
 * starts or the next value is read, other values move to disk (graph/spill_forecast.h chooses them)
 * and are read back for the node that takes them next. Nodes run one at a time, as whenever memory
 * is short. Loop thread. docs/decisions/spilling.md. */
#ifndef TW_ENGINE_RUN_SPILL_H
#define TW_ENGINE_RUN_SPILL_H

#include "graph/spill_forecast.h"
#include "run/state.h"

struct tw_spilling {
    struct tw_spill_forecast forecast;
    struct tw_spill_goal *goals; /* the run's goals; those that take no value have no sources */
    int (*files)[TW_PORTS_MAX];  /* by node: an output's file descriptor + 1; 0: none */
    struct tw_spill_counts counts;
};

/* Forecasts the run. If spilling keeps it within the limit, sets run->spilling; otherwise leaves
 * that NULL, and *forecast holds what is needed. TW_MEMORY. */
enum tw_status tw_spilling_plan(struct tw_run *run, struct tw_spill_forecast *forecast,
                                struct tw_error *err);
/* Before a run: raises the limit on open files as needed. TW_IO when the cache folder is not
 * writable. */
enum tw_status tw_spilling_prepare(const struct tw_run *run, struct tw_error *err);
/* Spills one value if `bytes` more, which `consumer` needs, would exceed the limit. True if one was
 * spilled or is being written; false if no value must leave memory, or none can. */
bool tw_spilling_make_room(struct tw_run *run, int32_t consumer, uint64_t bytes);
/* Whether the consumer takes the value. INT32_MAX takes all, as does every consumer in a run
 * without spilling. */
bool tw_spilling_takes(const struct tw_run *run, int32_t consumer, struct tw_source source);
/* The file that holds a value that is not in memory; -1: none. */
int tw_spilling_file(const struct tw_run *run, struct tw_source source);
/* Whether all values of node i that are in use but not in memory have files. */
bool tw_spilling_holds(const struct tw_run *run, int32_t i);
/* Closes a value's file, since the value has no more users or the file is damaged. */
void tw_spilling_forget(struct tw_run *run, struct tw_source source);
/* Does nothing for a run that does not spill. */
void tw_spilling_release(struct tw_run *run);

#endif
