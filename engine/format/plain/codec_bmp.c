/* SPDX-License-Identifier: MIT */
/* Grey .bmp of 8 bits with a palette, rows from south to north, as SimCity 4 reads regions.
 * bmp_read.c reads it, and colours. */
#include "base/memory/byte_order.h"
#include "format/format.h"
#include "format/plain/bmp_private.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_HEADER = 14, INFO_HEADER = 40, LEVELS = 256, ENTRY = 4 };

enum tw_status tw_bmp_decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err)
{
    return tw_codec_decode(tw_bmp_read, data, length, NULL, TW_NO_WISH, out, err);
}

/* Appends both headers and the grey palette. */
static enum tw_status append_head(const struct tw_value *value, size_t row, struct tw_bytes *out,
                                  struct tw_error *err)
{
    unsigned char head[FILE_HEADER + INFO_HEADER + LEVELS * ENTRY] = {'B', 'M'};
    size_t pixels = row * (size_t)value->height;
    tw_put_u32(head + 2, (uint32_t)(sizeof head + pixels));
    tw_put_u32(head + 10, sizeof head);
    tw_put_u32(head + 14, INFO_HEADER);
    tw_put_u32(head + 18, (uint32_t)value->width);
    tw_put_u32(head + 22, (uint32_t)value->height);
    head[26] = 1; /* planes */
    head[28] = 8; /* bits per pixel */
    tw_put_u32(head + 34, (uint32_t)pixels);
    tw_put_u32(head + 38, 2835); /* pixels per metre: 72 per inch */
    tw_put_u32(head + 42, 2835);
    tw_put_u32(head + 46, LEVELS);
    for (int i = 0; i < LEVELS; i++)
        memset(head + FILE_HEADER + INFO_HEADER + i * ENTRY, i, ENTRY - 1);
    return tw_bytes_append(out, head, sizeof head, err);
}

enum tw_status tw_bmp_encode(const struct tw_value *value, const struct tw_export_range *range,
                             struct tw_bytes *out, struct tw_error *err)
{
    struct tw_export_range bytes = *range;
    bytes.bits = 8;
    if (value->type != TW_HEIGHTMAP && value->type != TW_MASK)
        return tw_error_set(err, TW_NODE, "%s cannot be written as .bmp",
                            tw_type_name(value->type));
    size_t size = ((size_t)value->width + 3) / 4 * 4;
    unsigned char *row = calloc(size, 1);
    if (!row)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status = append_head(value, size, out, err);
    for (int32_t y = value->height; y-- > 0 && status == TW_OK;) {
        if (!tw_codec_quantise(value, y, &bytes, row))
            status = tw_codec_outside(value, range, err);
        else
            status = tw_bytes_append(out, row, size, err);
    }
    free(row);
    return status;
}

/* Only 8 is supported; the option exists for recipes that give it. */
struct options {
    int32_t bits;
};
static const struct tw_param options[] = {
    TW_PARAM_ENUM(struct options, bits, 0, "8", "bits per grey level"),
    TW_PARAM_END,
};

static enum tw_status encode_file(const struct tw_encoding *encoding, struct tw_bytes *out,
                                  struct tw_error *err)
{
    const struct tw_export_range range = {encoding->range.low, encoding->range.high,
                                          encoding->range.clip, 8};
    return tw_bmp_encode(encoding->values[0], &range, out, err);
}

static bool reread(const struct tw_encoding *encoding, int32_t y, void *row)
{
    const struct tw_export_range range = {encoding->range.low, encoding->range.high,
                                          encoding->range.clip, 8};
    return tw_codec_requantise(encoding->values[0], y, &range, row);
}

extern const struct tw_format tw_format_bmp;
const struct tw_format tw_format_bmp = {
    .ending = ".bmp",
    .help = "grey, 8 bit with a palette: what SimCity 4 takes for a region",
    .types = TW_HEIGHTS,
    .cell_bytes = 1,
    .ranged = true,
    .options = options,
    .options_size = sizeof(struct options),
    .encode = encode_file,
    .reread = reread,
    .magic = "BM",
    .magic_length = 2,
    .decode = tw_bmp_decode,
    .read_rows = tw_bmp_read,
    .probe = tw_bmp_probe,
};
