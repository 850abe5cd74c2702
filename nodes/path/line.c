/* SPDX-License-Identifier: MIT */
/* Rows of a table as lines: rivers and roads drawn by hand. Smooth lines are centripetal Catmull
 * and Rom splines (Catmull and Rom 1974; Yuksel, Schaefer and Keyser 2011, section 3): knots lie
 * the square root of their distance apart, so that a line neither loops nor swings between two
 * points. Only the course is a spline; the other columns are linear between points, so that a bed
 * that falls from point to point falls everywhere. */
#include <thalweg/kernel.h>
#include <thalweg/sample.h>

struct params {
    struct tw_table points;
    int32_t interpolation, border;
};

enum { STRAIGHT, SMOOTH };
enum { GROUND };
enum { OUT };
enum { SMOOTH_CHORDS = 8, CHORDS_MAX = 1 << 20 };

/* The rows of the table in the order of its columns. */
struct row {
    float line, x, y, z, width, depth, flow;
};

static const struct tw_column columns[] = {
    {"line", 0, 0, 1e6, false, "", "rows of one number, in order, are one line"},
    {"x", 0, -16, 16, true, TW_UNIT_SIDE, "from the west; beyond 0 to 1 where borders meet"},
    {"y", 0, -16, 16, true, TW_UNIT_SIDE_SOUTH, "from the north"},
    {"z", 0, -1e6, 1e6, false, TW_UNIT_HEIGHT, "of the water or of the road"},
    {"width", 0.01, 0, 1, false, TW_UNIT_SIDE, "of the bed or of the road"},
    {"depth", 0.005, 0, 1e6, false, TW_UNIT_HEIGHT, "of the bed below z"},
    {"flow", 0, 0, 1, false, TW_UNIT_SHARE, "of the map's rain; 0 for a road"},
    TW_COLUMN_END,
};

static const struct tw_param params[] = {
    TW_PARAM_TABLE(struct params, points, columns, "points, line after line, rivers downstream"),
    TW_PARAM_ENUM(struct params, interpolation, STRAIGHT, "straight|smooth",
                  "between the points: straight, or a spline through them"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"ground", TW_HEIGHTMAP, TW_OPTIONAL, "gives z at every cell of the way, in place of the rows"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_LINES, 0, "the lines"},
    TW_PORT_END,
};

/* Writes points, or only counts them while there is no memory to write to. */
struct pen {
    struct tw_line_point *to;
    int64_t count;
    double width, height; /* of the map in cells */
    bool smooth, on_ground;
    const struct tw_value *ground; /* NULL: rows give z, or points are only counted */
    const struct tw_task *task;    /* NULL while points are only counted */
    bool wrap;
};

static bool same_place(const struct row *a, const struct row *b)
{
    return a->x == b->x && a->y == b->y;
}

static struct tw_rule check(const void *at)
{
    const struct tw_table *table = &((const struct params *)at)->points;
    const struct row *rows = (const struct row *)table->at;
    for (int32_t i = 0; i < table->rows; i++) {
        if (rows[i].line != (float)(int32_t)rows[i].line)
            return TW_RULE_OF_ROW("points", i + 1, "line", "a whole number");
        if (i && rows[i].line < rows[i - 1].line)
            return TW_RULE_OF_ROW("points", i + 1, "line", "at least the number in the row before");
    }
    return TW_RULES_HOLD;
}

static void emit(struct pen *pen, const struct row *at)
{
    if (pen->to) {
        float z = at->z;
        if (pen->ground)
            z = tw_sample(tw_floats(pen->ground), pen->ground->width, pen->ground->height,
                          (float)((double)at->x * pen->width - 0.5),
                          (float)((double)at->y * pen->height - 0.5), pen->wrap);
        pen->to[pen->count] = (struct tw_line_point){(int32_t)at->line, at->x,     at->y,   z,
                                                     at->width,         at->depth, at->flow};
    }
    pen->count++;
}

static float between(float a, float b, double t)
{
    return t == 1 ? b : (float)((double)a + ((double)b - (double)a) * t);
}

static double root_distance(const struct pen *pen, const struct row *a, const struct row *b)
{
    double dx = ((double)b->x - (double)a->x) * pen->width;
    double dy = ((double)b->y - (double)a->y) * pen->height;
    return sqrt(sqrt(dx * dx + dy * dy));
}

/* A coordinate of a span, Hermite's cubic: where it begins, its step, and the tangents. */
struct cubic {
    double from, step, m, n;
};

/* The tangents follow from the knots' distances: Barry and Goldman's pyramid at its ends. A point
 * beyond an end that rounding puts on the end itself bends nothing there. */
static struct cubic cubic_of(const double p[4], const double knot[3])
{
    double step = p[2] - p[1];
    double before = 0, after = 0;
    if (knot[0] > 0)
        before = (p[1] - p[0]) / knot[0] - (p[2] - p[0]) / (knot[0] + knot[1]);
    if (knot[2] > 0)
        after = (p[3] - p[2]) / knot[2] - (p[3] - p[1]) / (knot[1] + knot[2]);
    return (struct cubic){p[1], step, step + knot[1] * before, step + knot[1] * after};
}

static float cubic_at(const struct cubic *c, double t)
{
    double bend = 3 * c->step - 2 * c->m - c->n, twist = c->m + c->n - 2 * c->step;
    return (float)(c->from + t * (c->m + t * (bend + t * twist)));
}

/* The size of the second derivative, which is linear in t. */
static double second(const struct cubic *c, double t)
{
    double bend = 3 * c->step - 2 * c->m - c->n, twist = c->m + c->n - 2 * c->step;
    return fabs(2 * bend + 6 * twist * t);
}

static double larger(double a, double b) { return a > b ? a : b; }

/* How many chords a span takes: one per cell on the ground; else as many as keep a spline within
 * 0.05 cells, since a chord departs from it by an eighth of the second derivative. */
static int32_t chords(const struct pen *pen, const struct cubic *x, const struct cubic *y)
{
    double cells = 1;
    if (pen->on_ground)
        cells = 1 + larger(fabs(x->step) * pen->width, fabs(y->step) * pen->height);
    if (pen->smooth) {
        double bend = larger(second(x, 0), second(x, 1)) * pen->width +
                      larger(second(y, 0), second(y, 1)) * pen->height;
        cells = larger(cells, larger(SMOOTH_CHORDS, 1 + sqrt(bend / (8 * 0.05))));
    }
    return cells < CHORDS_MAX ? (int32_t)cells : CHORDS_MAX;
}

/* Draws from b to c; a and d are the points before and after. Emits all but b. */
static void draw_span(struct pen *pen, const struct row *a, const struct row *b,
                      const struct row *c, const struct row *d)
{
    const double x[] = {(double)a->x, (double)b->x, (double)c->x, (double)d->x};
    const double y[] = {(double)a->y, (double)b->y, (double)c->y, (double)d->y};
    const double knot[] = {root_distance(pen, a, b), root_distance(pen, b, c),
                           root_distance(pen, c, d)};
    const struct cubic across = cubic_of(x, knot), down = cubic_of(y, knot);
    const int32_t count = chords(pen, &across, &down);
    for (int32_t k = 1; k <= count && (pen->to || k == 1); k++) {
        double t = (double)k / (double)count;
        struct row at = {b->line,
                         pen->smooth && t < 1 ? cubic_at(&across, t) : between(b->x, c->x, t),
                         pen->smooth && t < 1 ? cubic_at(&down, t) : between(b->y, c->y, t),
                         between(b->z, c->z, t),
                         between(b->width, c->width, t),
                         between(b->depth, c->depth, t),
                         between(b->flow, c->flow, t)};
        emit(pen, &at);
    }
    pen->count += pen->to ? 0 : count - 1;
}

/* The point as far beyond b as a lies before it: an end then has no bend. */
static struct row beyond(const struct row *a, const struct row *b)
{
    struct row end = *b;
    end.x = b->x + (b->x - a->x);
    end.y = b->y + (b->y - a->y);
    return end;
}

/* The next row of the line at another place than row i, which has that step's sign; -1 at its end.
 */
static int32_t other_place(const struct tw_table *table, int32_t i, int32_t step)
{
    const struct row *rows = (const struct row *)table->at;
    for (int32_t k = i + step; k >= 0 && k < table->rows && rows[k].line == rows[i].line; k += step)
        if (!same_place(rows + k, rows + i))
            return k;
    return -1;
}

/* A smooth line that ends where it begins goes on there without a bend: returns the row beyond its
 * end, the second one, or the row before its beginning, the last but one; -1 if it is open. */
static int32_t around(const struct tw_table *table, int32_t i, int32_t step)
{
    const struct row *rows = (const struct row *)table->at;
    int32_t end = i;
    while (end - step >= 0 && end - step < table->rows && rows[end - step].line == rows[i].line)
        end -= step;
    return same_place(rows + end, rows + i) ? other_place(table, end, step) : -1;
}

static struct row neighbour(const struct tw_table *table, int32_t from, int32_t i, int32_t step)
{
    const struct row *rows = (const struct row *)table->at;
    int32_t next = other_place(table, i, step);
    if (next < 0)
        next = around(table, i, step);
    return next >= 0 ? rows[next] : beyond(rows + from, rows + i);
}

/* A row at the place of the row before it in its line is left out. */
static int64_t draw_all(struct pen *pen, const struct tw_table *table)
{
    const struct row *rows = (const struct row *)table->at;
    pen->count = 0;
    for (int32_t i = 0; i < table->rows && !(pen->task && tw_task_cancelled(pen->task)); i++) {
        bool first = !i || rows[i].line != rows[i - 1].line;
        if (first)
            emit(pen, rows + i);
        if (first || same_place(rows + i, rows + i - 1))
            continue;
        struct row a = neighbour(table, i, i - 1, -1), d = neighbour(table, i - 1, i, 1);
        draw_span(pen, &a, rows + i - 1, rows + i, &d);
    }
    return pen->count;
}

static struct pen pen_for(const struct params *p, int32_t width, int32_t height, bool on_ground)
{
    return (struct pen){.width = width,
                        .height = height,
                        .smooth = p->interpolation == SMOOTH,
                        .on_ground = on_ground};
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *ground = tw_task_input(task, GROUND);
    struct pen pen = pen_for(p, tw_task_width(task), tw_task_height(task), ground != NULL);
    int64_t count = draw_all(&pen, &p->points);
    if (count > INT32_MAX)
        return tw_task_fail(task, "the lines have %lld points on this map; expected %d at most",
                            (long long)count, INT32_MAX);
    enum tw_status status = tw_task_list(task, OUT, (int32_t)count);
    if (status != TW_OK || count == 0)
        return status;
    pen.to = tw_line_points(tw_task_output(task, OUT));
    pen.ground = ground;
    pen.task = task;
    pen.wrap = tw_task_wraps(task, p->border);
    draw_all(&pen, &p->points);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    struct pen pen = pen_for(p, f->width, f->height, f->inputs[GROUND] > 0);
    f->lists[OUT] = draw_all(&pen, &p->points);
}

extern const struct tw_node_type tw_node_path_line;
const struct tw_node_type tw_node_path_line = {
    .name = "path.line",
    .version = 1,
    .summary = "rivers and roads as lines through points",
    .keywords = "river, road, way, track, canal, spline, polyline, draw, vector, sketch",
    .elsewhere =
        "Draw (Gaea), Layout Generator (World Machine), HeightField Draw Mask (Houdini), Path "
        "(Hesiod)",
    .detail =
        "Draws rivers, roads and ditches as lines through points, for path.carve to lay into a "
        "terrain and path.meander to bend. Choose feature.curve to shape a terrain around ridges "
        "and cliffs, and feature.strokes for mountain chains.\n"
        "Rows of one number, in their order, are one line; a river's rows follow downstream. A "
        "row at the place of the one before is left out; a line may have a single point; without "
        "rows the list is empty.\n"
        "interpolation: smooth leads a centripetal Catmull-Rom spline through the points, whose "
        "knots lie the square root of their distance apart:\n"
        "    t(i + 1) = t(i) + sqrt(|p(i + 1) - p(i)|).\n"
        "It passes every point without loops or cusps in between. A line that ends where it begins "
        "is closed without a kink. Height, width, depth and flow are linear between points in both "
        "kinds.\n"
        "With `ground` the line follows that map: a point for every cell of the way, whose z is "
        "bilinear between cells. Beyond a closed border the outermost cells count.",
    .cite = "catmull1974 yuksel2011",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "river: {type: path.line, interpolation: smooth, points: [[0, 0.1, 0.2, 0.6], "
               "[0, 0.4, 0.6, 0.5], [0, 0.6, 0.4, 0.45], [0, 0.9, 0.8, 0.4]]}",
    .bordered = true,
    .check = check,
    .run = run,
    .forecast = forecast,
};
