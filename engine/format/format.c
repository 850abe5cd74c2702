/* SPDX-License-Identifier: MIT */
/* The list of formats, and the messages and choices that follow from their rows. To add a format,
 * write its codec with its row, and add its name here. */
#include "format/format.h"
#include "format/place.h"

#include <stdio.h>
#include <string.h>

/* In the order of documents and messages. */
#define FORMATS(X)                                                                                 \
    X(png)                                                                                         \
    X(splat)                                                                                       \
    X(layer)                                                                                       \
    X(npy)                                                                                         \
    X(exr)                                                                                         \
    X(control)                                                                                     \
    X(tiff)                                                                                        \
    X(r16) X(raw) X(r32) X(bmp) X(asc) X(hgt) X(bil) X(flt) X(dem) X(glb) X(obj) X(json) X(csv)

#define DECLARE(name) extern const struct tw_format tw_format_##name;
FORMATS(DECLARE)
#define ADDRESS(name) &tw_format_##name,
const struct tw_format *const tw_formats[] = {FORMATS(ADDRESS) NULL};

static bool holds(const struct tw_format *format, enum tw_type type, bool several)
{
    unsigned types = several ? format->several : format->types;
    return type == TW_TYPE_COUNT ? types != 0 : (types & TW_TYPE_BIT(type)) != 0;
}

const struct tw_format *tw_format_find(const char *ending, enum tw_type type, bool several)
{
    for (const struct tw_format *const *format = tw_formats; *format; format++)
        if (strcmp((*format)->ending, ending) == 0 && holds(*format, type, several))
            return *format;
    return NULL;
}

bool tw_format_option(const struct tw_format *format, const void *options, const char *name)
{
    for (const struct tw_param *row = format->options; row && row->name; row++)
        if (strcmp(row->name, name) == 0 && row->kind == TW_KIND_BOOL)
            return *(const bool *)((const unsigned char *)options + row->offset);
    return false;
}

const struct tw_format *tw_format_find_several(const char *ending, enum tw_type type,
                                               const char *preset)
{
    const struct tw_format *found = NULL;
    for (const struct tw_format *const *format = tw_formats; *format; format++) {
        const char *only = (*format)->only_for;
        if (strcmp((*format)->ending, ending) != 0 || !holds(*format, type, true))
            continue;
        if (only && preset && strcmp(only, preset) == 0)
            return *format;
        if (!found || (found->only_for && !only))
            found = *format;
    }
    return found;
}

const struct tw_value *tw_encoding_part(const struct tw_encoding *encoding, int i)
{
    const int32_t at = encoding->part_at[i];
    return at > 0 && at < encoding->count ? encoding->values[at] : NULL;
}

int32_t tw_encoding_listed(const struct tw_encoding *encoding)
{
    int32_t count = encoding->count;
    for (int i = 0; i < TW_FORMAT_PARTS_MAX; i++)
        count -= encoding->part_at[i] > 0;
    return count;
}

/* Appends an ending to a list of `count`, unless the list already has it. */
static int append(char *text, size_t size, const char *ending, int count)
{
    size_t used = strlen(text);
    const char *at = strstr(text, ending);
    if (at && strchr(", ", at[strlen(ending)]))
        return count;
    snprintf(text + used, size - used, "%s%s", count ? ", " : "", ending);
    return count + 1;
}

/* "a, b, c" to "a, b or c" */
static void end_list(char *text, size_t size)
{
    char *comma = strrchr(text, ','), last[16];
    if (!comma)
        return;
    snprintf(last, sizeof last, "%s", comma + 2);
    snprintf(comma, size - (size_t)(comma - text), " or %s", last);
}

void tw_format_list(enum tw_type type, bool several, char *text, size_t size)
{
    int count = 0;
    text[0] = 0;
    for (const struct tw_format *const *format = tw_formats; *format; format++)
        if (holds(*format, type, several))
            count = append(text, size, (*format)->ending, count);
    end_list(text, size);
}

void tw_format_list_by_rows(char *text, size_t size)
{
    int count = 0;
    text[0] = 0;
    for (const struct tw_format *const *format = tw_formats; *format; format++)
        if ((*format)->row_writer)
            count = append(text, size, (*format)->ending, count);
    end_list(text, size);
}

static bool is_read(const struct tw_format *format)
{
    return format->decode || format->read_rows || (format->lacks && format->magic);
}

void tw_format_list_read(char *text, size_t size)
{
    int count = 0;
    text[0] = 0;
    for (const struct tw_format *const *format = tw_formats; *format; format++)
        if (is_read(*format)) {
            count = append(text, size, (*format)->ending, count);
            if ((*format)->also)
                count = append(text, size, (*format)->also, count);
        }
    end_list(text, size);
}

static bool has_magic(const struct tw_format *format, const unsigned char *data, size_t length)
{
    int count = format->magic_count ? format->magic_count : 1;
    for (int i = 0; i < count; i++)
        if (length >= format->magic_length &&
            memcmp(data, format->magic + (size_t)i * format->magic_length, format->magic_length) ==
                0)
            return true;
    return false;
}

static const struct tw_format *find_bare(const struct tw_format *const *formats, const char *name)
{
    const char *ending = tw_format_ending(name);
    for (; *formats; formats++)
        if ((*formats)->bare_bits > 0 && strcmp(ending, (*formats)->ending) == 0)
            return *formats;
    return NULL;
}

const struct tw_format *tw_format_bare(const char *name) { return find_bare(tw_formats, name); }

extern const struct tw_format tw_format_gdal;

/* Returns whether a file with that ending may be an elevation model of another program: neither of
 * our own formats nor a text of ours. */
static bool is_for_gdal(const char *ending)
{
    static const char *const ours[] = {".yaml", ".yml", ".lock", ".txt", ".html", ".cpt", NULL};
    bool known = !ending[0];
    for (const struct tw_format *const *format = tw_formats; *format; format++)
        known |= strcmp(ending, (*format)->ending) == 0 ||
                 ((*format)->also && strcmp(ending, (*format)->also) == 0);
    for (int i = 0; ours[i]; i++)
        known |= strcmp(ending, ours[i]) == 0;
    return !known;
}

const struct tw_format *tw_format_recognise(const struct tw_format *const *formats,
                                            const unsigned char *data, size_t length,
                                            const char *name)
{
    const char *ending = tw_format_ending(name);
    const struct tw_format *bare = find_bare(formats, name);
    const struct tw_format *const *first = formats;
    if (bare)
        return bare; /* even if its first levels look like another format */
    for (; *formats; formats++) {
        const struct tw_format *format = *formats;
        if (is_read(format) &&
            (format->magic ? has_magic(format, data, length) : strcmp(ending, format->ending) == 0))
            return format;
    }
    return first == tw_formats && is_for_gdal(ending) && tw_format_gdal_version() ? &tw_format_gdal
                                                                                  : NULL;
}

static enum tw_status refuse_unknown(const char *name, struct tw_error *err)
{
    char known[160];
    tw_format_list_read(known, sizeof known);
    return tw_error_set(err, TW_INPUT, "%s is of an unknown format; expected %s", name, known);
}

enum tw_status tw_format_decode(const unsigned char *data, size_t length, const char *name,
                                struct tw_value *out, struct tw_error *err)
{
    const struct tw_format *format = tw_format_recognise(tw_formats, data, length, name);
    if (!format)
        return refuse_unknown(name, err);
    enum tw_status status = tw_format_check(format, err);
    if (status == TW_OK && format->bare_bits > 0)
        return tw_error_set(err, TW_INPUT, "%s has no header: its size is not known here", name);
    return status == TW_OK ? format->decode(data, length, out, err) : status;
}

enum tw_status tw_format_probe(const struct tw_codec_head *head, const char *name,
                               const struct tw_format **format, struct tw_file_facts *facts,
                               struct tw_error *err)
{
    *format = tw_format_recognise(tw_formats, head->at, head->length, name);
    if (!*format)
        return refuse_unknown(name, err);
    enum tw_status status = tw_format_check(*format, err);
    if (status == TW_OK)
        status = (*format)->probe(head, facts, err);
    struct tw_georeference at;
    if (status == TW_OK && facts->type == TW_HEIGHTMAP && (*format)->read_place &&
        (*format)->read_place(head, &at))
        facts->place = tw_place_of(&at);
    return status;
}

bool tw_format_has_rows(const struct tw_format *format, const struct tw_codec_head *head,
                        uint64_t *held)
{
    *held = 0;
    return format->read_rows && (!format->has_rows || format->has_rows(head, held));
}
