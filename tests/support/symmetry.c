/* SPDX-License-Identifier: MIT */
#include "support/symmetry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 37 };

struct tw_value symmetry_run(const struct tw_value *map, const char *node, const char *port)
{
    char nodes[500], outputs[100];
    struct tw_value copy = {TW_HEIGHTMAP, map->width, map->height, NULL};
    harness_give(0, map);
    snprintf(nodes, sizeof nodes, "in: {type: test.map}\nout: {%s}\n", node);
    snprintf(outputs, sizeof outputs, "chosen: out.%s\n", port);
    struct tw_result *result = harness_run(&(struct harness){
        .width = map->width, .height = map->height, .nodes = nodes, .outputs = outputs});
    const struct tw_value *out = tw_result_output(result, "chosen");
    size_t count = tw_value_count(out);
    copy.data = malloc(count * sizeof(float));
    assert_non_null(copy.data);
    for (size_t i = 0; i < count; i++)
        tw_floats(&copy)[i] = out->type == TW_LABELS ? (float)tw_labels(out)[i] : tw_floats(out)[i];
    tw_result_release(result);
    return copy;
}

/* Symmetry 0 to 7 of a square map. */
static void apply_symmetry(const float *from, int way, float *to)
{
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            int column = way & 1 ? SIDE - 1 - x : x, row = way & 2 ? SIDE - 1 - y : y;
            to[y * SIDE + x] = from[way & 4 ? column * SIDE + row : row * SIDE + column];
        }
}

void symmetry_turns(const char *node, const char *port, double tolerance, int exceptions)
{
    static float cells[SIDE * SIDE], expected[SIDE * SIDE];
    struct tw_value map = harness_terrain(SIDE, SIDE, 5), plain = symmetry_run(&map, node, port);
    struct tw_value turned = {TW_HEIGHTMAP, SIDE, SIDE, cells};
    for (int way = 1; way < 8; way++) {
        apply_symmetry(tw_floats(&map), way, cells);
        apply_symmetry(tw_floats(&plain), way, expected);
        struct tw_value out = symmetry_run(&turned, node, port);
        int wrong = 0;
        for (int i = 0; i < SIDE * SIDE; i++)
            wrong += !(fabs((double)tw_floats(&out)[i] - (double)expected[i]) <= tolerance);
        if (wrong > exceptions)
            fail_msg("%s: %d cells of turn %d differ", node, wrong, way);
        free(out.data);
    }
    free(plain.data);
    free(map.data);
}

void symmetry_rolls(const char *node, const char *port, double tolerance)
{
    static float cells[SIDE * SIDE];
    struct tw_value map = harness_terrain(SIDE, SIDE, 6), plain = symmetry_run(&map, node, port);
    struct tw_value rolled = {TW_HEIGHTMAP, SIDE, SIDE, cells};
    for (int i = 0; i < SIDE * SIDE; i++)
        cells[i] = tw_floats(&map)[(i / SIDE + 30) % SIDE * SIDE + (i % SIDE + 11) % SIDE];
    struct tw_value out = symmetry_run(&rolled, node, port);
    for (int i = 0; i < SIDE * SIDE; i++)
        cells[i] = tw_floats(&plain)[(i / SIDE + 30) % SIDE * SIDE + (i % SIDE + 11) % SIDE];
    for (int i = 0; i < SIDE * SIDE; i++)
        if (!(fabs((double)tw_floats(&out)[i] - (double)cells[i]) <= tolerance))
            fail_msg("%s: %g, not %g", node, (double)tw_floats(&out)[i], (double)cells[i]);
    free(out.data);
    free(plain.data);
    free(map.data);
}

void symmetry_reaches(const char *type, const char *port)
{
    static const char *const radii[] = {"0.03", "0.0301"};
    struct tw_value map = harness_terrain(100, 40, 3), found[2];
    for (int i = 0; i < 2; i++) {
        char node[200];
        snprintf(node, sizeof node, "type: %s, in: in, radius: %s", type, radii[i]);
        found[i] = symmetry_run(&map, node, port);
    }
    harness_same(&found[0], tw_floats(&found[1]));
    for (int i = 0; i < 2; i++)
        free(found[i].data);
    free(map.data);
}
