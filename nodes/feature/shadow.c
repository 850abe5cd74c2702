/* SPDX-License-Identifier: MIT */
/* Terrain whose shadows show a picture, Rusnell, Mould and Eramian 2009, section 4: primary
 * generators where each shadow run starts, as high as its length asks for; secondary peaks and
 * ridges elsewhere, below a bound that leaves the shadows as they are; least-cost paths from both;
 * and never below the base terrain. Heights within this file are in cells; the paper's cost is a
 * depth below the highest point. */
#include "common/shadows/shadows.h"
#include "feature/kernels/least_cost_strips.h"
#include "feature/kernels/light_lines.h"
#include "feature/kernels/shadow_generators.h"

#include <thalweg/kernel.h>

enum { IN, IMAGE, LIGHT };
enum { OUT, GENERATORS, REPORT, SHADOW };
enum { AZIMUTH_AUTO = -1 };

struct params {
    float azimuth, tilt, exaggeration;
    float steepness, roughness;
    bool secondary;
    int32_t peaks, ridges;
    float relief, band;
};

static const struct tw_param params[] = {
    TW_PARAM_F32_OR(struct params, azimuth, "auto", AZIMUTH_AUTO, AZIMUTH_AUTO, 0, 360,
                    TW_UNIT_DEGREES,
                    "where the light comes from, clockwise from north; auto: the shortest shadows"),
    TW_PARAM_F32(struct params, tilt, 60, 5, 85, TW_UNIT_DEGREES, "of the light, from vertical"),
    TW_PARAM_F32(struct params, exaggeration, 0.25, 1e-3, 1000, TW_UNIT_SIDE,
                 "what height 1 measures in map sides", TW_USUAL(0.05, 1)),
    TW_PARAM_F32(struct params, steepness, 6, 1.1, 100, "times the light's slope",
                 "mean weight of an edge: how steep the primary features are"),
    TW_PARAM_F32(struct params, roughness, 0.25, 0, 0.95, "times the mean",
                 "greatest deviation of an edge's weight"),
    TW_PARAM_BOOL(struct params, secondary, true, "peaks and ridges away from the shadows"),
    TW_PARAM_I32(struct params, peaks, 30, 0, 100000, "peaks", "secondary peaks that are tried",
                 TW_USUAL(0, 150)),
    TW_PARAM_I32(struct params, ridges, 80, 0, 100000, "ridges", "secondary ridges to peaks",
                 TW_USUAL(0, 400)),
    TW_PARAM_F32(struct params, relief, 0.3, 0, 1000, TW_UNIT_HEIGHT,
                 "greatest height of a secondary peak above the base", TW_USUAL(0, 1)),
    TW_PARAM_F32(struct params, band, 0.03, 0, 1, TW_UNIT_SIDE,
                 "anti-shadow: width of the strip around shadows without secondary features",
                 TW_USUAL(0, 0.1)),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the base terrain, gentle against the light"},
    {"image", TW_MASK, 0, "the shadows: dark (below one half) is shadow"},
    {"light", TW_RECORD, TW_OPTIONAL, "azimuth and tilt, instead of the parameters"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the terrain"},
    {"generators", TW_POINTS, 0, "primary (profile 0) and secondary (profile 1) generators"},
    {"report", TW_RECORD, TW_ON_DEMAND,
     "azimuth, tilt, longest, runs, secondary, intersection_over_union; lengths in map sides"},
    {"shadow", TW_MASK, TW_ON_DEMAND,
     "1 where light reaches, 0 in shadow, by a ray march over out"},
    TW_PORT_END,
};

/* The scene and what only the node needs. */
struct picture {
    struct tw_shadow_scene scene;
    const struct params *params;
    double tilt;  /* of the light */
    double scale; /* cells per height 1 */
    const float *in;
    float *out;
    const struct tw_search *search; /* from all generators */
};

/* Takes the light from the input or the parameters, else from the direction that needs the lowest
 * terrain. */
static enum tw_status choose_light(struct picture *p)
{
    struct tw_shadow_scene *s = &p->scene;
    const struct tw_value *light = tw_task_input(s->task, LIGHT);
    s->azimuth = (double)p->params->azimuth;
    p->tilt = (double)p->params->tilt;
    for (int32_t i = 0; light && i < light->width; i++) {
        const struct tw_entry *entry = &tw_entries(light)[i];
        s->azimuth = strcmp(entry->name, "azimuth") == 0 ? entry->number : s->azimuth;
        p->tilt = strcmp(entry->name, "tilt") == 0 ? entry->number : p->tilt;
    }
    if (!(p->tilt >= 5 && p->tilt <= 85))
        return tw_task_fail(s->task, "the light's tilt is %g and must be 5 to 85 degrees", p->tilt);
    s->fall = tw_cos_degrees(p->tilt) / tw_sin_degrees(p->tilt);
    return s->azimuth >= 0 ? TW_OK : tw_light_lines_find_azimuth(s->task, s->mask, &s->azimuth);
}

/* Heights become the paper's costs, depths below the highest point. */
static void set_depths(struct tw_shadow_scene *s)
{
    for (int32_t i = 0; i < s->count; i++)
        s->sources[i].cost = s->top - s->sources[i].cost;
}

/* Secondary features stay below the bound; nothing is lower than the base. */
static void write_rows(void *context, int32_t begin, int32_t end)
{
    const struct picture *p = context;
    const struct tw_shadow_scene *s = &p->scene;
    for (int32_t i = begin * s->width; i < end * s->width; i++) {
        int32_t cell = tw_weighted_grid_cell(&s->grid, i % s->width, i / s->width);
        double height = s->base[i];
        if (tw_search_reached(p->search, cell)) {
            bool yields = s->sources[tw_search_source(p->search, cell)].yields;
            height = s->top - p->search->cost[cell];
            height = yields && height > s->bound[i] ? s->bound[i] : height;
        }
        p->out[i] = (float)((height > s->base[i] ? height : s->base[i]) / p->scale);
    }
}

/* Least-cost paths from all generators. Secondary features are gentler than the light, so that
 * they cast no shadow. */
static enum tw_status raise_terrain(struct picture *p)
{
    struct tw_shadow_scene *s = &p->scene;
    double knots[2] = {0, 0}, scales[2] = {1, 0};
    scales[1] = 0.9 / ((double)p->params->steepness * (1 + (double)p->params->roughness));
    const struct tw_cost_profile slopes[2] = {{.count = 1, .knot = &knots[0], .scale = &scales[0]},
                                              {.count = 1, .knot = &knots[1], .scale = &scales[1]}};
    double lowest = s->base[0];
    for (int32_t i = 0; i < s->cells; i++)
        lowest = s->base[i] < lowest ? s->base[i] : lowest;
    struct tw_paths paths = {.task = s->task,
                             .grid = &s->grid,
                             .sources = s->sources,
                             .slopes = slopes,
                             .sea = s->top - lowest + 1};
    struct tw_search search;
    tw_paths_bound(&paths, 2, false, s->top - lowest);
    enum tw_status status = tw_search_everywhere(s->task, &paths, paths.sea, &search, s->count);
    if (status != TW_OK)
        return status;
    p->search = &search;
    tw_rows(s->task, s->height, 16, write_rows, p);
    p->search = NULL;
    return TW_OK;
}

static enum tw_status write_generators(const struct picture *p)
{
    const struct tw_shadow_scene *s = &p->scene;
    enum tw_status status = tw_task_list(s->task, GENERATORS, s->count);
    if (status != TW_OK)
        return status;
    struct tw_point *to = tw_points(tw_task_output(s->task, GENERATORS));
    for (int32_t i = 0; i < s->count; i++) {
        const struct tw_path_source *source = &s->sources[i];
        int32_t x = source->cell % s->grid.stride - 1, y = source->cell / s->grid.stride - 1;
        to[i] = (struct tw_point){
            ((float)x + 0.5f) / (float)s->width, ((float)y + 0.5f) / (float)s->height,
            (float)(source->cost / p->scale), source->feature, source->profile};
    }
    return TW_OK;
}

/* Shadow that is cast and in the picture over shadow that is one of the two. */
static double agreement(const struct tw_shadow_scene *s, const float *lit)
{
    int32_t both = 0, either = 0;
    for (int32_t i = 0; i < s->cells; i++) {
        bool cast = lit[i] < 0.5f, drawn = s->mask[i] < 0.5f;
        both += cast && drawn;
        either += cast || drawn;
    }
    return either ? (double)both / (double)either : 1;
}

static enum tw_status write_report(const struct picture *p, const float *lit)
{
    const struct tw_shadow_scene *s = &p->scene;
    enum tw_status status = tw_task_list(s->task, REPORT, 6);
    if (status != TW_OK)
        return status;
    struct tw_value *report = tw_task_output(s->task, REPORT);
    tw_record_set(report, 0, "azimuth", s->azimuth);
    tw_record_set(report, 1, "tilt", p->tilt);
    tw_record_set(report, 2, "longest", s->longest / s->width);
    tw_record_set(report, 3, "runs", s->runs);
    tw_record_set(report, 4, "secondary", s->count - s->primary);
    tw_record_set(report, 5, "intersection_over_union", agreement(s, lit));
    return TW_OK;
}

/* The shadows that are cast show how well the terrain does. */
static enum tw_status write_shadows(const struct picture *p)
{
    const struct tw_shadow_light light = {p->scene.azimuth, p->tilt, p->scale};
    struct tw_task *task = p->scene.task;
    float *lit = tw_floats(tw_task_output(task, SHADOW));
    if (!lit)
        lit = tw_task_scratch(task, (size_t)p->scene.cells, sizeof *lit);
    if (!lit)
        return tw_task_no_memory(task);
    enum tw_status status = tw_shadows_cast(task, &light, p->out, lit);
    return status == TW_OK && tw_task_wants(task, REPORT) ? write_report(p, lit) : status;
}

static enum tw_status write_outputs(const struct picture *p)
{
    const struct tw_shadow_scene *s = &p->scene;
    enum tw_status status = TW_OK;
    if (tw_task_wants(s->task, SHADOW) || tw_task_wants(s->task, REPORT))
        status = write_shadows(p);
    return status == TW_OK && tw_task_wants(s->task, GENERATORS) ? write_generators(p) : status;
}

static double *new_map(struct tw_shadow_scene *s)
{
    return tw_task_scratch(s->task, (size_t)s->cells, sizeof(double));
}

static void set_base_rows(void *context, int32_t begin, int32_t end)
{
    const struct picture *p = context;
    for (int32_t i = begin * p->scene.width; i < end * p->scene.width; i++)
        p->scene.base[i] = (double)p->in[i] * p->scale;
}

static enum tw_status prepare(struct picture *p)
{
    struct tw_shadow_scene *s = &p->scene;
    s->base = new_map(s);
    s->bound = new_map(s);
    s->banned = tw_task_scratch(s->task, (size_t)s->cells, 1);
    if (!s->base || !s->bound || !s->banned)
        return tw_task_no_memory(s->task);
    p->scale = (double)p->params->exaggeration * (double)s->width;
    s->relief = (double)p->params->relief * p->scale;
    s->band = (double)p->params->band * (double)s->width;
    tw_rows(s->task, s->height, 16, set_base_rows, p);
    s->top = s->base[0];
    for (int32_t i = 0; i < s->cells; i++)
        s->top = s->base[i] > s->top ? s->base[i] : s->top;
    return TW_OK;
}

static enum tw_status add_generators(struct picture *p)
{
    struct tw_shadow_scene *s = &p->scene;
    float mean = p->params->steepness * (float)s->fall;
    const struct tw_edge_weights weights = {
        .mean = mean, .deviation = mean * p->params->roughness, .diagonal = 1.41421356f, .step = 1};
    enum tw_status status = tw_weighted_grid_build(s->task, &weights, &s->grid);
    if (status == TW_OK)
        status = tw_shadow_add_primary(s);
    if (status == TW_OK && p->params->secondary)
        status = tw_shadow_add_secondary(s);
    return status;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *given = tw_task_params(task);
    struct picture p = {.params = given,
                        .in = tw_floats(tw_task_input(task, IN)),
                        .out = tw_floats(tw_task_output(task, OUT)),
                        .scene = {.task = task,
                                  .mask = tw_floats(tw_task_input(task, IMAGE)),
                                  .width = tw_task_width(task),
                                  .height = tw_task_height(task),
                                  .peaks = given->secondary ? given->peaks : 0,
                                  .ridges = given->ridges}};
    struct tw_shadow_scene *s = &p.scene;
    s->cells = s->width * s->height;
    enum tw_status status = prepare(&p);
    if (status == TW_OK)
        status = choose_light(&p);
    if (status == TW_OK)
        status = add_generators(&p);
    if (status != TW_OK)
        return status;
    set_depths(s);
    tw_sources_sort(s->sources, s->spare, s->count, TW_BY_COST);
    status = raise_terrain(&p);
    return status == TW_OK ? write_outputs(&p) : status;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    int32_t w = f->width, h = f->height;
    double least = 1 - (double)p->roughness, most = 1.5 + (double)p->roughness;
    tw_forecast_maps(f, 2, sizeof(double)); /* base, bound */
    tw_forecast_maps(f, 1, 1);              /* banned */
    if (p->azimuth < 0 && f->inputs[LIGHT] == 0)
        tw_light_lines_forecast(f);
    tw_weighted_grid_forecast(f, w, h, false);
    f->lists[GENERATORS] =
        tw_shadow_generators_forecast(f, p->secondary ? p->peaks : 0, p->secondary ? p->ridges : 0);
    if (p->secondary)
        tw_shadow_secondary_forecast(f);
    tw_search_everywhere_forecast(f, w, h, least, most);
    if (tw_forecast_wants(f, REPORT) && !tw_forecast_wants(f, SHADOW))
        tw_forecast_maps(f, 1, sizeof(float)); /* lit */
    if (tw_forecast_wants(f, REPORT) || tw_forecast_wants(f, SHADOW))
        tw_shadows_forecast(f);
}

extern const struct tw_node_type tw_node_feature_shadow;
const struct tw_node_type tw_node_feature_shadow = {
    .name = "feature.shadow",
    .version = 2,
    .summary = "terrain whose shadows show a picture",
    .keywords = "picture in terrain, shadow art, hidden image, relief art",
    .detail =
        "Makes a terrain whose shadows show a picture. Choose mask.light to see the shadows of "
        "any terrain.\n"
        "Light comes from the direction, in whole degrees, whose longest run of dark cells is "
        "shortest. A run of length m that ends at base height z is cast by a generator at the "
        "last lit cell before it, of height:\n"
        "    z + m / tan(tilt).\n"
        "Secondary peaks and least-cost ridges stay out of the anti-shadow, are gentler than the "
        "light and stay below the following, where m is the distance to the end of a shadow, "
        "inside, or to the nearest shadow:\n"
        "    z + 0.8 m / tan(tilt).\n"
        "out is the highest of least-cost slopes and base. The shadows of the report are marched "
        "over out.\n"
        "Beyond the border nothing casts a shadow; a run that begins there starts at its first "
        "dark cell.",
    .cite = "rusnell2009",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "base: {type: source.constant, value: 0.1}\n"
               "cells: {type: voronoi.cells}\n"
               "spots: {type: voronoi.domain, domain: cells.domain, values: binary}\n"
               "land: {type: feature.shadow, in: base, image: spots}",
    .random = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
    .wraps = tw_never_wraps,
};
