/* SPDX-License-Identifier: MIT */
/* Lists as comma-separated values: a line of names, then a line per element. */
#include "base/text/number.h"
#include "format/format.h"

#include <stdio.h>

/* Texts of elements are names of the engine's own and contain no comma. */
static int print_member(const struct tw_element_member *member, const unsigned char *element,
                        char *text, size_t size)
{
    const void *at = element + member->offset;
    switch (member->kind) {
    case TW_MEMBER_F32:
        return tw_number_print_digits(text, size, 9, (double)*(const float *)at);
    case TW_MEMBER_F64:
        return tw_number_print_digits(text, size, 17, *(const double *)at);
    case TW_MEMBER_I32:
        return snprintf(text, size, "%d", (int)*(const int32_t *)at);
    case TW_MEMBER_U32:
        return snprintf(text, size, "%u", (unsigned)*(const uint32_t *)at);
    case TW_MEMBER_U16:
        return snprintf(text, size, "%d", (int)*(const uint16_t *)at);
    case TW_MEMBER_U8:
        return snprintf(text, size, "%d", (int)*(const uint8_t *)at);
    case TW_MEMBER_TEXT:
        return snprintf(text, size, "%s", (const char *)at);
    }
    return 0;
}

static enum tw_status append_cell(struct tw_bytes *out, const char *text, bool last,
                                  struct tw_error *err)
{
    return tw_bytes_print(out, err, "%s%c", text, last ? '\n' : ',');
}

static enum tw_status encode_list(const struct tw_value *value, struct tw_bytes *out,
                                  struct tw_error *err)
{
    const struct tw_type_row *type = tw_type(value->type);
    const unsigned char *element = value->data;
    enum tw_status status = TW_OK;
    for (const struct tw_element_member *m = type->members; status == TW_OK && m->name; m++)
        status = append_cell(out, m->name, !m[1].name, err);
    for (int32_t i = 0; status == TW_OK && i < value->width; i++, element += type->size)
        for (const struct tw_element_member *m = type->members; status == TW_OK && m->name; m++) {
            char text[40];
            print_member(m, element, text, sizeof text);
            status = append_cell(out, text, !m[1].name, err);
        }
    return status;
}

/* Writes a record as a table of one row. */
static enum tw_status encode_record(const struct tw_value *value, struct tw_bytes *out,
                                    struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (int32_t i = 0; status == TW_OK && i < value->width; i++)
        status = append_cell(out, tw_entries(value)[i].name, i + 1 == value->width, err);
    for (int32_t i = 0; status == TW_OK && i < value->width; i++) {
        char text[40];
        tw_number_print_digits(text, sizeof text, 17, tw_entries(value)[i].number);
        status = append_cell(out, text, i + 1 == value->width, err);
    }
    return status;
}

static enum tw_status encode(const struct tw_encoding *encoding, struct tw_bytes *out,
                             struct tw_error *err)
{
    const struct tw_value *value = encoding->values[0];
    return value->type == TW_RECORD ? encode_record(value, out, err) : encode_list(value, out, err);
}

extern const struct tw_format tw_format_csv;
const struct tw_format tw_format_csv = {
    .ending = ".csv",
    .help = "a line of names, then a line per element; a record is one line",
    .types = TW_LISTS,
    .encode = encode,
};
