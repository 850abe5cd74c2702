/* SPDX-License-Identifier: MIT */
#include "water/kernels/depressions.h"
#include "water/kernels/height_order.h"

#include <string.h>

enum {
    POLL = 1 << 16,
    AHEAD = 8,   /* cells between one and the other that is fetched for later */
    NATURAL = 16 /* cells for each depression of natural land */
};

/* No two pits touch, and joining them in pairs doubles their number. */
static uint64_t depressions_at_most(uint64_t width, uint64_t height)
{
    return (width + 1) / 2 * ((height + 1) / 2) * 2 + 1;
}

bool tw_depressions_lay_out(struct tw_scratch *s, struct tw_depressions *d)
{
    uint64_t width = (uint64_t)tw_scratch_width(s), height = (uint64_t)tw_scratch_height(s);
    uint64_t most = depressions_at_most(width, height), natural = width * height / NATURAL + 1;
    d->words[0] = tw_scratch_maps(s, 1, sizeof *d->words[0]);
    d->words[1] = tw_scratch_maps(s, 1, sizeof *d->words[1]);
    d->at = tw_scratch_reserve(s, most, sizeof *d->at, natural < most ? natural : most);
    return tw_scratch_is_laid(s);
}

/* ---- depressions that grow and join ---- */

static int32_t open_depression(struct tw_depressions *d, int32_t pit)
{
    int32_t node = d->count++;
    d->at[node] = (struct tw_depression){.pit = pit, .last = d->heights[pit], .link = node};
    return node;
}

static void add_cell(struct tw_depressions *d, int32_t node, int32_t cell)
{
    struct tw_depression *to = &d->at[node];
    float z = d->heights[cell];
    to->same = to->last < z ? 1 : to->same + 1;
    to->last = z;
    to->cells++;
}

/* At this height the depression spills into a cell of the leaf `beyond`. */
static void close_depression(struct tw_depressions *d, int32_t node, float spill, int32_t beyond)
{
    struct tw_depression *closed = &d->at[node];
    closed->spill = spill;
    closed->beyond = beyond;
    closed->link = TW_OCEAN;
    closed->same = closed->last < spill ? 0 : closed->same;
    closed->cells -= closed->same;
}

/* A touching depression, and its lowest cell beside the one that is swept. */
struct side {
    int32_t node, low;
};

static bool is_lower(const struct tw_depressions *d, int32_t a, int32_t b)
{
    float za = d->heights[a], zb = d->heights[b];
    return za < zb || (za <= zb && a < b);
}

static int32_t join_pair(struct tw_depressions *d, int32_t a, int32_t b, float z)
{
    const struct tw_depression *one = &d->at[a], *two = &d->at[b];
    const struct tw_depression whole = {
        .pit = is_lower(d, one->pit, two->pit) ? one->pit : two->pit,
        .last = z,
        .cells = one->cells + two->cells + one->same + two->same,
        .same = one->same + two->same,
        .child = {a, b},
        .link = d->count,
    };
    d->at[a].parent = d->at[b].parent = d->count;
    d->at[a].link = d->at[b].link = d->count;
    d->at[d->count] = whole;
    return d->count++;
}

/* Joins what meets at a saddle of height z; returns what they are together. */
static int32_t join(struct tw_depressions *d, struct side a, struct side b, float z)
{
    if (a.node != TW_OCEAN)
        close_depression(d, a.node, z, d->leaf[b.low]);
    if (b.node != TW_OCEAN)
        close_depression(d, b.node, z, d->leaf[a.low]);
    return a.node == TW_OCEAN || b.node == TW_OCEAN ? TW_OCEAN : join_pair(d, a.node, b.node, z);
}

/* ---- the sweep ---- */

struct around {
    struct side sides[8]; /* in the order of their lowest cells */
    int count;
};

static void meet(struct tw_depressions *d, struct around *around, int32_t cell)
{
    struct side side = {tw_depressions_end(d, d->leaf[cell]), cell};
    int at = 0, last = around->count;
    for (; at < around->count && around->sides[at].node != side.node; at++)
        continue;
    if (at < around->count && !is_lower(d, cell, around->sides[at].low))
        return;
    if (at < around->count)
        last = at;
    else
        around->count++;
    for (; last > 0 && is_lower(d, cell, around->sides[last - 1].low); last--)
        around->sides[last] = around->sides[last - 1];
    around->sides[last] = side;
}

static bool is_on_rim(const struct tw_depressions *d, int32_t x, int32_t y)
{
    return x == 0 || y == 0 || x == d->width - 1 || y == d->height - 1;
}

/* The neighbour k of 8 of a border's cell, or -1. */
static int32_t rim_neighbour(const struct tw_depressions *d, int32_t cell, int k)
{
    int at = k < 4 ? k : k + 1; /* of 3 x 3 cells */
    int32_t x = cell % d->width + at % 3 - 1, y = cell / d->width + at / 3 - 1;
    if (d->wrap)
        return tw_wrap(y, d->height) * d->width + tw_wrap(x, d->width);
    return x < 0 || y < 0 || x >= d->width || y >= d->height ? -1 : y * d->width + x;
}

static void look_around(struct tw_depressions *d, int32_t cell, struct around *around)
{
    bool rim = is_on_rim(d, cell % d->width, cell / d->width);
    around->count = 0;
    for (int k = 0; k < 8; k++) {
        int32_t next = rim ? rim_neighbour(d, cell, k) : cell + d->step[k];
        if (next >= 0 && d->leaf[next] >= 0)
            meet(d, around, next);
    }
}

/* Joins all that meet at this cell, the lowest side first; returns what it belongs to. */
static int32_t join_sides(struct tw_depressions *d, const struct around *around, int32_t cell)
{
    struct side joined = around->sides[0];
    float z = d->heights[cell];
    for (int i = 1; i < around->count; i++)
        joined.node = join(d, joined, around->sides[i], z);
    return joined.node;
}

/* Water that comes to an outlet is gone. */
static void sweep_outlet(struct tw_depressions *d, const struct around *around, int32_t cell)
{
    for (int i = 0; i < around->count; i++)
        if (around->sides[i].node != TW_OCEAN)
            close_depression(d, around->sides[i].node, d->heights[cell], TW_OCEAN);
}

static void set_cell(struct tw_depressions *d, int32_t cell, int32_t leaf, int32_t node)
{
    d->leaf[cell] = leaf;
    d->home[cell] = node;
    d->at[leaf].rain += tw_rain_on(&d->rain, (size_t)cell);
    add_cell(d, node, cell);
}

static void sweep_any(struct tw_depressions *d, int32_t cell)
{
    struct around around;
    look_around(d, cell, &around);
    if (d->outlet[cell]) {
        sweep_outlet(d, &around, cell);
        set_cell(d, cell, TW_OCEAN, TW_OCEAN);
    } else if (around.count == 0) {
        int32_t leaf = open_depression(d, cell);
        set_cell(d, cell, leaf, leaf);
    } else {
        int32_t node = join_sides(d, &around, cell);
        set_cell(d, cell, d->leaf[around.sides[0].low], node);
    }
}

/* Most cells touch one leaf only; what they belong to is then known without a search. */
static void sweep_inner(struct tw_depressions *d, int32_t cell)
{
    const int32_t *here = d->leaf + cell;
    int32_t leaf = -1;
    bool several = false;
    for (int k = 0; k < 8; k++) {
        int32_t other = here[d->step[k]];
        several |= other >= 0 && leaf >= 0 && other != leaf;
        leaf = other >= 0 ? other : leaf;
    }
    if (several || leaf < 0)
        sweep_any(d, cell);
    else
        set_cell(d, cell, leaf, tw_depressions_end(d, leaf));
}

/* Cells as high are scattered over the map: asks for the rows of one that comes later. */
static void prefetch(const struct tw_depressions *d, int32_t cell)
{
    int32_t up = cell - d->width, down = cell + d->width;
    __builtin_prefetch(d->leaf + cell);
    __builtin_prefetch(d->home + cell);
    __builtin_prefetch(d->leaf + (up < 0 ? cell : up));
    __builtin_prefetch(d->leaf + (down >= d->width * d->height ? cell : down));
}

static void sweep(struct tw_depressions *d, int32_t begin, int32_t end)
{
    const int32_t cells = d->width * d->height;
    for (int32_t i = begin; i < end; i++) {
        int32_t cell = d->order[i];
        prefetch(d, d->order[i + AHEAD < cells ? i + AHEAD : i]);
        if (d->outlet[cell] || is_on_rim(d, cell % d->width, cell / d->width))
            sweep_any(d, cell);
        else
            sweep_inner(d, cell);
    }
}

enum tw_status tw_depressions_find(struct tw_task *task, struct tw_depressions *d)
{
    const int32_t cells = d->width * d->height;
    d->order = tw_height_order(d->heights, (size_t)cells, d->words[0], d->words[1]);
    d->leaf = (int32_t *)(void *)d->words[1];
    d->home = d->leaf + cells;
    memset(d->leaf, -1, (size_t)cells * sizeof *d->leaf);
    d->at[TW_OCEAN] = (struct tw_depression){.level = -FLT_MAX};
    d->count = 1;
    const int32_t w = d->width, step[8] = {-w - 1, -w, -w + 1, -1, 1, w - 1, w, w + 1};
    memcpy(d->step, step, sizeof step);
    for (int32_t i = 0; i < cells; i += POLL) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        tw_task_progress(task, 0.2 + 0.7 * i / cells);
        sweep(d, i, cells - i < POLL ? cells : i + POLL);
    }
    return TW_OK;
}
