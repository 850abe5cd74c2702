/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 32 };

/* The pixel in the middle of a plane that rises by `east` and `south` over the side. */
static void paint_plane(float east, float south, const char *options, uint8_t *pixel)
{
    static float cells[SIDE * SIDE];
    struct tw_value map = {TW_HEIGHTMAP, SIDE, SIDE, cells};
    char nodes[300];
    for (int i = 0; i < SIDE * SIDE; i++)
        cells[i] = (east * (float)(i % SIDE) + south * (float)(i / SIDE)) / SIDE;
    snprintf(nodes, sizeof nodes,
             "a: {type: test.map}\nout: {type: render.normals, in: a, exaggeration: 1%s}", options);
    harness_give(0, &map);
    struct tw_result *result =
        harness_run(&(struct harness){.width = SIDE, .height = SIDE, .nodes = nodes});
    memcpy(pixel, tw_pixels(tw_result_output(result, "out")) + 3 * (SIDE / 2 * SIDE + 9), 3);
    tw_result_release(result);
}

/* 127.5 n + 128 with n of 45 degrees: 0.70711 gives 218, -0.70711 gives 37. */
static void knows_planes_of_45_degrees(void **state)
{
    uint8_t pixel[3];
    (void)state;
    paint_plane(0, 0, "", pixel);
    assert_true(pixel[0] == 128 && pixel[1] == 128 && pixel[2] == 255);
    paint_plane(1, 0, "", pixel); /* rises to the east: the normal leans west */
    assert_true(pixel[0] == 37 && pixel[1] == 128 && pixel[2] == 218);
    paint_plane(0, 1, "", pixel); /* rises to the south: the normal leans north */
    assert_true(pixel[0] == 128 && pixel[1] == 218 && pixel[2] == 218);
    paint_plane(0, 1, ", green: south", pixel);
    assert_true(pixel[0] == 128 && pixel[1] == 37 && pixel[2] == 218);
}

static void gives_the_same_bytes_everywhere(void **state)
{
    const int32_t sizes[][2] = {{1, 1}, {1, 33}, {33, 1}, {257, 129}};
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct tw_value map = harness_terrain(sizes[i][0], sizes[i][1], 3);
        harness_give(0, &map);
        everywhere_image((struct harness){.width = map.width,
                                          .height = map.height,
                                          .nodes = "a: {type: test.map}\n"
                                                   "out: {type: render.normals, in: a}"},
                         "out");
        free(map.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(knows_planes_of_45_degrees),
                                       cmocka_unit_test(gives_the_same_bytes_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
