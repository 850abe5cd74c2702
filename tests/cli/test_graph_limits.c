/* SPDX-License-Identifier: MIT */
/* The graph of what differs on a page: 40 nodes and 200 edges are drawn with all that they are
 * joined to, one more without what is the same; of more nodes that differ there is no graph. */
#include "support/gate.h"

#include <stdarg.h>

static char text[1 << 15], *page;

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(text + used, sizeof text - used, format, arguments);
    va_end(arguments);
    assert_true(more >= 0 && (size_t)more < sizeof text - used);
}

static int count(const char *part)
{
    int found = 0;
    for (const char *at = page; (at = strstr(at, part)); at++)
        found++;
    return found;
}

/* Against the recipe, `sources` new nodes, and `merges` new ones that each take all of those. The
 * node `all`, which took `old` alone, takes the merges, too, and the first `more` of the sources;
 * all of these where there is no merge. */
static void draw(int sources, int merges, int more)
{
    text[0] = 0;
    add("thalweg-experiment: 1\nrecipe: land.yaml\nseeds: {from: 1, count: 1}\n"
        "measure: [stats.mean]\nbaseline: base\nvariants: {base: {}, more: {nodes: {");
    for (int i = 0; i < sources; i++)
        add("p%d: {type: feature.points, count: 1},\n", i);
    for (int k = 0; k < merges; k++) {
        add("m%d: {type: feature.merge, generators: [", k);
        for (int i = 0; i < sources; i++)
            add("p%d, ", i);
        add("]},\n");
    }
    add("all: {type: feature.merge, generators: [old, ");
    for (int k = 0; k < merges; k++)
        add("m%d, ", k);
    for (int i = 0; i < (merges > 0 ? more : sources); i++)
        add("p%d, ", i);
    add("]}}}}\n");
    write_text("e.yaml", text);
    free(page);
    assert_int_equal(run("compare e.yaml -q --no-cache --html page.html"), 0);
    page = read_text("page.html");
}

static void forty_nodes_are_drawn(void **state)
{
    (void)state;
    draw(38, 0, 0);
    assert_int_equal(count("class=\"node"), 40);
    assert_int_equal(count("class=\"edge"), 39);
    contains(page, ">old</text>");
    draw(39, 0, 0); /* without `old` */
    assert_int_equal(count("class=\"node"), 40);
    assert_int_equal(count("class=\"edge"), 39);
    lacks(page, ">old</text>");
    contains(page, "not drawn are 3 that are the same, too many to be read");
    draw(40, 0, 0);
    assert_int_equal(count("class=\"node"), 0);
    assert_int_equal(count("class=\"edge"), 0);
}

static void two_hundred_edges_are_drawn(void **state)
{
    (void)state;
    draw(19, 10, 0);
    assert_int_equal(count("class=\"edge"), 200);
    lacks(page, ">old</text>");
    draw(18, 10, 9);
    assert_int_equal(count("class=\"edge"), 200);
    contains(page, ">old</text>");
    draw(18, 10, 10);
    assert_int_equal(count("class=\"edge"), 200);
    lacks(page, ">old</text>");
    draw(18, 10, 11); /* 201 without it */
    assert_int_equal(count("class=\"node"), 0);
}

static int prepare(void **state)
{
    command_set_up(state);
    write_text("land.yaml", "thalweg: 1\nsize: 8\nnodes:\n"
                            "  old: {type: feature.points, count: 1}\n"
                            "  n: {type: noise.perlin}\n"
                            "  stats: {type: measure.statistics, in: n}\n"
                            "  all: {type: feature.merge, generators: [old]}\n"
                            "outputs: {all: all, stats: stats}\n");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(forty_nodes_are_drawn, prepare, command_tear_down),
        cmocka_unit_test_setup_teardown(two_hundred_edges_are_drawn, prepare, command_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
