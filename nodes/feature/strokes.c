/* SPDX-License-Identifier: MIT */
/* Ridges and rims as strokes, Rusnell, Mould and Eramian 2009, Figure 1: polylines of control
 * points, or a painted picture whose colours are features and whose brightness is the cost. Every
 * cell under a stroke becomes a generator. */
#include "feature/kernels/stroke_colour.h"

#include <thalweg/kernel.h>
#include <thalweg/node.h>

struct params {
    struct tw_table strokes;
    struct tw_file file;
    int32_t line, hues, profile;
    struct tw_list cost, profiles;
};

enum { OUT, INSIDE };
enum { STRAIGHT, SMOOTH };
enum { PROFILE_AUTO = -1 };
enum { STROKE, X, Y, COST, RADIUS, PROFILE };
enum { CHORDS = 16, CIRCLE_CHORDS = 96, COLOUR_MIN = 32 };

static const struct tw_column columns[] = {
    {"stroke", 0, 0, 1e6, true, "", "rows of one number are one stroke and one feature"},
    {"x", 0, 0, 1, true, TW_UNIT_SIDE, "from the west"},
    {"y", 0, 0, 1, true, TW_UNIT_SIDE_SOUTH, "from the north"},
    {"cost", 0, 0, 1e6, false, "cost", "linear between the points; a small cost is high"},
    {"radius", 0, 0, 1, false, TW_UNIT_SIDE,
     "of a stroke of a single row: a circle; a share of the width"},
    {"profile", 0, -1, 63, false, "", "of the stroke, from its first row"},
    TW_COLUMN_END,
};

static const struct tw_param params[] = {
    TW_PARAM_TABLE(struct params, strokes, columns, "control points, stroke after stroke"),
    TW_PARAM_FILE_OPTIONAL(struct params, file, "a painted picture instead: colours on grey"),
    TW_PARAM_ENUM(struct params, line, STRAIGHT, "straight|smooth", "between the control points"),
    TW_PARAM_I32(struct params, hues, 12, 1, 360, "hues",
                 "features that a picture tells apart: sectors of the colour circle"),
    TW_PARAM_I32_OR(struct params, profile, "auto", PROFILE_AUTO, PROFILE_AUTO, 0, 63, "",
                    "of all strokes instead of their rows'; auto: as the rows say"),
    TW_PARAM_LIST(struct params, cost, "0 50", 0, 1e6, "cost",
                  "of a picture: what brightness 0 and 1 cost", TW_USUAL(0, 100)),
    TW_PARAM_LIST(struct params, profiles, "0", -1, 63, "",
                  "of a picture: the profile of each hue from red on; the last is for all others",
                  TW_USUAL(-1, 8)),
    TW_PARAM_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_POINTS, 0, "generators for feature.distance, one a cell"},
    {"inside", TW_LABELS, 0, "stroke + 1 within closed strokes, the last one drawn; else 0"},
    TW_PORT_END,
};

/* Writes points, or only counts them while there is no memory to write to. */
struct pen {
    struct tw_point *to;
    int32_t count, width, height;
    int32_t profile;        /* instead of the rows', or PROFILE_AUTO */
    int32_t last_x, last_y; /* cell drawn last in this stroke */
    uint8_t *crossings;     /* width + 1 a row: where an outline is crossed; NULL to draw */
};

struct place {
    float x, y, cost; /* x, y in cells */
};

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    if (p->cost.count != 2)
        return TW_RULE("cost", "[of brightness 0, of brightness 1]");
    if (p->profiles.count < 1)
        return TW_RULE("profiles", "at least one number");
    if (p->file.name[0])
        return p->strokes.rows ? TW_RULE("strokes", "either strokes or file, not both")
                               : TW_RULES_HOLD;
    return p->strokes.rows ? TW_RULES_HOLD : TW_RULE("strokes", "at least one row, or a file");
}

static void dot(struct pen *pen, float x, float y, float cost, int32_t feature, int32_t profile)
{
    int32_t column = tw_clamp_index(tw_floor(x), pen->width);
    int32_t row = tw_clamp_index(tw_floor(y), pen->height);
    if (column == pen->last_x && row == pen->last_y)
        return;
    pen->last_x = column;
    pen->last_y = row;
    if (pen->to)
        pen->to[pen->count] =
            (struct tw_point){((float)column + 0.5f) / (float)pen->width,
                              ((float)row + 0.5f) / (float)pen->height, cost, feature, profile};
    pen->count++;
}

/* Steps of at most a cell on both axes, so the cells touch each other. */
static void draw_chord(struct pen *pen, struct place a, struct place b, const float *head)
{
    float dx = b.x - a.x, dy = b.y - a.y;
    int32_t profile = pen->profile != PROFILE_AUTO ? pen->profile : (int32_t)head[PROFILE];
    int32_t steps = tw_floor(tw_max(fabsf(dx), fabsf(dy))) + 1;
    for (int32_t i = 0; i <= steps; i++) {
        float t = (float)i / (float)steps;
        dot(pen, a.x + dx * t, a.y + dy * t, a.cost + (b.cost - a.cost) * t, (int32_t)head[STROKE],
            profile);
    }
}

/* Marks, in every row whose centre line the chord crosses, the first cell east of it. */
static void cross_chord(struct pen *pen, struct place a, struct place b)
{
    if (a.y > b.y) {
        struct place swap = a;
        a = b;
        b = swap;
    }
    for (int32_t y = tw_clamp_index(tw_floor(a.y - 1), pen->height); y < pen->height; y++) {
        float centre = (float)y + 0.5f;
        if (centre >= b.y)
            return;
        if (centre < a.y)
            continue;
        float x = a.x + (b.x - a.x) * (centre - a.y) / (b.y - a.y);
        int32_t cell = tw_floor(x + 0.5f);
        cell = cell < 0 ? 0 : cell > pen->width ? pen->width : cell;
        pen->crossings[(size_t)y * (size_t)(pen->width + 1) + (size_t)cell] ^= 1;
    }
}

static void chord(struct pen *pen, struct place a, struct place b, const float *head)
{
    if (pen->crossings)
        cross_chord(pen, a, b);
    else
        draw_chord(pen, a, b, head);
}

static struct place knot(const struct pen *pen, const float *row)
{
    return (struct place){row[X] * (float)pen->width, row[Y] * (float)pen->height, row[COST]};
}

/* Catmull and Rom's cubic through b and c. */
static float cubic(float a, float b, float c, float d, float t)
{
    float m = 0.5f * (c - a), n = 0.5f * (d - b);
    return b + t * (m + t * (3 * (c - b) - 2 * m - n + t * (2 * (b - c) + m + n)));
}

/* A run of rows that is one stroke. */
struct stroke {
    const float *rows;
    int32_t count, columns;
    bool closed; /* ends where it begins */
};

static const float *row_of(const struct stroke *stroke, int32_t i)
{
    int32_t last = stroke->count - 1;
    i = stroke->closed ? tw_wrap(i, last) : tw_clamp_index(i, last + 1);
    return stroke->rows + (size_t)i * (size_t)stroke->columns;
}

/* A radius is a share of the map's width, so that it is a circle on any map. */
static void draw_circle(struct pen *pen, const float *row)
{
    struct place centre = knot(pen, row), last = {0};
    for (int32_t i = 0; i <= CIRCLE_CHORDS; i++) {
        double angle = 360.0 * (double)(i % CIRCLE_CHORDS) / CIRCLE_CHORDS;
        float across = row[RADIUS] * (float)tw_sin_degrees(angle);
        float along = row[RADIUS] * (float)tw_cos_degrees(angle);
        struct place here = {centre.x + across * (float)pen->width,
                             centre.y - along * (float)pen->width, row[COST]};
        if (i)
            chord(pen, last, here, row);
        last = here;
    }
}

static void draw_stroke(struct pen *pen, const struct stroke *stroke, bool smooth)
{
    if (stroke->count == 1 && stroke->rows[RADIUS] > 0)
        draw_circle(pen, stroke->rows);
    else if (stroke->count == 1)
        chord(pen, knot(pen, stroke->rows), knot(pen, stroke->rows), stroke->rows);
    for (int32_t i = 0; i + 1 < stroke->count; i++) {
        struct place a = knot(pen, row_of(stroke, i - 1)), b = knot(pen, row_of(stroke, i));
        struct place c = knot(pen, row_of(stroke, i + 1)), d = knot(pen, row_of(stroke, i + 2));
        struct place last = b;
        for (int32_t k = 1; k <= CHORDS && smooth; k++) {
            float t = (float)k / CHORDS;
            struct place here = {cubic(a.x, b.x, c.x, d.x, t), cubic(a.y, b.y, c.y, d.y, t),
                                 b.cost + (c.cost - b.cost) * t};
            chord(pen, last, here, stroke->rows);
            last = here;
        }
        if (!smooth)
            chord(pen, b, c, stroke->rows);
    }
}

/* The stroke that begins at row `first`: equal numbers in a row. */
static struct stroke stroke_at(const struct tw_table *table, int32_t first)
{
    const float *rows = table->at + (size_t)first * (size_t)table->columns, *last = rows;
    struct stroke stroke = {rows, 1, table->columns, false};
    while (first + stroke.count < table->rows && last[table->columns + STROKE] == rows[STROKE]) {
        last += table->columns;
        stroke.count++;
    }
    stroke.closed = stroke.count > 3 && rows[X] == last[X] && rows[Y] == last[Y];
    return stroke;
}

static int32_t draw_all(struct pen *pen, const struct params *p)
{
    struct stroke stroke;
    for (int32_t i = 0; i < p->strokes.rows; i += stroke.count) {
        stroke = stroke_at(&p->strokes, i);
        pen->last_x = pen->last_y = -1;
        draw_stroke(pen, &stroke, p->line == SMOOTH);
    }
    return pen->count;
}

/* Even-odd rule at cell centres. */
static enum tw_status fill_inside(struct tw_task *task, const struct params *p)
{
    struct tw_value *inside = tw_task_output(task, INSIDE);
    int32_t width = inside->width, height = inside->height;
    size_t stride = (size_t)width + 1, cells = stride * (size_t)height;
    memset(inside->data, 0, tw_value_count(inside) * sizeof(int32_t));
    struct stroke stroke;
    struct pen pen = {.width = width, .height = height, .crossings = NULL};
    for (int32_t i = 0; i < p->strokes.rows; i += stroke.count) {
        stroke = stroke_at(&p->strokes, i);
        if (!stroke.closed && (stroke.count > 1 || stroke.rows[RADIUS] <= 0))
            continue;
        if (!pen.crossings && !(pen.crossings = tw_task_scratch(task, cells, 1)))
            return tw_task_no_memory(task);
        memset(pen.crossings, 0, cells);
        draw_stroke(&pen, &stroke, p->line == SMOOTH);
        for (int32_t y = 0; y < height; y++) {
            const uint8_t *crossings = pen.crossings + (size_t)y * stride;
            int32_t *row = tw_labels(inside) + (size_t)y * (size_t)width;
            uint8_t odd = 0;
            for (int32_t x = 0; x < width; x++)
                if ((odd ^= crossings[x]))
                    row[x] = (int32_t)stroke.rows[STROKE] + 1;
        }
    }
    return TW_OK;
}

/* Cells under coloured pixels. */
static int32_t read_colours(struct pen *pen, const struct params *p, const struct tw_value *picture)
{
    for (int32_t y = 0; y < pen->height; y++)
        for (int32_t x = 0; x < pen->width; x++) {
            struct tw_stroke_colour colour =
                tw_stroke_colour_under(picture, pen->width, pen->height, x, y);
            if (colour.strength < COLOUR_MIN)
                continue;
            int32_t hue = (colour.hue * p->hues + 180) / 360 % p->hues;
            int32_t entry = hue < p->profiles.count ? hue : p->profiles.count - 1;
            float share = (float)colour.brightness / 255.0f;
            dot(pen, (float)x, (float)y, p->cost.at[0] + share * (p->cost.at[1] - p->cost.at[0]),
                hue, (int32_t)p->profiles.at[entry]);
        }
    return pen->count;
}

static int32_t write_points(struct pen *pen, const struct params *p, const struct tw_value *picture)
{
    pen->count = 0;
    pen->last_x = pen->last_y = -1;
    return picture ? read_colours(pen, p, picture) : draw_all(pen, p);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *picture = tw_task_file(task);
    struct pen pen = {
        .width = tw_task_width(task), .height = tw_task_height(task), .profile = p->profile};
    int32_t count = write_points(&pen, p, picture);
    if (!count)
        return tw_task_fail_file(
            task,
            "%s has no strokes: looked for coloured pixels, whose red, green and "
            "blue differ by %d or more of 255",
            p->file.name, COLOUR_MIN);
    enum tw_status status = tw_task_list(task, OUT, count);
    if (status != TW_OK)
        return status;
    pen.to = tw_points(tw_task_output(task, OUT));
    write_points(&pen, p, picture);
    return fill_inside(task, p);
}

static enum tw_status check_file(const void *at, const struct tw_file_facts *file, int32_t width,
                                 int32_t height, struct tw_error *err)
{
    (void)width, (void)height;
    if (file->type == TW_IMAGE)
        return TW_OK;
    return tw_error_set(err, TW_INPUT, "%s is grey; strokes are painted in colours",
                        ((const struct params *)at)->file.name);
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    /* A painted stroke covers areas; a drawn one is as long as the map, or a circle around it. */
    int64_t cells = (int64_t)f->width * f->height, side = (int64_t)f->width + f->height;
    int64_t drawn = p->strokes.rows * side;
    bool closed = false;
    struct stroke stroke;
    for (int32_t i = 0; i < p->strokes.rows; i += stroke.count) {
        stroke = stroke_at(&p->strokes, i);
        closed |= stroke.closed || (stroke.count == 1 && stroke.rows[RADIUS] > 0);
    }
    if (closed)
        tw_forecast_scratch(f, ((uint64_t)f->width + 1) * (uint64_t)f->height, 1); /* crossings */
    f->lists[OUT] = f->file.width > 0 ? cells / 4 : drawn < cells ? drawn : cells;
}

extern const struct tw_node_type tw_node_feature_strokes;
const struct tw_node_type tw_node_feature_strokes = {
    .name = "feature.strokes",
    .version = 2,
    .summary = "generators along drawn or painted strokes",
    .keywords = "paint, draw, mountain range, brush, polyline, ridge line",
    .elsewhere = "Draw (Gaea), Layout Generator (World Machine), HeightField Paint (Houdini), Path "
                 "(Hesiod)",
    .detail = "Makes generators along drawn or painted strokes: mountain chains, coasts, craters. "
              "Choose feature.points for single peaks, and feature.edges for the outlines in a "
              "picture.\n"
              "Cells under a polyline become generators; cost is linear between control points. A "
              "stroke that ends where it begins is closed, and `inside` labels its cells (even-odd "
              "rule at cell centres). A single row with a radius is a circle. Smooth lines are "
              "Catmull-Rom cubics.\n"
              "In a picture, hue sectors are features, brightness is the cost, and grey is ground.",
    .cite = "rusnell2009",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "ridge: {type: feature.strokes, strokes: [[0, 0.1, 0.2, 5], [0, 0.5, 0.4, 20], [0, "
               "0.9, 0.3, 5]], line: smooth}",
    .check = check,
    .run = run,
    .check_file = check_file,
    .forecast = forecast,
};
