/* SPDX-License-Identifier: MIT */
/* Heights without a header: rows from north to south, little-endian when written. `.r16` and `.raw`
 * hold 16-bit levels of the export's range, as Unreal, Unity and Godot read them; `.r32` holds the
 * heights themselves as float32. Such a file does not contain its size: raw_layout.h. */
#include "base/memory/byte_order.h"
#include "format/plain/raw_private.h"
#include "format/row_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Unity's importer takes the first row as the south, so its files are written from south to
 * north. */
struct options {
    bool flip;
};
#define FLIP_HELP "rows from south to north, as Unity reads them"
static const struct tw_param options[] = {
    TW_PARAM_BOOL(struct options, flip, false, FLIP_HELP),
    TW_PARAM_END,
};

struct float_options {
    bool flip;
    bool metres;
};
static const struct tw_param float_options[] = {
    TW_PARAM_BOOL(struct float_options, flip, false, FLIP_HELP),
    TW_METRES_OPTION(struct float_options),
    TW_PARAM_END,
};

static int32_t row_of(const struct tw_encoding *encoding, bool flip, int32_t i)
{
    return flip ? encoding->values[0]->height - 1 - i : i;
}

/* Reverses the bytes of each number in a row, `size` bytes each. */
static void swap(unsigned char *row, int32_t width, size_t size)
{
    unsigned char *end = row + (size_t)width * size;
    for (unsigned char *number = row; number < end; number += size)
        for (size_t i = 0; i < size / 2; i++) {
            unsigned char byte = number[i];
            number[i] = number[size - 1 - i];
            number[size - 1 - i] = byte;
        }
}

static enum tw_status encode_levels(const struct tw_encoding *encoding, struct tw_bytes *out,
                                    struct tw_error *err)
{
    const struct tw_value *value = encoding->values[0];
    const struct tw_export_range range = {encoding->range.low, encoding->range.high,
                                          encoding->range.clip, 16};
    const struct options *o = encoding->options;
    size_t size = 2 * (size_t)value->width;
    unsigned char *row = malloc(size);
    enum tw_status status = TW_OK;
    if (!row)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t i = 0; status == TW_OK && i < value->height; i++) {
        if (!tw_codec_quantise(value, row_of(encoding, o->flip, i), &range, row)) {
            status = tw_codec_outside(value, &range, err);
        } else {
            swap(row, value->width, 2); /* tw_codec_quantise() writes big-endian, as PNG does */
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
    const struct float_options *o = encoding->options;
    const float unit = tw_codec_unit(encoding, o->metres);
    size_t width = (size_t)value->width;
    unsigned char *row = malloc(width * 4);
    if (!row)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status = tw_codec_check_scaled(encoding, (double)unit, 0, err);
    for (int32_t i = 0; status == TW_OK && i < value->height; i++) {
        const float *from = tw_floats(value) + (size_t)row_of(encoding, o->flip, i) * width;
        for (size_t x = 0; x < width; x++)
            tw_put_f32(row + 4 * x, from[x] * unit);
        status = tw_bytes_append(out, row, width * 4, err);
    }
    free(row);
    return status;
}

/* ---- writing by rows ---- */

/* With `flip` the last row would have to be written first. */
static const char *lacks(const struct tw_encoding *encoding)
{
    return ((const struct options *)encoding->options)->flip ? "flip: true" : NULL;
}

static const char *lacks_of_floats(const struct tw_encoding *encoding)
{
    return ((const struct float_options *)encoding->options)->flip ? "flip: true" : NULL;
}

static const struct tw_row_writer level_writer = {
    .types = TW_HEIGHTS, .lacks = lacks, .add = tw_row_file_encode};
static const struct tw_row_writer float_writer = {
    .types = TW_HEIGHTS, .lacks = lacks_of_floats, .add = tw_row_file_encode};

/* ---- reading ---- */

/* Whether levels are shares of the greatest, whose range the file does not contain. */
static bool has_levels(const struct tw_raw_layout *layout)
{
    return layout->bits == 16 && layout->numbers == TW_RAW_BY_BITS;
}

enum tw_status tw_raw_probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err)
{
    const struct tw_raw_layout *layout = head->layout;
    if (!layout)
        return tw_error_set(err, TW_INPUT, "a file without a header: its size is not known here");
    *facts = (struct tw_file_facts){.type = TW_HEIGHTMAP,
                                    .width = layout->width,
                                    .height = layout->height,
                                    .scale = layout->ranged       ? TW_SCALE_KNOWN
                                             : has_levels(layout) ? TW_SCALE_UNKNOWN
                                                                  : TW_SCALE_PLAIN,
                                    .low = layout->low,
                                    .high = layout->high,
                                    .may_have_gaps = layout->has_no_data,
                                    .place = layout->place};
    return TW_OK;
}

/* Reads a little-endian number. */
static double read_cell(const unsigned char *at, const struct tw_raw_layout *layout)
{
    uint64_t word = 0;
    float single;
    double wide;
    for (int i = layout->bits / 8; i-- > 0;)
        word = word << 8 | at[i];
    const uint32_t low = (uint32_t)word;
    const int spare = 64 - layout->bits;
    if (has_levels(layout))
        return (double)((float)word / 65535.0f);
    if (layout->numbers == TW_RAW_UNSIGNED)
        return (double)word;
    if (layout->numbers == TW_RAW_SIGNED)
        return (double)((int64_t)(word << spare) >> spare);
    if (layout->bits == 64)
        return memcpy(&wide, &word, sizeof wide), wide;
    return memcpy(&single, &low, sizeof single), (double)single;
}

/* Returns the name of such a file in messages. */
static const char *kind_of(const struct tw_raw_layout *layout)
{
    return layout->numbers == TW_RAW_BY_BITS ? ".r32" : "file";
}

static enum tw_status convert(const unsigned char *from, const struct tw_byte_source *source,
                              int32_t y, float *cells, struct tw_error *err)
{
    const struct tw_raw_layout *layout = source->layout;
    const size_t size = (size_t)layout->bits / 8;
    for (int32_t x = 0; x < layout->width; x++) {
        const double number = read_cell(from + (size_t)x * size, layout);
        const bool same = number == layout->no_data || (float)number == (float)layout->no_data;
        const bool gap = layout->has_no_data && (same || isnan(number));
        cells[x] = gap ? NAN : (float)number;
        if (gap && !source->wish.gaps)
            return tw_codec_gap(kind_of(layout), x, y, err);
        if (!gap && !isfinite(cells[x]))
            return tw_error_set(err, TW_INPUT, "the %s is not finite at x %d, y %d",
                                kind_of(layout), (int)x, (int)y);
    }
    return TW_OK;
}

/* Reads over bytes that hold no cells, at the beginning or between rows. */
static bool skip(const struct tw_byte_source *source, uint64_t count, unsigned char *row,
                 size_t size)
{
    while (count > 0) {
        const size_t part = count < size ? (size_t)count : size;
        if (!source->read(source->context, row, part))
            return false;
        count -= part;
    }
    return true;
}

/* Reads row number i of the file, which lies `gap` bytes behind the last one. */
static enum tw_status read_row(const struct tw_byte_source *source, uint64_t gap,
                               unsigned char *row, struct tw_error *err)
{
    const struct tw_raw_layout *layout = source->layout;
    const size_t size = (size_t)layout->width * ((size_t)layout->bits / 8);
    if (!skip(source, gap, row, size) || !source->read(source->context, row, size))
        return tw_error_set(err, TW_INPUT, "the file ends too early");
    if (layout->big_endian)
        swap(row, layout->width, size / (size_t)layout->width);
    return TW_OK;
}

enum tw_status tw_raw_read_rows(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                                struct tw_error *err)
{
    const struct tw_raw_layout *layout = source->layout;
    struct tw_file_facts facts;
    enum tw_status status = tw_raw_probe(&(struct tw_codec_head){.layout = layout}, &facts, err);
    if (status == TW_OK)
        status = sink->begin(sink->context, &facts, err);
    if (status != TW_OK)
        return status;
    const size_t size = (size_t)layout->width * ((size_t)layout->bits / 8);
    unsigned char *row = malloc(size);
    float *cells = malloc((size_t)layout->width * sizeof *cells);
    if (!row || !cells)
        status = tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t i = 0; status == TW_OK && i < layout->height; i++) {
        int32_t y = layout->flip ? layout->height - 1 - i : i;
        status =
            read_row(source, i == 0 ? layout->skip : tw_raw_row_bytes(layout) - size, row, err);
        if (status == TW_OK)
            status = convert(row, source, y, cells, err);
        if (status == TW_OK)
            status = sink->row(sink->context, y, cells, err);
    }
    free(row);
    free(cells);
    return status;
}

enum tw_status tw_raw_decode(const unsigned char *data, size_t length,
                             const struct tw_raw_layout *layout, struct tw_file_wish wish,
                             struct tw_value *out, struct tw_error *err)
{
    const size_t size = (size_t)layout->bits / 8, width = (size_t)layout->width;
    const bool packed = layout->skip == 0 && layout->row_bytes == 0;
    if (packed && length != width * (size_t)layout->height * size)
        return tw_error_set(err, TW_INPUT,
                            "the file has %zu bytes; %d x %d cells of %d bits have %zu", length,
                            (int)layout->width, (int)layout->height, layout->bits,
                            width * (size_t)layout->height * size);
    return tw_codec_decode(tw_raw_read_rows, data, length, layout, wish, out, err);
}

#define LEVELS_HELP "16-bit levels without a header, little-endian"

extern const struct tw_format tw_format_r16;
const struct tw_format tw_format_r16 = {
    .ending = ".r16",
    .help = LEVELS_HELP,
    .types = TW_HEIGHTS,
    .cell_bytes = 2,
    .ranged = true,
    .bare_bits = 16,
    .options = options,
    .options_size = sizeof(struct options),
    .encode = encode_levels,
    .row_writer = &level_writer,
    .read_rows = tw_raw_read_rows,
    .probe = tw_raw_probe,
};

extern const struct tw_format tw_format_raw;
const struct tw_format tw_format_raw = {
    .ending = ".raw",
    .help = LEVELS_HELP ", as `.r16`",
    .types = TW_HEIGHTS,
    .cell_bytes = 2,
    .ranged = true,
    .bare_bits = 16,
    .options = options,
    .options_size = sizeof(struct options),
    .encode = encode_levels,
    .row_writer = &level_writer,
    .read_rows = tw_raw_read_rows,
    .probe = tw_raw_probe,
};

extern const struct tw_format tw_format_r32;
const struct tw_format tw_format_r32 = {
    .ending = ".r32",
    .help = "float32 heights without a header, little-endian",
    .types = TW_HEIGHTS,
    .cell_bytes = 4,
    .physical = true,
    .bare_bits = 32,
    .options = float_options,
    .options_size = sizeof(struct float_options),
    .encode = encode_floats,
    .row_writer = &float_writer,
    .read_rows = tw_raw_read_rows,
    .probe = tw_raw_probe,
};
