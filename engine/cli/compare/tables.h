/* SPDX-License-Identifier: MIT */
/* The files of samples that the command line asks for. */
#ifndef TW_ENGINE_CLI_COMPARE_TABLES_H
#define TW_ENGINE_CLI_COMPARE_TABLES_H

#include "cli/compare/csv.h"
#include "console/settings.h"

struct tw_compare_tables {
    struct tw_compare_csv at[3]; /* by form */
    bool is_open[3];
};

/* The first option that asks for samples; NULL: none does. */
const char *tw_compare_tables_option(const struct tw_settings *settings);
bool tw_compare_tables_on_stdout(const struct tw_settings *settings);

/* `tables` starts as {0}; release it even after a failure. */
enum tw_status tw_compare_tables_open(struct tw_compare_tables *tables,
                                      const struct tw_settings *settings,
                                      const struct tw_experiment *experiment,
                                      const struct tw_compare_rounds *rounds, struct tw_error *err);
enum tw_status tw_compare_tables_add(struct tw_compare_tables *tables, uint64_t seed,
                                     const double *samples, struct tw_error *err);
enum tw_status tw_compare_tables_finish(struct tw_compare_tables *tables, struct tw_error *err);
void tw_compare_tables_release(struct tw_compare_tables *tables);

#endif
