/* SPDX-License-Identifier: MIT */
#ifndef TW_ENGINE_CONSOLE_TERMINAL_H
#define TW_ENGINE_CONSOLE_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Returns true if the stream is a terminal with colours and NO_COLOR is not set. */
bool tw_terminal_has_colours(FILE *stream);
/* Returns true if standard error is a terminal on which a line of progress can be rewritten. */
bool tw_terminal_shows_progress(void);
/* Begins the terminal's line anew. */
#define TW_TERMINAL_REWRITE "\r\033[K"
/* Clears a line of progress, if there may be one. */
void tw_terminal_clear_progress(void);

#endif
