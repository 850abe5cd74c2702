/* SPDX-License-Identifier: MIT */
/* Reads .npy, for the format's row. */
#ifndef TW_ENGINE_FORMAT_PLAIN_NPY_PRIVATE_H
#define TW_ENGINE_FORMAT_PLAIN_NPY_PRIVATE_H

#include "format/codec.h"

enum tw_status tw_npy_probe(const struct tw_codec_head *head, struct tw_file_facts *facts,
                            struct tw_error *err);
/* False for Fortran order, in which the file holds columns. */
bool tw_npy_has_rows(const struct tw_codec_head *head, uint64_t *held);
enum tw_status tw_npy_read_rows(const struct tw_byte_source *source, const struct tw_row_sink *sink,
                                struct tw_error *err);

#endif
