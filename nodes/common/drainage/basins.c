/* SPDX-License-Identifier: MIT */
#include "common/drainage/basins.h"
#include "common/drainage/passes.h"

#include <thalweg/kernel.h>

#include <float.h>
#include <string.h>

enum { POLL = 256 };   /* basins joined between polls for cancellation */
enum { BASINS = 256 }; /* whose courses one thread takes at a time */

/* keys, start, level, entry, place, queued and exit of a basin */
enum { BASIN_BYTES = 8 + 4 + 4 + 4 + 4 + 4 + 1 };
/* Natural land has room for one basin in so many cells. */
enum { CELLS_PER_BASIN = 16 };

/* Takes no more than was forecast at first, where that is enough; then at least twice as many as
 * before: a task can have only a few blocks, and land may get more basins with every step. */
static size_t capacity_for(const struct tw_drainage *d, size_t basins)
{
    size_t cells = (size_t)d->cells, natural = cells / CELLS_PER_BASIN + 1;
    if (d->capacity == 0 && 2 * basins > natural)
        return basins > natural ? basins : natural;
    return 2 * basins < cells ? 2 * basins : cells;
}

enum tw_status tw_drainage_reserve(struct tw_task *task, struct tw_drainage *d, int32_t basins)
{
    size_t capacity = capacity_for(d, (size_t)basins);
    if (basins <= d->capacity)
        return TW_OK;
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

/* All groves but the last have so many cells at least. */
static int32_t least_grove(const struct tw_drainage *d)
{
    return (int32_t)((uint64_t)d->cells / tw_drainage_groves_max(d->width, d->height)) + 1;
}

static int32_t append_outlet(struct tw_drainage *d, int32_t length, int32_t cell, int32_t least)
{
    if (d->groves == 0 || length - d->grove[d->groves - 1] >= least)
        d->grove[d->groves++] = length;
    return tw_drainage_append_tree(d, length, cell, 1);
}

int32_t tw_drainage_order_outlets(struct tw_drainage *d)
{
    const int32_t least = least_grove(d);
    int32_t length = 0;
    d->groves = 0;
    for (int32_t cell = 0; d->outlet && cell < d->cells; cell++)
        if (d->outlet[cell])
            length = append_outlet(d, length, cell, least);
    for (int32_t y = 0; !d->outlet && y < d->height; y++)
        for (int32_t x = 0; x < d->width; x++) {
            if (!tw_drainage_on_border(d, x, y))
                x = d->width - 1;
            length = append_outlet(d, length, y * d->width + x, least);
        }
    d->grove[d->groves] = length;
    return length;
}

/* ---- labels ---- */

/* Basins are labelled from both ends: those of the outlets and the first pits forwards from the
 * start of the order, the last pits backwards from its end, until all are taken. Together they fill
 * it, so each basin's place is known without the size of the others. */
struct labelling {
    struct tw_drainage *d;
    const int32_t *pits;
    int32_t count;
    int32_t taken; /* groups of PITS pits taken so far, by both workers */
};

enum { PITS = 16 };

/* Takes the next group of pits, without a lock: which worker takes a basin changes no byte. */
static bool take_pits(struct labelling *l)
{
    return __atomic_fetch_add(&l->taken, 1, __ATOMIC_RELAXED) < (l->count - 1) / PITS + 1;
}

static void label_cells(const struct tw_drainage *d, int32_t basin, int32_t begin, int32_t end)
{
    d->start[basin] = begin;
    for (int32_t i = begin; i < end; i++)
        d->label[d->order[i]] = basin;
}

static void label_forwards(struct labelling *l)
{
    struct tw_drainage *d = l->d;
    int32_t length = tw_drainage_order_outlets(d);
    d->start[0] = 0;
    for (int32_t pit = 0; take_pits(l);)
        for (int32_t last = pit + PITS; pit < last && pit < l->count; pit++) {
            int32_t begin = length;
            length = tw_drainage_append_tree(d, begin, l->pits[pit], 1);
            label_cells(d, pit + 1, begin, length);
        }
}

/* The cells of a basin are turned round, for the order within it matters. */
static void reverse(int32_t *cells, int32_t count)
{
    for (int32_t i = 0, j = count - 1; i < j; i++, j--) {
        int32_t cell = cells[i];
        cells[i] = cells[j];
        cells[j] = cell;
    }
}

static void label_backwards(struct labelling *l)
{
    struct tw_drainage *d = l->d;
    int32_t end = d->cells;
    for (int32_t pit = l->count; take_pits(l);)
        for (int32_t first = (pit - 1) / PITS * PITS; pit > first;) {
            int32_t begin = tw_drainage_append_tree(d, end - 1, l->pits[--pit], -1) + 1;
            reverse(d->order + begin, end - begin);
            label_cells(d, pit + 1, begin, end);
            end = begin;
        }
}

static void label_ends(void *context, int32_t begin, int32_t end)
{
    if (begin == 0)
        label_forwards(context);
    if (end == 2)
        label_backwards(context);
}

static void clear_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_drainage *d = context;
    size_t w = (size_t)d->width, first = (size_t)begin * w;
    memset(d->label + first, 0, ((size_t)end * w - first) * sizeof *d->label);
}

/* Finds the basins of all pits and labels every cell with its own. */
static void label_basins(struct tw_task *task, struct tw_drainage *d, int32_t pits)
{
    struct labelling labelling = {.d = d, .pits = d->queued, .count = pits};
    memcpy(d->queued, d->order, (size_t)pits * sizeof *d->queued);
    d->basins = pits + 1;
    d->start[d->basins] = d->cells;
    tw_rows(task, d->height, 16, clear_rows, d);
    tw_rows(task, 2, 1, label_ends, &labelling);
}

/* ---- the join ---- */

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

static int32_t pop(struct tw_drainage *d)
{
    int32_t basin = d->queued[0], at = 0, last = --d->length;
    uint64_t moved = d->keys[last];
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

/* Joins a basin over the pass; `level` is that of the basin behind it. */
static void take_pass(struct tw_drainage *d, float level, const struct tw_drainage_pass *pass)
{
    float height = tw_key_float(pass->height);
    d->entry[pass->basin] = pass->way >> 3;
    d->exit[pass->basin] = (uint8_t)(7 - (pass->way & 7));
    d->level[pass->basin] = level > height ? level : height;
}

static void offer_pass(struct tw_drainage *d, const float *heights, float level,
                       const struct tw_drainage_pass *pass)
{
    int32_t at = d->place[pass->basin];
    if (at == -2)
        return;
    if (at >= 0 && pass->height >= d->keys[at] >> 32) {
        if (pass->height == d->keys[at] >> 32 &&
            tw_drainage_pass_low(d, heights, pass->way >> 3, 7 - (pass->way & 7)) <
                tw_drainage_pass_low(d, heights, d->entry[pass->basin], d->exit[pass->basin]))
            take_pass(d, level, pass);
        return;
    }
    take_pass(d, level, pass);
    sift_up(d, at == -1 ? d->length++ : at, (uint64_t)pass->height << 32 | d->finds++, pass->basin);
}

/* Of one that is not listed. */
static void offer_cells(struct tw_drainage *d, const float *heights, float level,
                        struct tw_drainage_part part)
{
    for (int32_t i = part.begin; i < part.end; i++) {
        int32_t cell = d->order[i];
        for (unsigned bits = d->edge[cell]; bits; bits &= bits - 1) {
            struct tw_drainage_pass pass = tw_drainage_pass(d, heights, cell, __builtin_ctz(bits));
            offer_pass(d, heights, level, &pass);
        }
    }
}

/* Offers the passes from a basin that has been joined. */
static void offer_passes(struct tw_drainage *d, const float *heights, int32_t basin)
{
    const float level = basin == 0 ? -FLT_MAX : d->level[basin];
    struct tw_drainage_part part;
    for (int32_t at = d->start[basin]; at < d->start[basin + 1]; at = part.end) {
        struct tw_drainage_pass pass;
        const int32_t *entry = d->order + at;
        part = tw_drainage_part(at, d->start[basin + 1]);
        if (*entry >= 0) {
            offer_cells(d, heights, level, part);
            continue;
        }
        int32_t count = ~*entry++;
        for (int32_t i = 0; i < count; i++, entry += sizeof pass / sizeof *entry) {
            memcpy(&pass, entry, sizeof pass);
            offer_pass(d, heights, level, &pass);
        }
    }
}

/* Joins basins, always over the lowest open pass. */
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
        int32_t basin = pop(d);
        __builtin_prefetch(d->order + d->start[d->queued[0]]); /* the next, most likely */
        offer_passes(d, heights, basin);
    }
    return TW_OK;
}

/* ---- courses ---- */

static void turn(struct tw_drainage *d, int32_t cell, uint8_t way)
{
    d->to[cell] = way;
    d->from[tw_drainage_neighbour(d, cell, way)] |= (uint8_t)(1u << (7 - way));
}

/* Reverses the course from the pass to the pit, so that the pit drains over the pass. Touches cells
 * of this basin only: what drains over a pass is not marked yet. */
static void reverse_course(struct tw_drainage *d, int32_t basin)
{
    int32_t cell = d->entry[basin];
    uint8_t old = d->to[cell];
    d->to[cell] = d->exit[basin];
    while (old != TW_OUTLET) {
        int32_t next = tw_drainage_neighbour(d, cell, old);
        d->from[next] &= (uint8_t) ~(1u << (7 - old));
        uint8_t way = (uint8_t)(7 - old);
        cell = next;
        old = d->to[cell];
        turn(d, cell, way);
    }
}

static void reverse_courses(void *context, int32_t begin, int32_t end)
{
    struct tw_drainage *d = context;
    for (int32_t b = begin > 0 ? begin : 1; b < end; b++)
        reverse_course(d, b);
}

/* Several passes may lead to one cell. */
static void mark_passes(void *context, int32_t begin, int32_t end)
{
    struct tw_drainage *d = context;
    for (int32_t b = begin > 0 ? begin : 1; b < end; b++) {
        int32_t beyond = tw_drainage_neighbour(d, d->entry[b], d->exit[b]);
        __atomic_fetch_or(&d->from[beyond], (uint8_t)(1u << (7 - d->exit[b])), __ATOMIC_RELAXED);
    }
}

enum tw_status tw_drainage_join_basins(struct tw_task *task, struct tw_drainage *d,
                                       const float *heights, int32_t pits)
{
    enum tw_status status = tw_drainage_reserve(task, d, pits + 1);
    if (status != TW_OK)
        return status;
    label_basins(task, d, pits);
    tw_drainage_list_passes(task, d, heights);
    status = join_all(task, d, heights);
    if (status != TW_OK)
        return status;
    tw_rows(task, d->basins, BASINS, reverse_courses, d);
    tw_rows(task, d->basins, BASINS, mark_passes, d);
    return TW_OK;
}

void tw_drainage_basins_forecast(struct tw_forecast *f)
{
    uint64_t cells = (uint64_t)f->width * (uint64_t)f->height;
    tw_forecast_scratch(f, cells / CELLS_PER_BASIN + 1, BASIN_BYTES);
}
