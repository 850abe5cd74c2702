/* SPDX-License-Identifier: MIT */
/* NumPy's .npy format, written as version 1: a header, then the cells as in memory. */
#include "format/plain/npy_private.h"

#include "base/memory/byte_order.h"
#include "format/row_file.h"

#include <stdio.h>
#include <string.h>

/* Returns the dtype of a member; NULL if we write no such NumPy type. */
static const char *descr_of(enum tw_member_kind kind)
{
    switch (kind) {
    case TW_MEMBER_F32:
        return "<f4";
    case TW_MEMBER_F64:
        return "<f8";
    case TW_MEMBER_I32:
        return "<i4";
    case TW_MEMBER_U32:
        return "<u4";
    case TW_MEMBER_U16:
        return "<u2";
    case TW_MEMBER_U8:
        return "|u1";
    case TW_MEMBER_TEXT:
        break;
    }
    return NULL;
}

/* Writes the dictionary of the header; false for elements whose members are of several kinds. */
static bool print_dictionary(const struct tw_value *value, char *text, size_t size)
{
    const struct tw_element_member *members = tw_type(value->type)->members;
    const char *descr = descr_of(members[0].kind);
    char more[16] = "";
    int count = 1;
    for (; members[count].name; count++)
        if (members[count].kind != members[0].kind)
            return false;
    if (count > 1)
        snprintf(more, sizeof more, ", %d", count);
    int used =
        snprintf(text, size, "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d%s), }",
                 descr ? descr : "", (int)value->height, (int)value->width, more);
    return descr && used > 0 && (size_t)used < size;
}

/* Bytes before the cells: 10 + 118, which aligns these to 64. */
enum { HEAD = 128 };

static enum tw_status print_head(const struct tw_value *value, char head[HEAD + 1],
                                 struct tw_error *err)
{
    char text[118]; /* fits, since no side has more than 5 digits */
    if (!print_dictionary(value, text, sizeof text))
        return tw_error_set(err, TW_NODE, "%s cannot be written as .npy",
                            tw_type_name(value->type));
    memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10);
    snprintf(head + 10, HEAD - 9, "%-117s\n", text);
    return TW_OK;
}

static enum tw_status append_head(const struct tw_encoding *encoding, struct tw_bytes *out,
                                  struct tw_error *err)
{
    char head[HEAD + 1];
    enum tw_status status = print_head(encoding->values[0], head, err);
    return status == TW_OK ? tw_bytes_append(out, head, HEAD, err) : status;
}

struct cells {
    struct tw_bytes *out;
    struct tw_error *err;
    enum tw_status status;
};

static bool append_cells(void *context, const void *at, size_t length)
{
    struct cells *cells = context;
    cells->status = tw_bytes_append(cells->out, at, length, cells->err);
    return cells->status == TW_OK;
}

enum tw_status tw_npy_encode(const struct tw_value *value, struct tw_bytes *out,
                             struct tw_error *err)
{
    enum tw_status status = append_head(&(struct tw_encoding){.values = &value}, out, err);
    struct cells cells = {out, err, status};
    if (status == TW_OK)
        (void)tw_field_give_bytes(value, append_cells, &cells);
    return cells.status;
}

/* ---- writing by rows ---- */

static enum tw_status begin_rows(struct tw_row_file *file, struct tw_error *err)
{
    char head[HEAD + 1];
    enum tw_status status = print_head(file->encoding.values[0], head, err);
    return status == TW_OK ? tw_row_file_write(file, head, HEAD, err) : status;
}

struct rows {
    struct tw_row_file *file;
    struct tw_error *err;
    enum tw_status status;
};

static bool write_cells(void *context, const void *at, size_t length)
{
    struct rows *rows = context;
    rows->status = tw_row_file_write(rows->file, at, length, rows->err);
    return rows->status == TW_OK;
}

static enum tw_status add_rows(struct tw_row_file *file, const struct tw_encoding *encoding,
                               struct tw_error *err)
{
    struct rows rows = {file, err, TW_OK};
    (void)tw_field_give_bytes(encoding->values[0], write_cells, &rows);
    return rows.status;
}

/* Only for maps: the reader returns maps, so a digest of other types would be wrong. */
static const struct tw_row_writer row_writer = {
    .types = TW_GRIDS, .begin = begin_rows, .add = add_rows};

static enum tw_status encode_file(const struct tw_encoding *encoding, struct tw_bytes *out,
                                  struct tw_error *err)
{
    return tw_npy_encode(encoding->values[0], out, err);
}

extern const struct tw_format tw_format_npy;
const struct tw_format tw_format_npy = {
    .ending = ".npy",
    .help = "float32 (labels int32, images uint8, surfaces uint16), C order, (height, width); "
            "vectors, images have a third axis",
    .types = TW_GRIDS,
    .cell_bytes = 3,
    .encode = encode_file,
    .head = TW_LITTLE_ENDIAN ? append_head : NULL,
    .row_writer = &row_writer,
    .magic = "\x93NUMPY",
    .magic_length = 6,
    .decode = tw_npy_decode,
    .read_rows = tw_npy_read_rows,
    .has_rows = tw_npy_has_rows,
    .probe = tw_npy_probe,
};
