/* SPDX-License-Identifier: MIT */
#include "common/drainage_basins.h"

#include <thalweg/kernel.h>

enum { POLL = 256 }; /* basins joined between polls for cancellation */

/* keys, start, level, entry, place, queued and exit of a basin */
enum { BASIN_BYTES = 8 + 4 + 4 + 4 + 4 + 4 + 1 };
/* Cells for each basin that there is memory for, on natural land. */
enum { CELLS_PER_BASIN = 16 };

/* Each block is at least twice as large as the last: a task can have only a few blocks, and land
 * may get more basins with every step. */
static enum tw_status reserve(struct tw_task *task, struct tw_drainage *d, int32_t basins)
{
    if (basins <= d->capacity)
        return TW_OK;
    size_t capacity = 2 * (size_t)basins;
    capacity = capacity > (size_t)d->cells ? (size_t)d->cells : capacity;
    d->keys = tw_task_scratch(task, capacity + 1, BASIN_BYTES);
    if (!d->keys)
        return tw_task_no_memory(task);
    d->start = (int32_t *)(d->keys + capacity);
    d->level = (float *)(d->start + capacity + 1);
    d->entry = (int32_t *)(d->level + capacity);
    d->place = d->entry + capacity;
    d->queued = d->place + capacity;
    d->exit = (uint8_t *)(d->queued + capacity);
    d->capacity = (int32_t)capacity;
    return TW_OK;
}

static void label_range(const struct tw_drainage *d, int32_t basin, int32_t end)
{
    d->start[basin + 1] = end;
    for (int32_t i = d->start[basin]; i < end; i++)
        d->label[d->order[i]] = basin;
}

static bool is_pit(const struct tw_drainage *d, int32_t x, int32_t y)
{
    int32_t cell = y * d->width + x;
    return d->to[cell] == TW_OUTLET &&
           !(d->outlet ? d->outlet[cell] : tw_drainage_on_border(d, x, y));
}

/* Appends the basins of all pits and labels every cell. */
static void label_basins(struct tw_drainage *d, int32_t length)
{
    d->start[0] = 0;
    d->basins = 1;
    label_range(d, 0, length);
    for (int32_t y = 0; y < d->height; y++)
        for (int32_t x = 0; x < d->width; x++)
            if (is_pit(d, x, y)) {
                length = tw_drainage_append_tree(d, length, y * d->width + x);
                label_range(d, d->basins++, length);
            }
}

static void put(struct tw_drainage *d, int32_t at, uint64_t key, int32_t basin)
{
    d->keys[at] = key;
    d->queued[at] = basin;
    d->place[basin] = at;
}

static void sift_up(struct tw_drainage *d, int32_t at, uint64_t key, int32_t basin)
{
    for (; at > 0 && d->keys[(at - 1) / 2] > key; at = (at - 1) / 2)
        put(d, at, d->keys[(at - 1) / 2], d->queued[(at - 1) / 2]);
    put(d, at, key, basin);
}

static int32_t pop(struct tw_drainage *d, uint64_t *key)
{
    int32_t basin = d->queued[0], at = 0, last = --d->length;
    uint64_t moved = d->keys[last];
    *key = d->keys[0];
    for (int32_t child = 1; child < last; child = 2 * at + 1) {
        child += child + 1 < last && d->keys[child + 1] < d->keys[child];
        if (d->keys[child] > moved)
            break;
        put(d, at, d->keys[child], d->queued[child]);
        at = child;
    }
    put(d, at, moved, d->queued[last]);
    d->place[basin] = -2;
    return basin;
}

/* The pass from `cell`, whose basin is joined, to its neighbour in direction k. */
static void offer_pass(struct tw_drainage *d, const float *heights, int32_t cell, int32_t inside,
                       int k)
{
    int32_t basin = d->label[inside], at = d->place[basin];
    if (at == -2)
        return;
    float higher = heights[inside] > heights[cell] ? heights[inside] : heights[cell];
    uint64_t height = tw_float_key(higher + 0.0f); /* -0 becomes 0 */
    if (at == -1)
        at = d->length++;
    else if (height >= d->keys[at] >> 32)
        return;
    d->entry[basin] = inside;
    d->exit[basin] = (uint8_t)(7 - k);
    sift_up(d, at, height << 32 | d->finds++, basin);
}

static void offer_passes(struct tw_drainage *d, const float *heights, int32_t basin)
{
    const int32_t *label = d->label;
    for (int32_t i = d->start[basin]; i < d->start[basin + 1]; i++) {
        int32_t cell = d->order[i];
        bool rim = d->rim && d->rim[cell];
        for (int k = 0; k < 8; k++) {
            int32_t next = rim ? tw_drainage_rim_neighbour(d, cell, k) : cell + d->step[k];
            if ((next >= 0 || !rim) && label[next] != basin)
                offer_pass(d, heights, cell, next, k);
        }
    }
}

static void turn(struct tw_drainage *d, int32_t cell, uint8_t way)
{
    d->to[cell] = way;
    d->from[tw_drainage_neighbour(d, cell, way)] |= (uint8_t)(1u << (7 - way));
}

/* Reverses the course from the pass to the pit, so that the pit drains over the pass. */
static void reverse_course(struct tw_drainage *d, int32_t basin)
{
    int32_t cell = d->entry[basin];
    uint8_t way = d->exit[basin], old = d->to[cell];
    turn(d, cell, way);
    while (old != TW_OUTLET) {
        int32_t next = tw_drainage_neighbour(d, cell, old);
        d->from[next] &= (uint8_t) ~(1u << (7 - old));
        way = (uint8_t)(7 - old);
        cell = next;
        old = d->to[cell];
        turn(d, cell, way);
    }
}

/* Always over the lowest open pass. */
static enum tw_status join_all(struct tw_task *task, struct tw_drainage *d, const float *heights)
{
    for (int32_t b = 1; b < d->basins; b++)
        d->place[b] = -1;
    d->place[0] = -2;
    d->length = 0;
    d->finds = 0;
    offer_passes(d, heights, 0);
    for (int32_t joined = 1; d->length; joined++) {
        if (joined % POLL == 0 && tw_task_cancelled(task))
            return TW_CANCELLED;
        uint64_t key;
        int32_t basin = pop(d, &key);
        int32_t other = d->label[tw_drainage_neighbour(d, d->entry[basin], d->exit[basin])];
        float pass = tw_key_float((uint32_t)(key >> 32));
        d->level[basin] = other && d->level[other] > pass ? d->level[other] : pass;
        reverse_course(d, basin);
        offer_passes(d, heights, basin);
    }
    return TW_OK;
}

enum tw_status tw_drainage_join_basins(struct tw_task *task, struct tw_drainage *d,
                                       const float *heights, int32_t length)
{
    int32_t pits = 0;
    for (int32_t y = 0; y < d->height; y++)
        for (int32_t x = 0; x < d->width; x++)
            pits += is_pit(d, x, y);
    enum tw_status status = reserve(task, d, pits + 1);
    if (status != TW_OK)
        return status;
    label_basins(d, length);
    return join_all(task, d, heights);
}

void tw_drainage_basins_forecast(struct tw_forecast *f)
{
    uint64_t cells = (uint64_t)f->width * (uint64_t)f->height;
    tw_forecast_scratch(f, cells / CELLS_PER_BASIN + 1, BASIN_BYTES);
}
