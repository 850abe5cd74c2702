/* SPDX-License-Identifier: MIT */
/* Reads cells without a header by their layout, for the rows of such formats. */
#ifndef TW_ENGINE_FORMAT_PLAIN_RAW_PRIVATE_H
#define TW_ENGINE_FORMAT_PLAIN_RAW_PRIVATE_H

#include "format/format.h"

enum tw_status tw_raw_probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err);
enum tw_status tw_raw_read_rows(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                                struct tw_error *err);

#endif
