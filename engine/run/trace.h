/* SPDX-License-Identifier: MIT */
/* Records what ran when and on which thread, in Chrome's trace format (about:tracing, Perfetto). */
#ifndef TW_ENGINE_RUN_TRACE_H
#define TW_ENGINE_RUN_TRACE_H

#include "base/memory/bytes.h"

#include <stddef.h>
#include <uv.h>

struct tw_trace_event {
    const char *name;    /* borrowed from the recipe */
    const char *kind;    /* compute, load, store, spill, export */
    uint64_t begin, end; /* by uv_hrtime() */
    uv_thread_t thread;
    int number; /* the thread's number; set by tw_trace_add() */
};

struct tw_trace {
    struct tw_trace_event *events;
    size_t count, capacity;
    uint64_t start;
};

/* Loop thread only. If memory runs out, drops the event. */
void tw_trace_add(struct tw_trace *trace, const struct tw_trace_event *event);
/* Appends the events to `out` as JSON. */
enum tw_status tw_trace_print(const struct tw_trace *trace, struct tw_bytes *out,
                              struct tw_error *err);
void tw_trace_release(struct tw_trace *trace);

#endif
