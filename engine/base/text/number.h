/* SPDX-License-Identifier: MIT */
/* Reads and writes decimal numbers with a point in every locale; compares numbers. */
#ifndef TW_ENGINE_BASE_TEXT_NUMBER_H
#define TW_ENGINE_BASE_TEXT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parses a finite decimal number: no hex, no inf, no blanks. */
bool tw_number_parse(const char *text, double *number);
/* Parses a non-negative whole number below 2^64: digits only. */
bool tw_number_parse_whole(const char *text, uint64_t *number);

/* Prints the shortest decimal that reads back as the same float: 0.1, not 0.100000001. Returns the
 * length as snprintf() does; 32 bytes hold any. */
int tw_number_print_float(char *text, size_t size, float number);
int tw_number_print(char *text, size_t size, double number);
/* Prints "%.*g" as the C locale does, with 1 to 17 digits. */
int tw_number_print_digits(char *text, size_t size, int digits, double number);

/* For qsort() of doubles in ascending order. */
int tw_number_compare(const void *a, const void *b);

#endif
