/* SPDX-License-Identifier: MIT */
/* Shows an experiment's progress on standard error: on a terminal one line that is rewritten,
 * elsewhere a new line per tenth. */
#ifndef TW_ENGINE_CONSOLE_COMPARE_PROGRESS_H
#define TW_ENGINE_CONSOLE_COMPARE_PROGRESS_H

#include "study/experiment_run.h"

#include <stdio.h>

/* Initialise with {0}. */
struct tw_compare_line {
    char text[96]; /* shown on the terminal; "": nothing */
    int32_t tenth;
};

void tw_compare_line_show(struct tw_compare_line *line, const struct tw_compare_progress *progress);
/* Shows a text when `share` of the work is done; if standard error is not a terminal, prints it
 * only when a further tenth is complete. */
void tw_compare_line_put(struct tw_compare_line *line, double share, const char *text);
/* Formats ", about 3 min left"; "" if `seconds` is negative. */
void tw_compare_words_left(double seconds, char words[40]);
/* Clears the line; call this before printing anything else. */
void tw_compare_line_clear(struct tw_compare_line *line);

/* Prints the command that runs one variant with one seed by itself; `cells` is "" or a value of
 * --size. */
void tw_compare_command(FILE *out, const struct tw_variant *variant, const char *seed,
                        const char *cells);

#endif
