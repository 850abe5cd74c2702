/* SPDX-License-Identifier: MIT */
/* What is checked of a machine: of this one by `thalweg doctor`, of a node before work is sent. */
#ifndef TW_ENGINE_CLUSTER_CHECK_H
#define TW_ENGINE_CLUSTER_CHECK_H

#include "console/settings.h"

enum tw_check_state {
    TW_CHECK_OK,
    TW_CHECK_NOTE, /* something is not there that most do without */
    TW_CHECK_FAILED,
};

struct tw_check {
    enum tw_check_state state;
    char value[300];
    const char *source; /* what decides it: "--cache-dir", "XDG_CACHE_HOME", "default"; NULL */
    char hint[200];     /* what to do; "" for nothing */
};

/* check_clock.c: seconds since 1970, and by how many a time lies outside of a span of this clock.
 */
int64_t tw_check_now(void);
int64_t tw_check_clock_off(int64_t time, int64_t from, int64_t to);
enum { TW_CLOCK_NOTE = 2 }; /* seconds: off by more is worth saying */

/* Where checks go whose number is not known before. */
struct tw_check_sink {
    void (*take)(void *context, const char *name, const struct tw_check *check);
    void *context;
};

/* check_cluster.c: sends a task that looks at its node (node_probe.h) and compares both sides.
 * Returns how sending it ended; TW_LIMIT, when it did not begin in time, is no more than a note. */
enum tw_status tw_check_cluster(const struct tw_settings *settings, const char *root,
                                double start_seconds, const struct tw_check_sink *sink);
/* check_determinism.c: whether a small recipe gives the bytes that it gives everywhere. */
void tw_check_determinism(const struct tw_settings *settings, struct tw_check *check);

#endif
