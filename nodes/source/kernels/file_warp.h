/* SPDX-License-Identifier: MIT */
/* A map in a zone of UTM from a file in degrees, computed while the file is read: its rows are not
 * those of the file, so all rows that one of them crosses are in memory. */
#ifndef TW_NODES_SOURCE_KERNELS_FILE_WARP_H
#define TW_NODES_SOURCE_KERNELS_FILE_WARP_H

#include "source/kernels/file_fit.h"

/* Fails when the file does not lie near enough to a zone. */
enum tw_status tw_file_warp_check(const char *name, const struct tw_file_facts *file, int32_t zone,
                                  struct tw_error *err);
/* As tw_file_fit(), for a fit whose projection is TW_VIEW_UTM. */
enum tw_status tw_file_warp(struct tw_task *task, const struct tw_file_fit *fit);
void tw_file_warp_forecast(struct tw_forecast *f, int32_t fit, int32_t zone);

#endif
