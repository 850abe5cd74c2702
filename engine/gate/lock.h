/* SPDX-License-Identifier: MIT */
/* Lock files: a snapshot of a recipe as YAML that is sorted, has no times, and reads well in a
 * diff. docs/gate.md shows one. */
#ifndef TW_ENGINE_GATE_LOCK_H
#define TW_ENGINE_GATE_LOCK_H

#include "gate/snapshot.h"

/* Version of the format, the first line of the file. */
#define TW_LOCK_VERSION 1

enum tw_status tw_lock_print(const struct tw_snapshot *snapshot, struct tw_bytes *out,
                             struct tw_error *err);
/* Reports every fault of the file through options->diagnostic; TW_INPUT when there is no such file,
 * TW_RECIPE when it is no lock file, or one of another version. */
enum tw_status tw_lock_read(const char *path, const struct tw_load_options *options,
                            struct tw_snapshot **snapshot, struct tw_error *err);

#endif
