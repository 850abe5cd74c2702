/* SPDX-License-Identifier: MIT */
/* The contents of an OpenEXR file, from its header: exr_picture.c determines them, exr_read.c reads
 * them. */
#ifndef TW_ENGINE_FORMAT_EXR_EXR_PICTURE_H
#define TW_ENGINE_FORMAT_EXR_EXR_PICTURE_H

#include "format/exr/exr_stream.h"

struct tw_exr_picture {
    exr_context_t file; /* NULL if opening failed; else the caller must finish it */
    exr_attr_box2i_t window;
    exr_storage_t storage;
    int channels[3]; /* indices of the chosen channels: heights, or red, green and blue */
    int wanted;      /* number of chosen channels, 1 or 3 */
    int32_t width, height;
    int32_t wide, high;   /* sides of a chunk, at most the picture's */
    bool control;         /* cells are 32 bits of a control map, of any pattern */
    uint64_t pixel_bytes; /* bytes of a pixel's channels, unpacked */
};

/* Opens a picture; with `colours` these precede a channel of heights. */
enum tw_status tw_exr_open(struct tw_exr_picture *picture, struct tw_exr_stream *stream,
                           bool colours);
struct tw_file_facts tw_exr_facts(const struct tw_exr_picture *picture);

#endif
