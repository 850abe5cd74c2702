/* SPDX-License-Identifier: MIT */
/* libtiff on memory or on a file that takes bytes: what tiff_write.c writes with and tiff_read.c
 * reads with. */
#ifndef TW_ENGINE_FORMAT_TIFF_TIFF_STREAM_H
#define TW_ENGINE_FORMAT_TIFF_TIFF_STREAM_H

#include "format/format.h"

#include <tiffio.h>

/* One of: a file's header or a file that is read, bytes that are written, a file written by rows;
 * and the first complaint. */
struct tw_tiff_stream {
    const struct tw_codec_head *in;
    const struct tw_byte_source *source;
    struct tw_bytes *out;
    struct tw_row_file *file;
    uint64_t length; /* of `file` */
    uint64_t at;
    struct tw_error *err;
    enum tw_status status;
};

/* Mode as TIFFOpen() has it. NULL after an error, which the stream may know. */
TIFF *tw_tiff_open(struct tw_tiff_stream *stream, const char *mode);
/* What stands after the last call: the first error, else one without words unless all is `done`. */
enum tw_status tw_tiff_end(const struct tw_tiff_stream *stream, bool done, struct tw_error *err);

/* tiff_tags.c: the values of a tag that libtiff may not know; NULL unless there are `*count` of
 * that type, which becomes their number. A text need not end with a zero. */
const void *tw_tiff_values(TIFF *tiff, uint32_t tag, TIFFDataType type, uint32_t *count);
/* TW_INPUT when numbers of the file are not the heights themselves. */
enum tw_status tw_tiff_check_scale(TIFF *tiff, struct tw_error *err);
/* tiff_place.c: TW_INPUT when the map is mirrored. */
enum tw_status tw_tiff_check_mirrored(TIFF *tiff, struct tw_error *err);

/* codec_tiff.c: what heights are multiplied by. */
float tw_tiff_unit(const struct tw_encoding *encoding);
/* tiff_write.c, as in struct tw_format. */
enum tw_status tw_tiff_encode(const struct tw_encoding *encoding, struct tw_bytes *out,
                              struct tw_error *err);
extern const struct tw_row_writer tw_tiff_row_writer;
/* tiff_read.c, as in struct tw_format. */
enum tw_status tw_tiff_decode(const unsigned char *data, size_t length, struct tw_value *out,
                              struct tw_error *err);
enum tw_status tw_tiff_read(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                            struct tw_error *err);
bool tw_tiff_has_rows(const struct tw_codec_head *head, uint64_t *held);
enum tw_status tw_tiff_probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                             struct tw_error *err);
/* tiff_place.c, as in struct tw_format. */
bool tw_tiff_read_place(const struct tw_codec_head *head, struct tw_georeference *place);

#endif
