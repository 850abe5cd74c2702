/* SPDX-License-Identifier: MIT */
/* The terrain as a map, from above: in the Swiss manner, or as a mood lights it. The tints are our
 * own. */
#include "render/kernels/enlarge.h"
#include "render/kernels/scene.h"
#include "render/kernels/surface_mips.h"
#include "render/kernels/swiss.h"
#include "render/kernels/tone.h"

#include <thalweg/rescale.h>

#define AIR 0.06f /* share of the haze between the ground and who looks from above */

enum { SWISS }; /* the first of `mood`; the moods follow */

struct params {
    TW_SCENE_FIELDS;
    float low, high, shading, exposure;
};

static const struct tw_param params[] = {
    TW_PARAM_ENUM(struct params, mood, SWISS, "swiss|" TW_MOOD_LABELS,
                  "a map in the Swiss manner, or a mood's colours and light"),
    TW_SCENE_MORE_PARAMS(struct params),
    TW_SIZE_PARAM(struct params, ""),
    TW_PARAM_F32(struct params, low, 0, -1e9, 1e9, TW_UNIT_HEIGHT,
                 "height of the lowest colour of swiss", TW_USUAL(-1, 1)),
    TW_PARAM_F32(struct params, high, 0, -1e9, 1e9, TW_UNIT_HEIGHT,
                 "height of the highest colour; low = high takes the map's own range",
                 TW_USUAL(-1, 2)),
    TW_PARAM_F32(struct params, shading, 1, 0, 2, TW_UNIT_SHARE,
                 "contrast of the shading of swiss; 0 gives flat colours"),
    TW_PARAM_F32(struct params, exposure, 1, 0, 16, TW_UNIT_SHARE, "of the mood's"),
    TW_PARAM_END,
};

enum { IN, SURFACE, SHADE };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"surface", TW_SURFACE, TW_OPTIONAL, "its light, of render.surface; swiss shows none"},
    {"shade", TW_MASK, TW_OPTIONAL, "light in 0..1 instead of the node's own: it dims"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_IMAGE, 0, "the picture, as large as the map without a size"},
    TW_PORT_END,
};

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    struct tw_rule rule = TW_RULE_AT_MOST(p, low, high);
    return rule.param ? rule : tw_scene_check(&TW_SCENE_CHOICE(p));
}

static void output_size(const void *at, int32_t *width, int32_t *height)
{
    const struct params *p = at;
    tw_scene_size(&p->size, width, height);
}

/* ---- a surface seen from straight above, at any size ---- */

struct top_view {
    const struct tw_surface_cell *cells;
    int32_t width, height;
    float exposure;    /* 0: the cells are colours as shown */
    struct tw_rgb air; /* light of the air above, when exposed */
};

struct painting {
    const struct top_view *view;
    struct tw_value *image;
    struct tw_surface_mips mips;
    struct tw_tone_tables tones;
    float lod;
    enum tw_simd simd;
};

/* Colours TW_MIPS_SAMPLES pixels from x on, some of them beyond the border. Each reads the level
 * whose cells are as large as it is. */
static TW_INLINE void look_body(const struct painting *p, int32_t x, int32_t y, struct tw_rgb *to)
{
    const struct top_view *view = p->view;
    float across = (float)view->width / (float)p->image->width;
    float down = (float)view->height / (float)p->image->height;
    float at_x[TW_MIPS_SAMPLES], at_y[TW_MIPS_SAMPLES], lod[TW_MIPS_SAMPLES];
    struct tw_mips_samples samples;
    for (int i = 0; i < TW_MIPS_SAMPLES; i++) {
        at_x[i] = ((float)(x + i) + 0.5f) * across - 0.5f;
        at_y[i] = ((float)y + 0.5f) * down - 0.5f;
        lod[i] = p->lod;
    }
    tw_surface_mips_read(&p->mips, at_x, at_y, lod, &samples);
    for (int i = 0; i < TW_MIPS_SAMPLES; i++) {
        struct tw_rgb c = {samples.red[i], samples.green[i], samples.blue[i]};
        struct tw_rgb shown = tw_tone_map(tw_rgb_mix(c, view->air, AIR), view->exposure);
        to[i] = view->exposure > 0 ? shown : c;
    }
}
TW_SIMD_KERNEL(look, (const struct painting *p, int32_t x, int32_t y, struct tw_rgb *to),
               (p, x, y, to))

static void paint_rows(void *context, int32_t begin, int32_t end)
{
    const struct painting *p = context;
    int32_t width = p->image->width;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < width; x += TW_MIPS_SAMPLES) {
            struct tw_rgb shown[TW_MIPS_SAMPLES];
            look(p->simd)(p, x, y, shown);
            uint8_t *to = tw_pixels(p->image) + 3 * ((size_t)y * (size_t)width + (size_t)x);
            for (int32_t i = 0; i < TW_MIPS_SAMPLES && x + i < width; i++)
                tw_tone_store(&p->tones, shown[i], to + 3 * (size_t)i);
        }
}

static enum tw_status paint_view(struct tw_task *task, const struct top_view *view,
                                 struct tw_value *image)
{
    struct painting p = {.view = view, .image = image, .simd = tw_task_simd(task)};
    enum tw_status status =
        tw_surface_mips_build(task, view->cells, view->width, view->height, &p.mips);
    if (status != TW_OK)
        return status;
    float pixel = tw_max((float)view->width / (float)image->width,
                         (float)view->height / (float)image->height);
    p.lod = tw_max(tw_fast_log2(pixel), 0.0f);
    tw_tone_tables_fill(&p.tones);
    tw_rows(task, image->height, 8, paint_rows, &p);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

/* ---- its light, in both manners ---- */

static enum tw_status paint_swiss(struct tw_task *task, const float *shade,
                                  struct tw_surface_cell *cells, int32_t enlarge)
{
    const struct params *p = tw_task_params(task);
    struct tw_span span = {p->low, p->high};
    struct tw_swiss_job job = {.heights = tw_floats(tw_task_input(task, IN)),
                               .width = tw_task_width(task),
                               .height = tw_task_height(task),
                               .enlarge = enlarge,
                               .exaggeration = tw_exaggeration(p->exaggeration),
                               .sea = p->sea,
                               .shading = p->shading,
                               .shade = shade};
    enum tw_status status = TW_OK;
    if (p->low == p->high)
        status = tw_span_find(task, job.heights, job.width, job.height, &span);
    job.low = span.low;
    job.high = span.high;
    return status == TW_OK ? tw_swiss_paint(task, &job, cells) : status;
}

static enum tw_status show_swiss(struct tw_task *task, struct top_view *view)
{
    struct tw_value *out = tw_task_output(task, OUT);
    const struct tw_value *shade = tw_task_input(task, SHADE);
    int32_t enlarge = tw_enlarge_factor(tw_task_width(task), tw_task_height(task), out->width);
    view->width = tw_task_width(task) * enlarge;
    view->height = tw_task_height(task) * enlarge;
    struct tw_surface_cell *cells =
        tw_task_scratch(task, (size_t)view->width * (size_t)view->height, sizeof *cells);
    if (!cells)
        return tw_task_no_memory(task);
    struct tw_scratch_mark before = tw_task_scratch_mark(task);
    enum tw_status status = paint_swiss(task, shade ? tw_floats(shade) : NULL, cells, enlarge);
    tw_task_scratch_return(task, before);
    view->cells = cells;
    return status == TW_OK ? paint_view(task, view, out) : status;
}

static enum tw_status show_mood(struct tw_task *task, struct top_view *view)
{
    const struct params *p = tw_task_params(task);
    struct tw_value *out = tw_task_output(task, OUT);
    const struct tw_value *shade = tw_task_input(task, SHADE);
    struct tw_scene_choice choice = TW_SCENE_CHOICE(p);
    choice.mood = (enum tw_mood)(p->mood - 1);
    struct tw_scene scene = tw_scene_of(&choice);
    struct tw_surface_job job = tw_scene_plain_job(task, &scene);
    struct tw_scene_ground ground;
    job.shade = shade ? tw_floats(shade) : NULL;
    enum tw_status status =
        tw_scene_ground(task, &job, tw_task_input(task, SURFACE), out->width, &ground);
    if (status != TW_OK)
        return status;
    view->cells = ground.cells;
    view->width = job.width * ground.factor;
    view->height = job.height * ground.factor;
    view->exposure = p->exposure * tw_mood_light(choice.mood)->exposure;
    view->air = tw_rgb_scale(tw_mood_colour(tw_mood_light(choice.mood)->haze_colour), 1.6f);
    view->air = tw_rgb_multiply(view->air, scene.sun.around);
    return paint_view(task, view, out);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct top_view view = {.exposure = 0};
    return p->mood == SWISS ? show_swiss(task, &view) : show_mood(task, &view);
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    int32_t width = f->width, height = f->height;
    tw_scene_size(&p->size, &width, &height);
    int64_t given = p->mood == SWISS ? 0 : f->inputs[SURFACE];
    int32_t factor = tw_scene_ground_factor(f, given, width);
    uint64_t cells = (uint64_t)f->width * (uint64_t)f->height * (uint64_t)factor * (uint64_t)factor;
    struct tw_forecast light = tw_forecast_step(f), picture = light;
    if (p->mood == SWISS) {
        tw_forecast_scratch(f, cells, sizeof(struct tw_surface_cell));
        tw_swiss_forecast(&light, f->width, f->height, factor);
        if (p->low == p->high)
            tw_rescale_forecast(&light);
    } else if (f->inputs[SURFACE] == 0) {
        tw_scene_ground_forecast(f, &light, factor, f->inputs[SHADE] == 0);
    }
    tw_surface_mips_forecast(&picture, f->width * factor, f->height * factor);
    tw_forecast_steps(f, &light, &picture);
}

extern const struct tw_node_type tw_node_render_relief;
const struct tw_node_type tw_node_render_relief = {
    .name = "render.relief",
    .version = 5,
    .summary = "the terrain as a map, from above",
    .keywords = "map, shaded relief, cartography, Swiss, overview, hypsometric tints",
    .elsewhere = "gdaldem hillshade (GDAL), r.shade (GRASS)",
    .detail =
        "Shows the terrain as a map from above, in the manner of Swiss maps or in the light of a "
        "mood. Choose render.hillshade for grey, render.colour for a ramp of your own, and "
        "render.perspective for a view.\n"
        "swiss: tints run by height from grey-green over ochre to white, between the sea (or "
        "low, when that is higher) and high. Four lights at 270 to 360 degrees, altitude 45, "
        "shine on 0.6 of Horn's gradient and 0.4 of a smoother one. Each has a weight by the "
        "angle between it and the slope:\n"
        "    0.25 + 0.75 sin^2 angle.\n"
        "Light is yellow and shade violet, contrast grows with height, valleys see less sky and "
        "mist lies low. Nothing is black.\n"
        "A mood shows the light of render.surface instead.",
    .cite = "horn1981 mark1992 imhof1965",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "picture: {type: render.relief, in: noise, sea: 0.35}",
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
    .forecast = forecast,
    .output_size = output_size,
};
