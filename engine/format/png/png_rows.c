/* SPDX-License-Identifier: MIT */
/* Writes PNG by rows: converts rows to levels as they arrive, and packs them once they fill as many
 * strips as the writer packs at a time. The header contains the digest of what a reader gets, which
 * is known last, so the header is written twice. */
#include "format/png/png_private.h"
#include "format/row_file.h"

#include <stdlib.h>
#include <string.h>

struct writer {
    struct tw_png_rows rows;
    struct tw_png_image *image;
    size_t row_bytes;
    int32_t capacity;      /* rows in memory: those packed at a time, and the one above */
    int32_t first;         /* y of the first row in memory */
    unsigned char *levels; /* rows from `first` on */
};

static size_t row_bytes(const struct tw_png_rows *rows)
{
    return (size_t)rows->width * (size_t)rows->channels * (size_t)(rows->bits / 8);
}

static bool fill(void *context, int32_t y, unsigned char *row)
{
    const struct writer *writer = context;
    memcpy(row, writer->levels + (size_t)(y - writer->first) * writer->row_bytes,
           writer->row_bytes);
    return true;
}

static const struct tw_sha256 no_digest;

static enum tw_status write_bytes(struct tw_row_file *file, enum tw_status status,
                                  struct tw_error *err)
{
    if (status == TW_OK)
        status = tw_row_file_write(file, file->bytes.at, file->bytes.length, err);
    file->bytes.length = 0;
    return status;
}

static enum tw_status begin(struct tw_row_file *file, struct tw_error *err)
{
    struct writer *writer = file->own = calloc(1, sizeof *writer);
    if (!writer)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    tw_png_describe(&file->encoding, &no_digest, &writer->rows);
    writer->rows.fill = fill;
    writer->rows.context = writer;
    writer->row_bytes = row_bytes(&writer->rows);
    writer->image = tw_png_create(&writer->rows, NULL);
    if (writer->image) {
        writer->capacity = tw_png_wave(writer->image) + 1;
        if (writer->capacity > writer->rows.height)
            writer->capacity = writer->rows.height;
        writer->levels = malloc((size_t)writer->capacity * writer->row_bytes);
    }
    if (!writer->levels)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    return write_bytes(file, tw_png_head(&writer->rows, &file->bytes, err), err);
}

/* Packs the rows before `ready` and keeps those still needed. */
static enum tw_status pack(struct tw_row_file *file, int32_t ready, struct tw_error *err)
{
    struct writer *writer = file->own;
    enum tw_status status = tw_png_pack(writer->image, ready, &file->bytes, err);
    const int32_t next = tw_png_next(writer->image), first = next > 0 ? next - 1 : 0;
    if (status == TW_OK && ready > first)
        memmove(writer->levels,
                writer->levels + (size_t)(first - writer->first) * writer->row_bytes,
                (size_t)(ready - first) * writer->row_bytes);
    writer->first = first;
    return write_bytes(file, status, err);
}

static enum tw_status add(struct tw_row_file *file, const struct tw_encoding *rows,
                          struct tw_error *err)
{
    struct writer *writer = file->own;
    const int32_t count = rows->values[0]->height, top = file->next - count;
    enum tw_status status = TW_OK;
    for (int32_t y = 0; status == TW_OK && y < count; y++) {
        if (top + y - writer->first == writer->capacity)
            status = pack(file, top + y, err);
        if (status == TW_OK &&
            !tw_png_fill(rows, y,
                         writer->levels + (size_t)(top + y - writer->first) * writer->row_bytes))
            status = tw_png_outside(rows, err);
    }
    return status;
}

static enum tw_status end(struct tw_row_file *file, const struct tw_sha256 *content,
                          struct tw_error *err)
{
    struct writer *writer = file->own;
    enum tw_status status = pack(file, file->next, err);
    if (status == TW_OK)
        status = write_bytes(file, tw_png_end(writer->image, &file->bytes, err), err);
    if (status != TW_OK || !content)
        return status;
    tw_png_describe(&file->encoding, content, &writer->rows);
    status = tw_png_head(&writer->rows, &file->bytes, err);
    return status == TW_OK ? tw_row_file_patch(file, 0, file->bytes.at, file->bytes.length, err)
                           : status;
}

static void release(struct tw_row_file *file)
{
    struct writer *writer = file->own;
    if (!writer)
        return;
    tw_png_release(writer->image);
    free(writer->levels);
    free(writer);
}

static uint64_t bytes(const struct tw_encoding *encoding)
{
    struct tw_png_rows rows;
    tw_png_describe(encoding, &no_digest, &rows);
    return tw_png_bytes(&rows);
}

const struct tw_row_writer tw_png_row_writer = {.types = TW_HEIGHTS | TW_TYPE_BIT(TW_IMAGE),
                                                .bytes = bytes,
                                                .begin = begin,
                                                .add = add,
                                                .end = end,
                                                .release = release};
