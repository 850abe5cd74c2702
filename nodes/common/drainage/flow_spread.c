/* SPDX-License-Identifier: MIT */
/* Computes the sums of a queue without running one, since a cell's place in the queue follows from
 * those of its donors. A cell's last donor, its parent, appends it, so cells come in the order of
 * their parents, and children of one parent in that of directions. First come cells without donors,
 * in raster order, then the generation of their children, then the next. Within a generation the
 * order is that of the ancestors without donors, and of two cells with one ancestor, that of the
 * ways from there. So cells may be computed in any order in which donors come first: each sorts its
 * donors and adds what they give. Strips of rows are computed side by side, each following its
 * water downhill through cells of the strip, whose neighbours are in the cache; what water from
 * other strips reaches follows within two strips together, side by side, then within four, up to
 * the map. */
#include "common/drainage/flow_spread.h"

#include <thalweg/simd.h>

enum { STRIPS = 8, ROWS_A_STRIP = 32 }; /* at most; at least */

/* Of donors that have not been computed, in the drainage's `edge`: cells computed with their strip;
 * one less with two strips together, and so on. */
enum { WITH_STRIP = 255 };

/* A turn, from the top: 28 bits of generation, 28 of the ancestor without donors, 8 of the
 * direction in which the parent gives to the cell. */
enum { WAY_BITS = 8, GENERATION_BIT = 36 };

enum { LEAP = 16 };      /* generations; see jump_of() */
enum { ROWS_AHEAD = 4 }; /* of the strip whose cells are followed: for fetching ahead */

struct spreading {
    const struct tw_drainage *d;
    const struct tw_flow_shares *shares;
    struct tw_flow_place *places;
    int32_t *jump; /* see jump_of(); the drainage's `label` */
    uint8_t *left; /* see above */
    float *cells;
    int32_t rows, wider; /* of a strip, and of two together */
    uint8_t mark;        /* of cells that are computed now */
};

static int32_t count_bits(unsigned byte)
{
    byte -= byte >> 1 & 0x55;
    byte = (byte & 0x33) + (byte >> 2 & 0x33);
    return (int32_t)((byte + (byte >> 4)) & 0x0F);
}

/* Cells that give to one; beyond their number there are gifts of 0 with the last turns. */
struct donors {
    int32_t count;
    int32_t cell[8];
    uint64_t turn[8];
    double gift[8];
    uint8_t way[8]; /* the direction in which it gives */
};

static int32_t parent(const struct spreading *s, int32_t cell)
{
    int way = (int)(s->places[cell].turn & 7);
    return tw_drainage_neighbour(s->d, cell, 7 - way);
}

/* True when a leaves the queue before b, two cells of one generation with the same ancestor without
 * donors: looks for where their ways part. */
static bool leaves_first(const struct spreading *s, int32_t a, int32_t b)
{
    for (;;) {
        int32_t to_a = parent(s, a), to_b = parent(s, b);
        if (to_a == to_b)
            return s->places[a].turn < s->places[b].turn;
        if (s->jump[a] != s->jump[b]) {
            to_a = s->jump[a];
            to_b = s->jump[b];
        }
        a = to_a;
        b = to_b;
    }
}

static void find_donors(const struct spreading *s, int32_t cell, struct donors *donors)
{
    const struct tw_drainage *d = s->d;
    bool border = d->rim ? d->rim[cell] : d->to[cell] == TW_OUTLET;
    const float *weights = s->shares->weights + 8 * (ptrdiff_t)cell;
    int32_t count = 0;
    for (uint64_t i = 0; i < 8; i++) {
        donors->turn[i] = ~(i << WAY_BITS);
        donors->gift[i] = 0;
    }
    for (unsigned bits = s->shares->donors[cell]; bits; bits &= bits - 1, count++) {
        int k = __builtin_ctz(bits);
        int32_t from = border ? tw_drainage_rim_neighbour(d, cell, k) : cell + d->step[k];
        donors->cell[count] = from;
        donors->turn[count] = s->places[from].turn;
        donors->gift[count] = s->places[from].area * (double)weights[k];
        donors->way[count] = (uint8_t)(7 - k);
    }
    donors->count = count;
}

/* True when donor i gives before donor k; one cell may be two donors on a small torus. */
static TW_INLINE bool gives_before(const struct spreading *s, const struct donors *donors, int i,
                                   int k)
{
    uint64_t turn_i = donors->turn[i] >> WAY_BITS, turn_k = donors->turn[k] >> WAY_BITS;
    if (turn_i != turn_k)
        return turn_i < turn_k;
    if (donors->cell[i] == donors->cell[k])
        return donors->way[i] < donors->way[k];
    return leaves_first(s, donors->cell[i], donors->cell[k]);
}

/* Adds what the donors give, n of them at most; returns the last. */
static TW_INLINE int add_gifts(const struct spreading *s, const struct donors *donors, int n,
                               double *area)
{
    int before[8] = {0}, order[8];
    for (int i = 1; i < n; i++)
        for (int k = 0; k < i; k++) {
            bool first = gives_before(s, donors, i, k);
            before[i] += !first;
            before[k] += first;
        }
    for (int i = 0; i < n; i++)
        order[before[i]] = i;
    for (int i = 0; i < n; i++)
        *area += donors->gift[order[i]];
    return order[donors->count - 1];
}

/* A cell's ancestor in the last generation before its own that is a multiple of LEAP. Cells of such
 * generations have one so many of them back as the lowest bit of their number says, so that two
 * ways are compared in steps as many as the logarithm of their length, squared. */
static int32_t jump_of(const struct spreading *s, int32_t parent, uint64_t generation)
{
    int32_t ancestor = generation % LEAP == 1 ? parent : s->jump[parent];
    if (generation % LEAP == 0)
        for (int leaps = __builtin_ctzll(generation / LEAP); leaps > 0; leaps--)
            ancestor = s->jump[ancestor];
    return ancestor;
}

/* Appends a cell to the queue, as the child of its last donor. */
static void append(const struct spreading *s, int32_t cell, const struct donors *donors, int last)
{
    const uint64_t a_generation = (uint64_t)1 << (GENERATION_BIT - WAY_BITS);
    uint64_t turn = (donors->turn[last] >> WAY_BITS) + a_generation;
    s->places[cell].turn = turn << WAY_BITS | donors->way[last];
    s->jump[cell] = jump_of(s, donors->cell[last], turn >> (GENERATION_BIT - WAY_BITS));
}

static void compute(const struct spreading *s, int32_t cell)
{
    struct donors donors;
    double area = 1;
    find_donors(s, cell, &donors);
    if (donors.count == 0)
        s->places[cell].turn = (uint64_t)cell << WAY_BITS;
    else
        append(s, cell, &donors,
               donors.count <= 4 ? add_gifts(s, &donors, 4, &area)
                                 : add_gifts(s, &donors, 8, &area));
    s->places[cell].area = area;
    s->cells[cell] = (float)area;
}

/* Computes a cell whose donors have been, and all of the cells from begin to end - 1 that this
 * completes. */
static void follow(const struct spreading *s, int32_t cell, int32_t begin, int32_t end)
{
    int32_t waiting = 0, *stack = s->d->order + begin;
    for (stack[waiting++] = cell; waiting;) {
        cell = stack[--waiting];
        compute(s, cell);
        s->left[cell] = s->mark;
        for (unsigned bits = s->shares->receivers[cell]; bits; bits &= bits - 1) {
            int32_t to = tw_drainage_neighbour(s->d, cell, __builtin_ctz(bits));
            __builtin_prefetch(s->shares->weights + 8 * (ptrdiff_t)to);
            if (to < begin || to >= end)
                continue;
            stack[waiting] = to; /* never beyond the end: `to` itself is not waiting */
            waiting += --s->left[to] == 0;
        }
    }
}

static int32_t cell_of_row(const struct spreading *s, int32_t row)
{
    return (row < s->d->height ? row : s->d->height) * s->d->width;
}

static void follow_strips(void *context, int32_t begin_strip, int32_t end_strip)
{
    const struct spreading *s = context;
    int32_t rows_ahead = ROWS_AHEAD * s->d->width;
    for (int32_t strip = begin_strip; strip < end_strip; strip++) {
        int32_t begin = cell_of_row(s, strip * s->rows);
        int32_t end = cell_of_row(s, (strip + 1) * s->rows);
        for (int32_t cell = begin; cell < end; cell++)
            s->left[cell] = (uint8_t)count_bits(s->shares->donors[cell]);
        for (int32_t cell = begin; cell < end; cell++) {
            int32_t ahead = cell < end - rows_ahead ? cell + rows_ahead : cell;
            __builtin_prefetch(s->shares->weights + 8 * (ptrdiff_t)ahead);
            __builtin_prefetch(s->places + ahead, 1);
            if (s->left[cell] == 0)
                follow(s, cell, begin, end);
        }
    }
}

struct range {
    int32_t begin, end; /* cells */
};

static bool is_in(const struct range *range, int32_t cell)
{
    return cell >= range->begin && cell < range->end;
}

/* Adds what cells of a row, computed before, give to the other strips of their group. */
static void cross(const struct spreading *s, int32_t first, const struct range *strip,
                  const struct range *together)
{
    for (int32_t cell = first; cell < first + s->d->width; cell++) {
        if (s->left[cell] <= s->mark)
            continue;
        for (unsigned bits = s->shares->receivers[cell]; bits; bits &= bits - 1) {
            int32_t to = tw_drainage_neighbour(s->d, cell, __builtin_ctz(bits));
            if (is_in(together, to) && !is_in(strip, to) && --s->left[to] == 0)
                follow(s, to, together->begin, together->end);
        }
    }
}

/* Takes only the first and the last row of a strip, since no other touches another strip. */
static void follow_wider(void *context, int32_t begin, int32_t end)
{
    const struct spreading *s = context;
    for (int32_t row = begin * s->wider; row < end * s->wider && row < s->d->height;
         row += s->rows) {
        int32_t top = row / s->wider * s->wider;
        struct range together = {cell_of_row(s, top), cell_of_row(s, top + s->wider)};
        struct range strip = {cell_of_row(s, row), cell_of_row(s, row + s->rows)};
        cross(s, strip.begin, &strip, &together);
        if (strip.end - s->d->width > strip.begin)
            cross(s, strip.end - s->d->width, &strip, &together);
    }
}

void tw_flow_spread(struct tw_task *task, const struct tw_drainage *d,
                    const struct tw_flow_shares *shares, struct tw_flow_place *places, float *cells)
{
    struct spreading s = {.d = d,
                          .shares = shares,
                          .places = places,
                          .jump = d->label,
                          .left = d->edge,
                          .cells = cells,
                          .rows = (d->height - 1) / STRIPS + 1,
                          .mark = WITH_STRIP};
    s.rows = s.rows < ROWS_A_STRIP ? ROWS_A_STRIP : s.rows;
    tw_rows(task, (d->height - 1) / s.rows + 1, 1, follow_strips, &s);
    for (; s.rows < d->height; s.rows = s.wider) {
        s.wider = 2 * s.rows;
        s.mark--;
        tw_rows(task, (d->height - 1) / s.wider + 1, 1, follow_wider, &s);
    }
}
