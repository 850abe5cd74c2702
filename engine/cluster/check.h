/* SPDX-License-Identifier: MIT */
/* Checks of one machine: `thalweg doctor` runs them here, --on slurm on a node before it sends
 * work. */
#ifndef TW_ENGINE_CLUSTER_CHECK_H
#define TW_ENGINE_CLUSTER_CHECK_H

#include "console/settings.h"

enum tw_check_state {
    TW_CHECK_OK,
    TW_CHECK_NOTE, /* an optional part is missing */
    TW_CHECK_FAILED,
};

struct tw_check {
    enum tw_check_state state;
    char value[300];
    const char *source; /* the setting that decides the value: "--cache-dir", "XDG_CACHE_HOME",
                           "default"; or NULL */
    char hint[200];     /* advice for the user; "" for none */
};

/* check_clock.c: the time in seconds since 1970; and the seconds by which `time` falls outside of
 * the interval from `from` to `to`, 0 if it lies within. */
int64_t tw_check_now(void);
int64_t tw_check_clock_off(int64_t time, int64_t from, int64_t to);
enum { TW_CLOCK_NOTE = 2 }; /* seconds: larger differences are reported */

/* Receives checks one by one, where their number is not known in advance. */
struct tw_check_sink {
    void (*take)(void *context, const char *name, const struct tw_check *check);
    void *context;
};

/* check_cluster.c: sends a task that examines its node (node_probe.h) and compares the node with
 * this machine. Returns how the task ended; if it does not start in time, returns TW_LIMIT, which
 * callers treat as a note. */
enum tw_status tw_check_cluster(const struct tw_settings *settings, const char *root,
                                double start_seconds, const struct tw_check_sink *sink);
/* check_determinism.c: fails if a small recipe's bytes differ from the known digest. */
void tw_check_determinism(const struct tw_settings *settings, struct tw_check *check);

#endif
