/* SPDX-License-Identifier: MIT */
/* Values that several threads look at: of the numbers that are not finite the first is named,
 * whoever meets it. */
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 1024, HEIGHT = 203, CELLS = WIDTH * HEIGHT, POINTS = 150001 };

static int32_t holes[2]; /* elements */
static bool in_points;

static enum tw_status run(struct tw_task *task)
{
    float *map = tw_floats(tw_task_output(task, 0));
    enum tw_status status = tw_task_list(task, 1, POINTS);
    if (status != TW_OK)
        return status;
    memset(map, 0, CELLS * sizeof *map);
    for (int i = 0; i < 2; i++)
        *(in_points ? &tw_points(tw_task_output(task, 1))[holes[i]].cost : &map[holes[i]]) = NAN;
    return TW_OK;
}

static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "map"}, {"points", TW_POINTS, 0, "list"}, TW_PORT_END};
static const struct tw_node_type type = {
    .name = "test.holes", .version = 1, .summary = "has holes", .outputs = outputs, .run = run};
static const struct tw_node_type *const types[] = {&type, NULL};

static void expect(int32_t threads, const char *message)
{
    static const char text[] = "thalweg: 1\nsize: [1024, 203]\nnodes: {n: {type: test.holes}}\n"
                               "outputs: {out: n, points: n.points}\n";
    const struct tw_load_options load = {.types = types};
    const struct tw_run_options options = {.threads = threads};
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    assert_int_equal(tw_recipe_parse(text, strlen(text), "t.yaml", &load, &recipe, &error), TW_OK);
    assert_int_equal(tw_recipe_run(recipe, &options, &result, &error), TW_NODE);
    assert_string_equal(error.message, message);
    tw_recipe_release(recipe);
}

/* Every two of: the ends, and the elements around where pieces and the ranges of threads end. */
static void try_pairs(const int32_t *places, int count)
{
    static const int32_t threads[] = {1, 2, 3, 8};
    char message[100];
    for (int a = 0; a < count; a++)
        for (int b = a; b < count; b++) {
            holes[0] = places[a];
            holes[1] = places[b];
            if (in_points)
                snprintf(message, sizeof message, "output 'points' is not finite in element %d",
                         (int)places[a]);
            else
                snprintf(message, sizeof message, "output 'out' is not finite at x %d, y %d",
                         (int)places[a] % WIDTH, (int)places[a] / WIDTH);
            for (int t = 0; t < 4; t++)
                expect(threads[t], message);
        }
}

static void the_first_cell_is_named(void **state)
{
    const int32_t places[] = {0, 4095, 4096, 65535, 65536, 131071, 131072, 196608, CELLS - 1};
    (void)state;
    in_points = false;
    try_pairs(places, sizeof places / sizeof *places);
}

static void the_first_element_is_named(void **state)
{
    const int32_t places[] = {0, 4096, 65535, 65536, 131072, POINTS - 1};
    (void)state;
    in_points = true;
    try_pairs(places, sizeof places / sizeof *places);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_cell_is_named),
        cmocka_unit_test(the_first_element_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
