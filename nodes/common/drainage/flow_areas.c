/* SPDX-License-Identifier: MIT */
/* See the header. Of the drainage's blocks `label` holds stacks; of the flow lines' `filled` holds
 * the notes. */
#include "common/drainage/flow_areas.h"

#include <thalweg/simd.h>

enum { ROWS_A_STRIP = 64 }; /* at least */

/* Of a cell's `donors`: REST is added in the rest, and GIVEN is that of a cell that has given. */
enum { REST = 16, GIVEN = 255 };

/* A note is a cell that has given to cells of the rest, or, negative, ~ a corner neighbour that had
 * to wait: of two cells that are completed at once the cardinal neighbour goes first, with all that
 * follows from it. HELD: the corner neighbour of this cell waits for such a note. */
enum { HELD = 1 << 30, NO_CELL = INT32_MIN };

/* The walk of one strip, or of the rest. Copies the pointers of f: stores of bytes may alias them,
 * so the compiler would reload them each time. */
struct walk {
    const struct tw_flow_lines *f;
    struct tw_flow_lines_steps steps;
    const uint8_t *facet; /* those of f, */
    const float *corner;
    uint8_t *donors;
    int32_t *order;
    float *area;
    int32_t begin, end; /* cells of the strip */
    int32_t length;     /* where the next cell goes in the order */
    int32_t strip;      /* the rest: behind whose cells that is */
    int32_t *stack, *notes, count;
    bool full; /* a note did not fit */
};

struct walks {
    struct tw_flow_lines *f;
    struct walk strip[TW_FLOW_LINES_STRIPS];
};

static int32_t strip_begin(const struct tw_flow_lines *f, int32_t strip)
{
    return (int32_t)((int64_t)f->d->height * strip / f->strips) * f->d->width;
}

/* ---- what other strips reach ---- */

static bool receives_from_outside(const struct walk *w, int32_t x, int32_t cell)
{
    const struct tw_drainage *d = w->f->d;
    bool inner = x > 0 && x < d->width - 1 && cell > d->width && cell < d->cells - d->width;
    for (int k = 0; k < 8; k++) {
        int32_t next = inner ? cell + d->step[k] : tw_drainage_rim_neighbour(d, cell, k);
        if (next >= 0 && (next < w->begin || next >= w->end) && w->f->gives[next] >> (7 - k) & 1)
            return true;
    }
    return false;
}

/* Marks the cell and all cells of the strip that its water reaches as cells of the rest. */
static void mark_reached(const struct walk *w, int32_t cell)
{
    const struct tw_drainage *d = w->f->d;
    uint8_t *donors = w->donors;
    int32_t waiting = 0;
    donors[cell] |= REST;
    for (w->stack[waiting++] = cell; waiting;) {
        cell = w->stack[--waiting];
        for (unsigned bits = w->f->gives[cell]; bits; bits &= bits - 1) {
            int32_t to = tw_drainage_neighbour(d, cell, __builtin_ctz(bits));
            if (to < w->begin || to >= w->end || donors[to] & REST)
                continue;
            donors[to] |= REST;
            w->stack[waiting++] = to;
        }
    }
}

static void mark_rest(const struct walk *w)
{
    const struct tw_drainage *d = w->f->d;
    for (int32_t x = 0; w->f->strips > 1 && x < d->width; x++)
        for (int side = 0; side < 2; side++) {
            int32_t cell = side ? w->end - 1 - x : w->begin + x;
            if (!(w->donors[cell] & REST) &&
                receives_from_outside(w, side ? d->width - 1 - x : x, cell))
                mark_reached(w, cell);
        }
}

/* ---- a strip's own cells ---- */

static TW_INLINE bool is_rest(const struct walk *w, int32_t cell)
{
    return (uint32_t)(cell - w->begin) >= (uint32_t)(w->end - w->begin) || w->donors[cell] & REST;
}

/* Gives a share of the area; returns true if that completes the receiver's own. */
static TW_INLINE bool give(const struct walk *w, int32_t to, float given, uint8_t none)
{
    w->area[to] += given;
    return --w->donors[to] == none;
}

static TW_INLINE void note(struct walk *w, int32_t what)
{
    if (w->count == w->end - w->begin)
        w->full = true;
    else
        w->notes[w->count++] = what;
}

/* Gives to the strip's own of the two receivers and makes a note for that of the rest, or both. The
 * result is what this completes; ~ a corner of the rest that has to wait. */
static TW_INLINE struct tw_receivers give_beyond(struct walk *w, int32_t cell,
                                                 struct tw_receivers to)
{
    struct tw_receivers complete = {NO_CELL, NO_CELL};
    float corner = w->corner[cell], all = w->area[cell];
    bool corner_is_rest = corner > 0 && is_rest(w, to.corner);
    if (corner < 1 && !is_rest(w, to.cardinal) && give(w, to.cardinal, all - corner * all, 0))
        complete.cardinal = to.cardinal;
    if (corner > 0 && !corner_is_rest && give(w, to.corner, corner * all, 0))
        complete.corner = to.corner;
    bool held = corner_is_rest && complete.cardinal >= 0;
    note(w, cell | (held ? HELD : 0));
    complete.corner = held ? ~to.corner : complete.corner;
    return complete;
}

/* The receivers that become complete. */
static TW_INLINE struct tw_receivers give_own(struct walk *w, int32_t cell, int facet)
{
    struct tw_receivers to = tw_flow_lines_receivers(w->f, &w->steps, cell, facet);
    struct tw_receivers complete = {NO_CELL, NO_CELL};
    float corner = w->corner[cell], all = w->area[cell];
    if ((corner < 1 && is_rest(w, to.cardinal)) || (corner > 0 && is_rest(w, to.corner)))
        return give_beyond(w, cell, to);
    if (corner < 1 && give(w, to.cardinal, all - corner * all, 0))
        complete.cardinal = to.cardinal;
    if (corner > 0 && give(w, to.corner, corner * all, 0))
        complete.corner = to.corner;
    return complete;
}

/* Follows the water of a complete cell for as long as it completes others of the strip's own. Where
 * it completes two at once, the second waits on the stack. */
static TW_INLINE void follow_own(struct walk *w, int32_t cell)
{
    for (int32_t waiting = 0;;) {
        int facet = w->facet[cell];
        struct tw_receivers complete = {NO_CELL, NO_CELL};
        w->order[w->length++] = cell;
        w->donors[cell] = GIVEN;
        if (facet != TW_FLOW_LINES_NONE)
            complete = give_own(w, cell, facet);
        if (complete.cardinal >= 0) {
            cell = complete.cardinal;
            if (complete.corner != NO_CELL)
                w->stack[waiting++] = complete.corner;
            continue;
        }
        for (cell = complete.corner; cell < 0;) {
            if (waiting == 0)
                return;
            cell = w->stack[--waiting];
            if (cell < 0)
                note(w, cell);
        }
    }
}

static void walk_strip(struct walk *walk)
{
    struct walk w = *walk; /* in registers */
    for (int32_t cell = w.begin; cell < w.end; cell++)
        w.area[cell] = 1;
    for (int32_t cell = w.begin; cell < w.end; cell++)
        if (w.donors[cell] == 0)
            follow_own(&w, cell);
    *walk = w;
}

static void walk_strips(void *context, int32_t begin, int32_t end)
{
    struct walks *walks = context;
    for (int32_t k = begin; k < end; k++) {
        mark_rest(&walks->strip[k]);
        walk_strip(&walks->strip[k]);
        walks->f->own_end[k] = walks->strip[k].length;
    }
}

/* ---- the rest ---- */

static void append_rest(struct walk *w, int32_t cell)
{
    while (w->length == strip_begin(w->f, w->strip + 1))
        w->length = w->f->own_end[++w->strip];
    w->order[w->length++] = cell;
    w->donors[cell] = GIVEN;
}

/* Does for the rest what follow_own() does for a strip: all that its water reaches belongs to the
 * rest. */
static void follow_rest(struct walk *w, int32_t cell)
{
    for (int32_t waiting = 0;;) {
        int facet = w->facet[cell];
        int32_t next = NO_CELL;
        append_rest(w, cell);
        if (facet != TW_FLOW_LINES_NONE) {
            struct tw_receivers to = tw_flow_lines_receivers(w->f, &w->steps, cell, facet);
            float corner = w->corner[cell], all = w->area[cell];
            if (corner < 1 && give(w, to.cardinal, all - corner * all, REST))
                next = to.cardinal;
            if (corner > 0 && give(w, to.corner, corner * all, REST)) {
                if (next != NO_CELL)
                    w->stack[waiting++] = to.corner;
                else
                    next = to.corner;
            }
        }
        if (next == NO_CELL && waiting == 0)
            return;
        cell = next != NO_CELL ? next : w->stack[--waiting];
    }
}

/* Gives what a noted cell gives to the rest. Its strip's own cells have all given. */
static void give_noted(struct walk *w, int32_t cell, bool held)
{
    struct tw_receivers to = tw_flow_lines_receivers(w->f, &w->steps, cell, w->facet[cell]);
    float corner = w->corner[cell], all = w->area[cell];
    bool straight = corner < 1 && w->donors[to.cardinal] != GIVEN;
    bool completes = corner > 0 && w->donors[to.corner] != GIVEN;
    straight = straight && give(w, to.cardinal, all - corner * all, REST);
    completes = completes && give(w, to.corner, corner * all, REST);
    if (straight)
        follow_rest(w, to.cardinal);
    if (completes && !held)
        follow_rest(w, to.corner);
}

enum { AHEAD = 8 };

/* Fetches ahead what a note needs. */
static TW_INLINE void fetch(const struct walk *w, int32_t noted)
{
    int32_t cell = noted < 0 ? ~noted : noted & ~HELD;
    __builtin_prefetch(w->facet + cell);
    __builtin_prefetch(w->corner + cell);
    __builtin_prefetch(w->area + cell);
    __builtin_prefetch(w->donors + cell);
}

static void walk_rest(struct walks *walks)
{
    struct walk w = walks->strip[0]; /* storage follows its cells */
    for (int32_t k = 0; k < w.f->strips; k++)
        for (int32_t i = 0; i < walks->strip[k].count; i++) {
            int32_t noted = walks->strip[k].notes[i];
            if (i + AHEAD < walks->strip[k].count)
                fetch(&w, walks->strip[k].notes[i + AHEAD]);
            if (noted >= 0)
                give_noted(&w, noted & ~HELD, noted & HELD);
            else if (w.donors[~noted] == REST)
                follow_rest(&w, ~noted);
        }
}

/* Returns without work if there was no room for the notes. */
static bool walk(struct tw_task *task, struct tw_flow_lines *f, float *area)
{
    const struct tw_flow_lines_steps steps = tw_flow_lines_steps(f->d);
    struct walks walks = {.f = f};
    bool full = false;
    for (int32_t k = 0; k < f->strips; k++) {
        int32_t begin = strip_begin(f, k);
        walks.strip[k] = (struct walk){.f = f,
                                       .steps = steps,
                                       .facet = f->facet,
                                       .corner = f->corner,
                                       .donors = f->donors,
                                       .order = f->order,
                                       .area = area,
                                       .begin = begin,
                                       .end = strip_begin(f, k + 1),
                                       .length = begin,
                                       .stack = f->d->label + begin,
                                       .notes = (int32_t *)f->filled + begin};
    }
    tw_rows(task, f->strips, 1, walk_strips, &walks);
    for (int32_t k = 0; k < f->strips; k++)
        full |= walks.strip[k].full;
    if (!full)
        walk_rest(&walks);
    return !full;
}

/* ---- what the header declares ---- */

struct tw_flow_range tw_flow_areas_own(const struct tw_flow_lines *f, int32_t strip)
{
    return (struct tw_flow_range){strip_begin(f, strip), f->own_end[strip]};
}

struct tw_flow_range tw_flow_areas_rest(const struct tw_flow_lines *f, int32_t strip)
{
    return (struct tw_flow_range){f->own_end[strip], strip_begin(f, strip + 1)};
}

void tw_flow_areas_collect(struct tw_task *task, struct tw_flow_lines *f, float *area)
{
    f->strips = f->d->height / ROWS_A_STRIP;
    f->strips = f->strips < 1                      ? 1
                : f->strips > TW_FLOW_LINES_STRIPS ? TW_FLOW_LINES_STRIPS
                                                   : f->strips;
    tw_flow_lines_count(task, f);
    if (walk(task, f, area))
        return;
    f->strips = 1; /* and no notes */
    tw_flow_lines_count(task, f);
    walk(task, f, area);
}
