/* SPDX-License-Identifier: MIT */
/* A file written row by row, from north to south, while the map is computed, in the memory of a few
 * rows. Formats that can be written so have a row_writer; the bytes are those of
 * tw_format_encode(). One thread at a time. */
#ifndef TW_ENGINE_FORMAT_ROW_FILE_H
#define TW_ENGINE_FORMAT_ROW_FILE_H

#include "format/format.h"

struct tw_row_file {
    const struct tw_format *format;
    struct tw_encoding encoding;  /* of the map: its value has type and size, but no cells */
    struct tw_byte_target target; /* takes the file */
    bool digested;                /* the digest of what a reader gets is asked for */
    struct tw_sha256_state state; /* of that, or of the bytes of a format that has no reader */
    struct tw_bytes bytes;        /* of some rows; kept for the next */
    void *row;                    /* as a reader gets it */
    int32_t next;                 /* row that comes next */
    void *own;                    /* the row writer's */
};

struct tw_row_writer {
    unsigned types; /* that it can write */
    /* What of an export with these options it cannot write; NULL: all. */
    const char *(*lacks)(const struct tw_encoding *encoding);
    /* Bytes that it holds between two calls, in addition to the rows. NULL: hardly any. */
    uint64_t (*bytes)(const struct tw_encoding *encoding);
    enum tw_status (*begin)(struct tw_row_file *file, struct tw_error *err); /* may be NULL */
    /* `rows` is an encoding of the next rows as if these were a map. */
    enum tw_status (*add)(struct tw_row_file *file, const struct tw_encoding *rows,
                          struct tw_error *err);
    /* The last bytes; `content` is NULL unless a digest was asked for. May be NULL. */
    enum tw_status (*end)(struct tw_row_file *file, const struct tw_sha256 *content,
                          struct tw_error *err);
    void (*release)(struct tw_row_file *file); /* frees `own`; may be NULL */
};

/* Why such a file cannot be written by rows, in words; NULL: it can. `encoding` is of
 * one value, whose type counts. */
const char *tw_row_file_lacks(const struct tw_format *format, const struct tw_encoding *encoding);

/* `encoding` lives as long as the file; its range is settled. tw_row_file_release() in any case. */
enum tw_status tw_row_file_begin(struct tw_row_file *file, const struct tw_format *format,
                                 const struct tw_encoding *encoding, struct tw_byte_target target,
                                 bool digested, struct tw_error *err);
/* Rows that follow those before. TW_NODE when a height is out of range. */
enum tw_status tw_row_file_add(struct tw_row_file *file, const struct tw_value *rows,
                               struct tw_error *err);
/* After the last row. `content` gets what tw_format_sha256() would give, if it was asked for. */
enum tw_status tw_row_file_end(struct tw_row_file *file, struct tw_sha256 *content,
                               struct tw_error *err);
void tw_row_file_release(struct tw_row_file *file);

/* For row writers: hands bytes on. */
enum tw_status tw_row_file_write(struct tw_row_file *file, const void *at, size_t length,
                                 struct tw_error *err);
/* Writes over bytes that were handed on. */
enum tw_status tw_row_file_patch(struct tw_row_file *file, uint64_t offset, const void *at,
                                 size_t length, struct tw_error *err);
/* The `add` of formats whose rows are independent: writes what encode() makes of them. */
enum tw_status tw_row_file_encode(struct tw_row_file *file, const struct tw_encoding *rows,
                                  struct tw_error *err);

#endif
