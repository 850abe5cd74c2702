/* SPDX-License-Identifier: MIT */
/* The page of `thalweg serve`. It holds nothing of a run: its script asks the server for that. */
#ifndef TW_ENGINE_REPORT_SERVE_PAGE_H
#define TW_ENGINE_REPORT_SERVE_PAGE_H

#include <stdio.h>

/* `recipe` is the name of its file. */
void tw_serve_page(FILE *out, const char *recipe);

#endif
