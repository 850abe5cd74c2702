/* SPDX-License-Identifier: MIT */
/* The ground's light, computed once for all pictures of a map: colour by mood, sun with soft
 * shadows, sky, light from the ground around, and water. Views of it pay only for their rays. */
#include "render/kernels/enlarge.h"
#include "render/kernels/ramp.h"
#include "render/kernels/scene.h"

struct params {
    TW_SCENE_FIELDS;
    struct tw_table ramp, materials;
    int32_t ramp_by;
    bool ramp_fit;
    float snow, bump, shading, softness;
};

static const struct tw_param params[] = {
    TW_SCENE_PARAMS(struct params),
    TW_SIZE_PARAM(struct params, "1920 1080"),
    TW_PARAM_RAMP(struct params, ramp, tw_ramp_columns,
                  "colours by value instead of the mood's, in rising order"),
    TW_RAMP_BY_PARAM(struct params, ramp_by),
    TW_RAMP_FIT_PARAM(struct params, ramp_fit),
    TW_PARAM_F32(struct params, snow, TW_SNOW_LINE, -10, 10, TW_UNIT_SHARE,
                 "snow line of the alpine mood: 0 at the sea or the lowest, 1 at the highest",
                 TW_USUAL(0, 1)),
    TW_PARAM_F32(struct params, bump, 1, 0, 4, TW_UNIT_SHARE,
                 "roughness that only the light sees, of the mood's; 0 for measuring"),
    TW_PARAM_F32(struct params, shading, 1, 0, 1, TW_UNIT_SHARE,
                 "0 lights all ground as if it were level and open"),
    TW_PARAM_F32(struct params, softness, 1.2, 0, 10, TW_UNIT_DEGREES,
                 "half of the sun's width: 0.7 is crisp, 4 overcast"),
    TW_PARAM_MATERIALS(struct params, materials,
                       "what each of the layers is of, by name or colour, in their order"),
    TW_PARAM_END,
};

enum { IN, IMAGE, LAKES, WETNESS, SHADE, MASK, WATER, LAYERS };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"image", TW_IMAGE, TW_OPTIONAL, "colours of the ground, stretched over the map"},
    {"lakes", TW_HEIGHTMAP, TW_OPTIONAL, "depth of standing water, as height; 0 where it is dry"},
    {"wetness", TW_MASK, TW_OPTIONAL, "where it is wet, instead of what the valleys suggest"},
    {"shade", TW_MASK, TW_OPTIONAL, "share of the sun, instead of the shadows cast"},
    {"mask", TW_MASK, TW_OPTIONAL, "what ramp_by: mask colours"},
    {"water", TW_MASK, TW_OPTIONAL,
     "share of a cell that water covers, however shallow, instead of what lakes suggest"},
    {"layers", TW_MASK, TW_VARIADIC,
     "where materials lie on the ground, later ones over earlier ones"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_SURFACE, 0, "the lit ground, in up to 4 times the map's cells a side"},
    TW_PORT_END,
};

static int32_t factor_of(const struct params *p, int32_t width, int32_t height)
{
    int32_t picture = width, across = width;
    tw_scene_size(&p->size, &picture, &across);
    return tw_enlarge_factor(width, height, picture);
}

static void output_size(const void *at, int32_t *width, int32_t *height)
{
    int32_t factor = factor_of(at, *width, *height);
    *width *= factor;
    *height *= factor;
}

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    struct tw_rule rule = tw_scene_check(&TW_SCENE_CHOICE(p));
    if (!rule.param)
        rule = tw_ramp_check(&p->ramp);
    return rule.param ? rule : tw_materials_check(&p->materials);
}

static const float *plane(const struct tw_task *task, int input)
{
    const struct tw_value *value = tw_task_input(task, input);
    return value ? tw_floats(value) : NULL;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_scene scene = tw_scene_of(&TW_SCENE_CHOICE(p));
    struct tw_surface_job job = tw_scene_plain_job(task, &scene);
    struct tw_surface_ramp ramp;
    struct tw_layers layers;
    enum tw_status status = tw_layers_fill(task, LAYERS, &p->materials, scene.mood, &layers);
    if (status != TW_OK)
        return status;
    job.layers = layers.count > 0 ? &layers : NULL;
    job.enlarge = factor_of(p, job.width, job.height);
    job.image = tw_task_input(task, IMAGE);
    job.lakes = plane(task, LAKES);
    job.wetness = plane(task, WETNESS);
    job.shade = plane(task, SHADE);
    job.mask = plane(task, MASK);
    job.water = plane(task, WATER);
    job.snow = p->snow;
    job.bump = p->bump;
    job.shading = p->shading;
    job.softness = p->softness;
    if (p->ramp.rows > 0) {
        struct tw_ramp_choice choice = {&p->ramp, (enum tw_ramp_by)p->ramp_by, p->ramp_fit, p->sea};
        status = tw_ramp_fill(task, &job, &choice, &ramp);
        if (status != TW_OK)
            return status;
        job.ramp = &ramp;
    }
    return tw_surface_light(task, &job, tw_surface(tw_task_output(task, OUT)));
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    bool shadow = f->inputs[SHADE] == 0;
    tw_surface_light_forecast(f, f->width, f->height, factor_of(p, f->width, f->height), shadow);
}

extern const struct tw_node_type tw_node_render_surface;
const struct tw_node_type tw_node_render_surface = {
    .name = "render.surface",
    .version = 6,
    .summary = "the ground in colour and light, for any number of views",
    .keywords =
        "texture, material, layers, splat, ground, river, snow, snow cover, snow line, light, water, lakes, baking, "
        "ambient light",
    .elsewhere =
        "Snow (Gaea), Snow (World Machine), SatMap (Gaea), HeightField Quick Shade (Houdini)",
    .detail =
        "Makes the ground in colour and light, for any number of views. Choose "
        "render.perspective or render.relief alone for one picture.\n"
        "Colours follow from the mood by height, slope, hollows and noise, or from a ramp or an "
        "image.\n"
        "The light is the sun behind soft cast shadows, swept over the whole map; the sky that "
        "each place sees, from 16 horizons; and light that returns from the ground around. A sun "
        "below the horizon leaves a moonlit sky and no shadows. Everything is computed in linear "
        "light.\n"
        "Layers lay materials over these colours: a mask for each place in order, a row of "
        "materials for each mask. Noise frays the border where a mask m lies between 0 and 1, and "
        "varies the colour of the material:\n"
        "    m' = m + 4 m (1 - m) ragged (0.30 n1 + 0.35 n2)\n"
        "    share = smoothstep(0.15, 0.85, m')\n"
        "    colour (1 + grain (0.10 n1 + 0.14 n2)).\n"
        "n1 is noise of 29 and n2 of 3.3 cells of a map of 1024. A mask with soft borders frays, "
        "one with hard borders keeps them. An image has no bump of its own; layers on it have "
        "theirs.\n"
        "Water takes light away with depth, red first, and the sea has foam at the shore. Lakes "
        "fade in between depths of 0.1 % and 0.3 % of the relief above the sea, so that the film "
        "of rain in the water of erosion.pipes does not show. With a mask of water the mask alone "
        "decides, and shallow water has colour: a river of 2 m is seen, and as narrow as it is.\n"
        "A map of fewer cells than the picture has pixels is enlarged first.",
    .cite = "horn1981 zaksek2011 kasten1989 mitchell1988",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "lit: {type: render.surface, in: noise, sea: 0.3, size: [256, 144]}\n"
               "view: {type: render.perspective, in: noise, surface: lit, sea: 0.3, "
               "size: [256, 144]}",
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
    .forecast = forecast,
    .output_size = output_size,
};
