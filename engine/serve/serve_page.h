/* SPDX-License-Identifier: MIT */
/* The page of `thalweg serve`. It holds nothing of a run: its script asks the server for that. */
#ifndef TW_ENGINE_SERVE_SERVE_PAGE_H
#define TW_ENGINE_SERVE_SERVE_PAGE_H

#include <stdio.h>

/* serve.js and serve.css, written by CMake. */
extern const unsigned char tw_page_serve[], tw_page_serve_style[];
extern const size_t tw_page_serve_length, tw_page_serve_style_length;

/* `recipe` is the name of its file. */
void tw_serve_page(FILE *out, const char *recipe);
/* The value of Content-Security-Policy that the page is sent with. */
void tw_serve_policy(FILE *out);

#endif
