/* SPDX-License-Identifier: MIT */
/* Cells leave the heap by time, then by number, so that the order is always the same. */
#include "erosion/kernels/coast/fast_marching.h"

#include <thalweg/kernel.h>

enum { WAITS_NOT = -1, DONE = -2, POLL = 1 << 16 };
#define NEAREST 1e-6 /* of a cell, between a start and a cell's centre */

bool tw_fast_marching_lay_out(struct tw_scratch *s, struct tw_fast_marching *m)
{
    m->time = tw_scratch_maps(s, 1, sizeof *m->time);
    m->carried = tw_scratch_maps(s, 1, sizeof *m->carried);
    m->heap = tw_scratch_maps(s, 1, sizeof *m->heap);
    m->place = tw_scratch_maps(s, 1, sizeof *m->place);
    m->width = tw_scratch_width(s);
    m->height = tw_scratch_height(s);
    return tw_scratch_is_laid(s);
}

int32_t tw_fast_marching_neighbour(const struct tw_fast_marching *m, int32_t cell, int k)
{
    const int32_t w = m->width, cells = w * m->height;
    if (k >= 2) {
        const int32_t next = k == 2 ? cell - w : cell + w;
        if (next >= 0 && next < cells)
            return next;
        return !m->wrap ? -1 : next < 0 ? next + cells : next - cells;
    }
    const int32_t x = cell % w;
    if (k == 0)
        return x > 0 ? cell - 1 : m->wrap ? cell + w - 1 : -1;
    return x < w - 1 ? cell + 1 : m->wrap ? cell - w + 1 : -1;
}

/* ---- the heap ---- */

static bool is_earlier(const struct tw_fast_marching *m, int32_t a, int32_t b)
{
    return m->time[a] < m->time[b] || (m->time[a] == m->time[b] && a < b);
}

static void put(struct tw_fast_marching *m, int32_t at, int32_t cell)
{
    m->heap[at] = cell;
    m->place[cell] = at;
}

/* Moves a cell whose time fell, or that is new at the end, to its place. */
static void rise(struct tw_fast_marching *m, int32_t at, int32_t cell)
{
    for (; at > 0 && is_earlier(m, cell, m->heap[(at - 1) / 2]); at = (at - 1) / 2)
        put(m, at, m->heap[(at - 1) / 2]);
    put(m, at, cell);
}

static int32_t take_first(struct tw_fast_marching *m)
{
    const int32_t first = m->heap[0], last = m->heap[--m->length];
    int32_t at = 0;
    for (int32_t child = 1; child < m->length; child = 2 * at + 1) {
        child += child + 1 < m->length && is_earlier(m, m->heap[child + 1], m->heap[child]);
        if (!is_earlier(m, m->heap[child], last))
            break;
        put(m, at, m->heap[child]);
        at = child;
    }
    if (m->length > 0)
        put(m, at, last);
    m->place[first] = DONE;
    return first;
}

static void offer(struct tw_fast_marching *m, const struct tw_front *front, int32_t cell,
                  double time, double carried)
{
    if (!(time < m->time[cell]))
        return;
    m->time[cell] = time;
    if (front->carries)
        m->carried[cell] = (float)carried;
    rise(m, m->place[cell] == WAITS_NOT ? m->length++ : m->place[cell], cell);
}

/* ---- the front ---- */

static double slowness_at(const struct tw_front *front, int32_t cell)
{
    return front->slowness ? (double)front->slowness[cell] : 1;
}

/* The distance to a straight start that crosses the way to a neighbour on one axis or on both at
 * these shares: 1 / d^2 = 1 / x^2 + 1 / y^2. */
static void start(struct tw_fast_marching *m, const struct tw_front *front, int32_t cell)
{
    const double here = (double)front->ahead[cell];
    double near[2] = {INFINITY, INFINITY}, carried = 0;
    int32_t crossings = 0;
    for (int k = 0; k < 4; k++) {
        const int32_t next = tw_fast_marching_neighbour(m, cell, k);
        if (next < 0 || front->ahead[next] > 0)
            continue;
        const double share = here / (here - (double)front->ahead[next]);
        near[k / 2] = share < near[k / 2] ? share : near[k / 2];
        carried += front->carries ? (double)m->carried[next] : 0;
        crossings++;
    }
    if (crossings == 0)
        return;
    for (int axis = 0; axis < 2; axis++)
        near[axis] = near[axis] > NEAREST ? near[axis] : NEAREST;
    const double distance = 1 / sqrt(1 / (near[0] * near[0]) + 1 / (near[1] * near[1]));
    offer(m, front, cell, distance * slowness_at(front, cell), carried / crossings);
}

/* The earlier of two neighbours on an axis that the front has passed; -1: it has passed neither. */
static int32_t earlier_passed(const struct tw_fast_marching *m, int32_t cell, int axis)
{
    int32_t best = -1;
    for (int k = 2 * axis; k < 2 * axis + 2; k++) {
        const int32_t next = tw_fast_marching_neighbour(m, cell, k);
        if (next >= 0 && m->place[next] == DONE && (best < 0 || is_earlier(m, next, best)))
            best = next;
    }
    return best;
}

/* (t - a)^2 + (t - b)^2 = s^2, or t = a + s where that is before the other. */
static void update(struct tw_fast_marching *m, const struct tw_front *front, int32_t cell)
{
    const double s = slowness_at(front, cell);
    const int32_t x = earlier_passed(m, cell, 0), y = earlier_passed(m, cell, 1);
    const int32_t first = x < 0 || (y >= 0 && is_earlier(m, y, x)) ? y : x;
    const int32_t second = first == x ? y : x;
    double a = m->time[first], time = a + s, carried = (double)m->carried[first];
    if (second >= 0 && m->time[second] < time) {
        const double b = m->time[second];
        time = (a + b + sqrt(2 * s * s - (a - b) * (a - b))) / 2;
        const double from_a = time - a, from_b = time - b;
        carried = (from_a * (double)m->carried[first] + from_b * (double)m->carried[second]) /
                  (from_a + from_b);
    }
    offer(m, front, cell, time, carried);
}

static void pass(struct tw_fast_marching *m, const struct tw_front *front, int32_t cell)
{
    for (int k = 0; k < 4; k++) {
        const int32_t next = tw_fast_marching_neighbour(m, cell, k);
        if (next >= 0 && front->ahead[next] > 0 && m->place[next] != DONE &&
            slowness_at(front, next) < INFINITY)
            update(m, front, next);
    }
}

enum tw_status tw_fast_marching_run(struct tw_task *task, struct tw_fast_marching *m,
                                    const struct tw_front *front)
{
    const int32_t cells = m->width * m->height;
    int32_t passed = 0;
    m->length = 0;
    for (int32_t i = 0; i < cells; i++) {
        m->time[i] = INFINITY;
        m->place[i] = WAITS_NOT;
    }
    for (int32_t i = 0; i < cells; i++)
        if (front->ahead[i] > 0 && front->ahead[i] < INFINITY)
            start(m, front, i);
    while (m->length > 0 && m->time[m->heap[0]] <= front->limit) {
        if (++passed % POLL == 0 && tw_task_cancelled(task))
            return TW_CANCELLED;
        pass(m, front, take_first(m));
    }
    return TW_OK;
}
