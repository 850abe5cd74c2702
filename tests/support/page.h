/* SPDX-License-Identifier: MIT */
/* Pages of experiments, to be read by tests. */
#ifndef TW_TESTS_SUPPORT_PAGE_H
#define TW_TESTS_SUPPORT_PAGE_H

#include <stddef.h>

/* Reads a page into `size` bytes, without those of its pictures: they are a library's, and any word
 * may stand in them. Fails the test when there is no page, or too little room for it. */
void page_read(const char *file, char *page, size_t size);

#endif
