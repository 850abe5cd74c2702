/* SPDX-License-Identifier: MIT */
/* A map blurred along its slope: the mean, least or greatest height on the way down from every
 * cell. Cabral and Leedom 1993, "Imaging vector fields using line integral convolution", with a box
 * of a given length to one side. We go by midpoint steps of equal length; they go from cell to
 * cell. The gradient is interpolated first and then made a unit vector: unit vectors that are
 * interpolated tear ridges apart. */
#include "shape/kernels/blur.h"
#include "shape/kernels/vector_field.h"

#include <thalweg/masks.h>

enum { DESCENT, ASCENT };
enum { MEAN, MINIMUM, MAXIMUM };

struct params {
    float distance;
    float radius;  /* sigma */
    int32_t steps; /* n */
    int32_t direction;
    int32_t take;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, distance, 0.02, 0, 1, TW_UNIT_SIDE, "length of the way",
                 TW_USUAL(0, 0.1)),
    TW_PARAM_F32(struct params, radius, 0.005, 0, 1, TW_UNIT_SIDE,
                 "standard deviation of a Gaussian that smooths the slope first",
                 TW_USUAL(0, 0.03)),
    TW_PARAM_I32(struct params, steps, 8, 1, 256, "steps", "on the way", TW_USUAL(1, 32)),
    TW_PARAM_ENUM(struct params, direction, DESCENT, "descent|ascent",
                  "of the way: down the slope or up"),
    TW_PARAM_ENUM(struct params, take, MEAN, "mean|minimum|maximum",
                  "of the heights on the way, the cell's own included"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN, GUIDE, MASK };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, TW_KEEPS_TYPE, "the map to blur"},
    {"guide", TW_HEIGHTMAP, TW_OPTIONAL, "whose slope the way follows; that of `in` if not given"},
    TW_STRENGTH_PORT,
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, TW_KEEPS_TYPE, "the blurred map"},
    TW_PORT_END,
};

struct job {
    const struct tw_task *task;
    const float *in;
    const struct tw_vector *slope;
    float *out;
    int32_t width, height, steps, take;
    float step; /* cells */
    bool wrap;
};

/* The direction of the way at an offset from a cell. */
static struct tw_vector direction_at(const struct job *job, int32_t x, int32_t y, float dx,
                                     float dy)
{
    struct tw_beside beside = tw_beside_cell(job->width, job->height, x, y, dx, dy, job->wrap);
    return tw_unit_vector(tw_vector_beside(job->slope, &beside));
}

/* Heights on the way from a cell, taken together. Their mean is that of what they differ from the
 * cell's own by: a sum of 257 large heights would lose what they differ by. */
static float along_slope(const struct job *job, int32_t x, int32_t y)
{
    float own = job->in[(size_t)y * (size_t)job->width + (size_t)x];
    float sum = 0, least = own, greatest = own, dx = 0, dy = 0, step = job->step;
    for (int32_t i = 0; i < job->steps; i++) {
        struct tw_vector first = direction_at(job, x, y, dx, dy);
        struct tw_vector middle =
            direction_at(job, x, y, dx + 0.5f * step * first.x, dy + 0.5f * step * first.y);
        if (first.x * middle.x + first.y * middle.y < 0) {
            step *= 0.5f; /* the way turns back: closer to the floor of a pit or valley */
            middle = first;
        }
        dx += step * middle.x;
        dy += step * middle.y;
        struct tw_beside beside = tw_beside_cell(job->width, job->height, x, y, dx, dy, job->wrap);
        float height = tw_height_beside(job->in, &beside);
        sum += height - own;
        least = tw_min(least, height);
        greatest = tw_max(greatest, height);
    }
    return job->take == MEAN      ? own + sum / (float)(job->steps + 1)
           : job->take == MINIMUM ? least
                                  : greatest;
}

static void blur_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    size_t at = (size_t)begin * (size_t)job->width;
    for (int32_t y = begin; y < end && !tw_task_cancelled(job->task); y++)
        for (int32_t x = 0; x < job->width; x++, at++)
            job->out[at] = along_slope(job, x, y);
}

/* The slope of the guide, smoothed, so that the way follows valleys and not single cells. */
static enum tw_status find_slope(struct tw_task *task, const struct params *p, bool wrap,
                                 const struct tw_value *guide, struct tw_vector *slope)
{
    const struct tw_slope_field field = {
        .direction = p->direction == ASCENT ? TW_SLOPE_ASCENT : TW_SLOPE_DESCENT, .wrap = wrap};
    const float *cells = tw_floats(guide);
    double sigma = (double)p->radius * (double)guide->width;
    if (sigma > 0) {
        float *smooth = tw_floats(tw_task_output(task, OUT));
        enum tw_status status =
            tw_blur(task, cells, smooth, guide->width, guide->height, sigma, wrap);
        if (status != TW_OK)
            return status;
        cells = smooth;
    }
    tw_slope_field_run(task, &field, cells, slope);
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, IN), *guide = tw_task_input(task, GUIDE);
    bool wrap = tw_task_wraps(task, p->border);
    struct tw_vector *slope = tw_task_scratch(task, tw_value_count(in), sizeof *slope);
    if (!slope)
        return tw_task_no_memory(task);
    enum tw_status status = find_slope(task, p, wrap, guide ? guide : in, slope);
    if (status != TW_OK)
        return status;
    struct job job = {.task = task,
                      .in = tw_floats(in),
                      .slope = slope,
                      .out = tw_floats(tw_task_output(task, OUT)),
                      .width = in->width,
                      .height = in->height,
                      .steps = p->steps,
                      .take = p->take,
                      .step = p->distance * (float)in->width / (float)p->steps,
                      .wrap = wrap};
    tw_rows(task, job.height, 4, blur_rows, &job);
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    tw_strength_apply(task, job.in, job.out, tw_task_input(task, MASK), job.out);
    tw_keep_mask(task);
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    tw_forecast_maps(f, 1, sizeof(struct tw_vector));
    if (p->radius > 0)
        tw_blur_forecast(f, (double)p->radius * (double)f->width);
}

extern const struct tw_node_type tw_node_shape_slope_blur;
const struct tw_node_type tw_node_shape_slope_blur = {
    .name = "shape.slope_blur",
    .version = 4,
    .summary = "blur a map along its slope",
    .keywords = "smear downhill, slope-directed blur, flow lines, streaks, fake erosion",
    .elsewhere = "SlopeBlur (Gaea)",
    .detail =
        "Blurs a map along its slope: soft flanks, gullies cut into ridges, or crests spread "
        "out. Choose shape.blur to soften all directions alike.\n"
        "Every cell goes down (or up) the slope in midpoint steps of distance / steps and takes "
        "the mean, least or greatest of the bilinear heights there: steps + 1 heights with its "
        "own. The mean moves a plane by half the distance; the least never raises a cell and "
        "cuts gullies into soft ridges; the greatest never lowers one.\n"
        "With u the unit slope, a step of length s from p ends at:\n"
        "    p + s u(p + s u(p) / 2).\n"
        "The way has reached the floor of a valley or pit where:\n"
        "    u(p) . u(p + s u(p) / 2) < 0.\n"
        "There s is halved, for this step, which then ends at p + s u(p), and for all after it. "
        "It is halved again whenever that happens, so the way can be shorter than distance; the "
        "number of steps stays. Where the ground is level, u is 0 and the way ends.\n"
        "Steps longer than a cell or two miss narrow valleys.",
    .cite = "cabral1993",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: noise.perlin}\n"
               "carved: {type: shape.slope_blur, in: land, take: minimum}",
    .bordered = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
