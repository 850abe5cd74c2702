/* SPDX-License-Identifier: MIT */
/* The digest of what a reader of a file gets, before or without a file. */
#include "field/format.h"

#include <stdlib.h>

/* Of rows as they are reread: one pass, no memory to speak of. */
static enum tw_status digest_rows(const struct tw_format *format,
                                  const struct tw_encoding *encoding, struct tw_sha256 *digest,
                                  struct tw_error *err)
{
    const struct tw_value *value = encoding->values[0];
    const enum tw_type type = value->type == TW_IMAGE ? TW_IMAGE : TW_HEIGHTMAP;
    const size_t size = (size_t)value->width * tw_type_size(type);
    struct tw_sha256_state state;
    void *row = malloc(size);
    if (!row)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    bool inside = true;
    tw_field_sha256_begin(&state, type, value->width, value->height);
    for (int32_t y = 0; inside && y < value->height; y++) {
        const struct tw_value part = {type, value->width, 1, row};
        inside = format->reread(encoding, y, row);
        tw_field_sha256_add(&state, &part);
    }
    *digest = tw_sha256_end(&state);
    free(row);
    const struct tw_export_range range = {encoding->range.low, encoding->range.high,
                                          encoding->range.clip, 16};
    return inside ? TW_OK : tw_codec_outside(value, &range, err);
}

/* A text is what it is; anything else is what its decoder gives. */
static enum tw_status digest_file(const struct tw_format *format, const struct tw_bytes *bytes,
                                  struct tw_sha256 *digest, struct tw_error *err)
{
    struct tw_value value = {.type = TW_HEIGHTMAP};
    if (!format->decode) {
        *digest = tw_sha256_of(bytes->at, bytes->length);
        return TW_OK;
    }
    enum tw_status status = format->decode(bytes->at, bytes->length, &value, err);
    if (status == TW_OK)
        *digest = tw_field_sha256(&value);
    tw_field_clear(&value);
    return status;
}

enum tw_status tw_format_sha256(const struct tw_format *format, const struct tw_encoding *encoding,
                                struct tw_sha256 *digest, struct tw_error *err)
{
    struct tw_encoding plain = *encoding;
    struct tw_bytes bytes = {0};
    if (format->reread)
        return digest_rows(format, encoding, digest, err);
    plain.provenance = NULL;
    enum tw_status status = tw_format_encode(format, plain, &bytes, err);
    if (status == TW_OK)
        status = digest_file(format, &bytes, digest, err);
    free(bytes.at);
    return status;
}
