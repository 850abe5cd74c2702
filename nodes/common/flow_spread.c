/* SPDX-License-Identifier: MIT */
/* The queue is run with numbers of donors only, two bytes a cell, which tells each cell's place in
 * it. Then cells may be computed in any order in which donors come first: each sorts its donors by
 * their places and adds what they give. Strips of rows are computed side by side, each following
 * its water downhill through cells of the strip, whose neighbours are in the cache; what water from
 * other strips reaches follows on one thread. */
#include "common/flow_spread.h"

#include <string.h>

enum { STRIPS = 8, ROWS_A_STRIP = 32 }; /* at most; at least */

/* Of donors that have not been computed, in the drainage's `edge`: cells computed with their strip,
 * and after it. */
enum { WITH_STRIP = 255, AFTERWARDS = 254 };

struct spreading {
    const struct tw_drainage *d;
    const struct tw_flow_shares *shares;
    uint32_t *turns; /* see find_turns(); the drainage's `label` */
    uint8_t *left;   /* see above */
    double *area;
    float *cells;
    int32_t rows; /* of a strip */
};

/* The directions in which a cell's donors give to it, three bits each, the first to leave the queue
 * on top, below a bit that is set. */
static void find_turns(const struct spreading *s)
{
    const struct tw_drainage *d = s->d;
    int32_t *order = d->order, length = 0;
    uint8_t *donors = s->shares->donors;
    for (int32_t cell = 0; cell < d->cells; cell++) {
        s->turns[cell] = 1;
        if (donors[cell] == 0)
            order[length++] = cell;
    }
    for (int32_t head = 0; head < length; head++) {
        int32_t cell = order[head];
        for (unsigned bits = s->shares->receivers[cell]; bits; bits &= bits - 1) {
            int k = __builtin_ctz(bits);
            int32_t to = tw_drainage_neighbour(d, cell, k);
            s->turns[to] = s->turns[to] << 3 | (uint32_t)k;
            order[length] = to; /* never beyond the end: `to` itself is still missing */
            length += --donors[to] == 0;
        }
    }
}

static unsigned count_bits(unsigned byte)
{
    byte -= byte >> 1 & 0x55;
    byte = (byte & 0x33) + (byte >> 2 & 0x33);
    return (byte + (byte >> 4)) & 0x0F;
}

static void compute(const struct spreading *s, int32_t cell)
{
    const struct tw_drainage *d = s->d;
    bool border = d->rim ? d->rim[cell] : d->to[cell] == TW_OUTLET;
    uint32_t turns = s->turns[cell];
    double area = 1;
    for (int at = 31 - __builtin_clz(turns); at > 0;) {
        at -= 3;
        int k = (int)(turns >> at & 7);
        int32_t from = border ? tw_drainage_rim_neighbour(d, cell, 7 - k) : cell - d->step[k];
        unsigned before = s->shares->receivers[from] & ((1u << k) - 1);
        area += s->area[from] * (double)tw_flow_shares_of(s->shares, from)[count_bits(before)];
    }
    s->area[cell] = area;
    s->cells[cell] = (float)area;
}

/* Computes a cell whose donors have been, and all of the cells from begin to end - 1 that this
 * completes. */
static void follow(const struct spreading *s, int32_t cell, int32_t begin, int32_t end,
                   int32_t *stack, uint8_t mark)
{
    int32_t waiting = 0;
    for (stack[waiting++] = cell; waiting;) {
        cell = stack[--waiting];
        compute(s, cell);
        s->left[cell] = mark;
        for (unsigned bits = s->shares->receivers[cell]; bits; bits &= bits - 1) {
            int32_t to = tw_drainage_neighbour(s->d, cell, __builtin_ctz(bits));
            if (to >= begin && to < end && --s->left[to] == 0)
                stack[waiting++] = to;
        }
    }
}

static int32_t strip_begin(const struct spreading *s, int32_t strip)
{
    int32_t row = strip * s->rows;
    return (row < s->d->height ? row : s->d->height) * s->d->width;
}

static void follow_strips(void *context, int32_t begin_strip, int32_t end_strip)
{
    const struct spreading *s = context;
    for (int32_t strip = begin_strip; strip < end_strip; strip++) {
        int32_t begin = strip_begin(s, strip), end = strip_begin(s, strip + 1);
        for (int32_t cell = begin; cell < end; cell++)
            if (s->left[cell] == 0)
                follow(s, cell, begin, end, s->d->order + begin, WITH_STRIP);
    }
}

/* What a cell of a strip gives to other strips. */
static void cross(const struct spreading *s, int32_t cell, int32_t begin, int32_t end)
{
    for (unsigned bits = s->shares->receivers[cell]; bits; bits &= bits - 1) {
        int32_t to = tw_drainage_neighbour(s->d, cell, __builtin_ctz(bits));
        if ((to < begin || to >= end) && --s->left[to] == 0)
            follow(s, to, 0, s->d->cells, s->d->order, AFTERWARDS);
    }
}

static void follow_rest(const struct spreading *s, int32_t strips)
{
    int32_t w = s->d->width;
    for (int32_t strip = 0; strip < strips; strip++) {
        int32_t begin = strip_begin(s, strip), end = strip_begin(s, strip + 1);
        int32_t last = end - w;
        for (int32_t x = 0; x < w; x++)
            if (s->left[begin + x] == WITH_STRIP)
                cross(s, begin + x, begin, end);
        for (int32_t x = 0; last > begin && x < w; x++)
            if (s->left[last + x] == WITH_STRIP)
                cross(s, last + x, begin, end);
    }
}

void tw_flow_spread(struct tw_task *task, const struct tw_drainage *d,
                    const struct tw_flow_shares *shares, double *area, float *cells)
{
    struct spreading s = {.d = d,
                          .shares = shares,
                          .turns = (uint32_t *)d->label,
                          .left = d->edge,
                          .area = area,
                          .cells = cells,
                          .rows = (d->height - 1) / STRIPS + 1};
    s.rows = s.rows < ROWS_A_STRIP ? ROWS_A_STRIP : s.rows;
    int32_t strips = (d->height - 1) / s.rows + 1;
    memcpy(s.left, shares->donors, (size_t)d->cells);
    find_turns(&s);
    tw_rows(task, strips, 1, follow_strips, &s);
    follow_rest(&s, strips);
}
