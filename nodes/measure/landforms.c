/* SPDX-License-Identifier: MIT */
/* Geomorphons: landforms by what is higher and what is lower in eight directions, Jasiewicz and
 * Stepinski 2013, "Geomorphons: a pattern recognition approach to classification and mapping of
 * landforms". A direction is higher where nadir angle less zenith angle, the sum of the greatest
 * and the least angle of elevation, exceeds the flatness threshold; a common GIS module compares
 * the larger of both angles instead. */
#include "common/horizon.h"
#include "common/landform.h"
#include "common/record.h"
#include "common/simd.h"

#include <string.h>

enum { DIRECTIONS = 8, BLOCK = 256 };

struct params {
    float radius;
    float flatness;
    float exaggeration;
    bool metres;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, radius, 0.03, 0, 0.5, TW_UNIT_SIDE,
                 "how far a cell looks, one cell at least"),
    TW_PARAM_F32(struct params, flatness, 1, 0, 45, TW_UNIT_DEGREES,
                 "up to this difference of angles a direction is level"),
    TW_PARAM_F32(struct params, exaggeration, 0.15, 0, 1000, TW_UNIT_SIDE,
                 "what height 1 measures in map sides"),
    TW_PARAM_BOOL(struct params, metres, 0, "take that from the recipe's world instead"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    TW_PORT_END,
};

enum { OUT, RECORD };
static const struct tw_port outputs[] = {
    {"out", TW_LABELS, 0,
     "flat 1, peak 2, ridge 3, shoulder 4, spur 5, slope 6, hollow 7, footslope 8, valley 9, pit "
     "10"},
    {"record", TW_RECORD, 0, "share of each landform"},
    TW_PORT_END,
};

/* By the number of lower (row) and of higher directions. */
static const uint8_t forms[DIRECTIONS + 1][DIRECTIONS + 1] = {{1, 1, 1, 8, 8, 9, 9, 9, 10},
                                                              {1, 1, 8, 8, 8, 9, 9, 9},
                                                              {1, 4, 6, 6, 7, 7, 9},
                                                              {4, 4, 6, 6, 6, 7},
                                                              {4, 4, 5, 6, 6},
                                                              {3, 3, 5, 5},
                                                              {3, 3, 3},
                                                              {3, 3},
                                                              {2}};

struct map {
    struct tw_horizon horizon;
    double sine, cosine; /* of the flatness threshold */
    int32_t *out;
    int32_t (*counts)[TW_LANDFORM_COUNT + 1]; /* of each row */
    const struct tw_task *task;
    enum tw_simd simd;
};

/* With tangents A and B of the two angles, their sum exceeds t where (A + B) cos t > (1 - A B)
 * sin t: its sine and cosine are in that ratio, so no arc is needed. */
static TW_INLINE void compare_body(const struct map *map, const double *restrict up,
                                   const double *restrict down, int32_t *restrict higher,
                                   int32_t *restrict lower, int32_t count)
{
    double sine = map->sine, cosine = map->cosine;
    for (int32_t i = 0; i < count; i++) {
        double sum = (up[i] + down[i]) * cosine, rest = (1 - up[i] * down[i]) * sine;
        higher[i] += sum > rest;
        lower[i] += -sum > rest;
    }
}
TW_SIMD_KERNEL(compare,
               (const struct map *map, const double *up, const double *down, int32_t *higher,
                int32_t *lower, int32_t count),
               (map, up, down, higher, lower, count))

static void classify(const struct map *map, int32_t x, int32_t y, int32_t width)
{
    double up[BLOCK], down[BLOCK];
    int32_t higher[BLOCK] = {0}, lower[BLOCK] = {0};
    int32_t *out = map->out + (size_t)y * (size_t)map->horizon.heights.width + (size_t)x;
    for (int32_t d = 0; d < DIRECTIONS; d++) {
        tw_horizon_row(&map->horizon, map->simd, d, x, y, width, up, down);
        compare(map->simd)(map, up, down, higher, lower, width);
    }
    for (int32_t i = 0; i < width; i++) {
        out[i] = forms[lower[i]][higher[i]];
        map->counts[y][out[i]]++;
    }
}

static void classify_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    int32_t width = map->horizon.heights.width;
    for (int32_t y = begin; y < end && !tw_task_cancelled(map->task); y++) {
        memset(map->counts[y], 0, sizeof map->counts[y]);
        for (int32_t x = 0; x < width; x += BLOCK)
            classify(map, x, y, width - x < BLOCK ? width - x : BLOCK);
    }
}

static enum tw_status give_record(struct tw_task *task, const struct map *map)
{
    static const char *const names[] = {"",          "flat",   "peak",  "ridge",
                                        "shoulder",  "spur",   "slope", "hollow",
                                        "footslope", "valley", "pit"};
    int32_t height = map->horizon.heights.height;
    double cells = (double)map->horizon.heights.width * (double)height;
    enum tw_status status = tw_task_list(task, RECORD, TW_LANDFORM_COUNT);
    struct tw_value *record = tw_task_output(task, RECORD);
    for (int32_t form = TW_LANDFORM_FIRST; status == TW_OK && form <= TW_LANDFORM_COUNT; form++) {
        int64_t count = 0;
        for (int32_t y = 0; y < height; y++)
            count += map->counts[y][form];
        tw_record_set(record, form - TW_LANDFORM_FIRST, names[form], (double)count / cells);
    }
    return status;
}

static double radius_of(const struct params *p, int32_t width)
{
    return (double)p->radius * (double)width;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_world *world = tw_task_world(task);
    int32_t width = tw_task_width(task);
    double height = p->metres ? world->height_m / world->side_m : (double)p->exaggeration;
    struct map map = {.sine = tw_sin_degrees((double)p->flatness),
                      .cosine = tw_cos_degrees((double)p->flatness),
                      .out = tw_labels(tw_task_output(task, OUT)),
                      .task = task,
                      .simd = tw_task_simd(task)};
    map.counts = tw_task_scratch(task, (size_t)tw_task_height(task), sizeof *map.counts);
    if (!map.counts)
        return tw_task_no_memory(task);
    enum tw_status status = tw_horizon_init(task, &map.horizon, tw_floats(tw_task_input(task, IN)),
                                            DIRECTIONS, radius_of(p, width), height * (double)width,
                                            tw_task_wraps(task, p->border));
    if (status != TW_OK)
        return status;
    tw_rows(task, map.horizon.heights.height, 4, classify_rows, &map);
    return tw_task_cancelled(task) ? TW_CANCELLED : give_record(task, &map);
}

static void forecast(struct tw_forecast *f)
{
    struct map map;
    tw_horizon_forecast(f, radius_of(f->params, f->width));
    tw_forecast_scratch(f, (uint64_t)f->height, sizeof *map.counts);
    f->lists[RECORD] = TW_LANDFORM_COUNT;
}

extern const struct tw_node_type tw_node_measure_landforms;
const struct tw_node_type tw_node_measure_landforms = {
    .name = "measure.landforms",
    .version = 1,
    .summary = "peaks, ridges, spurs, slopes, hollows, valleys: geomorphons",
    .detail =
        "In each of eight directions the cells up to radius have a greatest angle of elevation a "
        "and a least one b; where a + b is above flatness the direction is higher, below -flatness "
        "lower, else level. The numbers of lower and of higher directions give the landform by the "
        "paper's table. A direction in which the map ends at once is level.\n"
        "mask.labels selects landforms by name; the record holds their shares of the map.",
    .cite = "jasiewicz2013",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "land: {type: erosion.stream_power, in: noise, steps: 30}\n"
               "forms: {type: measure.landforms, in: land}",
    .physical = true,
    .bordered = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
