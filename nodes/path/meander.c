/* SPDX-License-Identifier: MIT */
/* Rivers that wind: Howard and Knutson 1984, whose bends move by the weighted sum of the curvature
 * here and upstream. Deviations: R0 is the curvature in widths, cut to +-1; the curvature upstream
 * fades over two widths; the factor of the sinuosity is (length / chord)^(-2/3), as in meanderpy
 * (Sylvester and others 2019); high banks, steep reaches, ends and other rivers hold a river, which
 * is ours (Paris and others 2023 steer meanders in other ways); loops are cut off at necks. */
#include "common/true_slope.h"
#include "path/kernels/joins.h"
#include "path/kernels/migrate.h"
#include "path/kernels/necks.h"
#include "path/kernels/segments.h"

struct params {
    int32_t age;
    float rate, confine;
    struct tw_list steep;
    float noise;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_I32(struct params, age, 200, 0, 10000, "rounds", "how long the river wanders",
                 TW_USUAL(0, 600)),
    TW_PARAM_F32(struct params, rate, 0.3, 0, 1, "widths per round",
                 "how fast a bend of a radius of one width moves"),
    TW_PARAM_F32(
        struct params, confine, 3, 0, 1e6, "depths",
        "banks half as high above the water slow a bend down, one and a half times stop it",
        TW_USUAL(0.5, 10)),
    TW_PARAM_LIST(struct params, steep, "0.004 0.012", 0, 1000, "true slope",
                  "fall of the water from where on bends slow down, and where they stop",
                  TW_USUAL(0, 0.05)),
    TW_PARAM_F32(struct params, noise, 0.3, 0, 2, "widths",
                 "first shift sideways, from which bends grow"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

enum { LINES, GROUND, HOLD };
static const struct tw_port inputs[] = {
    {"lines", TW_LINES, 0, "rivers, main stems before those that join them"},
    {"ground", TW_HEIGHTMAP, TW_OPTIONAL, "whose high banks hold the river; level if not given"},
    {"hold", TW_MASK, TW_OPTIONAL, "where the river stays, as in lakes; nowhere if not given"},
    TW_PORT_END,
};

enum { OUT, OXBOWS, RECORD };
static const struct tw_port outputs[] = {
    {"out", TW_LINES, 0, "the rivers"},
    {"oxbows", TW_LINES, TW_ON_DEMAND, "loops that were cut off, one line each"},
    {"record", TW_RECORD, TW_ON_DEMAND, "length over the length before, loops, lines"},
    TW_PORT_END,
};

enum { NECK_ROUNDS = 3, NOISE_ENDS = 3 };

struct work {
    struct tw_task *task;
    const struct params *p;
    const struct tw_value *lines;
    struct tw_course course;
    struct tw_stems stems;
    struct tw_oxbows oxbows;
    struct tw_migration migration;
    double before, after; /* length of all rivers in cells */
    int32_t loops;
};

/* Points that large maps take: rivers of a cell's width from side to side, which wind. */
static int64_t likely_points(int64_t points, int32_t width, int32_t height)
{
    return 4 * points + 4 * ((int64_t)width + height);
}

static bool lay_out(struct tw_scratch *s, struct work *w)
{
    const struct params *p = tw_scratch_params(s);
    const int64_t points =
        s->forecast ? s->forecast->inputs[LINES] : tw_task_input(s->task, LINES)->width;
    const int64_t likely = likely_points(points, tw_scratch_width(s), tw_scratch_height(s));
    w->stems.wrap = tw_scratch_wraps(s, p->border);
    return tw_course_lay_out(s, likely, &w->course) && tw_stems_lay_out(s, likely, &w->stems) &&
           tw_oxbows_lay_out(s, likely / 2, &w->oxbows);
}

/* Shifts inner points sideways, each by its own random number. */
static void shake(struct work *w, int32_t line)
{
    struct tw_course *course = &w->course;
    struct tw_course_point before = course->at[0];
    for (int32_t i = 1; i + 1 < course->count; i++) {
        struct tw_course_point *p = &course->at[i], here = *p;
        double tx = p[1].x - before.x, ty = p[1].y - before.y, size = sqrt(tx * tx + ty * ty);
        struct tw_random4 random =
            tw_random(tw_task_seed(w->task), (uint32_t)line, (uint32_t)i, 0, 0);
        double u = 2 * (double)tw_uniform(random.at[0]) - 1;
        double way = (double)w->p->noise * p->width * u * tw_migration_free(&w->migration, p);
        if (i >= NOISE_ENDS && i < course->count - NOISE_ENDS && size > 0) {
            p->x -= ty / size * way;
            p->y += tx / size * way;
        }
        before = here;
    }
}

/* Lets the river wander. One that grows beyond the memory for it stops. */
static enum tw_status wander(struct work *w, int32_t line)
{
    struct tw_course *course = &w->course;
    const double half = tw_course_median_width(course) / 2, step = half > 0.5 ? half : 0.5;
    if (!tw_course_resample(course, step))
        return TW_OK;
    tw_migration_smooth(&w->migration, course);
    if (w->p->age > 0)
        shake(w, line);
    for (int32_t round = 1; round <= w->p->age; round++) {
        if (tw_task_cancelled(w->task))
            return TW_CANCELLED;
        tw_migrate(&w->migration, course);
        if (round % NECK_ROUNDS == 0)
            w->loops += tw_necks_cut(course, &w->oxbows);
        if (!tw_course_resample(course, step))
            return TW_OK;
        tw_migration_smooth(&w->migration, course);
    }
    return TW_OK;
}

static enum tw_status do_line(struct work *w, int32_t first, int32_t end)
{
    const struct tw_line_point *points = tw_line_points(w->lines) + first;
    struct tw_course *course = &w->course;
    tw_course_read(course, points, end - first, w->stems.width, w->stems.height);
    w->before += tw_course_measure(course);
    enum tw_status status = course->count > 1 ? wander(w, points->line) : TW_OK;
    for (int32_t i = 1; i < course->count; i++)
        if (course->at[i].z > course->at[i - 1].z)
            course->at[i].z = course->at[i - 1].z;
    if (status == TW_OK && course->count > 1)
        tw_stems_join(&w->stems, w->lines, first, end, course);
    w->after += tw_course_measure(course);
    if (status == TW_OK && !tw_stems_add(&w->stems, course, points->line))
        return tw_task_fail(w->task,
                            "the rivers have more than %d points; expected fewer or wider "
                            "ones",
                            w->stems.capacity);
    return status;
}

static enum tw_status do_lines(struct work *w)
{
    const struct tw_line_point *points = tw_line_points(w->lines);
    enum tw_status status = TW_OK;
    for (int32_t first = 0, end; first < w->lines->width && status == TW_OK; first = end) {
        for (end = first; end < w->lines->width && points[end].line == points[first].line; end++)
            if (tw_line_point_check(w->task, points + end) != TW_OK)
                return TW_NODE;
        status = tw_task_cancelled(w->task) ? TW_CANCELLED : do_line(w, first, end);
        tw_task_progress(w->task, (double)end / (double)w->lines->width);
    }
    return status;
}

static enum tw_status write_outputs(struct work *w)
{
    const struct tw_stems *stems = &w->stems;
    enum tw_status status = tw_task_list(w->task, OUT, stems->count);
    if (status != TW_OK)
        return status;
    for (int32_t i = 0; i < stems->count; i++)
        tw_line_points(tw_task_output(w->task, OUT))[i] =
            tw_course_point_of_line(&stems->at[i], stems->line[i], stems->width, stems->height);
    if (tw_task_wants(w->task, OXBOWS)) {
        status = tw_task_list(w->task, OXBOWS, w->oxbows.count);
        if (status == TW_OK && w->oxbows.count > 0)
            memcpy(tw_task_output(w->task, OXBOWS)->data, w->oxbows.at,
                   (size_t)w->oxbows.count * sizeof *w->oxbows.at);
    }
    if (status != TW_OK || !tw_task_wants(w->task, RECORD))
        return status;
    status = tw_task_list(w->task, RECORD, 3);
    if (status != TW_OK)
        return status;
    struct tw_value *record = tw_task_output(w->task, RECORD);
    tw_record_set(record, 0, "length", w->before > 0 ? w->after / w->before : 1);
    tw_record_set(record, 1, "loops", w->loops);
    tw_record_set(record, 2, "lines", stems->stems);
    return TW_OK;
}

static struct tw_rule check(const void *at)
{
    const struct params *p = at;
    if (p->steep.count != 2 || p->steep.at[0] >= p->steep.at[1])
        return TW_RULE("steep", "[from where bends slow down, where they stop], the second larger");
    return TW_RULES_HOLD;
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const double width = tw_task_width(task), height = tw_task_height(task);
    struct work w = {.task = task, .p = p, .lines = tw_task_input(task, LINES)};
    if (!lay_out(&(struct tw_scratch){.task = task}, &w))
        return tw_task_no_memory(task);
    tw_stems_begin(&w.stems, width, height, w.stems.wrap);
    w.oxbows.width = width;
    w.oxbows.height = height;
    w.migration = (struct tw_migration){.rate = (double)p->rate,
                                        .confine = (double)p->confine,
                                        .steep = {(double)p->steep.at[0], (double)p->steep.at[1]},
                                        .per_slope = width * tw_height_in_sides(task),
                                        .ground = tw_task_input(task, GROUND),
                                        .hold = tw_task_input(task, HOLD),
                                        .stems = &w.stems};
    enum tw_status status = do_lines(&w);
    return status == TW_OK ? write_outputs(&w) : status;
}

static void forecast(struct tw_forecast *f)
{
    struct work w;
    lay_out(&(struct tw_scratch){.forecast = f}, &w);
    const int64_t likely = likely_points(f->inputs[LINES], f->width, f->height);
    f->lists[OUT] = likely / 2;
    f->lists[OXBOWS] = likely / 4;
    f->lists[RECORD] = 3;
}

extern const struct tw_node_type tw_node_path_meander;
const struct tw_node_type tw_node_path_meander = {
    .name = "path.meander",
    .version = 1,
    .summary = "rivers wind across plains and leave oxbows behind",
    .keywords = "meandering river, river bend, oxbow lake, sinuosity, floodplain, winding, wiggle",
    .elsewhere = "PathMeanderize (Hesiod)",
    .detail =
        "Bends rivers as flowing water does: wide loops on plains, hardly any in gorges. Use it "
        "between the lines of a river and path.carve. Choose path.line with interpolation: smooth "
        "for a course that you draw yourself.\n"
        "Each river is sampled at half its median width w (at least half a cell), smoothed, and "
        "its points are shifted sideways at random by up to `noise` widths. Then, in each of `age` "
        "rounds, every point moves at right angles to the river, with the curvature k:\n"
        "    R0 = w k, at most 1;\n"
        "    R1 = (2.5 sum(R0 G) / sum(G) - R0) (length / chord)^(-2/3);\n"
        "    G = exp(-way upstream / 2 w);\n"
        "by rate w R1, at most w / 4, outward in a bend. Since the water remembers the bends "
        "upstream, loops grow and drift downstream. 80 rounds show the first bends, 160 a length "
        "of 1.3, 260 one of 2 to 3; loops are about 12 widths long.\n"
        "Bends slow down towards banks that rise by more than half of `confine` depths above the "
        "water (`ground`), where the water falls more steeply than `steep` (true slopes, by "
        "`world:`, else on a map whose height 1 measures 0.15 sides), in `hold`, in the last six "
        "widths at either end, within two cells of a closed border, and next to rivers before it "
        "in the list.\n"
        "Every third round the river is cut through where it comes within 1.2 widths of itself; "
        "the loop becomes a line of `oxbows`.\n"
        "In the end water never rises downstream. A river that reaches or crosses an earlier one "
        "ends there, on its middle and not below its water; one that joined an earlier one before "
        "goes on to its new course. So list main stems first. Lines of one point pass unchanged, "
        "an empty list stays empty, and age 0 gives the smoothed input. A round takes about 0.3 "
        "microseconds a point.",
    .cite = "howard1984 sylvester2019",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "river: {type: path.line, points: [[0, 0.05, 0.4, 0.5, 0.015], [0, 0.95, 0.6, 0.45, "
               "0.015]]}\n"
               "bends: {type: path.meander, lines: river, age: 260}",
    .random = true,
    .physical = true,
    .bordered = true,
    .check = check,
    .run = run,
    .forecast = forecast,
};
