/* SPDX-License-Identifier: MIT */
/* Volume under Coats' surface, Coats 2008, section 3: every second cell of every second row is the
 * middle of eight triangles, V = d^2/6 (8 h0 + 2 sum of the eight neighbours). The sum as printed
 * leaves out the four lateral neighbours, which would give 8/3 d^2 h instead of 4 d^2 h on even
 * ground. Reported together with the sum of heights, which he takes for the volume. */
#include <thalweg/node.h>

#include <string.h>

struct params {
    float spacing; /* d */
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, spacing, 1, 1e-6, 1e6, "length", "d: distance of two cells",
                 TW_USUAL(0.1, 100)),
    TW_PARAM_END,
};

enum { IN, BEFORE };
static const struct tw_port inputs[] = {
    {"in", TW_HEIGHTMAP, 0, "the terrain"},
    {"before", TW_HEIGHTMAP, TW_OPTIONAL, "what it was before, to report the change"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_RECORD, 0, "volume and sum; volume_change and sum_change where `before` is given"},
    TW_PORT_END,
};

struct totals {
    double volume, sum; /* in d^2 */
};

struct rows {
    const float *in, *before; /* before may be NULL */
    int32_t width, height;
    struct totals *now, *change; /* of each row */
};

/* Heights, or their changes where `minus` is given. */
static double height_at(const float *cells, const float *minus, size_t i)
{
    return minus ? (double)cells[i] - (double)minus[i] : (double)cells[i];
}

/* Row y and the squares below it. A square of four cells is cut into two triangles from the middle
 * cell, the one with odd x and y, to the opposite corner: these two count in both. */
static struct totals row_totals(const struct rows *r, const float *minus, int32_t y)
{
    size_t w = (size_t)r->width, row = (size_t)y * w;
    struct totals totals = {0};
    for (size_t x = 0; x < w; x++)
        totals.sum += height_at(r->in, minus, row + x);
    for (size_t x = 0; y + 1 < r->height && x + 1 < w; x++) {
        double falling =
            height_at(r->in, minus, row + x) + height_at(r->in, minus, row + w + x + 1);
        double rising = height_at(r->in, minus, row + x + 1) + height_at(r->in, minus, row + w + x);
        bool middle_falling = (x % 2 == 1) == (y % 2 == 1);
        totals.volume += middle_falling ? 2 * falling + rising : falling + 2 * rising;
    }
    totals.volume /= 6;
    return totals;
}

static void measure_rows(void *context, int32_t begin, int32_t end)
{
    const struct rows *r = context;
    for (int32_t y = begin; y < end; y++) {
        r->now[y] = row_totals(r, NULL, y);
        if (r->before)
            r->change[y] = row_totals(r, r->before, y);
    }
}

static void put(struct tw_value *record, int *at, const char *name, double number)
{
    struct tw_entry *entry = &tw_entries(record)[(*at)++];
    strncpy(entry->name, name, sizeof entry->name - 1);
    entry->number = number;
}

static struct totals total(const struct totals *rows, int32_t count)
{
    struct totals all = {0};
    for (int32_t y = 0; y < count; y++) {
        all.volume += rows[y].volume;
        all.sum += rows[y].sum;
    }
    return all;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *before = tw_task_input(task, BEFORE);
    struct rows rows = {tw_floats(tw_task_input(task, IN)),
                        before ? tw_floats(before) : NULL,
                        tw_task_width(task),
                        tw_task_height(task),
                        NULL,
                        NULL};
    rows.now = tw_task_scratch(task, 2 * (size_t)rows.height, sizeof *rows.now);
    if (!rows.now)
        return tw_task_no_memory(task);
    rows.change = rows.now + rows.height;
    tw_rows(task, rows.height, 16, measure_rows, &rows);
    enum tw_status status = tw_task_list(task, OUT, before ? 4 : 2);
    if (status != TW_OK)
        return status;
    double square = (double)p->spacing * (double)p->spacing;
    struct totals now = total(rows.now, rows.height);
    int at = 0;
    put(tw_task_output(task, OUT), &at, "volume", square * now.volume);
    put(tw_task_output(task, OUT), &at, "sum", square * now.sum);
    if (before) {
        struct totals change = total(rows.change, rows.height);
        put(tw_task_output(task, OUT), &at, "volume_change", square * change.volume);
        put(tw_task_output(task, OUT), &at, "sum_change", square * change.sum);
    }
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    struct rows rows;
    tw_forecast_scratch(f, 2 * (uint64_t)f->height, sizeof *rows.now);
}

extern const struct tw_node_type tw_node_measure_volume;
const struct tw_node_type tw_node_measure_volume = {
    .name = "measure.volume",
    .version = 1,
    .summary = "volume of a terrain under a surface of triangles",
    .keywords = "cut and fill, earthwork, mass, cubic metres",
    .elsewhere = "r.volume (GRASS)",
    .detail =
        "Measures the volume of a terrain under a surface of triangles, as Coats does. Choose "
        "measure.statistics for the plain sum.\n"
        "`volume` is what lies under triangles around every cell with odd x and y, with d = "
        "spacing; at the border only the triangles that exist count:\n"
        "    V = d^2/6 (8 h0 + 2 sum of the eight neighbours).\n"
        "It spans (width - 1)(height - 1) d^2, so a single row or column has none.\n"
        "`sum` is d^2 times the sum of heights. It changes as the volume does on average over a "
        "map: a cell weighs 4/3 where its coordinates are both odd or both even, else 2/3, and "
        "half or a quarter of that on the border.",
    .cite = "coats2008",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "rained: {type: erosion.raindrops, in: noise, drops: 20000}\n"
               "volume: {type: measure.volume, in: rained, before: noise}",
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
};
