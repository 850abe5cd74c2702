/* SPDX-License-Identifier: MIT */
/* Steps of integer data made slopes: within each flat the height passes harmonically, as a membrane
 * does, from half a step below its lower neighbours' side to half a step above at the other.
 * Between two flats that is the middle of both, so the ground has no steps; Carrara, Bitelli and
 * Carla 1997 compare such interpolation of contours. Deviation: where a flat has one kind of edge
 * only, as summits do, a membrane would be level, so a dome of the Poisson equation is added. */
#include "common/multigrid/multigrid.h"
#include "shape/kernels/flats.h"

#include <thalweg/kernel.h>

#include <string.h>

#define STEP_AUTO 0
#define TOLERANCE 1e-4
#define SEAM 0.05f   /* weight by which 0 holds flats beyond a torus's border, at first */
#define WITHIN 0.999 /* share of half a step that is used, so that rounding stays within */
#define DOME 8       /* source of domes, over the square of a flat's radius */

struct params {
    float step;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32_OR(struct params, step, "auto", STEP_AUTO, STEP_AUTO, 1e-9, 1e6, TW_UNIT_HEIGHT,
                    "height of a step; auto: the least difference between neighbours",
                    TW_USUAL(0.0005, 0.1)),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN, KEEP };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain in steps"},
    {"keep", TW_MASK, TW_OPTIONAL, "what stays level, such as lakes: 1/2 or more"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the terrain without steps"},
    TW_PORT_END,
};

struct work {
    struct tw_flats flats;
    double step;
    bool dome;                      /* the equations of domes; else of slopes */
    bool again;                     /* flats beyond a torus's border are held by `before` */
    float *slope, *height, *before; /* solutions: -1 to 1, and 0 or more */
};

static bool lay_out(struct tw_scratch *s, struct work *w)
{
    w->slope = tw_scratch_maps(s, 1, sizeof *w->slope);
    w->height = tw_scratch_maps(s, 1, sizeof *w->height);
    w->before = tw_scratch_maps(s, 1, sizeof *w->before);
    return tw_flats_lay_out(s, &w->flats);
}

/* ---- the step ---- */

/* The least difference between neighbours that differ; 0 where none do. */
static double find_step(const struct tw_flats *f)
{
    double least = 0;
    bool beyond;
    for (int32_t i = 0; i < f->width * f->height; i++)
        for (int k = 1; k < 4; k += 2) {
            int32_t next = tw_flats_beside(f, i, k, &beyond);
            double gap = next < 0 ? 0 : fabs((double)f->heights[next] - (double)f->heights[i]);
            least = gap > 0 && (least == 0 || gap < least) ? gap : least;
        }
    return least;
}

/* ---- equations ---- */

static double within(double v) { return v < -1 ? -1 : v > 1 ? 1 : v; }

/* A side towards another height, in the middle between both heights or at the end of the step. */
static float edge_of(const struct work *w, int32_t cell, int32_t next)
{
    const float *z = w->flats.heights;
    return (float)within(((double)z[next] - (double)z[cell]) / w->step);
}

static void hold(struct tw_equation *e, float weight, float value)
{
    e->anchor += weight;
    e->rhs += weight * value;
}

static void add_side(const struct work *w, int32_t cell, int k, struct tw_equation *e)
{
    const struct tw_flats *f = &w->flats;
    bool beyond;
    int32_t next = tw_flats_beside(f, cell, k, &beyond);
    if (next < 0)
        return;
    if (f->heights[next] != f->heights[cell])
        hold(e, 2, w->dome ? 0 : edge_of(w, cell, next));
    else if (tw_flats_keep(f, next))
        hold(e, 1, 0);
    else if (!beyond)
        *(k == 0 ? &e->left : k == 1 ? &e->right : k == 2 ? &e->up : &e->down) = 1;
    else if (w->again)
        hold(e, 2, 0.5f * (w->before[cell] + w->before[next]));
    else
        hold(e, SEAM, 0);
}

static struct tw_equation equation(const void *context, int32_t x, int32_t y)
{
    const struct work *w = context;
    const struct tw_flats *f = &w->flats;
    int32_t cell = y * f->width + x, first = f->first[cell];
    struct tw_equation e = {.anchor = 0};
    if (tw_flats_keep(f, cell) || f->edges[first] == 0)
        return (struct tw_equation){.anchor = 1};
    for (int k = 0; k < 4; k++)
        add_side(w, cell, k, &e);
    double radius = 2.0 * f->area[first] / f->edges[first];
    e.rhs += w->dome ? (float)(DOME / (radius * radius)) : 0;
    return e;
}

static enum tw_status solve_once(struct tw_task *task, struct work *w, float *solution)
{
    const struct tw_scratch_mark mark = tw_task_scratch_mark(task);
    const struct tw_system system = {
        .width = w->flats.width, .height = w->flats.height, .equation = equation, .context = w};
    enum tw_status status = tw_multigrid_solve(task, &system, TOLERANCE, solution);
    tw_task_scratch_return(task, mark);
    return status;
}

/* On a torus flats that cross its border are solved for again, once both sides are known. */
static enum tw_status solve(struct tw_task *task, struct work *w, bool dome, float *solution)
{
    w->dome = dome;
    w->again = false;
    enum tw_status status = solve_once(task, w, w->flats.wrap ? w->before : solution);
    if (status != TW_OK || !w->flats.wrap)
        return status;
    w->again = true;
    return solve_once(task, w, solution);
}

/* ---- the result ---- */

struct shaping {
    const struct work *w;
    float *out;
};

/* Slopes keep their form in the middle of a step; near its ends, where a valley or a summit would
 * be level, the dome takes over. */
static float height_at(const struct work *w, int32_t cell)
{
    const struct tw_flats *f = &w->flats;
    int32_t first = f->first[cell];
    double z = (double)f->heights[cell];
    double slope = within((double)w->slope[cell]);
    double dome = tw_max(w->height[cell], 0.0f), share = dome / (1 + dome);
    /* Neighbours many steps away say little about where in its step a flat lies. */
    double steps = (double)f->jumps[first] / (f->edges[first] * w->step);
    double trust = steps > 1 ? 1 / steps : 1;
    double power = slope * slope;
    for (int i = 0; i < 2; i++)
        power *= power;
    double lift = slope * (1 - power * share);
    float result = (float)(z + trust * WITHIN * 0.5 * w->step * lift);
    return fabs((double)result - z) <= 0.5 * w->step ? result : f->heights[cell];
}

static void shape_rows(void *context, int32_t begin, int32_t end)
{
    const struct shaping *s = context;
    const struct tw_flats *f = &s->w->flats;
    for (int32_t i = begin * f->width; i < end * f->width; i++) {
        bool stays = tw_flats_keep(f, i) || f->edges[f->first[i]] == 0;
        s->out[i] = stays ? f->heights[i] : height_at(s->w, i);
    }
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, IN), *keep = tw_task_input(task, KEEP);
    float *out = tw_floats(tw_task_output(task, OUT));
    struct work w = {.flats = {.heights = tw_floats(in),
                               .keep = keep ? tw_floats(keep) : NULL,
                               .wrap = tw_task_wraps(task, p->border)}};
    size_t cells = tw_value_count(in);
    if (cells > (size_t)1 << 28)
        return tw_task_fail(task,
                            "steps are taken out of maps of up to 2^28 cells; this one has "
                            "%zu",
                            cells);
    if (!lay_out(&(struct tw_scratch){.task = task}, &w))
        return tw_task_no_memory(task);
    w.step = p->step == STEP_AUTO ? find_step(&w.flats) : (double)p->step;
    tw_flats_find(task, &w.flats);
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    enum tw_status status = w.step > 0 ? solve(task, &w, false, w.slope) : TW_OK;
    if (status == TW_OK && w.step > 0)
        status = solve(task, &w, true, w.height);
    if (status == TW_OK && w.step > 0)
        tw_rows(task, w.flats.height, 16, shape_rows, &(struct shaping){&w, out});
    else if (status == TW_OK)
        memcpy(out, tw_floats(in), cells * sizeof *out);
    return status;
}

static void forecast(struct tw_forecast *f)
{
    struct work w;
    lay_out(&(struct tw_scratch){.forecast = f}, &w);
    tw_multigrid_forecast(f);
}

extern const struct tw_node_type tw_node_shape_dequantise;
const struct tw_node_type tw_node_shape_dequantise = {
    .name = "shape.dequantise",
    .version = 1,
    .summary = "turn the steps of 8-bit or whole-metre data into slopes",
    .keywords = "quantise, terracing, banding, stair steps, 8 bit, integer elevations, smooth, "
                "contours, flats",
    .elsewhere = "r.surf.contour (GRASS)",
    .detail =
        "Turns the steps of 8-bit pictures and of whole metres into slopes, before anything that "
        "looks at slopes: light, flow, erosion. Choose shape.blur to smooth without a bound, and "
        "shape.fill_gaps where there are no heights.\n"
        "Every cell stays within half a step q of in. Cells of one height, joined in rows and "
        "columns, are a flat. Where it meets another height in cell k, out is the middle of both, "
        "at most q / 2 away; between these sides it is a membrane:\n"
        "    lap r = 0, r = (z_k - z) / q cut to -1..1 at the sides.\n"
        "Summits, hollows and the ends of valleys have one kind of side, over which a membrane "
        "is level. There a dome d takes over, which is 0 at the sides:\n"
        "    -lap d = 8 / R^2, R = 2 area / length of the sides;\n"
        "    out = z + q / 2 r (1 - r^8 d / (1 + d)) / m;\n"
        "m, at least 1, is how many steps the flat's neighbours are away in the mean: on steep "
        "ground they say little. So no cell is left whose neighbours are all as high as it is.\n"
        "step: auto is the least difference between neighbours that are not equal. Give it where "
        "some of the ground has no steps.\n"
        "Cells of `keep`, from 1/2 on, keep their bits, and ground beside them starts at their "
        "height: lakes stay level. A flat whose neighbours are all as high as it is, such as a "
        "map of one height, keeps its bits, too.\n"
        "A crest narrower than the data's cells cannot come back, and ground that was smooth "
        "before it was rounded comes back smoother than rough ground.",
    .cite = "carrara1997",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: noise.midpoint}\n"
               "steps: {type: combine.formula, a: land, formula: \"floor(a * 32) / 32\"}\n"
               "smooth: {type: shape.dequantise, in: steps}",
    .reach = TW_REACH_ALL,
    .bordered = true,
    .run = run,
    .forecast = forecast,
};
