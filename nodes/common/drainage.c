/* SPDX-License-Identifier: MIT */
/* Drainage; see the header. All border cells are outlets, so the arrays can be walked as one long
 * row: a neighbour index that runs over a row's end meets a border cell, which never drains
 * anywhere, and one outside the map meets a margin that is set alike. */
#include "common/drainage.h"
#include "common/simd.h"

#include <string.h>

enum { POLL = 256 }; /* basins joined between polls for cancellation */

struct slopes {
    struct tw_drainage *d;
    const float *heights;
};

/* Receivers of the inner cells of one row: the largest drop over distance, the first on ties. */
static TW_INLINE void steepest_body(const struct slopes *s, int32_t y)
{
    size_t w = (size_t)s->d->width, inner = w - 2;
    const float *here = s->heights + (size_t)y * w + 1, *up = here - w, *down = here + w;
    uint8_t *to = s->d->to + (size_t)y * w + 1;
    const float diagonal = 0.70710678f;
    for (size_t x = 0; x < inner; x++) {
        float z = here[x], best = 0, drop;
        int32_t code = TW_OUTLET;
#define CONSIDER(k, neighbour, weight)                                                             \
    drop = (z - (neighbour)) * (weight);                                                           \
    code = drop > best ? k : code;                                                                 \
    best = drop > best ? drop : best;
        CONSIDER(0, up[x - 1], diagonal)
        CONSIDER(1, up[x], 1.0f)
        CONSIDER(2, up[x + 1], diagonal)
        CONSIDER(3, here[x - 1], 1.0f)
        CONSIDER(4, here[x + 1], 1.0f)
        CONSIDER(5, down[x - 1], diagonal)
        CONSIDER(6, down[x], 1.0f)
        CONSIDER(7, down[x + 1], diagonal)
#undef CONSIDER
        to[x] = (uint8_t)code;
    }
}
TW_SIMD_KERNEL(steepest, (const struct slopes *s, int32_t y), (s, y))

struct rows {
    struct slopes slopes;
    void (*steepest)(const struct slopes *, int32_t);
    void (*donors)(const struct tw_drainage *, int32_t);
};

static void steepest_rows(void *context, int32_t begin, int32_t end)
{
    const struct rows *r = context;
    const struct tw_drainage *d = r->slopes.d;
    for (int32_t y = begin; y < end; y++) {
        if (y == 0 || y == d->height - 1 || d->width < 3) {
            memset(d->to + (size_t)y * (size_t)d->width, TW_OUTLET, (size_t)d->width);
            continue;
        }
        d->to[(size_t)y * (size_t)d->width] = TW_OUTLET;
        d->to[(size_t)(y + 1) * (size_t)d->width - 1] = TW_OUTLET;
        r->steepest(&r->slopes, y);
    }
}

static TW_INLINE void donors_body(const struct tw_drainage *d, int32_t y)
{
    size_t w = (size_t)d->width;
    const uint8_t *here = d->to + (size_t)y * w, *up = here - w, *down = here + w;
    uint8_t *from = d->from + (size_t)y * w;
    for (size_t x = 0; x < w; x++) {
        unsigned bits = up[x - 1] == 7 ? 1 : 0;
        bits |= up[x] == 6 ? 2 : 0;
        bits |= up[x + 1] == 5 ? 4 : 0;
        bits |= here[x - 1] == 4 ? 8 : 0;
        bits |= here[x + 1] == 3 ? 16 : 0;
        bits |= down[x - 1] == 2 ? 32 : 0;
        bits |= down[x] == 1 ? 64 : 0;
        bits |= down[x + 1] == 0 ? 128 : 0;
        from[x] = (uint8_t)bits;
    }
}
TW_SIMD_KERNEL(donors, (const struct tw_drainage *d, int32_t y), (d, y))

static void donors_rows(void *context, int32_t begin, int32_t end)
{
    const struct rows *r = context;
    for (int32_t y = begin; y < end; y++)
        r->donors(r->slopes.d, y);
}

/* Appends the tree of `root` to the order, which serves as the queue; returns the new length. */
static int32_t append_tree(const struct tw_drainage *d, int32_t length, int32_t root)
{
    int32_t *order = d->order;
    order[length] = root;
    for (int32_t head = length++; head < length; head++) {
        int32_t cell = order[head];
        for (unsigned bits = d->from[cell]; bits; bits &= bits - 1)
            order[length++] = cell + d->step[__builtin_ctz(bits)];
    }
    return length;
}

static bool on_border(const struct tw_drainage *d, int32_t x, int32_t y)
{
    return x == 0 || y == 0 || x == d->width - 1 || y == d->height - 1;
}

/* The trees of the border's cells in raster order, one after the other. */
static int32_t order_outlets(struct tw_drainage *d)
{
    int32_t length = 0;
    d->trees = 0;
    for (int32_t y = 0; y < d->height; y++)
        for (int32_t x = 0; x < d->width; x++) {
            if (!on_border(d, x, y))
                x = d->width - 1;
            d->tree[d->trees++] = length;
            length = append_tree(d, length, y * d->width + x);
        }
    d->tree[d->trees] = length;
    return length;
}

/* ---- basins ---- */

/* One block at least twice as large as the one before: a task has few blocks to give, and land may
 * get more basins with every step. */
static enum tw_status reserve(struct tw_task *task, struct tw_drainage *d, int32_t basins)
{
    if (basins <= d->room)
        return TW_OK;
    size_t room = 2 * (size_t)basins;
    room = room > (size_t)d->cells ? (size_t)d->cells : room;
    size_t each = sizeof *d->keys + sizeof *d->start + sizeof *d->level + sizeof *d->entry +
                  sizeof *d->place + sizeof *d->queued + sizeof *d->exit;
    d->keys = tw_task_scratch(task, room + 1, each);
    if (!d->keys)
        return tw_task_no_memory(task);
    d->start = (int32_t *)(d->keys + room);
    d->level = (float *)(d->start + room + 1);
    d->entry = (int32_t *)(d->level + room);
    d->place = d->entry + room;
    d->queued = d->place + room;
    d->exit = (uint8_t *)(d->queued + room);
    d->room = (int32_t)room;
    return TW_OK;
}

static void label_range(const struct tw_drainage *d, int32_t basin, int32_t end)
{
    d->start[basin + 1] = end;
    for (int32_t i = d->start[basin]; i < end; i++)
        d->label[d->order[i]] = basin;
}

/* Appends the basins of all pits and labels every cell. */
static void label_basins(struct tw_drainage *d, int32_t length)
{
    d->start[0] = 0;
    d->basins = 1;
    label_range(d, 0, length);
    for (int32_t y = 1; y + 1 < d->height; y++)
        for (int32_t x = 1; x + 1 < d->width; x++)
            if (d->to[y * d->width + x] == TW_OUTLET) {
                length = append_tree(d, length, y * d->width + x);
                label_range(d, d->basins++, length);
            }
}

/* Floats as integers of the same order. */
static uint64_t sortable(float v)
{
    uint32_t bits;
    v += 0.0f; /* -0 becomes 0 */
    memcpy(&bits, &v, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static float unsortable(uint64_t key)
{
    uint32_t bits = (uint32_t)(key >> 32);
    float v;
    bits = bits & 0x80000000u ? bits & 0x7FFFFFFFu : ~bits;
    memcpy(&v, &bits, sizeof v);
    return v;
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
static void offer_pass(struct tw_drainage *d, const float *heights, int32_t cell, int k)
{
    int32_t inside = cell + d->step[k], basin = d->label[inside], at = d->place[basin];
    if (at == -2)
        return;
    float higher = heights[inside] > heights[cell] ? heights[inside] : heights[cell];
    uint64_t height = sortable(higher);
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
    for (int32_t i = d->start[basin]; i < d->start[basin + 1]; i++) {
        int32_t cell = d->order[i];
        for (int k = 0; k < 8; k++)
            if (d->label[cell + d->step[k]] != basin)
                offer_pass(d, heights, cell, k);
    }
}

static void turn(struct tw_drainage *d, int32_t cell, uint8_t way)
{
    d->to[cell] = way;
    d->from[cell + d->step[way]] |= (uint8_t)(1u << (7 - way));
}

/* Turns the course from the pass to the pit round, so that the pit drains over the pass. */
static void reverse_course(struct tw_drainage *d, int32_t basin)
{
    int32_t cell = d->entry[basin];
    uint8_t way = d->exit[basin], old = d->to[cell];
    turn(d, cell, way);
    while (old != TW_OUTLET) {
        int32_t next = cell + d->step[old];
        d->from[next] &= (uint8_t) ~(1u << (7 - old));
        way = (uint8_t)(7 - old);
        cell = next;
        old = d->to[cell];
        turn(d, cell, way);
    }
}

static enum tw_status join_basins(struct tw_task *task, struct tw_drainage *d, const float *heights)
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
        int32_t other = d->label[d->entry[basin] + d->step[d->exit[basin]]];
        float pass = unsortable(key);
        d->level[basin] = other && d->level[other] > pass ? d->level[other] : pass;
        reverse_course(d, basin);
        offer_passes(d, heights, basin);
    }
    return TW_OK;
}

/* ---- what the header declares ---- */

enum tw_status tw_drainage_init(struct tw_task *task, struct tw_drainage *d)
{
    int32_t w = tw_task_width(task), h = tw_task_height(task);
    size_t cells = (size_t)w * (size_t)h, margin = (size_t)w + 1, padded = cells + 2 * margin;
    if (cells > INT32_MAX / 2)
        return tw_task_fail(task, "drainage is limited to maps of 2^30 cells; this one has %zu",
                            cells);
    *d = (struct tw_drainage){.width = w, .height = h, .cells = w * h};
    const int32_t step[8] = {-w - 1, -w, -w + 1, -1, 1, w - 1, w, w + 1};
    memcpy(d->step, step, sizeof step);
    d->to = tw_task_scratch(task, padded, sizeof *d->to);
    d->from = tw_task_scratch(task, cells, sizeof *d->from);
    d->order = tw_task_scratch(task, cells, sizeof *d->order);
    d->label = tw_task_scratch(task, padded, sizeof *d->label);
    d->tree = tw_task_scratch(task, 2 * ((size_t)w + (size_t)h) + 1, sizeof *d->tree);
    if (!d->to || !d->from || !d->order || !d->label || !d->tree)
        return tw_task_no_memory(task);
    memset(d->to, TW_OUTLET, padded);
    memset(d->label, 0, padded * sizeof *d->label);
    d->to += margin;
    d->label += margin;
    return TW_OK;
}

enum tw_status tw_drainage_route(struct tw_task *task, struct tw_drainage *d, const float *heights)
{
    enum tw_simd simd = tw_task_simd(task);
    struct rows rows = {{d, heights}, steepest(simd), donors(simd)};
    tw_rows(task, d->height, 16, steepest_rows, &rows);
    tw_rows(task, d->height, 16, donors_rows, &rows);
    int32_t length = order_outlets(d), pits = 0;
    d->basins = 1;
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    if (length == d->cells)
        return TW_OK;
    for (int32_t y = 1; y + 1 < d->height; y++)
        for (int32_t x = 1; x + 1 < d->width; x++)
            pits += d->to[y * d->width + x] == TW_OUTLET;
    enum tw_status status = reserve(task, d, pits + 1);
    if (status != TW_OK)
        return status;
    label_basins(d, length);
    status = join_basins(task, d, heights);
    if (status != TW_OK)
        return status;
    order_outlets(d);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

struct filling {
    const struct tw_drainage *d;
    const float *heights;
    float *filled;
};

static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct filling *f = context;
    size_t last = (size_t)end * (size_t)f->d->width;
    for (size_t i = (size_t)begin * (size_t)f->d->width; i < last; i++) {
        int32_t basin = f->d->label[i];
        float z = f->heights[i];
        f->filled[i] = basin && f->d->level[basin] > z ? f->d->level[basin] : z;
    }
}

void tw_drainage_fill(struct tw_task *task, const struct tw_drainage *d, const float *heights,
                      float *filled)
{
    struct filling filling = {d, heights, filled};
    if (d->basins > 1)
        tw_rows(task, d->height, 16, fill_rows, &filling);
    else if (filled != heights)
        memcpy(filled, heights, (size_t)d->cells * sizeof *filled);
}

struct summing {
    const struct tw_drainage *d;
    uint32_t *area;
};

/* Donors give to their receivers, from the end of the order; trees do not share cells. */
static void area_trees(void *context, int32_t begin, int32_t end)
{
    const struct summing *s = context;
    const struct tw_drainage *d = s->d;
    for (int32_t i = d->tree[begin]; i < d->tree[end]; i++)
        s->area[d->order[i]] = 1;
    for (int32_t i = d->tree[end] - 1; i >= d->tree[begin]; i--) {
        int32_t cell = d->order[i];
        if (d->to[cell] != TW_OUTLET)
            s->area[cell + d->step[d->to[cell]]] += s->area[cell];
    }
}

void tw_drainage_area(struct tw_task *task, const struct tw_drainage *d, uint32_t *area)
{
    struct summing summing = {d, area};
    tw_rows(task, d->trees, 32, area_trees, &summing);
}
