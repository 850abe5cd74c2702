/* SPDX-License-Identifier: MIT */
/* Regions grow from a queue of their cells, which the mask marks with 2. */
#include "water/kernels/sea_search.h"

#include <thalweg/kernel.h>

/* Returns the cell at x, y; -1 beyond a border. */
static int32_t cell_at(const struct tw_sea_search *s, int32_t x, int32_t y)
{
    if (s->wrap)
        return tw_wrap(y, s->height) * s->width + tw_wrap(x, s->width);
    bool inside = x >= 0 && x < s->width && y >= 0 && y < s->height;
    return inside ? y * s->width + x : -1;
}

/* Appends a cell that is searched for and was not reached yet, and marks it with 2. */
static int32_t reach(const struct tw_sea_search *s, int32_t cell, int32_t count)
{
    if (cell < 0 || s->mask[cell] != (s->land ? 0.0f : 1.0f))
        return count;
    s->mask[cell] = 2;
    s->queue[count] = cell;
    return count + 1;
}

/* Follows water, or land, from the first `count` cells of the queue on; the cells of the queue
 * then. */
static int32_t spread(const struct tw_sea_search *s, int32_t count)
{
    for (int32_t at = 0; at < count; at++) {
        int32_t x = s->queue[at] % s->width, y = s->queue[at] / s->width;
        for (int32_t i = s->land; i < 9; i += 1 + s->land) /* of land every other: the sides */
            count = reach(s, cell_at(s, x + i % 3 - 1, y + i / 3 - 1), count);
    }
    return count;
}

static void mark(const struct tw_sea_search *s, const int32_t *cells, int32_t count, float value)
{
    for (int32_t i = 0; i < count; i++)
        s->mask[cells[i]] = value;
}

/* Keeps only the sea that is reached from the border. */
void tw_sea_keep_border(const struct tw_sea_search *s)
{
    int32_t count = 0;
    for (int32_t x = 0; x < s->width; x++) {
        count = reach(s, x, count);
        count = reach(s, cell_at(s, x, s->height - 1), count);
    }
    for (int32_t y = 0; y < s->height; y++) {
        count = reach(s, cell_at(s, 0, y), count);
        count = reach(s, cell_at(s, s->width - 1, y), count);
    }
    spread(s, count);
}

/* Keeps only the largest sea, on ties the first in reading order. Seas follow each other in the
 * queue. */
void tw_sea_keep_largest(const struct tw_sea_search *s)
{
    int32_t cells = s->width * s->height, best = 0, best_first = 0, used = 0;
    for (int32_t cell = 0; cell < cells; cell++) {
        if (s->mask[cell] != 1)
            continue;
        struct tw_sea_search rest = *s;
        rest.queue += used;
        int32_t count = spread(&rest, reach(&rest, cell, 0));
        best_first = count > best ? used : best_first;
        best = count > best ? count : best;
        used += count;
    }
    mark(s, s->queue, used, 0);
    mark(s, s->queue + best_first, best, 2);
}

/* Turns the marks into 0 and 1; returns the number of ones. */
int64_t tw_sea_settle(const struct tw_sea_search *s, bool only_reached)
{
    int64_t count = 0;
    size_t cells = (size_t)s->width * (size_t)s->height;
    for (size_t i = 0; i < cells; i++) {
        s->mask[i] = s->mask[i] > (only_reached ? 1.0f : 0.0f) ? 1.0f : 0.0f;
        count += s->mask[i] > 0;
    }
    return count;
}

/* Regions of land; the mask is as before. */
int32_t tw_sea_islands(const struct tw_sea_search *sea)
{
    struct tw_sea_search s = *sea;
    int32_t cells = s.width * s.height, islands = 0;
    s.land = true;
    for (int32_t cell = 0; cell < cells; cell++)
        if (s.mask[cell] == 0) {
            spread(&s, reach(&s, cell, 0));
            islands++;
        }
    for (int32_t cell = 0; cell < cells; cell++)
        s.mask[cell] = s.mask[cell] == 1 ? 1 : 0;
    return islands;
}
