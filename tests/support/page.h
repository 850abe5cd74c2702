/* SPDX-License-Identifier: MIT */
/* Reads pages of experiments. */
#ifndef TW_TESTS_SUPPORT_PAGE_H
#define TW_TESTS_SUPPORT_PAGE_H

#include <stddef.h>

/* Reads a page into `size` bytes, without the data of its pictures, which a library encodes and
 * which may contain any word. Fails the test if there is no page, or it does not fit. */
void page_read(const char *file, char *page, size_t size);

#endif
