/* SPDX-License-Identifier: MIT */
/* Feature curves, Weiss 2015, chapter V A: control points from the recipe become a list that
 * feature.diffusion interpolates. */
#include <thalweg/node.h>

/* The rows of the table in the order of its columns. */
struct row {
    float curve, x, y, z, plateau;
    float slope_left, angle_left, slope_right, angle_right, envelope_left, envelope_right;
    float elevation;
};

enum { OUT };

struct params {
    struct tw_table points;
    int32_t interpolation;
};

static const struct tw_column columns[] = {
    {"curve", 0, 0, 1e6, false, "", "number of the curve; its points follow each other"},
    {"x", 0, -16, 16, true, TW_UNIT_SIDE, "position, 0 is the west and 1 the east side"},
    {"y", 0, -16, 16, true, TW_UNIT_SIDE_SOUTH, "position, 0 is the north and 1 the south side"},
    {"z", 0, -1e6, 1e6, false, TW_UNIT_HEIGHT, "height of the plateau"},
    {"plateau", 0.01, 0, 16, false, TW_UNIT_SIDE, "half the width of the flat top"},
    {"slope_left", 0, 0, 16, false, TW_UNIT_SIDE, "width of the slope on the left of travel"},
    {"angle_left", 0, -90, 90, false, TW_UNIT_DEGREES, "slope away from the curve, hills below 0"},
    {"slope_right", 0, 0, 16, false, TW_UNIT_SIDE, "width of the slope on the right of travel"},
    {"angle_right", 0, -90, 90, false, TW_UNIT_DEGREES, "slope away from the curve"},
    {"envelope_left", 0.1, 0, 16, false, TW_UNIT_SIDE, "what is smoothed beyond the left slope"},
    {"envelope_right", 0.1, 0, 16, false, TW_UNIT_SIDE, "what is smoothed beyond the right slope"},
    {"elevation", 1, 0, 1, false, "", "1: the plateau has the height z, 0: it is only smoothed"},
    TW_COLUMN_END,
};

static const struct tw_param params[] = {
    TW_PARAM_TABLE(struct params, points, columns, "control points, two or more a curve"),
    TW_PARAM_ENUM(struct params, interpolation, TW_CURVE_CUBIC, "cubic|monotone|straight",
                  "between the points: smooth, smooth without overshooting in height, or straight"),
    TW_PARAM_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_CURVES, 0, "the control points"},
    TW_PORT_END,
};

static struct tw_control control(const struct row *row, int32_t interpolation)
{
    return (struct tw_control){
        .x = row->x,
        .y = row->y,
        .z = row->z,
        .plateau = row->plateau,
        .slope_left = row->slope_left,
        .angle_left = row->angle_left,
        .slope_right = row->slope_right,
        .angle_right = row->angle_right,
        .envelope_left = row->envelope_left,
        .envelope_right = row->envelope_right,
        .elevation = row->elevation,
        .curve = (int32_t)row->curve,
        .interpolation = interpolation,
    };
}

static struct tw_rule check_row(const struct tw_table *table, int32_t i)
{
    const struct row *row = (const struct row *)table->at + i;
    if (row->curve != (float)(int32_t)row->curve)
        return TW_RULE_OF_ROW("points", i + 1, "curve", "a whole number");
    if (row->elevation != 0 && row->elevation != 1)
        return TW_RULE_OF_ROW("points", i + 1, "elevation", "0 or 1");
    return TW_RULES_HOLD;
}

/* Whether row i is of the same curve as row k. */
static bool same(const struct tw_table *table, int32_t i, int32_t k)
{
    const struct row *rows = (const struct row *)table->at;
    return i >= 0 && k < table->rows && rows[i].curve == rows[k].curve;
}

static struct tw_rule check_neighbours(const struct tw_table *table, int32_t i)
{
    const struct row *rows = (const struct row *)table->at;
    if (i && rows[i].curve < rows[i - 1].curve)
        return TW_RULE_OF_ROW("points", i + 1, "curve", "at least the number in the row before");
    if (!same(table, i - 1, i) && !same(table, i, i + 1))
        return TW_RULE_OF_ROW("points", i + 1, "curve", "at least two rows of each curve");
    if (same(table, i - 1, i) && rows[i].x == rows[i - 1].x && rows[i].y == rows[i - 1].y)
        return TW_RULE_OF_ROW("points", i + 1, "x", "another place than in the row before, x or y");
    return TW_RULES_HOLD;
}

static struct tw_rule check(const void *at)
{
    const struct tw_table *table = &((const struct params *)at)->points;
    struct tw_rule rule = TW_RULES_HOLD;
    for (int32_t i = 0; i < table->rows && !rule.param; i++) {
        rule = check_row(table, i);
        if (!rule.param)
            rule = check_neighbours(table, i);
    }
    return rule;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_table *table = &p->points;
    enum tw_status status = tw_task_list(task, OUT, table->rows);
    if (status != TW_OK)
        return status;
    struct tw_control *out = tw_controls(tw_task_output(task, OUT));
    for (int32_t i = 0; i < table->rows; i++)
        out[i] = control((const struct row *)table->at + i, p->interpolation);
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    f->lists[OUT] = p->points.rows;
}

extern const struct tw_node_type tw_node_feature_curve;
const struct tw_node_type tw_node_feature_curve = {
    .name = "feature.curve",
    .version = 3,
    .summary = "feature curves from control points",
    .keywords = "ridge line, river bed, road, path, spline, vector, sketch, control points",
    .elsewhere =
        "Draw (Gaea), Layout Generator (World Machine), HeightField Draw Mask (Houdini), Path "
        "(Hesiod)",
    .detail =
        "Draws ridges, rivers, cliffs and roads as curves through control points, for "
        "feature.diffusion to shape a terrain to. Choose feature.strokes for generators of "
        "feature.distance.\n"
        "Every row is a control point; rows of the same curve are joined in their order. Left "
        "and right are those of travel along the curve seen with north up. Widths lie outside "
        "each other: plateau, then slope, then envelope. Lengths are shares of the map's width.\n"
        "Angles are those of the ground in the metres of `world:`, or where height 1 is as long "
        "as a map side, unless feature.diffusion takes slope: literal.\n"
        "interpolation: cubic leads through the points as in the thesis. Tangents inside a curve "
        "are half the way from the point before to the one after, and the two end pieces are "
        "quadratic. Like every such curve it swings beyond its points: heights of 0.56, 0.56 and "
        "0.2 reach 0.605 on the way.\n"
        "monotone keeps the course in the plane and lets heights rise or fall only as their "
        "points do, with the tangents of Fritsch and Carlson over the parameter, so that ramps "
        "stay between their ends and level stretches stay level.\n"
        "straight joins the points by straight lines, in height too, with kinks at the points. "
        "Widths and angles are linear between points in all three.",
    .cite = "weiss2015 fritsch1980",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "ridge:\n"
               "  type: feature.curve\n"
               "  points:\n"
               "    - {x: 0.2, y: 0.3, z: 0.8, slope_left: 0.1, angle_left: -60}\n"
               "    - {x: 0.5, y: 0.6, z: 1.0}\n"
               "    - {x: 0.8, y: 0.5, z: 0.7}",
    .check = check,
    .run = run,
    .forecast = forecast,
};
