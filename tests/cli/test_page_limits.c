/* SPDX-License-Identifier: MIT */
/* Pages show so many variants, curves, slices, pairs and dots, and say when there are more: each
 * count met exactly and exceeded by one, and one and two of each. tests/golden/page_limits.txt has
 * a digest of each section, and of the table, as pages.txt of test_report_pages.c. */
#include "support/page_digests.h"

/* Of one cell, which is drawn from above only, at no cost. */
static const char land[] =
    "thalweg: 1\nsize: 1\nparams: {a: 0, b: 0, c: 0, d: 0}\nnodes:\n"
    "  n: {type: noise.perlin, frequency: 1}\n"
    "  m: {type: combine.formula, a: n, formula: 'a + ${a} + 2 * ${b} + ${c} * ${a} + ${d} ^ 2'}\n"
    "  stats: {type: measure.statistics, in: m}\noutputs: {height: m, stats: stats}\n";

#define OF_SEEDS(count)                                                                            \
    "thalweg-experiment: 1\nrecipe: land.yaml\nseeds: {from: 1, count: " count "}\n"               \
    "measure: [stats.mean]\n"
#define OF_ONE OF_SEEDS("1")

/* The text has the count wherever an @ stands, and `piece`, with its number where a # stands, as
 * often between its two halves. */
static const struct {
    const char *name, *command, *before, *piece, *after;
    int counts[6]; /* up to a 0 */
} rows[] = {
    {"variants",
     "compare",
     OF_ONE "variants: {",
     "v#: {params: {a: #}}, ",
     "}\nbaseline: v0\n",
     {1, 2, 3, 13, 14}},
    {"variants without a baseline",
     "compare",
     OF_ONE "variants: {",
     "v#: {params: {a: #}}, ",
     "}\n",
     {1, 2, 3, 40, 41}},
    {"variants and their recipes",
     "compare",
     OF_SEEDS("2") "variants: {",
     "v#: {nodes: {n: {type: shape.invert, in: given, high: #}, given: {type: noise.ridged}}}, ",
     "}\nbaseline: v0\n",
     {2, 20, 21}},
    {"variants with a goal",
     "compare",
     OF_SEEDS("8") "variants: {",
     "v#: {params: {a: #}}, ",
     "}\nbaseline: v0\ngoal: {stats.mean: up}\n",
     {2, 3, 4, 5, 6}},
    {"variants that are worse and the same",
     "compare",
     OF_SEEDS("8") "variants: {base: {}, same: {}, too: {}, ",
     "v#: {params: {a: -#.5}}, ",
     "}\nbaseline: base\ngoal: {stats.mean: up}\n",
     {1, 3, 4, 5}},
    {"seeds",
     "compare",
     OF_SEEDS("@") "variants: {plain: {}, more: {params: {a: 0.25}}}\n",
     "",
     "baseline: plain\n",
     {1, 2, 3, 5, 6}},
    {"lines of pairs",
     "compare",
     OF_SEEDS("@") "variants: {plain: {}, more: {params: {a: 1}}}\n",
     "",
     "baseline: plain\n",
     {200, 201}},
    {"dots", "compare", OF_SEEDS("@") "variants: {plain: {}}\n", "", "", {299, 300, 599, 600}},
    {"curves",
     "compare",
     OF_ONE "variants: {",
     "v#: {params: {b: #}, sweep: {a: [0, 1]}}, ",
     "}\n",
     {1, 2, 6, 7}},
    {"values of a curve",
     "compare",
     OF_SEEDS("2") "matrix: {a: {from: 0, to: 1, steps: @}}\n",
     "",
     "",
     {2, 3}},
    {"columns",
     "compare",
     OF_ONE "matrix: {a: {from: 0, to: 1, steps: @}, b: [0, 1]}\n",
     "",
     "",
     {2, 3, 24, 25}},
    {"rows",
     "compare",
     OF_ONE "matrix: {a: [0, 1], b: {from: 0, to: 1, steps: @}}\n",
     "",
     "",
     {3, 24, 25}},
    {"slices",
     "compare",
     OF_ONE "matrix: {a: [0, 1], b: [0, 1], c: {from: 0, to: 1, steps: @}}\n",
     "",
     "",
     {2, 12, 13}},
    {"trajectories",
     "compare",
     OF_ONE "sensitivity: {params: {a: [0, 1], b: [0, 1], c: [0, 1]}, morris: @}\n",
     "",
     "",
     {2, 3}},
    {"values of each parameter",
     "compare",
     OF_ONE "sensitivity: {params: {a: [0, 1], b: [0, 1], c: [0, 1], d: [0, 1]}, curves: @}\n",
     "",
     "",
     {2, 3}},
    {"trials",
     "compare",
     OF_ONE "tune: {params: {a: [0, 1]}, goal: {stats.mean: 0.5}, budget: @}\n",
     "",
     "",
     {1, 2, 3}},
    {"pairs to judge",
     "judge --pairs 3",
     OF_SEEDS("@") "variants: {plain: {}, more: {params: "
                   "{a: 1}}}\n",
     "",
     "",
     {1, 2}},
    {"variants to judge",
     "judge --pairs 3",
     OF_ONE "variants: {",
     "v#: {params: {a: #}}, ",
     "}\n",
     {2, 3, 6}},
};

/* `text` with the number wherever `mark` stands, at the end of `to`. */
static void append(char *to, size_t size, const char *text, char mark, int number)
{
    size_t used = strlen(to);
    for (; *text; text++) {
        assert_true(used + 12 < size);
        if (*text == mark)
            used += (size_t)snprintf(to + used, size - used, "%d", number);
        else
            to[used++] = *text;
        to[used] = 0;
    }
}

static void limits_are_met_exactly(void **state)
{
    (void)state;
    golden_begin(&golden, TW_GOLDEN "/page_limits.txt");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (const int *count = rows[i].counts; *count; count++) {
            char name[100], text[4000] = "";
            snprintf(name, sizeof name, "%d %s", *count, rows[i].name);
            append(text, sizeof text, rows[i].before, '@', *count);
            for (int k = 0; k < *count; k++)
                append(text, sizeof text, rows[i].piece, '#', k);
            append(text, sizeof text, rows[i].after, '@', *count);
            add_page(name, rows[i].command, text);
            if (strcmp(rows[i].command, "compare") == 0)
                add_text(name, rows[i].command, "", "out.txt");
        }
    golden_end(&golden);
}

static int prepare(void **state)
{
    (void)state;
    command_enter();
    command_write("land.yaml", land, strlen(land));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(limits_are_met_exactly)};
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
