/* SPDX-License-Identifier: MIT */
/* Reads Windows .bmp of 8 bits with a palette, 24 or 32 bits, without run lengths. A palette of
 * greys means heights; anything else colours, which may be grey in practice. */
#include "format/plain/bmp_private.h"

#include "base/memory/byte_order.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of the file header, of the shortest Windows information header and of the longest
 * (BITMAPV5HEADER), and of a palette entry: blue, green, red, 0. */
enum {
    FILE_HEADER = 14,
    INFO_HEADER = 40,
    INFO_HEADER_MAX = 124,
    HEAD = FILE_HEADER + INFO_HEADER,
    MASKS = 12, /* after the first HEAD bytes, if the packing has them */
    ENTRY = 4,
    LEVELS = 256,
};
enum { PLAIN = 0, BY_MASKS = 3 }; /* packing */

struct layout {
    size_t palette, pixels, row; /* offsets of palette and pixels; bytes of a row */
    int32_t width, height;
    bool top_down;
    unsigned bits;     /* bits per pixel */
    unsigned levels;   /* palette entries, for 8 bits */
    unsigned place[3]; /* offsets of red, green and blue in a pixel */
    bool masked;
    unsigned char colours[LEVELS * ENTRY];
};

/* Reads `length` bytes at `offset`, which never precedes the end of the previous read. */
typedef bool read_fn(void *context, uint64_t offset, void *to, size_t length);

static enum tw_status refuse_short(struct tw_error *err)
{
    return tw_error_set(err, TW_INPUT, "damaged .bmp: the file ends too early");
}

/* Reads width and height; a negative height means rows from north to south. */
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
    layout->row = ((size_t)width * layout->bits + 31) / 32 * 4;
    return TW_OK;
}

static enum tw_status check_info(size_t info, uint64_t length, struct tw_error *err)
{
    if (info == 12 || (info >= 16 && info < INFO_HEADER))
        return tw_error_set(
            err, TW_INPUT,
            "a .bmp of OS/2, with a header of %zu bytes, is not supported; expected "
            "one of Windows, of %d to %d",
            info, INFO_HEADER, INFO_HEADER_MAX);
    if (info < INFO_HEADER || info > INFO_HEADER_MAX || info > length - FILE_HEADER)
        return tw_error_set(err, TW_INPUT, "damaged .bmp: a header of %zu bytes", info);
    return TW_OK;
}

static enum tw_status check_packing(unsigned bits, uint32_t packing, struct tw_error *err)
{
    if (packing == PLAIN ? bits == 8 || bits == 24 || bits == 32
                         : packing == BY_MASKS && bits == 32)
        return TW_OK;
    return tw_error_set(err, TW_INPUT,
                        "a .bmp of %u bits a pixel, packing %u%s, is not supported; expected 8, 24 "
                        "or 32 bits, not packed",
                        bits, (unsigned)packing,
                        packing == 1 || packing == 2 ? " (run lengths)" : "");
}

/* Parses the first HEAD bytes. Every number is untrusted: sides are bounded before they are
 * multiplied, and subtraction checks that each part lies inside the file. */
static enum tw_status read_header(const unsigned char *data, uint64_t length, struct layout *layout,
                                  struct tw_error *err)
{
    const size_t info = tw_get_u32(data + 14);
    const uint32_t packing = tw_get_u32(data + 30), used = tw_get_u32(data + 46);
    enum tw_status status = check_info(info, length, err);
    layout->bits = tw_get_u16(data + 28);
    if (status == TW_OK)
        status = check_packing(layout->bits, packing, err);
    if (status != TW_OK)
        return status;
    if (layout->bits == 8 && used > LEVELS)
        return tw_error_set(err, TW_INPUT, "damaged .bmp: a palette of %u colours", (unsigned)used);
    layout->masked = packing == BY_MASKS;
    layout->levels = layout->bits > 8 ? 0 : used == 0 ? LEVELS : used;
    layout->palette = FILE_HEADER + info;
    if (layout->masked && layout->palette < HEAD + MASKS)
        layout->palette = HEAD + MASKS;
    status = read_sides(data, layout, err);
    if (status != TW_OK)
        return status;
    layout->pixels = tw_get_u32(data + 10);
    if (layout->palette > length || layout->levels * (size_t)ENTRY > length - layout->palette ||
        layout->pixels > length || layout->row * (size_t)layout->height > length - layout->pixels)
        return refuse_short(err);
    if (layout->pixels < layout->palette + layout->levels * (size_t)ENTRY)
        return tw_error_set(err, TW_INPUT, "damaged .bmp: the pixels begin inside the %s",
                            layout->levels ? "palette" : "header");
    return TW_OK;
}

/* Requires each mask to cover one whole byte of the pixel. */
static enum tw_status read_masks(const unsigned char *masks, struct layout *layout,
                                 struct tw_error *err)
{
    for (int i = 0; i < 3; i++) {
        const uint32_t mask = tw_get_u32(masks + (size_t)i * 4);
        unsigned byte = 0;
        while (byte < 4 && mask != (uint32_t)255 << 8 * byte)
            byte++;
        if (byte == 4)
            return tw_error_set(err, TW_INPUT,
                                "a .bmp with colours of other than 8 bits (mask %08x) is not "
                                "supported; expected 8 bits each",
                                (unsigned)mask);
        layout->place[i] = byte;
    }
    return TW_OK;
}

static enum tw_status read_layout(read_fn *read, void *context, uint64_t length,
                                  struct layout *layout, struct tw_error *err)
{
    unsigned char head[HEAD], masks[MASKS];
    *layout = (struct layout){.place = {2, 1, 0}};
    if (length < HEAD || !read(context, 0, head, HEAD))
        return refuse_short(err);
    enum tw_status status = read_header(head, length, layout, err);
    if (status == TW_OK && layout->masked)
        status =
            read(context, HEAD, masks, MASKS) ? read_masks(masks, layout, err) : refuse_short(err);
    if (status == TW_OK && layout->levels > 0 &&
        !read(context, layout->palette, layout->colours, layout->levels * (size_t)ENTRY))
        status = refuse_short(err);
    return status;
}

static bool is_grey(const struct layout *layout)
{
    const unsigned char *colour = layout->colours;
    for (unsigned i = 0; i < layout->levels; i++, colour += ENTRY)
        if (colour[0] != colour[1] || colour[1] != colour[2])
            return false;
    return layout->levels > 0;
}

static struct tw_file_facts facts_of(const struct layout *layout)
{
    const bool grey = is_grey(layout);
    return (struct tw_file_facts){.type = grey ? TW_HEIGHTMAP : TW_IMAGE,
                                  .width = layout->width,
                                  .height = layout->height,
                                  .may_be_grey = !grey};
}

/* Converts a pixel to one cell if `count` is 1, or to red, green and blue if 3. */
static enum tw_status convert(const unsigned char *row, int32_t y, const struct layout *layout,
                              int count, float *cells, struct tw_error *err)
{
    for (int32_t x = 0; x < layout->width; x++) {
        const unsigned char *colour = row + (size_t)x * (layout->bits / 8);
        if (layout->levels > 0 && row[x] >= layout->levels)
            return tw_error_set(err, TW_INPUT, "damaged .bmp: no colour %d at x %d, y %d", row[x],
                                (int)x, (int)y);
        if (layout->levels > 0)
            colour = layout->colours + (size_t)row[x] * ENTRY;
        for (int i = 0; i < count; i++)
            *cells++ = (float)colour[layout->place[i]] / 255.0f;
    }
    return TW_OK;
}

/* Adapts a source that is read in order. */
struct reading {
    const struct tw_byte_source *source;
    uint64_t at;
};

static bool read_on(void *context, uint64_t offset, void *to, size_t length)
{
    struct reading *reading = context;
    const struct tw_byte_source *source = reading->source;
    unsigned char block[512];
    bool ok = true;
    while (ok && reading->at < offset) {
        const uint64_t left = offset - reading->at;
        const size_t part = left < sizeof block ? (size_t)left : sizeof block;
        ok = source->read(source->context, block, part);
        reading->at += part;
    }
    ok = ok && source->read(source->context, to, length);
    reading->at += length;
    return ok;
}

/* `row` and `cells` hold one row each. */
static enum tw_status give_rows(struct reading *reading, const struct layout *layout,
                                const struct tw_row_sink *sink, unsigned char *row, float *cells,
                                struct tw_error *err)
{
    const struct tw_file_facts facts = facts_of(layout);
    enum tw_status status = TW_OK;
    for (int32_t i = 0; status == TW_OK && i < layout->height; i++) {
        const int32_t y = layout->top_down ? i : layout->height - 1 - i;
        const uint64_t offset = layout->pixels + (uint64_t)i * layout->row;
        if (!read_on(reading, offset, row, layout->row))
            return refuse_short(err);
        status = convert(row, y, layout, facts.type == TW_IMAGE ? 3 : 1, cells, err);
        if (status == TW_OK)
            status = tw_codec_give_row(sink, &facts, y, cells, err);
    }
    return status;
}

enum tw_status tw_bmp_read(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                           struct tw_error *err)
{
    struct reading reading = {.source = source};
    struct layout layout;
    enum tw_status status = read_layout(read_on, &reading, source->length, &layout, err);
    if (status == TW_OK) {
        const struct tw_file_facts facts = facts_of(&layout);
        status = sink->begin(sink->context, &facts, err);
    }
    if (status != TW_OK)
        return status;
    unsigned char *row = calloc(layout.row, 1);
    float *cells = calloc((size_t)layout.width, 3 * sizeof *cells);
    if (row && cells)
        status = give_rows(&reading, &layout, sink, row, cells, err);
    else
        status = tw_error_set(err, TW_MEMORY, "out of memory");
    free(row);
    free(cells);
    return status;
}

static bool read_head(void *context, uint64_t offset, void *to, size_t length)
{
    return tw_codec_read_at(context, offset, to, length) == length;
}

enum tw_status tw_bmp_probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err)
{
    struct tw_codec_head copy = *head;
    struct layout layout;
    enum tw_status status = read_layout(read_head, &copy, head->file_length, &layout, err);
    *facts = facts_of(&layout);
    return status;
}
