/* SPDX-License-Identifier: MIT */
/* How eroded and how playable a terrain is: Olsen 2004, "Defining erosion" and "Playability
 * issues". s is the greatest difference to the four neighbours; units walk on gentle cells, houses
 * stand on flat ones that units reach. Sums run in double, along rows and then over rows. */
#include "measure/kernels/components.h"
#include "measure/kernels/opening.h"

#include <thalweg/kernel.h>

#include <string.h>

struct params {
    float unit_talus, building_talus; /* Tu N and Tb N: rise per map side */
    int32_t unit_size, building_size; /* Nu and Nb: sides of squares */
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, unit_talus, 8, 0, 1e6, TW_UNIT_RISE_PER_SIDE,
                 "slopes below are accessible to units"),
    TW_PARAM_F32(struct params, building_talus, 2, 0, 1e6, TW_UNIT_RISE_PER_SIDE,
                 "slopes below are flat enough for buildings"),
    TW_PARAM_I32(struct params, unit_size, 1, 1, 65536, TW_UNIT_CELLS,
                 "side of the square that a unit takes"),
    TW_PARAM_I32(struct params, building_size, 9, 1, 65536, TW_UNIT_CELLS,
                 "side of the square that a building takes"),
    TW_PARAM_END,
};

enum { IN };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_PORT_END,
};

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
    const float *in;
    float *slope;
    double *row_sums;
    double mean;
    int32_t width, height;
    size_t count;
    uint8_t *accessible, *flat, *work; /* A, F and the map being computed */
};

static float steepest(float here, float left, float right, float up, float down)
{
    float across = tw_max(fabsf(here - left), fabsf(here - right));
    return tw_max(across, tw_max(fabsf(here - up), fabsf(here - down)));
}

/* s = max |h - h_i| over the four neighbours; borders wrap. */
static void slope_rows(void *context, int32_t begin, int32_t end)
{
    const struct score *s = context;
    int32_t w = s->width;
    for (int32_t y = begin; y < end; y++) {
        const float *row = s->in + (size_t)y * (size_t)w;
        const float *up = s->in + (size_t)(y ? y - 1 : s->height - 1) * (size_t)w;
        const float *down = s->in + (size_t)(y + 1 < s->height ? y + 1 : 0) * (size_t)w;
        float *out = s->slope + (size_t)y * (size_t)w;
        double sum = 0;
        out[0] = steepest(row[0], row[w - 1], row[w > 1], up[0], down[0]);
        for (int32_t x = 1; x < w - 1; x++)
            out[x] = steepest(row[x], row[x - 1], row[x + 1], up[x], down[x]);
        if (w > 1)
            out[w - 1] = steepest(row[w - 1], row[w - 2], row[0], up[w - 1], down[w - 1]);
        for (int32_t x = 0; x < w; x++)
            sum += (double)out[x];
        s->row_sums[y] = sum;
    }
}

/* Also A and F. */
static void deviation_rows(void *context, int32_t begin, int32_t end)
{
    const struct score *s = context;
    float unit_limit = s->params->unit_talus / (float)s->width;
    float building_limit = s->params->building_talus / (float)s->width;
    for (int32_t y = begin; y < end; y++) {
        size_t at = (size_t)y * (size_t)s->width;
        const float *row = s->slope + at;
        double sum = 0;
        for (int32_t x = 0; x < s->width; x++)
            sum += ((double)row[x] - s->mean) * ((double)row[x] - s->mean);
        for (int32_t x = 0; x < s->width; x++) {
            s->accessible[at + (size_t)x] = row[x] < unit_limit;
            s->flat[at + (size_t)x] = row[x] < building_limit;
        }
        s->row_sums[y] = sum;
    }
}

static double mean_of_rows(const struct score *s)
{
    double sum = 0;
    for (int32_t y = 0; y < s->height; y++)
        sum += s->row_sums[y];
    return sum / (double)s->count;
}

struct masked {
    const struct score *score;
    const uint8_t *map;
    float *out; /* or NULL */
    double *ones;
};

static void put_rows(void *context, int32_t begin, int32_t end)
{
    const struct masked *m = context;
    size_t w = (size_t)m->score->width;
    for (int32_t y = begin; y < end; y++) {
        const uint8_t *map = m->map + (size_t)y * w;
        uint32_t ones = 0;
        for (size_t x = 0; x < w; x++)
            ones += map[x];
        m->ones[y] = ones;
        for (size_t x = 0; m->out && x < w; x++)
            m->out[(size_t)y * w + x] = (float)map[x];
    }
}

/* Writes a map of bytes as a mask, where that is wanted, and returns its mean. */
static double put(const struct score *s, const uint8_t *map, int port)
{
    struct masked masked = {s, map, tw_floats(tw_task_output(s->task, port)), s->row_sums};
    tw_rows(s->task, s->height, 32, put_rows, &masked);
    return mean_of_rows(s);
}

static bool allocate(struct score *s)
{
    s->slope = tw_task_scratch(s->task, s->count, sizeof *s->slope);
    s->row_sums = tw_task_scratch(s->task, (size_t)s->height, sizeof *s->row_sums);
    s->accessible = tw_task_scratch(s->task, s->count, 1);
    s->flat = tw_task_scratch(s->task, s->count, 1);
    s->work = tw_task_scratch(s->task, s->count, 1);
    return s->slope && s->row_sums && s->accessible && s->flat && s->work;
}

static double measure_slope(struct score *s)
{
    tw_rows(s->task, s->height, 16, slope_rows, s);
    s->mean = mean_of_rows(s);
    tw_rows(s->task, s->height, 16, deviation_rows, s);
    return sqrt(mean_of_rows(s));
}

static enum tw_status write_record(const struct score *s, double deviation, double unit,
                                   double building)
{
    double erosion = s->mean > 0 ? deviation / s->mean : 0;
    const struct tw_entry record[] = {
        {"erosion", erosion}, {"slope_mean", s->mean}, {"slope_deviation", deviation},
        {"unit", unit},       {"building", building},  {"game", erosion * unit * building},
    };
    if (!(s->mean > 0))
        tw_task_warn(s->task, "the terrain is flat: no slope to score, erosion counts as 0");
    enum tw_status status = tw_task_list(s->task, RECORD, sizeof record / sizeof *record);
    if (status == TW_OK)
        memcpy(tw_task_output(s->task, RECORD)->data, record, sizeof record);
    return status;
}

static enum tw_status run(struct tw_task *task)
{
    struct score s = {.task = task,
                      .params = tw_task_params(task),
                      .in = tw_floats(tw_task_input(task, IN)),
                      .width = tw_task_width(task),
                      .height = tw_task_height(task),
                      .count = tw_value_count(tw_task_input(task, IN))};
    if (!allocate(&s))
        return tw_task_no_memory(task);
    double deviation = measure_slope(&s);
    put(&s, s.accessible, ACCESSIBLE);
    put(&s, s.flat, FLAT);
    tw_opening_erode(task, s.params->unit_size, s.accessible, s.work);
    enum tw_status status = tw_components_keep_widest(task, s.params->unit_size, s.work);
    if (status != TW_OK)
        return status;
    tw_opening_dilate(task, s.params->unit_size, s.work, s.work);
    double unit = put(&s, s.work, UNIT);
    for (size_t i = 0; i < s.count; i++)
        s.work[i] &= s.flat[i];
    tw_opening_erode(task, s.params->building_size, s.work, s.work);
    tw_opening_dilate(task, s.params->building_size, s.work, s.work);
    return write_record(&s, deviation, unit, put(&s, s.work, BUILDING));
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    struct score s;
    tw_forecast_maps(f, 1, sizeof *s.slope + 3); /* slope; accessible, flat and work */
    tw_forecast_scratch(f, (uint64_t)f->height, sizeof *s.row_sums);
    tw_components_forecast(f, p->unit_size);
}

extern const struct tw_node_type tw_node_measure_score;
const struct tw_node_type tw_node_measure_score = {
    .name = "measure.score",
    .version = 1,
    .summary = "score how eroded and how playable a terrain is",
    .detail =
        "s = max |h - h_i| over the four neighbours. erosion = deviation(s) / mean(s), population "
        "deviation, 0 for a flat map. A: s < unit_talus / width. F: s < building_talus / width. "
        "U: places where a whole unit_size square of A fits, joined by 4-neighbour steps; of these "
        "components the one that covers most cells, the first in raster order on ties. B: cells of "
        "U "
        "and F that some building_size square of such cells covers. unit = mean(U), building = "
        "mean(B), game = erosion * unit * building.\nBorders wrap, whatever the recipe's `borders` "
        "say: the paper "
        "takes modulo everywhere, and scores of its maps are compared.",
    .cite = "olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "eroded: {type: erosion.olsen, in: noise}\n"
               "score: {type: measure.score, in: eroded}",
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
