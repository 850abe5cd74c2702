/* SPDX-License-Identifier: MIT */
/* Tags that libtiff does not know: those of GeoTIFF and GDAL. If GDAL, linked into the same
 * program, registered these tags first, libtiff returns them differently. */
#include "format/tiff/tiff_stream.h"

#include "base/text/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { TAG_METADATA = 42112, ITEM_MAX = 40 };

const void *tw_tiff_values(TIFF *tiff, uint32_t tag, TIFFDataType type, uint32_t *count)
{
    const TIFFField *field = TIFFFindField(tiff, tag, TIFF_ANY);
    const void *at = NULL;
    uint32_t found = 0;
    uint16_t few = 0;
    if (!field || TIFFFieldDataType(field) != type)
        return NULL;
    if (!TIFFFieldPassCount(field)) {
        if (type == TIFF_ASCII && TIFFGetField(tiff, tag, &at) == 1 && at)
            found = (uint32_t)strlen(at);
    } else if (TIFFFieldReadCount(field) == TIFF_VARIABLE2) {
        if (TIFFGetField(tiff, tag, &found, &at) != 1)
            at = NULL;
    } else if (TIFFFieldReadCount(field) == TIFF_VARIABLE) {
        if (TIFFGetField(tiff, tag, &few, &at) != 1)
            at = NULL;
        found = few;
    }
    if (!at || found < *count)
        return NULL;
    *count = found;
    return at;
}

/* Returns where `word` begins in the text, or NULL. */
static const char *find_word(const char *text, const char *end, const char *word)
{
    const size_t length = strlen(word);
    for (; (size_t)(end - text) >= length; text++)
        if (memcmp(text, word, length) == 0)
            return text;
    return NULL;
}

/* Finds <Item name="SCALE" sample="0" role="scale">0.1</Item> by its role (any item may have that
 * name) and copies what is in it; false without such an item. */
static bool find_item(const char *text, const char *end, int sample, const char *role,
                      char word[ITEM_MAX])
{
    char of_sample[24];
    snprintf(of_sample, sizeof of_sample, " sample=\"%d\"", sample);
    for (const char *at = text; (at = find_word(at, end, "<Item")) != NULL; at++) {
        const char *from = find_word(at, end, ">"), *to = from ? find_word(from, end, "<") : NULL;
        if (!to)
            return false;
        const bool is_of =
            find_word(at, from, of_sample) || (sample == 0 && !find_word(at, from, " sample="));
        if (!is_of || !find_word(at, from, role))
            continue;
        word[0] = 0;
        if ((size_t)(to - from) < ITEM_MAX)
            snprintf(word, ITEM_MAX, "%.*s", (int)(to - from - 1), from + 1);
        return true;
    }
    return false;
}

static const char *metadata_of(TIFF *tiff, const char **end)
{
    uint32_t length = 1;
    const char *text = tw_tiff_values(tiff, TAG_METADATA, TIFF_ASCII, &length);
    *end = text ? text + length : NULL;
    return text;
}

/* `otherwise` without such an item, NAN if it is not a number. */
static double item_of(TIFF *tiff, int sample, const char *role, double otherwise)
{
    const char *end, *text = metadata_of(tiff, &end);
    char word[ITEM_MAX];
    double number = NAN;
    if (!text || !find_item(text, end, sample, role, word))
        return otherwise;
    return tw_number_parse(word, &number) ? number : NAN;
}

enum tw_status tw_tiff_read_scale(TIFF *tiff, int sample, double *scale, double *offset,
                                  struct tw_error *err)
{
    *scale = item_of(tiff, sample, " role=\"scale\"", 1);
    *offset = item_of(tiff, sample, " role=\"offset\"", 0);
    if (isfinite(*scale) && isfinite(*offset) && *scale != 0)
        return TW_OK;
    return tw_error_set(err, TW_INPUT,
                        "the .tif has scale %.9g and offset %.9g; expected numbers, the scale "
                        "not 0",
                        *scale, *offset);
}

double tw_tiff_height_unit(TIFF *tiff)
{
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"m", 1},
                 {"metre", 1},
                 {"meter", 1},
                 {"metres", 1},
                 {"meters", 1},
                 {"ft", 0.3048},
                 {"foot", 0.3048},
                 {"feet", 0.3048},
                 {"us-ft", 1200.0 / 3937.0},
                 {"US survey foot", 1200.0 / 3937.0},
                 {"cm", 0.01},
                 {"dm", 0.1},
                 {"km", 1000}};
    const char *end, *text = metadata_of(tiff, &end);
    char word[ITEM_MAX];
    if (!text || !find_item(text, end, 0, " role=\"unittype\"", word))
        return tw_tiff_vertical_unit(tiff);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcasecmp(word, units[i].name) == 0)
            return units[i].metres;
    return 0;
}
