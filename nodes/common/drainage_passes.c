/* SPDX-License-Identifier: MIT */
/* See the header. What is left out can never be taken: before it comes a pass from the same basin
 * to the same one, at most as high. */
#include "common/drainage_passes.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <string.h>

enum { PART = 4096, ENTRIES = sizeof(struct tw_drainage_pass) / sizeof(int32_t) };
enum { LOOK_BACK = 12 }; /* passes listed last among which one to the same basin is looked for */

/* Of each direction, as bits, those whose cell touches the cell in that direction. */
enum {
    BESIDE_NW = 0x0A,
    BESIDE_N = 0x1D,
    BESIDE_NE = 0x12,
    BESIDE_W = 0x63,
    BESIDE_E = 0xC6,
    BESIDE_SW = 0x48,
    BESIDE_S = 0xB8,
    BESIDE_SE = 0x50
};

/* Marks the neighbours in other basins, but not those that the cell's receiver touches: it comes
 * first in the order and is lower. Without `rim` a neighbour index beyond a row's end is that of a
 * border cell or in the margin, of basin 0 like the cell itself. */
static TW_INLINE void edges_body(const struct tw_drainage *d, int32_t y)
{
    size_t w = (size_t)d->width;
    const int32_t *here = d->label + (size_t)y * w, *up = here - w, *down = here + w;
    const uint8_t *to = d->to + (size_t)y * w;
    uint8_t *edge = d->edge + (size_t)y * w;
    for (size_t x = 0; x < w; x++) {
        int32_t basin = here[x];
        uint32_t own = to[x], bits = 0;
#define CONSIDER(k, other, beside)                                                                 \
    bits |= (~((uint32_t)(beside) >> own) & ((other) != basin ? 1u : 0)) << (k);
        CONSIDER(0, up[x - 1], BESIDE_NW)
        CONSIDER(1, up[x], BESIDE_N)
        CONSIDER(2, up[x + 1], BESIDE_NE)
        CONSIDER(3, here[x - 1], BESIDE_W)
        CONSIDER(4, here[x + 1], BESIDE_E)
        CONSIDER(5, down[x - 1], BESIDE_SW)
        CONSIDER(6, down[x], BESIDE_S)
        CONSIDER(7, down[x + 1], BESIDE_SE)
#undef CONSIDER
        edge[x] = (uint8_t)bits;
    }
}
TW_SIMD_KERNEL(edges, (const struct tw_drainage *d, int32_t y), (d, y))

static uint8_t edges_on_rim(const struct tw_drainage *d, int32_t cell)
{
    unsigned bits = 0;
    for (int k = 0; k < 8; k++) {
        int32_t next = tw_drainage_rim_neighbour(d, cell, k);
        bits |= next >= 0 && d->label[next] != d->label[cell] ? 1u << k : 0;
    }
    return (uint8_t)bits;
}

struct listing {
    const struct tw_drainage *d;
    const float *heights;
    void (*edges)(const struct tw_drainage *, int32_t);
};

static void edge_rows(void *context, int32_t begin, int32_t end)
{
    const struct listing *l = context;
    const struct tw_drainage *d = l->d;
    for (int32_t y = begin; y < end; y++) {
        l->edges(d, y);
        for (int32_t cell = y * d->width; d->rim && cell < (y + 1) * d->width; cell++)
            if (d->rim[cell])
                d->edge[cell] = edges_on_rim(d, cell);
    }
}

/* Passes of a part so far. */
struct list {
    int32_t count, room, found; /* found: that which was looked up last */
    struct tw_drainage_pass pass[PART / ENTRIES];
};

/* Most often the pass before led to the same basin, so its place is tried first. */
static bool is_listed(struct list *list, int32_t basin, uint32_t height)
{
    int32_t last = list->count > LOOK_BACK ? list->count - LOOK_BACK : 0;
    const struct tw_drainage_pass *near = &list->pass[list->found];
    if (near->basin == basin && near->height <= height)
        return true;
    for (int32_t i = list->count; i-- > last;)
        if (list->pass[i].basin == basin && list->pass[i].height <= height) {
            list->found = i;
            return true;
        }
    return false;
}

/* False when there is no room for the passes of a cell. */
static bool list_cell(const struct listing *l, int32_t cell, struct list *list)
{
    for (unsigned bits = l->d->edge[cell]; bits; bits &= bits - 1) {
        struct tw_drainage_pass pass =
            tw_drainage_pass(l->d, l->heights, cell, __builtin_ctz(bits));
        if (is_listed(list, pass.basin, pass.height))
            continue;
        if (list->count == list->room)
            return false;
        list->found = list->count;
        list->pass[list->count++] = pass;
    }
    return true;
}

static void list_part(const struct listing *l, struct tw_drainage_part part, struct list *list)
{
    int32_t *order = l->d->order + part.begin, length = part.end - part.begin;
    list->count = list->found = 0;
    list->pass[0].basin = -1;
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
