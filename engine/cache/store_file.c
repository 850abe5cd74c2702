/* SPDX-License-Identifier: MIT */
/* The store's files: opens the folder, and reads and writes below it. Invariant: a name below ac/
 * or cas/ appears only by rename of a completely written and closed temp file. The first write
 * failure is remembered, and nothing more is stored; reading continues. */
#include "cache/store_private.h"

#include "base/os/dir.h"
#include "base/os/file.h"
#include "base/os/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECRET "secret" /* readable only by the cache's owner */

/* ---- trouble ---- */

/* Keeps only the first trouble; afterwards nothing more is stored. */
static void remember(struct tw_store *store, const char *what, int why)
{
    int none = 0;
    char text[128];
    if (!atomic_compare_exchange_strong(&store->trouble_step, &none, 1))
        return;
    if (strerror_r(why, text, sizeof text) != 0) /* an errno of another system */
        snprintf(text, sizeof text, "error %d", why);
    snprintf(store->trouble, sizeof store->trouble, "%s: %s", what, text);
    atomic_store(&store->trouble_step, 2);
}

bool tw_store_storing(struct tw_store *store)
{
    return store->root >= 0 && atomic_load(&store->trouble_step) == 0;
}

const char *tw_store_trouble(const struct tw_store *store)
{
    return atomic_load(&store->trouble_step) == 2 ? store->trouble : NULL;
}

bool tw_store_is_open(const struct tw_store *store) { return store->root >= 0; }

/* ---- files ---- */

/* Finishes reading an entry: marks a hit as most recently used, removes damage. */
void tw_store_settle(const struct tw_store *store, const char *path, int fd,
                     enum tw_entry_state state)
{
    if (state == TW_HIT)
        tw_file_touch(fd);
    if (state == TW_DAMAGED)
        (void)tw_dir_remove(store->root, path);
    (void)tw_file_close(fd);
}

/* Retries, as a name may be taken by another store, or left by a killed process of equal id. */
int tw_store_open_temp(struct tw_store *store, char path[TW_STORE_PATH], bool secret)
{
    int fd = -1;
    for (int i = 0; i < 100; i++) {
        unsigned long long n = atomic_fetch_add(&store->counter, 1);
        snprintf(path, TW_STORE_PATH, "tmp/%ld-%llu-%lx.tmp", tw_process_id(), n, store->birth);
        fd = tw_dir_create_file(store->root, path, secret);
        if (fd >= 0 || (errno != EEXIST && errno != EINTR))
            break;
    }
    return fd;
}

/* Creates the folder XX, or that of packs, when first needed. */
static bool move_entry(const struct tw_store *store, const char *temp, const char *path)
{
    char folder[TW_STORE_PATH];
    if (tw_dir_rename(store->root, temp, path))
        return true;
    if (errno != ENOENT)
        return false;
    size_t n = (size_t)(strrchr(path, '/') - path);
    memcpy(folder, path, n);
    folder[n] = '\0';
    return tw_dir_make(store->root, folder) && tw_dir_rename(store->root, temp, path);
}

/* Counts written bytes, and keeps the folder within its bound. */
static void count_written(struct tw_store *store, uint64_t bytes)
{
    uint64_t share = store->max_bytes / TW_STORE_SHARE;
    if (atomic_fetch_add(&store->written, bytes) + bytes <= share || store->max_bytes == 0)
        return;
    /* only the thread that resets the count collects; no test covers the race, which would need to
     * hit the moment between two instructions */
    if (atomic_exchange(&store->written, 0) > share)
        (void)tw_store_gc(store, store->max_bytes, NULL, NULL);
}

static bool write_piece(void *fd, const void *at, size_t length)
{
    return tw_file_write_all(*(const int *)fd, at, length);
}

bool tw_store_write(int fd, const void *head, size_t head_size, const struct tw_value *body)
{
    bool ok = tw_file_write_all(fd, head, head_size) &&
              (!body || tw_field_give_bytes(body, write_piece, &fd));
    int why = errno;
    if (!tw_file_close(fd) && ok) /* some disks report only now that they are full */
        return false;
    errno = why;
    return ok;
}

bool tw_store_publish(struct tw_store *store, const char *path, const void *head, size_t head_size,
                      const struct tw_value *body)
{
    char temp[TW_STORE_PATH];
    size_t body_size = body ? tw_value_count(body) * tw_type_size(body->type) : 0;
    int fd = tw_store_open_temp(store, temp, false);
    if (fd < 0) {
        remember(store, "cannot write to the cache", errno);
        return false;
    }
    if (tw_store_write(fd, head, head_size, body) && move_entry(store, temp, path)) {
        count_written(store, head_size + body_size);
        tw_store_note(store, TW_STORE_WRITTEN, head_size + body_size);
        return true;
    }
    int why = errno;
    (void)tw_dir_remove(store->root, temp);
    remember(store, "cannot write to the cache", why);
    return false;
}

/* ---- the secret ---- */

const struct tw_secret *tw_store_secret(const struct tw_store *store) { return &store->secret; }

/* Removes a truncated secret; errno says why reading fails otherwise. */
static bool read_secret(struct tw_store *store)
{
    uint64_t size = 0;
    int fd = tw_dir_read_file(store->root, SECRET);
    if (fd < 0)
        return false;
    bool ok = tw_file_size(fd, &size) && size == sizeof store->secret.at &&
              tw_file_read_all(fd, store->secret.at, sizeof store->secret.at);
    (void)tw_file_close(fd);
    if (!ok && tw_dir_remove(store->root, SECRET))
        errno = ENOENT;
    return ok;
}

/* If several processes do this at once, one succeeds, and all read its secret. */
static bool create_secret(struct tw_store *store)
{
    char temp[TW_STORE_PATH];
    struct tw_secret secret;
    if (!tw_secret_create(&secret)) /* the system has no random bytes */
        return false;
    int fd = tw_store_open_temp(store, temp, true);
    if (fd < 0)
        return false;
    bool ok = tw_file_write_all(fd, secret.at, sizeof secret.at) && tw_file_sync(fd);
    ok = tw_file_close(fd) && ok;
    ok = ok && tw_dir_rename_new(store->root, temp, SECRET);
    int why = errno;
    (void)tw_dir_remove(store->root, temp);
    errno = why;
    return ok;
}

static void prepare_secret(struct tw_store *store)
{
    for (int i = 0; i < 3; i++) {
        if (read_secret(store))
            return;
        if (errno != ENOENT || (!create_secret(store) && errno != EEXIST))
            break;
    }
    /* without a secret contents cannot be compared, so nothing may hit */
    remember(store, "cannot read or create the cache's secret", errno);
    (void)tw_file_close(store->root);
    store->root = -1;
}

/* ---- opening ---- */

static void open_root(struct tw_store *store, const char *path, const struct tw_secret *shared)
{
    static const char *const folders[] = {"ac", "cas", "tmp"};
    store->root = tw_dir_open(path, true);
    if (store->root < 0) {
        char what[200];
        snprintf(what, sizeof what, "cannot open the cache folder %.150s", path);
        remember(store, what, errno);
        return;
    }
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        if (!tw_dir_make(store->root, folders[i]))
            remember(store, "cannot write to the cache", errno);
    }
    if (!tw_dir_is_writable(store->root, "tmp"))
        remember(store, "cannot write to the cache", errno);
    if (shared)
        store->secret = *shared;
    else
        prepare_secret(store);
}

enum tw_status tw_store_open_shared(const char *folder, uint64_t max_bytes,
                                    const struct tw_secret *secret, struct tw_store **store,
                                    struct tw_error *err)
{
    struct timespec now = {0};
    size_t size = strlen(folder) + sizeof "/v1";
    struct tw_store *created = calloc(1, sizeof *created);
    char *path = malloc(size);
    *store = NULL;
    if (created == NULL || path == NULL || !tw_packs_begin(&created->packs)) {
        free(created);
        free(path);
        return tw_error_set(err, TW_MEMORY, "no memory to open the cache");
    }
    (void)timespec_get(&now, TIME_UTC);
    created->birth = (unsigned long)now.tv_nsec;
    created->max_bytes = max_bytes;
    atomic_init(&created->counter, 0);
    atomic_init(&created->written, 0);
    atomic_init(&created->trouble_step, 0);
    snprintf(path, size, "%s/v1", folder);
    open_root(created, path, secret);
    free(path);
    *store = created;
    return TW_OK;
}

enum tw_status tw_store_open(const char *folder, uint64_t max_bytes, struct tw_store **store,
                             struct tw_error *err)
{
    return tw_store_open_shared(folder, max_bytes, NULL, store, err);
}

void tw_store_close(struct tw_store *store)
{
    if (store == NULL)
        return;
    tw_packs_flush(store);
    tw_packs_end(store);
    /* Many short runs could otherwise exceed the bound, each below the share that starts a
     * collection. */
    tw_store_keep_bound(store);
    tw_store_save_counts(store);
    if (store->root >= 0)
        (void)tw_file_close(store->root);
    free(store);
}
