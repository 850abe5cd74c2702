/* SPDX-License-Identifier: MIT */
/* What an OpenEXR file holds, by its header: exr_picture.c finds out, exr_read.c reads it. */
#ifndef TW_ENGINE_FORMAT_EXR_EXR_PICTURE_H
#define TW_ENGINE_FORMAT_EXR_EXR_PICTURE_H

#include "format/exr/exr_stream.h"

struct tw_exr_picture {
    exr_context_t file; /* NULL when it could not be opened; else the caller's to finish */
    exr_attr_box2i_t window;
    exr_storage_t storage;
    int channels[3]; /* the wanted ones of the file's: heights, or red, green and blue */
    int wanted;      /* 1 or 3 */
    int32_t width, height;
    int32_t wide, high;   /* of a chunk, at most the picture's */
    uint64_t pixel_bytes; /* of all channels, unpacked */
};

/* With `colours` these go before a channel of heights. */
enum tw_status tw_exr_open(struct tw_exr_picture *picture, struct tw_exr_stream *stream,
                           bool colours);
struct tw_file_facts tw_exr_facts(const struct tw_exr_picture *picture);

#endif
