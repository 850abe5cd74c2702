/* SPDX-License-Identifier: MIT */
/* Computes the digest of what a reader of a file gets, with or without writing the file. */
#include "format/format.h"

#include <stdlib.h>
#include <string.h>

/* Gets a row of heights that no decoder changes, or as a reader of the file gets it. */
static bool reread(const struct tw_format *format, const struct tw_encoding *encoding, int32_t y,
                   void *row)
{
    const struct tw_value *value = encoding->values[0];
    const size_t size = (size_t)value->width * sizeof(float);
    if (format->reread)
        return format->reread(encoding, y, row);
    memcpy(row, (const unsigned char *)value->data + (size_t)y * size, size);
    return true;
}

/* One pass, in constant memory. */
static enum tw_status digest_rows(const struct tw_format *format,
                                  const struct tw_encoding *encoding, struct tw_sha256 *digest,
                                  struct tw_error *err)
{
    const struct tw_value *value = encoding->values[0];
    const enum tw_type type = value->type == TW_IMAGE ? TW_IMAGE : format->rereads;
    const size_t size = (size_t)value->width * tw_type_size(type);
    struct tw_sha256_state state;
    void *row = malloc(size);
    if (!row)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    bool inside = true;
    enum tw_status status = TW_OK;
    tw_field_sha256_begin(&state, type, value->width, value->height);
    for (int32_t y = 0; inside && status == TW_OK && y < value->height; y++) {
        status = tw_codec_poll(encoding, err);
        const struct tw_value part = {type, value->width, 1, row};
        inside = reread(format, encoding, y, row);
        tw_field_sha256_add(&state, &part);
    }
    *digest = tw_sha256_end(&state);
    free(row);
    const struct tw_export_range range = {encoding->range.low, encoding->range.high,
                                          encoding->range.clip, 16};
    return inside ? status : tw_codec_outside(value, &range, err);
}

/* For a text, hashes its bytes. */
static enum tw_status add_bytes(void *state, const void *at, size_t length, struct tw_error *err)
{
    (void)err;
    tw_sha256_add(state, at, length);
    return TW_OK;
}

static enum tw_status digest_text(const struct tw_format *format,
                                  const struct tw_encoding *encoding, struct tw_sha256 *digest,
                                  struct tw_error *err)
{
    struct tw_sha256_state state;
    const struct tw_byte_target target = {.write = add_bytes, .context = &state};
    struct tw_bytes bytes = {.stop = encoding->stop, .target = &target};
    tw_sha256_begin(&state);
    enum tw_status status = tw_format_encode(format, *encoding, &bytes, err);
    if (status == TW_OK)
        status = tw_bytes_hand_on(&bytes, err);
    *digest = tw_sha256_end(&state);
    free(bytes.at);
    return status;
}

/* Otherwise encodes the file and hashes what its decoder returns. */
static enum tw_status digest_file(const struct tw_format *format,
                                  const struct tw_encoding *encoding, struct tw_sha256 *digest,
                                  struct tw_error *err)
{
    struct tw_value value = {.type = TW_HEIGHTMAP};
    struct tw_bytes bytes = {.stop = encoding->stop};
    enum tw_status status = tw_format_encode(format, *encoding, &bytes, err);
    if (status == TW_OK)
        status = format->decode(bytes.at, bytes.length, &value, err);
    if (status == TW_OK)
        *digest = tw_field_sha256(&value);
    tw_field_clear(&value);
    free(bytes.at);
    return status;
}

static bool has_rows(const struct tw_format *format, const struct tw_encoding *encoding)
{
    const bool heights = TW_TYPE_BIT(encoding->values[0]->type) & TW_HEIGHTS;
    return format->reread || (format->decode && heights && !encoding->several);
}

enum tw_status tw_format_sha256(const struct tw_format *format, const struct tw_encoding *encoding,
                                struct tw_sha256 *digest, struct tw_error *err)
{
    struct tw_encoding plain = *encoding;
    if (format->varies && format->varies(encoding))
        return format->sha256(encoding, digest, err);
    if (has_rows(format, encoding))
        return digest_rows(format, encoding, digest, err);
    plain.provenance = NULL;
    return format->decode ? digest_file(format, &plain, digest, err)
                          : digest_text(format, &plain, digest, err);
}

/* Four bytes for each number of an element, twice: in the file, and decoded. */
uint64_t tw_format_sha256_bytes(const struct tw_format *format, const struct tw_encoding *encoding,
                                int32_t threads)
{
    const struct tw_value *value = encoding->values[0];
    const uint64_t size = tw_type_size(value->type);
    if (has_rows(format, encoding))
        return 0;
    return tw_format_bytes(format, encoding, threads) +
           (format->decode ? tw_value_count(value) * 2 * (size > 4 ? size : 4) : 0);
}
