/* SPDX-License-Identifier: MIT */
/* A graph is drawn inside its picture, whatever its edges pass by. */
#include "report/chart_graph.h"

#include "support/harness.h"

#include <stdlib.h>
#include <string.h>

struct box {
    double width, height;
};

static void expect_inside(struct box box, double x, double y, const char *what)
{
    if (!(x >= 0 && x <= box.width && y >= 0 && y <= box.height))
        fail_msg("%.40s: %g, %g is beyond %g x %g", what, x, y, box.width, box.height);
}

static double number_after(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    assert_non_null(at);
    return strtod(at + strlen(name), NULL);
}

/* Absolute places of a path: M and C take pairs, H an x. */
static void check_path(struct box box, const char *path)
{
    char *at = strstr(path, " d=\"") + 4;
    double x = 0, y = 0;
    while (*at != '"') {
        char action = *at;
        if (strchr("MCH", action))
            at++;
        else if (*at != ' ')
            return; /* the arrow's head goes on from there */
        x = strtod(at, &at);
        if (action != 'H')
            y = strtod(at, &at);
        expect_inside(box, x, y, path);
    }
}

static int check_picture(const char *svg)
{
    struct box box;
    int shapes = 0;
    assert_int_equal(
        sscanf(strstr(svg, "viewBox"), "viewBox=\"0 0 %lf %lf\"", &box.width, &box.height), 2);
    for (const char *at = svg; (at = strstr(at, "<rect")); at++, shapes++) {
        double x = number_after(at, " x=\""), y = number_after(at, " y=\"");
        expect_inside(box, x, y, at);
        expect_inside(box, x + number_after(at, " width=\""), y + number_after(at, " height=\""),
                      at);
    }
    for (const char *at = svg; (at = strstr(at, "<path")); at++, shapes++)
        check_path(box, at);
    return shapes;
}

/* Chains with every edge that skips up to `skip` nodes, which needs lanes above the boxes. */
static void all_is_inside_the_picture(void **state)
{
    (void)state;
    for (int32_t nodes = 1; nodes <= 9; nodes++)
        for (int32_t skip = 1; skip < 5; skip++) {
            struct tw_graph_chart chart = {.node_count = nodes};
            char *svg = NULL;
            size_t length = 0;
            FILE *out = open_memstream(&svg, &length);
            assert_non_null(out);
            for (int32_t i = 0; i < nodes; i++) {
                chart.nodes[i].name = chart.nodes[i].type = "n";
                for (int32_t to = i + 1; to <= i + skip && to < nodes; to++) {
                    chart.edges[chart.edge_count].from = i;
                    chart.edges[chart.edge_count++].to = to;
                }
            }
            assert_true(tw_chart_graph(out, "t", &chart));
            assert_int_equal(fclose(out), 0);
            assert_int_equal(check_picture(svg), nodes + 2 * chart.edge_count);
            free(svg);
        }
}

static void what_goes_round_is_not_drawn(void **state)
{
    struct tw_graph_chart chart = {.node_count = 2, .edge_count = 2};
    char *svg = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&svg, &length);
    (void)state;
    assert_non_null(out);
    chart.nodes[0].name = chart.nodes[1].name = chart.nodes[0].type = chart.nodes[1].type = "n";
    chart.edges[0].to = chart.edges[1].from = 1;
    assert_false(tw_chart_graph(out, "t", &chart));
    assert_false(tw_chart_graph(out, "t", &(struct tw_graph_chart){.node_count = 0}));
    assert_int_equal(fclose(out), 0);
    assert_int_equal(length, 0);
    free(svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_inside_the_picture),
        cmocka_unit_test(what_goes_round_is_not_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
