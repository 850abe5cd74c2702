/* SPDX-License-Identifier: MIT */
/* variant,seed,<measures>: one row per run, written as an experiment goes on. The file is there
 * whole or not at all. */
#ifndef TW_ENGINE_CLI_COMMANDS_COMPARE_CSV_H
#define TW_ENGINE_CLI_COMMANDS_COMPARE_CSV_H

#include "base/os/file.h"
#include "base/os/temporary.h"
#include "study/experiment.h"

struct tw_compare_csv {
    const struct tw_experiment *experiment;
    const char *path; /* "-": standard output */
    bool is_stdout, is_open;
    struct tw_temporary file;
    char *buffer;
    size_t used;
};

enum tw_status tw_compare_csv_open(const struct tw_experiment *experiment, const char *path,
                                   struct tw_compare_csv *csv, struct tw_error *err);
/* `samples` is [variant][measure]. */
enum tw_status tw_compare_csv_add(struct tw_compare_csv *csv, uint64_t seed, const double *samples,
                                  struct tw_error *err);
enum tw_status tw_compare_csv_finish(struct tw_compare_csv *csv, struct tw_error *err);
/* Removes a file that is not finished. Also of {0}, and twice. */
void tw_compare_csv_release(struct tw_compare_csv *csv);

#endif
