/* SPDX-License-Identifier: MIT */
/* Materials by their masks, a colour each: what a game paints with a splat map. */
#include <thalweg/kernel.h>
#include <thalweg/node.h>

enum { RED, GREEN, BLUE, COLUMNS };
static const struct tw_column columns[] = {
    {"red", 0, 0, 255, true, "", "0 to 255"},
    {"green", 0, 0, 255, true, "", "0 to 255"},
    {"blue", 0, 0, 255, true, "", "0 to 255"},
    TW_COLUMN_END,
};

struct params {
    struct tw_table colours;
};

/* Without colours given: apart from each other, as grounds are. */
enum { OWN_COLOURS = 8 };
static const float own_colours[OWN_COLOURS * COLUMNS] = {
    98,  124, 62,  /* grass */
    112, 104, 98,  /* rock */
    214, 190, 138, /* sand */
    244, 246, 250, /* snow */
    116, 82,  54,  /* earth */
    40,  66,  40,  /* forest */
    52,  102, 140, /* water */
    168, 88,  58,  /* clay */
};

static const struct tw_param params[] = {
    TW_PARAM_TABLE(struct params, colours, columns,
                   "of each mask, in their order; without: grass, rock, sand, snow, earth, "
                   "forest, water and clay"),
    TW_PARAM_END,
};

enum { MASKS };
static const struct tw_port inputs[] = {
    {"masks", TW_MASK, TW_VARIADIC, "how much of each material"},
    TW_PORT_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_IMAGE, 0, "the colours, mixed by the masks' shares"},
    TW_PORT_END,
};

struct job {
    const struct tw_table *colours;
    const float **masks;
    int32_t count;
    size_t width;
    uint8_t *to;
};

static void work_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    for (size_t i = (size_t)begin * job->width; i < (size_t)end * job->width; i++) {
        float sum = 0, mixed[COLUMNS] = {0};
        for (int32_t m = 0; m < job->count; m++) {
            float share = tw_clamp(job->masks[m][i], 0.0f, 1.0f);
            sum += share;
            for (int c = 0; c < COLUMNS; c++)
                mixed[c] += share * job->colours->at[COLUMNS * m + c];
        }
        for (int c = 0; c < COLUMNS; c++) {
            float level = sum > 0 ? mixed[c] / sum : job->colours->at[c];
            job->to[COLUMNS * i + (size_t)c] = (uint8_t)(tw_min(level, 255.0f) + 0.5f);
        }
    }
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const struct tw_table own = {OWN_COLOURS, COLUMNS, own_colours};
    struct job job = {.colours = p->colours.rows > 0 ? &p->colours : &own,
                      .count = tw_task_input_count(task) - MASKS,
                      .width = (size_t)tw_task_width(task),
                      .to = tw_pixels(tw_task_output(task, OUT))};
    if (p->colours.rows == 0 && job.count > OWN_COLOURS)
        return tw_task_fail(task, "%d masks; expected colours, or at most %d masks", (int)job.count,
                            OWN_COLOURS);
    if (p->colours.rows > 0 && job.count != p->colours.rows)
        return tw_task_fail(task, "%d masks and %d colours: expected a colour for each mask",
                            (int)job.count, (int)p->colours.rows);
    job.masks = tw_task_scratch(task, (size_t)job.count, sizeof *job.masks);
    if (!job.masks)
        return tw_task_no_memory(task);
    for (int32_t m = 0; m < job.count; m++)
        job.masks[m] = tw_floats(tw_task_input(task, MASKS + m));
    tw_rows(task, tw_task_height(task), 16, work_rows, &job);
    return TW_OK;
}

static void forecast(struct tw_forecast *f)
{
    tw_forecast_scratch(f, (uint64_t)(f->input_count - MASKS), sizeof(float *));
}

extern const struct tw_node_type tw_node_render_splat;
const struct tw_node_type tw_node_render_splat = {
    .name = "render.splat",
    .version = 2,
    .summary = "a colour for each of several masks, mixed by their shares",
    .keywords = "texture, materials, weight map, ground colours, layers, albedo, snow, grass, rock",
    .elsewhere = "Splat (Gaea), HeightField Quick Shade (Houdini)",
    .detail =
        "Gives each of several masks a colour and mixes them by their shares, such as grass, "
        "rock and snow. Choose render.colour for one map and a ramp. As the input `image` of a "
        "view the picture is the ground.\n"
        "With each mask cut to 0..1, as sRGB bytes:\n"
        "    out = sum of mask x colour over the sum of the masks.\n"
        "Where all masks are 0 the first colour shows, as in an exported splat map (several "
        "masks in one .png). Such a file is for programs: its fourth mask is alpha, so viewers "
        "show almost nothing of it. An export {from: [grass, rock, snow], as: splat} is the "
        "picture to look at.",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: noise.perlin, frequency: 3}\n"
               "steep: {type: mask.slope, in: land, low: 3, softness: 1}\n"
               "high: {type: mask.height, in: land, low: 0.6, softness: 0.05}\n"
               "grass: {type: shape.invert, in: steep}\n"
               "out: {type: render.splat, masks: [grass, steep, high], "
               "colours: [[92, 118, 68], [122, 112, 104], [240, 242, 245]]}",
    .reach = TW_REACH_CELL,
    .run = run,
    .forecast = forecast,
};
