/* SPDX-License-Identifier: MIT */
/* Decimal numbers, read and written with a point whatever the locale; the order of numbers. */
#ifndef TW_ENGINE_BASE_TEXT_NUMBER_H
#define TW_ENGINE_BASE_TEXT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A finite decimal number and nothing else: no hex, no inf, no blanks. */
bool tw_number_parse(const char *text, double *number);
/* A non-negative whole number below 2^64: digits and nothing else. */
bool tw_number_parse_whole(const char *text, uint64_t *number);

/* The shortest decimal that reads back as the same number: 0.1, not 0.100000001. Returns the
 * length as snprintf() does; 32 bytes hold any. */
int tw_number_print_float(char *text, size_t size, float number);
int tw_number_print(char *text, size_t size, double number);
/* As "%.*g" in the C locale, with 1 to 17 digits. */
int tw_number_print_digits(char *text, size_t size, int digits, double number);

/* For qsort() of doubles, the least first. */
int tw_number_compare(const void *a, const void *b);

#endif
