/* SPDX-License-Identifier: MIT */
/* How far an experiment is, on standard error: one line that is replaced on a terminal, elsewhere a
 * line per tenth. */
#ifndef TW_ENGINE_CONSOLE_COMPARE_PROGRESS_H
#define TW_ENGINE_CONSOLE_COMPARE_PROGRESS_H

#include "study/experiment_run.h"

#include <stdio.h>

/* Starts as {0}. */
struct tw_compare_line {
    char text[96]; /* on the terminal; "": none */
    int32_t tenth;
};

void tw_compare_line_show(struct tw_compare_line *line, const struct tw_compare_progress *progress);
/* Shows a text when `share` of the work is done; elsewhere than on a terminal only when that is a
 * further tenth. */
void tw_compare_line_put(struct tw_compare_line *line, double share, const char *text);
/* ", about 3 min left"; "" when `seconds` is below 0. */
void tw_compare_words_left(double seconds, char words[40]);
/* Before anything else is printed. */
void tw_compare_line_clear(struct tw_compare_line *line);

/* Prints the command that runs a variant with a seed by itself; `cells` is "" or as --size takes
 * it. */
void tw_compare_command(FILE *out, const struct tw_variant *variant, uint64_t seed,
                        const char *cells);

#endif
