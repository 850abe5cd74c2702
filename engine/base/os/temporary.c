/* SPDX-License-Identifier: MIT */
/* A writer locks its temp file as long as it lives, whatever host or container it runs in; a file
 * that can be locked has no owner. The name contains the kernel's boot id if there is one. Locks
 * are reliable between processes of one kernel, so a sweep removes all ownerless files with its own
 * boot id, whatever their final name; only a writer of the same final name removes others, such as
 * those of another host on a shared disk. */
#define _DEFAULT_SOURCE /* flock */
#include "base/os/temporary.h"

#include "base/os/posix.h"
#include "base/os/process.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* ---- names for a signal handler ---- */

enum { SLOTS = 8, FREE = 0, TAKEN, LISTED };

static struct {
    atomic_int state;
    char path[PATH_MAX];
} slots[SLOTS];

/* Best effort: without a free slot the next writer removes the file. */
static int list_path(const char *path)
{
    for (int i = 0; i < SLOTS; i++) {
        int expected = FREE;
        if (!atomic_compare_exchange_strong(&slots[i].state, &expected, TAKEN))
            continue;
        snprintf(slots[i].path, sizeof slots[i].path, "%s", path);
        atomic_store(&slots[i].state, LISTED);
        return i;
    }
    return -1;
}

static void unlist(struct tw_temporary *temporary)
{
    if (temporary->slot >= 0)
        atomic_store(&slots[temporary->slot].state, FREE);
    temporary->slot = -1;
}

void tw_temporary_remove_all(void)
{
    for (int i = 0; i < SLOTS; i++)
        if (atomic_load(&slots[i].state) == LISTED)
            (void)unlink(slots[i].path);
}

/* ---- opening and finishing ---- */

/* Locks a new file. False if another process took it for ownerless before that, and removed it. If
 * this cannot be determined, returns true: otherwise the file would be left behind. */
static bool lock_new(int descriptor)
{
    struct stat info;
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    return fstat(descriptor, &info) != 0 || info.st_nlink > 0;
}

/* Bytes of a name kept in its temporary name, which is longer but at most 255 bytes. */
enum { NAME_KEPT = 220 };

static size_t kept_of(const char *name)
{
    size_t length = strlen(name);
    return length < NAME_KEPT ? length : NAME_KEPT;
}

enum { MARK_BYTES = 8 }; /* hexadecimal digits of the boot id before the first '-' */

static char mark[MARK_BYTES + 2]; /* with a leading '-'; "" if there is none */

static void read_mark(void)
{
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    char id[MARK_BYTES + 1] = "";
    if (file && fgets(id, sizeof id, file) && strspn(id, "0123456789abcdef") == MARK_BYTES)
        snprintf(mark, sizeof mark, "-%s", id);
    if (file)
        fclose(file);
}

static const char *own_mark(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, read_mark);
    return mark;
}

/* Leaves names alone that exist: they belong to others (a killed run, a link that leads elsewhere,
 * a process of equal id in another container). */
bool tw_temporary_open(const char *path, struct tw_temporary *temporary)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    int length = (int)((size_t)(name - path) + kept_of(name));
    for (int i = 0; i < 100; i++) {
        int used = snprintf(temporary->path, sizeof temporary->path, "%.*s.%ld-%d%s.tmp", length,
                            path, tw_process_id(), i, own_mark());
        if (used < 0 || (size_t)used >= sizeof temporary->path) {
            errno = ENAMETOOLONG;
            return false;
        }
        int descriptor = open(temporary->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST && errno != EINTR)
            return false;
        if (descriptor >= 0 && lock_new(descriptor)) {
            temporary->descriptor = descriptor;
            temporary->slot = list_path(temporary->path);
            return true;
        }
        if (descriptor >= 0)
            close(descriptor);
    }
    errno = EEXIST;
    return false;
}

void tw_temporary_remove(struct tw_temporary *temporary)
{
    (void)unlink(temporary->path);
    unlist(temporary);
    close(temporary->descriptor);
}

/* Closing the descriptor ends the lock, so rename first. */
bool tw_temporary_finish(struct tw_temporary *temporary, const char *path)
{
    struct stat info;
    if (fstat(temporary->descriptor, &info) != 0 || rename(temporary->path, path) != 0) {
        int reason = errno;
        tw_temporary_remove(temporary);
        errno = reason;
        return false;
    }
    unlist(temporary);
    return close(temporary->descriptor) == 0;
}

bool tw_temporary_check_locks(const char *folder)
{
    char path[sizeof((struct tw_temporary *)0)->path];
    struct tw_temporary temporary;
    if (snprintf(path, sizeof path, "%s/check", folder) >= (int)sizeof path)
        return errno = ENAMETOOLONG, false;
    if (!tw_temporary_open(path, &temporary))
        return false;
    int other = open(temporary.path, O_RDONLY | O_CLOEXEC);
    bool free_to_lock = other >= 0 && flock(other, LOCK_EX | LOCK_NB) == 0;
    bool refused = other >= 0 && !free_to_lock && errno == EWOULDBLOCK;
    if (other >= 0)
        close(other);
    tw_temporary_remove(&temporary);
    errno = refused ? 0 : ENOLCK;
    return refused;
}

/* ---- sweeping ---- */

/* Parses ".<process>-<number>[-<mark>].tmp" and returns its mark, or NULL for anything else. */
static const char *find_mark(const char *end)
{
    static const char digits[] = "0123456789";
    size_t process = *end == '.' ? strspn(end + 1, digits) : 0;
    const char *at = end + 1 + process;
    if (process == 0 || *at != '-')
        return NULL;
    size_t number = strspn(at + 1, digits);
    at += 1 + number;
    size_t marked = *at == '-' ? 1 + strspn(at + 1, "0123456789abcdef") : 0;
    return number > 0 && strcmp(at + marked, ".tmp") == 0 ? at : NULL;
}

/* Matches NAME, possibly cut, with such an ending; or any name with our own mark. */
static bool is_temporary_of(const char *file, const char *name)
{
    size_t length = kept_of(name), own = strlen(own_mark());
    if (strncmp(file, name, length) == 0 && find_mark(file + length))
        return true;
    for (const char *at = strchr(file, '.'); own > 0 && at; at = strchr(at + 1, '.')) {
        const char *found = find_mark(at);
        if (found && at > file && strncmp(found, own_mark(), own) == 0 && found[own] == '.')
            return true;
    }
    return false;
}

static void remove_orphan(int folder, const char *name)
{
    struct stat info;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && flock(file, LOCK_EX | LOCK_NB) == 0)
        (void)unlinkat(folder, name, 0);
    close(file);
}

void tw_temporary_sweep(const char *path)
{
    char folder[PATH_MAX] = ".";
    const char *name = strrchr(path, '/');
    if (name && snprintf(folder, sizeof folder, "%.*s/", (int)(name - path), path) >= PATH_MAX)
        return;
    name = name ? name + 1 : path;
    DIR *list = opendir(folder);
    for (const struct dirent *entry; list && (entry = readdir(list));)
        if (is_temporary_of(entry->d_name, name))
            remove_orphan(dirfd(list), entry->d_name);
    if (list)
        closedir(list);
}
