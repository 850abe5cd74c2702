/* SPDX-License-Identifier: MIT */
#include "shape/kernels/least_breach.h"

#include <math.h>
#include <string.h>

enum { PIT = 8, UNKNOWN = 9, POLL = 1 << 14 }; /* of `from`, beside directions 0 to 7 */

bool tw_breach_lay_out(struct tw_scratch *s, struct tw_breach *b)
{
    b->width = tw_scratch_width(s);
    b->height = tw_scratch_height(s);
    b->length = tw_scratch_maps(s, 1, sizeof *b->length);
    b->pits = tw_scratch_maps(s, 1, sizeof *b->pits);
    b->touched = tw_scratch_maps(s, 1, sizeof *b->touched);
    b->from = tw_scratch_maps(s, 1, sizeof *b->from);
    return tw_cost_heap_lay_out(s, b->width * b->height, &b->heap);
}

/* The neighbour in direction k, NW N NE W E SW S SE; -1 for none. */
static int32_t neighbour(const struct tw_breach *b, int32_t cell, int k)
{
    int32_t at = k < 4 ? k : k + 1, w = b->width, h = b->height;
    int32_t x = cell % w + at % 3 - 1, y = cell / w + at / 3 - 1;
    if (b->wrap)
        return (y + h) % h * w + (x + w) % w;
    return x < 0 || y < 0 || x >= w || y >= h ? -1 : y * w + x;
}

static double step_length(int k)
{
    return k == 1 || k == 3 || k == 4 || k == 6 ? 1 : 1.4142135623730951;
}

/* ---- pits ---- */

/* Gathers the cells of one height about a cell as touched; returns whether they are a pit. */
static bool gather(struct tw_breach *b, int32_t cell)
{
    bool pit = true;
    b->reached = 0;
    b->touched[b->reached++] = cell;
    b->from[cell] = PIT;
    for (int32_t i = 0; i < b->reached; i++) {
        int32_t here = b->touched[i];
        pit = pit && !b->outlet[here];
        for (int k = 0; k < 8; k++) {
            int32_t next = neighbour(b, here, k);
            if (next < 0)
                continue;
            pit = pit && b->z[next] >= b->z[here];
            if (b->z[next] == b->z[here] && b->from[next] == UNKNOWN) {
                b->from[next] = PIT;
                b->touched[b->reached++] = next;
            }
        }
    }
    return pit;
}

static void forget(struct tw_breach *b)
{
    for (int32_t i = 0; i < b->reached; i++) {
        b->from[b->touched[i]] = UNKNOWN;
        b->heap.cost[b->touched[i]] = (double)INFINITY;
        b->heap.place[b->touched[i]] = -1;
    }
    b->heap.count = 0;
}

static bool has_lower(const struct tw_breach *b, int32_t cell)
{
    for (int k = 0; k < 8; k++) {
        int32_t next = neighbour(b, cell, k);
        if (next >= 0 && b->z[next] < b->z[cell])
            return true;
    }
    return false;
}

/* Lists pits, the lowest first; returns their number, or -1 when the task is cancelled. */
static int32_t list_pits(struct tw_task *task, struct tw_breach *b)
{
    int32_t cells = b->width * b->height, count = 0;
    memset(b->from, UNKNOWN, (size_t)cells);
    for (int32_t i = 0; i < cells; i++) {
        if (i % POLL == 0 && tw_task_cancelled(task))
            return -1;
        if (b->from[i] == UNKNOWN && !b->outlet[i] && !has_lower(b, i) && gather(b, i))
            tw_cost_heap_lower(&b->heap, i, (double)b->z[i]);
    }
    for (int32_t pit; (pit = tw_cost_heap_pop(&b->heap)) >= 0;) {
        b->heap.cost[pit] = (double)INFINITY;
        b->pits[count++] = pit;
    }
    memset(b->from, UNKNOWN, (size_t)cells);
    return count;
}

/* ---- channels ---- */

/* The bed of a channel from a pit so long. */
static double bed_at(const struct tw_breach *b, int32_t pit, double length)
{
    return (double)b->z[pit] - b->rise * length;
}

static void offer(struct tw_breach *b, int32_t pit, int32_t cell, int k)
{
    int32_t next = neighbour(b, cell, k);
    if (next < 0)
        return;
    double step = step_length(k), length = b->length[cell] + step;
    double depth = (double)b->z[next] - bed_at(b, pit, length);
    depth = depth > 0 ? depth : 0;
    double cost = b->heap.cost[cell] + step * (depth + b->rise);
    if (length > b->most_length || depth > b->most_depth || cost >= b->heap.cost[next])
        return;
    if (b->from[next] == UNKNOWN)
        b->touched[b->reached++] = next;
    b->from[next] = (uint8_t)(7 - k);
    b->length[next] = length;
    tw_cost_heap_lower(&b->heap, next, cost);
}

/* Returns the cell to which the cheapest channel from the gathered pit leads; -1 for none, -2 when
 * the task is cancelled. */
static int32_t search(struct tw_task *task, struct tw_breach *b, int32_t pit)
{
    for (int32_t i = 0; i < b->reached; i++) {
        b->length[b->touched[i]] = 0;
        tw_cost_heap_lower(&b->heap, b->touched[i], 0);
    }
    int32_t cell;
    for (int32_t count = 0; (cell = tw_cost_heap_pop(&b->heap)) >= 0; count++) {
        if (count % POLL == POLL - 1 && tw_task_cancelled(task))
            return -2;
        double bed = bed_at(b, pit, b->length[cell]);
        if (b->from[cell] != PIT && (b->outlet[cell] || (double)b->z[cell] <= bed))
            return cell;
        for (int k = 0; k < 8; k++)
            offer(b, pit, cell, k);
    }
    return -1;
}

static void carve(struct tw_breach *b, int32_t pit, int32_t end)
{
    const double length = b->length[end];
    b->longest = length > b->longest ? length : b->longest;
    for (int32_t cell = end; b->from[cell] != PIT; cell = neighbour(b, cell, b->from[cell])) {
        float bed = (float)bed_at(b, pit, b->length[cell]);
        b->z[cell] = b->z[cell] < bed ? b->z[cell] : bed;
    }
    b->breached++;
}

enum tw_status tw_breach_pits(struct tw_task *task, struct tw_breach *b)
{
    b->breached = b->left = 0;
    b->longest = 0;
    tw_cost_heap_clear(&b->heap);
    int32_t count = list_pits(task, b);
    for (int32_t i = 0; i < count; i++) {
        int32_t end = -1;
        bool pit = gather(b, b->pits[i]);
        if (pit)
            end = search(task, b, b->pits[i]);
        if (end == -2 || (i % 64 == 0 && tw_task_cancelled(task)))
            return TW_CANCELLED;
        if (end >= 0)
            carve(b, b->pits[i], end);
        b->left += pit && end < 0;
        forget(b);
        if (i % 64 == 0)
            tw_task_progress(task, (double)i / count);
    }
    return count < 0 ? TW_CANCELLED : TW_OK;
}
