/* SPDX-License-Identifier: MIT */
/* The findings of one call: faults, warnings and cases (a recipe, an export, an assertion). They
 * are printed for people as they occur; the forms for programs (answer.h, sarif.c, junit.c) are
 * built from this list when the call ends. One list per process, for the command's thread only. */
#ifndef TW_ENGINE_CONSOLE_FINDINGS_H
#define TW_ENGINE_CONSOLE_FINDINGS_H

#include <thalweg/status.h>

#include <stdbool.h>

struct tw_finding {
    bool fault;    /* false: a warning */
    int32_t under; /* index of the case under way at the time; -1 for none */
    struct tw_error error;
};

struct tw_case {
    char *group, *name; /* "hills.yaml", "height.png" */
    char *failure;      /* why the case fails, if no finding explains it; else NULL */
    bool skipped;       /* the call did not reach what it checks */
    bool timed;         /* `seconds` are known */
    double seconds;     /* that it took */
};

struct tw_findings {
    struct tw_finding *at;
    struct tw_case *cases;
    int32_t count, capacity, case_count, case_capacity;
    int32_t under_way; /* index of a case; -1 for none */
    bool incomplete;   /* memory ran out for a finding or case */
};

/* Removes all findings and cases. */
void tw_findings_clear(void);
const struct tw_findings *tw_findings_get(void);
void tw_findings_add(bool fault, const struct tw_error *error);

/* Begins a case and attributes later faults to it. A case without a fault passes. */
void tw_case_begin(const char *group, const char *format, ...) TW_PRINTF(2, 3);
bool tw_case_exists(const char *group, const char *name);
/* Ends the case under way. Later faults count for the case of their file. */
void tw_case_end(void);
/* Fails the case under way, for the given reason. */
void tw_case_fail(const char *format, ...) TW_PRINTF(1, 2);
void tw_case_skip(void);
/* Gives the first case of a group, the recipe itself, the seconds that its nodes took. */
void tw_case_time(const char *group, double seconds);

/* Returns the index of the case that a fault counts for; -1 for none. */
int32_t tw_finding_case(const struct tw_findings *findings, const struct tw_finding *finding);

#endif
