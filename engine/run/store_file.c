/* SPDX-License-Identifier: MIT */
/* The store's files: opening the folder, and reading and writing below it. Invariant: a name below
 * ac/ or cas/ only ever appears by rename of a completely written and closed temp file. The first
 * failure to write is remembered, and from then on nothing more is stored; reading goes on. */
#include "run/store_private.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- trouble ---- */

/* Keeps the first trouble only; from then on nothing more is stored. */
static void remember(struct tw_store *store, const char *what, int why)
{
    int none = 0;
    char text[128];
    if (!atomic_compare_exchange_strong(&store->trouble_step, &none, 1))
        return;
    if (strerror_r(why, text, sizeof text) != 0)
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

/* ---- files ---- */

/* O_NONBLOCK: a pipe under an entry's name must not hang the run. */
int tw_store_entry(const struct tw_store *store, const char *path)
{
    return openat(store->root, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

bool tw_store_size(int fd, uint64_t *size)
{
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    *size = (uint64_t)info.st_size;
    return true;
}

/* Ends the reading of an entry: a hit becomes the most recently used, damage is removed. */
void tw_store_settle(const struct tw_store *store, const char *path, int fd,
                     enum tw_entry_state state)
{
    if (state == TW_HIT)
        (void)futimens(fd, NULL);
    if (state == TW_DAMAGED)
        (void)unlinkat(store->root, path, 0);
    close(fd);
}

/* A name may be taken by another store, or be left by a killed process of the same id. */
static int open_temp(struct tw_store *store, char path[TW_STORE_PATH])
{
    int fd = -1;
    for (int i = 0; i < 100; i++) {
        unsigned long long n = atomic_fetch_add(&store->counter, 1);
        snprintf(path, TW_STORE_PATH, "tmp/%ld-%llu-%lx.tmp", (long)getpid(), n, store->birth);
        fd = openat(store->root, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || (errno != EEXIST && errno != EINTR))
            break;
    }
    return fd;
}

/* The folders XX are made when first needed. */
static bool move_entry(const struct tw_store *store, const char *temp, const char *path)
{
    char folder[TW_STORE_PATH];
    if (renameat(store->root, temp, store->root, path) == 0)
        return true;
    if (errno != ENOENT)
        return false;
    size_t n = (size_t)(strrchr(path, '/') - path);
    memcpy(folder, path, n);
    folder[n] = '\0';
    if (mkdirat(store->root, folder, 0777) != 0 && errno != EEXIST)
        return false;
    return renameat(store->root, temp, store->root, path) == 0;
}

/* Counts what was written, and keeps the folder within its bound. */
static void account(struct tw_store *store, uint64_t bytes)
{
    uint64_t share = store->max_bytes / 16;
    uint64_t freed;
    if (atomic_fetch_add(&store->written, bytes) + bytes <= share || store->max_bytes == 0)
        return;
    /* Of several threads that get here only the one that takes the count collects. */
    if (atomic_exchange(&store->written, 0) > share)
        (void)tw_store_gc(store, store->max_bytes, &freed, NULL);
}

/* Head and body become the file `path`, or nothing does. */
void tw_store_publish(struct tw_store *store, const char *path, const void *head, size_t head_size,
                      const void *body, size_t body_size)
{
    char temp[TW_STORE_PATH];
    int why = 0;
    int fd = open_temp(store, temp);
    if (fd < 0) {
        remember(store, "cannot write to the cache", errno);
        return;
    }
    if (!tw_file_write_all(fd, head, head_size) || !tw_file_write_all(fd, body, body_size))
        why = errno;
    if (close(fd) != 0 && why == 0) /* some disks say only now that they are full */
        why = errno;
    if (why == 0 && !move_entry(store, temp, path))
        why = errno;
    if (why == 0) {
        account(store, head_size + body_size);
        return;
    }
    (void)unlinkat(store->root, temp, 0);
    remember(store, "cannot write to the cache", why);
}

/* ---- opening ---- */

/* Makes every folder of `path`; whether that worked shows when the last one is opened. */
static void make_folders(char *path)
{
    for (char *at = path + 1; *at != '\0'; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        (void)mkdir(path, 0777);
        *at = '/';
    }
    (void)mkdir(path, 0777);
}

static void open_root(struct tw_store *store, char *path)
{
    static const char *const folders[] = {"ac", "cas", "tmp"};
    make_folders(path);
    store->root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (store->root < 0) {
        remember(store, "cannot open the cache folder", errno);
        return;
    }
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        if (mkdirat(store->root, folders[i], 0777) != 0 && errno != EEXIST)
            remember(store, "cannot write to the cache", errno);
    }
    if (faccessat(store->root, "tmp", W_OK | X_OK, 0) != 0)
        remember(store, "cannot write to the cache", errno);
}

enum tw_status tw_store_open(const char *folder, uint64_t max_bytes, struct tw_store **store,
                             struct tw_error *err)
{
    struct timespec now = {0};
    size_t size = strlen(folder) + sizeof "/v1";
    struct tw_store *made = calloc(1, sizeof *made);
    char *path = malloc(size);
    *store = NULL;
    if (made == NULL || path == NULL) {
        free(made);
        free(path);
        return tw_error_set(err, TW_MEMORY, "no memory to open the cache");
    }
    (void)clock_gettime(CLOCK_REALTIME, &now);
    made->birth = (unsigned long)now.tv_nsec;
    made->max_bytes = max_bytes;
    atomic_init(&made->counter, 0);
    atomic_init(&made->written, 0);
    atomic_init(&made->trouble_step, 0);
    snprintf(path, size, "%s/v1", folder);
    open_root(made, path);
    free(path);
    *store = made;
    return TW_OK;
}

void tw_store_close(struct tw_store *store)
{
    uint64_t freed;
    if (store == NULL)
        return;
    /* Many short runs, each below the share that starts a collection, must not add up. */
    if (store->max_bytes > 0 && atomic_load(&store->written) > 0)
        (void)tw_store_gc(store, store->max_bytes, &freed, NULL);
    if (store->root >= 0)
        close(store->root);
    free(store);
}
