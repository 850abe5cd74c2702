/* SPDX-License-Identifier: MIT */
/* Geomorphons: landforms by what is higher and what is lower in eight directions, Jasiewicz and
 * Stepinski 2013, "Geomorphons: a pattern recognition approach to classification and mapping of
 * landforms". */
#include "common/rows.h"
#include "measure/kernels/geomorphons.h"

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
    TW_PARAM_HEIGHT_IN_SIDES(struct params),
    TW_PARAM_BOOL(struct params, metres, 0, "take that from the recipe's world instead"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

TW_TERRAIN_INPUT;

enum { OUT, RECORD };
static const struct tw_port outputs[] = {
    {"out", TW_LABELS, 0,
     "flat 1, peak 2, ridge 3, shoulder 4, spur 5, slope 6, hollow 7, footslope 8, valley 9, pit "
     "10"},
    {"record", TW_RECORD, 0, "share of each landform"},
    TW_PORT_END,
};

static enum tw_status give_record(struct tw_task *task, const double *shares)
{
    static const char *const names[] = {"",          "flat",   "peak",  "ridge",
                                        "shoulder",  "spur",   "slope", "hollow",
                                        "footslope", "valley", "pit"};
    enum tw_status status = tw_task_list(task, RECORD, TW_LANDFORM_COUNT);
    struct tw_value *record = tw_task_output(task, RECORD);
    for (int32_t form = TW_LANDFORM_FIRST; status == TW_OK && form <= TW_LANDFORM_COUNT; form++)
        tw_record_set(record, form - TW_LANDFORM_FIRST, names[form], shares[form]);
    return status;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_world *world = tw_task_world(task);
    int32_t width = tw_task_width(task);
    double height = p->metres ? world->height_m / world->side_m : (double)p->exaggeration;
    double shares[TW_LANDFORM_COUNT + 1];
    struct tw_geomorphons geomorphons;
    enum tw_status status = tw_geomorphons_init(task, &geomorphons, p->radius, (double)p->flatness,
                                                tw_task_wraps(task, p->border));
    if (status == TW_OK)
        status = tw_geomorphons_find(task, &geomorphons, tw_floats(tw_task_input(task, IN)),
                                     height * (double)width, tw_labels(tw_task_output(task, OUT)),
                                     shares);
    return status == TW_OK ? give_record(task, shares) : status;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    tw_geomorphons_forecast(f, p->radius);
    f->lists[RECORD] = TW_LANDFORM_COUNT;
}

extern const struct tw_node_type tw_node_measure_landforms;
const struct tw_node_type tw_node_measure_landforms = {
    .name = "measure.landforms",
    .version = 3,
    .summary = "peaks, ridges, spurs, slopes, hollows, valleys: geomorphons",
    .keywords =
        "geomorphons, classification, terrain classes, mountain peaks, ridges, valleys, plains",
    .elsewhere = "Geomorphons (Hesiod), r.geomorphon (GRASS)",
    .detail =
        "Names the form of each cell: peaks, ridges, spurs, slopes, hollows, valleys "
        "(geomorphons). mask.labels selects landforms by name; the record holds their shares of "
        "the map. Choose mask.prominence or mask.curvature for a value in place of a name.\n"
        "In each of eight directions the cells up to radius have a greatest angle of elevation a "
        "and a least one b. Where a + b is above flatness the direction is higher, below "
        "-flatness lower, else level. The numbers of lower and of higher directions give the "
        "landform by the paper's table. A direction in which the map ends at once is level.",
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
