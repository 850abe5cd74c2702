/* SPDX-License-Identifier: MIT */
/* libyaml notices an unclosed brace lines later and its messages speak of tokens. This file maps
 * them to mistakes, judging by the text around the place. */
#include "graph/load/syntax.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct line {
    const char *at;
    size_t length, indent;
};

static void measure(struct line *line, const char *end)
{
    while (line->at + line->length < end && !tw_line_break(line->at + line->length, end))
        line->length++;
    while (line->indent < line->length && line->at[line->indent] == ' ')
        line->indent++;
}

/* Returns line `number` of the text, from 1; NULL and 0 past the last. */
static struct line line_of(struct tw_place place, int32_t number)
{
    const char *at = place.text, *end = place.text + place.length;
    struct line line = {NULL, 0, 0};
    for (int32_t i = 1; at < end && i < number;) {
        size_t ends = tw_line_break(at, end);
        i += ends > 0;
        at += ends ? ends : 1;
    }
    line.at = at;
    measure(&line, end);
    return line;
}

/* Returns the byte at a place, 0 past the end. Columns count characters; these equal bytes where it
 * matters, on lines that are ASCII up to there. */
static const char *byte_at(struct tw_place place)
{
    struct line line = line_of(place, place.line);
    size_t column = (size_t)place.column - 1;
    return column < line.length ? line.at + column : "";
}

/* ---- brackets ---- */

/* Skips a quoted text that begins at `at`. */
static const char *skip_quoted(const char *at, const char *end)
{
    char quote = *at++;
    for (; at < end && *at != quote; at++)
        if (quote == '"' && *at == '\\' && at + 1 < end)
            at++;
    return at;
}

enum { NESTED_MAX = 64 };

struct brackets {
    const char *open[NESTED_MAX];
    int depth;
};

/* Returns the last byte of a quoted text or comment that begins at `at`; `at` itself if none
 * does. */
static const char *skip_text(const char *at, const char *end, bool starts)
{
    if (starts && (*at == '"' || *at == '\''))
        return skip_quoted(at, end);
    if (starts && *at == '#')
        while (at + 1 < end && at[1] != '\n')
            at++;
    return at;
}

/* Closes the innermost bracket by the one at `at`. True if that ends the search, because it was the
 * outermost or of the other kind. */
static bool close_bracket(struct brackets *brackets, const char *at)
{
    if (brackets->depth == 0)
        return false;
    char rightful = *at == '}' ? '{' : '[';
    return --brackets->depth == 0 || *brackets->open[brackets->depth] != rightful;
}

/* Scans from `at` until a bracket closes the first one or the wrong one, and returns that; NULL at
 * the end of the text or past the depth limit of YAML files. */
static const char *match_brackets(const char *at, const char *end, struct brackets *brackets)
{
    brackets->depth = 0;
    for (char before = ' '; at < end; before = *at++) {
        bool starts = before && strchr(" ,[{\n", before);
        at = skip_text(at, end, starts);
        if (at >= end)
            return NULL;
        bool opens = (*at == '{' || *at == '[') && (starts || before == '-');
        if (opens && brackets->depth == NESTED_MAX)
            return NULL;
        if (opens)
            brackets->open[brackets->depth++] = at;
        if ((*at == '}' || *at == ']') && close_bracket(brackets, at))
            return at;
    }
    return NULL;
}

static const char *find_closing(const char *open, const char *end)
{
    struct brackets brackets;
    return match_brackets(open, end, &brackets);
}

/* Returns the innermost bracket still open at the end of the text; NULL if there is none. */
static const char *find_open(const char *at, const char *end)
{
    struct brackets brackets = {.depth = 0};
    while ((at = match_brackets(at, end, &brackets)))
        at++;
    return brackets.depth > 0 ? brackets.open[brackets.depth - 1] : NULL;
}

static struct tw_place place_at(struct tw_place place, const char *byte)
{
    const char *at = place.text, *end = place.text + place.length;
    place.line = place.column = 1;
    for (size_t step; at < byte; at += step) {
        size_t ends = tw_line_break(at, end);
        step = ends ? ends : 1;
        place.line += ends > 0;
        place.column = ends ? 1 : place.column + 1;
    }
    return place;
}

/* Reports a missing value, most often at the end of a file with unclosed brackets. */
static void report_no_value(struct tw_fault_log *log, const struct tw_syntax_fault *fault)
{
    const char *found = byte_at(fault->noticed), *text = fault->noticed.text;
    const char *open = *found ? NULL : find_open(text, text + fault->noticed.length);
    if (open)
        tw_fault_log_add(log, TW_RECIPE, place_at(fault->noticed, open), NULL,
                         "this '%c' is not closed; expected '%c' before the end of the file", *open,
                         *open == '{' ? '}' : ']');
    else
        tw_fault_log_add(log, TW_RECIPE, fault->noticed, NULL,
                         "found '%.1s'; expected a value, or what closes an earlier '[' or '{'",
                         found);
}

static void report_brackets(struct tw_fault_log *log, const struct tw_syntax_fault *fault)
{
    const char *open = byte_at(fault->opened), *end = fault->opened.text + fault->opened.length;
    char rightful = *open == '{' ? '}' : ']';
    const char *closing = *open ? find_closing(open, end) : NULL;
    if (closing && *closing == rightful)
        tw_fault_log_add(log, TW_RECIPE, fault->noticed, NULL,
                         "no ',' before this; expected ',' or '%c' after an entry of the '%c' in "
                         "line %d, column %d",
                         rightful, *open, (int)fault->opened.line, (int)fault->opened.column);
    else
        tw_fault_log_add(log, TW_RECIPE, fault->opened, NULL,
                         "this '%c' is not closed; expected ',' or '%c' before line %d, column %d",
                         *open ? *open : '{', rightful, (int)fault->noticed.line,
                         (int)fault->noticed.column);
}

/* ---- indentation ---- */

enum { LEVELS_MAX = 64 };

struct levels {
    size_t indent[LEVELS_MAX];
    int32_t line[LEVELS_MAX];
    int count;
};

/* Returns the indentations open before a line, outermost first. */
static struct levels open_levels(struct tw_place place)
{
    const char *at = place.text, *end = place.text + place.length;
    struct levels levels = {.count = 0};
    for (int32_t number = 1; at < end && number < place.line; number++) {
        struct line line = {.at = at};
        measure(&line, end);
        at += line.length;
        at += at < end ? tw_line_break(at, end) : 0;
        if (line.indent == line.length || line.at[line.indent] == '#')
            continue;
        while (levels.count > 0 && levels.indent[levels.count - 1] >= line.indent)
            levels.count--;
        if (levels.count == LEVELS_MAX)
            break;
        levels.indent[levels.count] = line.indent;
        levels.line[levels.count++] = number;
    }
    return levels;
}

/* Lists the allowed indentations, as in "2 as in line 4, or 0 as in line 3". */
static void list_indents(struct tw_place place, char *text, size_t size)
{
    struct levels levels = open_levels(place);
    size_t used = 0;
    text[0] = 0;
    for (int i = levels.count - 1; i >= 0 && used < size; i--)
        used += (size_t)snprintf(text + used, size - used, "%s%zu as in line %d",
                                 used ? ", or " : "", levels.indent[i], (int)levels.line[i]);
}

/* Reports a tab in a line's indentation and returns whether it has one. */
static bool report_tab(struct tw_fault_log *log, struct tw_place place)
{
    struct line line = line_of(place, place.line);
    if (line.indent >= line.length || line.at[line.indent] != '\t')
        return false;
    place.column = (int32_t)line.indent + 1;
    tw_fault_log_add(log, TW_RECIPE, place, NULL,
                     "a tab in the indentation; expected spaces; YAML allows no tabs here");
    return true;
}

static void report_indent(struct tw_fault_log *log, struct tw_place place)
{
    char allowed[200];
    struct line line = line_of(place, place.line);
    if (report_tab(log, place))
        return;
    list_indents(place, allowed, sizeof allowed);
    place.column = (int32_t)line.indent + 1;
    tw_fault_log_add(log, TW_RECIPE, place,
                     "entries of one mapping or list begin in the same column",
                     "this line is indented by %zu; expected %s", line.indent, allowed);
}

/* Returns true if only a key precedes the place in its line. */
static bool follows_key(struct tw_place place)
{
    struct line line = line_of(place, place.line);
    size_t column = (size_t)place.column - 1;
    for (size_t i = line.indent; i < column && i < line.length; i++)
        if (line.at[i] == ':' || line.at[i] == ' ')
            return false;
    return true;
}

/* ---- other mistakes ---- */

/* Returns how many bytes of a name a message shows. */
static int shown(size_t length) { return length < 60 ? (int)length : 60; }

static size_t word_length(const char *at, const char *end)
{
    size_t length = 0;
    while (at + length < end && at[length] != ' ')
        length++;
    return length;
}

/* Recognises the lines that git writes into a file with a merge conflict. */
static bool is_conflict(const char *word, size_t length)
{
    return length == 7 && (memcmp(word, "<<<<<<<", 7) == 0 || memcmp(word, "=======", 7) == 0 ||
                           memcmp(word, ">>>>>>>", 7) == 0);
}

/* Reports 'b.png' height, or 'b'c: its own quotes suffice in a message. */
static void report_quoted(struct tw_fault_log *log, struct tw_arena *arena, struct tw_place place,
                          const char *at, const char *end)
{
    const char *closing = skip_quoted(at, end), *rest = closing < end ? closing + 1 : end;
    const bool apart = rest < end && *rest == ' ';
    const int length = shown((size_t)(rest - at));
    while (rest < end && *rest == ' ')
        rest++;
    if (rest < end && !apart)
        tw_fault_log_add(log, TW_RECIPE, place, NULL,
                         "the quoted %.*s is followed by %.*s; expected ': ' and a value", length,
                         at, shown((size_t)(end - rest)), rest);
    else
        tw_fault_log_add(log, TW_RECIPE, place,
                         rest < end ? tw_arena_print(arena, "did you mean %.*s: %.*s", length, at,
                                                     shown((size_t)(end - rest)), rest)
                                    : NULL,
                         "%.*s has no ':'; expected 'name: value'", length, at);
}

/* Reports "size 64" without its colon. */
static void report_no_colon(struct tw_fault_log *log, struct tw_arena *arena, struct tw_place place)
{
    struct line line = line_of(place, place.line);
    const char *at = line.at + line.indent, *end = line.at + line.length;
    size_t word = word_length(at, end);
    const char *rest = at + word;
    while (rest < end && *rest == ' ')
        rest++;
    if (report_tab(log, place))
        return;
    place.column = (int32_t)line.indent + 1;
    if (at < end && (*at == '"' || *at == '\'')) {
        report_quoted(log, arena, place, at, end);
        return;
    }
    const char *hint = NULL;
    if (is_conflict(at, word))
        hint = "git has left a conflict here: keep one of its sides";
    else if (rest < end)
        hint = tw_arena_print(arena, "did you mean '%.*s: %.*s'?", shown(word), at,
                              shown((size_t)(end - rest)), rest);
    tw_fault_log_add(log, TW_RECIPE, place, hint, "'%.*s' has no ':'; expected 'name: value'",
                     shown(word), at);
}

static bool report_character(struct tw_fault_log *log, struct tw_place place)
{
    char found = *byte_at(place);
    if (report_tab(log, place))
        return true;
    if (found == '\t')
        tw_fault_log_add(
            log, TW_RECIPE, place, NULL,
            "a text begins with a tab; expected spaces before it, or quotes around it");
    else
        tw_fault_log_add(log, TW_RECIPE, place, NULL,
                         "a text begins with '%c'; expected quotes around it", found ? found : '?');
    return true;
}

/* A text continues in the next line unless that is a key, as in "Hills" above "size: 64". If the
 * key's line is not indented further, returns true and the place of the text. */
static bool follows_text(struct tw_place key, struct tw_place *text)
{
    struct levels levels = open_levels(key);
    const int last = levels.count - 1;
    if (last < 0 || levels.indent[last] != line_of(key, key.line).indent)
        return false;
    *text = key;
    text->line = levels.line[last];
    return true;
}

/* Returns whether a place is the first non-blank of its line. */
static bool begins_line(struct tw_place place)
{
    return line_of(place, place.line).indent + 1 >= (size_t)place.column;
}

/* Reports text behind a closed bracket or quote. */
static void report_rest(struct tw_fault_log *log, struct tw_place place)
{
    struct line line = line_of(place, place.line);
    const char *at = byte_at(place);
    tw_fault_log_add(log, TW_RECIPE, place,
                     *at == ',' ? "entries on lines of their own have no ',' between them" : NULL,
                     "found '%.*s' after a complete value; expected the end of the line",
                     shown(word_length(at, line.at + line.length)), at);
}

/* Reports an entry of the wrong kind, or in the wrong column, within a block mapping or list. */
static void report_entry(struct tw_fault_log *log, const struct tw_syntax_fault *fault, bool list)
{
    if (fault->opened.column != fault->noticed.column) {
        report_indent(log, fault->noticed);
        return;
    }
    tw_fault_log_add(log, TW_RECIPE, fault->noticed, NULL,
                     list ? "no '-' before this; expected '- value' as in line %d"
                          : "found '-' among names; expected 'name: value' as in line %d",
                     (int)fault->opened.line);
}

static bool has(const char *text, const char *words) { return text && strstr(text, words); }

static bool closes(char byte) { return byte == '}' || byte == ']'; }

/* Reports a quoted text that goes on to the end of the file. */
static void report_unended(struct tw_fault_log *log, struct tw_place place)
{
    const char quote = *byte_at(place);
    tw_fault_log_add(log, TW_RECIPE, place, NULL,
                     "a quoted text begins here and does not end; expected a closing %c",
                     quote ? quote : '"');
}

static bool report_known(struct tw_fault_log *log, struct tw_arena *arena,
                         const struct tw_syntax_fault *fault)
{
    if (has(fault->context, "quoted scalar") && has(fault->problem, "unexpected")) {
        report_unended(log, fault->opened);
    } else if (has(fault->problem, "tab character") && report_tab(log, fault->noticed)) {
        return true;
    } else if (has(fault->problem, "cannot start any token")) {
        return report_character(log, fault->noticed);
    } else if (fault->quoted.line > 0 && fault->quoted_last_line == fault->noticed.line) {
        tw_fault_log_add(log, TW_RECIPE, fault->quoted, NULL,
                         "a quoted text begins here and ends in line %d only; expected a closing "
                         "quote before that",
                         (int)fault->quoted_last_line);
    } else if (has(fault->problem, "expected node content")) {
        report_no_value(log, fault);
    } else if (has(fault->context, "a flow ") && has(fault->problem, "did not find expected")) {
        report_brackets(log, fault);
    } else if (has(fault->context, "a simple key") && fault->opened.line > 0) {
        report_no_colon(log, arena, fault->opened);
    } else if (has(fault->context, "a block ") && closes(*byte_at(fault->noticed))) {
        tw_fault_log_add(
            log, TW_RECIPE, fault->noticed, NULL,
            "this '%c' closes nothing; expected an opening bracket before it, or quotes "
            "around the text",
            *byte_at(fault->noticed));
    } else if (has(fault->context, "a block ") && !begins_line(fault->noticed)) {
        report_rest(log, fault->noticed);
    } else if (has(fault->context, "a block ")) {
        report_entry(log, fault, has(fault->context, "collection"));
    } else if (has(fault->problem, "values are not allowed") && follows_key(fault->noticed)) {
        struct tw_place text;
        if (follows_text(fault->noticed, &text))
            report_no_colon(log, arena, text);
        else
            report_indent(log, fault->noticed);
    } else if (has(fault->problem, "values are not allowed")) {
        tw_fault_log_add(log, TW_RECIPE, fault->noticed, NULL,
                         "a second ':' in one entry; expected quotes around the text, or a line "
                         "for each entry");
    } else {
        return false;
    }
    return true;
}

void tw_syntax_report(struct tw_fault_log *log, struct tw_arena *arena,
                      const struct tw_syntax_fault *fault)
{
    if (report_known(log, arena, fault))
        return;
    tw_fault_log_add(log, TW_RECIPE, fault->noticed, NULL, "not valid YAML: %s%s%s",
                     fault->context ? fault->context : "", fault->context ? ", " : "",
                     fault->problem);
}
