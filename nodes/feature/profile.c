/* SPDX-License-Identifier: MIT */
/* A profile of Rusnell, Mould and Eramian 2009, section 3.1: the falling cross section of a
 * feature, as points or as a drawn line. Values are pairs (x, p): x in cells from the generator,
 * p at any scale, since feature.distance stretches p over the range of costs. */
#include <thalweg/kernel.h>
#include <thalweg/node.h>

enum { OUT };
enum { LENGTH_AUTO = 0 };

struct params {
    struct tw_table points;
    struct tw_file file;
    float length;
};

enum { X, P };

static const struct tw_column columns[] = {
    {"x", 0, 0, 1e6, true, TW_UNIT_CELLS, "distance from the generator"},
    {"p", 0, -1e6, 1e6, true, TW_UNIT_NONE, "height there, falling, at any scale"},
    TW_COLUMN_END,
};

static const struct tw_param params[] = {
    TW_PARAM_TABLE(struct params, points, columns, "the falling curve, at least two points"),
    TW_PARAM_FILE_OPTIONAL(struct params, file, "a drawing instead: a dark line on light ground"),
    TW_PARAM_F32_OR(struct params, length, "auto", LENGTH_AUTO, LENGTH_AUTO, 1e-6, 1e6,
                    TW_UNIT_CELLS,
                    "stretch x to end here; auto: as given, a pixel of a drawing is a cell",
                    TW_USUAL(16, 1024)),
    TW_PARAM_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_PROFILE, 0, "pairs of x and p"},
    TW_PORT_END,
};

static struct tw_rule check_falling(const struct tw_table *points)
{
    const float *row = points->at;
    for (int32_t i = 1; i < points->rows; i++, row += 2) {
        if (row[2 + X] <= row[X])
            return TW_RULE_OF_ROW("points", i + 1, "x", "more than in the row before");
        if (row[2 + P] > row[P])
            return TW_RULE_OF_ROW("points", i + 1, "p", "at most that of the row before");
    }
    const float *first = points->at;
    return row[P] < first[P] ? TW_RULES_HOLD
                             : TW_RULE_OF_ROW("points", points->rows, "p", "less than at first");
}

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    if (p->file.name[0])
        return p->points.rows ? TW_RULE("points", "either points or file, not both")
                              : TW_RULES_HOLD;
    if (p->points.rows < 2)
        return TW_RULE("points", "at least two rows, or a file");
    return check_falling(&p->points);
}

/* Grey, or the mean of the channels: below one half it is ink. */
static bool is_ink(const struct tw_value *picture, int32_t x, int32_t y)
{
    size_t at = (size_t)y * (size_t)picture->width + (size_t)x;
    if (picture->type != TW_IMAGE)
        return tw_floats(picture)[at] < 0.5f;
    const uint8_t *rgb = tw_pixels(picture) + 3 * at;
    return rgb[0] + rgb[1] + rgb[2] < 3 * 128;
}

/* The topmost ink of every column that has some, as height above the lower edge; a pen that shakes
 * upwards is held down by the running minimum. Returns the number of pairs. */
static int32_t trace_line(const struct tw_value *picture, float *pairs)
{
    int32_t count = 0, first = 0;
    for (int32_t x = 0; x < picture->width; x++) {
        int32_t y = 0;
        while (y < picture->height && !is_ink(picture, x, y))
            y++;
        if (y == picture->height)
            continue;
        first = count ? first : x;
        float p = (float)(picture->height - 1 - y);
        pairs[2 * count + X] = (float)(x - first);
        pairs[2 * count + P] = count ? tw_min(p, pairs[2 * count - 2 + P]) : p;
        count++;
    }
    return count;
}

static enum tw_status read_drawing(struct tw_task *task, const struct tw_value *picture)
{
    const struct params *p = tw_task_params(task);
    float *pairs = tw_task_scratch(task, (size_t)picture->width * 2, sizeof *pairs);
    if (!pairs)
        return tw_task_no_memory(task);
    int32_t count = trace_line(picture, pairs);
    if (count < 2 || pairs[P] <= pairs[2 * count - 2 + P])
        return tw_task_fail_file(
            task,
            "%s shows no falling line: looked for ink (darker than half grey) on "
            "light ground and found it in %d of %d columns",
            p->file.name, (int)count, (int)picture->width);
    enum tw_status status = tw_task_list(task, OUT, count);
    if (status == TW_OK)
        memcpy(tw_task_output(task, OUT)->data, pairs, (size_t)count * 2 * sizeof *pairs);
    return status;
}

static enum tw_status read_points(struct tw_task *task, const struct tw_table *points)
{
    enum tw_status status = tw_task_list(task, OUT, points->rows);
    if (status != TW_OK)
        return status;
    memcpy(tw_task_output(task, OUT)->data, points->at,
           (size_t)points->rows * 2 * sizeof *points->at);
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *picture = tw_task_file(task);
    enum tw_status status = picture ? read_drawing(task, picture) : read_points(task, &p->points);
    if (status != TW_OK || p->length == LENGTH_AUTO)
        return status;
    const struct tw_value *out = tw_task_output(task, OUT);
    float *pairs = tw_floats(out), last = pairs[2 * out->width - 2 + X];
    for (int32_t i = 0; i < out->width; i++)
        pairs[2 * i + X] *= p->length / last;
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    f->lists[OUT] = f->file.width > 0 ? f->file.width : p->points.rows;
    if (f->file.width > 0)
        tw_forecast_scratch(f, (uint64_t)f->file.width, 2 * sizeof(float));
}

extern const struct tw_node_type tw_node_feature_profile;
const struct tw_node_type tw_node_feature_profile = {
    .name = "feature.profile",
    .version = 1,
    .summary = "the falling cross section of mountains, hills or craters",
    .keywords = "mountain shape, crater rim, falloff, cross section, hill, caldera",
    .elsewhere = "Crater (Gaea), Volcano (Gaea), Radial Gradient (World Machine)",
    .detail =
        "Gives mountains, hills or craters of feature.distance their cross section, from points "
        "or a drawing.\n"
        "Points (x, p) have x rising and p falling; level pieces count for nothing. A drawing "
        "gives the topmost ink of every column, and the running minimum of that, so that it "
        "never rises.",
    .cite = "rusnell2009",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "cliff: {type: feature.profile, points: [[0, 1], [10, 0.9], [20, 0.2], [80, 0]]}",
    .check = check,
    .run = run,
    .forecast = forecast,
};
