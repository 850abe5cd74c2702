/* SPDX-License-Identifier: MIT */
#include "format/exr/exr_stream.h"

static struct tw_exr_stream *stream_of(exr_const_context_t file)
{
    void *stream = NULL;
    exr_get_user_data(file, &stream);
    return stream;
}

static bool is_read(const struct tw_exr_stream *stream) { return stream->in || stream->source; }

uint64_t tw_exr_length(const struct tw_exr_stream *stream)
{
    return stream->source ? stream->source->length : stream->in->file_length;
}

static enum tw_status set_error(const struct tw_exr_stream *stream, exr_result_t code,
                                const char *message, struct tw_error *err)
{
    if (code == EXR_ERR_OUT_OF_MEMORY)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    return tw_error_set(err, is_read(stream) ? TW_INPUT : TW_IO, "%s .exr: %s",
                        !is_read(stream)                          ? "cannot write an"
                        : code == EXR_ERR_FEATURE_NOT_IMPLEMENTED ? "not supported in an"
                                                                  : "damaged",
                        message);
}

static void on_error(exr_const_context_t file, exr_result_t code, const char *message)
{
    struct tw_exr_stream *stream = file ? stream_of(file) : NULL;
    if (stream && stream->status == TW_OK)
        stream->status = set_error(stream, code, message, stream->err);
}

static size_t read_source(const struct tw_byte_source *source, uint64_t offset, void *to,
                          size_t size)
{
    const uint64_t left = offset < source->length ? source->length - offset : 0;
    const size_t count = left < size ? (size_t)left : size;
    return source->read_at(source->context, offset, to, count) ? count : 0;
}

static int64_t on_read(exr_const_context_t file, void *stream_at, void *to, uint64_t size,
                       uint64_t offset, exr_stream_error_func_ptr_t report)
{
    const struct tw_exr_stream *stream = stream_at;
    (void)file;
    (void)report;
    size_t count = stream->source ? read_source(stream->source, offset, to, (size_t)size)
                                  : tw_codec_read_at(stream->in, offset, to, (size_t)size);
    return stream->exact && count < size ? -1 : (int64_t)count;
}

static int64_t on_size(exr_const_context_t file, void *stream_at)
{
    (void)file;
    return (int64_t)tw_exr_length(stream_at);
}

/* The library writes the table of chunks last, over zeros that it left for it. */
static int64_t on_write(exr_const_context_t file, void *stream_at, const void *from, uint64_t size,
                        uint64_t offset, exr_stream_error_func_ptr_t report)
{
    struct tw_exr_stream *stream = stream_at;
    (void)file;
    (void)report;
    if (stream->status == TW_OK)
        stream->status = tw_bytes_write_at(stream->out, offset, from, (size_t)size, stream->err);
    return stream->status == TW_OK ? (int64_t)size : -1;
}

exr_context_initializer_t tw_exr_set_up(struct tw_exr_stream *stream)
{
    exr_context_initializer_t set = EXR_DEFAULT_CONTEXT_INITIALIZER;
    set.error_handler_fn = on_error;
    set.user_data = stream;
    if (is_read(stream)) {
        set.read_fn = on_read;
        set.size_fn = on_size;
    }
    if (stream->out)
        set.write_fn = on_write;
    set.max_image_width = set.max_image_height = TW_SIDE_MAX;
    set.max_tile_width = set.max_tile_height = TW_SIDE_MAX;
    set.zip_level = 4;
    return set;
}

enum tw_status tw_exr_end(const struct tw_exr_stream *stream, exr_result_t code,
                          struct tw_error *err)
{
    if (stream->status != TW_OK || code == EXR_ERR_SUCCESS)
        return stream->status;
    return set_error(stream, code, exr_get_default_error_message(code), err);
}
