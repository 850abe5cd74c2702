/* SPDX-License-Identifier: MIT */
#include "base/os/file_sink.h"

#include "base/os/file.h"
#include "base/os/posix.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static enum tw_status failed(const struct tw_file_sink *sink, struct tw_error *err)
{
    return tw_error_set(err, TW_IO, "cannot write %s: %s", sink->path, strerror(errno));
}

enum tw_status tw_file_sink_open(struct tw_file_sink *sink, const char *path, bool hashed,
                                 const struct tw_workers *workers, struct tw_error *err)
{
    sink->workers = workers;
    sink->open = sink->patched = false;
    sink->hashed = hashed;
    sink->length = 0;
    int length = snprintf(sink->path, sizeof sink->path, "%s", path);
    if (length < 0 || (size_t)length >= sizeof sink->path)
        return tw_error_set(err, TW_IO, "cannot write %.80s...: the name is too long", path);
    tw_temporary_sweep(path);
    if (!tw_temporary_open(path, &sink->temporary))
        return failed(sink, err);
    tw_sha256_begin(&sink->hash);
    sink->open = true;
    return TW_OK;
}

struct writing {
    struct tw_file_sink *sink;
    const void *data;
    size_t length;
    int fault; /* errno */
};

/* Task 0 writes, task 1 hashes. */
static void write_and_hash(void *context, int32_t begin, int32_t end)
{
    struct writing *writing = context;
    struct tw_file_sink *sink = writing->sink;
    if (begin == 0 &&
        !tw_file_write_all(sink->temporary.descriptor, writing->data, writing->length))
        writing->fault = errno;
    if (end == 2 && sink->hashed)
        tw_sha256_add(&sink->hash, writing->data, writing->length);
}

/* Below this size waking a worker, or the disk, does not pay. */
enum { SHARED_BYTES = 1 << 20 };

enum tw_status tw_file_sink_write(struct tw_file_sink *sink, const void *data, size_t length,
                                  struct tw_error *err)
{
    struct writing writing = {sink, data, length, 0};
    tw_workers_rows(sink->hashed && length >= SHARED_BYTES ? sink->workers : NULL, 2, 1,
                    write_and_hash, &writing);
    sink->length += length;
    if (length >= SHARED_BYTES)
        tw_file_start_sync(sink->temporary.descriptor);
    errno = writing.fault;
    return writing.fault == 0 ? TW_OK : failed(sink, err);
}

enum tw_status tw_file_sink_patch(struct tw_file_sink *sink, uint64_t offset, const void *data,
                                  size_t length, struct tw_error *err)
{
    const int descriptor = sink->temporary.descriptor;
    sink->patched = true;
    if (lseek(descriptor, (off_t)offset, SEEK_SET) < 0 ||
        !tw_file_write_all(descriptor, data, length) || lseek(descriptor, 0, SEEK_END) < 0)
        return failed(sink, err);
    return TW_OK;
}

enum tw_status tw_file_sink_finish(struct tw_file_sink *sink, struct tw_sha256 *digest,
                                   struct tw_error *err)
{
    uint64_t length;
    enum tw_status status = tw_file_sync(sink->temporary.descriptor) ? TW_OK : failed(sink, err);
    *digest = tw_sha256_end(&sink->hash);
    if (status == TW_OK && sink->hashed && sink->patched)
        status = tw_file_sha256(sink->temporary.path, UINT64_MAX, digest, &length, err);
    if (status != TW_OK) {
        tw_file_sink_abandon(sink);
        return status;
    }
    sink->open = false;
    return tw_temporary_finish(&sink->temporary, sink->path) ? TW_OK : failed(sink, err);
}

void tw_file_sink_abandon(struct tw_file_sink *sink)
{
    if (sink->open)
        tw_temporary_remove(&sink->temporary);
    sink->open = false;
}
