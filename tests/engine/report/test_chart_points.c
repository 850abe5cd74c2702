/* SPDX-License-Identifier: MIT */
/* Points with names: the picture does not depend on their order, and no name covers another. */
#include "report/charts/chart.h"

#include "support/dice.h"
#include "support/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *draw(const struct tw_points *points)
{
    char *svg = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&svg, &length);
    assert_non_null(out);
    tw_chart_points(out, points);
    assert_int_equal(fclose(out), 0);
    return svg;
}

static void swap_points(struct tw_points *points, int32_t a, int32_t b)
{
    const char *name = points->names[a];
    double x = points->x[a], y = points->y[a];
    points->names[a] = points->names[b];
    points->x[a] = points->x[b];
    points->y[a] = points->y[b];
    points->names[b] = name;
    points->x[b] = x;
    points->y[b] = y;
}

/* Places of names, which begin with a 'p'. */
static int32_t find_names(const char *svg, double x[TW_POINTS_MAX], double y[TW_POINTS_MAX])
{
    int32_t count = 0;
    for (const char *at = svg; (at = strstr(at, "<text x=\"")); at++) {
        const char *text = strchr(at, '>');
        if (text[1] != 'p')
            continue;
        assert_true(count < TW_POINTS_MAX);
        assert_int_equal(sscanf(at, "<text x=\"%lf\" y=\"%lf\"", &x[count], &y[count]), 2);
        count++;
    }
    return count;
}

static void names_give_way_in_any_order(void **state)
{
    static const char *const names[] = {"pa", "pb", "pc", "pd", "pe", "pf", "pg", "ph"};
    enum { COUNT = sizeof names / sizeof *names };
    struct dice dice = {.key = 5};
    (void)state;
    for (dice.set = 0; dice.set < 60; dice.set++) {
        struct tw_points points = {.title = "t", .across = "a", .up = "u", .count = COUNT};
        double x[TW_POINTS_MAX], y[TW_POINTS_MAX];
        dice.throws = 0;
        for (int32_t i = 0; i < COUNT; i++) {
            points.names[i] = names[i];
            points.x[i] = dice_share(&dice);
            points.y[i] = 1 + 0.2 * dice_share(&dice);
        }
        char *first = draw(&points);
        for (int32_t i = COUNT - 1; i > 0; i--)
            swap_points(&points, i, dice_below(&dice, i + 1));
        char *other = draw(&points);
        assert_string_equal(other, first);
        assert_int_equal(find_names(first, x, y), COUNT);
        for (int32_t i = 0; i < COUNT; i++)
            for (int32_t k = 0; k < i; k++)
                assert_true(x[i] - x[k] >= 130 || x[k] - x[i] >= 130 || y[i] - y[k] >= 14.9 ||
                            y[k] - y[i] >= 14.9);
        free(first);
        free(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_give_way_in_any_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
