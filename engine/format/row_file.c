/* SPDX-License-Identifier: MIT */
#include "format/row_file.h"

#include <assert.h>
#include <stdlib.h>

const char *tw_row_file_lacks(const struct tw_format *format, const struct tw_encoding *encoding)
{
    const struct tw_row_writer *writer = format->row_writer;
    const unsigned type = TW_TYPE_BIT(encoding->values[0]->type);
    if (encoding->several || encoding->count != 1)
        return "several values in one file";
    if (encoding->range.fit)
        return "range: fit";
    if (!writer || !(writer->types & type))
        return format->ending;
    return writer->lacks ? writer->lacks(encoding) : NULL;
}

/* A format without a reader of its own is digested as bytes. */
static bool hashes_bytes(const struct tw_row_file *file)
{
    return file->digested && !file->format->reread && !file->format->decode;
}

enum tw_status tw_row_file_write(struct tw_row_file *file, const void *at, size_t length,
                                 struct tw_error *err)
{
    if (hashes_bytes(file))
        tw_sha256_add(&file->state, at, length);
    return file->target.write(file->target.context, at, length, err);
}

enum tw_status tw_row_file_patch(struct tw_row_file *file, uint64_t offset, const void *at,
                                 size_t length, struct tw_error *err)
{
    assert(!hashes_bytes(file));
    return file->target.patch(file->target.context, offset, at, length, err);
}

enum tw_status tw_row_file_encode(struct tw_row_file *file, const struct tw_encoding *rows,
                                  struct tw_error *err)
{
    file->bytes.length = 0;
    enum tw_status status = file->format->encode(rows, &file->bytes, err);
    return status == TW_OK ? tw_row_file_write(file, file->bytes.at, file->bytes.length, err)
                           : status;
}

enum tw_status tw_row_file_begin(struct tw_row_file *file, const struct tw_format *format,
                                 const struct tw_encoding *encoding, struct tw_byte_target target,
                                 bool digested, struct tw_error *err)
{
    const struct tw_value *map = encoding->values[0];
    const enum tw_type type = map->type == TW_IMAGE ? TW_IMAGE : TW_HEIGHTMAP;
    *file = (struct tw_row_file){
        .format = format, .encoding = *encoding, .target = target, .digested = digested};
    file->row = malloc((size_t)map->width * tw_type_size(type));
    if (!file->row)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    if (hashes_bytes(file))
        tw_sha256_begin(&file->state);
    else
        tw_field_sha256_begin(&file->state, type, map->width, map->height);
    enum tw_status status = tw_format_check(format, err);
    if (status == TW_OK && format->row_writer->begin)
        status = format->row_writer->begin(file, err);
    return status;
}

/* Digests heights that no decoder changes, or rows as the format's reader gets them. */
static bool digest_rows(struct tw_row_file *file, const struct tw_encoding *rows)
{
    const struct tw_value *value = rows->values[0];
    struct tw_value row = {value->type == TW_IMAGE ? TW_IMAGE : TW_HEIGHTMAP, value->width, 1,
                           file->row};
    if (!file->format->reread) {
        row.height = value->height;
        row.data = value->data;
        tw_field_sha256_add(&file->state, &row);
        return true;
    }
    for (int32_t y = 0; y < value->height; y++) {
        if (!file->format->reread(rows, y, file->row))
            return false;
        tw_field_sha256_add(&file->state, &row);
    }
    return true;
}

enum tw_status tw_row_file_add(struct tw_row_file *file, const struct tw_value *rows,
                               struct tw_error *err)
{
    const struct tw_export_range range = {file->encoding.range.low, file->encoding.range.high,
                                          file->encoding.range.clip, 16};
    struct tw_encoding encoding = file->encoding;
    encoding.values = &rows;
    if (file->digested && !hashes_bytes(file) && !digest_rows(file, &encoding))
        return tw_codec_outside(rows, &range, err);
    file->next += rows->height;
    return file->format->row_writer->add(file, &encoding, err);
}

enum tw_status tw_row_file_end(struct tw_row_file *file, struct tw_sha256 *content,
                               struct tw_error *err)
{
    const struct tw_row_writer *writer = file->format->row_writer;
    struct tw_sha256 digest = {{0}};
    if (file->digested)
        digest = tw_sha256_end(&file->state);
    *content = digest;
    return writer->end ? writer->end(file, file->digested ? &digest : NULL, err) : TW_OK;
}

void tw_row_file_release(struct tw_row_file *file)
{
    if (file->format && file->format->row_writer && file->format->row_writer->release)
        file->format->row_writer->release(file);
    free(file->bytes.at);
    free(file->row);
    *file = (struct tw_row_file){0};
}
