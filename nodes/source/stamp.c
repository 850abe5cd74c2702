/* SPDX-License-Identifier: MIT */
/* A relief placed on a map, point after point: brushes of terrain editors. Each copy is turned,
 * scaled and faded out towards the circle in it; cells are interpolated bilinearly. */
#include "common/sides.h"

#include <thalweg/kernel.h>
#include <thalweg/masks.h>

#include <string.h>

enum { ADD, MAX, REPLACE };
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
                 "width of the stamp, where a point has none of its own"),
    TW_PARAM_F32(struct params, turn, 0, -360, 360, TW_UNIT_DEGREES,
                 "of the stamp, clockwise, where a point has none of its own"),
    TW_PARAM_F32(struct params, height, 1, -1e6, 1e6, TW_UNIT_NONE,
                 "factor of the stamp's heights"),
    TW_PARAM_F32(struct params, falloff, 0.2, 0, 1, TW_UNIT_SHARE,
                 "of the radius, over which the stamp fades out; 0: a sharp edge"),
    TW_PARAM_ENUM(struct params, blend, ADD, "add|max|replace",
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

/* A copy of the stamp. Lengths are in cells. */
struct copy {
    double x, y;       /* centre; column 0 of row 0 is at 0.5, 0.5 */
    double half, down; /* half its width and height */
    double cos, sin;   /* of its turn */
    double wide, high; /* half the box around it */
    double cell;       /* cells of the stamp per cell */
};

struct map {
    const struct params *params;
    const float *stamp;
    const struct tw_value *placements; /* NULL: rows */
    float *out;
    int32_t width, height;
    bool wrap;
    const struct tw_task *task;
};

static double absolute(double v) { return v < 0 ? -v : v; }
static double cut(double v, double low, double high) { return v < low ? low : v > high ? high : v; }

static int32_t count_of(const struct map *map)
{
    return map->placements ? map->placements->width : map->params->points.rows;
}

/* x, y, size and turn of a point: its own where it has them, within the limits of rows. */
static void point_of(const struct map *map, int32_t i, double point[4])
{
    const struct params *p = map->params;
    float size;
    if (map->placements) {
        const struct tw_placement *at = tw_placements(map->placements) + i;
        point[X] = cut((double)at->x, -POINTS_MOST, POINTS_MOST);
        point[Y] = cut((double)at->y, -POINTS_MOST, POINTS_MOST);
        point[TURN] = at->rotation;
        size = tw_min(at->size, SIZE_MOST);
    } else {
        const float *row = p->points.at + (size_t)i * (size_t)p->points.columns;
        size = row[SIZE];
        point[X] = (double)row[X];
        point[Y] = (double)row[Y];
        point[TURN] = (double)(row[TURN] == TURN_OF_ALL ? p->turn : row[TURN]);
    }
    point[SIZE] = tw_sides_in_cells(size > 0 ? size : p->size, map->width);
}

static struct copy copy_of(const struct map *map, int32_t i)
{
    double point[4], aspect = (double)map->height / map->width;
    point_of(map, i, point);
    struct copy c = {.x = point[X] * map->width,
                     .y = point[Y] * map->height,
                     .half = 0.5 * point[SIZE],
                     .down = 0.5 * point[SIZE] * aspect,
                     .cos = tw_cos_degrees(point[TURN]),
                     .sin = tw_sin_degrees(point[TURN]),
                     .cell = point[SIZE] > 0 ? map->width / point[SIZE] : 0};
    c.wide = c.half * absolute(c.cos) + c.down * absolute(c.sin);
    c.high = c.half * absolute(c.sin) + c.down * absolute(c.cos);
    return c;
}

/* Bilinear; beyond its outer cells' centres the stamp goes on level. */
static double sample(const struct map *map, double x, double y)
{
    x = cut(x, 0.0, map->width - 1.0);
    y = cut(y, 0.0, map->height - 1.0);
    int32_t x0 = (int32_t)x, y0 = (int32_t)y;
    int32_t x1 = x0 + (x0 < map->width - 1), y1 = y0 + (y0 < map->height - 1);
    const float *upper = map->stamp + (size_t)y0 * (size_t)map->width;
    const float *lower = map->stamp + (size_t)y1 * (size_t)map->width;
    double fx = x - x0, fy = y - y0;
    double above = (double)upper[x0] * (1 - fx) + (double)upper[x1] * fx;
    double below = (double)lower[x0] * (1 - fx) + (double)lower[x1] * fx;
    return above * (1 - fy) + below * fy;
}

/* w: 1 inside, smoothly to 0 at the ellipse that touches the stamp's sides. */
static double weight_of(const struct params *p, double square)
{
    double left = 1 - sqrt(square), falloff = (double)p->falloff;
    double t = left < falloff ? left / falloff : 1;
    return t * t * (3 - 2 * t);
}

static void stamp_cell(const struct map *map, const struct copy *c, double dx, double dy, float *to)
{
    const struct params *p = map->params;
    double along = c->cos * dx + c->sin * dy, across = c->cos * dy - c->sin * dx;
    double u = along / c->half, v = across / c->down, square = u * u + v * v;
    if (!(square < 1))
        return;
    double ground = (double)*to, w = weight_of(p, square);
    double relief = (double)p->height * sample(map, along * c->cell + 0.5 * map->width - 0.5,
                                               across * c->cell + 0.5 * map->height - 0.5);
    if (p->blend == ADD)
        *to = (float)(ground + w * relief);
    else if (p->blend == REPLACE || relief > ground)
        *to = (float)(w < 1 ? ground + w * (relief - ground) : relief);
}

struct range {
    int32_t begin, end;
};

/* The cells whose centres lie from `low` to `high`. */
static struct range range_of(double low, double high, int32_t begin, int32_t end)
{
    double first = cut(low - 0.5, begin, end);
    double last = cut(high - 0.5, begin - 1.0, end - 1.0);
    int32_t from = (int32_t)first + ((double)(int32_t)first < first);
    return (struct range){from, (int32_t)(last + 1)};
}

static void stamp_rows(const struct map *map, const struct copy *c, int32_t begin, int32_t end)
{
    struct range rows = range_of(c->y - c->high, c->y + c->high, begin, end);
    struct range columns_of = range_of(c->x - c->wide, c->x + c->wide, 0, map->width);
    for (int32_t y = rows.begin; y < rows.end; y++)
        for (int32_t x = columns_of.begin; x < columns_of.end; x++)
            stamp_cell(map, c, x + 0.5 - c->x, y + 0.5 - c->y,
                       map->out + (size_t)y * (size_t)map->width + (size_t)x);
}

/* The first of the copies, one map apart, whose box ends beyond 0. */
static double first_copy(double at, double half, double side)
{
    double turns = (at + half) / side, whole = (double)(int64_t)turns;
    return at - side * (whole > turns ? whole - 1 : whole);
}

/* On a torus a copy shows on every map around that it reaches into, row by row. */
static void stamp_around(const struct map *map, const struct copy *c, int32_t begin, int32_t end)
{
    struct copy at = *c;
    if (!map->wrap) {
        stamp_rows(map, c, begin, end);
        return;
    }
    double west = first_copy(c->x, c->wide, map->width);
    for (at.y = first_copy(c->y, c->high, map->height); at.y - at.high < map->height;
         at.y += map->height)
        for (at.x = west; at.x - at.wide < map->width; at.x += map->width)
            stamp_rows(map, &at, begin, end);
}

static void stamp_band(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    int32_t count = count_of(map);
    for (int32_t i = 0; i < count && !tw_task_cancelled(map->task); i++) {
        const struct copy c = copy_of(map, i);
        if (c.half > 0)
            stamp_around(map, &c, begin, end);
    }
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, IN);
    struct map map = {.params = p,
                      .stamp = tw_floats(tw_task_input(task, STAMP)),
                      .placements = tw_task_input(task, POINTS),
                      .out = tw_floats(tw_task_output(task, OUT)),
                      .width = in->width,
                      .height = in->height,
                      .wrap = tw_task_wraps(task, p->border),
                      .task = task};
    if (!map.placements && p->points.rows == 0)
        return tw_task_fail(task, "there are no points; expected placements or rows, as in "
                                  "points: [[0.5, 0.5]]");
    memcpy(map.out, tw_floats(in), tw_value_count(in) * sizeof *map.out);
    tw_rows(task, map.height, 16, stamp_band, &map);
    tw_strength_apply(task, tw_floats(in), map.out, tw_task_input(task, MASK), map.out);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

extern const struct tw_node_type tw_node_source_stamp;
const struct tw_node_type tw_node_source_stamp = {
    .name = "source.stamp",
    .version = 1,
    .summary = "put a relief on a map, at one point or at many",
    .keywords = "brush, place, scatter, copy, paste, insert, instance, crater, hill, rocks, merge, "
                "landmark",
    .elsewhere =
        "Stamping (Hesiod), HeightField Layer (Houdini), HeightField Scatter (Houdini), Instance on Points (Blender)",
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
        "point's own size and turn go first, where it has them: every placement has a turn, and a "
        "size unless that is 0. Without any placement the map stays as it is.\n"
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
