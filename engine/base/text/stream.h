/* SPDX-License-Identifier: MIT */
/* A stream into memory. */
#ifndef TW_ENGINE_BASE_TEXT_STREAM_H
#define TW_ENGINE_BASE_TEXT_STREAM_H

#include <stddef.h>
#include <stdio.h>

/* Opens a stream whose bytes *text and *length hold once it is closed, followed by a zero; free()
 * the text. NULL when out of memory, which leaves both unset. */
FILE *tw_stream_open(char **text, size_t *length);
/* Returns 0 if all that was written is in the text. */
int tw_stream_close(FILE *stream);

#endif
