/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text/stream.h"
#include "base/text/text.h"

#include <stdlib.h>
#include <string.h>

static const char *const rows[][2] = {
    {"", ""},
    {"plain, \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x8F\x94",
     "plain, \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x8F\x94"},
    {"a\033[31mred\n::error::\t\x7F", "a?[31mred?::error::??"},
    {"C1: \xC2\x9B"
     "31m",
     "C1: ?31m"},
    {"Latin-1: caf\xE9!", "Latin-1: caf?!"},
    {"overlong: \xC0\xAF \xE0\x80\xAF", "overlong: ?? ???"},
    {"surrogate: \xED\xA0\x80", "surrogate: ???"},
    {"beyond: \xF4\x90\x80\x80 \xFF", "beyond: ???? ?"},
    {"turned: \xE2\x80\xAE"
     "gnp\xE2\x81\xA9 \xD8\x9C",
     "turned: ?gnp? ?"},
    {"lines: \xE2\x80\xA8\xE2\x80\xA9 mark: \xEF\xBB\xBF", "lines: ?? mark: ?"},
    {"cut \xE2\x82", "cut "},
    {"cut \xC3", "cut "},
    {"alone \x80", "alone ?"},
    {"a\xE2\x80\xAE"
     "b\xE2\x81\xA6"
     "c\xD8\x9C"
     "d\xE2\x80\xA8"
     "e\xEF\xBB\xBF",
     "a?b?c?d?e?"},
};

static void untrusted_text_becomes_harmless(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[64];
        strcpy(text, rows[i][0]);
        tw_text_clean(text);
        assert_string_equal(text, rows[i][1]);
        assert_int_equal(tw_text_is_clean(rows[i][0]), strcmp(rows[i][0], rows[i][1]) == 0);
    }
}

static void encode(uint32_t code, char *to)
{
    const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xC0, 0xE0, 0xF0};
    *to++ = (char)(first[more] | code >> 6 * more);
    for (int i = more - 1; i >= 0; i--)
        *to++ = (char)(0x80 | (code >> 6 * i & 0x3F));
    *to = 0;
}

/* Controls, marks of direction, separators, the byte order mark and no characters at all, as the
 * halves of a pair of UTF-16 are. */
static void no_other_character_is_harmful(void **state)
{
    static const uint32_t harmful[][2] = {
        {0x01, 0x1F},     {0x7F, 0x9F},         {0x61C, 0x61C},   {0x200E, 0x200F},
        {0x2028, 0x202E}, {0x2066, 0x2069},     {0xD800, 0xDFFF}, {0xFEFF, 0xFEFF},
        {0xFFFE, 0xFFFF}, {0x110000, 0x110002},
    };
    size_t next = 0;
    (void)state;
    for (uint32_t code = 1; code < 0x110002; code++) {
        char text[5];
        encode(code, text);
        next += code > harmful[next][1];
        if (tw_text_is_clean(text) != (code < harmful[next][0]))
            fail_msg("U+%04X is taken for %s one", code,
                     code < harmful[next][0] ? "a harmful" : "a harmless");
    }
}

/* Of a character that fewer bytes hold. */
static void longer_forms_are_none(void **state)
{
    static const char *const forms[] = {"\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBD"};
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        assert_false(tw_text_is_clean(forms[i]));
}

/* Workflow commands of GitHub and Azure; the same characters elsewhere stay. */
static void no_line_commands_a_runner(void **state)
{
    static const char *const commands[][2] = {
        {"::error::x", "?:error::x"},
        {" \xC2\xA0\xE3\x80\x80::stop-commands::x", " \xC2\xA0\xE3\x80\x80?:stop-commands::x"},
        {":::x::", "?::x::"},
        {"a ##[add-mask]x ##[b]", "a ##?add-mask]x ##?b]"},
        {"###[x]", "###?x]"},
        {"##vso[task.setvariable]x", "##vso?task.setvariable]x"},
        {"##za[x] ##AZ[y]", "##za?x] ##AZ?y]"},
        {"a::b", "a::b"},
        {"a ::b", "a ::b"},
        {":a: [b] #[c] # #[d] ##3[e]", ":a: [b] #[c] # #[d] ##3[e]"},
        {"[[", "[["},
    };
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char text[64], *written = NULL;
        size_t length = 0;
        strcpy(text, commands[i][0]);
        tw_text_clean(text);
        assert_string_equal(text, commands[i][1]);
        FILE *out = tw_stream_open(&written, &length);
        assert_non_null(out);
        tw_text_write(out, commands[i][0], TW_TEXT_TERMINAL);
        assert_int_equal(tw_stream_close(out), 0);
        assert_string_equal(written, commands[i][1]);
        free(written);
        assert_true(tw_text_is_clean(commands[i][0]));
    }
}

static void every_form_escapes_what_it_must(void **state)
{
    static const struct {
        enum tw_text_form form;
        const char *text, *written;
    } forms[] = {
        {TW_TEXT_TERMINAL, "a\033[31m<b>|\"\\", "a?[31m<b>|\"\\"},
        {TW_TEXT_CSV, "plain", "plain"},
        {TW_TEXT_CSV, "a,\"b\"\n", "\"a,\"\"b\"\"?\""},
        {TW_TEXT_CSV, "=cmd|'/c calc'!A1", "'=cmd|'/c calc'!A1"},
        {TW_TEXT_CSV, "@SUM(1,2)", "\"'@SUM(1,2)\""},
        {TW_TEXT_HTML, "<img src=\"x\" onerror='y'>&",
         "&lt;img src=&quot;x&quot; onerror=&#39;y&#39;&gt;&amp;"},
        {TW_TEXT_MARKDOWN, "a|b`<i>*_![x]\\", "a\\|b\\`&lt;i>\\*\\_\\!\\[x]\\\\"},
        {TW_TEXT_DOT, "a\"b\\n\n", "a\\\"b\\\\n?"},
        {TW_TEXT_MERMAID, "a\"<b>#|", "a#quot;#lt;b#gt;#35;#124;"},
        {TW_TEXT_HTML, "cut \xE2\x82", "cut "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char *written = NULL;
        size_t length = 0;
        FILE *out = tw_stream_open(&written, &length);
        assert_non_null(out);
        tw_text_write(out, forms[i].text, forms[i].form);
        assert_int_equal(tw_stream_close(out), 0);
        assert_string_equal(written, forms[i].written);
        free(written);
    }
}

static void quotes_hold_any_character(void **state)
{
    static const struct {
        const char *text, *quoted;
        int length;
    } quotes[] = {
        {"ab", "a", 1},
        {"\"", "\\\"", 1},
        {"\\", "\\\\", 1},
        {"\t", "\\t", 1},
        {"\n", "\\u000A", 1},
        {"\x7F", "\\u007F", 1},
        {"\xC2\x85", "\\u0085", 2},
        {"\xE2\x80\xAE", "\\u202E", 3},
        {"\xEF\xBB\xBF", "\\uFEFF", 3},
        {"\xC3\xA4x", "\xC3\xA4", 2},
        {"\xF0\x9F\x8F\x94x", "\xF0\x9F\x8F\x94", 4},
    };
    static const char *const wrong[] = {"\xE9", "\xC2", "\xED\xA0\x80", "\x80", "\xC0\xAF"};
    char quoted[TW_TEXT_QUOTED_BYTES];
    (void)state;
    for (size_t i = 0; i < sizeof quotes / sizeof quotes[0]; i++) {
        assert_int_equal(tw_text_quote(quotes[i].text, quoted), quotes[i].length);
        assert_string_equal(quoted, quotes[i].quoted);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(tw_text_quote(wrong[i], quoted), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(untrusted_text_becomes_harmless),
                                       cmocka_unit_test(no_other_character_is_harmful),
                                       cmocka_unit_test(longer_forms_are_none),
                                       cmocka_unit_test(quotes_hold_any_character),
                                       cmocka_unit_test(no_line_commands_a_runner),
                                       cmocka_unit_test(every_form_escapes_what_it_must)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
