/* SPDX-License-Identifier: MIT */
/* Every cell climbs to its highest neighbour, up to a summit, so that the map falls into the
 * grounds of summits. Grounds meet at saddles: cells with a higher neighbour that does not touch
 * the one they climb to; where it does, that pair meets higher up. Saddles are taken from the
 * highest down, and at each the lower of two grounds joins the higher one. */
#include "measure/kernels/summits.h"

#include "common/drainage/drainage.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

enum { SUMMIT = 8, CHUNK = 64, POLL = 1 << 16 };
enum { SLOT_BITS = 10, WAYS = 5 /* of a cell, at most */ };
enum { CELLS_PER_SADDLE = 8 /* at least, on natural land */ };

struct saddle {
    uint32_t depth;    /* the complement of the key of its rank: the highest first */
    int32_t ground[2]; /* summits */
};

struct climb {
    const struct tw_reference_cells *r;
    struct tw_drainage d; /* only its geometry */
    int32_t *above;       /* a cell of the same ground that is higher; itself at the summit */
    uint8_t *ways;        /* bit k: another ground may begin at the neighbour in direction k */
    struct saddle *saddles, *work;
    int32_t count; /* of saddles, at first of cells that may be some */
    const int32_t *percent;
    int32_t *summits;
    void (*look)(const struct climb *, int32_t);
};

/* By direction: itself and those whose cells touch its cell, as bits. */
static const uint8_t beside[SUMMIT + 1] = {1 | TW_BESIDE_NW, 2 | TW_BESIDE_N,    4 | TW_BESIDE_NE,
                                           8 | TW_BESIDE_W,  16 | TW_BESIDE_E,   32 | TW_BESIDE_SW,
                                           64 | TW_BESIDE_S, 128 | TW_BESIDE_SE, 0};

/* Inner cells of one row. Cells before another are above it when they are as high; where none is
 * higher, the first of them is the highest. */
static TW_INLINE void look_body(const struct climb *c, int32_t y)
{
    size_t w = (size_t)c->r->width, end = (size_t)(y + 1) * w - 1;
    int32_t codes[CHUNK], bits[CHUNK];
    for (size_t first = (size_t)y * w + 1, count; first < end; first += count) {
        const float *here = c->r->rank + first, *up = here - w, *down = here + w;
        count = end - first < CHUNK ? end - first : CHUNK;
        for (size_t x = 0; x < count; x++) {
            float z = here[x], best = z, near;
            int32_t code = SUMMIT, over = 0;
#define CONSIDER(k, neighbour, is_above)                                                           \
    near = (neighbour);                                                                            \
    code = near > best ? k : code;                                                                 \
    best = near > best ? near : best;                                                              \
    over |= near is_above z ? 1 << k : 0;
            CONSIDER(0, up[x - 1], >=)
            CONSIDER(1, up[x], >=)
            CONSIDER(2, up[x + 1], >=)
            CONSIDER(3, here[x - 1], >=)
            CONSIDER(4, here[x + 1], >)
            CONSIDER(5, down[x - 1], >)
            CONSIDER(6, down[x], >)
            CONSIDER(7, down[x + 1], >)
#undef CONSIDER
            codes[x] = code;
            bits[x] = over;
        }
        for (size_t x = 0; x < count; x++) {
            const int32_t cell = (int32_t)(first + x);
            const int code =
                codes[x] == SUMMIT && bits[x] ? __builtin_ctz((unsigned)bits[x]) : codes[x];
            c->above[cell] = code == SUMMIT ? cell : cell + c->d.step[code];
            c->ways[cell] = (uint8_t)(bits[x] & ~beside[code]);
        }
    }
}
TW_SIMD_KERNEL(look, (const struct climb *c, int32_t y), (c, y))

static bool is_above(const struct climb *c, int32_t a, int32_t b)
{
    const float high = c->r->rank[a], low = c->r->rank[b];
    return high > low || (high == low && a < b);
}

static void look_on_rim(const struct climb *c, int32_t cell)
{
    int32_t best = cell, code = SUMMIT;
    unsigned ways = 0;
    for (int k = 0; k < 8; k++) {
        const int32_t next = tw_drainage_rim_neighbour(&c->d, cell, k);
        if (next < 0 || !is_above(c, next, cell))
            continue;
        ways |= 1u << k;
        code = is_above(c, next, best) ? k : code;
        best = is_above(c, next, best) ? next : best;
    }
    c->above[cell] = best;
    c->ways[cell] = (uint8_t)(ways & ~(unsigned)beside[code]);
}

static void look_rows(void *context, int32_t begin, int32_t end)
{
    struct climb *c = context;
    int32_t count = 0;
    for (int32_t y = begin; y < end; y++) {
        if (y > 0 && y < c->d.height - 1)
            c->look(c, y);
        for (int32_t x = 0; x < c->d.width; x += tw_drainage_rim_step(&c->d, y))
            look_on_rim(c, y * c->d.width + x);
    }
    for (int32_t cell = begin * c->d.width; cell < end * c->d.width; cell++)
        count += c->ways[cell] != 0;
    __atomic_fetch_add(&c->count, count, __ATOMIC_RELAXED);
}

static int32_t summit_of(const struct climb *c, int32_t cell)
{
    int32_t *above = c->above;
    while (above[cell] != cell)
        cell = above[cell] = above[above[cell]];
    return cell;
}

/* Makes the cells on the way from here to the summit point to the summit. */
static void flatten(const struct climb *c, int32_t cell)
{
    int32_t *above = c->above, top = cell;
    while (above[top] != above[above[top]])
        top = above[top];
    const int32_t summit = above[top];
    while (above[cell] != summit) {
        const int32_t next = above[cell];
        above[cell] = summit;
        cell = next;
    }
}

/* ---- saddles ---- */

/* Radix sort, eleven bits at a time. */
static void sort_saddles(struct climb *c)
{
    enum { BITS = 11, BUCKETS = 1 << BITS };
    for (int shift = 0; shift < 32; shift += BITS) {
        int32_t starts[BUCKETS + 1] = {0};
        struct saddle *sorted = c->work;
        for (int32_t i = 0; i < c->count; i++)
            starts[(c->saddles[i].depth >> shift & (BUCKETS - 1)) + 1]++;
        for (int k = 0; k < BUCKETS; k++)
            starts[k + 1] += starts[k];
        for (int32_t i = 0; i < c->count; i++)
            sorted[starts[c->saddles[i].depth >> shift & (BUCKETS - 1)]++] = c->saddles[i];
        c->work = c->saddles;
        c->saddles = sorted;
    }
}

static void count_summit(struct climb *c, int32_t cell, double prominence)
{
    for (int i = 0; i < TW_SUMMIT_SHARES && tw_reference_counts(c->r, cell); i++)
        c->summits[i] += 100 * prominence >= c->percent[i] * c->r->relief;
}

/* Whether a saddle between these grounds that is as high has been listed, as far as the slots
 * remember; the latest saddle of a pair takes the slot. */
static bool is_known(struct saddle *slots, const struct saddle *saddle)
{
    const uint32_t a = (uint32_t)saddle->ground[0], b = (uint32_t)saddle->ground[1];
    struct saddle *slot = slots + ((a * 0x9E3779B1u ^ b * 0x85EBCA6Bu) >> (32 - SLOT_BITS));
    const bool is_pair = slot->ground[0] == saddle->ground[0] &&
                         slot->ground[1] == saddle->ground[1] && slot->depth <= saddle->depth;
    *slot = is_pair ? *slot : *saddle;
    return is_pair;
}

static void list_cell(struct climb *c, int32_t cell, bool rim, struct saddle *slots)
{
    for (unsigned bits = c->ways[cell]; bits; bits &= bits - 1) {
        const int k = __builtin_ctz(bits);
        const int32_t near = rim ? tw_drainage_rim_neighbour(&c->d, cell, k) : cell + c->d.step[k];
        const int32_t a = c->above[cell], b = c->above[near];
        const struct saddle saddle = {~tw_float_key(c->r->rank[cell] + 0.0f),
                                      {a < b ? a : b, a < b ? b : a}};
        if (a != b && !is_known(slots, &saddle))
            c->saddles[c->count++] = saddle;
    }
}

/* Every cell's summit, then the saddles between different ones. */
static enum tw_status list_saddles(struct tw_task *task, struct climb *c)
{
    struct saddle slots[1 << SLOT_BITS] = {{0, {0, 0}}};
    for (int32_t cell = 0; cell < c->d.cells; cell++) {
        if (cell % POLL == 0 && tw_task_cancelled(task))
            return TW_CANCELLED;
        flatten(c, cell);
    }
    const size_t room = WAYS * (size_t)c->count + 1;
    const size_t natural = (size_t)c->d.cells / CELLS_PER_SADDLE + 1;
    c->saddles =
        tw_task_reserve(task, room, 2 * sizeof *c->saddles, natural < room ? natural : room);
    if (!c->saddles)
        return tw_task_no_memory(task);
    c->count = 0;
    for (int32_t y = 0, cell = 0; y < c->d.height; y++)
        for (int32_t x = 0; x < c->d.width; x++, cell++)
            if (c->ways[cell])
                list_cell(c, cell, x == 0 || y == 0 || x == c->d.width - 1 || y == c->d.height - 1,
                          slots);
    c->work = c->saddles + c->count;
    return TW_OK;
}

static void join_at(struct climb *c, const struct saddle *saddle)
{
    const int32_t a = summit_of(c, saddle->ground[0]), b = summit_of(c, saddle->ground[1]);
    const int32_t low = is_above(c, a, b) ? b : a;
    if (a == b)
        return;
    c->above[low] = low == a ? b : a;
    count_summit(c, low, c->r->z[low] - tw_reference_height(c->r, tw_key_float(~saddle->depth)));
}

static enum tw_status join_grounds(struct tw_task *task, struct climb *c)
{
    enum tw_status status = list_saddles(task, c);
    if (status != TW_OK)
        return status;
    sort_saddles(c);
    for (int32_t i = 0; i < c->count; i++) {
        if (i % POLL == 0 && tw_task_cancelled(task))
            return TW_CANCELLED;
        join_at(c, &c->saddles[i]);
    }
    return TW_OK;
}

static struct tw_drainage geometry(const struct tw_reference_cells *r)
{
    const int32_t w = r->width;
    return (struct tw_drainage){.width = w,
                                .height = r->height,
                                .cells = r->cells,
                                .step = {-w - 1, -w, -w + 1, -1, 1, w - 1, w, w + 1},
                                .wrap = r->wrap};
}

enum tw_status tw_summits_count(struct tw_task *task, const struct tw_reference_cells *r,
                                void *memory, const int32_t percent[TW_SUMMIT_SHARES],
                                int32_t counts[TW_SUMMIT_SHARES])
{
    const struct tw_scratch_mark mark = tw_task_scratch_mark(task);
    const size_t cells = (size_t)r->cells;
    struct climb c = {.r = r,
                      .d = geometry(r),
                      .percent = percent,
                      .summits = counts,
                      .look = look(tw_task_simd(task))};
    c.above = memory;
    c.ways = (uint8_t *)(c.above + cells);
    counts[0] = counts[1] = 0;
    tw_rows(task, r->height, 16, look_rows, &c);
    enum tw_status status = join_grounds(task, &c);
    if (status != TW_OK)
        return status;
    count_summit(&c, summit_of(&c, 0), r->relief);
    tw_task_scratch_return(task, mark);
    return TW_OK;
}

void tw_summits_forecast(struct tw_forecast *f)
{
    uint64_t cells = (uint64_t)f->width * (uint64_t)f->height;
    tw_forecast_scratch(f, cells / CELLS_PER_SADDLE + 1, 2 * sizeof(struct saddle));
}
