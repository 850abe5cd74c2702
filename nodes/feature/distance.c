/* SPDX-License-Identifier: MIT */
/* Terrain from distances, Rusnell, Mould and Eramian 2009, Algorithm 1: every feature is a field of
 * least-cost paths from its generators, and the fields are blended (eq 2). C_a, the field of all
 * generators at once, decides where a feature is too low to matter. Fields are computed side by
 * side, a few at a time, and added in the order of their features. */
#include "feature/kernels/feature_blend.h"
#include "feature/kernels/least_cost_strips.h"
#include "feature/kernels/tile_relaxation.h"
#include "feature/kernels/weighted_grid.h"

#include <thalweg/kernel.h>

enum { GENERATORS, WEIGHTS, DOMAIN, PROFILES };
enum { OUT, COST, FEATURE };
enum { METRIC_STEPS, METRIC_OCTILE };
enum { HEIGHTS_COST, HEIGHTS_SHARE };
enum { PROFILES_MAX = 64 };

struct params {
    float mean_weight, deviation; /* mu_w, r */
    float sea_level, bias;        /* s, b */
    int32_t metric;
    float diagonal, stop, stop_share;
    struct tw_list weight_range;
    struct tw_table limits;
    int32_t side, heights;
};

static const struct tw_column limit_columns[] = {
    {"feature", 0, 0, 1e6, true, "", "the feature that is limited"},
    {"domain", 0, 0, 1e6, true, "", "label of the cells that it may enter"},
    TW_COLUMN_END,
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, mean_weight, 1, 1e-6, 1e6, "cost per cell",
                 "mu_w: mean weight of an edge; steepness", TW_USUAL(0.1, 5)),
    TW_PARAM_F32(struct params, deviation, 0.5, 0, 1e6, "cost per cell",
                 "r: greatest deviation of a weight, below mean_weight; roughness", TW_USUAL(0, 5)),
    TW_PARAM_F32(struct params, sea_level, 2.5, 1e-6, 1e6, "times the highest generator cost",
                 "s: the sea's cost c_s is s times the greatest cost of a generator",
                 TW_USUAL(1, 10)),
    TW_PARAM_F32(struct params, bias, 3, 0, 1000, TW_UNIT_NONE,
                 "b: 0 blends features to their mean, more and more to the highest",
                 TW_USUAL(0, 10)),
    TW_PARAM_ENUM(struct params, metric, METRIC_STEPS, "steps|octile",
                  "diagonal edges weigh `diagonal` times as much, or the square root of 2 times"),
    TW_PARAM_F32(struct params, diagonal, 1, 1e-3, 1e3, TW_UNIT_NONE,
                 "factor of diagonal edges with metric: steps; the paper gives none",
                 TW_USUAL(0.5, 2)),
    TW_PARAM_F32(struct params, stop, 0.5, 0, 1e6, "cost", "a feature ends so far above the sea",
                 TW_USUAL(0, 10)),
    TW_PARAM_F32(struct params, stop_share, 0.05, 0, 0.999, TW_UNIT_SHARE,
                 "a feature ends where it is lower than this share of the height by C_a"),
    TW_PARAM_LIST(struct params, weight_range, "0 1", 0, 1e6, "cost per cell",
                  "what an edge weighs where the weights input is [0, 1]", TW_USUAL(0, 5)),
    TW_PARAM_TABLE(struct params, limits, limit_columns,
                   "features that stay within a label of the domain input"),
    TW_PARAM_I32_OR(struct params, side, "auto", 0, 0, 1, 1 << 20, TW_UNIT_CELLS,
                    "width of the map that weights and profiles are meant for; auto: this map's",
                    TW_USUAL(128, 4096)),
    TW_PARAM_ENUM(struct params, heights, HEIGHTS_COST, "cost|share",
                  "out in units of cost, or divided by c_s, which is within 0..1"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"generators", TW_POINTS, 0, "places with a cost, a feature and a profile"},
    {"weights", TW_MASK, TW_OPTIONAL, "edge weights instead of mean_weight and deviation"},
    {"domain", TW_LABELS, TW_OPTIONAL, "what limits refers to"},
    {"profiles", TW_PROFILE, TW_VARIADIC, "cross sections, numbered from 0"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "h_f of eq 2, 0 at the sea"},
    {"cost", TW_HEIGHTMAP, TW_ON_DEMAND, "C_a: the least cost from any generator, c_s at most"},
    {"feature", TW_LABELS, TW_ON_DEMAND, "the feature whose path is cheapest; -1 where none leads"},
    TW_PORT_END,
};

struct terrain {
    struct tw_task *task;
    const struct params *params;
    struct tw_weighted_grid grid;
    struct tw_path_source *sources, *by_feature;
    int32_t count;
    struct tw_cost_profile slopes[PROFILES_MAX];
    int32_t profiles;
    int32_t *domains, *starts; /* labels per cell of the grid; first source of each feature */
    int32_t features;
    struct tw_paths paths;
    double *whole; /* C_a by cell of the grid */
};

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    if (p->metric == METRIC_OCTILE && p->diagonal != 1)
        return TW_RULE("diagonal", "1 with metric: octile, which sets it");
    if (p->weight_range.count != 2)
        return TW_RULE("weight_range", "[low, high]");
    return TW_RULE_BELOW(p, deviation, mean_weight);
}

static enum tw_status build_grid(struct terrain *t)
{
    const struct params *p = t->params;
    const struct tw_edge_weights weights = {
        .mean = p->mean_weight,
        .deviation = p->deviation,
        .diagonal = p->metric == METRIC_OCTILE ? 1.41421356f : p->diagonal,
        .step = p->side ? (float)p->side / (float)tw_task_width(t->task) : 1.0f,
        .image = tw_task_input(t->task, WEIGHTS),
        .low = p->weight_range.at[0],
        .high = p->weight_range.at[1]};
    return tw_weighted_grid_build(t->task, &weights, &t->grid);
}

static int32_t domain_of(const struct params *p, int32_t feature)
{
    for (int32_t i = 0; i < p->limits.rows; i++)
        if ((int32_t)p->limits.at[2 * i] == feature)
            return (int32_t)p->limits.at[2 * i + 1];
    return -1;
}

static enum tw_status read_generators(struct terrain *t)
{
    const struct tw_value *points = tw_task_input(t->task, GENERATORS);
    t->count = points ? points->width : 0;
    t->profiles = tw_task_input_count(t->task) - PROFILES;
    if (t->count < 1)
        return tw_task_fail(t->task, "generators is empty: it needs at least one point");
    t->sources = tw_task_scratch(t->task, (size_t)t->count * 3, sizeof *t->sources);
    if (!t->sources)
        return tw_task_no_memory(t->task);
    t->by_feature = t->sources + t->count;
    for (int32_t i = 0; i < t->count; i++) {
        const struct tw_point *point = &tw_points(points)[i];
        if (!t->profiles && point->profile > 0)
            return tw_task_fail(t->task,
                                "generator %d has profile %d; expected 0, as the input 'profiles' "
                                "is empty",
                                (int)i, (int)point->profile);
        if (t->profiles && point->profile >= t->profiles)
            return tw_task_fail(t->task,
                                "generator %d has profile %d; expected one of the %d profiles, "
                                "numbered from 0",
                                (int)i, (int)point->profile, (int)t->profiles);
        if (point->cost < 0)
            return tw_task_fail(t->task, "generator %d has the cost %g; expected 0 or more", (int)i,
                                (double)point->cost);
        t->sources[i] = (struct tw_path_source){.cost = (double)point->cost,
                                                .cell = tw_weighted_grid_cell_of(&t->grid, point),
                                                .feature = point->feature,
                                                .profile = t->profiles ? point->profile : -1,
                                                .domain = domain_of(t->params, point->feature)};
    }
    memcpy(t->by_feature, t->sources, (size_t)t->count * sizeof *t->sources);
    tw_sources_sort(t->sources, t->by_feature + t->count, t->count, TW_BY_COST);
    tw_sources_sort(t->by_feature, t->by_feature + t->count, t->count, TW_BY_FEATURE);
    return TW_OK;
}

/* The decimal that was written: 0.05 as a float is a little more, which would decide ties. */
static double decimal(float v) { return (double)(int64_t)((double)v * 1e6 + 0.5) / 1e6; }

static enum tw_status set_sea(struct terrain *t)
{
    double highest = t->sources[t->count - 1].cost;
    t->paths.sea = decimal(t->params->sea_level) * highest;
    if (t->paths.sea <= 0)
        return tw_task_fail(t->task,
                            "the sea's cost is sea_level %g times the greatest generator cost %g "
                            "and must be above 0",
                            (double)t->params->sea_level, highest);
    int32_t drowned = 0;
    for (int32_t i = 0; i < t->count; i++)
        drowned += t->sources[i].cost >= t->paths.sea;
    if (drowned)
        tw_task_warn(t->task,
                     "%d of %d generators lie at or below the sea (cost %g) and have no "
                     "effect",
                     (int)drowned, (int)t->count, t->paths.sea);
    return TW_OK;
}

static enum tw_status read_profiles(struct terrain *t)
{
    for (int32_t i = 0; i < t->profiles; i++) {
        const struct tw_value *profile = tw_task_input(t->task, PROFILES + i);
        if (!tw_cost_profile_falls(profile))
            return tw_task_fail(t->task,
                                "profile %d does not fall from left to right over two points or "
                                "more",
                                (int)i);
        double *knots = tw_task_scratch(t->task, (size_t)profile->width * 2, sizeof *knots);
        if (!knots)
            return tw_task_no_memory(t->task);
        t->slopes[i] = (struct tw_cost_profile){.knot = knots, .scale = knots + profile->width};
        tw_cost_profile_fill(profile, t->paths.sea, t->grid.mean, &t->slopes[i]);
    }
    return TW_OK;
}

static enum tw_status read_domains(struct terrain *t)
{
    const struct tw_value *domain = tw_task_input(t->task, DOMAIN);
    if (!t->params->limits.rows)
        return TW_OK;
    if (!domain)
        return tw_task_fail(t->task, "limits needs the domain input");
    t->domains = tw_task_scratch(t->task, (size_t)t->grid.cells, sizeof *t->domains);
    if (!t->domains)
        return tw_task_no_memory(t->task);
    for (int32_t y = 0; y < t->grid.height; y++)
        memcpy(t->domains + tw_weighted_grid_cell(&t->grid, 0, y),
               tw_labels(domain) + (size_t)y * (size_t)t->grid.width,
               (size_t)t->grid.width * sizeof *t->domains);
    return TW_OK;
}

static enum tw_status find_features(struct terrain *t)
{
    t->starts = tw_task_scratch(t->task, (size_t)t->count + 1, sizeof *t->starts);
    if (!t->starts)
        return tw_task_no_memory(t->task);
    for (int32_t i = 0; i < t->count; i++)
        if (i == 0 || t->by_feature[i].feature != t->by_feature[i - 1].feature)
            t->starts[t->features++] = i;
    t->starts[t->features] = t->count;
    return TW_OK;
}

/* C_a in the order of costs, where profiles or limits need it; `feature` may be NULL. */
static enum tw_status search_in_order(struct terrain *t, int32_t *feature)
{
    struct tw_search search;
    enum tw_status status =
        tw_search_everywhere(t->task, &t->paths, TW_COST_NONE, &search, t->count);
    if (status != TW_OK)
        return status;
    t->whole = search.cost;
    for (int32_t y = 0; feature && y < t->grid.height; y++)
        for (int32_t x = 0; x < t->grid.width; x++) {
            int32_t cell = tw_weighted_grid_cell(&t->grid, x, y);
            *feature++ = tw_search_reached(&search, cell)
                             ? t->sources[tw_search_source(&search, cell)].feature
                             : -1;
        }
    return TW_OK;
}

static void write_cost(void *context, int32_t begin, int32_t end)
{
    const struct terrain *t = context;
    size_t width = (size_t)t->grid.width;
    float *cost = tw_floats(tw_task_output(t->task, COST)) + (size_t)begin * width;
    for (int32_t y = begin; y < end; y++, cost += width) {
        const double *row = t->whole + tw_weighted_grid_cell(&t->grid, 0, y);
        for (size_t x = 0; x < width; x++)
            cost[x] = (float)(row[x] < t->paths.sea ? row[x] : t->paths.sea);
    }
}

/* C_a and the feature whose path is cheapest. Vectors pay from AVX2 on. */
static enum tw_status search_whole(struct terrain *t)
{
    int32_t *feature = tw_labels(tw_task_output(t->task, FEATURE));
    enum tw_status status;
    if (tw_task_simd(t->task) != TW_SIMD_BASE && tw_tile_relaxation_applies(&t->paths, t->count)) {
        t->whole = tw_task_scratch(t->task, (size_t)t->grid.cells, sizeof *t->whole);
        if (!t->whole)
            return tw_task_no_memory(t->task);
        status = tw_tile_relaxation(t->task, &t->paths, t->count, t->whole, feature);
    } else
        status = search_in_order(t, feature);
    if (status == TW_OK && tw_task_wants(t->task, COST))
        tw_rows(t->task, t->grid.height, 32, write_cost, t);
    return status;
}

static enum tw_status blend_features(const struct terrain *t, double *whole)
{
    const struct params *p = t->params;
    const struct tw_bounds bounds = {.limit = t->paths.sea - decimal(p->stop),
                                     .field = whole,
                                     .share = decimal(p->stop_share),
                                     .costs_only = true};
    const struct tw_features features = {
        .paths = &t->paths, .bounds = &bounds, .starts = t->starts, .count = t->features};
    return tw_feature_blend(t->task, &features, p->bias,
                            p->heights == HEIGHTS_SHARE ? 1 / t->paths.sea : 1,
                            tw_floats(tw_task_output(t->task, OUT)));
}

/* Returns true if a generator has no profile. */
static bool has_plain(const struct terrain *t)
{
    bool plain = false;
    for (int32_t i = 0; i < t->count; i++)
        plain |= t->sources[i].profile < 0;
    return plain;
}

static enum tw_status run(struct tw_task *task)
{
    struct terrain t = {.task = task, .params = tw_task_params(task)};
    enum tw_status (*const steps[])(struct terrain *) = {build_grid, read_generators, set_sea,
                                                         read_profiles, read_domains};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        enum tw_status status = steps[i](&t);
        if (status != TW_OK)
            return status;
    }
    t.paths = (struct tw_paths){.task = task,
                                .grid = &t.grid,
                                .sources = t.sources,
                                .slopes = t.slopes,
                                .domains = t.domains,
                                .sea = t.paths.sea};
    double highest = t.sources[t.count - 1].cost;
    tw_paths_bound(&t.paths, t.profiles, has_plain(&t),
                   highest < t.paths.sea ? highest : t.paths.sea);
    enum tw_status status = search_whole(&t);
    if (status != TW_OK || !tw_task_wants(task, OUT))
        return status;
    status = find_features(&t);
    if (status != TW_OK)
        return status;
    t.paths.sources = t.by_feature;
    return blend_features(&t, t.whole);
}

/* steepest slope of typical profiles, in means of their slopes; steeper ones take a few more
 * buckets */
enum { STEEPEST = 4 };

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    int32_t w = f->width, h = f->height;
    uint64_t points = (uint64_t)f->inputs[GENERATORS], grid = ((uint64_t)w + 2) * ((uint64_t)h + 2);
    double least = (double)p->mean_weight - (double)p->deviation;
    double most = (double)p->mean_weight + (double)p->deviation;
    bool in_order = f->input_count > PROFILES || p->limits.rows > 0;
    if (f->input_count > PROFILES)
        most *= STEEPEST;
    tw_weighted_grid_forecast(f, w, h, f->inputs[WEIGHTS] > 0);
    tw_forecast_scratch(f, 3 * points, sizeof(struct tw_path_source));
    if (tw_forecast_wants(f, OUT))
        tw_forecast_scratch(f, points + 1, sizeof(int32_t)); /* starts */
    for (int i = PROFILES; i < f->input_count; i++)
        tw_forecast_scratch(f, (uint64_t)f->inputs[i], 2 * sizeof(double)); /* knots */
    if (p->limits.rows > 0)
        tw_forecast_scratch(f, grid, sizeof(int32_t)); /* domains */
    if (in_order) {
        tw_search_everywhere_forecast(f, w, h, least, most);
    } else {
        tw_forecast_scratch(f, grid, sizeof(double)); /* C_a */
        tw_tile_relaxation_forecast(f, w, h, tw_forecast_wants(f, FEATURE));
    }
    if (tw_forecast_wants(f, OUT))
        tw_feature_blend_forecast(f, points, least, most);
}

extern const struct tw_node_type tw_node_feature_distance;
const struct tw_node_type tw_node_feature_distance = {
    .name = "feature.distance",
    .version = 1,
    .summary = "terrain from least-cost distances to generators",
    .keywords =
        "mountain, mountains, hills, crater, cone, volcano, terrain from points and strokes",
    .elsewhere =
        "Mountain (Gaea), Volcano (Gaea), Crater (Gaea), Cone (Gaea), Peak (Hesiod), r.cost "
        "(GRASS)",
    .detail =
        "Grows mountains from generators (points, lines, edges of a picture) along the "
        "least-cost ways to them. Choose feature.diffusion for drawn curves of given heights and "
        "angles.\n"
        "Edges between the 8 neighbours have a weight, v being uniform in -1..1:\n"
        "    w = mu_w + r v.\n"
        "With an image g it is (g_p + g_q)/2 instead, and mu_w is the mean of g over all cells.\n"
        "Costs add up along a path from a generator of cost c_g, with c_s = s max c_g:\n"
        "    c = c' + w w_s(c_m);\n"
        "    c_m = (c' - c_g)/(c_s - c_g) c_s.\n"
        "w_s is the slope of the generator's profile, stretched to 0..c_s, over mu_w, and 1 "
        "without a profile.\n"
        "A field ends at c_s - stop and where its height is below stop_share of C_a's. Fields "
        "with heights h_i = c_s - c_i blend to:\n"
        "    h = sum h_i^(b+1) / sum h_i^b.\n"
        "Paths do not leave the map.\n"
        "Weights, profiles and costs count cells. With `side` an edge costs side / width of "
        "that, so that features stay in their place in the map. Weights are drawn for every "
        "edge, so smaller cells have other and, as a path picks the cheapest, slightly cheaper "
        "ways.",
    .cite = "rusnell2009",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "peaks: {type: feature.points, count: 12, cost: [5, 30]}\n"
               "slope: {type: feature.profile, points: [[0, 1], [20, 0.4], [80, 0]]}\n"
               "hills: {type: feature.distance, generators: peaks, profiles: [slope], heights: "
               "share}",
    .random = true,
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
    .forecast = forecast,
    .wraps = tw_never_wraps,
};
