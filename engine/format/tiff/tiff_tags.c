/* SPDX-License-Identifier: MIT */
/* Tags that libtiff does not know: those of GeoTIFF and GDAL. If GDAL, linked into the same
 * program, registered these tags first, libtiff returns them differently. */
#include "format/tiff/tiff_stream.h"

#include "base/text/number.h"

#include <math.h>
#include <string.h>

enum { TAG_METADATA = 42112 };

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

/* Returns the number in <Item name="SCALE" sample="0" role="scale">0.1</Item>, which GDAL
 * identifies by its role (any item may have that name); `otherwise` without such an item, NAN if it
 * is not a number. */
static double item_of(const char *text, const char *end, const char *role, double otherwise)
{
    char word[40] = "";
    double number = NAN;
    const char *at = find_word(text, end, role);
    const char *from = at ? find_word(at, end, ">") : NULL;
    const char *to = from ? find_word(from, end, "<") : NULL;
    if (!to)
        return otherwise;
    if ((size_t)(to - from) < sizeof word)
        memcpy(word, from + 1, (size_t)(to - from - 1));
    return tw_number_parse(word, &number) ? number : NAN;
}

enum tw_status tw_tiff_check_scale(TIFF *tiff, struct tw_error *err)
{
    uint32_t length = 1;
    const char *text = tw_tiff_values(tiff, TAG_METADATA, TIFF_ASCII, &length);
    if (!text)
        return TW_OK;
    const double scale = item_of(text, text + length, " role=\"scale\"", 1);
    const double offset = item_of(text, text + length, " role=\"offset\"", 0);
    if (scale == 1 && offset == 0)
        return TW_OK;
    return tw_error_set(err, TW_INPUT,
                        "the .tif has scale %.9g and offset %.9g; expected heights that need "
                        "neither: gdal_translate -unscale -ot Float32 writes them",
                        scale, offset);
}
