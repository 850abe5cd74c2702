/* SPDX-License-Identifier: MIT */
/* Colours by a ramp, without light: of heights, of slopes or of a mask. */
#include "render/kernels/hillshade.h"
#include "render/kernels/ramp.h"
#include "render/kernels/scene.h"

#include <thalweg/rescale.h>

struct params {
    struct tw_table ramp;
    int32_t ramp_by;
    bool ramp_fit;
    float sea;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_RAMP(struct params, ramp, tw_ramp_columns, "colours by value, in rising order"),
    TW_RAMP_BY_PARAM(struct params, ramp_by),
    TW_RAMP_FIT_PARAM(struct params, ramp_fit),
    TW_PARAM_SEA(struct params, "height at which a ramp around 0 has its 0"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN, MASK };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"mask", TW_MASK, TW_OPTIONAL, "what ramp_by: mask colours"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_IMAGE, 0, "its colours"},
    TW_PORT_END,
};

struct job {
    const struct params *p;
    const float *values;
    float *slopes; /* in scratch */
    struct tw_hillshade_slopes terrain;
    struct tw_span span;
    uint8_t *to;
};

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    return p->ramp.rows == 0 ? TW_RULE("ramp", "at least two rows") : tw_ramp_check(&p->ramp);
}

/* Rise per map side, in the direction of steepest ascent. */
static void slope_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    float dx[TW_HILLSHADE_CELLS], dy[TW_HILLSHADE_CELLS];
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < job->terrain.width; x += TW_HILLSHADE_CELLS) {
            int32_t left = job->terrain.width - x;
            int32_t count = left < TW_HILLSHADE_CELLS ? left : TW_HILLSHADE_CELLS;
            float *to = job->slopes + (size_t)y * (size_t)job->terrain.width + (size_t)x;
            tw_hillshade_slopes_find(&job->terrain, y, x, count, dx, dy);
            for (int32_t i = 0; i < count; i++)
                to[i] = sqrtf(dx[i] * dx[i] + dy[i] * dy[i]);
        }
}

static void colour_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    size_t width = (size_t)job->terrain.width;
    for (size_t i = (size_t)begin * width; i < (size_t)end * width; i++) {
        float value = job->values[i], colour[3];
        if (job->p->ramp_fit)
            value =
                tw_ramp_stretch(&job->p->ramp, value, job->span.low, job->span.high, job->p->sea);
        tw_ramp_colour(&job->p->ramp, value, colour);
        for (size_t k = 0; k < 3; k++)
            job->to[3 * i + k] = (uint8_t)(colour[k] + 0.5f);
    }
}

static enum tw_status find_slopes(struct tw_task *task, struct job *job)
{
    int32_t width = job->terrain.width, height = job->terrain.height;
    job->slopes = tw_task_scratch(task, (size_t)width * (size_t)height, sizeof(float));
    if (!job->slopes)
        return tw_task_no_memory(task);
    job->terrain.scale = (float)(width > height ? width : height);
    tw_rows(task, height, 16, slope_rows, job);
    job->values = job->slopes;
    return TW_OK;
}

/* What the values of the map span; slopes and masks begin at 0. */
static enum tw_status find_span(struct tw_task *task, struct job *job)
{
    if (job->p->ramp_by == TW_RAMP_MASK) {
        job->span = (struct tw_span){0, 1};
        return TW_OK;
    }
    enum tw_status status =
        tw_span_find(task, job->values, job->terrain.width, job->terrain.height, &job->span);
    if (job->p->ramp_by == TW_RAMP_SLOPE)
        job->span.low = 0;
    return status;
}

static enum tw_status run(struct tw_task *task)
{
    const struct tw_value *mask = tw_task_input(task, MASK);
    const struct params *p = tw_task_params(task);
    struct job job = {.p = p,
                      .terrain = tw_hillshade_slopes_of(task, IN, 1, p->border),
                      .to = tw_pixels(tw_task_output(task, OUT))};
    enum tw_status status = TW_OK;
    job.values = job.terrain.cells;
    if (job.p->ramp_by == TW_RAMP_MASK && !mask)
        return tw_task_fail(task, "ramp_by: mask needs the input 'mask'");
    if (job.p->ramp_by == TW_RAMP_MASK)
        job.values = tw_floats(mask);
    else if (job.p->ramp_by == TW_RAMP_SLOPE)
        status = find_slopes(task, &job);
    if (status == TW_OK && job.p->ramp_fit)
        status = find_span(task, &job);
    if (status != TW_OK)
        return status;
    tw_rows(task, job.terrain.height, 16, colour_rows, &job);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    if (p->ramp_by == TW_RAMP_SLOPE)
        tw_forecast_maps(f, 1, sizeof(float));
    if (p->ramp_fit && p->ramp_by != TW_RAMP_MASK)
        tw_rescale_forecast(f);
}

extern const struct tw_node_type tw_node_render_colour;
const struct tw_node_type tw_node_render_colour = {
    .name = "render.colour",
    .version = 3,
    .summary = "colours by a ramp of heights, slopes or a mask",
    .keywords =
        "color, colour map, palette, gradient, satellite colours, hypsometric tints, ramp, LUT",
    .elsewhere = "SatMap (Gaea), CLUTer (Gaea), Colorize (World Machine), HeightField Visualize "
                 "(Houdini), Colorize (Hesiod), Color Ramp (Blender), gdaldem color-relief (GDAL), "
                 "r.colors (GRASS)",
    .detail =
        "Colours a map by a ramp of heights, slopes or a mask. Choose render.relief for a "
        "finished map, and render.splat for one colour for each mask. As the input `image` of "
        "render.surface the picture is the ground of a view.\n"
        "Between two rows of the ramp colours are mixed as sRGB bytes. Two rows of one value "
        "make a step, and the outer one at an end of the ramp is the colour beyond it.\n"
        "Stretched, a ramp spans the map's heights, its slopes from 0 on, or a mask from 0 to 1; "
        "a flat map has the colour of the lowest value. Slopes at borders are those of "
        "render.hillshade.\n"
        "The rows may come from a .cpt file of GMT: slices in RGB or grey, continuous or "
        "stepped. B and F become the colours beyond; N has no use, as heights are finite; a "
        "hinge is at 0, which a ramp with values on both sides of it keeps at the sea.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "out: {type: render.colour, in: noise, ramp: [[0, 30, 60, 90], [0.4, 90, 120, 80], "
               "[1, 240, 240, 230]]}",
    .bordered = true,
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
    .forecast = forecast,
};
