/* SPDX-License-Identifier: MIT */
/* Converts rows to values, and heights to levels of an integer format. */
#include "format/codec.h"

#include "base/os/file.h"

#include <string.h>

static enum tw_status begin_value(void *context, const struct tw_file_facts *facts,
                                  struct tw_error *err)
{
    struct tw_value *value = context;
    if (!value->data)
        return tw_field_alloc(value, facts->type, facts->width, facts->height, err);
    if (value->type == facts->type && value->width == facts->width &&
        value->height == facts->height)
        return TW_OK;
    return tw_error_set(err, TW_INPUT, "the file changed while it was read");
}

static enum tw_status copy_row(void *context, int32_t y, const void *cells, struct tw_error *err)
{
    const struct tw_value *value = context;
    size_t row = (size_t)value->width * tw_type_size(value->type);
    (void)err;
    memcpy((unsigned char *)value->data + (size_t)y * row, cells, row);
    return TW_OK;
}

struct tw_row_sink tw_codec_sink(struct tw_value *value)
{
    return (struct tw_row_sink){true, begin_value, copy_row, value};
}

/* Converts in place: byte i lies before float i. NaN becomes 0. */
static void to_bytes(float *cells, size_t count)
{
    unsigned char *to = (unsigned char *)cells;
    for (size_t i = 0; i < count; i++) {
        const float cell = cells[i];
        to[i] = (unsigned char)(cell > 0 ? (cell < 1 ? cell : 1) * 255.0f + 0.5f : 0);
    }
}

enum tw_status tw_codec_give_row(const struct tw_row_sink *sink, const struct tw_file_facts *facts,
                                 int32_t y, float *cells, struct tw_error *err)
{
    if (facts->type == TW_IMAGE && (sink->bytes || !facts->deep))
        to_bytes(cells, 3 * (size_t)facts->width);
    return sink->row(sink->context, y, cells, err);
}

struct memory {
    const unsigned char *data;
    size_t length, at;
};

static bool read_memory(void *context, void *to, size_t length)
{
    struct memory *memory = context;
    if (length > memory->length - memory->at)
        return false;
    memcpy(to, memory->data + memory->at, length);
    memory->at += length;
    return true;
}

static bool read_memory_at(void *context, uint64_t offset, void *to, size_t length)
{
    const struct memory *memory = context;
    if (offset > memory->length || length > memory->length - offset)
        return false;
    memcpy(to, memory->data + offset, length);
    return true;
}

enum tw_status tw_codec_decode(tw_read_rows_fn *read_rows, const unsigned char *data, size_t length,
                               const struct tw_raw_layout *layout, struct tw_file_wish wish,
                               struct tw_value *out, struct tw_error *err)
{
    struct memory memory = {.data = data, .length = length};
    const struct tw_byte_source source = {.read = read_memory,
                                          .read_at = read_memory_at,
                                          .context = &memory,
                                          .length = length,
                                          .layout = layout,
                                          .wish = wish};
    *out = (struct tw_value){.type = TW_HEIGHTMAP};
    const struct tw_row_sink sink = tw_codec_sink(out);
    enum tw_status status = read_rows(&source, &sink, err);
    if (status != TW_OK)
        tw_field_clear(out);
    return status;
}

void tw_codec_scale_row(const struct tw_value *value, int32_t y, float unit, float *cells)
{
    const float *from = tw_floats(value) + (size_t)y * (size_t)value->width;
    for (int32_t x = 0; x < value->width; x++)
        cells[x] = from[x] * unit;
}

enum tw_status tw_codec_outside(const struct tw_value *value, const struct tw_export_range *range,
                                struct tw_error *err)
{
    const float *cells = tw_floats(value);
    float low = cells[0], high = cells[0];
    for (size_t i = 1; i < tw_value_count(value); i++) {
        low = cells[i] < low ? cells[i] : low;
        high = cells[i] > high ? cells[i] : high;
    }
    return tw_error_set(
        err, TW_NODE,
        "heights run from %.9g to %.9g, the export's range is %.9g to %.9g: set clip: or range:",
        (double)low, (double)high, range->low, range->high);
}

size_t tw_codec_read_at(const struct tw_codec_head *head, uint64_t offset, void *to, size_t length)
{
    if (offset >= head->file_length)
        return 0;
    if (length > head->file_length - offset)
        length = (size_t)(head->file_length - offset);
    if (offset + length <= head->length)
        memcpy(to, head->at + offset, length);
    else if (!head->path || !tw_file_read_part(head->path, offset, to, length))
        return 0;
    return length;
}

enum tw_status tw_codec_gap(const char *ending, int32_t x, int32_t y, struct tw_error *err)
{
    return tw_error_set(err, TW_INPUT, "the %s has no data at x %d, y %d: fill its gaps first",
                        ending, (int)x, (int)y);
}

enum tw_status tw_codec_check_finite(const struct tw_value *value, const char *ending,
                                     struct tw_error *err)
{
    int64_t cell = tw_field_first_nonfinite(value);
    if (cell < 0)
        return TW_OK;
    return tw_error_set(err, TW_INPUT, "the %s is not finite at x %d, y %d", ending,
                        (int)(cell % value->width), (int)(cell / value->width));
}
