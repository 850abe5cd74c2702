/* SPDX-License-Identifier: MIT */
/* A place has two states: a unit arrives at it, and a unit leaves it. Between them at most one unit
 * passes. The search goes from arriving to leaving where none passes yet, to any neighbour, and
 * backwards along flow. It goes on from the state found last, and first towards another start, so
 * that a way across open ground takes a few visits for each of its places. */
#include "measure/kernels/narrowest_cut.h"

#include <string.h>

enum { FREE, SOURCE, SINK };
enum { ARRIVE, LEAVE };
/* Parents below 4: the state of that neighbour. */
enum { OTHER_STATE = 4, ROOT = 5, UNSEEN = 255 };
enum { POLL = 1 << 16 };

struct search {
    struct tw_task *task;
    const struct tw_unit_ground *ground;
    struct tw_cut *cut;
    int32_t count; /* states still to visit */
    int32_t found; /* the sink's place that was reached; -1 */
    bool touches;  /* the source borders on a sink: no cut parts them */
};

bool tw_cut_lay_out(struct tw_scratch *s, struct tw_cut *cut)
{
    cut->base = tw_scratch_maps(s, 1, sizeof *cut->base);
    cut->flow = tw_scratch_maps(s, 1, sizeof *cut->flow);
    cut->parent = tw_scratch_maps(s, 2, sizeof *cut->parent);
    cut->stack = tw_scratch_maps(s, 2, sizeof *cut->stack);
    cut->source = tw_scratch_maps(s, 1, sizeof *cut->source);
    cut->flood.steps = tw_scratch_maps(s, 1, sizeof *cut->flood.steps);
    cut->flood.queue = cut->stack;
    return tw_scratch_is_laid(s);
}

/* Neighbours are north, west, east, south. */
static int opposite(int k) { return 3 - k; }

static void enter(struct search *s, int32_t place, int state, int parent)
{
    int32_t at = 2 * place + state;
    if (s->cut->parent[at] != UNSEEN)
        return;
    s->cut->parent[at] = (uint8_t)parent;
    s->cut->stack[s->count++] = at;
}

/* Returns whether that neighbour sends a unit to the place. */
static bool sends(const struct search *s, int32_t neighbour, int k)
{
    return s->cut->flow[neighbour] >> opposite(k) & 1;
}

static void arrive(struct search *s, int32_t place)
{
    if (s->cut->flow[place] == 0)
        enter(s, place, LEAVE, OTHER_STATE);
    for (int k = 0; k < 4; k++) {
        int32_t from = tw_unit_ground_step(s->ground, place, k);
        if (from >= 0 && sends(s, from, k))
            enter(s, from, LEAVE, opposite(k));
    }
}

static bool is_closer(const struct search *s, int32_t to, int32_t from)
{
    return s->cut->flood.steps[to] < s->cut->flood.steps[from];
}

static void leave_to(struct search *s, int32_t place, bool closer)
{
    const struct tw_cut *cut = s->cut;
    for (int k = 0; k < 4; k++) {
        int32_t to = tw_unit_ground_step(s->ground, place, k);
        if (to < 0 || cut->base[to] == SOURCE || is_closer(s, to, place) != closer)
            continue;
        enter(s, to, ARRIVE, opposite(k));
        if (cut->base[to] == SINK && s->found < 0) {
            s->found = to;
            s->touches |= cut->base[place] == SOURCE;
        }
    }
}

static void leave(struct search *s, int32_t place)
{
    if (s->cut->base[place] == FREE && s->cut->flow[place])
        enter(s, place, ARRIVE, OTHER_STATE);
    leave_to(s, place, false);
    leave_to(s, place, true);
}

static enum tw_status search(struct search *s)
{
    const int32_t cells = s->ground->width * s->ground->height;
    memset(s->cut->parent, UNSEEN, 2 * (size_t)cells);
    s->count = 0;
    s->found = -1;
    for (int32_t i = 0; i < s->cut->sources; i++)
        enter(s, s->cut->source[i], LEAVE, ROOT);
    for (int32_t visits = 0; s->count > 0 && s->found < 0; visits++) {
        if (visits % POLL == 0 && tw_task_cancelled(s->task))
            return TW_CANCELLED;
        int32_t at = s->cut->stack[--s->count];
        if (at % 2 == ARRIVE)
            arrive(s, at / 2);
        else
            leave(s, at / 2);
    }
    return TW_OK;
}

/* Sends a unit along the way that was found, back from its end. */
static void send(struct search *s)
{
    uint8_t *flow = s->cut->flow;
    int32_t place = s->found;
    int state = ARRIVE;
    for (int parent; (parent = s->cut->parent[2 * place + state]) != ROOT; state = 1 - state) {
        if (parent == OTHER_STATE)
            continue;
        int32_t from = tw_unit_ground_step(s->ground, place, parent);
        if (state == ARRIVE)
            flow[from] |= (uint8_t)(1 << opposite(parent));
        else
            flow[place] &= (uint8_t) ~(1 << parent);
        place = from;
    }
}

/* Sends all that can pass; then returns how many places end the search, and marks them. */
static enum tw_status cut_off(struct search *s, uint8_t *mark, int32_t *count)
{
    const struct tw_cut *cut = s->cut;
    const int32_t cells = s->ground->width * s->ground->height;
    enum tw_status status;
    *count = 0;
    memset(cut->flow, 0, (size_t)cells);
    while ((status = search(s)) == TW_OK && s->found >= 0 && !s->touches)
        send(s);
    for (int32_t i = 0; status == TW_OK && !s->touches && i < cells; i++)
        if (cut->parent[2 * i + ARRIVE] != UNSEEN && cut->parent[2 * i + LEAVE] == UNSEEN) {
            mark[i] = 1;
            ++*count;
        }
    return status;
}

/* Returns false where the base meets one of the other kind. */
static bool mark_base(struct search *s, int32_t start, int32_t range, uint8_t kind)
{
    bool alone = true;
    tw_unit_flood(s->ground, start, range, &s->cut->flood);
    for (int32_t i = 0; i < s->cut->flood.count; i++) {
        uint8_t *base = &s->cut->base[s->cut->flood.queue[i]];
        alone &= *base == FREE || *base == kind;
        *base = kind;
    }
    return alone;
}

static bool mark_bases(struct search *s, const int32_t *starts, int32_t count, int32_t source,
                       int32_t range)
{
    bool alone = true;
    memset(s->cut->base, FREE, (size_t)s->ground->width * (size_t)s->ground->height);
    for (int32_t j = 0; j < count; j++)
        alone &= j == source || mark_base(s, starts[j], range, SINK);
    alone &= mark_base(s, starts[source], range, SOURCE);
    s->cut->sources = s->cut->flood.count;
    memcpy(s->cut->source, s->cut->flood.queue, (size_t)s->cut->sources * sizeof(int32_t));
    tw_unit_flood(s->ground, starts[source ? 0 : 1], INT32_MAX, &s->cut->flood);
    return alone;
}

enum tw_status tw_cut_find_all(struct tw_task *task, const struct tw_unit_ground *ground,
                               struct tw_cut *cut, const int32_t *starts, int32_t count,
                               int32_t range, uint8_t *mark, int32_t *least)
{
    enum tw_status status = TW_OK;
    *least = -1;
    for (int32_t i = 0; count > 1 && status == TW_OK && i < count; i++) {
        struct search s = {.task = task, .ground = ground, .cut = cut};
        int32_t places;
        if (!mark_bases(&s, starts, count, i, range))
            continue;
        status = cut_off(&s, mark, &places);
        if (!s.touches)
            *least = *least < 0 || places < *least ? places : *least;
    }
    return status;
}
