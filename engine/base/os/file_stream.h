/* SPDX-License-Identifier: MIT */
/* A regular file read once from front to back, hashed as it is read, in little memory; formats
 * with scattered parts also seek. */
#ifndef TW_ENGINE_BASE_OS_FILE_STREAM_H
#define TW_ENGINE_BASE_OS_FILE_STREAM_H

#include "base/memory/digest.h"

#include <thalweg/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tw_file_stream {
    int descriptor; /* -1 when closed */
    uint64_t length;
    uint64_t left;         /* bytes behind those of the buffer */
    unsigned char *buffer; /* unread bytes are from `at` to `end` */
    size_t size, at, end;
    bool hashed;
    struct tw_sha256_state hash; /* of what was read in order */
};

/* `size` bytes are read ahead. A file of more than `limit` bytes is TW_LIMIT. */
enum tw_status tw_file_stream_open(struct tw_file_stream *stream, const char *path, uint64_t limit,
                                   size_t size, bool hashed, struct tw_error *err);
/* The first bytes, up to `size`, before anything is read: their count. */
size_t tw_file_stream_peek(struct tw_file_stream *stream, const unsigned char **bytes);
/* All bytes or false. */
bool tw_file_stream_read(struct tw_file_stream *stream, void *to, size_t length);
/* The same from any place, which the reading in order does not notice. */
bool tw_file_stream_read_at(const struct tw_file_stream *stream, uint64_t offset, void *to,
                            size_t length);
/* Reads what is left; the digest of all bytes, in a hashed stream. False when reading failed. */
bool tw_file_stream_finish(struct tw_file_stream *stream, struct tw_sha256 *digest);
/* Also of one that was never opened, {.descriptor = -1}, and twice. */
void tw_file_stream_close(struct tw_file_stream *stream);

#endif
