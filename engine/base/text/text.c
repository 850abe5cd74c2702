/* SPDX-License-Identifier: MIT */
/* UTF-8 as in RFC 3629, byte by byte. */
#include "base/text/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Returns the length of a character from its first byte; 0: no character begins so. */
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

/* Returns the length of the character at `at`, or 0 if it is invalid; sets *cut if the text ends
 * within it. */
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

/* Control characters; characters that change the writing direction, as in "Trojan Source" (Boucher
 * and Anderson 2021); line and paragraph separators; the byte order mark. */
static bool is_harmful(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E ||
           code == 0x200F || code == 0xFFFE || code == 0xFFFF ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xFEFF;
}

/* GitHub's runner obeys "::command::" at the beginning of a line, after blanks of any alphabet, and
 * "##[command]" anywhere in one; that of Azure obeys "##vso[command]". True for the character at
 * `at` if it would complete such a command after those from `begin` to `end`. */
static bool is_command(const unsigned char *begin, const unsigned char *end,
                       const unsigned char *at)
{
    const unsigned char *before = end;
    if (at[0] == '[')
        while (before > begin && (before[-1] | 0x20) >= 'a' && (before[-1] | 0x20) <= 'z')
            before--;
    else if (at[0] == ':' && at[1] == ':')
        while (before > begin && (before[-1] <= ' ' || before[-1] >= 0x7F))
            before--;
    else
        return false;
    return at[0] == '[' ? before - begin >= 2 && before[-1] == '#' && before[-2] == '#'
                        : before == begin;
}

/* Returns the length of the next character if it is safe, or 0 if it must be replaced. *skip is its
 * length in the text, 0 at the end. */
static int next_character(const unsigned char *at, int *skip)
{
    uint32_t code = 0;
    bool cut = false;
    int length = at[0] ? read_character(at, &code, &cut) : 0;
    *skip = !at[0] || cut ? 0 : length ? length : 1;
    return length == 0 || is_harmful(code) ? 0 : length;
}

bool tw_text_is_clean(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    for (int skip; *at; at += skip)
        if (next_character(at, &skip) == 0)
            return false;
    return true;
}

void tw_text_clean(char *text)
{
    unsigned char *from = (unsigned char *)text, *to = from;
    int skip, length = next_character(from, &skip);
    for (; skip; length = next_character(from, &skip)) {
        bool stands = length > 0 && !is_command((unsigned char *)text, to, from);
        if (!stands)
            *to++ = '?';
        for (int i = 0; stands && i < length; i++)
            *to++ = from[i];
        from += skip;
    }
    *to = 0;
}

int tw_text_quote(const char *text, char quoted[TW_TEXT_QUOTED_BYTES])
{
    uint32_t code = 0;
    bool cut = false;
    int length = read_character((const unsigned char *)text, &code, &cut);
    if (code == '\t')
        snprintf(quoted, TW_TEXT_QUOTED_BYTES, "\\t");
    else if (is_harmful(code)) /* all of which have at most 16 bits */
        snprintf(quoted, TW_TEXT_QUOTED_BYTES, "\\u%04X", (unsigned)(code & 0xFFFF));
    else
        snprintf(quoted, TW_TEXT_QUOTED_BYTES, "%s%.*s", code == '"' || code == '\\' ? "\\" : "",
                 length, text);
    return length;
}

/* Returns the escape for a character with a meaning in a form; NULL for most. */
static const char *escape_of(char character, enum tw_text_form form)
{
    static const struct {
        enum tw_text_form form;
        char character;
        const char *escape;
    } rows[] = {
        {TW_TEXT_CSV, '"', "\"\""},       {TW_TEXT_HTML, '<', "&lt;"},
        {TW_TEXT_HTML, '>', "&gt;"},      {TW_TEXT_HTML, '&', "&amp;"},
        {TW_TEXT_HTML, '"', "&quot;"},    {TW_TEXT_HTML, '\'', "&#39;"},
        {TW_TEXT_MARKDOWN, '|', "\\|"},   {TW_TEXT_MARKDOWN, '<', "&lt;"},
        {TW_TEXT_MARKDOWN, '&', "&amp;"}, {TW_TEXT_MARKDOWN, '`', "\\`"},
        {TW_TEXT_MARKDOWN, '*', "\\*"},   {TW_TEXT_MARKDOWN, '_', "\\_"},
        {TW_TEXT_MARKDOWN, '[', "\\["},   {TW_TEXT_MARKDOWN, '!', "\\!"},
        {TW_TEXT_MARKDOWN, '\\', "\\\\"}, {TW_TEXT_DOT, '"', "\\\""},
        {TW_TEXT_DOT, '\\', "\\\\"},      {TW_TEXT_MERMAID, '"', "#quot;"},
        {TW_TEXT_MERMAID, '<', "#lt;"},   {TW_TEXT_MERMAID, '>', "#gt;"},
        {TW_TEXT_MERMAID, '#', "#35;"},   {TW_TEXT_MERMAID, '|', "#124;"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].form == form && rows[i].character == character)
            return rows[i].escape;
    return NULL;
}

void tw_text_write(FILE *out, const char *text, enum tw_text_form form)
{
    const unsigned char *at = (const unsigned char *)text;
    bool formula = form == TW_TEXT_CSV && text[0] && strchr("=+-@", text[0]);
    bool quoted = form == TW_TEXT_CSV && strpbrk(text, ",\"");
    int skip, length = next_character(at, &skip);
    fputs(quoted ? "\"" : "", out);
    fputs(formula ? "'" : "", out);
    for (; skip; length = next_character(at, &skip)) {
        const char *escape = length == 1 ? escape_of((char)*at, form) : NULL;
        if (length == 0 || is_command((const unsigned char *)text, at, at))
            fputc('?', out);
        else if (escape)
            fputs(escape, out);
        else
            fwrite(at, 1, (size_t)length, out);
        at += skip;
    }
    fputs(quoted ? "\"" : "", out);
}
