/* SPDX-License-Identifier: MIT */
#include "common/drainage_basins.h"
#include "common/drainage_passes.h"

#include <thalweg/kernel.h>

#include <string.h>

enum { POLL = 256 }; /* basins joined between polls for cancellation */

/* keys, start, level, entry, place, queued and exit of a basin */
enum { BASIN_BYTES = 8 + 4 + 4 + 4 + 4 + 4 + 1 };
/* Cells for each basin that there is memory for, on natural land. */
enum { CELLS_PER_BASIN = 16 };

/* Each block is at least twice as large as the last: a task can have only a few blocks, and land
 * may get more basins with every step. */
enum tw_status tw_drainage_reserve(struct tw_task *task, struct tw_drainage *d, int32_t basins)
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

int32_t tw_drainage_next_pit(const struct tw_drainage *d, int32_t cell)
{
    for (; cell < d->cells; cell++) {
        const uint8_t *found = memchr(d->to + cell, TW_OUTLET, (size_t)(d->cells - cell));
        if (!found)
            return -1;
        cell = (int32_t)(found - d->to);
        if (!(d->outlet ? d->outlet[cell]
                        : tw_drainage_on_border(d, cell % d->width, cell / d->width)))
            return cell;
    }
    return -1;
}

/* Appends the basins of all pits and labels every cell. */
static void label_basins(struct tw_drainage *d, int32_t length)
{
    d->start[0] = 0;
    d->start[1] = length;
    d->basins = 1;
    memset(d->label, 0, (size_t)d->cells * sizeof *d->label);
    for (int32_t pit = tw_drainage_next_pit(d, 0); pit >= 0;
         pit = tw_drainage_next_pit(d, pit + 1)) {
        length = tw_drainage_append_tree(d, length, pit);
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

static void offer_pass(struct tw_drainage *d, const struct tw_drainage_pass *pass)
{
    int32_t at = d->place[pass->basin];
    if (at == -2)
        return;
    if (at == -1)
        at = d->length++;
    else if (pass->height >= d->keys[at] >> 32)
        return;
    d->entry[pass->basin] = pass->way >> 3;
    d->exit[pass->basin] = (uint8_t)(7 - (pass->way & 7));
    sift_up(d, at, (uint64_t)pass->height << 32 | d->finds++, pass->basin);
}

/* Of one that is not listed. */
static void offer_cells(struct tw_drainage *d, const float *heights, struct tw_drainage_part part)
{
    for (int32_t i = part.begin; i < part.end; i++) {
        int32_t cell = d->order[i];
        for (unsigned bits = d->edge[cell]; bits; bits &= bits - 1) {
            struct tw_drainage_pass pass = tw_drainage_pass(d, heights, cell, __builtin_ctz(bits));
            offer_pass(d, &pass);
        }
    }
}

/* The passes from a basin that is joined. */
static void offer_passes(struct tw_drainage *d, const float *heights, int32_t basin)
{
    struct tw_drainage_part part;
    for (int32_t at = d->start[basin]; at < d->start[basin + 1]; at = part.end) {
        struct tw_drainage_pass pass;
        const int32_t *entry = d->order + at;
        part = tw_drainage_part(at, d->start[basin + 1]);
        if (*entry >= 0) {
            offer_cells(d, heights, part);
            continue;
        }
        int32_t count = ~*entry++;
        for (int32_t i = 0; i < count; i++, entry += sizeof pass / sizeof *entry) {
            memcpy(&pass, entry, sizeof pass);
            offer_pass(d, &pass);
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
    for (int32_t pit = tw_drainage_next_pit(d, 0); pit >= 0; pit = tw_drainage_next_pit(d, pit + 1))
        pits++;
    enum tw_status status = tw_drainage_reserve(task, d, pits + 1);
    if (status != TW_OK)
        return status;
    label_basins(d, length);
    tw_drainage_list_passes(task, d, heights);
    return join_all(task, d, heights);
}

void tw_drainage_basins_forecast(struct tw_forecast *f)
{
    uint64_t cells = (uint64_t)f->width * (uint64_t)f->height;
    tw_forecast_scratch(f, cells / CELLS_PER_BASIN + 1, BASIN_BYTES);
}
