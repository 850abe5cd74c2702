/* SPDX-License-Identifier: MIT */
/* Generators of Rusnell, Mould and Eramian 2009, section 3, as points: placed one by one, or drawn
 * at random within a rectangle. */
#include <thalweg/kernel.h>
#include <thalweg/node.h>

enum { OUT };

struct params {
    struct tw_table points;
    int32_t count, profiles;
    struct tw_list cost, area;
};

enum { X, Y, COST, FEATURE, PROFILE };

static const struct tw_column columns[] = {
    {"x", 0, 0, 1, true, TW_UNIT_SIDE, "from the west"},
    {"y", 0, 0, 1, true, TW_UNIT_SIDE_SOUTH, "from the north"},
    {"cost", 0, 0, 1e6, false, "cost", "c_g of the generator; a small cost is a high peak"},
    {"feature", -1, -1, 1e6, false, "", "points of one feature share its number; -1: its own"},
    {"profile", 0, -1, 63, false, "", "place in the list of profiles; -1: none"},
    TW_COLUMN_END,
};

static const struct tw_param params[] = {
    TW_PARAM_TABLE(struct params, points, columns, "the points; none: random ones"),
    TW_PARAM_I32(struct params, count, 16, 1, 1000000, "points", "random points, a feature each",
                 TW_USUAL(1, 100)),
    TW_PARAM_I32(struct params, profiles, 1, 1, 64, "profiles",
                 "random points take one of the first so many profiles"),
    TW_PARAM_LIST(struct params, cost, "0 20", 0, 1e6, "cost", "of random points, [low, high]",
                  TW_USUAL(0, 100)),
    TW_PARAM_LIST(struct params, area, "0 0 1 1", 0, 1, TW_UNIT_SHARE,
                  "of the map for random points: [west, north, east, south]"),
    TW_PARAM_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_POINTS, 0, "generators for feature.distance"},
    TW_PORT_END,
};

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    if (p->cost.count != 2 || p->cost.at[0] > p->cost.at[1])
        return TW_RULE("cost", "[low, high], with low at most high");
    if (p->area.count != 4 || p->area.at[0] > p->area.at[2] || p->area.at[1] > p->area.at[3])
        return TW_RULE(
            "area", "[west, north, east, south], with west at most east and north at most south");
    return TW_RULES_HOLD;
}

static struct tw_point placed(const float *row, int32_t free_feature)
{
    bool own = row[FEATURE] < 0;
    return (struct tw_point){row[X], row[Y], row[COST], own ? free_feature : (int32_t)row[FEATURE],
                             (int32_t)row[PROFILE]};
}

static float between(float low, float high, uint32_t word)
{
    return low + (high - low) * tw_uniform(word);
}

static struct tw_point drawn(const struct tw_task *task, const struct params *p, int32_t i)
{
    struct tw_random4 words = tw_random(tw_task_seed(task), (uint32_t)i, 0, 0, 0);
    return (struct tw_point){between(p->area.at[0], p->area.at[2], words.at[0]),
                             between(p->area.at[1], p->area.at[3], words.at[1]),
                             between(p->cost.at[0], p->cost.at[1], words.at[2]), i,
                             tw_floor(tw_uniform(words.at[3]) * (float)p->profiles)};
}

/* The first number above all that the rows use. */
static int32_t first_free(const struct tw_table *points)
{
    int32_t highest = -1;
    for (int32_t i = 0; i < points->rows; i++) {
        int32_t feature = (int32_t)points->at[i * points->columns + FEATURE];
        highest = feature > highest ? feature : highest;
    }
    return highest + 1;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    int32_t rows = p->points.rows, count = rows ? rows : p->count;
    enum tw_status status = tw_task_list(task, OUT, count);
    if (status != TW_OK)
        return status;
    struct tw_point *points = tw_points(tw_task_output(task, OUT));
    int32_t own = first_free(&p->points);
    for (int32_t i = 0; i < count; i++) {
        points[i] = rows ? placed(p->points.at + i * p->points.columns, own) : drawn(task, p, i);
        own += points[i].feature == own;
    }
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    f->lists[OUT] = p->points.rows ? p->points.rows : p->count;
}

extern const struct tw_node_type tw_node_feature_points;
const struct tw_node_type tw_node_feature_points = {
    .name = "feature.points",
    .version = 1,
    .summary = "generators at given or random places",
    .keywords = "mountain peaks, places, craters, control points, seeds",
    .elsewhere = "Draw (Gaea), Layout Generator (World Machine), Cloud (Hesiod)",
    .detail =
        "Places generators at given or random points: the peaks and hills of feature.distance. "
        "Choose feature.strokes for ridges along lines.\n"
        "A row gives x and y in map sides, a cost, a feature and a profile. Rows without a "
        "feature get numbers above all given ones. Random points are uniform in area and cost.",
    .cite = "rusnell2009",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "peaks: {type: feature.points, points: [{x: 0.3, y: 0.4, cost: 5}, {x: 0.7, y: 0.6, "
               "cost: 20}]}\nhills: {type: feature.points, count: 30, cost: [10, 40]}",
    .random = true,
    .check = check,
    .run = run,
    .forecast = forecast,
};
