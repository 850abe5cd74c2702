/* SPDX-License-Identifier: MIT */
/* A first line with a file's name, a header file up to a zero byte, then the file: any bytes are an
 * elevation model whose cells lie within the file, or refused with a message. The last bytes of a
 * GeoTIFF are read with and without gaps, counts and a band. */
#include "fuzz.h"

#include "format/format.h"
#include "format/raw_layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 40 };

static void check(enum tw_status status, const struct tw_value *value, const struct tw_error *error)
{
    if (status == TW_OK ? !value->data || value->width < 1 || value->height < 1
                        : value->data || !error->message[0])
        abort();
}

/* Of a file without a header: what is described is within it, and is read to the end. */
static void read_bare(const struct tw_format *format, const char *name, const char *header,
                      const uint8_t *file, size_t length)
{
    for (int32_t band = 0; band < 3; band++) {
        const struct tw_bare_file bare = {name, length, header, band};
        struct tw_raw_layout layout = {0};
        struct tw_value value = {0};
        struct tw_error error = {0};
        char text[TW_RAW_LAYOUT_TEXT];
        enum tw_status status = format->describe(&bare, &layout, &error);
        if (status == TW_OK) {
            tw_raw_layout_print(&layout, text);
            status = tw_raw_decode(file, length, &layout,
                                   (struct tw_file_wish){.gaps = band > 0, .counts = band > 1},
                                   &value, &error);
        }
        check(status, &value, &error);
        tw_field_clear(&value);
    }
}

static void read_place(const struct tw_format *format, const struct tw_codec_head *head)
{
    struct tw_georeference at;
    if (!format->read_place || !format->read_place(head, &at) || at.turned)
        return;
    if (!isfinite(at.west) || !isfinite(at.north) || !isfinite(at.cell_x) || !isfinite(at.cell_y))
        abort();
}

/* Of a file with one: its place, its scale, its band. */
static void read_other(const char *name, const uint8_t *file, size_t length)
{
    for (int32_t band = 0; band < 3; band++) {
        const struct tw_file_wish wish = {.gaps = band > 0, .counts = band > 1, .band = band};
        const struct tw_codec_head head = {
            .at = file, .length = length, .file_length = length, .wish = wish};
        const struct tw_format *format = NULL;
        struct tw_file_facts facts;
        struct tw_value value = {0};
        struct tw_error error = {0};
        enum tw_status status = tw_format_probe(&head, name, &format, &facts, &error);
        if (status == TW_OK)
            read_place(format, &head);
        if (status == TW_OK && format->read_rows)
            status = tw_codec_decode(format->read_rows, file, length, NULL, wish, &value, &error);
        else if (status == TW_OK)
            status = tw_format_decode(file, length, name, &value, &error);
        check(status, &value, &error);
        tw_field_clear(&value);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char name[NAME_MAX_BYTES + 1] = "";
    const uint8_t *line = size ? memchr(data, '\n', size) : NULL;
    const size_t length = line ? (size_t)(line - data) : 0;
    if (!line || length > NAME_MAX_BYTES)
        return 0;
    memcpy(name, data, length);
    const size_t rest = size - length - 1;
    const struct tw_format *bare = tw_format_bare(name);
    uint8_t *copy = malloc(rest + 1); /* of its own: sanitizers see reads beyond it */
    if (!copy)
        return 0;
    memcpy(copy, line + 1, rest);
    const uint8_t *end = bare && bare->header_ending ? memchr(copy, 0, rest) : NULL;
    const size_t skipped = end ? (size_t)(end - copy) + 1 : 0;
    tw_format_forbid_gdal();
    if (bare && bare->describe)
        read_bare(bare, name, end ? (const char *)copy : NULL, copy + skipped, rest - skipped);
    else if (!bare)
        read_other(name, copy, rest);
    free(copy);
    return 0;
}
