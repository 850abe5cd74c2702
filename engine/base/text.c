/* SPDX-License-Identifier: MIT */
/* UTF-8 as in RFC 3629, byte by byte. */
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* Bytes of a character by its first byte; 0: none begins so. */
static int length_of(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return 2;
    if ((first & 0xF0) == 0xE0)
        return 3;
    return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

/* Bytes of the character at `at`, 0 when it is none; *cut when the text ends within it. */
static int read_character(const unsigned char *at, uint32_t *code, bool *cut)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int length = length_of(at[0]);
    *code = length == 1 ? at[0] : at[0] & (0x7Fu >> length);
    for (int i = 1; i < length; i++) {
        *cut = at[i] == 0;
        if ((at[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (at[i] & 0x3Fu);
    }
    bool surrogate = *code >= 0xD800 && *code <= 0xDFFF;
    return length && *code >= least[length] && *code <= 0x10FFFF && !surrogate ? length : 0;
}

void tw_text_clean(char *text)
{
    unsigned char *from = (unsigned char *)text, *to = from;
    while (*from) {
        uint32_t code = 0;
        bool cut = false;
        int length = read_character(from, &code, &cut);
        bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
        if (cut)
            break;
        if (length == 0 || control) {
            *to++ = '?';
            from += length ? length : 1;
        }
        for (; length > 0 && !control; length--)
            *to++ = *from++;
    }
    *to = 0;
}
