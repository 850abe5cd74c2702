/* SPDX-License-Identifier: MIT */
/* Writes the samples of an experiment while it runs: a row per run, or one per run and measure, as
 * CSV or JSON lines. The file appears only when it is complete. */
#ifndef TW_ENGINE_CLI_COMPARE_CSV_H
#define TW_ENGINE_CLI_COMPARE_CSV_H

#include "base/os/file.h"
#include "base/os/temporary.h"
#include "cli/compare/columns.h"

enum tw_compare_form { TW_CSV_WIDE, TW_CSV_LONG, TW_JSON_LINES };

struct tw_compare_csv {
    const struct tw_experiment *experiment;
    enum tw_compare_form form;
    struct tw_compare_columns columns;
    const char *path; /* "-" for standard output */
    bool is_stdout, is_open;
    struct tw_temporary file;
    char *buffer;
    size_t used;
};

/* `rounds` are those of the first seed. */
enum tw_status tw_compare_csv_open(const struct tw_experiment *experiment,
                                   const struct tw_compare_rounds *rounds,
                                   enum tw_compare_form form, const char *path,
                                   struct tw_compare_csv *csv, struct tw_error *err);
/* Adds the rows of a seed; `samples` is [variant][measure]. */
enum tw_status tw_compare_csv_add(struct tw_compare_csv *csv, uint64_t seed, const double *samples,
                                  struct tw_error *err);
enum tw_status tw_compare_csv_finish(struct tw_compare_csv *csv, struct tw_error *err);
/* Removes an unfinished file. Accepts {0}, and a second call does nothing. */
void tw_compare_csv_release(struct tw_compare_csv *csv);

#endif
