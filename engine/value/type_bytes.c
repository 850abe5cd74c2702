/* SPDX-License-Identifier: MIT */
/* Values in the little-endian form of files and digests. On little-endian machines this is their
 * form in memory; others reverse the numbers on the way, a few kB at a time. */
#include "base/memory/byte_order.h"

#include "value/field.h"

/* Reverses the bytes of numbers, but not of texts. Blocks may be identical. */
static void reverse(const struct tw_type_row *row, unsigned char *to, const unsigned char *from,
                    size_t count)
{
    unsigned char number[8];
    for (size_t i = 0; i < count; i++, to += row->size, from += row->size)
        for (const struct tw_element_member *m = row->members; m->name; m++) {
            if (m->kind == TW_MEMBER_TEXT) {
                memmove(to + m->offset, from + m->offset, m->size);
            } else {
                tw_reverse_bytes(number, from + m->offset, m->size);
                memcpy(to + m->offset, number, m->size);
            }
        }
}

bool tw_field_give_bytes(const struct tw_value *value, tw_bytes_sink *sink, void *context)
{
    const struct tw_type_row *row = tw_type(value->type);
    const unsigned char *from = value->data;
    size_t count = tw_value_count(value);
    if (TW_LITTLE_ENDIAN)
        return sink(context, from, count * row->size);
    unsigned char block[4096];
    size_t most = sizeof block / row->size;
    for (size_t i = 0, part; i < count; i += part) {
        part = count - i < most ? count - i : most;
        reverse(row, block, from + i * row->size, part);
        if (!sink(context, block, part * row->size))
            return false;
    }
    return true;
}

void tw_field_take_bytes(struct tw_value *value)
{
    if (!TW_LITTLE_ENDIAN)
        reverse(tw_type(value->type), value->data, value->data, tw_value_count(value));
}
