/* SPDX-License-Identifier: MIT */
/* Writes one row per run, variant,seed,<measures>, while an experiment runs. The file appears only
 * when it is complete. */
#ifndef TW_ENGINE_CLI_COMMANDS_COMPARE_CSV_H
#define TW_ENGINE_CLI_COMMANDS_COMPARE_CSV_H

#include "base/os/file.h"
#include "base/os/temporary.h"
#include "study/experiment.h"

struct tw_compare_csv {
    const struct tw_experiment *experiment;
    const char *path; /* "-" for standard output */
    bool is_stdout, is_open;
    struct tw_temporary file;
    char *buffer;
    size_t used;
};

enum tw_status tw_compare_csv_open(const struct tw_experiment *experiment, const char *path,
                                   struct tw_compare_csv *csv, struct tw_error *err);
/* Adds the rows of a seed; `samples` is [variant][measure]. */
enum tw_status tw_compare_csv_add(struct tw_compare_csv *csv, uint64_t seed, const double *samples,
                                  struct tw_error *err);
enum tw_status tw_compare_csv_finish(struct tw_compare_csv *csv, struct tw_error *err);
/* Removes an unfinished file. Accepts {0}, and a second call does nothing. */
void tw_compare_csv_release(struct tw_compare_csv *csv);

#endif
