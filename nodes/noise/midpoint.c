/* SPDX-License-Identifier: MIT */
/* Midpoint displacement by diamond-square on a torus, Olsen 2004, "Midpoint displacement".
 * Smoothed: the offset is multiplied by the average, so low ground is smoother. */
#include "common/midpoint.h"

#include <string.h>

enum { UNIFORM, GAUSSIAN };

struct params {
    float persistence;
    int32_t frequency;
    int32_t distribution;
    bool smoothed;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, persistence, 0.5, 0, 1, TW_UNIT_NONE,
                 "factor of the offsets from one level to the next finer one"),
    TW_PARAM_I32(struct params, frequency, 8, 1, 4096, "values a side",
                 "random starting values a side, a power of two", TW_USUAL(1, 64)),
    TW_PARAM_ENUM(struct params, distribution, UNIFORM, "uniform|gaussian",
                  "how random offsets spread over their range"),
    TW_PARAM_BOOL(struct params, smoothed, 0, "offsets proportional to the height"),
    TW_PARAM_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "noise, rescaled to 0..1 over its torus"},
    TW_PORT_END,
};

static struct tw_rule check(const void *at)
{
    int32_t frequency = ((const struct params *)at)->frequency;
    return frequency & (frequency - 1) ? TW_RULE("frequency", "a power of two, such as 4 or 8")
                                       : TW_RULES_HOLD;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_midpoint noise = {p->persistence, p->frequency, p->distribution == GAUSSIAN,
                                p->smoothed};
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    int32_t side = tw_midpoint_side(width, height, p->frequency);
    float *out = tw_floats(tw_task_output(task, OUT));
    if (side == width && side == height)
        return tw_midpoint_fill(task, &noise, side, out);
    float *torus = tw_task_scratch(task, (size_t)side * (size_t)side, sizeof *torus);
    if (!torus)
        return tw_task_no_memory(task);
    enum tw_status status = tw_midpoint_fill(task, &noise, side, torus);
    for (int32_t y = 0; y < height && status == TW_OK; y++)
        memcpy(out + (size_t)y * (size_t)width, torus + (size_t)y * (size_t)side,
               (size_t)width * sizeof *out);
    return status;
}

/* Only a torus that is no larger than the map is seen whole. */
static bool wraps(const void *at, int32_t width, int32_t height)
{
    bool is_power = (width & (width - 1)) == 0;
    return width == height && is_power && width >= ((const struct params *)at)->frequency;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    int32_t side = tw_midpoint_side(f->width, f->height, p->frequency);
    tw_midpoint_forecast(f, side, side != f->width || side != f->height);
}

extern const struct tw_node_type tw_node_noise_midpoint;
const struct tw_node_type tw_node_noise_midpoint = {
    .name = "noise.midpoint",
    .version = 1,
    .summary = "fractal noise by midpoint displacement",
    .keywords = "fractal, plasma, fractal mountains, hills, fBm, base terrain, random midpoint "
                "displacement",
    .elsewhere = "Noise (Gaea), Perlin (Gaea), HeightField Noise (Houdini)",
    .detail =
        "Makes fractal noise by midpoint displacement, fast, on a torus. It is the usual base of "
        "an erosion on maps whose side is a power of two; choose noise.perlin for other sizes "
        "and for noise without lines.\n"
        "It is diamond-square whose offset range starts at 1 and shrinks by `persistence` with "
        "every level.\n"
        "A map whose side is not a power of two, or that is not square, is cut from the next "
        "larger torus and does not wrap.\n"
        "Rows and columns through the points of coarse levels show in low light, which comes "
        "with the method. shape.perturb bends them.",
    .cite = "olsen2004 fournier1982",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint, smoothed: true}",
    .random = true,
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
    .forecast = forecast,
    .wraps = wraps,
};
