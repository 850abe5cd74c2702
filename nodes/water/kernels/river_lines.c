/* SPDX-License-Identifier: MIT */
/* Of each stem the cells are collected from the mouth up, which tells how often it crosses the
 * border of a torus: courses go on beyond it, so that no line jumps. Then its points are written
 * from the source down. Ends and confluences keep their places. A corner that is cut twice becomes
 * four points, which depend on its two neighbours alone. */
#include "water/kernels/river_lines.h"

enum { CUT = 4 /* points for a corner that is cut twice */ };

/* A point before corners are cut. */
struct vertex {
    double x, y, z, flow;
    bool stays;
};

struct writer {
    struct tw_river_net *net;
    struct tw_river_size size;
    int32_t *cells;           /* of a stem, from its mouth up; a confluence first */
    struct tw_winding *turns; /* of all cells of rivers so far */
    struct tw_line_point *next;
    int32_t line;
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

/* `own` is the cell whose flow the point has: a tributary ends as wide as it comes. */
static struct vertex vertex_at(const struct writer *w, int32_t cell, int32_t own)
{
    const struct tw_drainage *d = &w->net->d;
    return (struct vertex){
        .x = (cell % d->width + 0.5) / d->width + w->turns[cell].x,
        .y = (cell / d->width + 0.5) / d->height + w->turns[cell].y,
        .z = (double)w->net->level[cell],
        .flow = (double)w->net->flow[own],
        .stays = (w->net->donor[cell] & TW_RIVER_JOINED) != 0,
    };
}

/* Sets `level` of a stem's own cells to that of the river, which never rises downstream. */
static void set_levels(const struct writer *w, int32_t count, bool tributary)
{
    double lowest = 1e300;
    for (int32_t i = count; i-- > (tributary ? 1 : 0);) {
        int32_t cell = w->cells[i];
        double depth = w->size.depth * tw_pow((double)w->net->flow[cell], 0.4);
        double z = (double)w->net->level[cell] - depth / 4;
        lowest = z < lowest ? z : lowest;
        w->net->level[cell] = (float)lowest;
    }
}

/* A quarter of the way from a to b. */
static struct vertex between(const struct vertex *a, const struct vertex *b)
{
    return (struct vertex){
        .x = a->x + (b->x - a->x) / 4,
        .y = a->y + (b->y - a->y) / 4,
        .z = a->z + (b->z - a->z) / 4,
        .flow = a->flow + (b->flow - a->flow) / 4,
    };
}

static void write_point(struct writer *w, const struct vertex *v, bool first)
{
    const float flow = (float)v->flow;
    *w->next = (struct tw_line_point){
        .line = w->line,
        .x = (float)v->x,
        .y = (float)v->y,
        .z = (float)v->z,
        .width = (float)(w->size.width * sqrt((double)flow)),
        .depth = (float)(w->size.depth * tw_pow((double)flow, 0.4)),
        .flow = flow,
    };
    if (!first) {
        const struct tw_line_point *before = w->next - 1;
        double dx = (double)w->next->x - (double)before->x;
        double dy = ((double)w->next->y - (double)before->y) * w->net->d.height / w->net->d.width;
        w->length += sqrt(dx * dx + dy * dy);
    }
    w->next++;
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
        write_point(w, &cut[i], false);
}

static void write_stem(struct writer *w, int32_t stem)
{
    const bool tributary = is_tributary(w->net, stem);
    const int32_t count = collect(w, stem);
    struct vertex before = {0}, here, after;
    set_levels(w, count, tributary);
    here = vertex_at(w, w->cells[count - 1], w->cells[count - 1]);
    here.stays = true;
    for (int32_t i = count; i-- > 0; before = here, here = after) {
        if (i > 0) {
            int32_t cell = w->cells[i - 1];
            after = vertex_at(w, cell, i == 1 && tributary ? w->cells[1] : cell);
            after.stays |= i == 1;
        }
        if (here.stays)
            write_point(w, &here, i == count - 1);
        else
            cut_corner(w, &before, &here, &after);
    }
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
