/* SPDX-License-Identifier: MIT */
/* Perturbation filter, Olsen 2004, "Combination and perturbation": every cell looks up the map at
 * a place that one noise map n displaces, in x by n(x, y) and in y by n(y, x). */
#include "common/midpoint.h"

#include <thalweg/masks.h>
#include <thalweg/sample.h>

struct params {
    float magnitude;
    int32_t frequency;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, magnitude, 0.25, 0, 4, TW_UNIT_SIDE, "width of the displacement"),
    TW_PARAM_I32(struct params, frequency, 4, 1, 4096, "values a side",
                 "of the node's own noise: starting values per side, a power of two"),
    TW_PARAM_ENUM(struct params, border, TW_BORDER_RECIPE, "recipe|wrap|mirror",
                  "what lies beyond the border: as the recipe's `borders` say, the other side, "
                  "or, where they are closed, the map mirrored"),
    TW_PARAM_END,
};

enum { IN, NOISE, MASK };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, TW_KEEPS_TYPE, "the map to bend"},
    {"noise", TW_HEIGHTMAP, TW_OPTIONAL, "n in 0..1; an own midpoint noise if not given"},
    TW_STRENGTH_PORT,
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, TW_KEEPS_TYPE, "the bent map"},
    TW_PORT_END,
};

struct warp {
    const float *in, *noise;
    float *out;
    int32_t width, height, stride; /* stride: of the noise */
    float magnitude;
    bool wrap;
};

/* The transposed look-up n(y, x); on maps that are not square at the same fractions of the sides.
 */
static size_t transposed(const struct warp *w, int32_t x, int32_t y)
{
    int64_t column = (int64_t)y * w->width / w->height, row = (int64_t)x * w->height / w->width;
    return (size_t)row * (size_t)w->stride + (size_t)column;
}

/* Where place `at` of a line of n cells lies when its borders, half a cell beyond the first and the
 * last centre, are mirrors. */
static float mirrored(float at, int32_t n)
{
    float turns = tw_cut_to_integer((at + 0.5f) / (float)n);
    int32_t whole = tw_floor(turns);
    float rest = turns - (float)whole;
    return (whole % 2 != 0 ? 1.0f - rest : rest) * (float)n - 0.5f;
}

static float look_up(const struct warp *w, float x, float y)
{
    if (!w->wrap && (x < 0 || x > (float)(w->width - 1)))
        x = mirrored(x, w->width);
    if (!w->wrap && (y < 0 || y > (float)(w->height - 1)))
        y = mirrored(y, w->height);
    return tw_sample(w->in, w->width, w->height, x, y, w->wrap);
}

static void warp_rows(void *context, int32_t begin, int32_t end)
{
    const struct warp *w = context;
    float reach_x = w->magnitude * (float)w->width, reach_y = w->magnitude * (float)w->height;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < w->width; x++) {
            float across = w->noise[(size_t)y * (size_t)w->stride + (size_t)x] - 0.5f;
            float along = w->noise[transposed(w, x, y)] - 0.5f;
            w->out[(size_t)y * (size_t)w->width + (size_t)x] =
                look_up(w, (float)x + reach_x * across, (float)y + reach_y * along);
        }
}

static const char *check(const void *at)
{
    int32_t frequency = ((const struct params *)at)->frequency;
    return frequency & (frequency - 1) ? "frequency must be a power of two" : NULL;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *given = tw_task_input(task, NOISE);
    struct warp warp = {tw_floats(tw_task_input(task, IN)),
                        given ? tw_floats(given) : NULL,
                        tw_floats(tw_task_output(task, OUT)),
                        tw_task_width(task),
                        tw_task_height(task),
                        tw_task_width(task),
                        p->magnitude,
                        tw_task_wraps(task, p->border)};
    if (!given) {
        const struct tw_midpoint noise = {0.5f, p->frequency, false, false};
        int32_t side = tw_midpoint_side(warp.width, warp.height, p->frequency);
        float *own = tw_task_scratch(task, (size_t)side * (size_t)side, sizeof *own);
        if (!own)
            return tw_task_no_memory(task);
        enum tw_status status = tw_midpoint_fill(task, &noise, side, own);
        if (status != TW_OK)
            return status;
        warp.noise = own;
        warp.stride = side;
    }
    tw_rows(task, warp.height, 16, warp_rows, &warp);
    tw_strength_apply(task, warp.in, warp.out, tw_task_input(task, MASK), warp.out);
    tw_keep_mask(task);
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    if (f->inputs[NOISE] == 0)
        tw_midpoint_forecast(f, tw_midpoint_side(f->width, f->height, p->frequency), true);
}

extern const struct tw_node_type tw_node_shape_perturb;
const struct tw_node_type tw_node_shape_perturb = {
    .name = "shape.perturb",
    .version = 2,
    .summary = "bend a map by noise",
    .detail = "out(x, y) = in(x + m W (n(x,y) - 1/2), y + m H (n(y,x) - 1/2)), bilinear.\n"
              "border: wrap goes on at the other side, as in the paper; mirror turns back at the "
              "border, since the last cell again would end in streaks. recipe is wrap in a world "
              "that wraps and mirror in one that is closed.",
    .cite = "olsen2004",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "cells: {type: voronoi.cells}\nbent: {type: shape.perturb, in: cells}",
    .random = true,
    .bordered = true,
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
    .forecast = forecast,
};
