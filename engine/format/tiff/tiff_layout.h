/* SPDX-License-Identifier: MIT */
/* What the cells of a TIFF are: tiff_layout.c determines it from the directory, tiff_read.c reads
 * them. */
#ifndef TW_ENGINE_FORMAT_TIFF_TIFF_LAYOUT_H
#define TW_ENGINE_FORMAT_TIFF_TIFF_LAYOUT_H

#include "format/tiff/tiff_stream.h"

struct tw_tiff_layout {
    int32_t width, height;
    uint16_t bits, format; /* of a sample */
    uint16_t samples;      /* per pixel, of which the first ones are read: */
    int wanted;            /* heights or an index into the palette, else red, green and blue */
    bool separate;         /* each sample has a plane of its own */
    int first;             /* sample read first */
    bool tiled, has_no_data;
    bool gaps;   /* cells without a height are given as NaN */
    bool counts; /* unsigned integers are heights, not shares of the greatest */
    double no_data;
    double scale, offset; /* of heights: offset + scale times the number */
    double metres;        /* of a height of 1; 0: not said */
    uint16_t *palette[3]; /* 2^bits colours, owned by libtiff; NULL: none */
};

enum tw_status tw_tiff_read_layout(TIFF *tiff, const struct tw_tiff_stream *stream, uint64_t length,
                                   struct tw_tiff_layout *layout);
struct tw_file_facts tw_tiff_facts(const struct tw_tiff_layout *layout);

#endif
