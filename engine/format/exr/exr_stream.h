/* SPDX-License-Identifier: MIT */
/* Runs OpenEXRCore on memory: exr_write.c writes with it, exr_picture.c and exr_read.c read. */
#ifndef TW_ENGINE_FORMAT_EXR_EXR_STREAM_H
#define TW_ENGINE_FORMAT_EXR_EXR_STREAM_H

#include "format/notes.h"

#include <openexr.h>

/* One of: a file's header, a file being read, bytes being written. Also keeps the first error. */
struct tw_exr_stream {
    const struct tw_codec_head *in;
    const struct tw_byte_source *source;
    bool exact; /* reading beyond the end fails; not for headers, read in blocks */
    struct tw_bytes *out;
    struct tw_error *err;
    enum tw_status status;
};

/* Returns an initializer with the callbacks for the stream, which must outlive the file. */
exr_context_initializer_t tw_exr_set_up(struct tw_exr_stream *stream);
/* Returns the status after a call of the library, from `code` and the first error. */
enum tw_status tw_exr_end(const struct tw_exr_stream *stream, exr_result_t code,
                          struct tw_error *err);

/* Returns the length of the file being read. */
uint64_t tw_exr_length(const struct tw_exr_stream *stream);

/* Part of a file whose cells are 32 bits of a control map rather than heights. */
#define TW_EXR_CONTROL_PART "terrain3d.control"

/* A channel to write. fill() gives row y as floats, or as any 32 bits a cell, which a channel of
 * floats holds as they are. */
struct tw_exr_rows {
    const char *part, *channel;
    bool half;
    int32_t width, height;
    void (*fill)(const struct tw_encoding *encoding, int32_t y, void *row);
    const struct tw_encoding *encoding;
};
/* exr_write.c: writes a whole file. */
enum tw_status tw_exr_write(const struct tw_exr_rows *rows, const struct tw_notes *notes,
                            struct tw_bytes *out, struct tw_error *err);

/* exr_read.c and exr_picture.c implement these members of struct tw_format. */
enum tw_status tw_exr_read(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                           struct tw_error *err);
bool tw_exr_has_rows(const struct tw_codec_head *head, uint64_t *held);
enum tw_status tw_exr_decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err);
enum tw_status tw_exr_probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err);
void tw_exr_read_notes(const unsigned char *data, size_t length, struct tw_notes *notes);

#endif
