/* SPDX-License-Identifier: MIT */
#include "noise/kernels/lattice_word.h"

/* Moves lattice point (i, j), at most a few maps away, to the one of all its names whose random
 * numbers are drawn: between (0, 0), (wrap_x, climb) and (slip, wrap_y). Returns how many of
 * `count` points to the right, with it, move alike. */
static int32_t find_point(const struct tw_lattice *o, int64_t *i, int64_t *j, int32_t count)
{
    int64_t points = (int64_t)o->wrap_x * o->wrap_y - o->climb * o->slip;
    for (int64_t p = 1, q = 1; p || q;) {
        int64_t across = *i * o->wrap_y - *j * o->slip, down = *j * o->wrap_x - *i * o->climb;
        p = (across >= points) - (across < 0);
        q = (down >= points) - (down < 0);
        *i -= p * o->wrap_x + q * o->slip;
        *j -= p * o->climb + q * o->wrap_y;
    }
    int64_t right = points - (*i * o->wrap_y - *j * o->slip), run = count;
    int64_t down = *j * o->wrap_x - *i * o->climb, rows = o->climb > 0 ? down + 1 : points - down;
    if ((run - 1) * o->wrap_y >= right)
        run = (right + o->wrap_y - 1) / o->wrap_y;
    return (int32_t)(run < rows ? run : rows);
}

uint32_t tw_lattice_word(const struct tw_lattice *lattice, int64_t i, int64_t j, int32_t *run)
{
    *run = find_point(lattice, &i, &j, *run);
    return (uint32_t)i * TW_LATTICE_ACROSS + (uint32_t)j * TW_LATTICE_DOWN + lattice->key[0];
}
