/* SPDX-License-Identifier: MIT */
/* What one call of the command found: faults and warnings, and the cases that it decided (a recipe,
 * an export, an assertion). They are printed for people as they come; the forms for programs
 * (answer.h, sarif.c, junit.c) are made from this list when the call ends. One list a process,
 * used by the thread that runs the command. */
#ifndef TW_ENGINE_CONSOLE_FINDINGS_H
#define TW_ENGINE_CONSOLE_FINDINGS_H

#include <thalweg/status.h>

#include <stdbool.h>

struct tw_finding {
    bool fault;    /* else a warning */
    int32_t under; /* index of the case that was under way; -1 for none */
    struct tw_error error;
};

struct tw_case {
    char *group, *name; /* "hills.yaml", "height.png" */
    char *failure;      /* why it does not hold, unless a finding says it; NULL */
    bool skipped;       /* what it is about was not reached */
};

struct tw_findings {
    struct tw_finding *at;
    struct tw_case *cases;
    int32_t count, capacity, case_count, case_capacity;
    int32_t under_way; /* index of a case; -1 for none */
    bool incomplete;   /* memory was short for one */
};

/* Forgets everything. */
void tw_findings_clear(void);
const struct tw_findings *tw_findings_get(void);
void tw_findings_add(bool fault, const struct tw_error *error);

/* Begins a case: faults that are added from now on belong to it. It holds when there are none. */
void tw_case_begin(const char *group, const char *format, ...) TW_PRINTF(2, 3);
bool tw_case_exists(const char *group, const char *name);
/* What follows belongs to no case: later faults are those of the case of their file. */
void tw_case_end(void);
/* Of the case that is under way. */
void tw_case_fail(const char *format, ...) TW_PRINTF(1, 2);
void tw_case_skip(void);

/* The case that a fault counts for; -1 for none. */
int32_t tw_finding_case(const struct tw_findings *findings, const struct tw_finding *finding);

#endif
