/* SPDX-License-Identifier: MIT */
/* What the cells of a TIFF are, by its directory: tiff_layout.c finds out, tiff_read.c reads them.
 */
#ifndef TW_ENGINE_FORMAT_TIFF_TIFF_LAYOUT_H
#define TW_ENGINE_FORMAT_TIFF_TIFF_LAYOUT_H

#include "format/tiff/tiff_stream.h"

struct tw_tiff_layout {
    int32_t width, height;
    uint16_t bits, format; /* of a sample */
    uint16_t samples;      /* a pixel, of which the first are read: */
    int wanted;            /* heights or an index into the palette, else red, green and blue */
    bool separate;         /* samples lie in planes of their own */
    bool tiled, has_no_data;
    double no_data;
    uint16_t *palette[3]; /* of 2^bits colours, as libtiff keeps it; NULL: there is none */
};

enum tw_status tw_tiff_read_layout(TIFF *tiff, const struct tw_tiff_stream *stream, uint64_t length,
                                   struct tw_tiff_layout *layout);
struct tw_file_facts tw_tiff_facts(const struct tw_tiff_layout *layout);

#endif
