/* Feeds an array of the program to a recipe, and prints what comes back. */
#include <thalweg/thalweg.h>

#include <stdio.h>
#include <string.h>

enum { SIDE = 128 };

static const char text[] =
    "thalweg: 1\n"
    "inputs: {ground: heightmap}\n"
    "params:\n"
    "  talus: {default: 4, min: 0, max: 64, about: steepest slope that stays}\n"
    "nodes:\n"
    "  worn:  {type: erosion.thermal, in: ground, talus: \"${talus}\"}\n"
    "  facts: {type: measure.statistics, in: worn}\n"
    "outputs: {height: worn, facts: facts}\n";

static volatile int stop; /* a signal handler or another thread may set it */

static void show_interface(const struct tw_recipe *recipe)
{
    struct tw_recipe_port port;
    struct tw_recipe_param param;
    for (int i = 0; tw_recipe_input(recipe, i, &port); i++)
        printf("takes %s: %s, %d x %d\n", port.name, tw_type_name(port.type), (int)port.width,
               (int)port.height);
    for (int i = 0; tw_recipe_param(recipe, i, &param); i++)
        printf("takes %s: %g to %g, %s\n", param.name, param.min, param.max, param.about);
    for (int i = 0; tw_recipe_output(recipe, i, &port); i++)
        printf("gives %s: %s\n", port.name, tw_type_name(port.type));
}

/* A pyramid of this height, fed to the recipe and worn down. */
static enum tw_status wear_pyramid(struct tw_recipe *recipe, float height, struct tw_error *error)
{
    static float cells[SIDE * SIDE]; /* row 0 is north; tw_recipe_feed() copies them */
    const struct tw_value ground = {TW_HEIGHTMAP, SIDE, SIDE, cells};
    const struct tw_run_options run = {.cancel = &stop};
    struct tw_result *result = NULL;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            int dx = x < SIDE / 2 ? x : SIDE - x, dy = y < SIDE / 2 ? y : SIDE - y;
            cells[y * SIDE + x] = height * (float)(dx < dy ? dx : dy) / (SIDE / 2);
        }
    enum tw_status status = tw_recipe_feed(recipe, "ground", &ground, error);
    if (status == TW_OK)
        status = tw_recipe_run(recipe, &run, &result, error);
    if (status != TW_OK)
        return status;
    const struct tw_value *worn = tw_result_output(result, "height");
    const double *greatest = tw_record_find(tw_result_output(result, "facts"), "max");
    printf("%g high: %g in the middle, %g at most\n", (double)height,
           (double)tw_floats(worn)[SIDE / 2 * worn->width + SIDE / 2], *greatest);
    tw_result_release(result); /* and with it `worn` and `greatest` */
    return TW_OK;
}

int main(void)
{
    const struct tw_load_options load = {.width = SIDE, .height = SIDE, .feeds = true};
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    enum tw_status status =
        tw_recipe_parse(text, strlen(text), "pyramid.yaml", &load, &recipe, &error);
    if (status == TW_OK) {
        show_interface(recipe);
        status = wear_pyramid(recipe, 1, &error);
    }
    if (status == TW_OK)
        status = wear_pyramid(recipe, 4, &error);
    if (status != TW_OK)
        fprintf(stderr, "%s:%d:%d: %s\n%s\n", error.file, (int)error.line, (int)error.column,
                error.message, error.hint);
    tw_recipe_release(recipe);
    return tw_status_exit_code(status);
}
