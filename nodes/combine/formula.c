/* SPDX-License-Identifier: MIT */
/* One line of arithmetic over up to eight maps and the place of the cell: what chains of combine
 * and shape nodes do, without the maps between them. Computed in double and rounded once; every
 * operation is defined for every number, so that no cell is infinite or no number at all. */
#include "combine/kernels/formula_chunks.h"

#include <float.h>

struct params {
    struct tw_formula formula;
};

static const struct tw_param params[] = {
    TW_PARAM_FORMULA(struct params, formula, "the value of a cell, as in \"max(a, 2 * b - 0.5)\""),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    {"a", TW_HEIGHTMAP, TW_OPTIONAL | TW_KEEPS_TYPE, "what the formula calls a"},
    {"b", TW_HEIGHTMAP, TW_OPTIONAL | TW_KEEPS_TYPE, "what it calls b"},
    {"c", TW_HEIGHTMAP, TW_OPTIONAL | TW_KEEPS_TYPE, "what it calls c"},
    {"d", TW_HEIGHTMAP, TW_OPTIONAL | TW_KEEPS_TYPE, "what it calls d"},
    {"e", TW_HEIGHTMAP, TW_OPTIONAL | TW_KEEPS_TYPE, "what it calls e"},
    {"f", TW_HEIGHTMAP, TW_OPTIONAL | TW_KEEPS_TYPE, "what it calls f"},
    {"g", TW_HEIGHTMAP, TW_OPTIONAL | TW_KEEPS_TYPE, "what it calls g"},
    {"h", TW_HEIGHTMAP, TW_OPTIONAL | TW_KEEPS_TYPE, "what it calls h"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, TW_KEEPS_TYPE, "the formula's value in every cell"},
    TW_PORT_END,
};

struct job {
    const struct tw_formula_plan *plan;
    enum tw_simd simd;
    const float *in[TW_FORMULA_INPUTS_MAX];
    float *out;
    struct tw_formula_rows rows;
    double low, high; /* of a mask, else of all floats */
};

static void work_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    size_t width = (size_t)job->rows.width;
    tw_formula_plan_run(job->plan, job->simd, &job->rows, job->in, job->out, (size_t)begin * width,
                        (size_t)end * width, job->low, job->high);
}

/* A formula over x and y need not meet itself at the opposite border. */
static bool wraps(const void *at, int32_t width, int32_t height)
{
    const struct params *p = at;
    (void)width, (void)height;
    return !tw_formula_reads_place(&p->formula);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_formula_plan *plan = tw_task_scratch(task, 1, sizeof *plan);
    if (!plan)
        return tw_task_no_memory(task);
    const struct tw_value *out = tw_task_output(task, OUT);
    bool is_mask = out->type == TW_MASK;
    struct job job = {.plan = plan,
                      .simd = tw_task_simd(task),
                      .out = tw_floats(out),
                      .rows = {out->width, tw_task_map_height(task), tw_task_top(task)},
                      .low = is_mask ? 0 : -(double)FLT_MAX,
                      .high = is_mask ? 1 : (double)FLT_MAX};
    tw_formula_plan_build(&p->formula, job.simd, plan);
    for (int i = 0; i < TW_FORMULA_INPUTS_MAX; i++) {
        const struct tw_value *input = tw_task_input(task, i);
        job.in[i] = input ? tw_floats(input) : NULL;
    }
    tw_rows(task, tw_task_height(task), 16, work_rows, &job);
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    tw_forecast_scratch(f, 1, sizeof(struct tw_formula_plan));
}

extern const struct tw_node_type tw_node_combine_formula;
const struct tw_node_type tw_node_combine_formula = {
    .name = "combine.formula",
    .version = 2,
    .summary = "a formula over up to eight maps and the place of the cell",
    .keywords = "expression, equation, calculator, arithmetic, raster calculator, script",
    .elsewhere =
        "Math (Gaea), HeightField Wrangle (Houdini), Math (Blender), r.mapcalc (GRASS), Raster "
        "Calculator (QGIS)",
    .detail =
        "Computes a formula over up to eight maps, where one node takes the place of a chain of "
        "combine and shape nodes. Choose the single nodes where the recipe should read by "
        "itself.\n"
        "Operators, from the tightest: a^b, from the right; -a and !a; * and /; + and -; < <= > "
        ">= == and !=, which give 1 or 0 and do not chain; && and ||, for which all but 0 is "
        "true; c ? a : b, of which both sides are computed. -a^2 is -(a^2).\n"
        "Functions: min and max of two or more, abs, sqrt, exp, ln, floor, round (halves away "
        "from 0), sin and cos of radians, atan2(y, x) in radians, pow(a, b), clamp(v, low, high), and three more:\n"
        "    mix(a, b, share) = (1 - share) a + share b;\n"
        "    step(edge, v) = v < edge ? 0 : 1;\n"
        "    smooth(from, to, v) = 3 t^2 - 2 t^3 with t = clamp((v - from) / (to - from), 0, 1).\n"
        "With from above to, smooth goes from 1 down to 0, and smooth(a, a, v) is step(a, v).\n"
        "Names are the inputs a to h, then parameters of the recipe, seed, width and height, then x "
        "and y, the place of the cell's centre:\n"
        "    x = (column + 1/2) / width, y = (row + 1/2) / height.\n"
        "Inside ${...} there are only parameters. A text parameter may hold the whole formula: "
        "\"${name}\".\n"
        "Every cell is a finite number: x / 0 is 0; sqrt of less than 0 and ln of 0 or less are "
        "0, as is atan2(0, 0); 0^0 is 1 and 0^b is 0; a negative a^b is 0 where b is not whole, and of whole "
        "numbers a^b is whole; exp takes -700 to 700, sin and cos 2^30 either way; what "
        "overflows becomes the largest number.\n"
        "The formula is computed in double and rounded once at the end; a literal ^2, ^3 or ^4 "
        "multiplies. Of masks alone the result is a mask, cut to 0..1; without any input it is a "
        "heightmap. A formula over x or y counts as a map whose opposite borders do not meet, so "
        "a recipe with one is closed unless it says `borders: wrap`.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "hills: {type: noise.perlin}\n"
               "ridges: {type: noise.ridged}\n"
               "land: {type: combine.formula, a: hills, b: ridges, "
               "formula: \"mix(0.5 * a, b, smooth(0.45, 0.6, a))\"}",
    .in_place = true,
    .reach = TW_REACH_CELL,
    .run = run,
    .wraps = wraps,
    .forecast = forecast,
};
