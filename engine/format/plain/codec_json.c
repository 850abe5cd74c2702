/* SPDX-License-Identifier: MIT */
/* Writes a record as an object, a list as an array of objects, and several values as an object of
 * those. Elements are written one by one, in jansson's layout with an indentation of 2. */
#include "base/text/json.h"
#include "base/text/number.h"
#include "format/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { INDENT = 2, NUMBER_BYTES = 40 };

/* After a failure, further writes do nothing. */
struct writer {
    struct tw_bytes *out;
    struct tw_error *err;
    enum tw_status status;
    int depth;
    bool empty; /* the open object or array has no members yet */
};

static void put(struct writer *writer, const char *text)
{
    if (writer->status == TW_OK)
        writer->status = tw_bytes_append(writer->out, text, strlen(text), writer->err);
}

static void put_line_end(struct writer *writer)
{
    char line[16];
    snprintf(line, sizeof line, "\n%*s", INDENT * writer->depth, "");
    put(writer, line);
}

static void put_string(struct writer *writer, const char *text)
{
    if (writer->status == TW_OK)
        writer->status =
            tw_json_print(json_string(text), JSON_ENCODE_ANY, writer->out, writer->err);
}

static void open_part(struct writer *writer, const char *bracket)
{
    put(writer, bracket);
    writer->depth++;
    writer->empty = true;
}

static void close_part(struct writer *writer, const char *bracket)
{
    writer->depth--;
    if (!writer->empty)
        put_line_end(writer);
    put(writer, bracket);
    writer->empty = false;
}

static void begin_item(struct writer *writer)
{
    if (!writer->empty)
        put(writer, ",");
    writer->empty = false;
    put_line_end(writer);
}

static void begin_member(struct writer *writer, const char *name)
{
    begin_item(writer);
    put_string(writer, name);
    put(writer, ": ");
}

/* Prints a point or an exponent, without which it would be an integer; the exponent has no plus or
 * leading zeros. */
static void put_real(struct writer *writer, double number)
{
    char text[NUMBER_BYTES];
    if (!isfinite(number) && writer->status == TW_OK)
        writer->status =
            tw_error_set(writer->err, TW_NODE, "JSON has no number that is not finite");
    tw_number_print_digits(text, sizeof text - 2, 17, number);
    char *exponent = strchr(text, 'e');
    if (exponent) {
        char *sign = exponent + 1, *digits = sign + 1;
        digits += strspn(digits, "0");
        memmove(*sign == '-' ? sign + 1 : sign, digits, strlen(digits) + 1);
    } else if (!strchr(text, '.')) {
        memcpy(text + strlen(text), ".0", sizeof ".0");
    }
    put(writer, text);
}

static void put_whole(struct writer *writer, long long number)
{
    char text[NUMBER_BYTES];
    snprintf(text, sizeof text, "%lld", number);
    put(writer, text);
}

/* ---- values ---- */

static void put_member(struct writer *writer, const struct tw_element_member *member,
                       const unsigned char *element)
{
    const void *at = element + member->offset;
    switch (member->kind) {
    case TW_MEMBER_F32:
        put_real(writer, (double)*(const float *)at);
        break;
    case TW_MEMBER_F64:
        put_real(writer, *(const double *)at);
        break;
    case TW_MEMBER_I32:
        put_whole(writer, *(const int32_t *)at);
        break;
    case TW_MEMBER_U32:
        put_whole(writer, *(const uint32_t *)at);
        break;
    case TW_MEMBER_U16:
        put_whole(writer, *(const uint16_t *)at);
        break;
    case TW_MEMBER_U8:
        put_whole(writer, *(const uint8_t *)at);
        break;
    case TW_MEMBER_TEXT:
        put_string(writer, at);
        break;
    }
}

static void put_record(struct writer *writer, const struct tw_value *value)
{
    open_part(writer, "{");
    for (int32_t i = 0; writer->status == TW_OK && i < value->width; i++) {
        begin_member(writer, tw_entries(value)[i].name);
        put_real(writer, tw_entries(value)[i].number);
    }
    close_part(writer, "}");
}

static void put_list(struct writer *writer, const struct tw_value *value)
{
    const struct tw_type_row *type = tw_type(value->type);
    const unsigned char *element = value->data;
    open_part(writer, "[");
    for (int32_t i = 0; writer->status == TW_OK && i < value->width; i++, element += type->size) {
        begin_item(writer);
        open_part(writer, "{");
        for (const struct tw_element_member *m = type->members; m->name; m++) {
            begin_item(writer);
            put(writer, "\"");
            put(writer, m->name); /* a name in C */
            put(writer, "\": ");
            put_member(writer, m, element);
        }
        close_part(writer, "}");
    }
    close_part(writer, "]");
}

static void put_value(struct writer *writer, const struct tw_value *value)
{
    if (value->type == TW_RECORD)
        put_record(writer, value);
    else
        put_list(writer, value);
}

static void put_several(struct writer *writer, const struct tw_encoding *encoding)
{
    open_part(writer, "{");
    for (int32_t i = 0; i < encoding->count; i++) {
        begin_member(writer, encoding->names[i]);
        put_value(writer, encoding->values[i]);
    }
    close_part(writer, "}");
}

static enum tw_status encode(const struct tw_encoding *encoding, struct tw_bytes *out,
                             struct tw_error *err)
{
    struct writer writer = {.out = out, .err = err, .status = TW_OK};
    if (encoding->several)
        put_several(&writer, encoding);
    else
        put_value(&writer, encoding->values[0]);
    put(&writer, "\n");
    return writer.status;
}

extern const struct tw_format tw_format_json;
const struct tw_format tw_format_json = {
    .ending = ".json",
    .help = "a record is a flat object, a list an array of objects; several become one object "
            "by their names",
    .types = TW_LISTS,
    .several = TW_LISTS,
    .encode = encode,
};
