/* SPDX-License-Identifier: MIT */
/* Complete events ("ph": "X"), microseconds from the start of the run, threads numbered by first
 * appearance. */
#include "run/trace.h"

#include "base/text/json.h"

#include <stdlib.h>

/* Numbers threads from 1 by first appearance. */
static int thread_number(const struct tw_trace *trace, uv_thread_t thread)
{
    int highest = 0;
    for (size_t i = 0; i < trace->count; i++) {
        const struct tw_trace_event *event = &trace->events[i];
        if (uv_thread_equal(&event->thread, &thread))
            return event->number;
        highest = event->number > highest ? event->number : highest;
    }
    return highest + 1;
}

void tw_trace_add(struct tw_trace *trace, const struct tw_trace_event *event)
{
    if (!trace)
        return;
    if (trace->count == trace->capacity) {
        size_t capacity = trace->capacity ? 2 * trace->capacity : 256;
        struct tw_trace_event *events = realloc(trace->events, capacity * sizeof *events);
        if (!events)
            return;
        trace->events = events;
        trace->capacity = capacity;
    }
    int number = thread_number(trace, event->thread);
    trace->events[trace->count] = *event;
    trace->events[trace->count++].number = number;
}

static json_t *event_json(const struct tw_trace *trace, const struct tw_trace_event *event)
{
    return json_pack("{s:s, s:s, s:s, s:i, s:i, s:f, s:f}", "name", event->name, "cat", event->kind,
                     "ph", "X", "pid", 1, "tid", event->number, "ts",
                     (double)(event->begin - trace->start) / 1e3, "dur",
                     (double)(event->end - event->begin) / 1e3);
}

enum tw_status tw_trace_print(const struct tw_trace *trace, struct tw_bytes *out,
                              struct tw_error *err)
{
    json_t *list = json_array();
    for (size_t i = 0; i < trace->count; i++)
        json_array_append_new(list, event_json(trace, &trace->events[i]));
    json_t *root = json_pack("{s:o, s:s}", "traceEvents", list, "displayTimeUnit", "ms");
    return tw_json_print(root, JSON_INDENT(1) | JSON_REAL_PRECISION(9), out, err);
}

void tw_trace_release(struct tw_trace *trace)
{
    free(trace->events);
    *trace = (struct tw_trace){0};
}
