/* SPDX-License-Identifier: MIT */
/* The only list of statuses, and the error that carries the details of a failure. Nothing here
 * allocates or is global, so an error can be reported from anywhere, even when out of memory. */
#ifndef THALWEG_STATUS_H
#define THALWEG_STATUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TW_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#define TW_API __attribute__((visibility("default")))
#else
#define TW_PRINTF(text, first)
#define TW_API
#endif

/* name, exit code of the command, text */
#define TW_STATUS_LIST(X)                                                                          \
    X(OK, 0, "done")                                                                               \
    X(DIFFERENCE, 1, "a difference was found")                                                     \
    X(USAGE, 2, "wrong usage")                                                                     \
    X(RECIPE, 3, "invalid recipe")                                                                 \
    X(INPUT, 3, "invalid input file")                                                              \
    X(LIMIT, 3, "a limit was exceeded")                                                            \
    X(PATH, 3, "path not allowed")                                                                 \
    X(NODE, 4, "a node failed")                                                                    \
    X(IO, 4, "input or output failed")                                                             \
    X(MEMORY, 4, "out of memory")                                                                  \
    X(CANCELLED, 130, "stopped")

enum tw_status {
#define TW_STATUS_ENUM(name, code, text) TW_##name,
    TW_STATUS_LIST(TW_STATUS_ENUM)
#undef TW_STATUS_ENUM
};

/* One fault and the place where it was found. Owned by the caller; strings are truncated, never
 * overrun. line and column count from 1; 0 means not applicable. */
struct tw_error {
    enum tw_status status;
    int32_t line;
    int32_t column;
    char file[256];
    char path[128];    /* of the node that it is about, as in hills/noise; "" for none */
    char message[512]; /* what was found and what is expected */
    char hint[256];    /* what to do: the nearest name, or a node that converts */
};

/* Fills `err` (which may be NULL) with status and message, clears the rest, returns `status`. */
TW_API enum tw_status tw_error_set(struct tw_error *err, enum tw_status status, const char *format,
                                   ...) TW_PRINTF(3, 4);

/* Returns the status's text, such as "invalid recipe". */
TW_API const char *tw_status_text(enum tw_status status);

/* Returns the command's exit code for the status: 0 to 4, or 130. */
TW_API int tw_status_exit_code(enum tw_status status);

#ifdef __cplusplus
}
#endif
#endif
