/* SPDX-License-Identifier: MIT */
/* Tags that libtiff does not know: those of GeoTIFF and of GDAL. A program that has GDAL in it,
 * too, has told libtiff about them, which then gives them in another way. */
#include "field/tiff_stream.h"

#include <string.h>

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
