/* SPDX-License-Identifier: MIT */
#include "format/notes.h"

#include "base/text/number.h"

#include <thalweg/thalweg.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define RANGE_BETWEEN " to "

/* In display order. */
static const char *const names[] = {"Software",
                                    TW_NOTES_PREFIX "recipe",
                                    TW_NOTES_PREFIX "seed",
                                    TW_NOTES_PREFIX "sha256",
                                    TW_NOTES_PREFIX "range",
                                    TW_NOTES_PREFIX "metres"};

static char *add(struct tw_notes *notes, const char *name)
{
    struct tw_note *note = &notes->at[notes->count++];
    note->name = name;
    return note->text;
}

/* PNG text is Latin-1: letters of other alphabets are replaced. */
static void copy_printable(char *to, size_t size, const char *from)
{
    size_t i = 0;
    for (; from[i] && i + 1 < size; i++)
        to[i] = '?';
    to[i] = 0;
    for (i = 0; to[i]; i++)
        if (from[i] >= ' ' && from[i] <= '~')
            to[i] = from[i];
}

static void add_range(struct tw_notes *notes, const struct tw_range *range)
{
    char low[32], high[32];
    tw_number_print_digits(low, sizeof low, 15, range->low);
    tw_number_print_digits(high, sizeof high, 15, range->high);
    snprintf(add(notes, TW_NOTES_PREFIX "range"), sizeof notes->at[0].text, "%s" RANGE_BETWEEN "%s",
             low, high);
}

bool tw_notes_range(const struct tw_notes *notes, double *low, double *high)
{
    char text[sizeof notes->at[0].text];
    char *between = NULL;
    for (int i = 0; i < notes->count && !between; i++) {
        if (strcmp(notes->at[i].name, TW_NOTES_PREFIX "range") != 0)
            continue;
        memcpy(text, notes->at[i].text, sizeof text);
        between = strstr(text, RANGE_BETWEEN);
    }
    if (!between)
        return false;
    *between = 0;
    return tw_number_parse(text, low) && tw_number_parse(between + strlen(RANGE_BETWEEN), high);
}

static void add_metres(struct tw_notes *notes, const struct tw_world *world, int32_t width)
{
    char side[32], cell[32], height[32], sea[32];
    tw_number_print_digits(side, sizeof side, 15, world->side_m);
    tw_number_print_digits(cell, sizeof cell, 15, world->side_m / width);
    tw_number_print_digits(height, sizeof height, 15, world->height_m);
    tw_number_print_digits(sea, sizeof sea, 15, world->sea_level * world->height_m);
    snprintf(add(notes, TW_NOTES_PREFIX "metres"), sizeof notes->at[0].text,
             "side %s, cell %s, height 1 is %s, sea at %s", side, cell, height, sea);
}

void tw_notes_fill(const struct tw_format *format, const struct tw_encoding *encoding,
                   const struct tw_sha256 *digest, struct tw_notes *notes)
{
    const struct tw_value *value = encoding->values[0];
    const size_t size = sizeof notes->at[0].text;
    notes->count = 0;
    if (!encoding->provenance)
        return;
    snprintf(add(notes, "Software"), size, "thalweg " TW_VERSION);
    copy_printable(add(notes, TW_NOTES_PREFIX "recipe"), size, encoding->provenance->recipe);
    snprintf(add(notes, TW_NOTES_PREFIX "seed"), size, "%" PRIu64, encoding->provenance->seed);
    tw_hex(digest->at, sizeof digest->at, add(notes, TW_NOTES_PREFIX "sha256"));
    if (!encoding->several && format->ranged && value->type != TW_IMAGE)
        add_range(notes, &encoding->range);
    if (encoding->world && value->type == TW_HEIGHTMAP)
        add_metres(notes, encoding->world, value->width);
}

enum tw_status tw_notes_make(const struct tw_format *format, const struct tw_encoding *encoding,
                             struct tw_notes *notes, struct tw_error *err)
{
    struct tw_sha256 digest = {{0}};
    enum tw_status status =
        encoding->provenance ? tw_format_sha256(format, encoding, &digest, err) : TW_OK;
    if (status == TW_OK)
        tw_notes_fill(format, encoding, &digest, notes);
    return status;
}

void tw_notes_to_png(const struct tw_notes *notes, struct tw_png_rows *rows)
{
    rows->text_count = notes->count;
    for (int i = 0; i < notes->count; i++) {
        struct tw_png_text *to = &rows->texts[i];
        snprintf(to->name, sizeof to->name, "%s", notes->at[i].name);
        snprintf(to->text, sizeof to->text, "%s", notes->at[i].text);
    }
}

void tw_notes_keep(struct tw_notes *notes, const char *name, size_t name_length, const char *text,
                   size_t length)
{
    for (size_t i = 0; i < sizeof names / sizeof *names && notes->count < TW_NOTES_MAX; i++) {
        if (strlen(names[i]) != name_length || strncmp(names[i], name, name_length) != 0)
            continue;
        char *to = add(notes, names[i]);
        size_t fits = length < sizeof notes->at[0].text ? length : sizeof notes->at[0].text - 1;
        for (size_t at = 0; at < fits; at++)
            to[at] = (char)(text[at] >= ' ' && text[at] <= '~' ? text[at] : '?');
        to[fits] = 0;
    }
}

void tw_notes_read(const struct tw_format *format, const unsigned char *data, size_t length,
                   struct tw_notes *notes)
{
    notes->count = 0;
    if (format->read_notes)
        format->read_notes(data, length, notes);
}
