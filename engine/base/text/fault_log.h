/* SPDX-License-Identifier: MIT */
/* Collects the faults of one recipe, so that all are reported at once and each only once: a recipe
 * used as a node in ten places would have its faults ten times. Keeps the first fault for callers
 * that need only one. */
#ifndef TW_ENGINE_BASE_TEXT_FAULT_LOG_H
#define TW_ENGINE_BASE_TEXT_FAULT_LOG_H

#include "base/memory/digest.h"

#include <thalweg/status.h>

#include <stdbool.h>
#include <stddef.h>

/* A place in a source text; lines and columns count from 1. */
struct tw_place {
    const char *file;
    const char *text; /* the whole file, from which the line is quoted */
    size_t length;
    int32_t line, column;
    bool hidden;                 /* the file was reached through a link: errors quote none of it */
    const struct tw_place *user; /* where an author uses this recipe of the library; else NULL */
};

/* A file with more faults is not a recipe, and more lines would help no one. */
#define TW_FAULTS_REPORTED_MAX 100

struct tw_fault_log {
    void (*sink)(void *context, bool fault, const struct tw_error *error, const char *source_line);
    void *context;
    struct tw_error first;
    /* The path of the node whose entry is read, in two parts, as in "hills/" and "noise"; NULL for
     * none. */
    const char *prefix, *node;
    bool hides;                  /* places parsed from now on are hidden */
    const struct tw_place *user; /* the user of places parsed from now on */
    int32_t faults, warnings;    /* including those already reported */
    int32_t offers;              /* names compared for hints */
    struct tw_logged {
        struct tw_digest at[TW_FAULTS_REPORTED_MAX];
        int32_t count;
    } reported[2]; /* warnings, faults */
};

/* Returns the length of the line break at `at`, as YAML counts them (CR, LF, both, NEL, LS, PS); 0
 * for none. */
size_t tw_line_break(const char *at, const char *end);

/* Copies line `place.line` of the source without its line break, sanitised for a terminal. */
void tw_quote_line(struct tw_place place, char *line, size_t size);

/* Returns true while the log still passes faults on: later hints would go unread. */
static inline bool tw_fault_log_has_room(const struct tw_fault_log *log)
{
    return log->faults < TW_FAULTS_REPORTED_MAX;
}

/* Returns true if one more of the file's own names may be compared for a hint: it will be read, and
 * the total of compared names stays small enough to take no time. */
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
