/* SPDX-License-Identifier: MIT */
/* Leaves out only passes that can never be taken: before each of them comes a pass from the same
 * basin to the same one that is lower, or as high with a lower cell that is as low. */
#include "common/drainage/passes.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <string.h>

enum { PART = 4096, ENTRIES = sizeof(struct tw_drainage_pass) / sizeof(int32_t) };
enum { LOOK_BACK = 12 }; /* passes listed last among which one to the same basin is looked for */

struct listing {
    const struct tw_drainage *d;
    const float *heights;
    void (*edges)(const struct listing *, int32_t);
};

/* Marks the neighbours in other basins. But not those that the cell's receiver touches: it comes
 * first in the order and is lower; nor higher ones whose receiver touches the cell. Inner cells of
 * a row. */
static TW_INLINE void edges_body(const struct listing *l, int32_t y)
{
    size_t w = (size_t)l->d->width, inner = w - 2, first = (size_t)y * w + 1;
    const float *restrict here = l->heights + first;
    const float *restrict up = here - w, *restrict down = here + w;
    const int32_t *restrict label = l->d->label + first;
    const int32_t *restrict label_up = label - w, *restrict label_down = label + w;
    const uint8_t *restrict to = l->d->to + first;
    const uint8_t *restrict to_up = to - w, *restrict to_down = to + w;
    uint8_t *restrict edge = l->d->edge + first;
    for (size_t x = 0; x < inner; x++) {
        int32_t basin = label[x];
        uint32_t own = to[x], bits = 0;
        float z = here[x];
#define CONSIDER(k, row, at, beside, opposite)                                                     \
    bits |= (~((uint32_t)(beside) >> own |                                                         \
               ((uint32_t)(opposite) >> to##row[at] & (HEIGHT##row[at] > z ? 1u : 0))) &           \
             (label##row[at] != basin ? 1u : 0))                                                   \
            << (k);
#define HEIGHT here
#define HEIGHT_up up
#define HEIGHT_down down
        CONSIDER(0, _up, x - 1, TW_BESIDE_NW, TW_BESIDE_SE)
        CONSIDER(1, _up, x, TW_BESIDE_N, TW_BESIDE_S)
        CONSIDER(2, _up, x + 1, TW_BESIDE_NE, TW_BESIDE_SW)
        CONSIDER(3, , x - 1, TW_BESIDE_W, TW_BESIDE_E)
        CONSIDER(4, , x + 1, TW_BESIDE_E, TW_BESIDE_W)
        CONSIDER(5, _down, x - 1, TW_BESIDE_SW, TW_BESIDE_NE)
        CONSIDER(6, _down, x, TW_BESIDE_S, TW_BESIDE_N)
        CONSIDER(7, _down, x + 1, TW_BESIDE_SE, TW_BESIDE_NW)
#undef CONSIDER
#undef HEIGHT
#undef HEIGHT_up
#undef HEIGHT_down
        edge[x] = (uint8_t)bits;
    }
}
TW_SIMD_KERNEL(edges, (const struct listing *l, int32_t y), (l, y))

/* Marks all neighbours in other basins. */
static uint8_t edges_on_rim(const struct tw_drainage *d, int32_t cell)
{
    unsigned bits = 0;
    for (int k = 0; k < 8; k++) {
        int32_t next = tw_drainage_rim_neighbour(d, cell, k);
        bits |= next >= 0 && d->label[next] != d->label[cell] ? 1u << k : 0;
    }
    return (uint8_t)bits;
}

static void edge_rows(void *context, int32_t begin, int32_t end)
{
    const struct listing *l = context;
    const struct tw_drainage *d = l->d;
    for (int32_t y = begin; y < end; y++) {
        bool inner = y > 0 && y < d->height - 1 && d->width > 2;
        int32_t first = y * d->width;
        if (inner)
            l->edges(l, y);
        for (int32_t x = 0; x < d->width; x += inner ? d->width - 1 : 1)
            d->edge[first + x] = edges_on_rim(d, first + x);
    }
}

/* Passes of a part so far. */
struct list {
    int32_t count, room, found; /* found: the pass that was looked up last */
    struct tw_drainage_pass pass[PART / ENTRIES];
};

/* Returns the pass to a basin among those listed last, or -1. Most often it is the one found
 * before. */
static int32_t find_pass(const struct list *list, int32_t basin)
{
    int32_t last = list->count > LOOK_BACK ? list->count - LOOK_BACK : 0;
    if (list->pass[list->found].basin == basin)
        return list->found;
    for (int32_t i = list->count; i-- > last;)
        if (list->pass[i].basin == basin)
            return i;
    return -1;
}

static float low_of(const struct listing *l, const struct tw_drainage_pass *pass)
{
    return tw_drainage_pass_low(l->d, l->heights, pass->way >> 3, 7 - (pass->way & 7));
}

/* A lower pass to the same basin replaces the other, but keeps its position in the list. */
static bool add_pass(const struct listing *l, struct list *list,
                     const struct tw_drainage_pass *pass)
{
    int32_t at = find_pass(list, pass->basin);
    if (at >= 0) {
        struct tw_drainage_pass *old = &list->pass[at];
        list->found = at;
        if (old->height == pass->height && low_of(l, pass) < low_of(l, old))
            *old = *pass;
        if (old->height <= pass->height)
            return true;
        list->count--;
        memmove(old, old + 1, (size_t)(list->count - at) * sizeof *old);
    }
    if (list->count == list->room)
        return false;
    list->found = list->count;
    list->pass[list->count++] = *pass;
    return true;
}

/* Returns false if the passes of a cell do not fit. */
static bool list_cell(const struct listing *l, int32_t cell, struct list *list)
{
    for (unsigned bits = l->d->edge[cell]; bits; bits &= bits - 1) {
        struct tw_drainage_pass pass =
            tw_drainage_pass(l->d, l->heights, cell, __builtin_ctz(bits));
        if (!add_pass(l, list, &pass))
            return false;
    }
    return true;
}

static void list_part(const struct listing *l, struct tw_drainage_part part, struct list *list)
{
    int32_t *order = l->d->order + part.begin, length = part.end - part.begin;
    list->count = list->found = 0;
    list->pass[0] = (struct tw_drainage_pass){.basin = -1};
    list->room = (length - 1) / ENTRIES;
    for (int32_t i = 0; i < length; i++)
        if (l->d->edge[order[i]] && !list_cell(l, order[i], list))
            return;
    order[0] = ~list->count;
    memcpy(order + 1, list->pass, (size_t)list->count * sizeof *list->pass);
}

static void list_parts(void *context, int32_t begin, int32_t end)
{
    const struct listing *l = context;
    const struct tw_drainage *d = l->d;
    struct list list;
    int32_t last = end > d->cells / PART ? d->cells : end * PART;
    for (int32_t i = begin * PART; i < last;) {
        int32_t basin = d->label[d->order[i]];
        struct tw_drainage_part part = tw_drainage_part(i, d->start[basin + 1]);
        list_part(l, part, &list);
        i = part.end;
    }
}

struct tw_drainage_part tw_drainage_part(int32_t begin, int32_t end)
{
    int32_t next = (begin / PART + 1) * PART;
    return (struct tw_drainage_part){begin, end < next ? end : next};
}

void tw_drainage_list_passes(struct tw_task *task, struct tw_drainage *d, const float *heights)
{
    struct listing listing = {d, heights, edges(tw_task_simd(task))};
    tw_rows(task, d->height, 16, edge_rows, &listing);
    tw_rows(task, (d->cells - 1) / PART + 1, 4, list_parts, &listing);
}
