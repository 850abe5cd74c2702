/* SPDX-License-Identifier: MIT */
/* Terrain whose shadows show a picture, Rusnell, Mould and Eramian 2009, section 4: primary
 * generators where each shadow run starts, as high as its length asks for; secondary peaks and
 * ridges elsewhere, below a bound that leaves the shadows as they are; least-cost paths from both;
 * and never below the base terrain. Heights within this file are in cells; the paper's cost is a
 * depth below the highest point. */
#include "common/shadows.h"
#include "feature/kernels/least_cost.h"
#include "feature/kernels/light_lines.h"
#include "feature/kernels/weighted_grid.h"

#include <thalweg/kernel.h>

enum { IN, IMAGE, LIGHT };
enum { OUT, GENERATORS, REPORT, SHADOW };
enum { PRIMARY, SECONDARY }; /* profiles of generators */
enum { DIRECTIONS = 180, BACK = 3 };
enum { CELLS_PER_SOURCE = 4 }; /* in pictures that are mostly shadow */

/* Times the light's slope: what bounds secondary features. A bound on the light's own plane would
 * let them light up shadows, as a digital line is up to half a cell beside the ray. */
#define BELOW_LIGHT 0.8

struct params {
    float azimuth, tilt, exaggeration;
    float steepness, roughness;
    bool secondary;
    int32_t peaks, ridges;
    float relief, band;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, azimuth, -1, -1, 360, TW_UNIT_DEGREES,
                 "where the light comes from, clockwise from north; -1: the shortest shadows"),
    TW_PARAM_F32(struct params, tilt, 60, 5, 85, TW_UNIT_DEGREES, "of the light, from vertical"),
    TW_PARAM_F32(struct params, exaggeration, 0.25, 1e-3, 1000, TW_UNIT_SIDE,
                 "what height 1 measures in map sides"),
    TW_PARAM_F32(struct params, steepness, 6, 1.1, 100, "times the light's slope",
                 "mean weight of an edge: how steep the primary features are"),
    TW_PARAM_F32(struct params, roughness, 0.25, 0, 0.95, "times the mean",
                 "greatest deviation of an edge's weight"),
    TW_PARAM_BOOL(struct params, secondary, true, "peaks and ridges away from the shadows"),
    TW_PARAM_I32(struct params, peaks, 30, 0, 100000, "peaks", "secondary peaks that are tried"),
    TW_PARAM_I32(struct params, ridges, 80, 0, 100000, "ridges", "secondary ridges to peaks"),
    TW_PARAM_F32(struct params, relief, 0.3, 0, 1000, TW_UNIT_HEIGHT,
                 "greatest height of a secondary peak above the base"),
    TW_PARAM_F32(struct params, band, 0.03, 0, 1, TW_UNIT_SIDE,
                 "anti-shadow: width of the strip around shadows without secondary features"),
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
    {"report", TW_RECORD, 0,
     "azimuth, tilt, longest, runs, secondary, intersection_over_union; lengths in map sides"},
    {"shadow", TW_MASK, 0, "1 where light reaches, 0 in shadow, by a ray march over out"},
    TW_PORT_END,
};

struct scene {
    struct tw_task *task;
    const struct params *params;
    const float *mask;
    int32_t width, height, cells;
    double azimuth, tilt, fall; /* fall: of a ray per cell, 1 / tan(tilt) */
    double scale;               /* cells per height 1 */
    double *base, *out;         /* heights */
    double *bound;              /* greatest height of secondary features */
    uint8_t *banned;            /* anti-shadow */
    double top, longest;
    struct tw_weighted_grid grid;
    struct tw_path_source *sources;
    int32_t capacity, count, runs, primary;
};

static double *new_map(struct scene *s)
{
    return tw_task_scratch(s->task, (size_t)s->cells, sizeof(double));
}

/* ---- the light ---- */

struct trial {
    struct scene *scene;
    struct tw_light_lines_dark dark;
    double longest[DIRECTIONS];
    int32_t *runs; /* width + height for each direction */
};

static void try_directions(void *context, int32_t begin, int32_t end)
{
    struct trial *trial = context;
    const struct scene *s = trial->scene;
    size_t lines = (size_t)s->width + (size_t)s->height;
    for (int32_t i = begin; i < end; i++) {
        struct tw_light_lines along;
        tw_light_lines_set(&along, s->width, s->height, i);
        trial->longest[i] = tw_light_lines_longest(&along, &trial->dark, tw_task_simd(s->task),
                                                   trial->runs + (size_t)i * lines);
    }
}

/* The direction whose longest shadow is shortest. Opposite lights have the same runs, and ties go
 * to the smaller azimuth, so half a turn is enough. */
static enum tw_status choose_light(struct scene *s)
{
    const struct tw_value *light = tw_task_input(s->task, LIGHT);
    int32_t best = 0;
    struct trial trial = {.scene = s};
    s->azimuth = (double)s->params->azimuth;
    s->tilt = (double)s->params->tilt;
    for (int32_t i = 0; light && i < light->width; i++) {
        const struct tw_entry *entry = &tw_entries(light)[i];
        s->azimuth = strcmp(entry->name, "azimuth") == 0 ? entry->number : s->azimuth;
        s->tilt = strcmp(entry->name, "tilt") == 0 ? entry->number : s->tilt;
    }
    if (!(s->tilt >= 5 && s->tilt <= 85))
        return tw_task_fail(s->task, "the light's tilt is %g and must be 5 to 85 degrees", s->tilt);
    s->fall = tw_cos_degrees(s->tilt) / tw_sin_degrees(s->tilt);
    if (s->azimuth >= 0)
        return TW_OK;
    trial.runs = tw_task_scratch(s->task, (size_t)s->width + (size_t)s->height,
                                 sizeof(int32_t) * DIRECTIONS);
    if (!trial.runs)
        return tw_task_no_memory(s->task);
    enum tw_status status = tw_light_lines_find_dark(s->task, s->mask, &trial.dark);
    if (status != TW_OK)
        return status;
    tw_rows(s->task, DIRECTIONS, 1, try_directions, &trial);
    for (int32_t i = 1; i < DIRECTIONS; i++)
        best = trial.longest[i] < trial.longest[best] ? i : best;
    s->azimuth = best;
    return TW_OK;
}

/* ---- generators ---- */

static void add(struct scene *s, int32_t cell, double height, int32_t feature, int32_t profile)
{
    int32_t x = cell % s->width, y = cell / s->width;
    s->top = height > s->top ? height : s->top;
    s->sources[s->count++] =
        (struct tw_path_source){.cost = height, /* a depth later, by set_depths() */
                                .cell = tw_weighted_grid_cell(&s->grid, x, y),
                                .feature = feature,
                                .profile = profile,
                                .domain = -1,
                                .yields = profile == SECONDARY};
}

/* Heights become the paper's costs, depths below the highest point. */
static void set_depths(struct scene *s)
{
    for (int32_t i = 0; i < s->count; i++)
        s->sources[i].cost = s->top - s->sources[i].cost;
}

/* One run of dark cells, line[from..to]: a generator on its light side, c_e - m / tan(tilt), and
 * the bound inside, which falls to the base's height at the run's end, less than the light does.
 * The cells behind it follow just below the ray: a wall one cell thick would let light through
 * where runs start far apart. */
static void add_run(struct scene *s, const int32_t *line, int32_t from, int32_t to, double step)
{
    int32_t start = from ? from - 1 : from;
    double end = s->base[line[to]], m = ((double)(to - start) + 0.5) * step;
    add(s, line[start], end + m * s->fall, s->runs, PRIMARY);
    s->longest = m > s->longest ? m : s->longest;
    for (int32_t i = from; i <= to; i++) {
        double below = end + (double)(to - i) * step * s->fall;
        s->bound[line[i]] = end + BELOW_LIGHT * (below - end);
        if (i > start && i <= start + BACK)
            add(s, line[i], below, s->runs, PRIMARY);
    }
    s->runs++;
}

static enum tw_status add_primary(struct scene *s)
{
    struct tw_light_lines lines;
    tw_light_lines_set(&lines, s->width, s->height, s->azimuth);
    int32_t *line = tw_task_scratch(s->task, (size_t)(s->width + s->height), sizeof *line);
    if (!line)
        return tw_task_no_memory(s->task);
    for (int32_t i = 0; i < lines.count; i++) {
        int32_t count = tw_light_lines_walk(&lines, i, line), from = -1;
        for (int32_t k = 0; k <= count; k++) {
            bool dark = k < count && s->mask[line[k]] < 0.5f;
            if (dark && from < 0)
                from = k;
            if (!dark && from >= 0) {
                add_run(s, line, from, k - 1, lines.step);
                from = -1;
            }
        }
    }
    s->primary = s->count;
    if (s->count)
        return TW_OK;
    float darkest = s->mask[0];
    for (int32_t i = 0; i < s->cells; i++)
        darkest = tw_min(darkest, s->mask[i]);
    return tw_task_fail(s->task,
                        "image has no shadow: looked for cells darker than 0.5; the darkest is %g",
                        (double)darkest);
}

/* Searches from all sources at cost 0, on edges of equal length or on the grid's. */
static enum tw_status search_nearest(struct scene *s, const struct tw_weighted_grid *grid,
                                     const struct tw_path_source *sources, int32_t count,
                                     struct tw_search *search)
{
    const struct tw_bounds all = {.limit = TW_COST_NONE};
    struct tw_paths paths = {
        .task = s->task, .grid = grid, .sources = sources, .sea = TW_COST_NONE};
    tw_paths_bound(&paths, 0, 0);
    if (tw_search_create(s->task, &paths, search, 1) != TW_OK)
        return TW_MEMORY;
    tw_search_run(&paths, &all, search, 0, count);
    return tw_task_cancelled(s->task) ? TW_CANCELLED : TW_OK;
}

static struct tw_path_source *plain_sources(struct scene *s, int32_t count)
{
    struct tw_path_source *plain = tw_task_scratch(s->task, (size_t)count, sizeof *plain);
    for (int32_t i = 0; plain && i < count; i++)
        plain[i] = (struct tw_path_source){.feature = i, .profile = -1, .domain = -1};
    return plain;
}

/* Outside shadows the bound rises from the height at the nearest shadow cell with the distance, a
 * little less steeply than the light falls. Also marks the anti-shadow. */
static enum tw_status bound_outside(struct scene *s)
{
    const struct tw_edge_weights even = {.mean = 1, .diagonal = 1.41421356f, .step = 1};
    struct tw_weighted_grid grid;
    struct tw_search search;
    struct tw_path_source *dark = plain_sources(s, s->cells);
    enum tw_status status = tw_weighted_grid_build(s->task, &even, &grid);
    int32_t count = 0;
    if (status != TW_OK || !dark)
        return status != TW_OK ? status : tw_task_no_memory(s->task);
    for (int32_t i = 0; i < s->cells; i++)
        if (s->mask[i] < 0.5f)
            dark[count++].cell = tw_weighted_grid_cell(&grid, i % s->width, i / s->width);
    status = search_nearest(s, &grid, dark, count, &search);
    for (int32_t i = 0; i < s->cells && status == TW_OK; i++) {
        int32_t cell = tw_weighted_grid_cell(&grid, i % s->width, i / s->width);
        int32_t near = dark[tw_search_source(&search, cell)].cell;
        double dx = cell % grid.stride - near % grid.stride;
        double dy = cell / grid.stride - near / grid.stride, m = sqrt(dx * dx + dy * dy);
        int32_t x = near % grid.stride - 1, y = near / grid.stride - 1;
        s->banned[i] = m > 0 && m <= (double)s->params->band * (double)s->width;
        if (m > 0)
            s->bound[i] = s->base[y * s->width + x] + BELOW_LIGHT * m * s->fall;
    }
    return status;
}

/* A height for a secondary node: a share of what the bound and `relief` leave above the base. */
static double secondary_height(const struct scene *s, int32_t cell, double share)
{
    double most = s->base[cell] + (double)s->params->relief * s->scale;
    most = most < s->bound[cell] ? most : s->bound[cell];
    most = most < s->top ? most : s->top;
    return most > s->base[cell] ? s->base[cell] + share * (most - s->base[cell]) : s->base[cell];
}

static int32_t random_cell(const struct scene *s, uint32_t i, uint32_t stream, double *share)
{
    struct tw_random4 words = tw_random(tw_task_seed(s->task), i, 0, stream, 2);
    *share = 0.4 + 0.6 * (double)tw_uniform(words.at[2]);
    return tw_floor(tw_uniform(words.at[0]) * (float)s->width) +
           s->width * tw_floor(tw_uniform(words.at[1]) * (float)s->height);
}

static void add_peaks(struct scene *s)
{
    double share;
    for (int32_t i = 0; i < s->params->peaks; i++) {
        int32_t cell = random_cell(s, (uint32_t)i, 0, &share);
        double height = secondary_height(s, cell, share);
        if (!s->banned[cell] && height > s->base[cell])
            add(s, cell, height, s->runs + i, SECONDARY);
    }
}

/* Least-cost paths from random nodes to the generators; outside the anti-shadow their cells become
 * generators. They are gentle also where they lead to a primary feature. */
static enum tw_status add_ridges(struct scene *s)
{
    int32_t before = s->count;
    struct tw_path_source *plain = plain_sources(s, before);
    struct tw_search search;
    if (!plain)
        return tw_task_no_memory(s->task);
    for (int32_t i = 0; i < before; i++)
        plain[i].cell = s->sources[i].cell;
    enum tw_status status = search_nearest(s, &s->grid, plain, before, &search);
    for (int32_t i = 0; i < s->params->ridges && status == TW_OK; i++) {
        double share;
        int32_t at = random_cell(s, (uint32_t)i, 1, &share), next;
        int32_t cell = tw_weighted_grid_cell(&s->grid, at % s->width, at / s->width);
        int32_t origin = tw_search_source(&search, cell);
        double length = search.cost[cell], high = s->sources[origin].cost;
        for (; !tw_search_at_source(&search, cell) && s->count < s->capacity; cell = next) {
            next = tw_search_predecessor(&s->grid, &search, cell);
            at = (cell / s->grid.stride - 1) * s->width + cell % s->grid.stride - 1;
            double far = search.cost[cell] / length, most = secondary_height(s, at, 1);
            double height = high + (secondary_height(s, at, 0.3 * share) - high) * far;
            height = height < most ? height : most;
            if (!s->banned[at] && height > s->base[at])
                add(s, at, height, s->sources[origin].feature, SECONDARY);
        }
    }
    return status;
}

/* ---- the terrain ---- */

/* Least-cost paths from all generators. Secondary features stay below the bound and are gentler
 * than the light, so that they cast no shadow; nothing is lower than the base. */
static enum tw_status raise_terrain(struct scene *s)
{
    double knots[2] = {0, 0}, scales[2] = {1, 0};
    scales[1] = 0.9 / ((double)s->params->steepness * (1 + (double)s->params->roughness));
    const struct tw_cost_profile slopes[2] = {{1, &knots[0], &scales[0]},
                                              {1, &knots[1], &scales[1]}};
    double lowest = s->base[0];
    for (int32_t i = 0; i < s->cells; i++)
        lowest = s->base[i] < lowest ? s->base[i] : lowest;
    struct tw_paths paths = {.task = s->task,
                             .grid = &s->grid,
                             .sources = s->sources,
                             .slopes = slopes,
                             .sea = s->top - lowest + 1};
    const struct tw_bounds bounds = {.limit = paths.sea};
    struct tw_search search;
    tw_paths_bound(&paths, 2, s->top - lowest);
    if (tw_search_create(s->task, &paths, &search, 1) != TW_OK)
        return TW_MEMORY;
    tw_search_run(&paths, &bounds, &search, 0, s->count);
    for (int32_t i = 0; i < s->cells; i++) {
        int32_t cell = tw_weighted_grid_cell(&s->grid, i % s->width, i / s->width);
        bool reached = tw_search_reached(&search, cell);
        double height = reached ? s->top - search.cost[cell] : s->base[i];
        if (reached && s->sources[tw_search_source(&search, cell)].profile == SECONDARY)
            height = height < s->bound[i] ? height : s->bound[i];
        s->out[i] = height > s->base[i] ? height : s->base[i];
    }
    return tw_task_cancelled(s->task) ? TW_CANCELLED : TW_OK;
}

static enum tw_status write_generators(struct scene *s)
{
    enum tw_status status = tw_task_list(s->task, GENERATORS, s->count);
    if (status != TW_OK)
        return status;
    struct tw_point *to = tw_points(tw_task_output(s->task, GENERATORS));
    for (int32_t i = 0; i < s->count; i++) {
        const struct tw_path_source *source = &s->sources[i];
        int32_t x = source->cell % s->grid.stride - 1, y = source->cell / s->grid.stride - 1;
        to[i] = (struct tw_point){
            ((float)x + 0.5f) / (float)s->width, ((float)y + 0.5f) / (float)s->height,
            (float)(source->cost / s->scale), source->feature, source->profile};
    }
    return TW_OK;
}

/* Shadow that is cast and in the picture over shadow that is one of the two. */
static double agreement(const struct scene *s, const float *lit)
{
    int32_t both = 0, either = 0;
    for (int32_t i = 0; i < s->cells; i++) {
        bool cast = lit[i] < 0.5f, drawn = s->mask[i] < 0.5f;
        both += cast && drawn;
        either += cast || drawn;
    }
    return either ? (double)both / (double)either : 1;
}

static enum tw_status write_outputs(struct scene *s)
{
    float *out = tw_floats(tw_task_output(s->task, OUT));
    float *lit = tw_floats(tw_task_output(s->task, SHADOW));
    for (int32_t i = 0; i < s->cells; i++) {
        out[i] = (float)(s->out[i] / s->scale);
        s->out[i] = (double)out[i] * s->scale; /* the heights that mask.light sees */
    }
    enum tw_status status =
        tw_shadows_cast(s->task, s->out, s->width, s->height, s->azimuth, s->tilt, lit);
    if (status == TW_OK)
        status = tw_task_list(s->task, REPORT, 6);
    if (status != TW_OK)
        return status;
    struct tw_value *report = tw_task_output(s->task, REPORT);
    tw_record_set(report, 0, "azimuth", s->azimuth);
    tw_record_set(report, 1, "tilt", s->tilt);
    tw_record_set(report, 2, "longest", s->longest / s->width);
    tw_record_set(report, 3, "runs", s->runs);
    tw_record_set(report, 4, "secondary", s->count - s->primary);
    tw_record_set(report, 5, "intersection_over_union", agreement(s, lit));
    return write_generators(s);
}

static enum tw_status prepare(struct scene *s)
{
    const struct params *p = s->params;
    const float *in = tw_floats(tw_task_input(s->task, IN));
    s->capacity = 2 * s->cells + p->peaks;
    s->sources = tw_task_reserve(s->task, (size_t)s->capacity * 2, sizeof *s->sources,
                                 (size_t)s->cells / CELLS_PER_SOURCE * 2);
    s->base = new_map(s);
    s->out = new_map(s);
    s->bound = new_map(s);
    s->banned = tw_task_scratch(s->task, (size_t)s->cells, 1);
    if (!s->sources || !s->base || !s->out || !s->bound || !s->banned)
        return tw_task_no_memory(s->task);
    s->scale = (double)p->exaggeration * (double)s->width;
    s->top = -1e300;
    for (int32_t i = 0; i < s->cells; i++) {
        s->base[i] = (double)in[i] * s->scale;
        s->top = s->base[i] > s->top ? s->base[i] : s->top;
    }
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct scene s = {.task = task,
                      .params = p,
                      .mask = tw_floats(tw_task_input(task, IMAGE)),
                      .width = tw_task_width(task),
                      .height = tw_task_height(task)};
    s.cells = s.width * s.height;
    enum tw_status status = prepare(&s);
    if (status == TW_OK)
        status = choose_light(&s);
    if (status != TW_OK)
        return status;
    float mean = p->steepness * (float)s.fall;
    const struct tw_edge_weights weights = {
        .mean = mean, .deviation = mean * p->roughness, .diagonal = 1.41421356f, .step = 1};
    status = tw_weighted_grid_build(task, &weights, &s.grid);
    if (status == TW_OK)
        status = add_primary(&s);
    if (status == TW_OK && p->secondary) {
        status = bound_outside(&s);
        if (status == TW_OK) {
            add_peaks(&s);
            status = add_ridges(&s);
        }
    }
    if (status != TW_OK)
        return status;
    set_depths(&s);
    tw_sources_sort(s.sources, s.sources + s.capacity, s.count, TW_BY_COST);
    status = raise_terrain(&s);
    return status == TW_OK ? write_outputs(&s) : status;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    int32_t w = f->width, h = f->height;
    uint64_t cells = (uint64_t)w * (uint64_t)h, lines = (uint64_t)w + (uint64_t)h;
    uint64_t sources = cells / CELLS_PER_SOURCE;
    tw_forecast_scratch(f, 2 * sources, sizeof(struct tw_path_source));
    tw_forecast_maps(f, 3, sizeof(double)); /* base, out, bound */
    tw_forecast_maps(f, 1, 1);              /* banned */
    if (p->azimuth < 0 && f->inputs[LIGHT] == 0) {
        tw_forecast_scratch(f, lines, sizeof(int32_t) * DIRECTIONS);
        tw_light_lines_forecast(f);
    }
    tw_weighted_grid_forecast(f, w, h, false);
    tw_forecast_scratch(f, lines, sizeof(int32_t));
    tw_search_forecast(f, w, h, 1, 1 - (double)p->roughness, 1.5 + (double)p->roughness);
    tw_shadows_forecast(f);
    if (p->secondary) {
        tw_forecast_scratch(f, cells + sources / 2, sizeof(struct tw_path_source)); /* plain */
        tw_weighted_grid_forecast(f, w, h, false);
        tw_search_forecast(f, w, h, 1, 1, 1.5);
        tw_search_forecast(f, w, h, 1, 1 - (double)p->roughness, 1.5 + (double)p->roughness);
    }
    f->lists[GENERATORS] = (int64_t)sources;
}

extern const struct tw_node_type tw_node_feature_shadow;
const struct tw_node_type tw_node_feature_shadow = {
    .name = "feature.shadow",
    .version = 2,
    .summary = "terrain whose shadows show a picture",
    .detail =
        "Light from the direction whose longest run of dark cells is shortest (whole degrees). A "
        "run of length m that ends at base height z is cast by a generator of height z + m / "
        "tan(tilt) at the last lit cell before it. Secondary peaks and least-cost ridges stay "
        "out of the anti-shadow and below z + 0.8 m / tan(tilt), where m is the distance to the "
        "end "
        "of a shadow, inside, or to the nearest shadow, and are gentler than the light. Out is the "
        "highest "
        "of least-cost slopes and base; the report's shadows are marched over out.\nBeyond the "
        "border nothing casts a shadow; a run that begins there starts at its first dark cell.",
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
