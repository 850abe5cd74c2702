/* SPDX-License-Identifier: MIT */
/* Converts files to values and back, for callers that know the format; others use format.h.
 * Decoders read untrusted input: they check every size before multiplying, against the limits of
 * field.h. Encoders write into a memory buffer; the runner writes it to disk. */
#ifndef TW_ENGINE_FORMAT_CODEC_H
#define TW_ENGINE_FORMAT_CODEC_H

#include "base/memory/bytes.h"
#include "base/os/workers.h"
#include "value/field.h"

/* What is wanted of a file that holds more than plain heights. */
struct tw_file_wish {
    bool gaps;    /* cells without a height as NaN, rather than as an error */
    bool colours; /* prefer colours where the file also has heights */
    bool counts;  /* unsigned integers as they are, rather than as shares of the greatest */
    int32_t band; /* from 1; 0: the only one */
};
#define TW_NO_WISH ((struct tw_file_wish){.band = 0})

/* The bytes of a file, read in order; read_at() reads from any place. */
struct tw_byte_source {
    bool (*read)(void *context, void *to, size_t length); /* all of it, or false */
    bool (*read_at)(void *context, uint64_t offset, void *to, size_t length); /* at `offset` */
    void *context;
    uint64_t length;                    /* bytes of the file */
    const struct tw_raw_layout *layout; /* for a file without a header, else NULL */
    struct tw_file_wish wish;
};
/* Receives a file's contents row by row in the file's order, from north to south or south to north:
 * floats of a heightmap; RGB of an image, in bytes, or in floats if the facts have `deep` and the
 * sink does not set `bytes`. begin() comes first. Any status but TW_OK ends the decoding. */
struct tw_row_sink {
    bool bytes;
    enum tw_status (*begin)(void *context, const struct tw_file_facts *facts, struct tw_error *err);
    enum tw_status (*row)(void *context, int32_t y, const void *cells, struct tw_error *err);
    void *context;
};
/* Returns a sink that fills a value: it allocates an empty one; a value with a block must match the
 * file's contents. */
struct tw_row_sink tw_codec_sink(struct tw_value *value);
/* Passes a row of floats to a sink, three per pixel for an image. If the sink wants bytes, converts
 * them in place: floor(255 v + 0.5), with v clamped to 0..1. */
enum tw_status tw_codec_give_row(const struct tw_row_sink *sink, const struct tw_file_facts *facts,
                                 int32_t y, float *cells, struct tw_error *err);
/* Decodes a file in memory by a format's reader of rows. */
typedef enum tw_status tw_read_rows_fn(const struct tw_byte_source *source,
                                       const struct tw_row_sink *sink, struct tw_error *err);
enum tw_status tw_codec_decode(tw_read_rows_fn *read_rows, const unsigned char *data, size_t length,
                               const struct tw_raw_layout *layout, struct tw_file_wish wish,
                               struct tw_value *out, struct tw_error *err);

/* Reads a PNG in the memory of a few rows. */
enum tw_status tw_png_read(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                           struct tw_error *err);

enum tw_status tw_png_decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err);
enum tw_status tw_npy_decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err);
enum tw_status tw_bmp_decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err);

/* The first bytes of a file (all, or TW_CODEC_HEAD_BYTES), from which a codec determines the
 * contents without decoding. Some formats read more, from `path`; NULL if there is none. */
#define TW_CODEC_HEAD_BYTES ((size_t)65536 + 64)
struct tw_codec_head {
    const unsigned char *at;
    size_t length, file_length;
    const char *path;
    const struct tw_raw_layout *layout; /* for a file without a header, else NULL */
    struct tw_file_wish wish;
};
/* Reads bytes at `offset` and returns how many existed. */
size_t tw_codec_read_at(const struct tw_codec_head *head, uint64_t offset, void *to, size_t length);

/* Returns TW_INPUT: the file has no height there. `ending` names it, as in ".tif". */
enum tw_status tw_codec_gap(const char *ending, int32_t x, int32_t y, struct tw_error *err);
/* Returns an error that names the first cell that is not finite, or TW_OK. */
enum tw_status tw_codec_check_finite(const struct tw_value *value, const char *ending,
                                     struct tw_error *err);

/* Gets row y of a map of floats, times `unit`. */
void tw_codec_scale_row(const struct tw_value *value, int32_t y, float unit, float *cells);

/* How an integer export maps heights: low -> 0, high -> full scale. Heights outside give an error
 * that names the true range, unless `clip`. `bits` is 8 or 16. */
struct tw_export_range {
    double low, high;
    bool clip;
    int bits;
};

/* Converts row y to levels of `range->bits`: floor(full share + 0.5), 16 bits big-endian. False if
 * a cell is outside the range; tw_codec_outside() returns the error for that. */
bool tw_codec_quantise(const struct tw_value *value, int32_t y, const struct tw_export_range *range,
                       unsigned char *row);
/* Converts row y to levels and back, as a reader of the file gets it: level / full scale. */
bool tw_codec_requantise(const struct tw_value *value, int32_t y,
                         const struct tw_export_range *range, float *cells);
enum tw_status tw_codec_outside(const struct tw_value *value, const struct tw_export_range *range,
                                struct tw_error *err);

/* Encodes a heightmap or mask as grey PNG, or an image value (RGB) as 8-bit colour PNG, ignoring
 * the range. */
enum tw_status tw_png_encode(const struct tw_value *value, const struct tw_export_range *range,
                             struct tw_bytes *out, struct tw_error *err);
/* A line of text in a PNG, in printable ASCII. */
struct tw_png_text {
    char name[40], text[200];
};
enum { TW_PNG_TEXTS_MAX = 16 };
/* Rows of a PNG for its writer: 1 (grey), 3 or 4 channels; 16 bits are big-endian. The writer
 * requests a row once or twice, in any order, and from several threads at once if there are
 * workers; their number does not change the file. */
struct tw_png_rows {
    int32_t width, height;
    int channels, bits;
    int level; /* compression, 2 to 9; 0 and 1: the fastest (base/memory/deflate.h) */
    bool (*fill)(void *context, int32_t y, unsigned char *row); /* false ends with TW_NODE */
    /* Called for rows `begin` to `end` - 1 while these are packed, from the first row to the last,
     * by one thread at a time; may be NULL. False ends with TW_NODE. */
    bool (*pass)(void *context, int32_t begin, int32_t end);
    void *context;
    const struct tw_workers *workers; /* NULL: the caller does all the work */
    struct tw_png_text texts[TW_PNG_TEXTS_MAX];
    int text_count;
};
enum tw_status tw_png_encode_rows(const struct tw_png_rows *rows, struct tw_bytes *out,
                                  struct tw_error *err);
/* Encodes grids as .npy version 1.0: '<f4' (h, w), labels '<i4', images '|u1' (h, w, 3), vectors
 * (h, w, 2). The type's members must be of one kind. */
enum tw_status tw_npy_encode(const struct tw_value *value, struct tw_bytes *out,
                             struct tw_error *err);
/* Encodes a heightmap or mask as 8-bit BMP with a grey palette, ignoring range->bits. */
enum tw_status tw_bmp_encode(const struct tw_value *value, const struct tw_export_range *range,
                             struct tw_bytes *out, struct tw_error *err);

/* What the numbers of a file without a header are. */
enum tw_raw_numbers {
    TW_RAW_BY_BITS, /* 16 bits: levels, read as level / 65535; 32 bits: floats */
    TW_RAW_SIGNED,  /* integers of 8, 16 or 32 bits, read as they are */
    TW_RAW_UNSIGNED,
    TW_RAW_FLOATS /* of 32 or 64 bits */
};

/* The layout of a file without a header, and what its numbers mean. */
struct tw_raw_layout {
    int32_t width, height;
    int bits;
    enum tw_raw_numbers numbers;
    bool flip; /* rows from south to north */
    bool big_endian;
    bool ranged; /* levels, or floats of 0 and 1, mean heights from `low` to `high` */
    float low, high;
    bool has_no_data;
    double no_data;     /* of cells without a height */
    uint64_t skip;      /* bytes before the first row */
    uint64_t row_bytes; /* from a row to the next; 0: rows follow each other */
    struct tw_file_place place;
};
/* Returns the bytes from a row to the next. */
static inline uint64_t tw_raw_row_bytes(const struct tw_raw_layout *layout)
{
    return layout->row_bytes ? layout->row_bytes
                             : (uint64_t)layout->width * ((uint64_t)layout->bits / 8);
}
/* TW_INPUT with both sizes if the file's length differs from its layout's. */
enum tw_status tw_raw_decode(const unsigned char *data, size_t length,
                             const struct tw_raw_layout *layout, struct tw_file_wish wish,
                             struct tw_value *out, struct tw_error *err);

#endif
