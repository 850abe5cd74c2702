/* SPDX-License-Identifier: MIT */
/* How eroded and how playable a terrain is: Olsen 2004, "Defining erosion" and "Playability
 * issues". s is the greatest difference to the four neighbours; units walk on gentle cells, houses
 * stand on flat ones that units reach. */
#include "common/components.h"
#include "common/opening.h"
#include "common/rows.h"
#include "common/steepness.h"

#include <string.h>

struct params {
    float unit_talus, building_talus; /* Tu N and Tb N: rise per map side */
    int32_t unit_size, building_size; /* Nu and Nb: sides of squares */
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, unit_talus, 8, 0, 1e6, TW_UNIT_RISE_PER_SIDE,
                 "slopes below are accessible to units", TW_USUAL(1, 20)),
    TW_PARAM_F32(struct params, building_talus, 2, 0, 1e6, TW_UNIT_RISE_PER_SIDE,
                 "slopes below are flat enough for buildings", TW_USUAL(0.5, 8)),
    TW_PARAM_I32(struct params, unit_size, 1, 1, 65536, TW_UNIT_CELLS,
                 "side of the square that a unit takes", TW_USUAL(1, 16)),
    TW_PARAM_I32(struct params, building_size, 9, 1, 65536, TW_UNIT_CELLS,
                 "side of the square that a building takes", TW_USUAL(1, 24)),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

TW_TERRAIN_INPUT;

enum { RECORD, ACCESSIBLE, UNIT, FLAT, BUILDING };

static const struct tw_port outputs[] = {
    {"record", TW_RECORD, 0, "erosion, slope_mean, slope_deviation, unit, building, game"},
    {"accessible", TW_MASK, TW_ON_DEMAND, "A: 1 where s < unit_talus / width"},
    {"unit", TW_MASK, TW_ON_DEMAND, "U: the largest area that a unit can walk on"},
    {"flat", TW_MASK, TW_ON_DEMAND, "F: 1 where s < building_talus / width"},
    {"building", TW_MASK, TW_ON_DEMAND, "B: where buildings fit within U and F"},
    TW_PORT_END,
};

struct score {
    struct tw_task *task;
    const struct params *params;
    int32_t width;
    struct tw_bitmap accessible, flat, work, spare; /* A, F and the map being computed */
    struct tw_steepness slope;                      /* s */
};

static bool lay_out(struct tw_scratch *scratch, struct score *s)
{
    struct tw_bitmap *const maps[] = {&s->accessible, &s->flat, &s->work, &s->spare};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        tw_bitmap_lay_out(scratch, tw_scratch_wraps(scratch, s->params->border), maps[i]);
    return tw_scratch_is_laid(scratch);
}

static enum tw_status measure_slope(struct score *s)
{
    const struct tw_gentle gentle[TW_STEEPNESS_LIMITS] = {
        {s->params->unit_talus / (float)s->width, &s->accessible},
        {s->params->building_talus / (float)s->width, &s->flat},
    };
    return tw_steepness_measure(s->task, tw_floats(tw_task_input(s->task, IN)), gentle, &s->slope);
}

/* Writes a mask if that output is used. */
static void put(const struct score *s, const struct tw_bitmap *map, int port)
{
    struct tw_value *out = tw_task_output(s->task, port);
    if (tw_floats(out))
        tw_bitmap_write(s->task, map, tw_floats(out));
}

static double mean_of(const struct tw_bitmap *map)
{
    return (double)tw_bitmap_count(map) / ((double)map->width * (double)map->height);
}

static enum tw_status write_record(const struct score *s, double unit, double building)
{
    double mean = s->slope.mean, deviation = s->slope.deviation;
    double erosion = mean > 0 ? deviation / mean : 0;
    const struct tw_entry record[] = {
        {"erosion", erosion}, {"slope_mean", mean},   {"slope_deviation", deviation},
        {"unit", unit},       {"building", building}, {"game", erosion * unit * building},
    };
    if (!(mean > 0))
        tw_task_warn(s->task, "the terrain is flat: no slope to score, erosion counts as 0");
    enum tw_status status = tw_task_list(s->task, RECORD, sizeof record / sizeof *record);
    if (status == TW_OK)
        memcpy(tw_task_output(s->task, RECORD)->data, record, sizeof record);
    return status;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct score s = {.task = task, .params = p, .width = tw_task_width(task)};
    if (!lay_out(&(struct tw_scratch){.task = task}, &s))
        return tw_task_no_memory(task);
    enum tw_status status = measure_slope(&s);
    if (status != TW_OK)
        return status;
    put(&s, &s.accessible, ACCESSIBLE);
    put(&s, &s.flat, FLAT);
    tw_bitmap_copy(&s.accessible, &s.work);
    tw_opening_erode(task, p->unit_size, &s.work, &s.spare);
    status = tw_components_keep_widest(task, p->unit_size, &s.work);
    if (status != TW_OK)
        return status;
    tw_opening_dilate(task, p->unit_size, &s.work, &s.spare);
    put(&s, &s.work, UNIT);
    const double unit = mean_of(&s.work);
    tw_bitmap_intersect(&s.flat, &s.work);
    tw_opening_erode(task, p->building_size, &s.work, &s.spare);
    tw_opening_dilate(task, p->building_size, &s.work, &s.spare);
    put(&s, &s.work, BUILDING);
    return write_record(&s, unit, mean_of(&s.work));
}

static void forecast(struct tw_forecast *f)
{
    struct score s = {.params = f->params};
    lay_out(&(struct tw_scratch){.forecast = f}, &s);
    tw_steepness_forecast(f);
    tw_components_forecast(f, s.params->unit_size);
}

extern const struct tw_node_type tw_node_measure_score;
const struct tw_node_type tw_node_measure_score = {
    .name = "measure.score",
    .version = 2,
    .summary = "score how eroded and how playable a terrain is",
    .keywords = "playability, erosion score, building ground, evaluate, fitness",
    .detail =
        "Scores how eroded and how playable a terrain is, by the measures of a paper for "
        "real-time strategy games. Choose mask.slope for a map of the ground that is gentle "
        "enough.\n"
        "The slope s of a cell is max |h - h_i| over its four neighbours; where the map ends at "
        "its border, over those that exist. With the population deviation, and 0 for a flat map:\n"
        "    erosion = deviation(s) / mean(s).\n"
        "A cell is accessible, A, where s < unit_talus / width, and flat, F, where s < "
        "building_talus / width.\n"
        "U: places where a whole unit_size square of A fits, joined by 4-neighbour steps; of "
        "these components the one that covers most cells, on ties the first in raster order.\n"
        "B: cells of U and F that some building_size square of such cells covers.\n"
        "    unit = mean(U);\n"
        "    building = mean(B);\n"
        "    game = erosion * unit * building.\n"
        "Where the world wraps, slopes, ways and squares cross the border, as in the paper, "
        "which takes modulo everywhere: use border: wrap to compare a map with its figures. "
        "Elsewhere units do not leave the map, and squares lie within it.",
    .cite = "olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "eroded: {type: erosion.olsen, in: noise}\n"
               "score: {type: measure.score, in: eroded}",
    .bordered = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
