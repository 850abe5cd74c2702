/* SPDX-License-Identifier: MIT */
/* The page and the Markdown of an experiment: what must stand in them, and that nothing in an
 * experiment becomes markup. tests/report/in_browser.sh looks at a page as browsers do. */
#include "support/command.h"
#include "support/harness.h"
#include "support/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct command_result result;
static char page[1 << 22];

static const char noise[] =
    "thalweg: 1\nsize: 32\nparams: {talus: 8}\nnodes:\n"
    "  a: {type: noise.midpoint}\n"
    "  b: {type: erosion.olsen, in: a, talus: \"${talus}\", iterations: 3}\n"
    "  stats: {type: measure.statistics, in: b}\n"
    "outputs: {height: b, stats: stats}\n";

#define HEAD                                                                                       \
    "thalweg-experiment: 1\nrecipe: noise.yaml\nseeds: {from: 1, count: 8}\n"                      \
    "measure: [stats.deviation, stats.mean]\ngoal: {stats.deviation: down}\n"

/* Drawn from above only, which costs nothing. */
static const char dot[] = "thalweg: 1\nsize: 1\nparams: {talus: 8}\nnodes:\n"
                          "  a: {type: source.constant, value: \"${talus / 20}\"}\n"
                          "  stats: {type: measure.statistics, in: a}\n"
                          "outputs: {height: a, stats: stats}\n";
#define DOTS                                                                                       \
    "thalweg-experiment: 1\nrecipe: dot.yaml\nseeds: {from: 1, count: 8}\n"                        \
    "measure: [stats.deviation, stats.mean]\ngoal: {stats.deviation: down}\n"

static int prepare(void **state)
{
    (void)state;
    command_enter();
    command_write("noise.yaml", noise, strlen(noise));
    command_write("dot.yaml", dot, strlen(dot));
    return 0;
}

static void compare(const char *text, const char *options)
{
    char arguments[200];
    command_write("experiment.yaml", text, strlen(text));
    snprintf(arguments, sizeof arguments, "compare experiment.yaml -q %s", options);
    command_run(arguments, &result);
    if (result.code != 0)
        fail_msg("exit code %d: %s", result.code, result.err);
}

static const char *make_page(const char *text, const char *options)
{
    char with[200];
    snprintf(with, sizeof with, "--html page.html %s", options);
    compare(text, with);
    page_read("page.html", page, sizeof page);
    return page;
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (; (text = strstr(text, word)); text++)
        count++;
    return count;
}

static void expect(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("'%s' is missing", words);
}

static void a_page_says_first_what_came_out(void **state)
{
    const char *text =
        make_page(HEAD "about: Peaks\nvariants: {soft: {}, hard: {params: {talus: 2}}, "
                       "same: {}}\nbaseline: soft\n",
                  "");
    (void)state;
    const char *verdict = strstr(text, "<p class=\"verdict\">");
    assert_non_null(verdict);
    assert_true(verdict < strstr(text, "<table"));
    expect(verdict, "nothing shown for <b>same</b>");
    expect(text, "<h1>Peaks</h1>");
    /* One forest and one distribution per measure, two panels of pairs, two histograms, times, the
     * legend of differences, and the graph of the recipe that differs. */
    assert_int_equal(count_of(text, "<svg role=\"img\""), 2 * (1 + 1 + 2) + 2 + 1 + 1 + 1);
    assert_int_equal(count_of(text, "<rect class=\"node c2\""), 1);
    /* Eight dots each, joined. */
    assert_int_equal(count_of(text, "<title>seed "), 2 * 2 * 8);
    /* Three seeds of three variants, from above and in three dimensions, and two differences; of
     * the five others a small one each. */
    assert_int_equal(count_of(text, "data:image/png;base64,"), 3 * (3 + 3 + 2) + 5 * 3);
    expect(text, "alt=\"View in three dimensions of hard at seed ");
    expect(text, "<td>talus</td><td><code>8</code></td><td><code>2</code></td>");
    expect(text, "The same recipe.");
    expect(text, ": best in stats.deviation</h3>");
}

static void without_a_goal_seeds_are_high_or_low(void **state)
{
    const char *text =
        make_page("thalweg-experiment: 1\nrecipe: noise.yaml\nsize: 16\nmeasure: [stats.mean]\n"
                  "seeds: {from: 1, count: 6}\nvariants: {soft: {}, hard: {params: {talus: 2}}}\n"
                  "baseline: soft\n",
                  "");
    (void)state;
    expect(text, ": highest in stats.mean</h3>");
    expect(text, ": lowest in stats.mean</h3>");
    expect(text, " is highest, in the middle and lowest on the mean of all variants.");
    assert_null(strstr(text, ">best<"));
}

static void any_seed_can_be_shown(void **state)
{
    const char *text = make_page(DOTS "variants: {soft: {}, hard: {params: {talus: 2}}}\n",
                                 "--seeds 1 --picture-seed 99");
    (void)state;
    expect(text, "<h3>Seed 99</h3>");
    assert_int_equal(count_of(text, "data:image/png;base64,"), 2 * 2);
    expect(text, "without a baseline none is compared");
}

/* Seed 0 among them. */
static void three_seeds_are_all_shown(void **state)
{
    const char *text =
        make_page("thalweg-experiment: 1\nrecipe: dot.yaml\nseeds: {from: 0, count: 3}\n"
                  "measure: [stats.mean]\n"
                  "variants: {soft: {}, hard: {params: {talus: 2}}}\n",
                  "");
    (void)state;
    assert_int_equal(count_of(text, "<h3>Seed "), 3);
    expect(text, "<h3>Seed 0:");
}

/* Every dot of a seed names a run and a seed of which the page has a picture and the command. */
static void every_dot_has_its_map(void **state)
{
    const char *text = make_page(DOTS "variants: {soft: {}, hard: {params: {talus: 2}}, other: "
                                      "{nodes: {a: {type: source.constant, value: 0.1}}}}\n"
                                      "baseline: soft\n",
                                 "");
    char words[200];
    (void)state;
    for (int run = 0; run < 3; run++)
        for (int seed = 1; seed <= 8; seed++) {
            snprintf(words, sizeof words, "data-run=\"%d\" data-seed=\"%d\" data-view=\"shade\"",
                     run, seed);
            expect(text, words);
        }
    expect(text, "data-seeds=\"1 2 3 4 5 6 7 8\"");
    expect(text, "<li data-run=\"1\"><b>hard</b><code>thalweg run ");
    expect(text, "/dot.yaml --seed SEED --size 1x1 -s talus=2</code>");
    /* No recipe has the nodes of this one. */
    expect(text, "<li data-run=\"2\"><b>other</b><code>thalweg serve ");
    expect(text, " --variants soft,other --seed SEED --size 1x1</code>");
    assert_int_equal(count_of(text, "class=\"dot\" fill-opacity=\".6\" data-seed="), 2 * 3 * 8);
}

static void every_level_has_pictures(void **state)
{
    const char *text = make_page("thalweg-experiment: 1\nrecipe: dot.yaml\nsizes: [1, 2]\n"
                                 "seeds: {from: 1, count: 4}\nmeasure: [stats.mean]\n"
                                 "variants: {soft: {}, hard: {params: {talus: 2}}}\n",
                                 "");
    (void)state;
    for (int run = 0; run < 4; run++) {
        char words[80];
        snprintf(words, sizeof words, "data-run=\"%d\" data-seed=\"4\" data-view=\"shade\"", run);
        expect(text, words);
    }
    expect(text, "<li data-run=\"3\"><b>hard (size 2)</b>");
    expect(text, " --seed SEED --size 2x2 -s talus=2</code>");
}

/* Trials, too: the best of them on the front of two measures. */
static void a_front_has_dots_and_maps(void **state)
{
    const char *text = make_page("thalweg-experiment: 1\nrecipe: dot.yaml\nseeds: [3]\n"
                                 "measure: [stats.mean, {less: 0 - stats.mean}]\n"
                                 "tune: {params: {talus: [2, 18]}, goal: {stats.mean: maximise}, "
                                 "budget: 12}\nfront: {stats.mean: up, less: up}\n",
                                 "");
    (void)state;
    expect(text, "<h2>The front of stats.mean and less</h2>");
    expect(text, "data-run=\"t11\"><title>"); /* all are on it, on a line: there is no knee */
    expect(text, "Blue: on the front, 12 of 12. It has no knee.");
    assert_int_equal(count_of(text, "alt=\"Map of trial "), 6);
    expect(text, "<li data-run=\"t0\"><b>trial 1</b><code>thalweg run ");
}

static int lines_of(const char *text) { return count_of(text, "\n"); }

/* Whatever an experiment has, its Markdown fits a pull request. */
static void markdown_has_forty_lines_at_most(void **state)
{
#define MANY "matrix: {talus: {from: 1, to: 19, steps: 61}}\nbaseline: talus=1\n"
    (void)state;
    compare(DOTS MANY, "--markdown");
    assert_in_range(lines_of(result.out), 25, 40);
    expect(result.out, "| and 39 more |");
    compare(DOTS MANY "times: 2\nsensitivity: {params: {talus: [1, 19]}, morris: 2}\n"
                      "tune: {params: {talus: [2, 18]}, goal: {stats.mean: 0.5}, budget: 16}\n",
            "--seeds 2 --markdown --picture pair.png");
    assert_in_range(lines_of(result.out), 25, 40);
    compare("thalweg-experiment: 1\nrecipe: dot.yaml\nsizes: [1, 2]\nseeds: {from: 1, count: 2}\n"
            "measure: [stats.deviation, stats.mean]\n" MANY,
            "--markdown");
    assert_in_range(lines_of(result.out), 25, 40);
    compare("thalweg-experiment: 1\nrecipe: dot.yaml\nseeds: {from: 1, count: 8}\n"
            "measure: [stats.mean, stats.deviation, 'height.histogram(0, 1, 30)']\n"
            "variants: {soft: {}, hard: {params: {talus: 2}}, free: {}}\nbaseline: soft\n"
            "times: 2\nadjust: stats.mean\n"
            "sensitivity: {params: {talus: [1, 19]}, morris: 2, indices: 8}\n"
            "match: {goal: {stats.mean: 0.5}, seeds: 1, by: {free: {talus: [1, 9]}}}\n"
            "tune: {params: {talus: [2, 18]}, goal: {stats.mean: 0.5}, budget: 16}\n",
            "--seeds 2 --markdown --picture pair.png");
    assert_in_range(lines_of(result.out), 25, 40);
}

/* Two maps of a cell, with a gap between. */
static void a_picture_shows_the_baseline_and_the_best(void **state)
{
    static unsigned char bytes[1 << 16];
    (void)state;
    compare(DOTS "variants: {soft: {}, hard: {params: {talus: 2}}}\nbaseline: soft\n",
            "--markdown --picture pair.png");
    expect(result.out, "![left: soft, right: hard, seed ");
    expect(result.out, "](pair.png)");
    FILE *file = fopen("pair.png", "rb");
    assert_non_null(file);
    assert_in_range(fread(bytes, 1, sizeof bytes, file), 40, sizeof bytes - 1);
    fclose(file);
    assert_memory_equal(bytes + 1, "PNG", 3);
    assert_int_equal(bytes[19], 1 + 8 + 1); /* columns */
    assert_int_equal(bytes[23], 1);
    command_expect("compare experiment.yaml -q --seeds 1 --picture -", 0, &result);
    command_write("experiment.yaml", DOTS "variants: {soft: {}}\n",
                  strlen(DOTS "variants: {soft: {}}\n"));
    command_expect("compare experiment.yaml -q --picture pair.png", 2, &result);
    expect(result.err, "has no two variants: there is nothing for --picture");
}

static void names_and_texts_are_no_markup(void **state)
{
    const char *text =
        make_page("thalweg-experiment: 1\nrecipe: dot.yaml\nseeds: [1]\n"
                  "measure: [stats.mean]\nabout: \"<script>alert(1)</script>\"\n"
                  "variants: {\"<script>alert(2)</script>\": {}, \"\\\"><img src=x onerror=y>\": "
                  "{params: {talus: 2}}}\nbaseline: \"<script>alert(2)</script>\"\n",
                  "");
    (void)state;
    assert_int_equal(count_of(text, "<script>"), 1); /* our own */
    assert_int_equal(count_of(text, "<img src"), 0);
    assert_int_equal(count_of(text, "onerror=y>"), 0);
    expect(text, "&lt;script&gt;alert(2)");
    expect(text, "default-src 'none'");
    for (const char *at = text; (at = strstr(at, "http")); at++)
        assert_true(strncmp(at, "http-equiv", 10) == 0);
    compare("thalweg-experiment: 1\nrecipe: dot.yaml\nseeds: [1]\nmeasure: [stats.mean]\n"
            "variants: {\"a | b\": {}}\n",
            "--markdown");
    assert_null(strstr(result.out, "| a | b"));
}

static void markdown_has_marks(void **state)
{
    (void)state;
    compare(DOTS "variants: {soft: {}, hard: {params: {talus: 2}}, same: {}}\nbaseline: soft\n",
            "--markdown");
    assert_ptr_equal(strstr(result.out, "**"), result.out);
    expect(result.out,
           "| variant | stats.deviation \xE2\x86\x93 | stats.mean |\n|---|---:|---:|\n");
    expect(result.out, "| soft (baseline) |");
    expect(result.out, "| same | ~ +0 [+0, +0] | ~ +0 [+0, +0] |");
    command_run("compare experiment.yaml -q --markdown --json", &result);
    assert_int_equal(result.code, 2);
}

/* What better is says the experiment: the page, the table and the Markdown follow it. */
static void goals_are_up_or_down(void **state)
{
    static const char *const rows[][4] = {
        {"up", "more is better", " (more is better)\">", "stats.mean \xE2\x86\x91"},
        {"down", "less is better", " (less is better)\">", "stats.mean \xE2\x86\x93"}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "thalweg-experiment: 1\nrecipe: dot.yaml\nseeds: {from: 1, count: 3}\n"
                 "measure: [stats.mean]\ngoal: {stats.mean: %s}\n"
                 "variants: {soft: {}, hard: {params: {talus: 2}}}\nbaseline: soft\n",
                 rows[i][0]);
        const char *made = make_page(text, "");
        expect(made, rows[i][1]);
        expect(made, rows[i][2]);
        assert_null(strstr(made, rows[1 - i][1]));
        compare(text, "--markdown");
        expect(result.out, rows[i][3]);
    }
}

/* A comparison of times belongs to what a pull request is shown. */
static void markdown_has_times(void **state)
{
    static const char text[] = DOTS "variants: {soft: {}, hard: {params: {talus: 2}}}\n"
                                    "baseline: soft\n";
    (void)state;
    compare(text, "--markdown --times 6");
    expect(result.out, "| variant | seconds on the clock | of processors |\n|---|---:|---:|\n");
    expect(result.out, "Each variant by itself 6 times, interleaved, without cache: medians with "
                       "95 % intervals.\n");
    compare(text, "--markdown --times 2");
    expect(result.out, "without cache: medians.\n");
    compare(text, "--markdown");
    assert_null(strstr(result.out, "seconds"));
}

static void few_seeds_carry_no_interval(void **state)
{
    static const char text[] = DOTS "variants: {soft: {}, hard: {params: {talus: 2}}}\n"
                                    "baseline: soft\n";
    (void)state;
    compare(text, "--markdown --seeds 1");
    expect(result.out, "Nothing can be shown by 1 seed.");
    assert_null(strstr(result.out, "[+"));
    assert_null(strstr(result.out, "nan"));
    expect(make_page(text, "--seeds 1"), "Nothing can be shown");
    assert_null(strstr(page, "nan"));
}

/* Of twenty variants only some get pictures: the baseline, the best and the worst. */
static void many_variants_show_some(void **state)
{
    (void)state;
    const char *text =
        make_page("thalweg-experiment: 1\nrecipe: dot.yaml\nseeds: [1]\n"
                  "measure: [stats.max]\nvariants:\n  base: {}\n  t: {sweep: {talus: [1, 2, 3, 4, "
                  "5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]}}\nbaseline: base\n",
                  "");
    expect(text, "Of 20 variants 6 are shown");
    assert_int_equal(count_of(text, "<figcaption><b>base</b>"), 1);
    assert_int_equal(count_of(text, "<th scope=\"row\">t/20"), 2); /* both tables have all */
}

static void flat_and_tiny_maps_have_pages(void **state)
{
    static const char flat[] =
        "thalweg: 1\nsize: 1\nnodes:\n  a: {type: source.constant, value: 3}\n"
        "  s: {type: measure.statistics, in: a}\noutputs: {height: a, stats: s}\n";
    (void)state;
    command_write("flat.yaml", flat, strlen(flat));
    const char *text = make_page("thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: [1]\n"
                                 "measure: [stats.mean]\nvariants: {a: {}, b: {}}\nbaseline: a\n",
                                 "");
    expect(text, "data:image/png;base64,");
    assert_null(strstr(text, "nan"));
}

/* A recipe that has another node, and one less: both stand in the graph, joined as they are. */
static void recipes_differ_as_a_graph(void **state)
{
    (void)state;
    const char *text =
        make_page("thalweg-experiment: 1\nrecipe: noise.yaml\nseeds: [1]\nmeasure: [stats.mean]\n"
                  "variants:\n  soft: {}\n"
                  "  other: {nodes: {c: {type: shape.invert, in: a}, "
                  "b: {type: erosion.olsen, in: c, iterations: 3}}}\nbaseline: soft\n",
                  "");
    expect(text, "What other has otherwise than soft, as a graph");
    assert_int_equal(count_of(text, "<rect class=\"node c3\""), 1);      /* c */
    assert_int_equal(count_of(text, "<rect class=\"node c2\""), 1);      /* b */
    assert_int_equal(count_of(text, "<rect class=\"node\""), 2);         /* a and stats */
    assert_int_equal(count_of(text, "<path class=\"edge c3\""), 2);      /* a to c, c to b */
    assert_int_equal(count_of(text, "<path class=\"edge c4 gone\""), 1); /* a to b */
    assert_int_equal(count_of(text, "<path class=\"edge\""), 1);         /* b to stats */
}

/* A variant that has a chain of so many new nodes before b, which so many others take. */
static const char *page_of_chain(int chain, int takers)
{
    static char text[16000], recipe[16000];
    size_t used = (size_t)snprintf(recipe, sizeof recipe,
                                   "thalweg: 1\nsize: 1\nnodes:\n  n0: {type: source.constant}\n"
                                   "  b: {type: shape.invert, in: n0}\n"
                                   "  stats: {type: measure.statistics, in: b}\n");
    for (int i = 0; i < takers; i++)
        used += (size_t)snprintf(recipe + used, sizeof recipe - used,
                                 "  t%d: {type: shape.invert, in: b}\n", i);
    used += (size_t)snprintf(recipe + used, sizeof recipe - used,
                             "outputs:\n  height: b\n  stats: stats\n");
    for (int i = 0; i < takers; i++)
        used += (size_t)snprintf(recipe + used, sizeof recipe - used, "  t%d: t%d\n", i, i);
    command_write("wide.yaml", recipe, used);
    used = (size_t)snprintf(text, sizeof text,
                            "thalweg-experiment: 1\nrecipe: wide.yaml\nseeds: [1]\n"
                            "measure: [stats.mean]\nbaseline: short\n"
                            "variants:\n  short: {}\n  long:\n    nodes:\n");
    for (int i = 1; i <= chain; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "      n%d: {type: shape.invert, in: n%d}\n", i, i - 1);
    snprintf(text + used, sizeof text - used, "      b: {type: shape.invert, in: n%d}\n", chain);
    return make_page(text, "");
}

static void what_is_too_large_for_a_graph_is_said(void **state)
{
    (void)state;
    const char *text = page_of_chain(20, 3); /* and b, n0, stats, t0, t1, t2 */
    assert_int_equal(count_of(text, "<rect class=\"node c3\""), 20);
    assert_int_equal(count_of(text, "<rect class=\"node\""), 5);
    text = page_of_chain(20, 30);
    assert_int_equal(count_of(text, "<rect class=\"node c3\""), 20);
    assert_int_equal(count_of(text, "<rect class=\"node\""), 0);
    expect(text, "not drawn are 32 that are the same, too many to be read.");
    text = page_of_chain(60, 0);
    assert_int_equal(count_of(text, "<rect class=\"node"), 0);
    expect(text, "61 nodes differ: too many, or too entangled, for a drawing.");
    expect(text, "<th scope=\"row\">n59</th>"); /* of the table */
}

/* Its mean is a + 2 b + c, and d does nothing. */
static const char plane[] =
    "thalweg: 1\nsize: 1\nparams: {a: 0, b: 0, c: 0, d: 0}\nnodes:\n"
    "  m: {type: source.constant, value: \"${a + 2 * b + c + 0 * d}\"}\n"
    "  stats: {type: measure.statistics, in: m}\noutputs: {height: m, stats: stats}\n";

static void parameters_have_a_page_without_variants(void **state)
{
    static const char text[] =
        "thalweg-experiment: 1\nrecipe: plane.yaml\nseeds: {count: 2}\nmeasure: [stats.mean]\n"
        "sensitivity: {params: {d: [0, 1], a: [0, 1], b: [0, 1]}, morris: 4, curves: 3}\n";
    (void)state;
    command_write("plane.yaml", plane, strlen(plane));
    expect(make_page(text, ""),
           "<b>b</b> matters most for stats.mean (&mu;* 2), then <b>a</b> (1), "
           "<b>d</b> (0); 2 seeds.");
    assert_int_equal(count_of(page, "<svg role=\"img\""), 1 + 3); /* the screening, three curves */
    assert_null(strstr(page, "nan"));
    expect(page, ">2</td>");
    compare(text, "--markdown");
    expect(result.out, "**b matters most for stats.mean (mu\\* 2), then a (1), d (0); 2 seeds.**");
    expect(result.out, "| b | 2 (");
    expect(result.out, "2 seeds, 1 x 1 cells.");
}

static void tuning_has_a_page(void **state)
{
    static const char text[] =
        "thalweg-experiment: 1\nrecipe: plane.yaml\nseeds: [1]\nmeasure: [stats.mean]\n"
        "tune: {params: {a: [0, 1]}, goal: {stats.mean: 0.5}, budget: 9}\n";
    (void)state;
    command_write("plane.yaml", plane, strlen(plane));
    expect(make_page(text, ""), "<b>a</b> <b>0.5</b> brings stats.mean to 0.5 (target 0.5): "
                                "reached, the best of 1 trial.");
    expect(page, "plane.yaml --seed 1 --size 1x1 -s a=0.5</code>");
    expect(page, "<small class=\"better\">best</small>");
    assert_null(strstr(page, "nan"));
    compare(text, "--markdown");
    expect(result.out, "**a 0.5 brings stats.mean to 0.5");
}

/* Two axes a map, the third cuts; colours are one scale for all. Words and drawn points, too. */
static void matrices_of_three_parameters_are_sliced(void **state)
{
    (void)state;
    command_write("plane.yaml", plane, strlen(plane));
#define MATRIX                                                                                     \
    "thalweg-experiment: 1\nrecipe: plane.yaml\nseeds: [1]\nmeasure: [stats.mean]\nmatrix:\n"
    const char *text = make_page(MATRIX "  a: [0, 1]\n  b: [0, 1, 2]\n  c: [0, 5]\n", "");
    expect(text, "<h3>a and b</h3>");
    expect(text, "<b>stats.mean</b>, mean; c=0</figcaption>");
    expect(text, "<b>stats.mean</b>, mean; c=5</figcaption>");
    /* 5 of 0 to 10 in both: (1, 2, 0) and (0, 0, 5) have the colour of the middle. */
    assert_int_equal(count_of(text, "fill=\"rgb(33,145,140)\""), 2);
    text = make_page(MATRIX "  a: {from: 0, to: 1}\n  b: {from: 0, to: 1}\n  c: {from: 0, to: 1}\n"
                            "  draws: {sobol: 16}\n",
                     "");
    expect(text, "<h3>a, b and c</h3>");
    expect(text, "Each dot is one of the 16 variants");
    assert_null(strstr(text, "nan"));
}

/* By themselves, with what the seeds took beside it. */
static void times_are_shown_with_their_intervals(void **state)
{
    (void)state;
    const char *text = make_page(DOTS "variants: {soft: {}, hard: {params: {talus: 2}}}\n"
                                      "baseline: soft\n",
                                 "--times 6 --seeds 6");
    expect(text, "Each variant by itself, 6 times");
    expect(text, "<title>Median processor seconds, per variant</title>");
    assert_int_equal(count_of(text, "Fewer than six runs"), 0);
    text = make_page(DOTS "variants: {soft: {}}\n", "--times 2 --seeds 2");
    expect(text, "Fewer than six runs have no interval");
    expect(text, "1 variant over 2 seeds");
    assert_null(strstr(text, "nan"));
}

/* Numbers of measure.realism, of a record and of a map, in the bands of cells of 180 m; other
 * experiments have no such section. */
static void realism_is_shown_in_its_bands(void **state)
{
    static const char land[] = "thalweg: 1\nsize: 128\nworld: {side_m: 23040}\nnodes:\n"
                               "  plane: {type: source.constant}\n  noise: {type: noise.midpoint}\n"
                               "  realism: {type: measure.realism, in: plane}\n"
                               "outputs: {noise: noise, realism: realism}\n";
    const char *text;
    (void)state;
    command_write("land.yaml", land, strlen(land));
    text = make_page("thalweg-experiment: 1\nrecipe: land.yaml\nseeds: {from: 1, count: 2}\n"
                     "measure: [realism.upside, realism.theta, realism.inside, realism.cells, "
                     "noise.realism.upside, noise.mean]\nvariants: {<b>: {}}\n",
                     "");
    expect(text, "<a href=\"#realism\">");
    text = strstr(text, "<section id=\"realism\">");
    assert_non_null(text);
    assert_int_equal(count_of(text, "<th scope=\"row\">upside</th><td>1.22 to 3.8</td>"), 2);
    assert_int_equal(count_of(text, "<th scope=\"row\">theta</th><td>0.246 to 0.433</td>"), 1);
    expect(text, "<span class=\"worse\">0</span> <small>below</small>");
    expect(text, "<td>0 of 2</td>"); /* a level map has 0 everywhere */
    expect(text, "<td>0 of 1</td>"); /* noise */
    expect(text, "<path d=\"M");     /* which lies so low that an arrow shows it */
    assert_null(strstr(make_page(DOTS "variants: {a: {}}\n", ""), "id=\"realism\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_says_first_what_came_out),
        cmocka_unit_test(without_a_goal_seeds_are_high_or_low),
        cmocka_unit_test(any_seed_can_be_shown),
        cmocka_unit_test(three_seeds_are_all_shown),
        cmocka_unit_test(every_dot_has_its_map),
        cmocka_unit_test(every_level_has_pictures),
        cmocka_unit_test(a_front_has_dots_and_maps),
        cmocka_unit_test(markdown_has_forty_lines_at_most),
        cmocka_unit_test(a_picture_shows_the_baseline_and_the_best),
        cmocka_unit_test(names_and_texts_are_no_markup),
        cmocka_unit_test(markdown_has_marks),
        cmocka_unit_test(goals_are_up_or_down),
        cmocka_unit_test(markdown_has_times),
        cmocka_unit_test(few_seeds_carry_no_interval),
        cmocka_unit_test(many_variants_show_some),
        cmocka_unit_test(flat_and_tiny_maps_have_pages),
        cmocka_unit_test(recipes_differ_as_a_graph),
        cmocka_unit_test(what_is_too_large_for_a_graph_is_said),
        cmocka_unit_test(parameters_have_a_page_without_variants),
        cmocka_unit_test(tuning_has_a_page),
        cmocka_unit_test(matrices_of_three_parameters_are_sliced),
        cmocka_unit_test(times_are_shown_with_their_intervals),
        cmocka_unit_test(realism_is_shown_in_its_bands),
    };
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
