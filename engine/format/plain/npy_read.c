/* SPDX-License-Identifier: MIT */
/* Reads NumPy's .npy, versions 1 to 3, for maps of numbers only. Never unpickles anything. */
#include "format/plain/npy_private.h"

#include "base/memory/byte_order.h"
#include "format/half.h"

#include <stdlib.h>
#include <string.h>

struct layout {
    char order, kind; /* '<', '>' or '|'; 'f', 'i' or 'u' */
    int bytes;
    bool fortran;
    bool counts; /* unsigned integers are heights, not shares of the greatest */
    int32_t width, height;
};

/* Returns the text after 'key': in the header's dictionary. */
static const char *value_of(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    at = at ? strchr(at + strlen(key), ':') : NULL;
    return at ? at + 1 + strspn(at + 1, " ") : NULL;
}

/* Parses (height, width), possibly with a third axis of length one: (height, width, 1) or (1,
 * height, width). */
static bool parse_shape(const char *at, struct layout *layout)
{
    long sides[3] = {0};
    int count = 0;
    if (!at || *at != '(')
        return false;
    for (at++; count < 3 && *at && *at != ')'; count++) {
        char *end = NULL;
        sides[count] = strtol(at, &end, 10);
        if (end == at || (*end != ',' && *end != ')'))
            return false;
        at = end + (*end == ',');
        at += strspn(at, " ");
    }
    const int first = count == 3 && sides[2] != 1 ? 1 : 0;
    if (*at != ')' || count < 2 || (first && sides[0] != 1))
        return false;
    const long height = sides[first], width = sides[first + 1];
    if (width < 1 || height < 1 || width > TW_SIDE_MAX || height > TW_SIDE_MAX)
        return false;
    layout->width = (int32_t)width;
    layout->height = (int32_t)height;
    return true;
}

/* Returns how many characters of a type a message shows: up to its closing quote, 12 at most. */
static int shown_of(const char *descr)
{
    size_t length = descr[0] == '\'' ? strcspn(descr + 1, "'") + 2 : 12;
    return length < 12 ? (int)length : 12;
}

static enum tw_status parse_header(const char *header, struct layout *layout, struct tw_error *err)
{
    const char *descr = value_of(header, "'descr'"), *order = value_of(header, "'fortran_order'");
    if (!descr || !order)
        return tw_error_set(err, TW_INPUT, "damaged .npy: no descr or fortran_order");
    layout->fortran = strncmp(order, "True", 4) == 0;
    if (!layout->fortran && strncmp(order, "False", 5) != 0)
        return tw_error_set(err, TW_INPUT, "damaged .npy: fortran_order is neither True nor False");
    if (descr[0] != '\'' || strlen(descr) < 5 || descr[4] != '\'' || !strchr("<>|", descr[1]) ||
        !strchr("fiu", descr[2]) || !strchr("1248", descr[3]))
        return tw_error_set(err, TW_INPUT, ".npy of type %.*s; expected floats or integers",
                            shown_of(descr), descr);
    layout->order = descr[1];
    layout->kind = descr[2];
    layout->bytes = descr[3] - '0';
    if ((layout->kind == 'f' && layout->bytes < 2) || (layout->order == '|' && layout->bytes > 1))
        return tw_error_set(err, TW_INPUT, ".npy of type %.*s; expected f2-f8, i1-i8, u1-u8",
                            shown_of(descr), descr);
    if (!parse_shape(value_of(header, "'shape'"), layout))
        return tw_error_set(err, TW_INPUT,
                            ".npy shape must be (height, width), (height, width, 1) or "
                            "(1, height, width), 1 to %d each",
                            TW_SIDE_MAX);
    return TW_OK;
}

static float read_cell(const unsigned char *at, const struct layout *layout)
{
    uint64_t bits = 0;
    for (int i = 0; i < layout->bytes; i++)
        bits = bits << 8 | at[layout->order == '>' ? i : layout->bytes - 1 - i];
    uint32_t low = (uint32_t)bits;
    float single;
    double wide;
    if (layout->kind == 'f' && layout->bytes == 2)
        return tw_half_to_float((uint16_t)bits);
    if (layout->kind == 'f' && layout->bytes == 4)
        return memcpy(&single, &low, sizeof single), single;
    if (layout->kind == 'f')
        return memcpy(&wide, &bits, sizeof wide), (float)wide;
    const int spare = 64 - 8 * layout->bytes; /* unused high bits */
    if (layout->kind == 'u' && layout->counts)
        return (float)bits;
    if (layout->kind == 'u')
        return (float)((double)bits / (double)(UINT64_MAX >> spare));
    return (float)((int64_t)(bits << spare) >> spare);
}

/* Returns whether the file's rows have our form in memory, as in files that we write. */
static bool is_ours(const struct layout *layout, size_t step)
{
    return TW_LITTLE_ENDIAN && layout->kind == 'f' && layout->order == '<' && layout->bytes == 4 &&
           step == sizeof(float);
}

/* Converts the cells of a row, which are `step` bytes apart. */
static void convert(const unsigned char *from, size_t step, const struct layout *layout,
                    float *cells)
{
    if (is_ours(layout, step)) {
        memcpy(cells, from, (size_t)layout->width * sizeof *cells);
        return;
    }
    for (int32_t x = 0; x < layout->width; x++)
        cells[x] = read_cell(from + (size_t)x * step, layout);
}

static enum tw_status check_row(const float *cells, int32_t width, int32_t y, struct tw_error *err)
{
    const struct tw_value row = {TW_HEIGHTMAP, width, 1, (void *)cells}; /* only read */
    int64_t x = tw_field_first_nonfinite(&row);
    if (x < 0)
        return TW_OK;
    return tw_error_set(err, TW_INPUT, "the .npy is not finite at x %d, y %d", (int)x, (int)y);
}

/* Bytes of magic, version and length, with which a file begins. */
enum { PREFIX = 10, LONG_PREFIX = 12, HEADER_MAX = 65536 };

/* Finds where the header begins and its length, from the first LONG_PREFIX bytes. */
static enum tw_status read_prefix(const unsigned char *data, uint64_t file_length, size_t *prefix,
                                  size_t *length, struct tw_error *err)
{
    if (file_length < LONG_PREFIX)
        return tw_error_set(err, TW_INPUT, "damaged .npy: the file ends too early");
    if (data[6] < 1 || data[6] > 3)
        return tw_error_set(err, TW_INPUT, ".npy of version %d; allowed 1 to 3", data[6]);
    *prefix = data[6] == 1 ? PREFIX : LONG_PREFIX;
    *length = 0;
    for (size_t i = *prefix; i-- > 8;)
        *length = *length << 8 | data[i];
    if (*length > file_length - *prefix || *length > HEADER_MAX)
        return tw_error_set(err, TW_INPUT, "damaged .npy: the header is longer than the file");
    return TW_OK;
}

/* Reads the layout of a file from its header, and where its cells begin. */
static enum tw_status read_head(const struct tw_codec_head *head, struct layout *layout,
                                size_t *begin, struct tw_error *err)
{
    size_t prefix = 0, length = 0;
    enum tw_status status = read_prefix(head->at, head->length, &prefix, &length, err);
    char *header = status == TW_OK ? calloc(length + 1, 1) : NULL;
    if (status != TW_OK)
        return status;
    if (!header)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    memcpy(header, head->at + prefix, length);
    status = parse_header(header, layout, err);
    free(header);
    if (status != TW_OK)
        return status;
    *begin = prefix + length;
    size_t body = head->file_length - *begin;
    size_t expected = (size_t)layout->width * (size_t)layout->height * (size_t)layout->bytes;
    if (body != expected)
        return tw_error_set(err, TW_INPUT, "the .npy holds %zu bytes of cells; its shape needs %zu",
                            body, expected);
    return TW_OK;
}

enum tw_status tw_npy_probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err)
{
    struct layout layout = {0};
    size_t begin = 0;
    enum tw_status status = read_head(head, &layout, &begin, err);
    *facts = (struct tw_file_facts){
        .type = TW_HEIGHTMAP, .width = layout.width, .height = layout.height};
    return status;
}

bool tw_npy_has_rows(const struct tw_codec_head *head, uint64_t *held)
{
    (void)held;
    struct layout layout = {0};
    size_t begin = 0;
    return read_head(head, &layout, &begin, NULL) == TW_OK && !layout.fortran;
}

enum tw_status tw_npy_decode(const unsigned char *data, size_t length, struct tw_value *out,
                             struct tw_error *err)
{
    const struct tw_codec_head head = {.at = data, .length = length, .file_length = length};
    struct layout layout = {0};
    size_t begin = 0;
    enum tw_status status = read_head(&head, &layout, &begin, err);
    if (status == TW_OK)
        status = tw_field_alloc(out, TW_HEIGHTMAP, layout.width, layout.height, err);
    if (status != TW_OK)
        return status;
    size_t cell = (size_t)layout.bytes;
    size_t step = layout.fortran ? (size_t)layout.height * cell : cell;
    size_t row = layout.fortran ? cell : (size_t)layout.width * cell;
    for (int32_t y = 0; status == TW_OK && y < layout.height; y++) {
        float *cells = tw_floats(out) + (size_t)y * (size_t)layout.width;
        convert(data + begin + (size_t)y * row, step, &layout, cells);
        status = check_row(cells, layout.width, y, err);
    }
    if (status != TW_OK)
        tw_field_clear(out);
    return status;
}

/* Reads the bytes before the cells into a block that the caller frees. */
static enum tw_status load_head(const struct tw_byte_source *source, unsigned char **block,
                                size_t *used, struct tw_error *err)
{
    unsigned char first[LONG_PREFIX];
    size_t prefix = 0, length = 0;
    if (source->length < LONG_PREFIX || !source->read(source->context, first, LONG_PREFIX))
        return tw_error_set(err, TW_INPUT, "damaged .npy: the file ends too early");
    enum tw_status status = read_prefix(first, source->length, &prefix, &length, err);
    if (status != TW_OK)
        return status;
    *used = prefix + length < LONG_PREFIX ? LONG_PREFIX : prefix + length;
    *block = malloc(*used);
    if (!*block)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    memcpy(*block, first, LONG_PREFIX);
    if (!source->read(source->context, *block + LONG_PREFIX, *used - LONG_PREFIX))
        return tw_error_set(err, TW_INPUT, "damaged .npy: the file ends too early");
    return TW_OK;
}

/* Buffers that rows are read into. */
struct buffer {
    size_t row_bytes;
    int32_t rows;         /* rows per read */
    unsigned char *bytes; /* bytes of these rows */
    float *cells;         /* one converted row */
};

/* Reads several rows per call, and passes on rows of our form without copying them. */
static enum tw_status give_rows(const struct tw_byte_source *source, const struct layout *layout,
                                const struct tw_row_sink *sink, const struct buffer *buffer,
                                struct tw_error *err)
{
    const bool ours = is_ours(layout, (size_t)layout->bytes);
    enum tw_status status = TW_OK;
    for (int32_t y = 0; status == TW_OK && y < layout->height; y++) {
        const int32_t at = y % buffer->rows, left = layout->height - y;
        const size_t count = (size_t)(left < buffer->rows ? left : buffer->rows);
        if (at == 0 && !source->read(source->context, buffer->bytes, count * buffer->row_bytes))
            return tw_error_set(err, TW_INPUT, "damaged .npy: the file ends too early");
        const unsigned char *row = buffer->bytes + (size_t)at * buffer->row_bytes;
        const float *cells = ours ? (const void *)row : buffer->cells;
        if (!ours)
            convert(row, (size_t)layout->bytes, layout, buffer->cells);
        status = check_row(cells, layout->width, y, err);
        if (status == TW_OK)
            status = sink->row(sink->context, y, cells, err);
    }
    return status;
}

/* Approximate bytes per read, which stay in a core's cache until they are passed on. */
enum { READ_BYTES = 256 << 10 };

static enum tw_status buffer_rows(const struct tw_byte_source *source, const struct layout *layout,
                                  const struct tw_row_sink *sink, struct tw_error *err)
{
    const size_t width = (size_t)layout->width, row = width * (size_t)layout->bytes;
    const size_t rows = READ_BYTES / (row + 1) + 1;
    struct buffer buffer = {.row_bytes = row, .rows = (int32_t)rows};
    enum tw_status status;
    buffer.bytes = malloc(rows * row);
    buffer.cells = malloc(width * sizeof *buffer.cells);
    if (buffer.bytes && buffer.cells)
        status = give_rows(source, layout, sink, &buffer, err);
    else
        status = tw_error_set(err, TW_MEMORY, "out of memory");
    free(buffer.bytes);
    free(buffer.cells);
    return status;
}

enum tw_status tw_npy_read_rows(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                                struct tw_error *err)
{
    unsigned char *block = NULL;
    struct layout layout = {0};
    size_t used = 0, begin = 0;
    enum tw_status status = load_head(source, &block, &used, err);
    const struct tw_codec_head head = {
        .at = block, .length = used, .file_length = (size_t)source->length};
    if (block && status == TW_OK)
        status = read_head(&head, &layout, &begin, err);
    layout.counts = source->wish.counts;
    free(block);
    if (status == TW_OK && layout.fortran) /* has_rows() returned false for it */
        status = tw_error_set(err, TW_INPUT, "the file changed while it was read");
    const struct tw_file_facts facts = {
        .type = TW_HEIGHTMAP, .width = layout.width, .height = layout.height};
    if (status == TW_OK)
        status = sink->begin(sink->context, &facts, err);
    return status == TW_OK ? buffer_rows(source, &layout, sink, err) : status;
}
