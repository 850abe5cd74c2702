/* SPDX-License-Identifier: MIT */
#include "base/os/file_stream.h"

#include "base/os/file.h"
#include "base/os/posix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum tw_status tw_file_stream_open(struct tw_file_stream *stream, const char *path, uint64_t limit,
                                   size_t size, bool hashed, struct tw_error *err)
{
    struct tw_file_stream opened = {.descriptor = -1, .size = size, .hashed = hashed};
    enum tw_status status =
        tw_file_open_regular(path, limit, &opened.descriptor, &opened.length, err);
    if (status != TW_OK)
        return status;
    opened.left = opened.length;
    opened.buffer = malloc(size);
    if (!opened.buffer) {
        tw_file_stream_close(&opened);
        return tw_error_set(err, TW_MEMORY, "no memory to read %s", path);
    }
    if (hashed)
        tw_sha256_begin(&opened.hash);
    *stream = opened;
    return TW_OK;
}

/* Reads more bytes behind those in the buffer; false at the end and after a failure. */
static bool fill(struct tw_file_stream *stream)
{
    size_t free_bytes = stream->size - stream->end;
    size_t length = stream->left < free_bytes ? (size_t)stream->left : free_bytes;
    unsigned char *to = stream->buffer + stream->end;
    if (length == 0 || !tw_file_read_all(stream->descriptor, to, length))
        return false;
    if (stream->hashed)
        tw_sha256_add(&stream->hash, to, length);
    stream->left -= length;
    stream->end += length;
    return true;
}

size_t tw_file_stream_peek(struct tw_file_stream *stream, const unsigned char **bytes)
{
    *bytes = stream->buffer;
    if (stream->end == 0)
        (void)fill(stream); /* reading the bytes reports a failure */
    return stream->end;
}

/* Reads bytes that follow the buffer's, bypassing it. */
static bool read_past(struct tw_file_stream *stream, void *to, size_t length)
{
    if (length > stream->left || !tw_file_read_all(stream->descriptor, to, length))
        return false;
    if (stream->hashed)
        tw_sha256_add(&stream->hash, to, length);
    stream->left -= length;
    return true;
}

bool tw_file_stream_read(struct tw_file_stream *stream, void *to, size_t length)
{
    unsigned char *at = to;
    while (length > 0) {
        if (stream->at == stream->end) {
            stream->at = stream->end = 0;
            if (length >= stream->size)
                return read_past(stream, at, length);
            if (!fill(stream))
                return false;
        }
        size_t ready = stream->end - stream->at, part = length < ready ? length : ready;
        memcpy(at, stream->buffer + stream->at, part);
        stream->at += part;
        at += part;
        length -= part;
    }
    return true;
}

bool tw_file_stream_read_at(const struct tw_file_stream *stream, uint64_t offset, void *to,
                            size_t length)
{
    unsigned char *at = to;
    if (offset > stream->length || length > stream->length - offset)
        return false;
    for (size_t done = 0; done < length;) {
        ssize_t count = pread(stream->descriptor, at + done, length - done, (off_t)(offset + done));
        if (count == 0 || (count < 0 && errno != EINTR))
            return false;
        done += count > 0 ? (size_t)count : 0;
    }
    return true;
}

bool tw_file_stream_finish(struct tw_file_stream *stream, struct tw_sha256 *digest)
{
    while (stream->left > 0) {
        stream->at = stream->end = 0;
        if (!fill(stream))
            return false;
    }
    if (stream->hashed)
        *digest = tw_sha256_end(&stream->hash);
    return true;
}

void tw_file_stream_close(struct tw_file_stream *stream)
{
    if (stream->descriptor >= 0)
        (void)tw_file_close(stream->descriptor);
    free(stream->buffer);
    *stream = (struct tw_file_stream){.descriptor = -1};
}
