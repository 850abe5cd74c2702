/* SPDX-License-Identifier: MIT */
#include "report/html.h"

#include "base/memory/digest.h"
#include "base/text/base64.h"
#include "base/text/text.h"

static void put_base64(FILE *out, const unsigned char *at, size_t length)
{
    char digits[4];
    for (size_t i = 0; i < length; i += 3) {
        tw_base64_group(at + i, length - i, digits);
        fwrite(digits, 1, sizeof digits, out);
    }
}

static const char head[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";

/* Writes " 'sha256-...'" of a built-in script. */
static void put_digest(FILE *out, const unsigned char *script, size_t length)
{
    struct tw_sha256 digest = tw_sha256_of(script, length);
    fputs(" 'sha256-", out);
    put_base64(out, digest.at, sizeof digest.at);
    fputs("'", out);
}

/* Whatever texts the page holds, a browser fetches and sends nothing, and runs only the built-in
 * scripts, which it knows by their digests. */
static void put_policy(FILE *out)
{
    fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src "
          "data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; script-src",
          out);
    put_digest(out, tw_page_script, tw_page_script_length);
    put_digest(out, tw_page_judge, tw_page_judge_length);
    fputs("\">\n", out);
}

void tw_html_served_policy(FILE *out, const unsigned char *script, size_t length)
{
    fputs("default-src 'none'; img-src 'self' data:; connect-src 'self'; style-src "
          "'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
          "script-src",
          out);
    put_digest(out, tw_page_script, tw_page_script_length);
    put_digest(out, script, length);
}

/* `more` is further style of `length` bytes; may be NULL. */
static void put_rest_of_head(FILE *out, const char *title, const unsigned char *more, size_t length)
{
    fputs("<link rel=\"icon\" href=\"data:,\">\n<title>", out);
    tw_html_text(out, title);
    fputs("</title>\n<style>\n", out);
    fwrite(tw_page_style, 1, tw_page_style_length, out);
    if (more)
        fwrite(more, 1, length, out);
    fputs("</style></head>\n<body>\n", out);
}

void tw_html_begin(FILE *out, const char *title)
{
    fputs(head, out);
    put_policy(out);
    put_rest_of_head(out, title, NULL, 0);
}

void tw_html_begin_served(FILE *out, const char *title, const unsigned char *style, size_t length)
{
    fputs(head, out);
    put_rest_of_head(out, title, style, length);
}

/* An extra blank between the tags would change the digest. */
void tw_html_run(FILE *out, const unsigned char *script, size_t length)
{
    fputs("<script>", out);
    fwrite(script, 1, length, out);
    fputs("</script>\n", out);
}

void tw_html_end(FILE *out)
{
    tw_html_run(out, tw_page_script, tw_page_script_length);
    fputs("</body></html>\n", out);
}

void tw_html_text(FILE *out, const char *text) { tw_text_write(out, text, TW_TEXT_HTML); }

void tw_html_picture(FILE *out, const char *alt, const char *attributes, const struct tw_bytes *png)
{
    fputs("<img alt=\"", out);
    tw_html_text(out, alt);
    fprintf(out, "\"%s src=\"data:image/png;base64,", attributes);
    put_base64(out, png->at, png->length);
    fputs("\">", out);
}
