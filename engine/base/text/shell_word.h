/* SPDX-License-Identifier: MIT */
/* Quotes a word for a POSIX shell, in single quotes unless it has only letters, digits and harmless
 * characters. */
#ifndef TW_ENGINE_BASE_TEXT_SHELL_WORD_H
#define TW_ENGINE_BASE_TEXT_SHELL_WORD_H

#include <stdio.h>

void tw_shell_word_write(FILE *out, const char *word);

#endif
