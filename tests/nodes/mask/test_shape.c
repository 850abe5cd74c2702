/* SPDX-License-Identifier: MIT */
#include "support/harness.h"
#include "support/kernel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, HEIGHT = 60, CELLS = WIDTH * HEIGHT };

/* The mask of a figure; `cells` has CELLS of them. */
static void draw(const char *figure, float *cells)
{
    char nodes[600];
    snprintf(nodes, sizeof nodes, "out: {type: mask.shape, %s}\n", figure);
    struct tw_result *result =
        harness_run(&(struct harness){.width = WIDTH, .height = HEIGHT, .nodes = nodes});
    memcpy(cells, tw_floats(tw_result_output(result, "out")), CELLS * sizeof *cells);
    tw_result_release(result);
}

static double soft(double t)
{
    t = fmin(fmax(t, 0), 1);
    return t * t * (3 - 2 * t);
}

typedef double distance_fn(double x, double y);

static void expect(const char *figure, distance_fn *distance, double falloff, bool inside)
{
    static float cells[CELLS];
    draw(figure, cells);
    for (int i = 0; i < CELLS; i++) {
        double d = distance((i % WIDTH + 0.5) / WIDTH, (i / WIDTH + 0.5) / WIDTH);
        double expected = falloff == 0 ? d <= 0 : soft(inside ? -d / falloff : 1 - d / falloff);
        if (fabs((double)cells[i] - expected) > 2e-5)
            fail_msg("%s: %g, not %g, at %d", figure, (double)cells[i], expected, i);
    }
}

static double circle(double x, double y) { return hypot(x - 0.4, y - 0.3) - 0.15; }

/* Without corners: the distance outside, and that to the nearest side within. */
static double box(double x, double y)
{
    double c = cos(0.5235987755982988), s = sin(0.5235987755982988);
    double u = fabs((x - 0.5) * c + (y - 0.4) * s) - 0.2;
    double v = fabs(-(x - 0.5) * s + (y - 0.4) * c) - 0.1;
    return u <= 0 && v <= 0 ? fmax(u, v) : hypot(fmax(u, 0), fmax(v, 0));
}

/* A disc rolled around a smaller box. */
static double rounded(double x, double y)
{
    double u = fmax(fabs(x - 0.5) - 0.12, 0), v = fmax(fabs(y - 0.4) - 0.07, 0);
    return u > 0 || v > 0 ? hypot(u, v) - 0.05
                          : fmax(fabs(x - 0.5) - 0.12, fabs(y - 0.4) - 0.07) - 0.05;
}

static double segment(double x, double y)
{
    double t = fmin(fmax(((x - 0.2) * 0.4 + (y - 0.2) * 0.3) / 0.25, 0), 1);
    return hypot(x - 0.2 - 0.4 * t, y - 0.2 - 0.3 * t) - 0.03;
}

static double south(double x, double y)
{
    (void)x;
    return y - 0.2;
}

static double west(double x, double y)
{
    (void)y;
    return 0.7 - x;
}

/* Sizes that a figure does not use are 0 in some, so that they bound nothing. */
static void equals_the_distances(void **state)
{
    (void)state;
    expect("x: 0.4, y: 0.3, radius: 0.15, width: 0, height: 0", circle, 0.1, false);
    expect("x: 0.4, y: 0.3, radius: 0.15, falloff: 0", circle, 0, false);
    expect("x: 0.4, y: 0.3, radius: 0.15, inside: true", circle, 0.1, true);
    expect("kind: rectangle, radius: 0, x: 0.5, y: 0.4, width: 0.4, height: 0.2, rotate: 30", box,
           0.1, false);
    expect("kind: rectangle, x: 0.5, y: 0.4, width: 0.4, height: 0.2, rotate: 30, inside: true",
           box, 0.1, true);
    expect("kind: rectangle, x: 0.5, y: 0.4, width: 0.34, height: 0.24, corner: 0.05", rounded, 0.1,
           false);
    expect("kind: line, radius: 0, height: 0, width: 0.06, points: [[0.2, 0.2], [0.6, 0.5]]",
           segment, 0.1, false);
    expect("kind: gradient, y: 0.2, falloff: 0.4", south, 0.4, false);
    expect("kind: gradient, x: 0.7, rotate: 90, falloff: 0.3", west, 0.3, false);
}

/* A rectangle as a polygon, its corners in either direction, and its edges as lines. */
static void polygons_are_rectangles(void **state)
{
    static float polygon[CELLS], rectangle[CELLS];
    static const char *const corners[] = {"[[0.3, 0.3], [0.7, 0.3], [0.7, 0.5], [0.3, 0.5]]",
                                          "[[0.7, 0.5], [0.7, 0.3], [0.3, 0.3], [0.3, 0.5]]"};
    char text[300];
    (void)state;
    for (int i = 0; i < 4; i++) {
        snprintf(text, sizeof text, "kind: polygon, points: %s, inside: %s", corners[i % 2],
                 i / 2 ? "true" : "false");
        draw(text, polygon);
        snprintf(text, sizeof text,
                 "kind: rectangle, x: 0.5, y: 0.4, width: 0.4, height: 0.2, inside: %s",
                 i / 2 ? "true" : "false");
        draw(text, rectangle);
        for (int k = 0; k < CELLS; k++)
            assert_true(fabsf(polygon[k] - rectangle[k]) < 1e-5f);
    }
}

/* A star of five points drawn in one line has a hole in its middle. */
static void polygons_are_even_odd(void **state)
{
    static float cells[CELLS];
    (void)state;
    draw("kind: polygon, falloff: 0, points: [[0.5, 0.1], [0.676, 0.643], [0.215, 0.307], "
         "[0.785, 0.307], [0.324, 0.643]]",
         cells);
    assert_true(cells[32 * WIDTH + 40] == 0); /* (0.506, 0.406) */
    assert_true(cells[12 * WIDTH + 40] == 1); /* in the upper point */
    assert_true(cells[12 * WIDTH + 20] == 0);
}

/* Centres of cells on the western and the northern edge are inside, whichever way round and
 * wherever the corners begin; 1 / 49 * 49 is not 1, so that some are not quite at distance 0. */
static void polygons_begin_with_their_edges(void **state)
{
    enum { SIDE = 64, WEST = 8, NORTH = 11, EAST = WEST + 49, SOUTH = NORTH + 49 };
    static const int columns[] = {WEST, EAST, EAST, WEST}, rows[] = {NORTH, NORTH, SOUTH, SOUTH};
    (void)state;
    for (int turn = 0; turn < 8; turn++) {
        char nodes[300] = "out: {type: mask.shape, kind: polygon, falloff: 0, points: [";
        for (int i = 0; i < 4; i++) {
            int corner = (turn < 4 ? turn + i : turn + 4 - i) % 4;
            sprintf(nodes + strlen(nodes), "%s[%.9g, %.9g]", i ? ", " : "",
                    (columns[corner] + 0.5) / SIDE, (rows[corner] + 0.5) / SIDE);
        }
        strcat(nodes, "]}\n");
        struct tw_result *result =
            harness_run(&(struct harness){.width = SIDE, .height = SIDE, .nodes = nodes});
        const float *cells = tw_floats(tw_result_output(result, "out"));
        for (int y = NORTH; y < SOUTH; y++)
            for (int x = WEST; x < EAST; x++)
                if (cells[y * SIDE + x] != 1)
                    fail_msg("%s: nothing at %d, %d", nodes, x, y);
        tw_result_release(result);
    }
}

/* On a torus a figure in the corner is the one in the middle, rolled; else the rest is cut off. */
static void goes_on_at_the_other_side(void **state)
{
    static float middle[CELLS], corner[CELLS], cut[CELLS];
    (void)state;
    draw("x: 0.5, y: 0.375, radius: 0.2, falloff: 0.25, border: wrap", middle);
    draw("x: 0, y: 0, radius: 0.2, falloff: 0.25, border: wrap", corner);
    draw("x: 0, y: 0, radius: 0.2, falloff: 0.25, border: closed", cut);
    for (int i = 0; i < CELLS; i++) {
        int x = i % WIDTH, y = i / WIDTH;
        int from = (y + HEIGHT / 2) % HEIGHT * WIDTH + (x + WIDTH / 2) % WIDTH;
        assert_true(fabsf(corner[i] - middle[from]) < 1e-5f);
        if (x < WIDTH / 2 && y < HEIGHT / 2)
            assert_true(cut[i] == corner[i]);
        if (x > 37 && y > 37)
            assert_true(cut[i] == 0);
    }
}

static void refuses_figures_that_are_none(void **state)
{
    (void)state;
    kernel_refuses("{type: mask.shape, kind: polygon, points: [[0, 0], [1, 1]]}",
                   "three rows {x, y}");
    kernel_refuses("{type: mask.shape, kind: line, points: [[0, 0]]}", "two rows {x, y}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_distances),
                                       cmocka_unit_test(polygons_are_rectangles),
                                       cmocka_unit_test(polygons_are_even_odd),
                                       cmocka_unit_test(polygons_begin_with_their_edges),
                                       cmocka_unit_test(goes_on_at_the_other_side),
                                       cmocka_unit_test(refuses_figures_that_are_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
