/* SPDX-License-Identifier: MIT */
/* Pieces of self-contained HTML pages: one look for all, light and dark, for screens and paper. */
#ifndef TW_ENGINE_REPORT_HTML_H
#define TW_ENGINE_REPORT_HTML_H

#include "base/memory/bytes.h"

#include <stdio.h>

/* page.css, page.js and judge.js, written by CMake. */
extern const unsigned char tw_page_style[], tw_page_script[], tw_page_judge[];
extern const size_t tw_page_style_length, tw_page_script_length, tw_page_judge_length;

/* Everything up to <body>, the style included. */
void tw_html_begin(FILE *out, const char *title);
/* Everything up to <body> of a page that a server of ours sends with tw_html_served_policy() in its
 * head; `style` is added to the one of all pages. */
void tw_html_begin_served(FILE *out, const char *title, const unsigned char *style, size_t length);
/* The value of Content-Security-Policy for a page with this script: it fetches from its own server,
 * and from nowhere else. */
void tw_html_served_policy(FILE *out, const unsigned char *script, size_t length);
/* <script> with one that the page's policy names: it lets no other run. */
void tw_html_run(FILE *out, const unsigned char *script, size_t length);
/* The script, which a page does without where there is none, and the end. */
void tw_html_end(FILE *out);
/* Text, sanitised and escaped. */
void tw_html_text(FILE *out, const char *text);
/* <img> with a PNG inside; `attributes` are further ones, as " data-seed=\"1\"". */
void tw_html_picture(FILE *out, const char *alt, const char *attributes,
                     const struct tw_bytes *png);

#endif
