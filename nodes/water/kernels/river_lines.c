/* SPDX-License-Identifier: MIT */
/* Of each stem the cells are collected from the mouth up, which tells how often it crosses the
 * border of a torus: courses go on beyond it, so that no line jumps. Then its points are written
 * from the source down. Ends and confluences keep their places. A corner that is cut twice becomes
 * four points, which depend on its two neighbours alone. */
#include "water/kernels/river_lines.h"

enum { CUT = 4 /* points for a corner that is cut twice */ };

/* A point of a course. */
struct vertex {
    double x, y, level, flow; /* level: where the river's water would stand without its bed */
    bool stays;               /* not a corner to be cut */
};

struct writer {
    struct tw_river_net *net;
    struct tw_river_size size;
    int32_t *cells;           /* of a stem, from its mouth up; a confluence first */
    struct tw_winding *turns; /* of all cells of rivers so far */
    struct tw_line_point *next;
    int32_t line;
    float lowest; /* z of the line so far */
    double length;
};

static bool is_tributary(const struct tw_river_net *net, int32_t stem)
{
    return net->d.to[net->stems[stem].cell] != TW_OUTLET;
}

static bool is_source(const struct tw_river_net *net, int32_t cell)
{
    return (net->donor[cell] & TW_RIVER_MAIN) == TW_OUTLET;
}

/* All cells of rivers but junctions, sources and mouths are cut corners; a tributary's last own
 * cell is one too. */
int64_t tw_river_lines_points(const struct tw_river_net *net)
{
    int64_t points = 0;
    for (int32_t stem = 0; stem < net->count; stem++) {
        int32_t cell = net->stems[stem].cell;
        points++;
        for (bool inner = is_tributary(net, stem);; inner = true) {
            bool source = is_source(net, cell);
            if (inner)
                points += source || net->donor[cell] & TW_RIVER_JOINED ? 1 : CUT;
            if (source)
                break;
            cell = tw_drainage_neighbour(&net->d, cell, net->donor[cell] & TW_RIVER_MAIN);
        }
    }
    return points;
}

/* The donor of a cell in direction k, whose course is now known. */
static int32_t step_up(const struct writer *w, int32_t cell, int k)
{
    const struct tw_drainage *d = &w->net->d;
    int at = k < 4 ? k : k + 1; /* of 3 x 3 cells */
    int32_t x = cell % d->width + at % 3 - 1, y = cell / d->width + at / 3 - 1;
    int32_t donor = tw_drainage_neighbour(d, cell, k);
    struct tw_winding turns = w->turns[cell];
    turns.x += x < 0 ? -1 : x == d->width;
    turns.y += y < 0 ? -1 : y == d->height;
    w->turns[donor] = turns;
    return donor;
}

/* Lists the cells of a stem; returns their number. */
static int32_t collect(const struct writer *w, int32_t stem)
{
    const struct tw_river_net *net = w->net;
    int32_t cell = net->stems[stem].cell, count = 0;
    if (is_tributary(net, stem)) {
        int32_t into = tw_drainage_neighbour(&net->d, cell, net->d.to[cell]);
        w->cells[count++] = into;
        step_up(w, into, 7 - net->d.to[cell]);
    } else {
        w->turns[cell] = (struct tw_winding){0, 0};
    }
    for (; !is_source(net, cell); cell = step_up(w, cell, net->donor[cell] & TW_RIVER_MAIN))
        w->cells[count++] = cell;
    w->cells[count++] = cell;
    return count;
}

static double depth_of(const struct writer *w, double flow)
{
    return w->size.depth * tw_pow(flow, 0.4);
}

static struct vertex vertex_at(const struct writer *w, int32_t cell)
{
    const struct tw_drainage *d = &w->net->d;
    return (struct vertex){
        .x = (cell % d->width + 0.5) / d->width + w->turns[cell].x,
        .y = (cell / d->width + 0.5) / d->height + w->turns[cell].y,
        .level = (double)w->net->level[cell],
        .flow = (double)w->net->flow[cell],
        .stays = (w->net->donor[cell] & TW_RIVER_JOINED) != 0,
    };
}

/* The last point of a tributary, as wide as it comes. At a confluence `level` is already that of
 * the other river's water. */
static struct vertex confluence(const struct writer *w, double flow)
{
    struct vertex end = vertex_at(w, w->cells[0]);
    end.flow = flow;
    end.level += depth_of(w, flow) / 4;
    return end;
}

/* A quarter of the way from a to b. */
static struct vertex between(const struct vertex *a, const struct vertex *b)
{
    return (struct vertex){
        .x = a->x + (b->x - a->x) / 4,
        .y = a->y + (b->y - a->y) / 4,
        .level = a->level + (b->level - a->level) / 4,
        .flow = a->flow + (b->flow - a->flow) / 4,
    };
}

static void write_point(struct writer *w, const struct vertex *v)
{
    const float flow = (float)v->flow;
    const double depth = depth_of(w, (double)flow);
    w->lowest = tw_min((float)(v->level - depth / 4), w->lowest);
    *w->next++ = (struct tw_line_point){
        .line = w->line,
        .x = (float)v->x,
        .y = (float)v->y,
        .z = w->lowest,
        .width = (float)(w->size.width * sqrt((double)flow)),
        .depth = (float)depth,
        .flow = flow,
    };
}

static void measure(struct writer *w, const struct tw_line_point *from)
{
    for (; from + 1 < w->next; from++) {
        double dx = (double)from[1].x - (double)from->x;
        double dy = ((double)from[1].y - (double)from->y) * w->net->d.height / w->net->d.width;
        w->length += sqrt(dx * dx + dy * dy);
    }
}

static void cut_corner(struct writer *w, const struct vertex *before, const struct vertex *corner,
                       const struct vertex *after)
{
    struct vertex a = between(corner, before), b = between(corner, after);
    struct vertex a_before = before->stays ? *before : between(before, corner);
    struct vertex b_after = after->stays ? *after : between(after, corner);
    const struct vertex cut[CUT] = {between(&a, &a_before), between(&a, &b), between(&b, &a),
                                    between(&b, &b_after)};
    for (int i = 0; i < CUT; i++)
        write_point(w, &cut[i]);
}

static void write_stem(struct writer *w, int32_t stem)
{
    const bool tributary = is_tributary(w->net, stem);
    const int32_t count = collect(w, stem);
    const struct tw_line_point *first = w->next;
    struct vertex before = {0}, here = vertex_at(w, w->cells[count - 1]), after = {0};
    here.stays = true;
    w->lowest = FLT_MAX;
    for (int32_t i = count; i-- > 0; before = here, here = after) {
        if (i > 0)
            after = i == 1 && tributary ? confluence(w, here.flow) : vertex_at(w, w->cells[i - 1]);
        after.stays |= i == 1;
        if (!here.stays) {
            cut_corner(w, &before, &here, &after);
            continue;
        }
        write_point(w, &here);
        w->net->level[w->cells[i]] = w->lowest;
    }
    measure(w, first);
}

double tw_river_lines_write(struct tw_river_net *net, struct tw_river_size size,
                            struct tw_line_point *points)
{
    struct writer w = {.net = net,
                       .size = size,
                       .cells = net->d.order,
                       .turns = (struct tw_winding *)(void *)net->sum,
                       .next = points};
    for (; w.line < net->count; w.line++)
        write_stem(&w, w.line);
    return w.length;
}
