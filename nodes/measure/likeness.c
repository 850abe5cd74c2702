/* SPDX-License-Identifier: MIT */
/* How far a map is from another, such as a real elevation model, in what makes land look like land:
 * landforms (Jasiewicz and Stepinski 2013), slopes, hypsometric curve (Strahler 1952), spectrum
 * (Perron, Kirchner and Dietrich 2008), slopes against areas (Flint 1974) and hollows. The scales
 * of the six numbers are ours. */
#include "measure/kernels/geomorphons.h"
#include "measure/kernels/slope_area.h"
#include "measure/kernels/sorted.h"
#include "measure/kernels/spectrum.h"

#include <thalweg/gradient.h>

#include <string.h>

#define RADIUS 0.03f /* of landforms, in map sides */
#define SLOPE 0.25   /* both maps are scaled to this root mean square slope */

enum { CURVE = 256 };

enum { IN, REFERENCE };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"reference", TW_HEIGHTMAP, 0, "what it is compared with"},
    TW_PORT_END,
};

enum { RECORD };
static const struct tw_port outputs[] = {
    {"record", TW_RECORD, 0,
     "landforms, slopes, heights, spectrum, drainage, hollows, mean: 0 alike, 1 far; and what they "
     "come from"},
    TW_PORT_END,
};

struct facts {
    double landforms[TW_LANDFORM_COUNT + 1]; /* shares */
    float *slopes;                           /* sorted */
    double curve[CURVE];                     /* relative heights that are exceeded */
    struct tw_spectrum_bands spectrum;
    double theta, hollows;
};

struct work {
    struct tw_geomorphons geomorphons;
    struct tw_slope_area slope_area;
    struct tw_spectrum spectrum;
    double *row_sums; /* of squared slopes */
    const float *heights;
    float *slopes;
    int32_t width, height;
};

static double difference(double a, double b) { return a > b ? a - b : b - a; }
static double at_most_one(double v) { return v < 1 ? v : 1; }

static void slope_rows(void *context, int32_t begin, int32_t end)
{
    const struct work *w = context;
    for (int32_t y = begin; y < end; y++) {
        w->row_sums[y] = 0;
        for (int32_t x = 0; x < w->width; x++) {
            size_t i = (size_t)y * (size_t)w->width + (size_t)x;
            double east = tw_gradient_along(w->heights + i, x, w->width, 1, false);
            double south = tw_gradient_along(w->heights + i, y, w->height, w->width, false);
            double square = (east * east + south * south) * ((double)w->width * w->width);
            w->slopes[i] = (float)sqrt(square);
            w->row_sums[y] += square;
        }
    }
}

/* Slopes in map sides, sorted; the factor of heights that makes them SLOPE in the mean. */
static double measure_slopes(struct tw_task *task, struct work *w, struct facts *facts)
{
    size_t cells = (size_t)w->width * (size_t)w->height;
    double sum = 0;
    w->slopes = facts->slopes;
    tw_rows(task, w->height, 32, slope_rows, w);
    for (int32_t y = 0; y < w->height; y++)
        sum += w->row_sums[y];
    double mean = sqrt(sum / (double)cells), scale = mean > 0 ? SLOPE / mean : 0;
    for (size_t i = 0; i < cells; i++)
        facts->slopes[i] = (float)((double)facts->slopes[i] * scale);
    tw_sort_floats(facts->slopes, w->slope_area.work, cells);
    return scale;
}

/* What shares of 1/512, 3/512, ... of the map exceed, between the 0.1 % and the 99.9 % quantile. */
static void measure_heights(const struct work *w, struct facts *facts)
{
    size_t cells = (size_t)w->width * (size_t)w->height;
    float *sorted = w->slope_area.slopes;
    memcpy(sorted, w->heights, cells * sizeof *sorted);
    tw_sort_floats(sorted, w->slope_area.work, cells);
    double low = tw_sorted_quantile(sorted, cells, 0.001);
    double high = tw_sorted_quantile(sorted, cells, 0.999);
    for (int32_t i = 0; i < CURVE; i++) {
        double height = tw_sorted_quantile(sorted, cells, 1 - (i + 0.5) / CURVE);
        double share = high > low ? (height - low) / (high - low) : 0;
        facts->curve[i] = share < 0 ? 0 : at_most_one(share);
    }
}

static enum tw_status measure(struct tw_task *task, struct work *w, const struct tw_value *map,
                              struct facts *facts)
{
    w->heights = tw_floats(map);
    double scale = measure_slopes(task, w, facts);
    measure_heights(w, facts);
    tw_spectrum_find(task, &w->spectrum, w->heights, &facts->spectrum);
    facts->spectrum.found &= scale > 0;
    enum tw_status status =
        tw_slope_area_find(task, &w->slope_area, w->heights, &facts->theta, &facts->hollows);
    int32_t *labels = (int32_t *)(void *)w->slope_area.area; /* which is done with */
    if (status == TW_OK)
        status = tw_geomorphons_find(task, &w->geomorphons, w->heights, scale * w->width, labels,
                                     facts->landforms);
    return status;
}

static double landforms_apart(const struct facts *a, const struct facts *b)
{
    double sum = 0;
    for (int32_t i = TW_LANDFORM_FIRST; i <= TW_LANDFORM_COUNT; i++)
        sum += difference(a->landforms[i], b->landforms[i]);
    return 0.5 * sum;
}

static double heights_apart(const struct facts *a, const struct facts *b)
{
    double sum = 0;
    for (int32_t i = 0; i < CURVE; i++)
        sum += difference(a->curve[i], b->curve[i]);
    return sum / CURVE;
}

/* In powers of e, of which ten to one are far; a map without a spectrum is far from one with. */
static double spectra_apart(const struct tw_spectrum_bands *a, const struct tw_spectrum_bands *b)
{
    double sum = 0, count = 0;
    if (!a->found || !b->found)
        return a->found == b->found ? 0 : 1;
    for (int band = 0; band < TW_SPECTRUM_BANDS; band++)
        if (a->has[band]) {
            sum += difference(a->power[band], b->power[band]);
            count++;
        }
    return at_most_one(sum / count / 2.302585092994046);
}

static enum tw_status give(struct tw_task *task, const struct facts *a, const struct facts *b)
{
    enum { DISTANCES = 6 };
    size_t cells = (size_t)tw_task_width(task) * (size_t)tw_task_height(task);
    const struct {
        const char *name;
        double number;
    } rows[] = {
        {"landforms", landforms_apart(a, b)},
        {"slopes", tw_sorted_gap(a->slopes, b->slopes, cells)},
        {"heights", heights_apart(a, b)},
        {"spectrum", spectra_apart(&a->spectrum, &b->spectrum)},
        {"drainage", at_most_one(difference(a->theta, b->theta) / 0.5)},
        {"hollows", at_most_one(difference(a->hollows, b->hollows) / 0.25)},
        {"beta", a->spectrum.slope},
        {"theta", a->theta},
        {"hollow_share", a->hollows},
        {"reference_beta", b->spectrum.slope},
        {"reference_theta", b->theta},
        {"reference_hollow_share", b->hollows},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    enum tw_status status = tw_task_list(task, RECORD, ROWS + 1);
    if (status != TW_OK)
        return status;
    double sum = 0;
    for (int32_t i = 0; i < ROWS; i++) {
        sum += i < DISTANCES ? rows[i].number : 0;
        tw_record_set(tw_task_output(task, RECORD), i + (i >= DISTANCES), rows[i].name,
                      rows[i].number);
    }
    tw_record_set(tw_task_output(task, RECORD), DISTANCES, "mean", sum / DISTANCES);
    return TW_OK;
}

static enum tw_status prepare(struct tw_task *task, struct work *w, struct facts facts[2])
{
    size_t cells = (size_t)w->width * (size_t)w->height;
    w->row_sums = tw_task_scratch(task, (size_t)w->height, sizeof *w->row_sums);
    for (int i = 0; i < 2; i++)
        facts[i].slopes = tw_task_scratch(task, cells, sizeof *facts[i].slopes);
    if (!w->row_sums || !facts[0].slopes || !facts[1].slopes)
        return tw_task_no_memory(task);
    enum tw_status status = tw_geomorphons_init(task, &w->geomorphons, RADIUS, 1, false);
    if (status == TW_OK)
        status = tw_slope_area_init(task, &w->slope_area);
    return status == TW_OK ? tw_spectrum_init(task, &w->spectrum) : status;
}

static enum tw_status run(struct tw_task *task)
{
    struct work work = {.width = tw_task_width(task), .height = tw_task_height(task)};
    struct facts facts[2];
    enum tw_status status = prepare(task, &work, facts);
    for (int i = 0; i < 2 && status == TW_OK; i++) {
        tw_task_progress(task, 0.5 * i);
        status = measure(task, &work, tw_task_input(task, i ? REFERENCE : IN), &facts[i]);
    }
    return status == TW_OK ? give(task, &facts[0], &facts[1]) : status;
}

static void forecast(struct tw_forecast *f)
{
    tw_forecast_scratch(f, (uint64_t)f->height, sizeof(double));
    tw_forecast_maps(f, 2, sizeof(float));
    tw_geomorphons_forecast(f, RADIUS);
    tw_slope_area_forecast(f);
    tw_spectrum_forecast(f);
}

extern const struct tw_node_type tw_node_measure_likeness;
const struct tw_node_type tw_node_measure_likeness = {
    .name = "measure.likeness",
    .version = 4,
    .summary = "how far a map is from another, such as a real elevation model",
    .keywords = "realism, similarity, compare with DEM, statistics, spectrum, hypsometry",
    .detail =
        "Shows how far a map is from another, such as a real elevation model. Choose "
        "measure.difference to compare cell by cell.\n"
        "It gives six numbers from 0, alike, to 1, far, and their mean. Heights have no unit, so "
        "both maps are first scaled to a root mean square slope of 0.25.\n"
        "landforms: half the sum of the differences of the shares that measure.landforms finds "
        "(radius 0.03, flatness 1).\n"
        "slopes: the largest gap between the cumulative distributions of slope.\n"
        "heights: the mean gap between the hypsometric curves, from the 0.1 to the 99.9 % "
        "quantile.\n"
        "spectrum: the mean gap of the logarithms of the power in eight bands from 4 waves per "
        "map side to a quarter of the width in cells, their means taken off, over ln 10.\n"
        "drainage: the difference of theta over 0.5, where slopes of cells that no lake covers "
        "fall as upstream area to -theta.\n"
        "hollows: the difference of the shares of cells below the fill, over 0.25.\n"
        "After these the record gives, as they are, beta, by which power falls with wave number, "
        "theta and the shares of hollows.\n"
        "The first four numbers do not tell noise from land; theta and hollows do. Quarters of "
        "one real map (the Jacksboro fault) are 0.12 apart in the median, so a smaller distance "
        "shows nothing. One elevation model is one landscape.\n"
        "Both maps end at their borders, whose cells are outlets. A level map has no slopes, no "
        "spectrum (1 from any that has one) and a theta of 0.",
    .cite = "jasiewicz2013 strahler1952 perron2008 flint1974",
    .inputs = inputs,
    .outputs = outputs,
    .example = "noise: {type: noise.midpoint}\n"
               "land: {type: erosion.stream_power, in: noise, steps: 30}\n"
               "likeness: {type: measure.likeness, in: noise, reference: land}",
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
