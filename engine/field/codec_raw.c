/* SPDX-License-Identifier: MIT */
/* Heights without a head: rows from north to south, little-endian. `.r16` and `.raw` hold 16-bit
 * levels of the export's range, which is what Unreal, Unity and Godot take; `.r32` holds the
 * heights themselves as float32. Nothing in such a file says its size: whoever reads it must know.
 */
#include "field/format.h"

#include <stdlib.h>

/* Unity's importer shows the first row in the south: its files are written from south to north. */
struct options {
    bool flip;
};
static const struct tw_param options[] = {
    TW_PARAM_BOOL(struct options, flip, false, "rows from south to north, as Unity reads them"),
    TW_PARAM_END,
};

static int32_t row_of(const struct tw_encoding *encoding, int32_t i)
{
    const struct options *o = encoding->options;
    return o->flip ? encoding->values[0]->height - 1 - i : i;
}

/* tw_codec_levels() is big-endian, as PNG is. */
static void swap(unsigned char *row, int32_t width)
{
    for (int32_t x = 0; x < width; x++) {
        unsigned char high = row[2 * x];
        row[2 * x] = row[2 * x + 1];
        row[2 * x + 1] = high;
    }
}

static enum tw_status encode_levels(const struct tw_encoding *encoding, struct tw_bytes *out,
                                    struct tw_error *err)
{
    const struct tw_value *value = encoding->values[0];
    const struct tw_export_range range = {encoding->range.low, encoding->range.high,
                                          encoding->range.clip, 16};
    size_t size = 2 * (size_t)value->width;
    unsigned char *row = malloc(size);
    enum tw_status status = TW_OK;
    if (!row)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t i = 0; status == TW_OK && i < value->height; i++) {
        if (out->stop && atomic_load(out->stop)) {
            status = tw_error_set(err, TW_CANCELLED, "stopped");
        } else if (!tw_codec_levels(value, row_of(encoding, i), &range, row)) {
            status = tw_codec_outside(value, &range, err);
        } else {
            swap(row, value->width);
            status = tw_bytes_append(out, row, size, err);
        }
    }
    free(row);
    return status;
}

static enum tw_status encode_floats(const struct tw_encoding *encoding, struct tw_bytes *out,
                                    struct tw_error *err)
{
    const struct tw_value *value = encoding->values[0];
    enum tw_status status = TW_OK;
    for (int32_t i = 0; status == TW_OK && i < value->height; i++)
        status = tw_bytes_append(
            out, tw_floats(value) + (size_t)row_of(encoding, i) * (size_t)value->width,
            sizeof(float) * (size_t)value->width, err);
    return status;
}

#define LEVELS_HELP "16-bit levels without a head, little-endian"

extern const struct tw_format tw_format_r16;
const struct tw_format tw_format_r16 = {
    .ending = ".r16",
    .help = LEVELS_HELP,
    .types = TW_HEIGHTS,
    .ranged = true,
    .options = options,
    .options_size = sizeof(struct options),
    .encode = encode_levels,
};

extern const struct tw_format tw_format_raw;
const struct tw_format tw_format_raw = {
    .ending = ".raw",
    .help = LEVELS_HELP ", as `.r16`",
    .types = TW_HEIGHTS,
    .ranged = true,
    .options = options,
    .options_size = sizeof(struct options),
    .encode = encode_levels,
};

extern const struct tw_format tw_format_r32;
const struct tw_format tw_format_r32 = {
    .ending = ".r32",
    .help = "float32 heights without a head, little-endian",
    .types = TW_HEIGHTS,
    .options = options,
    .options_size = sizeof(struct options),
    .encode = encode_floats,
};
