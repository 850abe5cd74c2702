/* SPDX-License-Identifier: MIT */
/* Where faults of one recipe gather, so that all of them are reported at once, each of them once: a
 * recipe that is used as a node in ten places has its faults ten times. The first fault is kept for
 * callers that need only one. */
#ifndef TW_ENGINE_BASE_TEXT_FAULT_LOG_H
#define TW_ENGINE_BASE_TEXT_FAULT_LOG_H

#include "base/memory/digest.h"

#include <thalweg/status.h>

#include <stdbool.h>
#include <stddef.h>

/* A place in a source text; lines and columns from 1. */
struct tw_place {
    const char *file;
    const char *text; /* the whole file, to quote the line */
    size_t length;
    int32_t line, column;
    bool hidden; /* a link leads to the file: errors say nothing of what it holds */
};

/* Beyond that a file is not a recipe, and more lines help no one. */
#define TW_FAULTS_REPORTED_MAX 100

struct tw_fault_log {
    void (*sink)(void *context, bool fault, const struct tw_error *error, const char *source_line);
    void *context;
    struct tw_error first;
    bool hides;               /* what is parsed now gets hidden places */
    int32_t faults, warnings; /* with those that were reported before */
    int32_t offers;           /* names compared for hints */
    struct tw_logged {
        struct tw_digest at[TW_FAULTS_REPORTED_MAX];
        int32_t count;
    } reported[2]; /* warnings, faults */
};

/* Bytes of the line break at `at`, as YAML counts them (CR, LF, both, NEL, LS, PS); 0 for none. */
size_t tw_line_break(const char *at, const char *end);

/* Copies line `place.line` of the source without its end, fit for a terminal. */
void tw_quote_line(struct tw_place place, char *line, size_t size);

/* True while faults are still passed on: afterwards nobody reads a hint. */
static inline bool tw_fault_log_has_room(const struct tw_fault_log *log)
{
    return log->faults < TW_FAULTS_REPORTED_MAX;
}

/* True while one more of the file's own names may be compared for a hint: somebody reads it, and
 * the names of all hints together stay few enough to take no time. */
static inline bool tw_fault_log_may_suggest(struct tw_fault_log *log)
{
    return tw_fault_log_has_room(log) && log->offers++ < 20000;
}

/* Adds a fault; `hint` may be NULL or "". Returns `status`. */
enum tw_status tw_fault_log_add(struct tw_fault_log *log, enum tw_status status,
                                struct tw_place place, const char *hint, const char *format, ...)
    TW_PRINTF(5, 6);
void tw_fault_log_warn(struct tw_fault_log *log, struct tw_place place, const char *format, ...)
    TW_PRINTF(3, 4);

#endif
