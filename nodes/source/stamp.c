/* SPDX-License-Identifier: MIT */
/* A relief placed on a map, point after point: brushes of terrain editors. Each copy is turned,
 * scaled and faded out towards the circle in it; cells are interpolated bilinearly. */
#include "common/sides.h"
#include "source/kernels/stamp_copy.h"

#include <thalweg/kernel.h>
#include <thalweg/masks.h>

#include <string.h>

enum { X, Y, SIZE, TURN };
enum { POINTS_MOST = 100, SIZE_MOST = 4 }; /* sides */
enum { TURN_OF_ALL = 361 };                /* of a row without its own */

struct params {
    struct tw_table points;
    float size, turn, height, falloff;
    int32_t blend;
    int32_t border;
};

static const struct tw_column columns[] = {
    {"x", 0, -POINTS_MOST, POINTS_MOST, true, TW_UNIT_SIDE, "from the west"},
    {"y", 0, -POINTS_MOST, POINTS_MOST, true, TW_UNIT_SIDE_SOUTH, "from the north"},
    {"size", 0, 0, SIZE_MOST, false, TW_UNIT_SIDE, "width of the stamp; 0: that of the node"},
    {"turn", TURN_OF_ALL, -360, TURN_OF_ALL, false, TW_UNIT_DEGREES,
     "clockwise; 361: that of the node"},
    TW_COLUMN_END,
};

static const struct tw_param params[] = {
    TW_PARAM_TABLE(struct params, points, columns, "where to put the stamp, in this order"),
    TW_PARAM_F32(struct params, size, 0.1, 0, SIZE_MOST, TW_UNIT_SIDE,
                 "width of the stamp, where a point has none of its own", TW_USUAL(0.01, 0.5)),
    TW_PARAM_F32(struct params, turn, 0, -360, 360, TW_UNIT_DEGREES,
                 "of the stamp, clockwise, where a point has none of its own"),
    TW_PARAM_F32(struct params, height, 1, -1e6, 1e6, TW_UNIT_NONE, "factor of the stamp's heights",
                 TW_USUAL(-1, 1)),
    TW_PARAM_F32(struct params, falloff, 0.2, 0, 1, TW_UNIT_SHARE,
                 "of the radius, over which the stamp fades out; 0: a sharp edge"),
    TW_PARAM_ENUM(struct params, blend, TW_STAMP_ADD, "add|max|replace",
                  "the sum with the ground, the higher of both, or the stamp alone"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { IN, STAMP, POINTS, MASK };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"stamp", TW_HEIGHTMAP, 0, "the relief to put on it"},
    {"points", TW_PLACEMENTS, TW_OPTIONAL,
     "where, how large and how turned, as of island.scatter; or rows"},
    TW_STRENGTH_PORT,
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the terrain with the stamp on it"},
    TW_PORT_END,
};

struct map {
    const struct params *params;
    const struct tw_value *placements; /* NULL: rows */
    struct tw_stamp_map stamp;
};

static int32_t count_of(const struct map *map)
{
    return map->placements ? map->placements->width : map->params->points.rows;
}

static struct tw_stamp_copy copy_at(const struct map *map, double x, double y, float size,
                                    double turn)
{
    float own = size > 0 ? size : map->params->size;
    return tw_stamp_copy_at(&map->stamp, x, y, tw_sides_in_cells(own, map->stamp.width), turn);
}

/* A placement within the limits of rows. */
static struct tw_stamp_copy placed(const struct map *map, const struct tw_placement *at)
{
    float x = tw_clamp(at->x, -POINTS_MOST, POINTS_MOST);
    float y = tw_clamp(at->y, -POINTS_MOST, POINTS_MOST);
    return copy_at(map, (double)x, (double)y, tw_min(at->size, SIZE_MOST), at->rotation);
}

static struct tw_stamp_copy written(const struct map *map, const float *row)
{
    float turn = row[TURN] == TURN_OF_ALL ? map->params->turn : row[TURN];
    return copy_at(map, (double)row[X], (double)row[Y], row[SIZE], (double)turn);
}

static void stamp_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    const struct tw_table *rows = &map->params->points;
    int32_t count = count_of(map);
    for (int32_t i = 0; i < count && !tw_task_cancelled(map->stamp.task); i++) {
        const struct tw_stamp_copy c =
            map->placements ? placed(map, tw_placements(map->placements) + i)
                            : written(map, rows->at + (size_t)i * (size_t)rows->columns);
        if (c.half > 0)
            tw_stamp_put(&map->stamp, &c, begin, end);
    }
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, IN);
    float *out = tw_floats(tw_task_output(task, OUT));
    struct map map = {.params = p,
                      .placements = tw_task_input(task, POINTS),
                      .stamp = {.relief = tw_floats(tw_task_input(task, STAMP)),
                                .out = out,
                                .width = in->width,
                                .height = in->height,
                                .factor = (double)p->height,
                                .falloff = (double)p->falloff,
                                .blend = (enum tw_stamp_blend)p->blend,
                                .wrap = tw_task_wraps(task, p->border),
                                .task = task}};
    if (!map.placements && p->points.rows == 0)
        return tw_task_fail(task, "there are no points; expected placements or rows, as in "
                                  "points: [[0.5, 0.5]]");
    memcpy(out, tw_floats(in), tw_value_count(in) * sizeof *out);
    tw_rows(task, in->height, 16, stamp_rows, &map);
    tw_strength_apply(task, tw_floats(in), out, tw_task_input(task, MASK), out);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

extern const struct tw_node_type tw_node_source_stamp;
const struct tw_node_type tw_node_source_stamp = {
    .name = "source.stamp",
    .version = 1,
    .summary = "put a relief on a map, at one point or at many",
    .keywords = "brush, place, scatter, copy, paste, insert, instance, crater, hill, rocks, merge, "
                "landmark",
    .elsewhere = "Stamping (Hesiod), HeightField Layer (Houdini), HeightField Scatter (Houdini), "
                 "Instance on Points (Blender)",
    .detail =
        "Puts a relief on a map at one point or at many: a volcano where the story needs it, a "
        "hundred craters, rocks on a plain. Choose combine.blend to lay a map over the whole of "
        "another, and shape.transform to move one.\n"
        "The whole stamp is drawn size wide and in the map's proportions, turned clockwise about "
        "its centre, which lies on the point. Points follow one another, each on what those "
        "before it left.\n"
        "With r = 0 at the centre and 1 on the ellipse that touches the stamp's sides, z the "
        "ground, s the stamp's height times `height`, and smoothstep(t) = 3 t^2 - 2 t^3 on 0..1:\n"
        "    w = smoothstep((1 - r) / falloff);\n"
        "    add: out = z + w s;\n"
        "    max: out = z + w (max(z, s) - z);\n"
        "    replace: out = z + w (s - z).\n"
        "A stamp that is 0 at its edge joins the ground by add, and one that continues the "
        "ground's heights by replace.\n"
        "points are placements, such as those of island.scatter, or rows of x, y, size and turn. A "
        "point's own size and turn take precedence, where it has them: every placement has a turn, "
        "and a size unless that is 0. Without any placement the map stays as it is.\n"
        "Stamps are interpolated between cells and not averaged: one that is drawn much smaller "
        "than its map should be smooth (shape.blur). A size of 0 draws nothing.\n"
        "Where the world wraps, a stamp goes on at the other side; elsewhere it is cut off at the "
        "border.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "plain: {type: noise.perlin, frequency: 2, octaves: 4}\n"
               "rock: {type: noise.ridged, frequency: 2}\n"
               "land: {type: source.stamp, in: plain, stamp: rock, height: 0.6, "
               "points: [[0.3, 0.35, 0.5], {x: 0.7, y: 0.7, size: 0.4, turn: 60}]}",
    .bordered = true,
    .reach = TW_REACH_ALL,
    .run = run,
};
