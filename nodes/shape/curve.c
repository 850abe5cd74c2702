/* SPDX-License-Identifier: MIT */
/* Heights by a drawn curve through points: straight between them, or the monotone cubic of Fritsch
 * and Butland 1984, "A method for constructing local monotone piecewise cubic interpolants", which
 * never overshoots. We take the secant as the slope at both ends. */
#include "shape/kernels/ports.h"

#include <thalweg/kernel.h>
#include <thalweg/pointwise.h>

enum { X, Y, COLUMNS };
enum { CUBIC, LINEAR };

struct params {
    struct tw_table points;
    int32_t interpolation;
};

static const struct tw_column columns[] = {
    {"x", 0, -1e9, 1e9, true, TW_UNIT_HEIGHT, "a height"},
    {"y", 0, -1e9, 1e9, true, TW_UNIT_HEIGHT, "what it becomes"},
    TW_COLUMN_END,
};

static const struct tw_param params[] = {
    TW_PARAM_TABLE(struct params, points, columns, "the curve, x rising"),
    TW_PARAM_ENUM(struct params, interpolation, CUBIC, "cubic|linear",
                  "smooth without overshoot, or straight between points"),
    TW_PARAM_END,
};

TW_SHAPE_PORTS(TW_KEEPS_TYPE, "the reshaped map");

/* y + t (slope + t (square + t cube)) with t = v - x, up to the next segment's x */
struct segment {
    float x, y, slope, square, cube;
};

struct curve {
    const struct segment *segments;
    int32_t count;
    float first, last; /* x of both ends */
};

static float secant(const float *p) { return (p[COLUMNS + Y] - p[Y]) / (p[COLUMNS + X] - p[X]); }

/* The slope at a point: the weighted harmonic mean of the secants on both sides, 0 at an extreme.
 */
static float slope_at(const struct tw_table *points, int32_t i)
{
    const float *p = points->at + (size_t)i * COLUMNS;
    if (i == 0)
        return secant(p);
    if (i == points->rows - 1)
        return secant(p - COLUMNS);
    float before = secant(p - COLUMNS), after = secant(p);
    float width_before = p[X] - p[X - COLUMNS], width_after = p[X + COLUMNS] - p[X];
    float a = 2.0f * width_after + width_before, b = width_after + 2.0f * width_before;
    return before * after > 0 ? (a + b) / (a / before + b / after) : 0;
}

static void fill_segment(const struct params *curve, int32_t i, struct segment *segment)
{
    const float *p = curve->points.at + (size_t)i * COLUMNS;
    float width = p[X + COLUMNS] - p[X], rise = secant(p);
    *segment = (struct segment){.x = p[X], .y = p[Y], .slope = rise};
    if (curve->interpolation == LINEAR)
        return;
    float from = slope_at(&curve->points, i), to = slope_at(&curve->points, i + 1);
    segment->slope = from;
    segment->square = (3.0f * rise - 2.0f * from - to) / width;
    segment->cube = (from + to - 2.0f * rise) / (width * width);
}

static TW_INLINE float follow(const struct curve *curve, float v)
{
    v = tw_clamp(v, curve->first, curve->last);
    const struct segment *at = curve->segments;
    for (int32_t left = curve->count; left > 1;) { /* the last segment that begins at or before v */
        int32_t half = left / 2;
        at = at[half].x <= v ? at + half : at;
        left -= half;
    }
    float t = v - at->x;
    return at->y + t * (at->slope + t * (at->square + t * at->cube));
}
TW_POINTWISE_KERNEL(follow, maps->context, a[i])

static struct tw_rule check(const void *at)
{
    const struct tw_table *points = &((const struct params *)at)->points;
    if (points->rows < 2)
        return TW_RULE("points", "at least two rows {x, y}");
    for (int32_t i = 1; i < points->rows; i++)
        if (points->at[i * COLUMNS + X] <= points->at[(i - 1) * COLUMNS + X])
            return TW_RULE_OF_ROW("points", i + 1, "x", "more than in the row before");
    return TW_RULES_HOLD;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    int32_t count = p->points.rows - 1;
    struct segment *segments = tw_task_scratch(task, (size_t)count, sizeof *segments);
    if (!segments)
        return tw_task_no_memory(task);
    for (int32_t i = 0; i < count; i++)
        fill_segment(p, i, segments + i);
    struct curve curve = {segments, count, p->points.at[X],
                          p->points.at[(size_t)count * COLUMNS + X]};
    return tw_pointwise_run_masked(task, &curve, follow_cells(tw_task_simd(task)),
                                   tw_task_input(task, TW_SHAPE_MASK));
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    tw_forecast_scratch(f, (uint64_t)(p->points.rows - 1), sizeof(struct segment));
}

extern const struct tw_node_type tw_node_shape_curve;
const struct tw_node_type tw_node_shape_curve = {
    .name = "shape.curve",
    .version = 1,
    .summary = "reshape heights by a curve through points",
    .keywords = "tone curve, recurve, levels, bias, gain, profile, plateau",
    .elsewhere =
        "Curve (Gaea), Curves (World Machine), HeightField Remap (Houdini), Recurve (Hesiod), "
        "Float Curve (Blender), r.recode (GRASS)",
    .detail =
        "Reshapes heights by a curve through points: plains, shelves, steeper peaks. Choose "
        "shape.power for a plain bend, and shape.terrace for equal steps.\n"
        "The slope of the curve at an inner point is the weighted harmonic mean of the secants "
        "s_1 and s_2 to both sides, with the widths w_1 and w_2:\n"
        "    slope = (a + b) / (a / s_1 + b / s_2);\n"
        "    a = 2 w_2 + w_1;\n"
        "    b = w_2 + 2 w_1.\n"
        "It is 0 where the secants differ in sign. At the ends it is the secant.\n"
        "Heights before the first and beyond the last point become its y. A mask stays within "
        "0..1.",
    .cite = "fritsch1984",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "shelf: {type: shape.curve, in: noise, points: [[0, 0], [0.4, 0.1], [0.6, 0.5], "
               "[1, 1]]}",
    .in_place = true,
    .reach = TW_REACH_CELL,
    .check = check,
    .run = run,
    .forecast = forecast,
};
