/* SPDX-License-Identifier: MIT */
/* strtod() and printf() use the locale's decimal point, which may have several bytes: it is
 * inserted before reading and replaced after printing. */
#include "base/text/number.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 128 };

/* Accepts [+-] digits [. digits] [e [+-] digits], the forms that people write. */
static bool is_decimal(const char *text)
{
    const char *at = text + (*text == '-' || *text == '+');
    int digits = 0;
    for (; isdigit((unsigned char)*at); at++)
        digits++;
    if (*at == '.')
        for (at++; isdigit((unsigned char)*at); at++)
            digits++;
    if (digits == 0)
        return false;
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '-' || *at == '+';
        if (!isdigit((unsigned char)*at))
            return false;
        while (isdigit((unsigned char)*at))
            at++;
    }
    return *at == 0;
}

/* Replaces the first `from` of a text by `to`; the buffer has space for the difference. */
static void replace_point(char *text, const char *from, const char *to)
{
    size_t old = strlen(from), new = strlen(to);
    char *at = strstr(text, from);
    if (!at || old == 0)
        return;
    memmove(at + new, at + old, strlen(at + old) + 1);
    memcpy(at, to, new);
}

bool tw_number_parse(const char *text, double *number)
{
    const char *point = localeconv()->decimal_point;
    char local[NUMBER_BYTES + 16];
    size_t length = strlen(text);
    if (length + 1 >= NUMBER_BYTES || strlen(point) > 16 || !is_decimal(text))
        return false;
    memcpy(local, text, length + 1);
    replace_point(local, ".", point);
    double value = strtod(local, NULL);
    if (!isfinite(value))
        return false;
    *number = value;
    return true;
}

bool tw_number_parse_whole(const char *text, uint64_t *number)
{
    if (!isdigit((unsigned char)text[0]) || strspn(text, "0123456789") != strlen(text))
        return false;
    errno = 0;
    unsigned long long value = strtoull(text, NULL, 10);
    if (errno != 0)
        return false;
    *number = value;
    return true;
}

static int finish(char *text, size_t size, char *trial)
{
    replace_point(trial, localeconv()->decimal_point, ".");
    return snprintf(text, size, "%s", trial);
}

int tw_number_print_float(char *text, size_t size, float number)
{
    char trial[48];
    int digits = 5;
    do
        snprintf(trial, sizeof trial, "%.*g", ++digits, (double)number);
    while (digits < 9 && strtof(trial, NULL) != number);
    return finish(text, size, trial);
}

int tw_number_print(char *text, size_t size, double number)
{
    char trial[48];
    int digits = 8;
    do
        snprintf(trial, sizeof trial, "%.*g", ++digits, number);
    while (digits < 17 && strtod(trial, NULL) != number);
    return finish(text, size, trial);
}

int tw_number_print_digits(char *text, size_t size, int digits, double number)
{
    char trial[48];
    snprintf(trial, sizeof trial, "%.*g", digits, number);
    return finish(text, size, trial);
}

int tw_number_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
