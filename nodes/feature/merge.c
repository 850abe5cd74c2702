/* SPDX-License-Identifier: MIT */
/* Several lists of generators as one. Features of later lists are numbered after those of earlier
 * ones, so that two lists never share a feature by accident. */
#include <thalweg/node.h>

enum { OUT };

struct params {
    bool renumber;
};

static const struct tw_param params[] = {
    TW_PARAM_BOOL(struct params, renumber, true,
                  "number the features of each list after those of the lists before"),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"generators", TW_POINTS, TW_VARIADIC, "the lists"},
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    {"out", TW_POINTS, 0, "all points, list after list"},
    TW_PORT_END,
};

/* The first number above all features of a list whose numbers begin at `shift`. */
static int64_t number_above(const struct tw_value *list, int64_t shift)
{
    int64_t next = shift;
    for (int32_t i = 0; i < list->width; i++) {
        int64_t feature = shift + tw_points(list)[i].feature;
        next = feature >= next ? feature + 1 : next;
    }
    return next;
}

static void append(struct tw_point *to, const struct tw_value *list, int32_t shift)
{
    for (int32_t i = 0; i < list->width; i++) {
        to[i] = tw_points(list)[i];
        to[i].feature += shift;
    }
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    int lists = tw_task_input_count(task);
    int64_t count = 0;
    for (int i = 0; i < lists; i++)
        count += tw_task_input(task, i)->width;
    if (count == 0 || count > INT32_MAX)
        return tw_task_fail(task, "generators holds %lld points; it needs 1 to %d",
                            (long long)count, INT32_MAX);
    enum tw_status status = tw_task_list(task, OUT, (int32_t)count);
    if (status != TW_OK)
        return status;
    struct tw_point *to = tw_points(tw_task_output(task, OUT));
    int64_t shift = 0;
    for (int i = 0; i < lists; i++) {
        const struct tw_value *list = tw_task_input(task, i);
        int64_t next = number_above(list, shift);
        if (next > INT32_MAX)
            return tw_task_fail(task,
                                "list %d has features numbered up to %lld; expected %d at most: "
                                "merge lists with smaller numbers, or say renumber: false",
                                i + 1, (long long)next - 1, INT32_MAX - 1);
        append(to, list, (int32_t)shift);
        shift = p->renumber ? next : 0;
        to += list->width;
    }
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    for (int i = 0; i < f->input_count; i++)
        f->lists[OUT] += f->inputs[i];
}

extern const struct tw_node_type tw_node_feature_merge;
const struct tw_node_type tw_node_feature_merge = {
    .name = "feature.merge",
    .version = 1,
    .summary = "several lists of generators as one",
    .keywords = "collect, join lists, gather",
    .elsewhere = "Merge (Houdini)",
    .detail =
        "Joins several lists of generators, so that one feature.distance grows them together.\n"
        "Feature f of a list becomes f plus the first number above those of the lists before; "
        "profiles do not change.",
    .cite = "rusnell2009",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "peaks: {type: feature.points, count: 5}\nhills: {type: feature.points, count: 20, "
               "cost: [20, 40]}\nboth: {type: feature.merge, generators: [peaks, hills]}",
    .run = run,
    .forecast = forecast,
};
