/* SPDX-License-Identifier: MIT */
#include "report/html.h"

#include "base/memory/digest.h"

#include "support/harness.h"

#include <stdlib.h>
#include <string.h>

static char *page; /* with both scripts */

static int make_page(void **state)
{
    size_t length = 0;
    FILE *out = open_memstream(&page, &length);
    (void)state;
    assert_non_null(out);
    tw_html_begin(out, "<b>\"title\"</b>");
    tw_html_run(out, tw_page_judge, tw_page_judge_length);
    tw_html_end(out);
    return fclose(out);
}

static int free_page(void **state)
{
    (void)state;
    free(page);
    return 0;
}

/* 32 bytes from 43 digits of base64. */
static void decode(const char *text, unsigned char to[32])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned word = 0;
    int bits = 0, count = 0;
    for (; count < 32; text++) {
        const char *digit = strchr(digits, *text);
        assert_non_null(digit);
        word = word << 6 | (unsigned)(digit - digits);
        bits += 6;
        if (bits >= 8)
            to[count++] = (unsigned char)(word >> (bits -= 8));
    }
}

static bool is_allowed(struct tw_sha256 digest)
{
    const char *end = strchr(strstr(page, "script-src"), '>');
    for (const char *at = page; (at = strstr(at, "'sha256-")) && at < end; at++) {
        unsigned char allowed[32];
        decode(at + strlen("'sha256-"), allowed);
        if (memcmp(allowed, digest.at, sizeof allowed) == 0)
            return true;
    }
    return false;
}

static void a_browser_runs_our_scripts_and_no_other(void **state)
{
    int scripts = 0;
    (void)state;
    for (const char *at = page; (at = strstr(at, "<script>")); scripts++) {
        at += strlen("<script>");
        const char *end = strstr(at, "</script>");
        assert_non_null(end);
        assert_true(is_allowed(tw_sha256_of(at, (size_t)(end - at))));
        assert_false(is_allowed(tw_sha256_of(at, (size_t)(end - at) - 1)));
    }
    assert_int_equal(scripts, 2);
    assert_null(strstr(strstr(page, "script-src"), "unsafe"));
    assert_non_null(strstr(page, "default-src 'none'; img-src data:;"));
    assert_non_null(strstr(page, "<title>&lt;b&gt;&quot;title&quot;&lt;/b&gt;</title>"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_browser_runs_our_scripts_and_no_other),
    };
    return cmocka_run_group_tests(tests, make_page, free_page);
}
