/* SPDX-License-Identifier: MIT */
/* Generators where a picture changes, Rusnell, Mould and Eramian 2009, section 5: "intensity edges
 * of an input image provide terrain features". Sobel's gradient, thinned across the edge; cells
 * that touch are one feature. */
#include <thalweg/gradient.h>

enum { IN };
enum { OUT };

struct params {
    float threshold;
    int32_t min_cells;
    struct tw_list cost;
    int32_t profile;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, threshold, 0.05, 0, 1, "intensity per cell",
                 "least gradient of an edge; a sharp step from 0 to 1 has 0.5"),
    TW_PARAM_I32(struct params, min_cells, 4, 1, 1000000, TW_UNIT_CELLS,
                 "shorter edges are left out", TW_USUAL(1, 50)),
    TW_PARAM_LIST(struct params, cost, "0 20", 0, 1e6, "cost",
                  "of generators where the picture is [white, black]", TW_USUAL(0, 100)),
    TW_PARAM_I32_OR(struct params, profile, "none", -1, 0, 0, 63, "",
                    "place in the list of profiles"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"in", TW_MASK, 0, "the picture"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_POINTS, 0, "generators for feature.distance, one a cell"},
    TW_PORT_END,
};

static struct tw_rule check(const void *at)
{
    return ((const struct params *)at)->cost.count == 2 ? TW_RULES_HOLD
                                                        : TW_RULE("cost", "[white, black]");
}

/* What a cell is before edges are numbered, or when its edge is too short. */
enum { EDGE = -1, GROUND = -2, SHORT_EDGE = -3 };

struct picture {
    const float *in;
    float *gradient, *across; /* per cell: length, and 0..3 for the direction of steepest change */
    int32_t width, height;
    float threshold;
};

static float pixel(const struct picture *p, const float *of, int32_t x, int32_t y)
{
    x = tw_clamp_index(x, p->width);
    y = tw_clamp_index(y, p->height);
    return of[(size_t)y * (size_t)p->width + (size_t)x];
}

/* Which of four directions is nearest to that of steepest change. */
static float direction_of(struct tw_gradient g)
{
    float flat = fabsf(g.dx), upright = fabsf(g.dy), tan_22_5 = 0.41421356f;
    if (upright <= tan_22_5 * flat)
        return 0.0f;
    if (flat <= tan_22_5 * upright)
        return 2.0f;
    return g.dx * g.dy > 0 ? 1.0f : 3.0f;
}

static void gradient_rows(void *context, int32_t begin, int32_t end)
{
    const struct picture *p = context;
    for (int32_t y = begin; y < end; y++) {
        struct tw_stencil_row rows = tw_stencil_row_at(p->in, p->width, p->height, y, false);
        for (int32_t x = 0; x < p->width; x++) {
            struct tw_around around = tw_stencil_around(&rows, x);
            struct tw_gradient g = tw_gradient_horn(&around, 1);
            size_t cell = (size_t)y * (size_t)p->width + (size_t)x;
            p->gradient[cell] = tw_gradient_length(g);
            p->across[cell] = direction_of(g);
        }
    }
}

/* A crest of the gradient: not lower than before it and higher than behind it, across the edge. */
static bool is_edge(const struct picture *p, int32_t x, int32_t y)
{
    static const int8_t step[4][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}};
    size_t cell = (size_t)y * (size_t)p->width + (size_t)x;
    float here = p->gradient[cell];
    const int8_t *s = step[(int)p->across[cell]];
    return here > 0 && here >= p->threshold && here >= pixel(p, p->gradient, x - s[0], y - s[1]) &&
           here > pixel(p, p->gradient, x + s[0], y + s[1]);
}

/* Numbers the 8-connected cells that are EDGE in `labels`, in reading order from 0, and returns how
 * many cells are in edges of min_cells or more. Shorter ones become SHORT_EDGE. */
static int32_t number_edges(const struct picture *p, int32_t min_cells, int32_t *labels,
                            int32_t *stack)
{
    int32_t next = 0, total = 0, cells = p->width * p->height;
    for (int32_t start = 0; start < cells; start++) {
        int32_t begin = 0, end = 0;
        if (labels[start] != EDGE)
            continue;
        stack[end++] = start;
        labels[start] = next;
        while (begin < end) {
            int32_t x = stack[begin] % p->width, y = stack[begin] / p->width;
            begin++;
            for (int32_t k = 0; k < 9; k++) {
                int32_t u = x + k % 3 - 1, v = y + k / 3 - 1;
                if (u < 0 || v < 0 || u >= p->width || v >= p->height)
                    continue;
                if (labels[v * p->width + u] != EDGE)
                    continue;
                labels[v * p->width + u] = next;
                stack[end++] = v * p->width + u;
            }
        }
        for (int32_t i = 0; i < end && end < min_cells; i++)
            labels[stack[i]] = SHORT_EDGE;
        next += end >= min_cells;
        total += end >= min_cells ? end : 0;
    }
    return total;
}

static enum tw_status fail_empty(struct tw_task *task, const struct picture *p)
{
    float steepest = 0;
    for (int32_t i = 0; i < p->width * p->height; i++)
        steepest = tw_max(steepest, p->gradient[i]);
    return tw_task_fail(task,
                        "the picture has no edges: looked for %d cells or more in a row with a "
                        "gradient of threshold %g or more; the steepest is %g",
                        (int)((const struct params *)tw_task_params(task))->min_cells,
                        (double)p->threshold, (double)steepest);
}

static enum tw_status write_points(struct tw_task *task, const struct picture *picture,
                                   const int32_t *labels, int32_t count)
{
    const struct params *p = tw_task_params(task);
    enum tw_status status = tw_task_list(task, OUT, count);
    if (status != TW_OK)
        return status;
    struct tw_point *to = tw_points(tw_task_output(task, OUT));
    for (int32_t i = 0; i < picture->width * picture->height; i++) {
        if (labels[i] < 0)
            continue;
        int32_t x = i % picture->width, y = i / picture->width;
        float light = tw_clamp(picture->in[i], 0, 1);
        *to++ = (struct tw_point){
            ((float)x + 0.5f) / (float)picture->width, ((float)y + 0.5f) / (float)picture->height,
            p->cost.at[1] + light * (p->cost.at[0] - p->cost.at[1]), labels[i], p->profile};
    }
    return TW_OK;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, IN);
    size_t cells = tw_value_count(in);
    struct picture picture = {.in = tw_floats(in),
                              .gradient = tw_task_scratch(task, cells, sizeof(float)),
                              .across = tw_task_scratch(task, cells, sizeof(float)),
                              .width = in->width,
                              .height = in->height,
                              .threshold = p->threshold};
    int32_t *labels = tw_task_scratch(task, cells, sizeof *labels);
    int32_t *stack = tw_task_scratch(task, cells, sizeof *stack);
    if (!picture.gradient || !picture.across || !labels || !stack)
        return tw_task_no_memory(task);
    tw_rows(task, in->height, 16, gradient_rows, &picture);
    for (int32_t y = 0; y < in->height; y++)
        for (int32_t x = 0; x < in->width; x++)
            labels[(size_t)y * (size_t)in->width + (size_t)x] =
                is_edge(&picture, x, y) ? EDGE : GROUND;
    int32_t count = number_edges(&picture, p->min_cells, labels, stack);
    return count ? write_points(task, &picture, labels, count) : fail_empty(task, &picture);
}

static void forecast(struct tw_forecast *f)
{
    enum { CELLS_PER_POINT = 8 }; /* crests in a detailed picture */
    tw_forecast_maps(f, 2, sizeof(float) + sizeof(int32_t));
    f->lists[OUT] = (int64_t)f->width * f->height / CELLS_PER_POINT;
}

extern const struct tw_node_type tw_node_feature_edges;
const struct tw_node_type tw_node_feature_edges = {
    .name = "feature.edges",
    .version = 3,
    .summary = "generators along the intensity edges of a picture",
    .keywords = "edge detection, outlines, picture to terrain, Sobel, image trace",
    .detail =
        "Makes generators along the intensity edges of a picture, such as the outlines of a "
        "sketch. Choose feature.strokes for painted lines, and feature.points for single peaks.\n"
        "A cell belongs to an edge where its Sobel gradient (divided by 8) reaches the threshold "
        "and is a crest across the edge. 8-connected cells are one feature, numbered in reading "
        "order.\n"
        "Beyond the border the picture goes straight on:\n"
        "    z(-k) = 2 z(0) - z(k).",
    .cite = "rusnell2009",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "half: {type: voronoi.cells}\nsteps: {type: voronoi.domain, domain: half.domain, "
               "values: binary}\nedges: {type: feature.edges, in: steps, threshold: 0.2}",
    .reach = TW_REACH_ALL,
    .check = check,
    .run = run,
    .forecast = forecast,
};
