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
                                    TW_NOTES_PREFIX "metres",
                                    TW_NOTES_PREFIX "values",
                                    TW_NOTES_PREFIX "R",
                                    TW_NOTES_PREFIX "G",
                                    TW_NOTES_PREFIX "B",
                                    TW_NOTES_PREFIX "A",
                                    TW_NOTES_PREFIX "layer"};
enum { FIRST_CHANNEL = 7, LAYER = 11 };
_Static_assert(sizeof names / sizeof *names <= TW_NOTES_MAX, "a file may have all notes");

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

/* Says what the floats of a file measure, so that nobody has to guess from their size. */
static void add_values(struct tw_notes *notes, const struct tw_format *format,
                       const struct tw_encoding *encoding)
{
    char *to = add(notes, TW_NOTES_PREFIX "values"), height[32];
    const size_t size = sizeof notes->at[0].text;
    if (encoding->values[0]->type != TW_HEIGHTMAP)
        snprintf(to, size, "shares, 0 to 1");
    else if (tw_format_option(format, encoding->options, "metres"))
        snprintf(to, size, "heights in metres");
    else if (encoding->world) {
        tw_number_print_digits(height, sizeof height, 15, encoding->world->height_m);
        snprintf(to, size, "heights, of which 1 is %s metres", height);
    } else
        snprintf(to, size, "heights, not in metres");
}

/* Names the mask of each channel, or of a grey file. */
static void add_channels(struct tw_notes *notes, const struct tw_format *format,
                         const struct tw_encoding *encoding)
{
    const int32_t count = encoding->taken > 0 ? encoding->taken : encoding->count;
    for (int32_t i = 0; encoding->names && i < count && i < format->file_max; i++)
        copy_printable(add(notes, names[format->file_max > 1 ? FIRST_CHANNEL + i : LAYER]),
                       sizeof notes->at[0].text, encoding->names[encoding->first + i]);
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
    if (format->physical && tw_type_is_grid(value->type))
        add_values(notes, format, encoding);
    if (encoding->several && format->file_max > 0)
        add_channels(notes, format, encoding);
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
