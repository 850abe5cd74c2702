/* SPDX-License-Identifier: MIT */
/* A graph is drawn inside its picture, whatever its edges pass by. */
#include "report/charts/graph.h"

#include "support/harness.h"

#include <math.h>
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

/* Boxes come in the order of their nodes. */
static void find_columns(const char *svg, int32_t count, double *x, double *y)
{
    const char *at = svg;
    for (int32_t i = 0; i < count; i++) {
        at = strstr(at, "<rect class=\"node");
        assert_non_null(at);
        x[i] = number_after(at, " x=\"");
        y[i] = number_after(at++, " y=\"");
    }
    assert_null(strstr(at, "<rect class=\"node"));
}

/* All edges lead east, from as far west as that allows; but a source stands next to the first node
 * that takes it. No box covers another. */
static void check_columns(const struct tw_graph_chart *chart, const double *x, const double *y)
{
    const double step = 146 + 40;
    for (int32_t n = 0; n < chart->node_count; n++) {
        double before = -1e9, after = 1e9;
        for (int32_t i = 0; i < chart->edge_count; i++) {
            if (chart->edges[i].to == n)
                before = fmax(before, x[chart->edges[i].from]);
            if (chart->edges[i].from == n)
                after = fmin(after, x[chart->edges[i].to]);
        }
        assert_true(after >= x[n] + step);
        if (before > 0)
            assert_true(x[n] >= before + step);
        else
            assert_true(after == 1e9 || x[n] == after - step);
        for (int32_t m = 0; m < n; m++)
            assert_true(x[m] != x[n] || fabs(y[m] - y[n]) >= 38 + 14);
    }
}

static void sources_stand_beside_what_takes_them(void **state)
{
    uint32_t seed = 1;
    (void)state;
    for (int round = 0; round < 200; round++) {
        struct tw_graph_chart chart = {.node_count = 3 + round % 12};
        double x[TW_GRAPH_NODES_MAX], y[TW_GRAPH_NODES_MAX];
        char *svg = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&svg, &length);
        assert_non_null(out);
        for (int32_t to = 0; to < chart.node_count; to++) {
            chart.nodes[to].name = chart.nodes[to].type = "n";
            for (int k = 0; k < 2 && to > 0; k++) {
                seed = seed * 1664525 + 1013904223;
                if (seed >> 30 == 0)
                    continue;
                chart.edges[chart.edge_count].from = (int32_t)((seed >> 8) % (uint32_t)to);
                chart.edges[chart.edge_count++].to = to;
            }
        }
        assert_true(tw_chart_graph(out, "t", &chart));
        assert_int_equal(fclose(out), 0);
        find_columns(svg, chart.node_count, x, y);
        check_columns(&chart, x, y);
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
        cmocka_unit_test(sources_stand_beside_what_takes_them),
        cmocka_unit_test(what_goes_round_is_not_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
