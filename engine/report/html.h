/* SPDX-License-Identifier: MIT */
/* Pieces of self-contained HTML pages: one style for all, light and dark, for screens and paper. */
#ifndef TW_ENGINE_REPORT_HTML_H
#define TW_ENGINE_REPORT_HTML_H

#include "base/memory/bytes.h"

#include <stdio.h>

/* page.css, page.js and judge.js, embedded by CMake. */
extern const unsigned char tw_page_style[], tw_page_script[], tw_page_judge[];
extern const size_t tw_page_style_length, tw_page_script_length, tw_page_judge_length;

/* Writes everything up to <body>, with the style. */
void tw_html_begin(FILE *out, const char *title);
/* Begins a page for a built-in server, which must send tw_html_served_policy() as a header; `style`
 * is added to the style of all pages. */
void tw_html_begin_served(FILE *out, const char *title, const unsigned char *style, size_t length);
/* Writes the value of Content-Security-Policy for a page with this script: the page may fetch from
 * its own server only. */
void tw_html_served_policy(FILE *out, const unsigned char *script, size_t length);
/* Writes <script> with a script that the page's policy names; the policy forbids any other. */
void tw_html_run(FILE *out, const unsigned char *script, size_t length);
/* Writes the page's script, without which it still works, and ends the page. */
void tw_html_end(FILE *out);
/* Writes text, sanitised and escaped. */
void tw_html_text(FILE *out, const char *text);
/* Writes <img> with an embedded PNG; `attributes` adds others, such as " data-seed=\"1\"". */
void tw_html_picture(FILE *out, const char *alt, const char *attributes,
                     const struct tw_bytes *png);

#endif
