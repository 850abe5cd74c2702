/* SPDX-License-Identifier: MIT */
/* What store.c (formats), store_file.c (files) and store_gc.c (stats, gc, clear) share.
 * Layout below FOLDER/v1: ac/XX/<64 hex of the action's name>, cas/XX/<64 hex of the content>,
 * secret, and tmp/<pid>-<counter>-<birth>.tmp. All access is relative to one descriptor of
 * FOLDER/v1, so paths are short, of fixed size, and independent of the working directory. */
#ifndef TW_ENGINE_RUN_STORE_PRIVATE_H
#define TW_ENGINE_RUN_STORE_PRIVATE_H

#include "run/store.h"

#include <stdatomic.h>

/* Holds "ac/XX/" with 64 digits, and every name of a temp file. */
#define TW_STORE_PATH 80

struct tw_store {
    int root;                /* FOLDER/v1, or -1: then everything is a miss */
    struct tw_secret secret; /* of the file `secret` */
    uint64_t max_bytes;      /* 0: unbounded */
    unsigned long birth;     /* tells temp files of equal process ids apart */
    atomic_ullong counter;   /* of temp files */
    atomic_ullong written;   /* bytes since the last collection */
    atomic_int trouble_step; /* 0 none, 1 being written, 2 there to read */
    char trouble[256];
};

enum tw_entry_state { TW_HIT, TW_MISS, TW_DAMAGED };

/* An action's file is named by its key and the secret: under another secret it is a miss. */
struct tw_sha256 tw_store_action_name(const struct tw_store *store, const struct tw_sha256 *key);
/* False when there is no folder or writing failed before. */
bool tw_store_storing(struct tw_store *store);
void tw_store_settle(const struct tw_store *store, const char *path, int fd,
                     enum tw_entry_state state);
/* Head and body, unless that is NULL, become the file `path`, or nothing does. */
void tw_store_publish(struct tw_store *store, const char *path, const void *head, size_t head_size,
                      const struct tw_value *body);

#endif
