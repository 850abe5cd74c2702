/* SPDX-License-Identifier: MIT */
/* A word as a POSIX shell reads it back: within single quotes where it is more than letters, digits
 * and what is as harmless. */
#ifndef TW_ENGINE_BASE_TEXT_SHELL_WORD_H
#define TW_ENGINE_BASE_TEXT_SHELL_WORD_H

#include <stdio.h>

void tw_shell_word_write(FILE *out, const char *word);

#endif
