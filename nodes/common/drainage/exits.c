/* SPDX-License-Identifier: MIT */
#include "common/drainage/exits.h"

#include <thalweg/rescale.h>

static const char *const sides[] = {"north", "east", "south", "west"};

unsigned tw_closed_sides(const struct tw_labels *closed)
{
    unsigned bits = 0;
    for (int32_t i = 0; i < closed->count; i++)
        bits |= 1u << closed->at[i];
    return bits;
}

enum tw_status tw_closed_check(struct tw_task *task, const struct tw_labels *closed, bool wrap)
{
    if (!wrap || closed->count == 0)
        return TW_OK;
    return tw_task_fail(task,
                        "closed names %s, but the opposite borders of this map meet, so it has no "
                        "sides; expected border: closed of the node, or borders: closed of the "
                        "recipe",
                        sides[closed->at[0]]);
}

enum tw_status tw_exits_read(struct tw_task *task, const struct tw_labels *closed,
                             const struct tw_value *marked, bool wrap, struct tw_exits *exits)
{
    *exits = (struct tw_exits){.marked = marked ? tw_floats(marked) : NULL,
                               .closed = tw_closed_sides(closed),
                               .wrap = wrap};
    return tw_closed_check(task, closed, wrap);
}

bool tw_exits_need_map(const struct tw_forecast *f, const struct tw_labels *closed, bool wrap,
                       int port)
{
    return wrap || closed->count > 0 || f->inputs[port] > 0;
}

struct marking {
    const struct tw_exits *exits;
    const float *heights;
    uint8_t *outlet;
    int32_t width, height;
    float lowest;
};

static void mark_rows(void *context, int32_t begin, int32_t end)
{
    const struct marking *m = context;
    const struct tw_exits *e = m->exits;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < m->width; x++) {
            int32_t i = y * m->width + x;
            bool open = !e->wrap && tw_exits_open(e->closed, x, y, m->width, m->height);
            m->outlet[i] = open || (e->marked && e->marked[i] >= 0.5f);
        }
}

/* Marks cells that are not a number, too: land must have an outlet whatever its heights are. */
static void mark_lowest(void *context, int32_t begin, int32_t end)
{
    const struct marking *m = context;
    for (int32_t i = begin * m->width; i < end * m->width; i++)
        m->outlet[i] = (uint8_t) !(m->heights[i] > m->lowest);
}

static bool any_marked(const struct marking *m)
{
    for (int32_t i = 0; m->exits->marked && i < m->width * m->height; i++)
        if (m->exits->marked[i] >= 0.5f)
            return true;
    return false;
}

enum tw_status tw_exits_mark(struct tw_task *task, const struct tw_exits *exits,
                             const float *heights, uint8_t *outlet)
{
    struct marking m = {exits, heights, outlet, tw_task_width(task), tw_task_height(task), 0};
    struct tw_span span;
    bool no_sides = exits->wrap || exits->closed == TW_SIDES_ALL;
    if (!no_sides || any_marked(&m)) {
        tw_rows(task, m.height, 64, mark_rows, &m);
        return TW_OK;
    }
    enum tw_status status = tw_span_find(task, heights, m.width, m.height, &span);
    if (status != TW_OK)
        return status;
    m.lowest = span.low;
    tw_rows(task, m.height, 64, mark_lowest, &m);
    return TW_OK;
}

void tw_exits_forecast(struct tw_forecast *f) { tw_rescale_forecast(f); }
