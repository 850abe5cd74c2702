/* SPDX-License-Identifier: MIT */
/* Joins ground that units cannot reach by ramps, one after the other, until enough of it is joined:
 * after the goals of Olsen 2004, "Playability issues", whose text leaves open how to reach them.
 * Ways are those of least cost from the home region, where a step of length l that rises by dz
 * costs
 *     l (1 + 4 max(0, |dz| / (g l) - 1)^2),    g = 0.8 unit_talus / width.
 * kernels/ramp.h levels the ground along the way. */
#include "common/distance_transform.h"
#include "shape/kernels/ramp.h"

#include <thalweg/kernel.h>
#include <thalweg/masks.h>

#include <math.h>
#include <string.h>

struct params {
    float unit_talus; /* Tu N: rise per map side */
    int32_t unit_size;
    float share, least;
    int32_t turn;
};

enum { TURN_NONE, TURN_2, TURN_4 };

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, unit_talus, 8, 0, 1e6, TW_UNIT_RISE_PER_SIDE,
                 "slopes below are accessible to units", TW_USUAL(1, 20)),
    TW_PARAM_I32(struct params, unit_size, 1, 1, 65536, TW_UNIT_CELLS,
                 "side of the square that a unit takes", TW_USUAL(1, 16)),
    TW_PARAM_F32(struct params, share, 0.95, 0, 1, TW_UNIT_SHARE,
                 "of the places for a unit, to be in the home region"),
    TW_PARAM_F32(struct params, least, 0.001, 0, 1, TW_UNIT_SHARE,
                 "of the map: smaller regions are not joined", TW_USUAL(0, 0.05)),
    TW_PARAM_ENUM(struct params, turn, TURN_NONE, "none|2|4",
                  "turns of the map that have equal bytes; ramps are laid on all images"),
    TW_PARAM_END,
};

enum { IN, MASK, STARTS };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"mask", TW_MASK, TW_OPTIONAL, "cells below 1/2 keep their heights"},
    {"starts", TW_POINTS, TW_OPTIONAL, "the first is in the home region; none: the largest is it"},
    TW_PORT_END,
};

enum { OUT, RAMPS, RECORD };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the terrain with ramps"},
    {"ramps", TW_MASK, TW_ON_DEMAND, "1 in their cells"},
    {"record", TW_RECORD, 0, "share, ramps, aside, earth"},
    TW_PORT_END,
};

/* The farthest that a ramp leads into the regions which it joins, in cells. */
enum { DEPTH_FIRST = 4, DEPTH_LAST = 64 };
enum { POLL = 1 << 16 };

struct connect {
    struct tw_task *task;
    const struct params *params;
    struct tw_unit_ground ground;
    struct tw_ramp ramp;
    struct tw_flood flood;
    struct tw_distance_space space;
    float *open, *room; /* 1 at places; how far a place is from where there is none */
    int32_t *from;      /* the place before each on its way from home */
    int32_t *label;     /* of the round at hand, while others are tried */
    uint8_t *aside;     /* 1 at places of regions that no ramp could join */
    uint8_t *laid;      /* 1 in the cells of ramps */
    float *heights, *before;
    int32_t start; /* place in the home region; -1: the largest region */
    int32_t ramps, set_aside;
};

static bool lay_out(struct tw_scratch *s, struct connect *c)
{
    tw_unit_ground_lay_out(s, &c->ground);
    tw_ramp_lay_out(s, &c->ramp);
    tw_distance_lay_out(s, &c->space, false);
    int32_t **const numbers[] = {&c->ground.label, &c->flood.steps, &c->flood.queue, &c->from,
                                 &c->label};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = tw_scratch_maps(s, 1, sizeof **numbers[i]);
    c->open = tw_scratch_maps(s, 1, sizeof *c->open);
    c->room = tw_scratch_maps(s, 1, sizeof *c->room);
    c->before = tw_scratch_maps(s, 1, sizeof *c->before);
    c->aside = tw_scratch_maps(s, 1, sizeof *c->aside);
    c->laid = tw_scratch_maps(s, 1, sizeof *c->laid);
    return tw_scratch_is_laid(s);
}

static int32_t cells_of(const struct connect *c) { return c->ground.width * c->ground.height; }

static enum tw_status find_ground(struct connect *c)
{
    const struct tw_unit_rules rules = {c->params->unit_talus, c->params->unit_talus,
                                        c->params->unit_size, NULL};
    return tw_unit_ground_find(c->task, &rules, c->heights, &c->ground);
}

static enum tw_status find_room(struct connect *c)
{
    const struct tw_distance distance = {.in = c->open, .scale = 1, .limit = 1e9f};
    for (int32_t i = 0; i < cells_of(c); i++)
        c->open[i] = c->ground.label[i] ? 1.0f : 0.0f;
    return tw_distance_transform(c->task, &distance, &c->space, c->room);
}

/* Label of the home region; 0 if there is no place at all, or none any more at the start. */
static int32_t home_of(const struct connect *c)
{
    return c->start >= 0 ? c->ground.label[c->start] : c->ground.groups > 0;
}

static double share_of_home(const struct connect *c)
{
    const int32_t home = home_of(c);
    return home ? (double)c->ground.members[home] / c->ground.count : 0;
}

/* ---- ways from the home region ---- */

/* Of a unit's centre; the square lies within the map. */
static int32_t centre_of(const struct tw_unit_ground *g, int32_t place)
{
    return place + g->size / 2 * (g->width + 1);
}

static double cost_of_step(const struct connect *c, int32_t from, int32_t to, bool diagonal)
{
    double length = diagonal ? 1.4142135623730951 : 1;
    double rise = fabs((double)c->heights[centre_of(&c->ground, to)] -
                       (double)c->heights[centre_of(&c->ground, from)]);
    double excess = rise / ((double)c->ramp.rise * length) - 1;
    return excess > 0 ? length * (1 + 4 * excess * excess) : length;
}

/* Lowers the costs around a place. Ways may lead where no unit fits as yet. */
static void go_on(struct connect *c, int32_t at)
{
    struct tw_unit_ground *g = &c->ground;
    for (int32_t k = 0; k < 9; k++) {
        int32_t x = at % g->width + k % 3 - 1, y = at / g->width + k / 3 - 1;
        if (k == 4 || x < 0 || y < 0 || x > g->width - g->size || y > g->height - g->size)
            continue;
        int32_t to = y * g->width + x;
        if (c->ramp.mask && c->ramp.mask[centre_of(g, to)] < 0.5f && !g->label[to])
            continue;
        double cost = g->heap.cost[at] + cost_of_step(c, at, to, k % 2 == 0);
        if (cost < g->heap.cost[to]) {
            c->from[to] = at;
            tw_cost_heap_lower(&g->heap, to, cost);
        }
    }
}

static enum tw_status find_ways(struct connect *c, int32_t home)
{
    struct tw_unit_ground *g = &c->ground;
    tw_cost_heap_clear(&g->heap);
    for (int32_t i = 0; i < cells_of(c); i++)
        if (g->label[i] == home) {
            c->from[i] = -1;
            tw_cost_heap_lower(&g->heap, i, 0);
        }
    for (int32_t at, taken = 0; (at = tw_cost_heap_pop(&g->heap)) >= 0; taken++) {
        if (taken % POLL == 0 && tw_task_cancelled(c->task))
            return TW_CANCELLED;
        go_on(c, at);
    }
    return TW_OK;
}

/* Returns the cheapest place of each region in flood.queue, by label - 1; -1 for regions that are
 * set aside. */
static const int32_t *find_gates(struct connect *c)
{
    int32_t *const gates = c->flood.queue;
    for (int32_t i = 0; i < c->ground.groups; i++)
        gates[i] = -2;
    for (int32_t i = 0; i < cells_of(c); i++) {
        int32_t label = c->ground.label[i];
        int32_t *gate = &gates[label - (label > 0)];
        if (!label || *gate == -1)
            continue;
        if (c->aside[i])
            *gate = -1;
        else if (*gate < 0 || c->ground.heap.cost[i] < c->ground.heap.cost[*gate])
            *gate = i;
    }
    return gates;
}

/* Returns the place by which the region with the least cost for each of its places is entered; -1
 * if there is none left to join. */
static int32_t choose(struct connect *c, int32_t home)
{
    const int32_t *gate = find_gates(c);
    const double fewest = (double)c->params->least * cells_of(c);
    double best = (double)INFINITY;
    int32_t chosen = -1;
    for (int32_t i = 1; i <= c->ground.groups; i++) {
        if (i == home || gate[i - 1] < 0 || c->ground.members[i] < fewest)
            continue;
        double cost = c->ground.heap.cost[gate[i - 1]] / c->ground.members[i];
        if (cost < best) {
            best = cost;
            chosen = gate[i - 1];
        }
    }
    return chosen;
}

/* ---- ramps ---- */

/* Returns the place before this one on a way from `place`; of several the one nearest to it, so
 * that ways cross open ground without corners. */
static int32_t step_back(const struct connect *c, int32_t at, int32_t place)
{
    int32_t best = place;
    int64_t least = INT64_MAX;
    for (int k = 0; k < 4; k++) {
        int32_t to = tw_unit_ground_step(&c->ground, at, k);
        if (to < 0 || c->flood.steps[to] != c->flood.steps[at] - 1)
            continue;
        int64_t dx = to % c->ground.width - place % c->ground.width;
        int64_t dy = to / c->ground.width - place / c->ground.width;
        if (dx * dx + dy * dy < least) {
            least = dx * dx + dy * dy;
            best = to;
        }
    }
    return best;
}

/* Adds the way from a place to the widest at most so many cells away in its region. */
static void add_way_inside(struct connect *c, int32_t place, int32_t depth)
{
    tw_unit_flood(&c->ground, place, depth, &c->flood);
    int32_t at = place;
    for (int32_t i = 1; i < c->flood.count; i++)
        if (c->room[c->flood.queue[i]] > c->room[at])
            at = c->flood.queue[i];
    for (; at != place && !tw_task_cancelled(c->task); at = step_back(c, at, place))
        tw_ramp_add(&c->ground, &c->ramp, at);
}

static void draw_corridor(struct connect *c, int32_t gate, int32_t depth)
{
    int32_t at = gate;
    tw_ramp_clear(&c->ground, &c->ramp);
    add_way_inside(c, gate, depth);
    for (; c->from[at] >= 0 && !tw_task_cancelled(c->task); at = c->from[at])
        tw_ramp_add(&c->ground, &c->ramp, at);
    tw_ramp_add(&c->ground, &c->ramp, at);
    add_way_inside(c, at, depth);
}

/* Returns whether the home region has grown by at least half of that one. */
static bool is_joined(const struct connect *c, int32_t label, int32_t members)
{
    const int32_t home = home_of(c);
    int32_t joined = 0, all = 0;
    for (int32_t i = 0; i < cells_of(c); i++) {
        all += c->label[i] == label;
        joined += c->label[i] == label && c->ground.label[i] == home;
    }
    return home && c->ground.members[home] > members && joined >= all - joined;
}

/* Lays a ramp into the region of `gate`, measures again, and takes it back if that did not help. */
static enum tw_status try_ramp(struct connect *c, int32_t gate, int32_t depth, bool *joined)
{
    const size_t bytes = (size_t)cells_of(c) * sizeof *c->heights;
    const int32_t members = c->ground.members[home_of(c)];
    memcpy(c->before, c->heights, bytes);
    memcpy(c->label, c->ground.label, bytes);
    draw_corridor(c, gate, depth);
    enum tw_status status = tw_ramp_level(c->task, &c->ground, &c->ramp, c->heights);
    if (status == TW_OK)
        status = find_ground(c);
    *joined = status == TW_OK && is_joined(c, c->label[gate], members);
    for (int32_t i = 0; *joined && i < cells_of(c); i++)
        c->laid[i] |= c->ramp.corridor[i];
    if (status != TW_OK || *joined)
        return status;
    memcpy(c->heights, c->before, bytes);
    return find_ground(c);
}

static void put_aside(struct connect *c, int32_t gate)
{
    for (int32_t i = 0; i < cells_of(c); i++)
        c->aside[i] |= c->ground.label[i] == c->ground.label[gate];
    c->set_aside++;
}

/* Joins one region or sets it aside; `more` is false when neither is possible. */
static enum tw_status play_round(struct connect *c, bool *more)
{
    const int32_t home = home_of(c);
    bool joined = false;
    enum tw_status status = find_ways(c, home);
    const int32_t gate = status == TW_OK ? choose(c, home) : -1;
    *more = gate >= 0;
    if (!*more)
        return status;
    status = find_room(c);
    for (int32_t depth = DEPTH_FIRST; status == TW_OK && !joined && depth <= DEPTH_LAST; depth *= 2)
        status = try_ramp(c, gate, depth, &joined);
    if (status == TW_OK && !joined)
        put_aside(c, gate);
    c->ramps += joined ? c->ramp.turns : 0;
    return status;
}

static enum tw_status join_regions(struct connect *c)
{
    const double want = (double)c->params->share, share = share_of_home(c);
    enum tw_status status = TW_OK;
    for (bool more = home_of(c) > 0; more && status == TW_OK && share_of_home(c) < want;) {
        status = play_round(c, &more);
        if (share_of_home(c) < want)
            tw_task_progress(c->task, (share_of_home(c) - share) / (want - share));
    }
    if (status == TW_OK && share_of_home(c) < want)
        tw_task_warn(c->task, "ramps join %.3g of the ground; expected %.3g; %d regions set aside",
                     share_of_home(c), want, c->set_aside);
    return status;
}

/* ---- results ---- */

static enum tw_status write_record(const struct connect *c, const float *in)
{
    double earth = 0;
    for (int32_t i = 0; i < cells_of(c); i++)
        earth += fabs((double)c->heights[i] - (double)in[i]);
    enum tw_status status = tw_task_list(c->task, RECORD, 4);
    if (status != TW_OK)
        return status;
    struct tw_value *record = tw_task_output(c->task, RECORD);
    tw_record_set(record, 0, "share", share_of_home(c));
    tw_record_set(record, 1, "ramps", c->ramps);
    tw_record_set(record, 2, "aside", c->set_aside);
    tw_record_set(record, 3, "earth", earth / cells_of(c));
    return TW_OK;
}

static enum tw_status find_start(struct connect *c)
{
    const struct tw_value *starts = tw_task_input(c->task, STARTS);
    c->start = -1;
    if (!starts)
        return TW_OK;
    if (starts->width < 1)
        return tw_task_fail(c->task, "'starts' has no points; expected at least one");
    return tw_unit_ground_place(c->task, &c->ground, "starts", 1, tw_points(starts), &c->start);
}

static enum tw_status connect(struct connect *c, const float *in)
{
    float *ramps = tw_floats(tw_task_output(c->task, RAMPS));
    const size_t cells = (size_t)cells_of(c);
    memcpy(c->heights, in, cells * sizeof *in);
    memset(c->aside, 0, cells);
    memset(c->laid, 0, cells);
    enum tw_status status = find_ground(c);
    if (status == TW_OK)
        status = find_start(c);
    if (status == TW_OK)
        status = join_regions(c);
    for (size_t i = 0; ramps && i < cells; i++)
        ramps[i] = c->laid[i];
    return status == TW_OK ? write_record(c, in) : status;
}

static enum tw_status run(struct tw_task *task)
{
    static const int32_t turns[] = {1, 2, 4};
    const struct params *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, IN), *mask = tw_task_input(task, MASK);
    struct connect c = {.task = task, .params = p, .heights = tw_floats(tw_task_output(task, OUT))};
    if (p->turn == TURN_4 && in->width != in->height)
        return tw_task_fail(task, "the map has %d x %d cells; expected a square for turn: 4",
                            in->width, in->height);
    if (!lay_out(&(struct tw_scratch){.task = task}, &c))
        return tw_task_no_memory(task);
    c.ramp.mask = mask ? tw_floats(mask) : NULL;
    c.ramp.turns = turns[p->turn];
    c.ramp.rise = 0.8f * p->unit_talus / (float)in->width;
    return connect(&c, tw_floats(in));
}

static void forecast(struct tw_forecast *f)
{
    struct connect c = {.params = f->params};
    lay_out(&(struct tw_scratch){.forecast = f}, &c);
    tw_unit_ground_forecast(f);
}

extern const struct tw_node_type tw_node_shape_connect;
const struct tw_node_type tw_node_shape_connect = {
    .name = "shape.connect",
    .version = 1,
    .summary = "join ground that units cannot reach by ramps",
    .keywords = "playable, ramps, accessibility, passes, real-time strategy, reachable, plateaus, "
                "connectivity, paths",
    .detail =
        "Makes a map playable: lays ramps until units can go from their home region to most of "
        "the ground on which they could stand. Choose measure.reach to see what is joined, and "
        "path.road for a road between two places.\n"
        "Regions are those of measure.reach: places where a unit_size square of cells gentler than "
        "unit_talus fits, joined by steps to four neighbours. Home is the region of the first "
        "start, or the largest. Until `share` of all places are in it, a ramp is laid into the "
        "region that costs least for each of its places; a step of length l that rises by dz costs this:\n"
        "    l (1 + 4 max(0, |dz| / (g l) - 1)^2), with g = 0.8 unit_talus / width.\n"
        "Along this way, and on to the widest place up to 4 cells inside both regions, the cells "
        "within 1.5 (unit_size / 2 + 1) take heights halfway between the lowest ground above and "
        "the highest ground below that rise by at most g between neighbours, so a unit can walk "
        "there. Sides of a ramp stay raw; thermal erosion there softens them, but measure again.\n"
        "A ramp that does not join the regions is tried 8, 16, 32 and 64 cells deep; then the "
        "region is set aside. That happens to tables that are too high for their size: the result "
        "then has a smaller share than asked for, and a warning. A map without any place for a "
        "unit stays as it is.\n"
        "Maps whose halves or quarters have equal bytes stay so with turn: 2 or 4, which lays "
        "every ramp on all images.\n"
        "record: share of the places that are joined, ramps, regions set aside, and earth, the "
        "mean change of height over the map. The time grows with the number of ramps: some 2 "
        "microseconds a cell for each.",
    .cite = "olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.perlin}\n"
               "steps: {type: shape.terrace, in: noise, levels: 6}\n"
               "joined: {type: shape.connect, in: steps, unit_talus: 3}",
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
