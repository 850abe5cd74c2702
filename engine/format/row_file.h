/* SPDX-License-Identifier: MIT */
/* A file written row by row, from north to south, while the map is computed, in the memory of a few
 * rows. Formats that support this have a row_writer; it writes the bytes of tw_format_encode(). One
 * thread at a time. */
#ifndef TW_ENGINE_FORMAT_ROW_FILE_H
#define TW_ENGINE_FORMAT_ROW_FILE_H

#include "format/format.h"

struct tw_row_file {
    const struct tw_format *format;
    struct tw_encoding encoding;  /* describes the map: its value has type and size, but no cells */
    struct tw_byte_target target; /* receives the file */
    bool digested;                /* the caller wants the digest of what a reader gets */
    struct tw_sha256_state state; /* hash of that, or of the bytes of a format without a reader */
    struct tw_bytes bytes;        /* some encoded rows; the buffer is reused */
    void *row;                    /* a row as a reader gets it */
    int32_t next;                 /* index of the next row */
    void *own;                    /* state of the row writer */
};

struct tw_row_writer {
    unsigned types; /* types that it can write */
    /* Returns what it cannot write of an export with these options; NULL: nothing. */
    const char *(*lacks)(const struct tw_encoding *encoding);
    /* Returns the bytes it holds between two calls, beyond the rows. NULL: hardly any. */
    uint64_t (*bytes)(const struct tw_encoding *encoding);
    enum tw_status (*begin)(struct tw_row_file *file, struct tw_error *err); /* may be NULL */
    /* `rows` encodes the next rows as if they were a map. */
    enum tw_status (*add)(struct tw_row_file *file, const struct tw_encoding *rows,
                          struct tw_error *err);
    /* Writes the last bytes; `content` is NULL unless the caller wants a digest. May be NULL. */
    enum tw_status (*end)(struct tw_row_file *file, const struct tw_sha256 *content,
                          struct tw_error *err);
    void (*release)(struct tw_row_file *file); /* frees `own`; may be NULL */
};

/* Returns in words why such a file cannot be written by rows; NULL: it can. `encoding` has one
 * value, whose type counts. */
const char *tw_row_file_lacks(const struct tw_format *format, const struct tw_encoding *encoding);

/* `encoding` must outlive the file, with a settled range. Call tw_row_file_release() in any
 * case. */
enum tw_status tw_row_file_begin(struct tw_row_file *file, const struct tw_format *format,
                                 const struct tw_encoding *encoding, struct tw_byte_target target,
                                 bool digested, struct tw_error *err);
/* Adds the next rows. TW_NODE if a height is out of range. */
enum tw_status tw_row_file_add(struct tw_row_file *file, const struct tw_value *rows,
                               struct tw_error *err);
/* Call after the last row. `content` becomes the result of tw_format_sha256(), if requested. */
enum tw_status tw_row_file_end(struct tw_row_file *file, struct tw_sha256 *content,
                               struct tw_error *err);
void tw_row_file_release(struct tw_row_file *file);

/* Called by row writers: passes bytes on. */
enum tw_status tw_row_file_write(struct tw_row_file *file, const void *at, size_t length,
                                 struct tw_error *err);
/* Overwrites bytes already passed on. */
enum tw_status tw_row_file_patch(struct tw_row_file *file, uint64_t offset, const void *at,
                                 size_t length, struct tw_error *err);
/* Implements `add` for formats with independent rows: writes the result of encode(). */
enum tw_status tw_row_file_encode(struct tw_row_file *file, const struct tw_encoding *rows,
                                  struct tw_error *err);

#endif
