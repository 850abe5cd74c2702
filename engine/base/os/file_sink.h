/* SPDX-License-Identifier: MIT */
/* A file written front to back and, on request, hashed while it is written, in constant memory. It
 * has a temporary name until it is complete; a process that ends earlier leaves nothing under the
 * final name. */
#ifndef TW_ENGINE_BASE_OS_FILE_SINK_H
#define TW_ENGINE_BASE_OS_FILE_SINK_H

#include "base/memory/digest.h"
#include "base/os/temporary.h"
#include "base/os/workers.h"

#include <thalweg/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tw_file_sink {
    struct tw_temporary temporary;
    char path[4096]; /* the final name */
    uint64_t length; /* bytes written so far */
    struct tw_sha256_state hash;
    const struct tw_workers
        *workers; /* one worker hashes while another writes; NULL: the caller does both */
    bool open, hashed, patched;
};

/* First removes temporary files that killed processes left next to `path`, as tw_file_write() does.
 * Creates no folders. `workers` may be NULL. */
enum tw_status tw_file_sink_open(struct tw_file_sink *sink, const char *path, bool hashed,
                                 const struct tw_workers *workers, struct tw_error *err);
enum tw_status tw_file_sink_write(struct tw_file_sink *sink, const void *data, size_t length,
                                  struct tw_error *err);
/* Overwrites bytes before `length`; finishing then rereads the file for the digest. */
enum tw_status tw_file_sink_patch(struct tw_file_sink *sink, uint64_t offset, const void *data,
                                  size_t length, struct tw_error *err);
/* Syncs the file to the disk and gives it its name; returns the digest of its bytes if requested.
 * After a failure there is no file. */
enum tw_status tw_file_sink_finish(struct tw_file_sink *sink, struct tw_sha256 *digest,
                                   struct tw_error *err);
/* Removes an unfinished file; ignores one that is finished, or was never opened ({0}). */
void tw_file_sink_abandon(struct tw_file_sink *sink);

#endif
