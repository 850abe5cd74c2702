/* SPDX-License-Identifier: MIT */
/* Shared by remote.c (requests, their time and failures), remote_entry.c (entries), remote_text.c
 * and remote_probe.c. */
#ifndef TW_ENGINE_CACHE_REMOTE_PRIVATE_H
#define TW_ENGINE_CACHE_REMOTE_PRIVATE_H

#include "base/net/http.h"
#include "cache/remote.h"

enum tw_remote_tally {
    TW_REMOTE_REQUESTS,
    TW_REMOTE_HITS,
    TW_REMOTE_MISSES,
    TW_REMOTE_DAMAGED,
    TW_REMOTE_SENT,
    TW_REMOTE_PRESENT,
    TW_REMOTE_FAILURES,
    TW_REMOTE_BYTES_IN,
    TW_REMOTE_BYTES_OUT,
    TW_REMOTE_TALLIES
};

/* Where the server accepts blobs. Servers such as bazel-remote compare names in /cas/ with the
 * body's SHA-256 and refuse our keyed digests there, but accept anything in /ac/. */
enum tw_remote_place { TW_REMOTE_UNKNOWN, TW_REMOTE_IN_CAS, TW_REMOTE_IN_AC };

/* A warning that is reported at most once. */
struct tw_remote_trouble {
    atomic_int step; /* 0 none, 1 being written, 2 to be reported, 3 reported */
    char text[256];
};

struct tw_remote {
    struct tw_http *http;
    struct tw_secret secret;
    bool patient;
    uint64_t bound; /* nanoseconds per run */
    const atomic_bool *stop;
    const volatile int *cancel;
    atomic_ullong lost;     /* nanoseconds charged to this run */
    atomic_ullong drained;  /* uv_hrtime() when the run began to wait for sending; 0: not yet */
    atomic_ullong size_max; /* smallest size that the server has refused */
    atomic_int failures;    /* consecutive */
    atomic_int dropped;     /* results that were not sent */
    atomic_bool is_left, is_full; /* no more requests; no more sending */
    atomic_int blobs;             /* enum tw_remote_place */
    struct tw_remote_trouble left, full;
    atomic_ullong tallies[TW_REMOTE_TALLIES];
    struct tw_remote_counts taken; /* counts already added to a folder's */
};

#define TW_REMOTE_BYTES_A_SECOND 1e8 /* gigabit Ethernet */

struct tw_remote_waiting {
    struct tw_remote *remote;
    bool name_may_be_refused; /* a refusal of the name is expected, and not held against the server
                               */
    const struct tw_http_request *request;
    uint64_t start; /* nanoseconds */
    bool sending;
};

/* Performs a request and sets the other members. If it requests a result, call tw_remote_charge()
 * next with the time that computing the result would have taken. */
enum tw_http_outcome tw_remote_perform(struct tw_remote_waiting *waiting,
                                       struct tw_http_request *request);
bool tw_remote_refuses_name(const struct tw_http_request *request);
void tw_remote_charge(struct tw_remote_waiting *waiting, uint64_t saved);
void tw_remote_count(struct tw_remote *remote, enum tw_remote_tally tally, uint64_t number);
/* "ac/" or "cas/" and 64 digits. */
enum { TW_REMOTE_PATH = sizeof "cas/" + 64 };
void tw_remote_path(char path[TW_REMOTE_PATH], const char *folder, const struct tw_sha256 *name);
/* Stops using the server for good. */
void tw_remote_leave(struct tw_remote *remote, const char *why);

#endif
