/* SPDX-License-Identifier: MIT */
/* Pieces of self-contained HTML pages. */
#ifndef TW_ENGINE_CLI_PAGE_H
#define TW_ENGINE_CLI_PAGE_H

#include "base/bytes.h"

#include <stdio.h>

/* Text, sanitised and escaped. */
void tw_page_text(FILE *out, const char *text);
/* <img> with a PNG inside. */
void tw_page_picture(FILE *out, const char *alt, const struct tw_bytes *png);

#endif
