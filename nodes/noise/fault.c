/* SPDX-License-Identifier: MIT */
/* Fault lines: the base terrain that the FIR blog smears. Random lines cut the map, and one side of
 * each rises by an amount that falls from line to line. The blog gives no equation; the step is the
 * usual one, the smooth profiles are ours. */

#include <thalweg/kernel.h>
#include <thalweg/rescale.h>
#include <thalweg/simd.h>

enum { STEP, COSINE, SINE };
enum { STRIP = 512 };

struct params {
    int32_t faults; /* n */
    float d_max, d_min, width;
    int32_t profile;
    bool rescale;
};

static const struct tw_param params[] = {
    TW_PARAM_I32(struct params, faults, 64, 1, 10000, "lines", "n: how many lines cut the map",
                 TW_USUAL(8, 500)),
    TW_PARAM_F32(struct params, d_max, 1, 0, 1e6, TW_UNIT_HEIGHT, "rise at the first line",
                 TW_USUAL(0, 2)),
    TW_PARAM_F32(struct params, d_min, 0.1, 0, 1e6, TW_UNIT_HEIGHT, "what the rise falls to",
                 TW_USUAL(0, 1)),
    TW_PARAM_F32(struct params, width, 0.1, 1e-5, 10, TW_UNIT_SIDE_LONGER,
                 "of the cosine ridge or the sine ramp", TW_USUAL(0.01, 0.5)),
    TW_PARAM_ENUM(
        struct params, profile, STEP, "step|cosine|sine",
        "one side rises; a rounded ridge along the line; a smooth ramp to the risen side"),
    TW_PARAM_BOOL(struct params, rescale, 0, "rescale the sum to 0..1"),
    TW_PARAM_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the sum of all rises"},
    TW_PORT_END,
};

/* Signed distance to the line, in half widths of the profile: across x + down y + start. */
struct line {
    double across, down, start;
    float rise; /* d_i */
};

struct faults {
    struct tw_task *task;
    const struct params *params;
    const struct line *lines;
    float *cells;
    int32_t width, height;
    enum tw_simd simd;
};

/* sin(pi t / 2) for -1 <= t <= 1: Taylor, exact at the ends. */
static TW_INLINE float quarter_sine(float t)
{
    float x = t * 1.57079633f, s = x * x;
    float series = s * (1.0f / 362880.0f - s * (1.0f / 39916800.0f)) - 1.0f / 5040.0f;
    series = x * (1.0f + s * (s * (1.0f / 120.0f + s * series) - 1.0f / 6.0f));
    return fabsf(t) < 1.0f ? series : t;
}

/* `distance` is kept in an array between loops: so compilers turn every choice into a select. */
static TW_INLINE void add_body(int32_t profile, float across, float start, float rise,
                               int32_t count, float *restrict out)
{
    float distance[STRIP];
    for (int32_t i = 0; i < count; i++)
        distance[i] = across * (float)i + start;
    for (int32_t i = 0; i < count && profile == STEP; i++)
        out[i] += distance[i] > 0.0f ? rise : 0.0f;
    if (profile == STEP)
        return;
    for (int32_t i = 0; i < count; i++)
        distance[i] = tw_min(distance[i], 1.0f);
    for (int32_t i = 0; i < count; i++)
        distance[i] = tw_max(distance[i], -1.0f);
    for (int32_t i = 0; i < count; i++) {
        float sine = quarter_sine(distance[i]);
        out[i] += rise * (profile == COSINE ? 1.0f - sine * sine : 0.5f + 0.5f * sine);
    }
}
TW_SIMD_KERNEL(add,
               (int32_t profile, float across, float start, float rise, int32_t count,
                float *restrict out),
               (profile, across, start, rise, count, out))

static void fill_strip(const struct faults *f, int32_t x, int32_t y, int32_t count)
{
    float *out = f->cells + (size_t)y * (size_t)f->width + (size_t)x;
    for (int32_t i = 0; i < count; i++)
        out[i] = 0;
    for (int32_t i = 0; i < f->params->faults; i++) {
        const struct line *line = &f->lines[i];
        double start = line->start + line->down * (double)y + line->across * (double)x;
        add(f->simd)(f->params->profile, (float)line->across, (float)start, line->rise, count, out);
    }
}

static void fill_rows(void *context, int32_t begin, int32_t end)
{
    const struct faults *f = context;
    for (int32_t y = begin; y < end && !tw_task_cancelled(f->task); y++)
        for (int32_t x = 0; x < f->width; x += STRIP)
            fill_strip(f, x, y, f->width - x < STRIP ? f->width - x : STRIP);
}

/* A line through two points, uniform on the map; a coincident pair is drawn again. */
static void draw_line(const struct faults *f, int32_t i, struct line *line)
{
    double px = 0, py = 0, dx = 0, dy = 0, length = 0;
    for (uint32_t attempt = 0; length == 0; attempt++) {
        struct tw_random4 words = tw_random(tw_task_seed(f->task), (uint32_t)i, attempt, 0, 0);
        px = (double)tw_uniform(words.at[0]) * f->width;
        py = (double)tw_uniform(words.at[1]) * f->height;
        dx = (double)tw_uniform(words.at[2]) * f->width - px;
        dy = (double)tw_uniform(words.at[3]) * f->height - py;
        length = sqrt(dx * dx + dy * dy);
    }
    const struct params *p = f->params;
    double side = f->width > f->height ? f->width : f->height;
    double half = length * 0.5 * (double)p->width * side;
    line->across = -dy / half;
    line->down = dx / half;
    line->start = line->across * (0.5 - px) + line->down * (0.5 - py);
    line->rise = p->d_max + (p->d_min - p->d_max) * (float)i / (float)p->faults;
}

static struct tw_rule check(const void *at)
{
    return TW_RULE_AT_MOST((const struct params *)at, d_min, d_max);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_value *out = tw_task_output(task, OUT);
    struct line *lines = tw_task_scratch(task, (size_t)p->faults, sizeof *lines);
    struct faults faults = {
        task, p, lines, tw_floats(out), out->width, out->height, tw_task_simd(task)};
    if (!lines)
        return tw_task_no_memory(task);
    for (int32_t i = 0; i < p->faults; i++)
        draw_line(&faults, i, &lines[i]);
    tw_rows(task, out->height, 4, fill_rows, &faults);
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    return p->rescale ? tw_rescale(task, faults.cells, faults.cells, out->width, out->height,
                                   (struct tw_span){0, 1})
                      : TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    tw_forecast_scratch(f, (uint64_t)p->faults, sizeof(struct line));
    if (p->rescale)
        tw_rescale_forecast(f);
}

extern const struct tw_node_type tw_node_noise_fault;
const struct tw_node_type tw_node_noise_fault = {
    .name = "noise.fault",
    .version = 1,
    .summary = "fault lines: random cuts with one side raised",
    .keywords = "fault lines, cracks, random cuts, plates, cliffs",
    .elsewhere = "Cracks (Gaea), Shear (Gaea)",
    .detail =
        "Makes terrain from random cuts with one side raised: mesas, steps and broken ground. "
        "Choose noise.perlin or noise.ridged for hills and mountains without straight lines.\n"
        "Line i of n, from 0, goes through two uniform points of the map and adds a profile of "
        "the signed distance s times:\n"
        "    d_i = d_max + (d_min - d_max) i / n.\n"
        "The profile step is 1 where s > 0. The others act within half a width:\n"
        "    sine: 1/2 + 1/2 sin(pi s / width), 0 and 1 beyond;\n"
        "    cosine: 1/2 + 1/2 cos(2 pi s / width), 0 beyond.\n"
        "Distances are those of cell centres. Lines end at the borders, which do not wrap.",
    .cite = "fir2013",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "faults: {type: noise.fault, faults: 64, rescale: true}",
    .random = true,
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
    .forecast = forecast,
    .wraps = tw_never_wraps,
};
