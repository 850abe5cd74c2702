/* SPDX-License-Identifier: MIT */
/* OpenEXRCore on memory: what codec_exr.c writes with, exr_picture.c and exr_read.c
 * read with. */
#ifndef TW_ENGINE_FORMAT_EXR_EXR_STREAM_H
#define TW_ENGINE_FORMAT_EXR_EXR_STREAM_H

#include "format/notes.h"

#include <openexr.h>

/* One of: a file's header, a file that is read, bytes that are written; and the first complaint. */
struct tw_exr_stream {
    const struct tw_codec_head *in;
    const struct tw_byte_source *source;
    bool exact; /* a read beyond the end is damage; headers are read by blocks */
    struct tw_bytes *out;
    struct tw_error *err;
    enum tw_status status;
};

/* With the callbacks that the stream needs; it lives as long as the file. */
exr_context_initializer_t tw_exr_set_up(struct tw_exr_stream *stream);
/* What stands when a call of the library did not succeed. */
enum tw_status tw_exr_end(const struct tw_exr_stream *stream, exr_result_t code,
                          struct tw_error *err);

/* Of the file that is read. */
uint64_t tw_exr_length(const struct tw_exr_stream *stream);

/* exr_read.c and exr_picture.c, as in struct tw_format. */
enum tw_status tw_exr_read(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                           struct tw_error *err);
bool tw_exr_has_rows(const struct tw_codec_head *head, uint64_t *held);
enum tw_status tw_exr_decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err);
enum tw_status tw_exr_probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err);
void tw_exr_read_notes(const unsigned char *data, size_t length, struct tw_notes *notes);

#endif
