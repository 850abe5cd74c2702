/* SPDX-License-Identifier: MIT */
/* A cache on a web server, behind the one at home: /ac/NAME and /cas/NAME, as Bazel lays them out.
 * Names and blobs are those of the files at home (cache/store.h) under the team's secret; an action
 * also carries a code that only the secret makes, so a server that lies or is written to by others
 * gives misses, never wrong values. Nothing here fails: what goes wrong costs time, of which a run
 * has a bound, and then the server is left alone. */
#ifndef TW_ENGINE_CACHE_REMOTE_H
#define TW_ENGINE_CACHE_REMOTE_H

#include "base/memory/bytes.h"
#include "cache/store.h"

#include <thalweg/thalweg.h>

#include <stdatomic.h>

/* Since it was opened. */
struct tw_remote_counts {
    uint64_t requests;
    uint64_t hits, misses;        /* objects that were asked for */
    uint64_t damaged;             /* of the misses: what came was not what was asked for */
    uint64_t sent, present;       /* objects; present: the server had it */
    uint64_t failures;            /* no answer, or none that is one */
    uint64_t bytes_in, bytes_out; /* of bodies */
    bool left;                    /* alone, for what it did */
};
struct tw_remote_counts tw_remote_counts(const struct tw_remote *remote);

/* The same since the last call, for the counts of a folder (store.h); one thread at a time. */
struct tw_tier_counts tw_remote_take_counts(struct tw_remote *remote);

const struct tw_secret *tw_remote_secret(const struct tw_remote *remote);

/* A run begins, which *stop ends (NULL: nothing does): the bound on its time is whole again. */
void tw_remote_begin(struct tw_remote *remote, const atomic_bool *stop);
/* The run waits for nothing but sending: that counts from now on. */
void tw_remote_drain(struct tw_remote *remote);
/* Whether asking and sending make sense. Once false, false until the end. */
bool tw_remote_answers(const struct tw_remote *remote);
bool tw_remote_takes(const struct tw_remote *remote);
/* Results that were computed and not sent. */
void tw_remote_drop(struct tw_remote *remote, int32_t results);

/* Workers. False for a miss. `seconds`: computing the value cost so much; below what a network
 * moves in that time it is not asked for, nor sent. *lost: the server was asked and does not have
 * it. */
bool tw_remote_find(struct tw_remote *remote, const struct tw_sha256 *key,
                    struct tw_action *action);
bool tw_remote_load(struct tw_remote *remote, const struct tw_stamp *stamp, double seconds,
                    struct tw_value *value, bool *lost);
/* Sends what the store holds under the key, blobs first. `replace`: what the server has of it is
 * not to be trusted. */
void tw_remote_send(struct tw_remote *remote, struct tw_store *store, const struct tw_sha256 *key,
                    bool replace);

/* remote_text.c: what one machine leaves for another that knows what to ask for, as a task's
 * results. A text that is longer than TW_REMOTE_TEXT_MAX is not sent. False when the server did not
 * take it, does not have it, or has something else there. */
#define TW_REMOTE_TEXT_MAX ((size_t)16 << 20)
bool tw_remote_give_text(struct tw_remote *remote, const struct tw_sha256 *key, const void *text,
                         size_t length);
bool tw_remote_take_text(struct tw_remote *remote, const struct tw_sha256 *key,
                         struct tw_bytes *text);

/* remote_probe.c: what a server does with an entry that no run asks for: the same one each time. */
struct tw_remote_probe {
    bool answers, takes; /* what it is asked, what it is sent */
    double seconds;
    int64_t date;      /* seconds since 1970 by the server's clock; 0: it does not say */
    char problem[120]; /* "" for none */
};
void tw_remote_probe(struct tw_remote *remote, struct tw_remote_probe *probe);

/* The next thing to tell the user, each once: why nothing is sent, why it is left alone. False when
 * there is none. */
bool tw_remote_take_trouble(struct tw_remote *remote, struct tw_error *warning);

#endif
