/* SPDX-License-Identifier: MIT */
/* Finds the place in the file of a byte of a scalar's text. libyaml gives only the place of the
 * scalar, so its source is read again in step with the text, over quotes, escapes and folded
 * lines. */
#include "graph/load/yaml.h"

#include <string.h>

struct cursor {
    const char *at, *end;
    int32_t line, column;
};

/* Returns the next character of UTF-8; a terminating zero ends a truncated one. */
static const char *next_character(const char *at)
{
    do
        at++;
    while (((unsigned char)*at & 0xC0) == 0x80);
    return at;
}

static void advance(struct cursor *c)
{
    size_t ends = c->at < c->end ? tw_line_break(c->at, c->end) : 0;
    if (c->at >= c->end)
        return;
    c->at = ends ? c->at + ends : next_character(c->at);
    c->line += ends > 0;
    c->column = ends ? 1 : c->column + 1;
}

static void advance_by(struct cursor *c, int count)
{
    for (int i = 0; i < count; i++)
        advance(c);
}

static bool sees_blank(const struct cursor *c) { return c->at < c->end && strchr(" \t", *c->at); }

static bool sees_break(const struct cursor *c)
{
    return c->at < c->end && tw_line_break(c->at, c->end) > 0;
}

static void skip_blanks(struct cursor *c)
{
    while (sees_blank(c) || sees_break(c))
        advance(c);
}

/* Skips the anchor, and the opening quote or the header of a block; returns the quote, or 0. */
static char open_scalar(struct cursor *c)
{
    if (c->at < c->end && *c->at == '&') {
        while (c->at < c->end && !sees_blank(c) && !sees_break(c))
            advance(c);
        skip_blanks(c);
    }
    char style = 0;
    if (c->at < c->end)
        style = *c->at;
    if (style == '"' || style == '\'') {
        advance(c);
        return style;
    }
    if (style == '|' || style == '>') {
        while (c->at < c->end && !sees_break(c))
            advance(c);
        skip_blanks(c);
    }
    return 0;
}

/* Skips a line break and the blanks around it, which are one blank or some breaks of the text. */
static bool skip_fold(struct cursor *c, const char **text)
{
    struct cursor ahead = *c;
    while (sees_blank(&ahead))
        advance(&ahead);
    if (!sees_break(&ahead) || !strchr(" \n", **text))
        return false;
    skip_blanks(&ahead);
    *c = ahead;
    (*text)++;
    while (**text == '\n')
        (*text)++;
    return true;
}

/* Skips an escape, which is one character of the text, or none at the end of a line. */
static void skip_escape(struct cursor *c, const char **text)
{
    advance(c);
    if (sees_break(c)) {
        skip_blanks(c);
        return;
    }
    int digits = c->at >= c->end ? 0
                 : *c->at == 'x' ? 2
                 : *c->at == 'u' ? 4
                 : *c->at == 'U' ? 8
                                 : 0;
    advance_by(c, 1 + digits);
    *text = next_character(*text);
}

/* Advances over one character of the text; false if the source has a different one. */
static bool step(struct cursor *c, char quote, const char **text)
{
    if (skip_fold(c, text))
        return true;
    if (quote == '"' && c->at < c->end && *c->at == '\\') {
        skip_escape(c, text);
        return true;
    }
    if (c->at >= c->end || *c->at != **text)
        return false;
    advance_by(c, quote == '\'' && **text == '\'' ? 2 : 1);
    *text = next_character(*text);
    return true;
}

/* Returns a cursor at a place of its text. */
static struct cursor cursor_at(struct tw_place place)
{
    struct cursor c = {place.text, place.text + place.length, 1, 1};
    while (c.at < c.end &&
           (c.line < place.line || (c.line == place.line && c.column < place.column)))
        advance(&c);
    return c;
}

const char *tw_yaml_byte(struct tw_place place) { return cursor_at(place).at; }

bool tw_yaml_span(const struct tw_yaml *scalar, struct tw_yaml_span *span)
{
    struct cursor c = cursor_at(scalar->place);
    if (scalar->kind != TW_YAML_SCALAR || (c.at < c.end && strchr("|>", *c.at)))
        return false;
    const char quote = open_scalar(&c);
    const int32_t line = c.line;
    span->begin = c.at;
    for (const char *text = scalar->text; *text;)
        if (!step(&c, quote, &text))
            return false;
    span->end = span->after = c.at;
    if (quote && (c.at >= c.end || *c.at != quote))
        return false;
    span->after += quote != 0;
    return c.line == line;
}

struct tw_place tw_yaml_place_within(const struct tw_yaml *scalar, size_t offset)
{
    struct tw_place place = scalar->place;
    if (!place.text)
        return place;
    struct cursor c = cursor_at(place);
    char quote = open_scalar(&c);
    for (const char *text = scalar->text; text < scalar->text + offset && *text;)
        if (!step(&c, quote, &text))
            return place;
    place.line = c.line;
    place.column = c.column;
    return place;
}
