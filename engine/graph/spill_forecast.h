/* SPDX-License-Identifier: MIT */
/* Which values leave memory for the disk when a run would exceed its limit. Nodes run one after the
 * other in the order of the recipe, so it is known when each value is used next: the one whose next
 * use is the furthest away leaves (Belady 1966), and is read back for that use. A forecast and the
 * run itself ask the same function. docs/decisions/spilling.md. */
#ifndef TW_ENGINE_GRAPH_SPILL_FORECAST_H
#define TW_ENGINE_GRAPH_SPILL_FORECAST_H

#include "graph/plan.h"

/* What takes values besides nodes: a file, as soon as all its sources are in memory. */
struct tw_spill_goal {
    const struct tw_output *sources;
    bool keeps; /* its values are the caller's at the end: they never leave memory */
};

/* The state of a run, or of a forecast. A consumer is a node, or the number of nodes plus a goal's
 * index. */
struct tw_spill_view {
    const struct tw_recipe *recipe;
    const struct tw_plan *plan;
    const struct tw_spill_goal *goals;
    int32_t goal_count;
    /* Bytes that a value takes in memory; 0 when it is not there. */
    uint64_t (*resident)(const void *context, struct tw_source source);
    /* Whether a consumer is still to come. */
    bool (*due)(const void *context, int32_t consumer);
    const void *context;
};

/* The value that leaves memory before `consumer` does what it does; false when there is none but
 * those that it uses itself or that are kept. Of several that are used next by the same consumer
 * the largest, then the last. */
bool tw_spill_choose(const struct tw_spill_view *view, int32_t consumer, struct tw_source *victim);
/* Whether the consumer takes the value. */
bool tw_spill_takes(const struct tw_spill_view *view, int32_t consumer, struct tw_source source);
/* The first consumer to come that does; INT32_MAX: none. */
int32_t tw_spill_next_use(const struct tw_spill_view *view, struct tw_source source);
/* Whether the value is the caller's at the end. */
bool tw_spill_keeps(const struct tw_spill_view *view, struct tw_source source);

/* One value that leaves memory. */
struct tw_spill_step {
    struct tw_source source;
    int32_t before; /* the consumer that it makes way for */
};

struct tw_spill_forecast {
    struct tw_spill_step *steps;
    int32_t step_count, step_capacity;
    int32_t value_count;   /* different values */
    uint64_t bytes;        /* of these, once each */
    uint64_t read_bytes;   /* back, as often as that is */
    uint64_t peak_bytes;   /* in memory: values, scratch, files */
    uint64_t needed_bytes; /* the most that a consumer takes by itself, with what is kept */
    int32_t needed_node;   /* which; -1: a goal */
};

/* Of a run within `limit` bytes that has nothing yet: `limit` is kept when needed_bytes is at most
 * that. TW_MEMORY. */
enum tw_status tw_spill_plan(const struct tw_recipe *recipe, const struct tw_plan *plan,
                             const struct tw_spill_goal *goals, int32_t goal_count, uint64_t limit,
                             struct tw_spill_forecast *forecast, struct tw_error *err);
void tw_spill_forecast_release(struct tw_spill_forecast *forecast);

#endif
