/* SPDX-License-Identifier: MIT */
/* Every number and place in the pages of experiments and in what the command prints of them:
 * tests/golden/pages.txt has a digest of each section of a page, of the tables, of Markdown, CSV
 * and JSON, without the bytes of pictures and without what a run took. A page that changes on
 * purpose is looked at (tests/report/in_browser.sh); THALWEG_UPDATE_GOLDEN=1 then writes the file
 * anew. */
#include "support/page_digests.h"

static const char noise[] =
    "thalweg: 1\nsize: 32\nparams: {talus: 8}\nnodes:\n"
    "  a: {type: noise.midpoint}\n"
    "  b: {type: erosion.olsen, in: a, talus: \"${talus}\", iterations: 3}\n"
    "  stats: {type: measure.statistics, in: b}\n"
    "outputs: {height: b, stats: stats}\n";

/* Of one cell, which is drawn from above only, at no cost; its edges would cross if nodes stood in
 * the order of the recipe. */
static const char cell[] = "thalweg: 1\nsize: 1\nparams: {gain: 1}\nnodes:\n"
                           "  a: {type: noise.perlin, frequency: \"${gain}\"}\n"
                           "  z: {type: noise.ridged, frequency: \"${gain}\"}\n"
                           "  b: {type: shape.remap, in: z, to: [0, \"${gain}\"]}\n"
                           "  c: {type: shape.invert, in: a, high: \"${gain}\"}\n"
                           "  d: {type: combine.mix, a: c, b: b}\n"
                           "  e: {type: combine.maximum, a: d, b: z}\n"
                           "  stats: {type: measure.statistics, in: e}\n"
                           "outputs: {height: e, stats: stats}\n";

/* Nothing but an image to show. */
static const char image[] = "thalweg: 1\nsize: 8\nparams: {gain: 1}\nnodes:\n"
                            "  a: {type: noise.perlin, frequency: \"${gain}\"}\n"
                            "  b: {type: render.hillshade, in: a}\n"
                            "  stats: {type: measure.statistics, in: a}\n"
                            "outputs: {shown: b, stats: stats}\n";

/* No plane, so that parameters act on each other; d does nothing. */
static const char sum[] =
    "thalweg: 1\nsize: 2\nparams: {a: 0, b: 0, c: 0, d: 0}\nnodes:\n"
    "  m: {type: source.constant, value: \"${a + 2 * b + c * a + 0 * d}\"}\n"
    "  stats: {type: measure.statistics, in: m}\noutputs: {height: m, stats: stats}\n";

/* Other borders, a node less and one of another type. */
static const char other[] = "thalweg: 1\nsize: 2\nborders: closed\nnodes:\n"
                            "  m: {type: noise.perlin}\n"
                            "  stats: {type: measure.statistics, in: m}\n"
                            "outputs: {height: m, stats: stats}\n";
static const char first[] = "thalweg: 1\nsize: 2\nnodes:\n"
                            "  n: {type: source.constant, value: 0.25}\n"
                            "  m: {type: shape.invert, in: n}\n"
                            "  stats: {type: measure.statistics, in: m}\n"
                            "outputs: {height: m, stats: stats}\n";

/* Steps above 39 are not stable: a run fails. */
static const char creep[] = "thalweg: 1\nsize: 8\nparams: {dt: 1}\nnodes:\n"
                            "  m: {type: source.constant, value: 0.5}\n"
                            "  b: {type: erosion.creep, in: m, dt: \"${dt}\", substeps: one}\n"
                            "  stats: {type: measure.statistics, in: b}\n"
                            "outputs: {height: b, stats: stats}\n";

#define OF_NOISE                                                                                   \
    "thalweg-experiment: 1\nrecipe: noise.yaml\nseeds: {from: 1, count: 8}\n"                      \
    "measure: [stats.deviation, stats.mean]\ngoal: {stats.deviation: down}\n"
#define OF_CELLS                                                                                   \
    "thalweg-experiment: 1\nrecipe: cell.yaml\nseeds: {from: 1, count: 12}\n"                      \
    "measure: [stats.mean, stats.max]\n"
#define OF_SUM                                                                                     \
    "thalweg-experiment: 1\nrecipe: sum.yaml\nseeds: {from: 1, count: 3}\nmeasure: [stats.mean]\n"

#define OF_FEW                                                                                     \
    "thalweg-experiment: 1\nrecipe: noise.yaml\nseeds: [3, 5, 9, 2, 11, 4]\n"                      \
    "measure: [stats.deviation, stats.mean, {ratio: stats.deviation / stats.mean}, "               \
    "'height.histogram(0, 1, 3)', height.difference.max]\n"
#define OF_ONE                                                                                     \
    "thalweg-experiment: 1\nrecipe: sum.yaml\nseeds: {from: 7, count: 1}\nmeasure: [stats.mean]\n"

static const struct {
    const char *name, *command, *text;
} pages[] = {
    {"variants", "compare",
     OF_NOISE "variants: {soft: {}, hard: {params: {talus: 2}}, same: {}}\nbaseline: soft\n"},
    {"without a baseline", "compare",
     OF_CELLS "variants: {plain: {}, twice: {params: {gain: 2}}}\n"},
    {"alone", "compare", OF_CELLS "variants: {plain: {}}\nbaseline: plain\n"},
    {"a pair", "compare",
     OF_CELLS "variants: {plain: {}, twice: {params: {gain: 2}}}\nbaseline: plain\n"},
    {"one axis", "compare", OF_CELLS "matrix: {gain: [1, 2, 4, 8, 16]}\n"},
    {"three axes", "compare", OF_SUM "matrix: {a: [0, 1], b: [0, 1, 2], c: [0, 5]}\n"},
    {"drawn points", "compare",
     OF_SUM "matrix:\n  a: {from: 0, to: 1}\n  b: {from: 0, to: 1}\n"
            "  c: {from: 0, to: 1}\n  draws: {sobol: 16}\n"},
    {"sensitivity", "compare",
     OF_SUM "sensitivity: {params: {a: [0, 1], b: [0, 1], d: [0, 1], c: [0, 1]}, "
            "morris: 4, curves: 3}\n"},
    {"tuning", "compare",
     OF_SUM "tune: {params: {a: [0, 1], b: [0, 3]}, goal: {stats.mean: 0.5}, "
            "budget: 60}\n"},
    {"two axes", "compare", OF_SUM "matrix: {a: [0, 1], b: [0, 1, 2]}\n"},
    {"many variants", "compare",
     OF_SUM "matrix: {a: {from: 0, to: 1, steps: 20}}\ngoal: {stats.mean: up}\n"},
    {"many slices", "compare",
     OF_SUM "matrix: {a: [0, 1], b: [0, 1], c: {from: 0, to: 13, steps: 14}}\n"},
    {"no difference", "compare", OF_FEW "variants: {soft: {}, same: {}}\nbaseline: soft\n"},
    {"goals and assertions", "compare",
     OF_FEW "variants: {soft: {}, hard: {params: {talus: 2}}}\nbaseline: soft\nabout: Two goals\n"
            "goal: {stats.deviation: down, ratio: up}\n"
            "assert: {ratio: {mean: {min: 0, max: 9}}, stats.mean: {min: {min: 2}}}\n"},
    {"one seed", "compare",
     OF_ONE "variants: {plain: {}, more: {params: {a: 1}}}\nbaseline: plain\n"},
    {"an image", "compare",
     "thalweg-experiment: 1\nrecipe: image.yaml\nseeds: {from: 1, count: 2}\n"
     "measure: [stats.mean]\nvariants: {plain: {}, twice: {params: {gain: 2}}}\n"
     "baseline: plain\npicture: shown\n"},
    {"screening", "compare", OF_ONE "sensitivity: {params: {a: [0, 1], b: [0, 1]}, morris: 3}\n"},
    {"curves", "compare", OF_ONE "sensitivity: {params: {a: [0, 1], b: [0, 1]}, curves: 4}\n"},
    {"tuning of one", "compare",
     OF_ONE "tune: {params: {b: [0, 3]}, goal: {stats.mean: 1}, budget: 20}\n"},
    {"many pairs", "compare",
     OF_ONE "variants: {v0: {}, v1: {params: {a: 1}}, v2: {params: {a: 2}}, "
            "v3: {params: {a: 3}}, v4: {params: {a: 4}}, v5: {params: {a: 5}}, "
            "v6: {params: {a: 6}}, v7: {params: {a: 7}}, v8: {params: {a: 8}}, "
            "v9: {params: {a: 9}}, v10: {params: {a: 10}}, v11: {params: {a: 11}}, "
            "v12: {params: {a: 12}}, v13: {params: {a: 13}}, "
            "v14: {params: {a: 14}}}\nbaseline: v0\n"},
    {"variants, a plan and trials", "compare",
     OF_SUM "variants: {plain: {}, more: {params: {a: 1}}}\nbaseline: plain\n"
            "sensitivity: {params: {a: [0, 1], b: [0, 1]}, morris: 3}\n"
            "tune: {params: {b: [0, 3]}, goal: {stats.mean: 1}, budget: 12}\n"},
    {"a plan and trials", "compare",
     OF_ONE "sensitivity: {params: {a: [0, 1]}, curves: 3}\n"
            "tune: {params: {b: [0, 3]}, goal: {stats.mean: 1}, budget: 4}\n"},
    {"ranges too narrow for their digits", "compare",
     OF_ONE "sensitivity: {params: {d: [1000000000, 1000000000.5], b: [0, 1]}, morris: 3}\n"},
    {"nothing is known", "compare",
     OF_ONE "variants: {plain: {}}\n"
            "sensitivity: {params: {d: [1000000000, 1000000000.5]}, morris: 3}\n"},
    {"trials that fail", "compare",
     "thalweg-experiment: 1\nrecipe: creep.yaml\nseeds: {from: 1, count: 1}\n"
     "measure: [stats.mean]\n"
     "tune: {params: {dt: [1, 100]}, goal: {stats.mean: maximise}, budget: 8}\n"},
    {"many curves", "compare",
     OF_ONE
     "variants: {v1: {sweep: {a: [0, 1]}}, v2: {params: {b: 1}, sweep: {a: [0, 1]}}, "
     "v3: {params: {b: 2}, sweep: {a: [0, 1]}}, v4: {params: {b: 3}, sweep: {a: [0, 1]}}, "
     "v5: {params: {b: 4}, sweep: {a: [0, 1]}}, v6: {params: {b: 5}, sweep: {a: [0, 1]}}, "
     "v7: {params: {b: 6}, sweep: {a: [0, 1]}}, v8: {params: {b: 7}, sweep: {a: [0, 1]}}}\n"},
    {"a large map of values", "compare",
     OF_ONE "matrix: {a: {from: 0, to: 1, steps: 25}, b: [0, 1]}\n"},
    {"other recipes", "compare",
     "thalweg-experiment: 1\nrecipe: first.yaml\nseeds: {from: 1, count: 1}\n"
     "measure: [stats.mean]\nvariants: {plain: {}, other: {recipe: other.yaml}, "
     "back: {nodes: {n: {type: noise.ridged}}}}\nbaseline: plain\n"},
    {"judge", "judge --pairs 4", OF_CELLS "variants: {plain: {}, twice: {params: {gain: 2}}}\n"},
};

static void add_texts(const char *name, const char *command, bool samples)
{
    add_text(name, command, "", "out.txt");
    add_text(name, command, "--markdown", "out.txt");
    add_text(name, command, "--json", "out.txt");
    if (samples)
        add_text(name, command, "--csv samples.csv", "samples.csv");
}

static void pages_change_on_purpose_only(void **state)
{
    (void)state;
    golden_begin(&golden, TW_GOLDEN "/pages.txt");
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        add_page(pages[i].name, pages[i].command, pages[i].text);
        if (strcmp(pages[i].command, "compare") == 0)
            add_texts(pages[i].name, pages[i].command, !strstr(pages[i].text, "tune:"));
    }
    golden_end(&golden);
}

static int prepare(void **state)
{
    (void)state;
    command_enter();
    command_write("noise.yaml", noise, strlen(noise));
    command_write("cell.yaml", cell, strlen(cell));
    command_write("image.yaml", image, strlen(image));
    command_write("other.yaml", other, strlen(other));
    command_write("first.yaml", first, strlen(first));
    command_write("creep.yaml", creep, strlen(creep));
    command_write("sum.yaml", sum, strlen(sum));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pages_change_on_purpose_only)};
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
