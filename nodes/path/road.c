/* SPDX-License-Identifier: MIT */
/* A road of limited grade: Galin, Peytavie, Marechal and Guerin 2010, "Procedural generation of
 * roads", whose anisotropic search for the cheapest way is in kernels/road_search.c. Added to it:
 * heights along the line that keep the grade exactly, as the mean of the least majorant and the
 * greatest minorant of the ground that do. */
#include "path/kernels/road_line.h"

#include <thalweg/kernel.h>

#include <string.h>

struct params {
    float grade;     /* true slope */
    float turn;      /* degrees */
    float curvature; /* w_c, sides^2 */
    float width;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, grade, 0.12, 0.001, 10, TW_UNIT_TRUE_SLOPE,
                 "greatest slope of the road", TW_USUAL(0.03, 0.3)),
    TW_PARAM_F32(struct params, turn, 135, 1, 180, TW_UNIT_DEGREES,
                 "greatest turn from one step of the search to the next"),
    TW_PARAM_F32(struct params, curvature, 4e-5, 0, 1, TW_UNIT_NONE,
                 "cost of curvature squared, in map sides squared: more makes wider bends",
                 TW_USUAL(0, 0.0005)),
    TW_PARAM_F32(struct params, width, 0.002, 0, 1, TW_UNIT_SIDE, "of the road",
                 TW_USUAL(0.0005, 0.01)),
    TW_PARAM_END,
};

enum { IN, VIA, COST, FORBID };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"via", TW_POINTS, 0, "where the road leads, in order: 2 to 64 points"},
    {"cost", TW_MASK, TW_OPTIONAL, "ground to avoid: a way costs up to 21 times as much there"},
    {"forbid", TW_MASK, TW_OPTIONAL, "no road in cells from 1/2 on"},
    TW_PORT_END,
};

enum { LINES, RECORD };
static const struct tw_port outputs[] = {
    {"lines", TW_LINES, 0, "one line through all points, with heights and width"},
    {"record", TW_RECORD, 0, "length, grade, cut, fill"},
    TW_PORT_END,
};

enum { VIA_MAX = 64 };

struct road {
    struct tw_task *task;
    const struct params *params;
    struct tw_road_map map;
    struct tw_road_search search;
    struct tw_vertex *way, *spare;
    struct tw_vertex via[VIA_MAX];
    int32_t count;  /* of points */
    int32_t leg;    /* the one that has no way */
    double length;  /* of the line in cells */
    int32_t points; /* of the line; 0 if there is none */
};

static bool lay_out(struct tw_scratch *s, struct road *r)
{
    const uint64_t worst = (uint64_t)TW_ROAD_VERTICES_MAX * TW_ROAD_GROWTH;
    tw_road_search_lay_out(s, &r->search);
    const uint64_t expected = 16 * (uint64_t)(r->search.width + r->search.height);
    r->way = tw_scratch_reserve(s, worst, sizeof *r->way, expected);
    r->spare = tw_scratch_reserve(s, worst, sizeof *r->spare, expected);
    return tw_scratch_is_laid(s);
}

static enum tw_status find_points(struct road *r)
{
    const struct tw_value *via = tw_task_input(r->task, VIA);
    const struct tw_point *at = tw_points(via);
    r->count = via->width;
    if (r->count < 2 || r->count > VIA_MAX)
        return tw_task_fail(r->task, "'via' has %d points; expected 2 to %d", r->count, VIA_MAX);
    for (int32_t i = 0; i < r->count; i++) {
        struct tw_vertex v = {(double)tw_clamp(at[i].x, 0, 1) * r->map.width,
                              (double)tw_clamp(at[i].y, 0, 1) * r->map.height, true};
        int32_t cell = tw_clamp_index((int32_t)v.y, r->map.height) * r->map.width +
                       tw_clamp_index((int32_t)v.x, r->map.width);
        if (r->map.forbid && r->map.forbid[cell] >= 0.5f)
            return tw_task_fail(r->task,
                                "point %d of 'via', {x: %.6g, y: %.6g}, is in a forbidden cell",
                                i + 1, (double)at[i].x, (double)at[i].y);
        if (i > 0 && !(tw_vertex_distance(&v, &r->via[i - 1]) >= 0.5))
            return tw_task_fail(r->task,
                                "points %d and %d of 'via' are %.3g cells apart; expected at "
                                "least half a cell",
                                i, i + 1, tw_vertex_distance(&v, &r->via[i - 1]));
        r->via[i] = v;
    }
    return TW_OK;
}

/* ---- one attempt ---- */

/* Resamples the way and gives it heights; writes the outputs if `keep`. The road has no points if
 * it is too short for the grade. */
static enum tw_status level(struct road *r, double grade, int32_t vertices, bool keep)
{
    struct tw_road_profile profile;
    struct tw_scratch scratch = {.task = r->task};
    r->length = tw_road_length(r->way, vertices);
    r->points = (int32_t)(2 * r->length) + 2;
    struct tw_line_point *line =
        tw_scratch_take(&scratch, (uint64_t)r->points, sizeof(struct tw_line_point));
    if (!tw_road_profile_lay_out(&scratch, (uint64_t)r->points, &profile))
        return tw_task_no_memory(r->task);
    memset(line, 0, (size_t)r->points * sizeof *line);
    tw_road_resample(&r->map, r->way, vertices, line, r->points);
    if (!tw_road_level(&r->map, grade, line, r->points, &profile)) {
        r->points = 0;
        return TW_OK;
    }
    if (!keep)
        return TW_OK;
    enum tw_status status = tw_task_list(r->task, LINES, r->points);
    if (status == TW_OK)
        status = tw_task_list(r->task, RECORD, 4);
    if (status != TW_OK)
        return status;
    for (int32_t i = 0; i < r->points; i++)
        line[i].width = r->params->width;
    memcpy(tw_line_points(tw_task_output(r->task, LINES)), line, (size_t)r->points * sizeof *line);
    struct tw_value *record = tw_task_output(r->task, RECORD);
    tw_record_set(record, 0, "length", r->length / r->map.width);
    tw_record_set(record, 1, "grade", profile.grade);
    tw_record_set(record, 2, "cut", profile.cut);
    tw_record_set(record, 3, "fill", profile.fill);
    return TW_OK;
}

/* Steps may be steeper than the road, which the profile levels; where that leaves the line too
 * short to climb, less steep ones. */
static enum tw_status attempt(struct road *r, double grade, bool keep)
{
    static const double excess[] = {1.15, 1.0, 0.9, 0.8};
    enum tw_status status = TW_OK;
    r->points = 0;
    for (size_t i = 0; status == TW_OK && r->points == 0 && i < sizeof excess / sizeof *excess;
         i++) {
        const struct tw_scratch_mark then = tw_task_scratch_mark(r->task);
        int32_t vertices;
        status = tw_road_search_run(r->task, &r->search, grade, excess[i], r->via, r->count, r->way,
                                    &vertices, &r->leg);
        if (status != TW_OK || vertices == 0)
            return status;
        vertices = tw_road_smooth(&r->map, r->way, r->spare, vertices);
        status = level(r, grade, vertices, keep);
        tw_task_scratch_return(r->task, then);
    }
    return status;
}

/* ---- the least grade that has a way ---- */

#define GRADE_MOST 1000.0

/* Doubles the grade until there is a way, then halves the interval until it is known to 1 %. */
static enum tw_status fail_with_grade(struct road *r)
{
    const int32_t leg = r->leg < r->count ? r->leg : r->count - 1;
    double low = (double)r->params->grade, high = low;
    enum tw_status status = TW_OK;
    for (r->points = 0; status == TW_OK && r->points == 0 && high < GRADE_MOST;) {
        low = high;
        high *= 2;
        status = attempt(r, high, false);
    }
    if (status == TW_OK && r->points == 0)
        return tw_task_fail(r->task,
                            "no way leads from point %d to point %d of 'via', however steep; "
                            "expected ground between them that is not forbidden",
                            leg, leg + 1);
    while (status == TW_OK && high > 1.01 * low) {
        const double middle = 0.5 * (low + high);
        status = attempt(r, middle, false);
        if (r->points > 0)
            high = middle;
        else
            low = middle;
    }
    if (status != TW_OK)
        return status;
    return tw_task_fail(r->task,
                        "no way with a grade of %.4g leads from point %d to point %d of 'via'; the "
                        "least grade that has one is %.4g",
                        (double)r->params->grade, leg, leg + 1, high);
}

static enum tw_status run(struct tw_task *task)
{
    const struct tw_world *world = tw_task_world(task);
    const struct tw_value *in = tw_task_input(task, IN), *cost = tw_task_input(task, COST),
                          *forbid = tw_task_input(task, FORBID);
    struct road r = {.task = task, .params = tw_task_params(task)};
    r.map = (struct tw_road_map){.heights = tw_floats(in),
                                 .cost = cost ? tw_floats(cost) : NULL,
                                 .forbid = forbid ? tw_floats(forbid) : NULL,
                                 .width = in->width,
                                 .height = in->height,
                                 .slope = (world->given ? world->height_m / world->side_m : 0.15) *
                                          in->width,
                                 .curvature = (double)r.params->curvature * in->width * in->width,
                                 .turn = (double)r.params->turn};
    if (!lay_out(&(struct tw_scratch){.task = task}, &r))
        return tw_task_no_memory(task);
    enum tw_status status = find_points(&r);
    if (status != TW_OK)
        return status;
    tw_road_search_start(task, &r.map, r.via, r.count, &r.search);
    status = attempt(&r, (double)r.params->grade, true);
    return status == TW_OK && r.points == 0 ? fail_with_grade(&r) : status;
}

static void forecast(struct tw_forecast *f)
{
    struct road r = {.params = f->params};
    struct tw_road_profile profile;
    struct tw_scratch scratch = {.forecast = f};
    const uint64_t points = 4 * (uint64_t)(f->width + f->height);
    lay_out(&scratch, &r);
    tw_scratch_take(&scratch, points, sizeof(struct tw_line_point));
    tw_road_profile_lay_out(&scratch, points, &profile);
    f->lists[LINES] = (int64_t)points;
    f->lists[RECORD] = 4;
}

extern const struct tw_node_type tw_node_path_road;
const struct tw_node_type tw_node_path_road = {
    .name = "path.road",
    .version = 1,
    .summary = "a road through given places that keeps a grade",
    .keywords = "street, track, hairpins, serpentines, switchbacks, route, least-cost path, trail",
    .elsewhere = "r.path (GRASS), Cost Path (ArcGIS)",
    .detail =
        "Finds a road from place to place that is nowhere steeper than its grade, with hairpins "
        "where the ground is steeper: path.carve then lays it into the terrain. Choose path.line "
        "for a line that you draw, and shape.connect for ramps of a game map.\n"
        "The way is the cheapest over a map of at most 256 cells a side, of which each cell has 32 "
        "steps up to 3 cells away. A step of length l and slope g costs this:\n"
        "    l (1 + 30 (g / grade)^2 + 20 cost), and infinitely much above 1.15 grade.\n"
        "A turn by the angle a between steps of mean length m costs more in narrow bends:\n"
        "    curvature a^2 / m.\n"
        "With more than two points the line is searched leg by leg, and goes on at each point in "
        "the direction in which it came. A rim of four cells along the border is left free, except "
        "near points.\n"
        "Corners are cut three times, but none into forbidden cells; the line has a point every "
        "half cell of the terrain. Its heights lie halfway between the lowest line above the "
        "ground and the highest line below it that keep the grade; at both ends it meets the "
        "ground. So the grade holds exactly along the line.\n"
        "The grade is a true slope if the recipe has `world:`; otherwise height 1 counts as 0.15 "
        "map sides.\n"
        "Steps are 18 degrees apart or closer, so ground up to about three times as steep as the grade "
        "can be climbed everywhere, and steeper ground where it bends.\n"
        "If no way keeps the grade, the error names the least one that does. Points in forbidden "
        "cells and points at one place are errors, too.\n"
        "record: length in map sides, the greatest grade, and how deep the road cuts and fills at "
        "most, in heights.",
    .cite = "galin2010",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: noise.perlin, frequency: 3, octaves: 4}\n"
               "places: {type: feature.points, points: [{x: 0.2, y: 0.3}, {x: 0.8, y: 0.7}]}\n"
               "road: {type: path.road, in: land, via: places}",
    .physical = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
