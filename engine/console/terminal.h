/* SPDX-License-Identifier: MIT */
#ifndef TW_ENGINE_CONSOLE_TERMINAL_H
#define TW_ENGINE_CONSOLE_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Returns true if the stream is a terminal with colours and NO_COLOR is not set. */
bool tw_terminal_has_colours(FILE *stream);
/* Returns true if standard error is a terminal on which a line of progress can be rewritten. */
bool tw_terminal_shows_progress(void);

#endif
