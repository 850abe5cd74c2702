/* SPDX-License-Identifier: MIT */
/* A regular file read once from front to back, and hashed while it is read, in little memory;
 * formats with scattered parts also seek. */
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
    uint64_t left;         /* bytes of the file not yet in the buffer */
    unsigned char *buffer; /* unread bytes are from `at` to `end` */
    size_t size, at, end;
    bool hashed;
    struct tw_sha256_state hash; /* of the bytes read in order */
};

/* Reads `size` bytes ahead. TW_LIMIT for a file of more than `limit` bytes. */
enum tw_status tw_file_stream_open(struct tw_file_stream *stream, const char *path, uint64_t limit,
                                   size_t size, bool hashed, struct tw_error *err);
/* Points *bytes at the first bytes, up to `size`, and returns their count; call before reading. */
size_t tw_file_stream_peek(struct tw_file_stream *stream, const unsigned char **bytes);
/* Reads exactly `length` bytes, or returns false. */
bool tw_file_stream_read(struct tw_file_stream *stream, void *to, size_t length);
/* Reads exactly `length` bytes at `offset` without moving the stream, or returns false. */
bool tw_file_stream_read_at(const struct tw_file_stream *stream, uint64_t offset, void *to,
                            size_t length);
/* Reads the rest of the file and returns the digest of all bytes, if the stream is hashed. False
 * when reading failed. */
bool tw_file_stream_finish(struct tw_file_stream *stream, struct tw_sha256 *digest);
/* Ignores a stream that is closed, or was never opened ({.descriptor = -1}). */
void tw_file_stream_close(struct tw_file_stream *stream);

#endif
