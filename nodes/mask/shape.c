/* SPDX-License-Identifier: MIT */
/* A figure as a mask, by the signed distance d to its outline, inside negative: Hart 1996. */
#include "mask/kernels/band.h"

enum { CIRCLE, RECTANGLE, POLYGON, LINE, GRADIENT };
enum { X, Y, COLUMNS };

struct params {
    int32_t kind;
    float x, y;
    float radius;
    float width, height, corner;
    float rotate;
    struct tw_table points;
    float falloff;
    bool inside;
    int32_t border;
};

static const struct tw_column columns[] = {
    {"x", 0, -100, 100, true, TW_UNIT_SIDE, "to the east"},
    {"y", 0, -100, 100, true, TW_UNIT_SIDE, "to the south"},
    TW_COLUMN_END,
};

static const struct tw_param params[] = {
    TW_PARAM_ENUM(struct params, kind, CIRCLE, "circle|rectangle|polygon|line|gradient",
                  "the figure"),
    TW_PARAM_F32(struct params, x, 0.5, -100, 100, TW_UNIT_SIDE,
                 "centre of a circle or rectangle, or where a gradient begins; to the east",
                 TW_USUAL(0, 1)),
    TW_PARAM_F32(struct params, y, 0.5, -100, 100, TW_UNIT_SIDE, "the same to the south",
                 TW_USUAL(0, 1)),
    TW_PARAM_F32(struct params, radius, 0.25, 0, 100, TW_UNIT_SIDE, "of a circle", TW_USUAL(0, 1)),
    TW_PARAM_F32(struct params, width, 0.5, 0, 100, TW_UNIT_SIDE, "of a rectangle or a line",
                 TW_USUAL(0, 1)),
    TW_PARAM_F32(struct params, height, 0.5, 0, 100, TW_UNIT_SIDE, "of a rectangle",
                 TW_USUAL(0, 1)),
    TW_PARAM_F32(struct params, corner, 0, 0, 100, TW_UNIT_SIDE,
                 "radius of a rectangle's corners, at most half its shorter side",
                 TW_USUAL(0, 0.5)),
    TW_PARAM_F32(struct params, rotate, 0, -360, 360, TW_UNIT_DEGREES,
                 "of a rectangle, and where a gradient falls to: clockwise, 0 is south"),
    TW_PARAM_TABLE(struct params, points, columns, "corners of a polygon, or of a line"),
    TW_PARAM_F32(struct params, falloff, 0.1, 0, 100, TW_UNIT_SIDE,
                 "over what distance the mask falls to 0; 0 makes it sharp", TW_USUAL(0, 0.5)),
    TW_PARAM_BOOL(struct params, inside, 0, "it falls inwards from the outline, else outwards"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_MASK, 0, "1 in the figure, 0 far from it"},
    TW_PORT_END,
};

struct map {
    struct params params;
    float *out;
    int32_t width, top;
    double cell, side_y; /* in map sides: a cell, the map's height */
    double east, south;  /* unit vector of the rotation */
    double half_x, half_y;
    double west, north, east_end, south_end; /* beyond them the mask is 0 */
    bool wrap;
};

static double absolute(double v) { return v < 0 ? -v : v; }
static double greater(double a, double b) { return a > b ? a : b; }
static double lesser(double a, double b) { return a < b ? a : b; }

/* The part of a rectangle's outline nearest to (x, y): corners are arcs. */
static double to_rectangle(const struct map *map, double x, double y)
{
    double corner = lesser((double)map->params.corner, lesser(map->half_x, map->half_y));
    double across = x * map->south + y * -map->east, down = x * map->east + y * map->south;
    double qx = absolute(across) - map->half_x + corner;
    double qy = absolute(down) - map->half_y + corner;
    double ox = greater(qx, 0), oy = greater(qy, 0);
    return sqrt(ox * ox + oy * oy) + lesser(greater(qx, qy), 0) - corner;
}

static double square_to_segment(const float *a, const float *b, double x, double y)
{
    double ex = (double)b[X] - (double)a[X], ey = (double)b[Y] - (double)a[Y];
    double px = x - (double)a[X], py = y - (double)a[Y], square = ex * ex + ey * ey;
    double t = square > 0 ? (px * ex + py * ey) / square : 0;
    t = lesser(greater(t, 0), 1);
    px -= t * ex;
    py -= t * ey;
    return px * px + py * py;
}

/* The nearest of the segments from `first` on, each from point i to i + 1, the last to point 0. */
static double to_segments(const struct tw_table *points, int32_t segments, double x, double y)
{
    double least = 1e300;
    for (int32_t i = 0; i < segments; i++) {
        const float *a = points->at + (size_t)i * COLUMNS;
        const float *b = points->at + (size_t)((i + 1) % points->rows) * COLUMNS;
        least = lesser(least, square_to_segment(a, b, x, y));
    }
    return sqrt(least);
}

/* Even-odd: an edge counts where it crosses the level of y, to the east of x. */
static bool is_inside(const struct tw_table *points, double x, double y)
{
    bool inside = false;
    for (int32_t i = 0; i < points->rows; i++) {
        const float *a = points->at + (size_t)i * COLUMNS;
        const float *b = points->at + (size_t)((i + 1) % points->rows) * COLUMNS;
        double ay = (double)a[Y], by = (double)b[Y];
        if ((ay <= y) == (by <= y))
            continue;
        double cross = ((double)b[X] - (double)a[X]) * (y - ay) - (x - (double)a[X]) * (by - ay);
        inside ^= by > ay ? cross > 0 : cross < 0;
    }
    return inside;
}

static double signed_distance(const struct map *map, double x, double y)
{
    const struct params *p = &map->params;
    double dx = x - (double)p->x, dy = y - (double)p->y, distance;
    switch (p->kind) {
    case CIRCLE:
        return sqrt(dx * dx + dy * dy) - (double)p->radius;
    case RECTANGLE:
        return to_rectangle(map, dx, dy);
    case POLYGON:
        distance = to_segments(&p->points, p->points.rows, x, y);
        return is_inside(&p->points, x, y) ? -distance : distance;
    case LINE:
        return to_segments(&p->points, p->points.rows - 1, x, y) - 0.5 * (double)p->width;
    default:
        return dx * map->east + dy * map->south;
    }
}

/* The box around the figure, over the falloff. */
static void bound(struct map *map)
{
    const struct params *p = &map->params;
    double x = (double)p->x, y = (double)p->y;
    double reach = p->kind == GRADIENT ? 1e9
                   : p->kind == CIRCLE ? (double)p->radius
                                       : map->half_x + map->half_y;
    map->west = map->east_end = x;
    map->north = map->south_end = y;
    if (p->kind == POLYGON || p->kind == LINE) {
        reach = p->kind == LINE ? map->half_x : 0;
        map->west = map->north = 1e9;
        map->east_end = map->south_end = -1e9;
        for (int32_t i = 0; i < p->points.rows; i++) {
            const float *at = p->points.at + (size_t)i * COLUMNS;
            map->west = lesser(map->west, (double)at[X]);
            map->east_end = greater(map->east_end, (double)at[X]);
            map->north = lesser(map->north, (double)at[Y]);
            map->south_end = greater(map->south_end, (double)at[Y]);
        }
    }
    reach += (double)p->falloff;
    map->west -= reach;
    map->north -= reach;
    map->east_end += reach;
    map->south_end += reach;
}

/* On a torus the nearest of the figure's copies on the maps around. */
static double nearest(const struct map *map, double x, double y)
{
    double least = 1e300;
    int32_t around = map->wrap ? 1 : 0;
    for (int32_t j = -around; j <= around; j++)
        for (int32_t i = -around; i <= around; i++) {
            double at_x = x + i, at_y = y + j * map->side_y;
            if (at_x >= map->west && at_x <= map->east_end && at_y >= map->north &&
                at_y <= map->south_end)
                least = lesser(least, signed_distance(map, at_x, at_y));
        }
    return least;
}

static float mask_of(const struct params *p, double d)
{
    double t = p->inside ? -d : (double)p->falloff - d;
    if (p->falloff <= 0)
        return d <= 0 ? 1.0f : 0.0f;
    t /= (double)p->falloff;
    return tw_smoothstep((float)lesser(greater(t, 0), 1));
}

static void draw_rows(void *context, int32_t begin, int32_t end)
{
    const struct map *map = context;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < map->width; x++) {
            double d = nearest(map, ((double)x + 0.5) * map->cell,
                               ((double)(map->top + y) + 0.5) * map->cell);
            map->out[(size_t)y * (size_t)map->width + (size_t)x] = mask_of(&map->params, d);
        }
}

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    if (p->kind == POLYGON && p->points.rows < 3)
        return TW_RULE("points", "at least three rows {x, y} for a polygon");
    return p->kind == LINE && p->points.rows < 2
               ? TW_RULE("points", "at least two rows {x, y} for a line")
               : TW_RULES_HOLD;
}

static bool wraps(const void *at, int32_t width, int32_t height)
{
    (void)width, (void)height;
    return ((const struct params *)at)->kind != GRADIENT;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    int32_t width = tw_task_width(task), height = tw_task_map_height(task);
    struct map map = {.params = *p,
                      .out = tw_floats(tw_task_output(task, OUT)),
                      .width = width,
                      .top = tw_task_top(task),
                      .cell = 1 / (double)width,
                      .side_y = (double)height / width,
                      .east = -tw_sin_degrees((double)p->rotate),
                      .south = tw_cos_degrees((double)p->rotate),
                      .half_x = 0.5 * (double)p->width,
                      .half_y = 0.5 * (double)p->height,
                      .wrap = tw_task_wraps(task, p->border) && p->kind != GRADIENT};
    bound(&map);
    tw_rows(task, tw_task_height(task), 8, draw_rows, &map);
    return TW_OK;
}

extern const struct tw_node_type tw_node_mask_shape;
const struct tw_node_type tw_node_mask_shape = {
    .name = "mask.shape",
    .version = 1,
    .summary = "a circle, rectangle, polygon, line or gradient as a mask",
    .keywords = "circle, square, gradient, polygon, vignette, radial, island falloff, draw",
    .elsewhere =
        "Shape (Gaea), LinearGradient (Gaea), RadialGradient (Gaea), Gradient (World Machine), "
        "Radial Gradient (World Machine), HeightField Draw Mask (Houdini), Gradient Texture "
        "(Blender)",
    .detail =
        "Draws a circle, rectangle, polygon, line or gradient as a mask, to say where on the map "
        "something happens. Choose source.image for a mask painted elsewhere.\n"
        "d is the distance to the outline, below 0 inside. With t cut to 0..1:\n"
        "    out = 3 t^2 - 2 t^3;\n"
        "    t = 1 - d / falloff, or with inside t = -d / falloff.\n"
        "With falloff 0, out is 1 where d <= 0. A line covers what lies within width / 2 of the "
        "segments through its points; a polygon is filled by the even-odd rule. For a gradient d "
        "grows along a straight line, and out falls from 1 at (x, y) to 0 at falloff beyond.\n"
        "Positions are in map sides from the north-west corner, both in units of the map's "
        "width. On a torus figures go on at the other side; a gradient does not.",
    .cite = "hart1996",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "island: {type: mask.shape, kind: polygon, falloff: 0.15, border: closed,\n"
               "  points: [[0.3, 0.35], [0.6, 0.25], [0.75, 0.5], [0.55, 0.7], [0.3, 0.6]]}",
    .bordered = true,
    .reach = TW_REACH_CELL,
    .check = check,
    .run = run,
    .wraps = wraps,
};
