/* SPDX-License-Identifier: MIT */
/* Grey .bmp of 8 bits with a palette, rows from south to north: what SimCity 4 takes for a region.
 * Reads that and nothing else of the format: no run lengths, no colour. */
#include "base/byte_order.h"
#include "field/format.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of the file header, of the information header that we write and of the longest one
 * (BITMAPV5HEADER), of a palette entry: blue, green, red, 0. */
enum {
    FILE_HEADER = 14,
    INFO_HEADER = 40,
    INFO_HEADER_MAX = 124,
    HEAD = FILE_HEADER + INFO_HEADER,
    ENTRY = 4,
    LEVELS = 256,
};

struct layout {
    size_t palette, pixels, row; /* where these begin, bytes of a row */
    int32_t width, height;
    bool top_down;
    unsigned levels; /* palette entries */
};

/* Width and height; a negative height means rows from north to south. */
static enum tw_status read_sides(const unsigned char *data, struct layout *layout,
                                 struct tw_error *err)
{
    int64_t width = (int32_t)tw_get_u32(data + 18), height = (int32_t)tw_get_u32(data + 22);
    layout->top_down = height < 0;
    height = height < 0 ? -height : height;
    if (width < 1 || height < 1 || width > TW_SIDE_MAX || height > TW_SIDE_MAX)
        return tw_error_set(err, TW_INPUT, "the .bmp has %lld x %lld pixels; allowed 1 to %d",
                            (long long)width, (long long)height, TW_SIDE_MAX);
    layout->width = (int32_t)width;
    layout->height = (int32_t)height;
    layout->row = ((size_t)width + 3) / 4 * 4;
    return TW_OK;
}

/* By the first HEAD bytes. Every number is untrusted: sides are bounded before they are multiplied,
 * and each part is checked to lie inside the file by subtraction. */
static enum tw_status read_header(const unsigned char *data, uint64_t length, struct layout *layout,
                                  struct tw_error *err)
{
    size_t info = tw_get_u32(data + 14);
    unsigned bits = tw_get_u16(data + 28);
    uint32_t packing = tw_get_u32(data + 30), used = tw_get_u32(data + 46);
    if (info < INFO_HEADER || info > INFO_HEADER_MAX || info > length - FILE_HEADER)
        return tw_error_set(err, TW_INPUT, "damaged .bmp: a header of %zu bytes", info);
    if (bits != 8 || packing != 0)
        return tw_error_set(err, TW_INPUT,
                            "the .bmp has %u bits a pixel, packing %u; a height map is 8 bit grey, "
                            "not packed",
                            bits, (unsigned)packing);
    if (used > LEVELS)
        return tw_error_set(err, TW_INPUT, "damaged .bmp: a palette of %u colours", (unsigned)used);
    layout->levels = used == 0 ? LEVELS : used;
    layout->palette = FILE_HEADER + info;
    enum tw_status status = read_sides(data, layout, err);
    if (status != TW_OK)
        return status;
    layout->pixels = tw_get_u32(data + 10);
    if (layout->levels * (size_t)ENTRY > length - layout->palette || layout->pixels > length ||
        layout->row * (size_t)layout->height > length - layout->pixels)
        return tw_error_set(err, TW_INPUT, "damaged .bmp: the file ends too early");
    if (layout->pixels < layout->palette + layout->levels * (size_t)ENTRY)
        return tw_error_set(err, TW_INPUT, "damaged .bmp: the pixels begin inside the palette");
    return TW_OK;
}

static enum tw_status refuse_short(struct tw_error *err)
{
    return tw_error_set(err, TW_INPUT, "damaged .bmp: the file ends too early");
}

static bool skip(const struct tw_byte_source *source, size_t length)
{
    unsigned char block[512];
    bool ok = true;
    while (ok && length > 0) {
        size_t part = length < sizeof block ? length : sizeof block;
        ok = source->read(source->context, block, part);
        length -= part;
    }
    return ok;
}

static enum tw_status convert(const unsigned char *row, int32_t y, const struct layout *layout,
                              const unsigned char *palette, float *cells, struct tw_error *err)
{
    for (int32_t x = 0; x < layout->width; x++) {
        const unsigned char *colour = palette + (size_t)row[x] * ENTRY;
        if (row[x] >= layout->levels)
            return tw_error_set(err, TW_INPUT, "damaged .bmp: no colour %d at x %d, y %d", row[x],
                                (int)x, (int)y);
        if (colour[0] != colour[1] || colour[1] != colour[2])
            return tw_error_set(err, TW_INPUT,
                                "the .bmp has colour at x %d, y %d; a height map is grey", (int)x,
                                (int)y);
        cells[x] = (float)colour[0] / 255.0f;
    }
    return TW_OK;
}

/* From the palette on. `row` and `cells` are for one row. */
static enum tw_status give_rows(const struct tw_byte_source *source, const struct layout *layout,
                                const struct tw_row_sink *sink, unsigned char *row, float *cells,
                                struct tw_error *err)
{
    unsigned char palette[LEVELS * ENTRY] = {0};
    size_t colours = layout->levels * (size_t)ENTRY;
    enum tw_status status = TW_OK;
    if (!source->read(source->context, palette, colours) ||
        !skip(source, layout->pixels - layout->palette - colours))
        return refuse_short(err);
    for (int32_t i = 0; status == TW_OK && i < layout->height; i++) {
        int32_t y = layout->top_down ? i : layout->height - 1 - i;
        if (!source->read(source->context, row, layout->row))
            return refuse_short(err);
        status = convert(row, y, layout, palette, cells, err);
        if (status == TW_OK)
            status = sink->row(sink->context, y, cells, err);
    }
    return status;
}

static enum tw_status read_rows(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                                struct tw_error *err)
{
    unsigned char head[HEAD];
    struct layout layout = {0};
    if (source->length < HEAD || !source->read(source->context, head, HEAD))
        return refuse_short(err);
    enum tw_status status = read_header(head, source->length, &layout, err);
    const struct tw_file_facts facts = {
        .type = TW_HEIGHTMAP, .width = layout.width, .height = layout.height};
    if (status == TW_OK && !skip(source, layout.palette - HEAD))
        status = refuse_short(err);
    if (status == TW_OK)
        status = sink->begin(sink->context, &facts, err);
    if (status != TW_OK)
        return status;
    unsigned char *row = calloc(layout.row + 1, 1); /* never of 0 bytes */
    float *cells = calloc((size_t)layout.width + 1, sizeof *cells);
    if (row && cells)
        status = give_rows(source, &layout, sink, row, cells, err);
    else
        status = tw_error_set(err, TW_MEMORY, "out of memory");
    free(row);
    free(cells);
    return status;
}

enum tw_status tw_bmp_decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err)
{
    return tw_codec_decode(read_rows, data, length, NULL, out, err);
}

static enum tw_status probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err)
{
    struct layout layout = {0};
    if (head->length < HEAD)
        return refuse_short(err);
    enum tw_status status = read_header(head->at, head->file_length, &layout, err);
    *facts = (struct tw_file_facts){
        .type = TW_HEIGHTMAP, .width = layout.width, .height = layout.height};
    return status;
}

/* Both headers and the grey palette. */
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
    head[28] = 8; /* bits a pixel */
    tw_put_u32(head + 34, (uint32_t)pixels);
    tw_put_u32(head + 38, 2835); /* pixels a metre: 72 an inch */
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
        if (!tw_codec_levels(value, y, &bytes, row))
            status = tw_codec_outside(value, range, err);
        else
            status = tw_bytes_append(out, row, size, err);
    }
    free(row);
    return status;
}

/* 8 is all there is: the option is for recipes that say so. */
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
    return tw_codec_reread_levels(encoding->values[0], y, &range, row);
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
    .read_rows = read_rows,
    .probe = probe,
};
