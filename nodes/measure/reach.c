/* SPDX-License-Identifier: MIT */
/* Where the players of a map can go from their starts, and how fair it is to them: Liapis,
 * Yannakakis and Togelius 2013. Their tiles are our places, where a unit fits (Olsen 2004); their
 * distance is the octile length of the shortest way. Their exploration stops a flood at the other
 * start; ours takes all places that are not more steps away, so that no order of visits matters. */
#include "measure/kernels/cover_least.h"
#include "measure/kernels/fairness.h"
#include "measure/kernels/narrowest_cut.h"
#include "measure/kernels/reach_areas.h"

#include <math.h>
#include <string.h>

struct params {
    float unit_talus, building_talus; /* rise per map side */
    int32_t unit_size, building_size; /* sides of squares */
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, unit_talus, 8, 0, 1e6, TW_UNIT_RISE_PER_SIDE,
                 "slopes below are accessible to units", TW_USUAL(1, 20)),
    TW_PARAM_F32(struct params, building_talus, 2, 0, 1e6, TW_UNIT_RISE_PER_SIDE,
                 "slopes below are flat enough for buildings", TW_USUAL(0.5, 8)),
    TW_PARAM_I32(struct params, unit_size, 1, 1, 65536, TW_UNIT_CELLS,
                 "side of the square that a unit takes", TW_USUAL(1, 16)),
    TW_PARAM_I32(struct params, building_size, 9, 1, 65536, TW_UNIT_CELLS,
                 "side of the square that a building takes, and a start's base", TW_USUAL(1, 24)),
    TW_PARAM_END,
};

enum { IN, STARTS, TARGETS, BLOCK };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"starts", TW_POINTS, 0, "where the players start, 64 at most"},
    {"targets", TW_POINTS, TW_OPTIONAL, "what they compete for, such as ore"},
    {"block", TW_MASK, TW_OPTIONAL, "cells from 1/2 on are closed to units, such as water"},
    TW_PORT_END,
};

enum { LABELS, OWN, DISTANCE, CHOKE, RECORD };
static const struct tw_port outputs[] = {
    {"labels", TW_LABELS, 0, "regions that units cannot leave, the largest is 1; 0 elsewhere"},
    {"own", TW_LABELS, TW_ON_DEMAND, "number of the nearest start, from 1; 0 for none and on ties"},
    {"distance", TW_HEIGHTMAP, TW_ON_DEMAND,
     "way from the nearest start in map sides; -1 where none leads"},
    {"choke", TW_MASK, TW_ON_DEMAND, "1 in the narrowest passes, nearest each start"},
    {"record", TW_RECORD, 0,
     "share, area_least, area_greatest, build_least, build_greatest, way_least, way_greatest, "
     "clearance, cut, area_control, area_balance, exploration, exploration_balance, "
     "resource_control, resource_balance"},
    TW_PORT_END,
};

struct reach {
    struct tw_task *task;
    const struct params *params;
    struct tw_unit_ground ground;
    struct tw_nearest nearest;
    struct tw_areas areas;
    struct tw_flood flood;
    struct tw_clearance clearance;
    struct tw_cut cut;
    uint8_t *mark; /* places of cuts */
    int32_t starts[TW_STARTS_MAX], count;
    double explored[TW_STARTS_MAX]; /* E_i, in places */
    double way_least, way_greatest; /* between starts, in map sides */
    double widest;                  /* clearance in cells */
    int32_t cut_least;              /* -1: bases touch */
};

static bool lay_out(struct tw_scratch *s, struct reach *r)
{
    tw_unit_ground_lay_out(s, &r->ground);
    tw_nearest_lay_out(s, &r->nearest);
    r->flood.steps = tw_scratch_maps(s, 1, sizeof *r->flood.steps);
    r->flood.queue = tw_scratch_maps(s, 1, sizeof *r->flood.queue);
    tw_areas_lay_out(s, &r->areas);
    r->mark = tw_scratch_maps(s, 1, sizeof *r->mark);
    tw_clearance_lay_out(s, &r->clearance);
    return tw_cut_lay_out(s, &r->cut);
}

static int32_t cells_of(const struct reach *r) { return r->ground.width * r->ground.height; }

/* ---- places of starts and ways from them ---- */

static enum tw_status find_starts(struct reach *r)
{
    const struct tw_value *starts = tw_task_input(r->task, STARTS);
    if (starts->width < 1 || starts->width > TW_STARTS_MAX)
        return tw_task_fail(r->task, "'starts' has %d points; expected 1 to %d", starts->width,
                            TW_STARTS_MAX);
    enum tw_status status = TW_OK;
    for (r->count = 0; status == TW_OK && r->count < starts->width; r->count++)
        status = tw_unit_ground_place(r->task, &r->ground, "starts", r->count + 1,
                                      tw_points(starts) + r->count, &r->starts[r->count]);
    return status;
}

static void add_ways(struct reach *r, int32_t start)
{
    for (int32_t j = 0; j < r->count; j++) {
        double way = r->ground.heap.cost[r->starts[j]] / TW_STEP / r->ground.width;
        if (j == start || way == (double)INFINITY)
            continue;
        r->way_least = way < r->way_least ? way : r->way_least;
        r->way_greatest = way > r->way_greatest ? way : r->way_greatest;
    }
}

static enum tw_status walk(struct reach *r)
{
    tw_nearest_clear(&r->ground, &r->nearest);
    r->way_least = (double)INFINITY;
    for (int32_t i = 0; i < r->count; i++) {
        enum tw_status status = tw_reach_lengths(r->task, &r->ground, r->starts[i]);
        if (status != TW_OK)
            return status;
        tw_nearest_add(&r->ground, i, &r->nearest);
        add_ways(r, i);
        tw_unit_flood(&r->ground, r->starts[i], cells_of(r), &r->flood);
        r->explored[i] = tw_explore(&r->flood, r->starts, r->count, i);
        tw_task_progress(r->task, 0.7 * (i + 1) / r->count);
    }
    r->way_least = r->way_greatest > 0 ? r->way_least : 0;
    return TW_OK;
}

/* ---- passes ---- */

static enum tw_status find_passes(struct reach *r)
{
    enum tw_status status =
        tw_clearance_find(r->task, &r->ground, &r->clearance, r->starts, r->count, &r->widest);
    memset(r->mark, 0, (size_t)cells_of(r));
    if (status == TW_OK)
        status = tw_cut_find_all(r->task, &r->ground, &r->cut, r->starts, r->count,
                                 r->params->building_size / 2, r->mark, &r->cut_least);
    return status;
}

/* ---- outputs ---- */

/* The centre of a unit: a cell, or the four around a corner. */
static void write_choke(const struct reach *r, float *out)
{
    const struct tw_unit_ground *g = &r->ground;
    const int32_t last = g->size / 2, first = last - (g->size % 2 == 0);
    memset(out, 0, (size_t)cells_of(r) * sizeof *out);
    for (int32_t i = 0; i < cells_of(r); i++)
        for (int32_t dy = first; r->mark[i] && dy <= last; dy++)
            for (int32_t dx = first; dx <= last; dx++)
                out[i + dy * g->width + dx] = 1;
}

/* Lengths are not negative, so their bits sort as they do. */
static void write_distance(const struct reach *r, float *out)
{
    const struct tw_unit_ground *g = &r->ground;
    for (int32_t i = 0; i < cells_of(r); i++) {
        float way = (float)(r->nearest.best[i] / TW_STEP / g->width);
        memcpy(r->areas.work + i, &way, sizeof way);
        r->areas.work[i] = r->nearest.who[i] ? r->areas.work[i] : TW_COVER_NONE;
    }
    tw_cover_least(r->areas.work, g->width, g->height, g->size);
    memcpy(out, r->areas.work, (size_t)cells_of(r) * sizeof *out);
    for (int32_t i = 0; i < cells_of(r); i++)
        out[i] = r->areas.work[i] == TW_COVER_NONE ? -1.0f : out[i];
}

static void cover_labels(const struct reach *r)
{
    int32_t *label = r->ground.label;
    for (int32_t i = 0; i < cells_of(r); i++)
        label[i] = label[i] ? label[i] : TW_COVER_NONE;
    tw_cover_least(label, r->ground.width, r->ground.height, r->ground.size);
    for (int32_t i = 0; i < cells_of(r); i++)
        label[i] = label[i] == TW_COVER_NONE ? 0 : label[i];
}

static void write_maps(struct reach *r)
{
    struct tw_value *own = tw_task_output(r->task, OWN);
    float *distance = tw_floats(tw_task_output(r->task, DISTANCE));
    float *choke = tw_floats(tw_task_output(r->task, CHOKE));
    if (tw_labels(own))
        memcpy(tw_labels(own), r->areas.own, (size_t)cells_of(r) * sizeof *r->areas.own);
    if (distance)
        write_distance(r, distance);
    if (choke)
        write_choke(r, choke);
    cover_labels(r);
}

struct resource {
    double control, balance;
};

static struct resource weigh_targets(const struct reach *r)
{
    const struct tw_value *targets = tw_task_input(r->task, TARGETS);
    double sums[TW_STARTS_MAX] = {0}, control = 0;
    int32_t count = targets ? targets->width : 0, outside = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t place = tw_unit_ground_try(&r->ground, tw_points(targets) + i);
        outside += place < 0;
        if (place < 0 || r->nearest.who[place] == 0)
            continue;
        sums[r->nearest.who[place] - 1] += tw_safety(&r->nearest, place);
        control += tw_safety(&r->nearest, place);
    }
    if (outside)
        tw_task_warn(r->task, "%d of %d targets are not on ground for a unit", outside, count);
    if (count == 0)
        return (struct resource){0, 0};
    return (struct resource){control / count, tw_balance(sums, r->count)};
}

static double share_reached(const struct reach *r)
{
    double reached = 0;
    for (int32_t i = 0; i < cells_of(r); i++)
        reached += r->nearest.who[i] > 0;
    return reached / r->ground.count;
}

struct range {
    double least, greatest, sum;
};

static struct range range_of(const double *values, int32_t count)
{
    struct range range = {values[0], values[0], 0};
    for (int32_t i = 0; i < count; i++) {
        range.least = values[i] < range.least ? values[i] : range.least;
        range.greatest = values[i] > range.greatest ? values[i] : range.greatest;
        range.sum += values[i];
    }
    return range;
}

static enum tw_status write_record(struct reach *r)
{
    const struct resource resource = weigh_targets(r);
    const struct range area = range_of(r->areas.area, r->count),
                       built = range_of(r->areas.built, r->count);
    const double cells = cells_of(r), places = r->ground.count;
    const struct tw_entry record[] = {
        {"share", share_reached(r)},
        {"area_least", area.least / cells},
        {"area_greatest", area.greatest / cells},
        {"build_least", built.least / cells},
        {"build_greatest", built.greatest / cells},
        {"way_least", r->way_least},
        {"way_greatest", r->way_greatest},
        {"clearance", r->widest / r->ground.width},
        {"cut", r->cut_least},
        {"area_control", range_of(r->areas.safe, r->count).sum / places},
        {"area_balance", tw_balance(r->areas.safe, r->count)},
        {"exploration", range_of(r->explored, r->count).sum / r->count / places},
        {"exploration_balance", tw_balance(r->explored, r->count)},
        {"resource_control", resource.control},
        {"resource_balance", resource.balance},
    };
    enum tw_status status = tw_task_list(r->task, RECORD, sizeof record / sizeof *record);
    if (status == TW_OK)
        memcpy(tw_task_output(r->task, RECORD)->data, record, sizeof record);
    return status;
}

static enum tw_status measure(struct reach *r)
{
    enum tw_status status = find_starts(r);
    if (status == TW_OK)
        status = walk(r);
    if (status != TW_OK)
        return status;
    tw_areas_find(r->task, &r->ground, &r->nearest, r->params->building_size, r->count, &r->areas);
    if (tw_task_wants(r->task, RECORD) || tw_task_wants(r->task, CHOKE))
        status = find_passes(r);
    if (status == TW_OK && tw_task_wants(r->task, RECORD))
        status = write_record(r);
    if (status == TW_OK)
        write_maps(r);
    return status;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *block = tw_task_input(task, BLOCK);
    const struct tw_unit_rules rules = {p->unit_talus, p->building_talus, p->unit_size,
                                        block ? tw_floats(block) : NULL};
    struct reach r = {.task = task, .params = p};
    if (!lay_out(&(struct tw_scratch){.task = task}, &r))
        return tw_task_no_memory(task);
    r.ground.label = tw_labels(tw_task_output(task, LABELS));
    enum tw_status status =
        tw_unit_ground_find(task, &rules, tw_floats(tw_task_input(task, IN)), &r.ground);
    return status == TW_OK ? measure(&r) : status;
}

static void forecast(struct tw_forecast *f)
{
    struct reach r = {.params = f->params};
    lay_out(&(struct tw_scratch){.forecast = f}, &r);
    tw_unit_ground_forecast(f);
}

extern const struct tw_node_type tw_node_measure_reach;
const struct tw_node_type tw_node_measure_reach = {
    .name = "measure.reach",
    .version = 1,
    .summary = "where players can go from their starts, and how fair the map is",
    .keywords = "fairness, balance, pathfinding, chokepoints, territory, players, start positions, "
                "real-time strategy, resources, connectivity",
    .elsewhere = "r.cost (GRASS)",
    .detail =
        "Measures where players can go from their starts, how much of the ground each comes to "
        "first, where passes are narrow, and how fair the map is: to assert that a map for several "
        "players is playable, or to search for one that is. Choose measure.score for a map "
        "without players, and shape.connect to join what units cannot reach.\n"
        "A unit takes unit_size x unit_size cells, each gentler than unit_talus and not blocked; "
        "places where it fits are joined by steps to four neighbours. Diagonal steps are 1.4142 "
        "cells long and cut no corner. Units do not leave the map. A unit of odd size has its "
        "centre in a cell, which holds the start's point; one of even size at the corner of cells "
        "nearest the point. Points that are to mirror each other exactly therefore lie at centres "
        "of cells for odd sizes, at corners for even ones.\n"
        "Own: a place belongs to the start with the shortest way to it, and a cell to the start "
        "whose places cover it, if there is only one; ties belong to no one. Labels: regions by "
        "falling number of places, on ties in reading order. Choke: the narrowest cut, which is "
        "the fewest places that part a start from all others; of several such cuts the one nearest "
        "to it; a start's base, its building_size square, is not cut.\n"
        "The record has these shares of the map: area_least and area_greatest, of a start's own "
        "cells; build_least and build_greatest, of own cells that building_size squares of flat "
        "own cells cover. share is that of all places which some start reaches. In map sides: "
        "way_least and way_greatest, ways between starts (0 where none leads), and clearance, how "
        "far a unit can stay from where it does not fit, on the way that joins all starts (0 "
        "without such a way). cut is the number of places of the narrowest cut: 0 if a start is "
        "cut off already, -1 with one start or if bases meet.\n"
        "The other entries are those of Liapis, Yannakakis and Togelius (2013), for N starts, M "
        "targets and P places, d the length of a way. The safety of a place for a start (1 where "
        "only that start reaches it, 0 where it does not):\n"
        "    s(t, i) = min over j of max(0, (d_tj - d_ti) / (d_tj + d_ti)).\n"
        "    area_control = sum A_i / P, where A_i counts the places with s > 0.35;\n"
        "    area_balance = 1 - mean over i, j of |A_i - A_j| / max(A_i, A_j);\n"
        "    exploration = mean E_i / P, where E_i is the mean over j of the number of places at "
        "most as many steps from i as j is;\n"
        "    resource_control = mean over targets of max s.\n"
        "exploration_balance and resource_balance are formed as area_balance, of E_i and of the "
        "mean safety of all targets. With one start balances are 1; without targets both resource "
        "entries are 0.\n"
        "It takes about 2 microseconds a cell with two starts, as every start is searched from.\n"
        "A start where no unit fits is an error, which names the nearest place that would do; a "
        "target there counts as unreached.",
    .cite = "liapis2013 olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: noise.spectral}\n"
               "low: {type: shape.remap, in: land, to: [0, 0.3]}\n"
               "bases: {type: feature.points, points: [{x: 0.2, y: 0.2}, {x: 0.8, y: 0.8}]}\n"
               "reach: {type: measure.reach, in: low, starts: bases}",
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
