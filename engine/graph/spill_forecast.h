/* SPDX-License-Identifier: MIT */
/* Chooses the values that move to disk when a run would exceed its memory limit. Nodes run one
 * after the other in the order of the recipe, so the next use of each value is known: the one whose
 * next use is furthest away moves out (Belady 1966), and is read back for that use. The forecast
 * and the run share this function. docs/decisions/spilling.md. */
#ifndef TW_ENGINE_GRAPH_SPILL_FORECAST_H
#define TW_ENGINE_GRAPH_SPILL_FORECAST_H

#include "graph/plan.h"

/* A consumer of values other than a node: a file, written as soon as all its sources are in
 * memory. */
struct tw_spill_goal {
    const struct tw_output *sources;
    bool keeps; /* the caller keeps its values at the end: they never leave memory */
};

/* The state of a run, or of a forecast. A consumer is a node, or the number of nodes plus a goal's
 * index. */
struct tw_spill_view {
    const struct tw_recipe *recipe;
    const struct tw_plan *plan;
    const struct tw_spill_goal *goals;
    int32_t goal_count;
    /* Returns the bytes that a value takes in memory; 0 if it is not there. */
    uint64_t (*resident)(const void *context, struct tw_source source);
    /* Returns whether a consumer has yet to run. */
    bool (*due)(const void *context, int32_t consumer);
    const void *context;
};

/* Chooses the value that leaves memory before `consumer` runs; false if all are either its own or
 * kept. Of several with the same next consumer it takes the largest, then the last. */
bool tw_spill_choose(const struct tw_spill_view *view, int32_t consumer, struct tw_source *victim);
/* Returns whether the consumer takes the value. */
bool tw_spill_takes(const struct tw_spill_view *view, int32_t consumer, struct tw_source source);
/* Returns the first due consumer that takes the value; INT32_MAX: none. */
int32_t tw_spill_next_use(const struct tw_spill_view *view, struct tw_source source);
/* Returns whether the caller keeps the value at the end. */
bool tw_spill_keeps(const struct tw_spill_view *view, struct tw_source source);

/* One value that leaves memory. */
struct tw_spill_step {
    struct tw_source source;
    int32_t before; /* the consumer that needs the memory */
};

struct tw_spill_forecast {
    struct tw_spill_step *steps;
    int32_t step_count, step_capacity;
    int32_t value_count;   /* number of different values */
    uint64_t bytes;        /* written bytes, each value once */
    uint64_t read_bytes;   /* bytes read back, counting every time */
    uint64_t peak_bytes;   /* peak memory: values, scratch, files */
    uint64_t needed_bytes; /* the most that one consumer takes by itself, including kept values */
    int32_t needed_node;   /* that consumer; -1: a goal */
};

/* Plans a run within `limit` bytes that starts without values. It stays within `limit` if
 * needed_bytes is at most that. TW_MEMORY. */
enum tw_status tw_spill_plan(const struct tw_recipe *recipe, const struct tw_plan *plan,
                             const struct tw_spill_goal *goals, int32_t goal_count, uint64_t limit,
                             struct tw_spill_forecast *forecast, struct tw_error *err);
void tw_spill_forecast_release(struct tw_spill_forecast *forecast);

#endif
