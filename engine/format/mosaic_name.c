/* SPDX-License-Identifier: MIT */
/* The place of a tile as its name says it. */
#include "format/mosaic.h"

#include <ctype.h>
#include <string.h>

enum { DIGITS_MAX = 6 };

/* Reads "x12", "Y03" or "12" and returns what follows; NULL for anything else. `letter` is x, y, or
 * 0 for a bare number. */
static const char *read_number(const char *at, char *letter, int32_t *number)
{
    const int first = tolower((unsigned char)*at);
    *letter = 0;
    *number = 0;
    if (first == 'x' || first == 'y') {
        *letter = (char)first;
        at++;
    }
    const size_t digits = strspn(at, "0123456789");
    for (size_t i = 0; i < digits && i < DIGITS_MAX; i++)
        *number = 10 * *number + (at[i] - '0');
    return digits >= 1 && digits <= DIGITS_MAX ? at + digits : NULL;
}

/* Reads two numbers, which are both bare, or one of x and one of y. */
static bool read_pair(const char *at, int32_t *column, int32_t *row, bool *bare, const char **end)
{
    char first = 0, second = 0;
    int32_t a, b;
    at = read_number(at, &first, &a);
    if (at)
        at = read_number(at + strspn(at, "_-"), &second, &b);
    if (!at || (first == second) != (first == 0))
        return false;
    *column = first == 'y' ? b : a;
    *row = first == 'y' ? a : b;
    *bare = first == 0;
    *end = at;
    return (first == 0) == (second == 0);
}

bool tw_mosaic_numbers(const char *name, int32_t *column, int32_t *row)
{
    const char *slash = strrchr(name, '/'), *stem = slash ? slash + 1 : name;
    const char *ending = stem + strlen(stem) - strlen(tw_format_ending(stem)), *end;
    bool bare;
    for (const char *at = ending; at-- > stem;) {
        if (at > stem && isalnum((unsigned char)at[-1]))
            continue; /* in the middle of a word or number */
        if (read_pair(at, column, row, &bare, &end) && end <= ending && (!bare || end == ending) &&
            (!bare || strcspn(at, "_-") < (size_t)(end - at)))
            return true;
    }
    return false;
}
