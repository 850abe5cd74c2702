/* SPDX-License-Identifier: MIT */
/* The page of `thalweg serve`. It contains no results: its script fetches them from the server. */
#ifndef TW_ENGINE_SERVE_SERVE_PAGE_H
#define TW_ENGINE_SERVE_SERVE_PAGE_H

#include <stdio.h>

/* serve.js and serve.css, embedded by CMake. */
extern const unsigned char tw_page_serve[], tw_page_serve_style[];
extern const size_t tw_page_serve_length, tw_page_serve_style_length;

/* Prints the page; `recipe` is the name of its file. */
void tw_serve_page(FILE *out, const char *recipe);
/* Prints the value of the page's Content-Security-Policy header. */
void tw_serve_policy(FILE *out);

#endif
