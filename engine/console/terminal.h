/* SPDX-License-Identifier: MIT */
#ifndef TW_ENGINE_CONSOLE_TERMINAL_H
#define TW_ENGINE_CONSOLE_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Whether the stream is a terminal that shows colours, and NO_COLOR is not set. */
bool tw_terminal_has_colours(FILE *stream);
/* Whether standard error is a terminal that a person sees, where a line of progress may be
 * rewritten. */
bool tw_terminal_shows_progress(void);

#endif
