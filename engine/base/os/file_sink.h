/* SPDX-License-Identifier: MIT */
/* A file written from front to back and hashed as it is written if asked, in no memory to speak of.
 * It has another name until it is whole; a process that ends before leaves nothing under its own
 * name. */
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
    char path[4096]; /* the name that it gets */
    uint64_t length; /* bytes so far */
    struct tw_sha256_state hash;
    const struct tw_workers
        *workers; /* one hashes what another writes; NULL: the caller does both */
    bool open, hashed, patched;
};

/* Removes what killed processes left next to `path` first, as tw_file_write() does. Makes no
 * folders. `workers` may be NULL. */
enum tw_status tw_file_sink_open(struct tw_file_sink *sink, const char *path, bool hashed,
                                 const struct tw_workers *workers, struct tw_error *err);
enum tw_status tw_file_sink_write(struct tw_file_sink *sink, const void *data, size_t length,
                                  struct tw_error *err);
/* Writes over bytes before `length`; finishing then reads the file again, for the digest. */
enum tw_status tw_file_sink_patch(struct tw_file_sink *sink, uint64_t offset, const void *data,
                                  size_t length, struct tw_error *err);
/* All of it is on the disk and has its name; the digest of its bytes, if it was asked for. After a
 * failure there is no file. */
enum tw_status tw_file_sink_finish(struct tw_file_sink *sink, struct tw_sha256 *digest,
                                   struct tw_error *err);
/* Removes a file that is not finished; nothing for one that is, or was never opened ({0}). */
void tw_file_sink_abandon(struct tw_file_sink *sink);

#endif
