/* SPDX-License-Identifier: MIT */
/* Which layer of rock crops out: layers that repeat with height, lifted by a fold map and tilted,
 * cut by the ground as it is. The hardness drives erosion, so that hard layers stand out as ledges.
 */
#include "common/strata.h"

#include <thalweg/kernel.h>

struct params {
    float period; /* heights after which the layers come again */
    float fold;   /* heights by which `bend` lifts them */
    float dip;    /* heights per map side */
    float azimuth;
    struct tw_table layers;
    int32_t count;
    float blend;
};

static const struct tw_column columns[] = {TW_STRATA_COLUMNS};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, period, 0.5, 1e-6, 1e9, TW_UNIT_HEIGHT,
                 "thickness of all layers together, after which they come again",
                 TW_USUAL(0.05, 1)),
    TW_PARAM_F32(struct params, fold, 0.06, -1e9, 1e9, TW_UNIT_HEIGHT,
                 "by which layers lie higher where bend is 1 than where it is 0",
                 TW_USUAL(-0.3, 0.3)),
    TW_PARAM_F32(struct params, dip, 0, -1e9, 1e9, TW_UNIT_RISE_PER_SIDE,
                 "slope of the layers, which rise towards the azimuth", TW_USUAL(-5, 5)),
    TW_PARAM_F32(struct params, azimuth, 0, -360, 360, TW_UNIT_DEGREES,
                 "clockwise from north, of the way up along the layers"),
    TW_PARAM_TABLE(struct params, layers, columns,
                   "layers from below up, at most 64; without it they are drawn"),
    TW_PARAM_I32(struct params, count, 9, 1, TW_STRATA_MAX, "layers", "how many to draw"),
    TW_PARAM_F32(struct params, blend, 0.06, 0, 1, TW_UNIT_SHARE,
                 "of a layer, over which its hardness passes to the next one's"),
    TW_PARAM_END,
};

enum { IN, BEND };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"bend", TW_HEIGHTMAP, TW_OPTIONAL, "lifts the layers, from 1/2 on; level if not given"},
    TW_PORT_END,
};

enum { OUT, LAYER, VALUE };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "hardness of the rock at the surface"},
    {"layer", TW_LABELS, TW_ON_DEMAND, "number of the layer, 1 the lowest"},
    {"value", TW_HEIGHTMAP, TW_ON_DEMAND, "share of the period, 0 to 1, that the surface lies at"},
    TW_PORT_END,
};

struct map {
    const float *in, *bend;
    float *hardness, *value;
    int32_t *layer;
    int32_t width, top, map_height;
    double blend;
    struct tw_strata_course course;
    struct tw_strata strata;
};

static void classify(const struct map *map, int32_t x, int32_t y)
{
    size_t i = (size_t)y * (size_t)map->width + (size_t)x;
    double side = (double)map->width;
    double bend = map->bend ? (double)map->bend[i] : 0.5;
    double row = (double)((map->top + y) % map->map_height);
    double q = tw_strata_share(&map->course, (double)map->in[i], bend, ((double)x + 0.5) / side,
                               (row + 0.5) / side);
    map->hardness[i] = (float)tw_strata_hardness(&map->strata, q, map->blend);
    if (map->layer)
        map->layer[i] = 1 + tw_strata_find(&map->strata, q);
    if (map->value)
        map->value[i] = tw_min((float)q, 0x1.fffffep-1f);
}

static void classify_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < map->width; x++)
            classify(map, x, y);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *bend = tw_task_input(task, BEND);
    struct map map = {.in = tw_floats(tw_task_input(task, IN)),
                      .bend = bend ? tw_floats(bend) : NULL,
                      .hardness = tw_floats(tw_task_output(task, OUT)),
                      .value = tw_floats(tw_task_output(task, VALUE)),
                      .layer = tw_labels(tw_task_output(task, LAYER)),
                      .width = tw_task_width(task),
                      .top = tw_task_top(task),
                      .map_height = tw_task_map_height(task),
                      .blend = (double)p->blend,
                      .course = tw_strata_course((double)p->period, (double)p->fold, (double)p->dip,
                                                 (double)p->azimuth)};
    if (p->layers.rows > 0)
        tw_strata_read(&p->layers, &map.strata);
    else
        tw_strata_draw(tw_task_seed(task), p->count, &map.strata);
    tw_rows(task, tw_task_height(task), 8, classify_rows, &map);
    return TW_OK;
}

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    return p->layers.rows > TW_STRATA_MAX ? TW_RULE("layers", "at most 64 rows") : TW_RULES_HOLD;
}

/* Tilted layers do not meet themselves at the opposite border. */
static bool wraps(const void *at, int32_t width, int32_t height)
{
    (void)width, (void)height;
    return ((const struct params *)at)->dip == 0;
}

extern const struct tw_node_type tw_node_mask_strata;
const struct tw_node_type tw_node_mask_strata = {
    .name = "mask.strata",
    .version = 1,
    .summary = "hardness of the rock layers that crop out",
    .keywords = "strata, stratification, layers, sediment, geology, rock hardness, canyon, mesa, "
                "ledges, bands, cuesta, outcrop",
    .elsewhere = "Stratify (Gaea), HeightField Terrace (Houdini), StratifyMultiscale (Hesiod)",
    .detail =
        "Tells how hard the rock at the surface is where the land is made of layers, some hard "
        "and some soft. Give it to erosion as `hardness`, a few steps at a time, each with the "
        "hardness of the ground that the last one left: hard layers become ledges and walls, soft "
        "ones slopes. Choose shape.terrace for steps without erosion.\n"
        "A place of height z lies at a share q of the period, with d the dip, which layers rise "
        "by towards the azimuth, and p the place in map sides from the north-west corner:\n"
        "    q = frac((z - fold (bend - 1/2) - d . p) / period).\n"
        "Layers lie on each other from q = 0 to 1 in shares of their thicknesses. Without "
        "`layers`, `count` of them are drawn: thicknesses e^(0.9 n) with n normal, hardnesses of "
        "0.6 to 1 and of 0.15 to 0.45 in turn.\n"
        "About the border between two layers the hardness passes smoothly from one to the other, "
        "over half of blend times the thickness on either side, so it is continuous, also where "
        "the period begins again.\n"
        "Layers that are thinner than about three cells of the slope look like contour lines. "
        "Layers with a dip do not meet at opposite borders, so a recipe with them is closed "
        "unless it says `borders: wrap`. red, green and blue are for render.perspective, whose "
        "`strata` can take the same table.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: noise.perlin}\n"
               "folds: {type: noise.perlin, frequency: 3, octaves: 3}\n"
               "rock: {type: mask.strata, in: land, bend: folds}",
    .random = true,
    .reach = TW_REACH_CELL,
    .check = check,
    .run = run,
    .wraps = wraps,
};
