/* SPDX-License-Identifier: MIT */
/* How far an experiment is, on standard error: one line that is replaced on a terminal, elsewhere a
 * line per tenth. */
#ifndef TW_ENGINE_CLI_COMMANDS_COMPARE_PROGRESS_H
#define TW_ENGINE_CLI_COMMANDS_COMPARE_PROGRESS_H

#include "cluster/follow.h"
#include "study/experiment_run.h"

#include <stdio.h>

/* Starts as {0}. */
struct tw_compare_line {
    char text[96]; /* on the terminal; "": none */
    int32_t tenth;
};

void tw_compare_line_show(struct tw_compare_line *line, const struct tw_compare_progress *progress);
/* Of tasks on a cluster. */
void tw_compare_line_show_tasks(struct tw_compare_line *line,
                                const struct tw_batch_progress *progress);
/* Before anything else is printed. */
void tw_compare_line_clear(struct tw_compare_line *line);

/* Prints the command that runs a variant with a seed by itself; `cells` is "" or as --size takes
 * it. */
void tw_compare_command(FILE *out, const struct tw_variant *variant, uint64_t seed,
                        const char *cells);

#endif
