/* SPDX-License-Identifier: MIT */
/* Terrain from feature curves, Weiss 2015, chapter V B to D: the fixed point H of
 *
 *     H = alpha E + beta (N + G) + gamma (1 - alpha - beta) L + (1 - gamma)(1 - alpha - beta) H0,
 *
 * eq 9 with L the mean of the four neighbours (eq 8) and N the height one cell up the slope (eq 7).
 * Deviations: the last term is ours, as eq 9 as printed drives all cells outside every envelope to
 * 0; G is the tangent of the angle, and scaled so that a diagonal slope is as steep as a straight
 * one. With `literal` it is the sine, as printed. */
#include "common/multigrid/multigrid.h"
#include "feature/kernels/curve_constraints.h"

#include <thalweg/kernel.h>

struct params {
    int32_t mode;
    int32_t slope;
    float tolerance;
};

enum { LOCAL, RELATIVE };
enum { CORRECTED, LITERAL };
enum { ANGLE_MAX = 89 }; /* degrees, of corrected slopes */
enum { IN, CURVES };
enum { OUT, ALPHA, BETA, GAMMA };

static const struct tw_param params[] = {
    TW_PARAM_ENUM(struct params, mode, LOCAL, "local|relative",
                  "smooth within the envelopes only, or the whole change of the terrain"),
    TW_PARAM_ENUM(struct params, slope, CORRECTED, "corrected|literal",
                  "slopes of the given angle in all directions, or as eqs 6 and 7 are printed"),
    TW_PARAM_F32(struct params, tolerance, 1e-4, 1e-6, 0.1, TW_UNIT_SHARE,
                 "error of the solution, of the range of heights", TW_USUAL(1e-6, 0.01)),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, TW_OPTIONAL, "the terrain to change; flat at 0 if not given"},
    {"curves", TW_CURVES, TW_VARIADIC, "feature curves"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the terrain with its features"},
    {"alpha", TW_MASK, 0, "weight of the forced elevation"},
    {"beta", TW_MASK, 0, "weight of the forced slope"},
    {"gamma", TW_MASK, 0, "where the terrain is smoothed"},
    TW_PORT_END,
};

struct diffusion {
    const struct params *params;
    const float *terrain; /* H0; NULL: flat */
    const struct tw_constraint *constraints;
    float *out, *alpha, *beta, *gamma;
    int32_t width, height;
    double relief; /* what a map side measures in heights; literal: 1 */
    bool relative; /* mode relative, and there are curves */
};

/* alpha, beta, gamma of chapter V B and D. */
static void weigh_rows(void *context, int32_t begin, int32_t end)
{
    const struct diffusion *d = context;
    for (size_t i = (size_t)begin * (size_t)d->width; i < (size_t)end * (size_t)d->width; i++) {
        const struct tw_constraint *c = &d->constraints[i];
        d->alpha[i] = c->band == TW_CURVE_BAND_PLATEAU ? 0.9f * c->weight : 0;
        d->beta[i] = c->band == TW_CURVE_BAND_SLOPE ? 0.5f : 0;
        d->gamma[i] = d->relative || c->band != TW_CURVE_BAND_NONE ? 1 : 0;
    }
}

static float height_at(const struct diffusion *d, int32_t x, int32_t y)
{
    x = tw_clamp_index(x, d->width);
    y = tw_clamp_index(y, d->height);
    return d->terrain ? d->terrain[(size_t)y * (size_t)d->width + (size_t)x] : 0;
}

/* G, the rise over one cell. Eqs 6 and 7 make a plane of slope G |n_x|^3 + G |n_y|^3 their fixed
 * point, so the corrected G is scaled by that. */
static double rise(const struct diffusion *d, const struct tw_constraint *c)
{
    double x = fabs((double)c->nx), y = fabs((double)c->ny);
    double scale = d->params->slope == LITERAL ? 1 : x * x * x + y * y * y;
    return (double)c->value * d->relief * scale / d->width;
}

/* Eq 7 for the given terrain. */
static double uphill(const struct diffusion *d, const struct tw_constraint *c, int32_t x, int32_t y)
{
    double nx = (double)c->nx, ny = (double)c->ny;
    return nx * nx * (double)height_at(d, x - (nx > 0) + (nx < 0), y) +
           ny * ny * (double)height_at(d, x, y - (ny > 0) + (ny < 0));
}

static struct tw_equation equation(const void *context, int32_t x, int32_t y)
{
    const struct diffusion *d = context;
    size_t i = (size_t)y * (size_t)d->width + (size_t)x;
    const struct tw_constraint *c = &d->constraints[i];
    float before = height_at(d, x, y), alpha = d->alpha[i], beta = d->beta[i];
    float smooth = 0.25f * d->gamma[i] * (1 - alpha - beta);
    float hold = (1 - d->gamma[i]) * (1 - alpha - beta), start = d->relative ? 0 : before;
    struct tw_equation e = {smooth, smooth, smooth, smooth, alpha + hold, hold * start, start};
    if (c->band == TW_CURVE_BAND_PLATEAU && alpha > 0) {
        e.start = d->relative ? c->value - before : c->value;
        e.rhs += alpha * e.start;
    }
    if (c->band == TW_CURVE_BAND_SLOPE) {
        double rhs = rise(d, c);
        rhs -= d->relative ? (double)before - uphill(d, c, x, y) : 0;
        e.rhs += beta * (float)rhs;
        *(c->nx > 0 ? &e.left : &e.right) += beta * c->nx * c->nx;
        *(c->ny > 0 ? &e.up : &e.down) += beta * c->ny * c->ny;
    }
    return e;
}

/* The cells to solve for: those within envelopes and their neighbours. False when there are none.
 */
static bool bound(const struct diffusion *d, struct tw_system *system)
{
    int32_t x0 = d->width, y0 = d->height, x1 = -1, y1 = -1;
    for (int32_t y = 0; y < d->height; y++) {
        const float *gamma = d->gamma + (size_t)y * (size_t)d->width;
        int32_t first = 0, last = d->width - 1;
        while (first < d->width && gamma[first] == 0)
            first++;
        if (first == d->width)
            continue;
        while (gamma[last] == 0)
            last--;
        x0 = first < x0 ? first : x0;
        x1 = last > x1 ? last : x1;
        y0 = y < y0 ? y : y0;
        y1 = y;
    }
    system->x = tw_clamp_index(x0 - 1, d->width);
    system->y = tw_clamp_index(y0 - 1, d->height);
    system->width = tw_clamp_index(x1 + 1, d->width) - system->x + 1;
    system->height = tw_clamp_index(y1 + 1, d->height) - system->y + 1;
    return y1 >= 0;
}

/* A free cell hangs on its four neighbours, so the map has one solution as soon as any cell is
 * anchored. */
static bool anchored(const struct diffusion *d)
{
    size_t cells = (size_t)d->width * (size_t)d->height;
    for (size_t i = 0; i < cells; i++)
        if (d->alpha[i] > 0 || d->gamma[i] < 1)
            return true;
    return false;
}

/* Cells outside the envelopes keep their bits; a relative change is added. */
static void finish_rows(void *context, int32_t begin, int32_t end)
{
    const struct diffusion *d = context;
    for (size_t i = (size_t)begin * (size_t)d->width; i < (size_t)end * (size_t)d->width; i++) {
        float before = d->terrain ? d->terrain[i] : 0;
        if (d->gamma[i] == 0)
            d->out[i] = before;
        else if (d->relative)
            d->out[i] += before;
    }
}

/* The tangent grows without bound towards 90 degrees. Angles between control points lie between
 * theirs. */
static enum tw_status check_angles(struct tw_task *task)
{
    for (int i = CURVES; i < tw_task_input_count(task); i++) {
        const struct tw_value *list = tw_task_input(task, i);
        for (int32_t k = 0; k < list->width; k++) {
            const struct tw_control *c = &tw_controls(list)[k];
            bool left = fabsf(c->angle_left) > ANGLE_MAX;
            if (left || fabsf(c->angle_right) > ANGLE_MAX)
                return tw_task_fail(task,
                                    "point %d of its curves has %s %.9g; expected -89 to 89, which "
                                    "have a tangent, or slope: literal",
                                    (int)k + 1, left ? "angle_left" : "angle_right",
                                    (double)(left ? c->angle_left : c->angle_right));
        }
    }
    return TW_OK;
}

/* The world's true slopes, else those of a map as high as wide. */
static double relief_of(const struct tw_task *task)
{
    const struct tw_world *world = tw_task_world(task);
    return world->given ? world->side_m / world->height_m : 1;
}

static bool any_control(const struct tw_task *task)
{
    for (int i = CURVES; i < tw_task_input_count(task); i++)
        if (tw_task_input(task, i)->width > 0)
            return true;
    return false;
}

static enum tw_status solve(struct tw_task *task, struct diffusion *d)
{
    struct tw_system system = {.equation = equation, .context = d};
    if (!bound(d, &system))
        return TW_OK;
    if (!anchored(d))
        return tw_task_fail(task,
                            "nothing holds the terrain, from x 0, y 0 on: no cell is on a plateau "
                            "that constrains the elevation%s",
                            d->relative ? "" : " or outside all envelopes");
    return tw_multigrid_solve(task, &system, (double)d->params->tolerance, d->out);
}

static enum tw_status run(struct tw_task *task)
{
    const struct tw_value *in = tw_task_input(task, IN), *out = tw_task_output(task, OUT);
    struct tw_constraint *constraints =
        tw_task_scratch(task, tw_value_count(out), sizeof *constraints);
    struct diffusion d = {.params = tw_task_params(task),
                          .terrain = in ? tw_floats(in) : NULL,
                          .constraints = constraints,
                          .out = tw_floats(out),
                          .alpha = tw_floats(tw_task_output(task, ALPHA)),
                          .beta = tw_floats(tw_task_output(task, BETA)),
                          .gamma = tw_floats(tw_task_output(task, GAMMA)),
                          .width = out->width,
                          .height = out->height};
    if (!constraints)
        return tw_task_no_memory(task);
    d.relative = d.params->mode == RELATIVE && any_control(task);
    const bool literal = d.params->slope == LITERAL;
    d.relief = literal ? 1 : relief_of(task);
    enum tw_status status = literal ? TW_OK : check_angles(task);
    if (status == TW_OK)
        status = tw_curve_constraints_fill(
            task, CURVES, literal ? TW_CURVE_RISE_SINE : TW_CURVE_RISE_TANGENT, constraints);
    if (status != TW_OK)
        return status;
    tw_rows(task, d.height, 16, weigh_rows, &d);
    status = solve(task, &d);
    if (status == TW_OK)
        tw_rows(task, d.height, 16, finish_rows, &d);
    return status;
}

static void forecast(struct tw_forecast *f)
{
    tw_forecast_maps(f, 1, sizeof(struct tw_constraint));
    tw_curve_constraints_forecast(f, CURVES);
    tw_multigrid_forecast(f);
}

extern const struct tw_node_type tw_node_feature_diffusion;
const struct tw_node_type tw_node_feature_diffusion = {
    .name = "feature.diffusion",
    .version = 4,
    .summary = "shape a terrain to feature curves",
    .keywords =
        "terrain from curves, sketch, roads, rivers, constraint, interpolation, contour lines",
    .elsewhere = "Draw (Gaea), Layout Generator (World Machine), HeightField Project (Houdini), "
                 "PathToHeightmap (Hesiod), r.surf.contour (GRASS)",
    .detail =
        "Shapes a terrain to feature curves: ridges, rivers, cliffs and roads where you draw "
        "them with feature.curve. Choose feature.distance for mountains that grow from points "
        "and lines.\n"
        "The result is the fixed point of the following, with H0 the terrain given, E the height "
        "of the curve, L the mean of the four neighbours, N the height one cell towards the "
        "curve and G the rise of the slope over a cell:\n"
        "    H = alpha E + beta (N + G) + gamma (1 - alpha - beta) L + (1 - gamma) (1 - alpha - "
        "beta) H0.\n"
        "Where a curve is at most its plateau away, alpha is 0.9; from there to the end of its "
        "slope beta is 0.5; gamma is 1 on both and in the envelope beyond. Past the ends of a "
        "curve there is only the envelope. Where curves overlap, a plateau takes precedence over "
        "a slope and a slope over an envelope, then the nearer curve, then the first.\n"
        "slope: by default G is tan(angle) times a cell, so that a slope has its angle in every "
        "direction: in the metres of `world:`, and without one where height 1 is as long as a "
        "map side. Angles are then from -89 to 89 degrees. literal takes sin(angle) times a cell "
        "in map sides, as the thesis prints it, which is never steeper than 45 degrees on a map "
        "as high as wide, and 1.41 times as steep on diagonals.\n"
        "mode: relative solves for the change of the terrain instead, on the whole map and "
        "without gamma, so the change spreads far beyond the envelopes.\n"
        "Neighbours outside the map are the cell itself. A plateau below 0.71 cells may miss all "
        "cells.",
    .cite = "weiss2015 hnaidi2010 tasse2014 notay2008 notay2012 eisenstat1983 horton1994",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "ridge:\n"
               "  type: feature.curve\n"
               "  points:\n"
               "    - {x: 0.2, y: 0.3, z: 0.8, slope_left: 0.1, angle_left: -60}\n"
               "    - {x: 0.8, y: 0.5, z: 0.7}\n"
               "land: {type: feature.diffusion, curves: ridge}",
    .physical = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
    .wraps = tw_never_wraps,
};
