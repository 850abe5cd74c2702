/* SPDX-License-Identifier: MIT */
/* Nothing is global: memory, errors and warnings are set per file. */
#include "format/tiff/tiff_stream.h"
#include "format/row_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_read(const struct tw_tiff_stream *stream) { return stream->in || stream->source; }

static tmsize_t read_source(struct tw_tiff_stream *stream, void *to, size_t size)
{
    const uint64_t length = stream->source->length;
    const uint64_t left = stream->at < length ? length - stream->at : 0;
    const size_t count = left < size ? (size_t)left : size;
    if (!stream->source->read_at(stream->source->context, stream->at, to, count))
        return 0;
    stream->at += count;
    return (tmsize_t)count;
}

static tmsize_t on_read(thandle_t handle, void *to, tmsize_t size)
{
    struct tw_tiff_stream *stream = handle;
    if (stream->source)
        return size > 0 ? read_source(stream, to, (size_t)size) : 0;
    if (!stream->in) /* written bytes are not read back */
        return 0;
    size_t count = tw_codec_read_at(stream->in, stream->at, to, size > 0 ? (size_t)size : 0);
    stream->at += count;
    return (tmsize_t)count;
}

static enum tw_status write_file(struct tw_tiff_stream *stream, const void *from, size_t size)
{
    static const unsigned char zeros[8]; /* bytes that libtiff skips to align a directory */
    enum tw_status status = TW_OK;
    while (status == TW_OK && stream->length < stream->at) {
        const uint64_t gap = stream->at - stream->length;
        const size_t count = gap < sizeof zeros ? (size_t)gap : sizeof zeros;
        status = tw_row_file_write(stream->file, zeros, count, stream->err);
        stream->length += count;
    }
    const uint64_t left = stream->length - stream->at;
    const size_t over = left < size ? (size_t)left : size;
    if (status == TW_OK && over > 0)
        status = tw_row_file_patch(stream->file, stream->at, from, over, stream->err);
    if (status == TW_OK && over < size)
        status = tw_row_file_write(stream->file, (const unsigned char *)from + over, size - over,
                                   stream->err);
    stream->length += size - over;
    return status;
}

static tmsize_t on_write(thandle_t handle, void *from, tmsize_t size)
{
    struct tw_tiff_stream *stream = handle;
    if (is_read(stream) || size < 0 || stream->status != TW_OK)
        return -1;
    stream->status =
        stream->file ? write_file(stream, from, (size_t)size)
                     : tw_bytes_write_at(stream->out, stream->at, from, (size_t)size, stream->err);
    stream->at += (uint64_t)size;
    return stream->status == TW_OK ? size : -1;
}

static uint64_t length_of(const struct tw_tiff_stream *stream)
{
    return stream->in       ? stream->in->file_length
           : stream->source ? stream->source->length
           : stream->file   ? stream->length
                            : tw_bytes_end(stream->out);
}

static toff_t on_seek(thandle_t handle, toff_t offset, int whence)
{
    struct tw_tiff_stream *stream = handle;
    stream->at = whence == SEEK_SET   ? offset
                 : whence == SEEK_CUR ? stream->at + offset
                                      : length_of(stream) + offset;
    return stream->at;
}

static int on_close(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t on_size(thandle_t handle) { return length_of(handle); }

/* libtiff gets this as the name of every file; some of its messages begin with it. */
#define NAME "map.tif"

static int on_error(TIFF *tiff, void *stream_at, const char *module, const char *format,
                    va_list arguments)
{
    struct tw_tiff_stream *stream = stream_at;
    char text[200];
    const size_t named = sizeof NAME ": " - 1;
    (void)tiff;
    (void)module;
    vsnprintf(text, sizeof text, format, arguments);
    if (stream->status == TW_OK)
        stream->status = tw_error_set(stream->err, is_read(stream) ? TW_INPUT : TW_IO,
                                      "%s .tif: %s", is_read(stream) ? "damaged" : "cannot write a",
                                      text + (strncmp(text, NAME ": ", named) == 0 ? named : 0));
    return 1;
}

static int on_warning(TIFF *tiff, void *stream, const char *module, const char *format,
                      va_list arguments)
{
    (void)tiff;
    (void)stream;
    (void)module;
    (void)format;
    (void)arguments;
    return 1;
}

TIFF *tw_tiff_open(struct tw_tiff_stream *stream, const char *mode)
{
    const tmsize_t block_max = (tmsize_t)1 << 28; /* no honest tile or strip is larger */
    TIFFOpenOptions *set = TIFFOpenOptionsAlloc();
    if (!set)
        return NULL;
    TIFFOpenOptionsSetMaxSingleMemAlloc(set, block_max);
    TIFFOpenOptionsSetErrorHandlerExtR(set, on_error, stream);
    TIFFOpenOptionsSetWarningHandlerExtR(set, on_warning, NULL);
    TIFF *tiff = TIFFClientOpenExt(NAME, mode, stream, on_read, on_write, on_seek, on_close,
                                   on_size, NULL, NULL, set);
    TIFFOpenOptionsFree(set);
    return tiff;
}

enum tw_status tw_tiff_end(const struct tw_tiff_stream *stream, bool done, struct tw_error *err)
{
    if (stream->status != TW_OK || done)
        return stream->status;
    return tw_error_set(err, is_read(stream) ? TW_INPUT : TW_IO, "%s .tif",
                        is_read(stream) ? "damaged" : "cannot write a");
}
