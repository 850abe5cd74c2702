/* Runs a recipe from memory and prints what came out. */
#include <thalweg/thalweg.h>

#include <stdio.h>
#include <string.h>

static const char text[] = "thalweg: 1\n"
                           "size: 256\n"
                           "params: {talus: 16}\n"
                           "nodes:\n"
                           "  noise:  {type: noise.midpoint, smoothed: true}\n"
                           "  eroded: {type: erosion.olsen, in: noise, talus: \"${talus}\"}\n"
                           "outputs: {height: eroded}\n";

static void show_progress(void *context, const char *node, double done)
{
    (void)context;
    printf("%3.0f %% %s\n", done * 100, node);
}

int main(void)
{
    const char *const set[] = {"talus=12", NULL};
    const struct tw_load_options load = {.set = set, .has_seed = true, .seed = 7};
    const struct tw_run_options run = {.threads = 2, .progress = show_progress};
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    int code = 0;
    if (tw_recipe_parse(text, strlen(text), "hills.yaml", &load, &recipe, &error) != TW_OK ||
        tw_recipe_run(recipe, &run, &result, &error) != TW_OK) {
        fprintf(stderr, "%s:%d:%d: %s\n", error.file, (int)error.line, (int)error.column,
                error.message);
        code = tw_status_exit_code(error.status);
    } else {
        const struct tw_value *height = tw_result_output(result, "height");
        printf("%d x %d cells, the first is %g\n", (int)height->width, (int)height->height,
               (double)tw_floats(height)[0]);
    }
    tw_result_release(result);
    tw_recipe_release(recipe);
    return code;
}
