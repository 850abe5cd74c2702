/* SPDX-License-Identifier: MIT */
/* Files to values and back, for callers that know the format; others go through format.h. Decoders
 * read untrusted input: every size is checked before it is multiplied, and limits stand in field.h.
 * Encoders write into a memory buffer; the runner puts it on disk. */
#ifndef TW_ENGINE_FORMAT_CODEC_H
#define TW_ENGINE_FORMAT_CODEC_H

#include "base/memory/bytes.h"
#include "base/os/workers.h"
#include "value/field.h"

/* The bytes of a file in order, or, whatever was read so, from any place. */
struct tw_byte_source {
    bool (*read)(void *context, void *to, size_t length); /* all of them, or false */
    bool (*read_at)(void *context, uint64_t offset, void *to, size_t length); /* the same */
    void *context;
    uint64_t length;                    /* of the file */
    const struct tw_raw_layout *layout; /* of one without a header, else NULL */
    bool colours;                       /* are read where the file has heights, too */
};
/* Takes what a file holds by rows, as they lie in it, from north to south or from south to north:
 * floats of a heightmap, RGB of an image in bytes, or in floats where the facts say `deep` and
 * the sink does not ask for `bytes`. begin() comes first. What is not TW_OK ends the decoding. */
struct tw_row_sink {
    bool bytes;
    enum tw_status (*begin)(void *context, const struct tw_file_facts *facts, struct tw_error *err);
    enum tw_status (*row)(void *context, int32_t y, const void *cells, struct tw_error *err);
    void *context;
};
/* Into a value: an empty one is allocated; one that has a block must be what the file holds. */
struct tw_row_sink tw_codec_sink(struct tw_value *value);
/* A row of floats to a sink, three a pixel of an image, which become bytes in place where the sink
 * expects these: floor(255 v + 0.5), v cut to 0..1. */
enum tw_status tw_codec_give_row(const struct tw_row_sink *sink, const struct tw_file_facts *facts,
                                 int32_t y, float *cells, struct tw_error *err);
/* A file in memory by a format's reader of rows. */
typedef enum tw_status tw_read_rows_fn(const struct tw_byte_source *source,
                                       const struct tw_row_sink *sink, struct tw_error *err);
enum tw_status tw_codec_decode(tw_read_rows_fn *read_rows, const unsigned char *data, size_t length,
                               const struct tw_raw_layout *layout, struct tw_value *out,
                               struct tw_error *err);

/* Reads a PNG in the memory of a few rows. */
enum tw_status tw_png_read(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                           struct tw_error *err);

enum tw_status tw_png_decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err);
enum tw_status tw_npy_decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err);
enum tw_status tw_bmp_decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err);

/* The first bytes of a file, from which a codec tells what it holds without decoding it: all of
 * them, or TW_CODEC_HEAD_BYTES. The rest, which some formats need for that, is read from `path`;
 * NULL when there is none. */
#define TW_CODEC_HEAD_BYTES ((size_t)65536 + 64)
struct tw_codec_head {
    const unsigned char *at;
    size_t length, file_length;
    const char *path;
    const struct tw_raw_layout *layout; /* of a file without a header, else NULL */
    bool colours;                       /* are read where the file has heights, too */
};
/* Bytes from `offset`: how many there were. */
size_t tw_codec_read_at(const struct tw_codec_head *head, uint64_t offset, void *to, size_t length);

/* An error that names the first cell that is not finite. */
enum tw_status tw_codec_check_finite(const struct tw_value *value, const char *ending,
                                     struct tw_error *err);

/* Row y of a map of floats, times `unit`. */
void tw_codec_scale_row(const struct tw_value *value, int32_t y, float unit, float *cells);

/* How an integer export maps heights: low -> 0, high -> full scale. Outside: an error that names
 * the true range, unless `clip`. `bits` is 8 or 16. */
struct tw_export_range {
    double low, high;
    bool clip;
    int bits;
};

/* Row y in levels of `range->bits`: floor(full share + 0.5), 16 bits big-endian. False when a cell
 * is outside the range; tw_codec_outside() is the error for that. */
bool tw_codec_quantise(const struct tw_value *value, int32_t y, const struct tw_export_range *range,
                       unsigned char *row);
/* The same row as a reader of these levels gets it: level / full scale. */
bool tw_codec_requantise(const struct tw_value *value, int32_t y,
                         const struct tw_export_range *range, float *cells);
enum tw_status tw_codec_outside(const struct tw_value *value, const struct tw_export_range *range,
                                struct tw_error *err);

/* Heightmap or mask as grey PNG; an image value (RGB) as 8-bit colour PNG, range ignored. */
enum tw_status tw_png_encode(const struct tw_value *value, const struct tw_export_range *range,
                             struct tw_bytes *out, struct tw_error *err);
/* A line of text in a PNG, in printable ASCII. */
struct tw_png_text {
    char name[40], text[200];
};
enum { TW_PNG_TEXTS_MAX = 16 };
/* Rows of a PNG as its writer asks for them: 1 (grey), 3 or 4 channels; 16 bits are big-endian. A
 * row is asked for once or twice, in any order, by several threads at once where there are workers;
 * the file is the same with any number of them. */
struct tw_png_rows {
    int32_t width, height;
    int channels, bits;
    int level; /* of compression, 2 to 9; 0 and 1: the fastest (base/memory/deflate.h) */
    bool (*fill)(void *context, int32_t y, unsigned char *row); /* false ends with TW_NODE */
    /* Is called for rows `begin` to `end` - 1 while these are packed, from the first row to the
     * last, by one thread at a time; NULL: is not. False ends with TW_NODE. */
    bool (*pass)(void *context, int32_t begin, int32_t end);
    void *context;
    const struct tw_workers *workers; /* NULL: the caller alone */
    struct tw_png_text texts[TW_PNG_TEXTS_MAX];
    int text_count;
};
enum tw_status tw_png_encode_rows(const struct tw_png_rows *rows, struct tw_bytes *out,
                                  struct tw_error *err);
/* Grids as .npy version 1.0: '<f4' (h, w), labels '<i4', images '|u1' (h, w, 3), vectors (h, w, 2):
 * what the type's members are, which must be of one kind. */
enum tw_status tw_npy_encode(const struct tw_value *value, struct tw_bytes *out,
                             struct tw_error *err);
/* Heightmap or mask as 8-bit BMP with a grey palette, whatever range->bits says. */
enum tw_status tw_bmp_encode(const struct tw_value *value, const struct tw_export_range *range,
                             struct tw_bytes *out, struct tw_error *err);

/* How the cells of a file without a header lie, and what they mean. */
struct tw_raw_layout {
    int32_t width, height;
    int bits;  /* 16: levels, read as level / 65535; 32: floats */
    bool flip; /* rows from south to north */
    bool big_endian;
    bool ranged; /* levels, or floats of 0 and 1, stand for heights from `low` to `high` */
    float low, high;
};
/* TW_INPUT with both sizes when the file is not as long as its layout. */
enum tw_status tw_raw_decode(const unsigned char *data, size_t length,
                             const struct tw_raw_layout *layout, struct tw_value *out,
                             struct tw_error *err);

#endif
