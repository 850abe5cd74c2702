/* SPDX-License-Identifier: MIT */
/* The page of `thalweg serve`, embedded by CMake from engine/serve/page/: page.html, page.css, and
 * the scripts that order.txt lists as one, each as pack.cmake leaves it. It contains no results:
 * its script fetches them. */
#ifndef TW_ENGINE_SERVE_PAGE_PARTS_H
#define TW_ENGINE_SERVE_PAGE_PARTS_H

#include <stddef.h>

extern const unsigned char tw_page_serve[], tw_page_serve_style[], tw_page_serve_script[];
extern const size_t tw_page_serve_length, tw_page_serve_style_length, tw_page_serve_script_length;

#endif
