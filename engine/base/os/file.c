/* SPDX-License-Identifier: MIT */
/* Reads and writes whole files. Readers of an output see the old bytes or the new ones, never a
 * part. */
#define _GNU_SOURCE /* sync_file_range. NOLINT(bugprone-reserved-identifier) */
#include "base/os/file.h"

#include "base/os/posix.h"
#include "base/os/temporary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum tw_status failed(struct tw_error *err, const char *what, const char *path)
{
    bool is_long = strlen(path) > TW_FILE_NAME_SHOWN; /* the reason must still fit */
    return tw_error_set(err, TW_IO, "cannot %s %.*s%s: %s", what, is_long ? 80 : TW_FILE_NAME_SHOWN,
                        path, is_long ? "..." : "", strerror(errno));
}

bool tw_file_read_all(int descriptor, void *data, size_t length)
{
    unsigned char *at = data;
    while (length > 0) {
        ssize_t got = read(descriptor, at, length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        length -= (size_t)got;
    }
    return true;
}

enum tw_status tw_file_open_regular(const char *path, uint64_t limit, int *descriptor,
                                    uint64_t *length, struct tw_error *err)
{
    enum tw_status status = TW_OK;
    struct stat info;
    int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (opened < 0 || fstat(opened, &info) != 0) {
        /* temporary shortage, which is not the file's fault */
        bool is_short = errno == EMFILE || errno == ENFILE || errno == ENOMEM;
        status = failed(err, "read", path);
        if (is_short)
            status = err ? (err->status = TW_MEMORY) : TW_MEMORY;
    } else if (!S_ISREG(info.st_mode)) {
        status = tw_error_set(err, TW_IO, "cannot read %s: not a regular file", path);
    } else if ((uintmax_t)info.st_size > limit) {
        status = tw_error_set(err, TW_LIMIT, "%s has %jd bytes; expected at most %" PRIu64, path,
                              (intmax_t)info.st_size, limit);
    } else {
        *length = (uint64_t)info.st_size;
        *descriptor = opened;
        return TW_OK;
    }
    if (opened >= 0)
        close(opened);
    return status;
}

static enum tw_status changed(struct tw_error *err, const char *path)
{
    return tw_error_set(err, TW_IO, "cannot read %s: it changed or failed while read", path);
}

enum tw_status tw_file_sha256(const char *path, uint64_t limit, struct tw_sha256 *digest,
                              uint64_t *length, struct tw_error *err)
{
    unsigned char part[1 << 15];
    struct tw_sha256_state state;
    int descriptor = -1;
    enum tw_status status = tw_file_open_regular(path, limit, &descriptor, length, err);
    if (status != TW_OK)
        return status;
    tw_sha256_begin(&state);
    for (uint64_t left = *length; status == TW_OK && left > 0;) {
        size_t size = left < sizeof part ? (size_t)left : sizeof part;
        if (!tw_file_read_all(descriptor, part, size))
            status = changed(err, path);
        tw_sha256_add(&state, part, size);
        left -= size;
    }
    *digest = tw_sha256_end(&state);
    close(descriptor);
    return status;
}

/* Reads `length` bytes of an open file into a new block, followed by a zero. */
static enum tw_status read_block(int descriptor, const char *path, size_t length,
                                 unsigned char **data, struct tw_error *err)
{
    unsigned char *block = malloc(length + 1);
    if (!block)
        return tw_error_set(err, TW_MEMORY, "no memory to read %s", path);
    if (!tw_file_read_all(descriptor, block, length)) {
        free(block);
        return changed(err, path);
    }
    block[length] = 0;
    *data = block;
    return TW_OK;
}

enum tw_status tw_file_read_head(const char *path, size_t limit, unsigned char **data,
                                 size_t *length, uint64_t *total, struct tw_error *err)
{
    int descriptor = -1;
    enum tw_status status = tw_file_open_regular(path, UINT64_MAX, &descriptor, total, err);
    if (status != TW_OK)
        return status;
    *length = *total < limit ? (size_t)*total : limit;
    status = read_block(descriptor, path, *length, data, err);
    close(descriptor);
    return status;
}

bool tw_file_read_part(const char *path, uint64_t offset, void *to, size_t length)
{
    uint64_t size = 0;
    int descriptor = -1;
    if (tw_file_open_regular(path, UINT64_MAX, &descriptor, &size, NULL) != TW_OK)
        return false;
    bool there = offset <= size && length <= size - offset &&
                 lseek(descriptor, (off_t)offset, SEEK_SET) == (off_t)offset &&
                 tw_file_read_all(descriptor, to, length);
    close(descriptor);
    return there;
}

enum tw_status tw_file_read(const char *path, size_t limit, unsigned char **data, size_t *length,
                            struct tw_error *err)
{
    uint64_t size = 0;
    int descriptor = -1;
    enum tw_status status = tw_file_open_regular(path, limit, &descriptor, &size, err);
    if (status != TW_OK)
        return status;
    *length = (size_t)size;
    status = read_block(descriptor, path, *length, data, err);
    close(descriptor);
    return status;
}

enum tw_status tw_file_as_input(enum tw_status status, struct tw_error *err)
{
    if (status != TW_IO)
        return status;
    if (err)
        err->status = TW_INPUT;
    return TW_INPUT;
}

enum tw_status tw_file_read_private(const char *path, size_t limit, unsigned char **data,
                                    size_t *length, struct tw_error *err)
{
    struct stat info;
    uint64_t size = 0;
    int descriptor = -1;
    enum tw_status status = tw_file_open_regular(path, limit, &descriptor, &size, err);
    if (status != TW_OK)
        return status;
    *length = (size_t)size;
    if (fstat(descriptor, &info) != 0 || (info.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        status = tw_error_set(err, TW_PATH,
                              "%s is open to others; expected a file that only its owner may read "
                              "(chmod 600)",
                              path);
    else
        status = read_block(descriptor, path, *length, data, err);
    close(descriptor);
    return status;
}

bool tw_file_write_all(int descriptor, const void *data, size_t length)
{
    const unsigned char *at = data;
    while (length > 0) {
        ssize_t put = write(descriptor, at, length);
        if (put < 0 && errno == EINTR)
            continue;
        if (put == 0)
            errno = EIO;
        if (put <= 0)
            return false;
        at += put;
        length -= (size_t)put;
    }
    return true;
}

bool tw_file_close(int descriptor) { return close(descriptor) == 0; }

bool tw_file_sync(int descriptor) { return fsync(descriptor) == 0; }

void tw_file_start_sync(int descriptor)
{
#ifdef SYNC_FILE_RANGE_WRITE
    (void)sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE); /* 0 bytes: all */
#else
    (void)descriptor;
#endif
}

bool tw_file_rewind(int descriptor) { return lseek(descriptor, 0, SEEK_SET) == 0; }

bool tw_file_size(int descriptor, uint64_t *size)
{
    struct stat info;
    if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    *size = (uint64_t)info.st_size;
    return true;
}

void tw_file_touch(int descriptor) { (void)futimens(descriptor, NULL); }

enum tw_status tw_file_identify(const char *path, bool follow, struct tw_file_id *id,
                                struct tw_error *err)
{
    struct stat info;
    *id = (struct tw_file_id){.exists = false};
    if ((follow ? stat(path, &info) : lstat(path, &info)) == 0)
        *id = (struct tw_file_id){info.st_dev, info.st_ino, true};
    else if (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG)
        return failed(err, "look at", path);
    return TW_OK;
}

/* How much the disk writes while the next stretch is produced. */
enum { STRETCH = 8 << 20 };

static bool write_part(int descriptor, const struct tw_file_part *part)
{
    const unsigned char *at = part->at;
    size_t left = part->length;
    for (; left > STRETCH; at += STRETCH, left -= STRETCH) {
        if (!tw_file_write_all(descriptor, at, STRETCH))
            return false;
        tw_file_start_sync(descriptor);
    }
    return tw_file_write_all(descriptor, at, left);
}

static bool write_parts(int descriptor, const struct tw_file_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!write_part(descriptor, &parts[i]))
            return false;
    return true;
}

enum tw_status tw_file_write_parts(const char *path, const struct tw_file_part *parts, size_t count,
                                   struct tw_error *err)
{
    struct tw_temporary temporary;
    tw_temporary_sweep(path);
    if (!tw_temporary_open(path, &temporary))
        return failed(err, "write", path);
    if (!write_parts(temporary.descriptor, parts, count) || !tw_file_sync(temporary.descriptor)) {
        enum tw_status status = failed(err, "write", path);
        tw_temporary_remove(&temporary);
        return status;
    }
    return tw_temporary_finish(&temporary, path) ? TW_OK : failed(err, "write", path);
}

enum tw_status tw_file_write(const char *path, const void *data, size_t length,
                             struct tw_error *err)
{
    return tw_file_write_parts(path, &(struct tw_file_part){data, length}, 1, err);
}
