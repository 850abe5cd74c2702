/* SPDX-License-Identifier: MIT */
/* A view of a lit surface in three dimensions: the map as a block that fills the picture by itself,
 * or a scene seen from above the ground. Rays find the ground through a pyramid of maxima (Tevs,
 * Ihrke and Seidel 2008). */
#include "render/kernels/enlarge.h"
#include "render/kernels/noise_tile.h"
#include "render/kernels/scene.h"
#include "render/kernels/view.h"

#include <thalweg/rescale.h>

#define SCENE_PITCH_MAX 14.0 /* higher up, it is a map and no view */
#define TARGET_AUTO (-1e9)   /* below any map */
#define BLUR 0.7f            /* of the ground in pixels: sharper than 1 without shimmer */
enum { LAKE_CELLS = 256 };   /* read at once */

struct params {
    TW_SCENE_FIELDS;
    int32_t mode;
    float azimuth, pitch, view, distance, target;
    float haze, exposure, shading;
    struct tw_table materials, strata;
    float period, fold;
};

static const struct tw_column strata_columns[] = {TW_STRATA_COLUMNS};

static const struct tw_param params[] = {
    TW_SCENE_PARAMS(struct params),
    TW_SIZE_PARAM(struct params, "1920 1080"),
    TW_PARAM_ENUM(struct params, mode, TW_VIEW_BLOCK, "block|scene",
                  "the map as a block on a floor, or what someone in it sees"),
    TW_PARAM_F32(struct params, azimuth, 205, 0, 360, TW_UNIT_DEGREES,
                 "where the camera stands, clockwise from north"),
    TW_PARAM_F32(struct params, pitch, 30, 0, 90, TW_UNIT_DEGREES,
                 "how far it looks down; of a scene, how high it stands, 14 at most"),
    TW_PARAM_F32_OR(struct params, view, "auto", 0, 0, 1e-6, 150, TW_UNIT_DEGREES,
                    "angle of view over the picture's width; auto: 24, of a scene 30"),
    TW_PARAM_F32_OR(struct params, distance, "auto", 0, 0, 1e-6, 1000, TW_UNIT_SIDE_LONGER,
                    "from the middle of the map; auto: it fits the picture", TW_USUAL(0.5, 6)),
    TW_PARAM_F32_OR(struct params, target, "auto", TARGET_AUTO, TARGET_AUTO, TARGET_AUTO, 1e9,
                    TW_UNIT_HEIGHT,
                    "height in the middle that a block's distance counts from, so that several "
                    "maps share one camera; auto: half way up the map's own range",
                    TW_USUAL(0, 1)),
    TW_PARAM_F32(struct params, haze, 1, 0, 4, TW_UNIT_SHARE, "strength, of the mood's"),
    TW_PARAM_F32(struct params, exposure, 1, 0, 16, TW_UNIT_SHARE, "of the mood's"),
    TW_PARAM_F32(struct params, shading, 1, 0, 1, TW_UNIT_SHARE,
                 "without a surface: 0 for an image that is already shaded"),
    TW_PARAM_MATERIALS(struct params, materials,
                       "without a surface: what each of the layers is of"),
    TW_PARAM_TABLE(
        struct params, strata, strata_columns,
        "layers of rock that the sides show, from below up, as in mask.strata without dip"),
    TW_PARAM_F32(struct params, period, 0.5, 1e-6, 1e9, TW_UNIT_HEIGHT,
                 "height after which the strata come again", TW_USUAL(0.05, 1)),
    TW_PARAM_F32(struct params, fold, 0.06, -1e9, 1e9, TW_UNIT_HEIGHT,
                 "how far bend lifts the strata from its 0 to its 1", TW_USUAL(-0.3, 0.3)),
    TW_PARAM_END,
};

enum { IN, SURFACE, LAKES, IMAGE, WATER, BEND, LAYERS };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"surface", TW_SURFACE, TW_OPTIONAL, "its light, of render.surface; the mood's if not given"},
    {"lakes", TW_HEIGHTMAP, TW_OPTIONAL, "depth of standing water, as given to the surface"},
    {"image", TW_IMAGE, TW_OPTIONAL, "without a surface: colours of the ground"},
    {"water", TW_MASK, TW_OPTIONAL, "without a surface: share of a cell that water covers"},
    {"bend", TW_HEIGHTMAP, TW_OPTIONAL, "how the strata are folded, 0.5 where they are not"},
    {"layers", TW_MASK, TW_VARIADIC, "without a surface: where materials lie on the ground"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_IMAGE, 0, "the view"},
    TW_PORT_END,
};

/* Water over the ground, in cells of the surface's grid. */
struct flood {
    const float *lakes; /* depths, as heights of the map; NULL for none */
    int32_t width, height, factor;
    const struct tw_map_block *block;
    float scale; /* cells per height */
    float *top;
};

static void add_lake(const struct flood *f, int32_t y, float *row)
{
    float depth[LAKE_CELLS];
    for (int32_t x = 0; x < f->block->width; x += LAKE_CELLS) {
        int32_t left = f->block->width - x, count = left < LAKE_CELLS ? left : LAKE_CELLS;
        tw_enlarge_read(f->lakes, f->width, f->height, f->factor, y, x, count, depth);
        for (int32_t i = 0; i < count; i++)
            row[x + i] += tw_max(depth[i], 0.0f) * f->scale;
    }
}

static void flood_rows(void *context, int32_t begin, int32_t end)
{
    const struct flood *f = context;
    for (int32_t y = begin; y < end; y++) {
        float *row = f->top + (size_t)y * (size_t)f->block->width;
        if (f->lakes)
            add_lake(f, y, row);
        for (int32_t x = 0; x < f->block->width; x++)
            row[x] = tw_max(row[x], f->block->sea);
    }
}

/* The ground along the borders, which sides show below the water. */
static void keep_rims(struct tw_map_block *b, const float *ground, float *rims)
{
    const size_t width = (size_t)b->width, height = (size_t)b->height;
    float *west = rims, *east = west + height, *north = east + height, *south = north + width;
    for (size_t y = 0; y < height; y++) {
        west[y] = ground[y * width];
        east[y] = ground[y * width + width - 1];
    }
    memcpy(north, ground, width * sizeof *ground);
    memcpy(south, ground + (height - 1) * width, width * sizeof *ground);
    b->rim[TW_WEST] = west;
    b->rim[TW_EAST] = east;
    b->rim[TW_NORTH] = north;
    b->rim[TW_SOUTH] = south;
}

/* The height that those in cells count from. */
static float datum_of(const struct tw_task *task, const struct tw_map_block *b)
{
    return tw_enlarge_datum(tw_floats(tw_task_input(task, IN)), b->scene.exaggeration);
}

/* The ground, then the water on it, of which rays meet the upper. */
static enum tw_status build_heights(struct tw_task *task, struct tw_view *view)
{
    struct tw_map_block *b = &view->block;
    const struct tw_value *lakes = tw_task_input(task, LAKES);
    struct flood flood = {.lakes = lakes ? tw_floats(lakes) : NULL,
                          .width = tw_task_width(task),
                          .height = tw_task_height(task),
                          .block = b};
    struct tw_span span = {0, 0};
    const float *heights = tw_floats(tw_task_input(task, IN)), datum = datum_of(task, b);
    float *top = tw_task_scratch(task, (size_t)b->width * (size_t)b->height, sizeof *top);
    float *rims = tw_task_scratch(task, 2 * ((size_t)b->width + (size_t)b->height), sizeof *rims);
    if (!top || !rims)
        return tw_task_no_memory(task);
    flood.top = top;
    flood.factor = b->width / flood.width;
    flood.scale = b->scene.exaggeration * (float)(b->width > b->height ? b->width : b->height);
    tw_enlarge(task, heights, flood.width, flood.height, flood.factor, datum, flood.scale, top);
    enum tw_status status = tw_span_find(task, top, b->width, b->height, &span);
    if (status != TW_OK)
        return status;
    b->low = span.low;
    b->range = span.high - span.low;
    b->sea = (tw_max(b->scene.sea, -1e6f) - datum) * flood.scale;
    keep_rims(b, top, rims);
    tw_rows(task, b->height, 16, flood_rows, &flood);
    b->lakes = lakes ? top : NULL;
    return tw_pyramid_build(task, top, b->width, b->height, &view->pyramid);
}

static enum tw_status prepare_block(struct tw_task *task, struct tw_map_block *b)
{
    float *noise = tw_task_scratch(task, TW_NOISE_CELLS, sizeof *noise);
    if (!noise)
        return tw_task_no_memory(task);
    tw_noise_tile_fill(task, noise);
    b->noise = noise;
    tw_block_set(b);
    return TW_OK;
}

/* Heights that overflow where they are drawn leave no place for the eye. */
static bool has_place(const struct tw_camera *c)
{
    return isfinite(c->eye[0]) && isfinite(c->eye[1]) && isfinite(c->eye[2]);
}

/* The camera must be next to the block or above its surface. */
static bool sees_outside(const struct tw_view *view)
{
    const double *eye = view->camera.eye;
    bool outside = eye[0] < 0 || eye[1] < 0 || eye[0] > view->pyramid.width - 1 ||
                   eye[1] > view->pyramid.height - 1;
    return outside || eye[2] > tw_pyramid_height(&view->pyramid, eye[0], eye[1]);
}

static enum tw_status place_camera(struct tw_task *task, struct tw_view *view)
{
    const struct params *p = tw_task_params(task);
    const struct tw_map_block *b = &view->block;
    double longest = b->width > b->height ? b->width : b->height;
    bool scene = view->mode == TW_VIEW_SCENE;
    double middle = (double)b->low + 0.5 * (double)b->range;
    if (p->target > (float)TARGET_AUTO)
        middle = ((double)p->target - (double)datum_of(task, b)) * (double)b->scene.exaggeration *
                 longest;
    double angle = p->view > 0 ? (double)p->view : scene ? 30 : 24, pitch = (double)p->pitch;
    if (scene)
        pitch = pitch < SCENE_PITCH_MAX ? pitch : SCENE_PITCH_MAX;
    struct tw_camera_aim aim = {(double)p->azimuth, pitch, angle, view->width, view->height};
    if (scene)
        view->camera = tw_camera_stand(&aim, &view->pyramid, (double)p->distance * longest,
                                       (double)tw_max(b->low, b->sea));
    else if (p->distance > 0)
        view->camera = tw_camera_place(&aim, &view->pyramid, (double)p->distance * longest, middle);
    else
        view->camera = tw_camera_fit(&aim, &view->pyramid, (double)b->bottom);
    if (!has_place(&view->camera))
        return tw_task_fail(task,
                            "the heights are too large to be drawn with an exaggeration of %g",
                            (double)b->scene.exaggeration);
    if (!sees_outside(view))
        return tw_task_fail(task, "the camera is below the terrain: raise its pitch or distance");
    view->exposure = p->exposure;
    view->haze = p->haze;
    view->blur = BLUR;
    tw_view_set(view, angle);
    return TW_OK;
}

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    struct tw_rule rule = tw_scene_check(&TW_SCENE_CHOICE(p));
    if (!rule.param)
        rule = tw_materials_check(&p->materials);
    if (!rule.param && p->strata.rows > TW_STRATA_MAX)
        rule = TW_RULE("strata", "at most 64 rows");
    return rule;
}

static void output_size(const void *at, int32_t *width, int32_t *height)
{
    const struct params *p = at;
    tw_scene_size(&p->size, width, height);
}

/* The surface as given, or lit here. */
static enum tw_status find_ground(struct tw_task *task, const struct tw_scene *scene,
                                  struct tw_scene_ground *ground)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *given = tw_task_input(task, SURFACE);
    const struct tw_value *lakes = tw_task_input(task, LAKES);
    const struct tw_value *water = tw_task_input(task, WATER);
    struct tw_surface_job job = tw_scene_plain_job(task, scene);
    struct tw_layers layers = {.count = 0};
    enum tw_status status = TW_OK;
    if (!given)
        status = tw_layers_fill(task, LAYERS, &p->materials, scene->mood, &layers);
    if (status != TW_OK)
        return status;
    job.image = tw_task_input(task, IMAGE);
    job.shading = p->shading;
    job.lakes = lakes ? tw_floats(lakes) : NULL;
    job.water = water ? tw_floats(water) : NULL;
    job.layers = layers.count > 0 ? &layers : NULL;
    return tw_scene_ground(task, &job, given, tw_task_output(task, OUT)->width, ground);
}

/* Layers for the sides; NULL without any. */
static const struct tw_wall_strata *
read_strata(const struct tw_task *task, const struct tw_map_block *b, struct tw_wall_strata *wall)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *bend = tw_task_input(task, BEND);
    int32_t longest = b->width > b->height ? b->width : b->height;
    if (p->strata.rows == 0)
        return NULL;
    *wall = (struct tw_wall_strata){.course =
                                        tw_strata_course((double)p->period, (double)p->fold, 0, 0),
                                    .bend = bend ? tw_floats(bend) : NULL,
                                    .width = tw_task_width(task),
                                    .height = tw_task_height(task),
                                    .factor = b->width / tw_task_width(task),
                                    .scale = tw_max(b->scene.exaggeration * (float)longest, 1e-20f),
                                    .datum = datum_of(task, b)};
    tw_wall_strata_read(&p->strata, wall);
    return wall;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_value *out = tw_task_output(task, OUT);
    struct tw_view view = {.mode = (enum tw_view_mode)p->mode,
                           .block.scene = tw_scene_of(&TW_SCENE_CHOICE(p)),
                           .width = out->width,
                           .height = out->height};
    struct tw_scene_ground ground;
    struct tw_wall_strata strata;
    enum tw_status status = find_ground(task, &view.block.scene, &ground);
    if (status != TW_OK)
        return status;
    view.block.width = tw_task_width(task) * ground.factor;
    view.block.height = tw_task_height(task) * ground.factor;
    if (view.block.width < 2 || view.block.height < 2)
        return tw_task_fail(task, "a view needs at least 2 x 2 cells; the map has %d x %d",
                            (int)tw_task_width(task), (int)tw_task_height(task));
    view.block.layers = read_strata(task, &view.block, &strata);
    status = build_heights(task, &view);
    if (status == TW_OK)
        status = tw_surface_mips_build(task, ground.cells, view.block.width, view.block.height,
                                       &view.mips);
    if (status == TW_OK)
        status = prepare_block(task, &view.block);
    if (status == TW_OK)
        status = place_camera(task, &view);
    return status == TW_OK ? tw_view_paint(task, &view, tw_pixels(out)) : status;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    int32_t width = f->width, height = f->height;
    tw_scene_size(&p->size, &width, &height);
    int32_t factor = tw_scene_ground_factor(f, f->inputs[SURFACE], width);
    int32_t across = f->width * factor, down = f->height * factor;
    struct tw_forecast light = tw_forecast_step(f), picture = light;
    if (f->inputs[SURFACE] == 0)
        tw_scene_ground_forecast(f, &light, factor, true);
    tw_forecast_scratch(&picture, (uint64_t)across * (uint64_t)down, sizeof(float));
    tw_forecast_scratch(&picture, (uint64_t)across + (uint64_t)down, 2 * sizeof(float));
    tw_forecast_scratch(&picture, (uint64_t)down, sizeof(struct tw_span));
    tw_forecast_scratch(&picture, TW_NOISE_CELLS, sizeof(float));
    tw_pyramid_forecast(&picture, across, down);
    tw_surface_mips_forecast(&picture, across, down);
    tw_view_forecast(&picture, width, height);
    tw_forecast_steps(f, &light, &picture);
}

extern const struct tw_node_type tw_node_render_perspective;
const struct tw_node_type tw_node_render_perspective = {
    .name = "render.perspective",
    .version = 8,
    .summary = "a view of the terrain in three dimensions",
    .keywords = "3D view, camera, screenshot, preview, landscape, beauty shot",
    .detail =
        "Shows the terrain in three dimensions. Choose render.relief for a map from above, and "
        "render.surface for a ground that several views share.\n"
        "A pinhole camera finds its own place: the whole block with its sides fills the picture "
        "and is not cut. As a scene, the camera stands above the map and the highest part ends "
        "12 % below the top.\n"
        "One ray per pixel, and four more where brightness or distance jumps, skip what lies "
        "below them by a pyramid of maxima and meet the bilinear surface. They read its light "
        "from the level that a pixel covers.\n"
        "Water mirrors the sky, haze lies in the distance and low, and a tone curve brings the "
        "light into bytes. Lakes fade in as in render.surface. Behind the map a scene goes on as "
        "sea or plain in the same haze; low ground passes into it, and what rises before it "
        "keeps its outline.\n"
        "With strata, the sides of a block show the layers that the land was carved from. Give "
        "bend, period, fold and the table of mask.strata, and ledges go on into the sides. The "
        "layers fill 0 to 1 from the lowest up; a point of height z shows 0.6 of the colour of "
        "the layer at q, moved by noise of 0.02:\n"
        "    q = frac((z - fold (bend - 1/2)) / period).\n"
        "A map of less than 2 x 2 cells is an error.",
    .cite = "tevs2008 williams1983 schlick1994",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "view: {type: render.perspective, in: noise, sea: 0.3, size: [256, 144]}",
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
    .forecast = forecast,
    .output_size = output_size,
};
