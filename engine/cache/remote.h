/* SPDX-License-Identifier: MIT */
/* A cache on a web server, used after the local one: /ac/NAME and /cas/NAME, laid out as Bazel
 * does. Names and blobs equal the local files (cache/store.h) under the team's secret; an action
 * also carries an authentication code made with the secret, so a malicious server, or one that
 * others write to, causes misses but never wrong values. Nothing here fails: trouble costs time,
 * within a bound per run, after which the server is no longer used. */
#ifndef TW_ENGINE_CACHE_REMOTE_H
#define TW_ENGINE_CACHE_REMOTE_H

#include "base/memory/bytes.h"
#include "cache/store.h"

#include <thalweg/thalweg.h>

#include <stdatomic.h>

/* Counts since the server was opened. */
struct tw_remote_counts {
    uint64_t requests;
    uint64_t hits, misses;        /* requested objects */
    uint64_t damaged;             /* misses with a wrong or damaged body */
    uint64_t sent, present;       /* objects; present: the server already had them */
    uint64_t failures;            /* requests without a valid answer */
    uint64_t bytes_in, bytes_out; /* bytes of bodies */
    bool left;                    /* the server is no longer used, because of its failures */
};
struct tw_remote_counts tw_remote_counts(const struct tw_remote *remote);

/* Returns the counts since the last call, for the counts of a folder (store.h); one thread at a
 * time. */
struct tw_tier_counts tw_remote_take_counts(struct tw_remote *remote);

const struct tw_secret *tw_remote_secret(const struct tw_remote *remote);

/* Starts a run and resets its time budget; *stop cancels it (may be NULL). */
void tw_remote_begin(struct tw_remote *remote, const atomic_bool *stop);
/* Marks the time from which the run waits only for sending, which is charged from now on. */
void tw_remote_drain(struct tw_remote *remote);
/* Return whether requesting, and sending, is still worthwhile. Once false they stay false. */
bool tw_remote_answers(const struct tw_remote *remote);
bool tw_remote_takes(const struct tw_remote *remote);
/* Counts computed results that were not sent. */
void tw_remote_drop(struct tw_remote *remote, int32_t results);

/* Called by workers; false for a miss. `seconds` is the cost of computing the value: if a network
 * moves fewer bytes in that time, it is neither fetched nor sent. Sets *lost if the server does not
 * have a value it was asked for. */
bool tw_remote_find(struct tw_remote *remote, const struct tw_sha256 *key,
                    struct tw_action *action);
bool tw_remote_load(struct tw_remote *remote, const struct tw_stamp *stamp, double seconds,
                    struct tw_value *value, bool *lost);
/* Sends the store's entry under the key, blobs first. With `replace`, overwrites the server's,
 * which is not trusted. */
void tw_remote_send(struct tw_remote *remote, struct tw_store *store, const struct tw_sha256 *key,
                    bool replace);

/* remote_text.c: stores and fetches a text, such as a task's results, for another machine that
 * knows its key. Texts longer than TW_REMOTE_TEXT_MAX are not sent. False if the server refuses it,
 * lacks it, or has something else under that name. */
#define TW_REMOTE_TEXT_MAX ((size_t)16 << 20)
bool tw_remote_give_text(struct tw_remote *remote, const struct tw_sha256 *key, const void *text,
                         size_t length);
bool tw_remote_take_text(struct tw_remote *remote, const struct tw_sha256 *key,
                         struct tw_bytes *text);

/* remote_probe.c: tests a server with an entry that no run uses, always under one name. */
struct tw_remote_probe {
    bool answers, takes; /* it answered a request; it accepted an entry */
    double seconds;
    int64_t date;      /* the server's clock in seconds since 1970; 0: not sent */
    char problem[120]; /* "" for none */
};
void tw_remote_probe(struct tw_remote *remote, struct tw_remote_probe *probe);

/* Returns the next warning for the user, each once: why nothing is sent, or why the server is no
 * longer used. False if there is none. */
bool tw_remote_take_trouble(struct tw_remote *remote, struct tw_error *warning);

#endif
