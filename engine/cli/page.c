/* SPDX-License-Identifier: MIT */
#include "cli/page.h"

#include "base/text.h"

void tw_page_text(FILE *out, const char *text) { tw_text_write(out, text, TW_TEXT_HTML); }

static void put_base64(FILE *out, const unsigned char *at, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        unsigned word = (unsigned)at[i] << 16 | (left > 1 ? (unsigned)at[i + 1] << 8 : 0) |
                        (left > 2 ? at[i + 2] : 0);
        fputc(digits[word >> 18], out);
        fputc(digits[word >> 12 & 63], out);
        fputc(left > 1 ? digits[word >> 6 & 63] : '=', out);
        fputc(left > 2 ? digits[word & 63] : '=', out);
    }
}

void tw_page_picture(FILE *out, const char *alt, const struct tw_bytes *png)
{
    fputs("<img alt=\"", out);
    tw_page_text(out, alt);
    fputs("\" src=\"data:image/png;base64,", out);
    put_base64(out, png->at, png->length);
    fputs("\">", out);
}
