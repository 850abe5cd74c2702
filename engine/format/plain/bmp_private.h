/* SPDX-License-Identifier: MIT */
/* Reads .bmp, for the format's row. */
#ifndef TW_ENGINE_FORMAT_PLAIN_BMP_PRIVATE_H
#define TW_ENGINE_FORMAT_PLAIN_BMP_PRIVATE_H

#include "format/codec.h"

enum tw_status tw_bmp_probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err);
enum tw_status tw_bmp_read(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                           struct tw_error *err);

#endif
