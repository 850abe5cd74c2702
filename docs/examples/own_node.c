/* A node type from outside the tree: studio.steps rounds heights to steps. */
#include <thalweg/pointwise.h>
#include <thalweg/thalweg.h>

#include <stdio.h>
#include <string.h>

struct params {
    int32_t steps;
};

static const struct tw_param params[] = {
    TW_PARAM_I32(struct params, steps, 8, 1, 1000, "", "steps from 0 to 1"),
    TW_PARAM_END,
};
static const struct tw_port inputs[] = {{"in", TW_HEIGHTMAP, 0, "the terrain"}, TW_PORT_END};
static const struct tw_port outputs[] = {{"out", TW_HEIGHTMAP, 0, "its steps"}, TW_PORT_END};

static TW_INLINE float round_height(const struct params *p, float height)
{
    return (float)(int32_t)(height * (float)p->steps) / (float)p->steps;
}
TW_POINTWISE_1(round_height) /* run(), on all workers, for every instruction set */

static const struct tw_node_type steps = {
    .name = "studio.steps",
    .version = 1,
    .summary = "round heights to steps",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .in_place = true,
    .reach = TW_REACH_CELL,
    .run = run,
};

static const char text[] = "thalweg: 1\n"
                           "size: 64\n"
                           "nodes:\n"
                           "  noise: {type: noise.midpoint}\n"
                           "  steps: {type: studio.steps, in: noise, steps: 4}\n"
                           "outputs: {height: steps}\n";

int main(void)
{
    static const struct tw_node_type *const types[] = {&steps, NULL};
    const struct tw_load_options load = {.types = types};
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    int levels[5] = {0};
    if (tw_recipe_parse(text, strlen(text), "steps.yaml", &load, &recipe, &error) != TW_OK ||
        tw_recipe_run(recipe, NULL, &result, &error) != TW_OK) {
        fprintf(stderr, "%s\n", error.message);
        tw_recipe_release(recipe);
        return tw_status_exit_code(error.status);
    }
    const struct tw_value *height = tw_result_output(result, "height");
    for (size_t i = 0; i < tw_value_count(height); i++)
        levels[(int)(tw_floats(height)[i] * 4)]++;
    printf("cells a step: %d %d %d %d\n", levels[0], levels[1], levels[2], levels[3] + levels[4]);
    tw_result_release(result);
    tw_recipe_release(recipe);
    return 0;
}
