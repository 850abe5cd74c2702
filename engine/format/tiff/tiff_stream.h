/* SPDX-License-Identifier: MIT */
/* Runs libtiff on memory, or on a file that receives bytes: tiff_write.c writes with it and
 * tiff_read.c reads. */
#ifndef TW_ENGINE_FORMAT_TIFF_TIFF_STREAM_H
#define TW_ENGINE_FORMAT_TIFF_TIFF_STREAM_H

#include "format/format.h"

#include <tiffio.h>

/* One of: a file's header or a file being read, bytes being written, a file written by rows. Also
 * keeps the first error. */
struct tw_tiff_stream {
    const struct tw_codec_head *in;
    const struct tw_byte_source *source;
    struct tw_bytes *out;
    struct tw_row_file *file;
    uint64_t length; /* bytes of `file` */
    uint64_t at;
    struct tw_error *err;
    enum tw_status status;
};

/* Takes the modes of TIFFOpen(). NULL on failure; the stream may have the error. */
TIFF *tw_tiff_open(struct tw_tiff_stream *stream, const char *mode);
/* Returns the status after the last call: the first error, else TW_OK if `done`, else a general
 * error. */
enum tw_status tw_tiff_end(const struct tw_tiff_stream *stream, bool done, struct tw_error *err);

/* tiff_tags.c: returns the values of a tag that libtiff may not know, or NULL unless there are at
 * least `*count` of that type; sets *count to their number. A text may lack a terminating zero. */
const void *tw_tiff_values(TIFF *tiff, uint32_t tag, TIFFDataType type, uint32_t *count);
/* Reads GDAL's scale and offset of a sample, 1 and 0 without; TW_INPUT if they are no numbers. */
enum tw_status tw_tiff_read_scale(TIFF *tiff, int sample, double *scale, double *offset,
                                  struct tw_error *err);
/* Returns the metres of a height of 1; 0 if the file does not say. */
double tw_tiff_height_unit(TIFF *tiff);
/* tiff_place.c: returns the metres of the vertical unit in the keys of GeoTIFF; 0 without one. */
double tw_tiff_vertical_unit(TIFF *tiff);
/* tiff_place.c: TW_INPUT if the map is mirrored. */
enum tw_status tw_tiff_check_mirrored(TIFF *tiff, struct tw_error *err);

/* codec_tiff.c: returns the factor that heights are multiplied by. */
float tw_tiff_unit(const struct tw_encoding *encoding);
/* codec_tiff.c: returns whether to write tiles instead of strips. */
bool tw_tiff_is_tiled(const struct tw_encoding *encoding);
/* tiff_write.c implements this member of struct tw_format. */
enum tw_status tw_tiff_encode(const struct tw_encoding *encoding, struct tw_bytes *out,
                              struct tw_error *err);
extern const struct tw_row_writer tw_tiff_row_writer;
/* tiff_read.c implements these members of struct tw_format. */
enum tw_status tw_tiff_decode(const unsigned char *data, size_t length, struct tw_value *out,
                              struct tw_error *err);
enum tw_status tw_tiff_read(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                            struct tw_error *err);
bool tw_tiff_has_rows(const struct tw_codec_head *head, uint64_t *held);
enum tw_status tw_tiff_probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                             struct tw_error *err);
/* tiff_place.c implements this member of struct tw_format. */
bool tw_tiff_read_place(const struct tw_codec_head *head, struct tw_georeference *place);

#endif
