/* SPDX-License-Identifier: MIT */
/* Shared by store.c (formats), store_file.c (files) and store_gc.c (stats, gc, clear).
 *
 * Layout below FOLDER/v1: ac/XX/<64 hex of the action's name>, cas/XX/<64 hex of the content>,
 * pk/<32 hex> (packs: store_pack.h), secret, counts (of runs), size (store_gc.c), and
 * tmp/<pid>-<counter>-<birth>.tmp. All access is relative to one descriptor of FOLDER/v1, so paths
 * are short, of fixed size, and independent of the working directory. */
#ifndef TW_ENGINE_CACHE_STORE_PRIVATE_H
#define TW_ENGINE_CACHE_STORE_PRIVATE_H

#include "cache/store.h"
#include "cache/store_pack.h"

#include <stdatomic.h>

/* Enough for "ac/XX/" with 64 digits, and for every name of a temp file. */
#define TW_STORE_PATH 80

#define TW_BLOB_HEAD 16                        /* magic, type, width, height */
#define TW_ACTION_HEAD (4 + 32 + 2 + 2 + 8)    /* magic, name, count, held, seconds */
#define TW_ACTION_OUTPUT (16 + 4 + 4 + 4 + 32) /* digest, type, width, height, content */
#define TW_ACTION_CHECK 8                      /* XXH3-64 of everything before it */
#define TW_ACTION_MAX (TW_ACTION_HEAD + TW_PORTS_MAX * TW_ACTION_OUTPUT + TW_ACTION_CHECK)

struct tw_store {
    int root;                /* FOLDER/v1, or -1: every lookup misses */
    struct tw_secret secret; /* from the file `secret` */
    uint64_t max_bytes;      /* 0: unbounded */
    unsigned long birth;     /* distinguishes temp files of equal process ids */
    atomic_ullong counter;   /* counts temp files */
    atomic_ullong written;   /* bytes since the last collection */
    atomic_ullong events[TW_STORE_EVENTS];
    struct tw_tier_counts server;
    atomic_int trouble_step; /* 0 none, 1 being written, 2 ready to read */
    char trouble[256];
    struct tw_packs packs;
};

enum tw_entry_state { TW_HIT, TW_MISS, TW_DAMAGED };

/* Names an action's file by its key and the secret: under another secret it is a miss. */
struct tw_sha256 tw_store_action_name(const struct tw_secret *secret, const struct tw_sha256 *key);
/* Encodes an entry, for a file or a server; `key` is tw_store_action_name(). `to` holds
 * TW_ACTION_MAX bytes. */
size_t tw_store_encode_action(unsigned char *to, const struct tw_sha256 *key,
                              const struct tw_action *action);
/* False for anything but bytes encoded under this name. */
bool tw_store_decode_action(const unsigned char *from, size_t size, const struct tw_sha256 *key,
                            struct tw_action *action);
void tw_store_encode_head(unsigned char head[TW_BLOB_HEAD], const struct tw_stamp *stamp);
/* False without a folder, and after a failed write. */
bool tw_store_storing(struct tw_store *store);
void tw_store_settle(const struct tw_store *store, const char *path, int fd,
                     enum tw_entry_state state);
/* Creates a file below tmp/; -1 with errno. */
int tw_store_open_temp(struct tw_store *store, char path[TW_STORE_PATH], bool secret);
/* Reads and verifies a blob of `bytes`, from the beginning of `fd`. Running out of memory gives a
 * miss, not damage. */
enum tw_entry_state tw_store_read_blob(const struct tw_store *store, int fd,
                                       const struct tw_stamp *stamp, size_t bytes,
                                       struct tw_value *value);
/* A run that has written more than 1 / TW_STORE_SHARE of the bound deletes old entries before it
 * ends. */
enum { TW_STORE_SHARE = 16 };
/* store_gc.c: at the end of a run, collects if the folder may exceed its bound. */
void tw_store_keep_bound(struct tw_store *store);
/* store_counts.c: adds events to the folder's counts; removes the counts. */
void tw_store_save_counts(struct tw_store *store);
void tw_store_clear_counts(struct tw_store *store);
/* Writes head and body, which may be NULL, and closes `fd`; false with errno. */
bool tw_store_write(int fd, const void *head, size_t head_size, const struct tw_value *body);
/* Writes head and body as the file `path`, whole; or nothing, and returns false. */
bool tw_store_publish(struct tw_store *store, const char *path, const void *head, size_t head_size,
                      const struct tw_value *body);

#endif
