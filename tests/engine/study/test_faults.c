/* SPDX-License-Identifier: MIT */
/* Mistakes in experiments: each is reported once, at its place, in these words, with this hint. */
#include "support/command.h"
#include "support/harness.h"

#include "study/experiment.h"

#include <stdio.h>
#include <string.h>

#define HEAD "thalweg-experiment: 1\nrecipe: r.yaml\n"
#define SEEDS "seeds: [1]\n"
#define MEASURE "measure: [s.mean]\n"
#define VARIANTS "variants: {soft: {}, hard: {}}\n"
#define RUNS(lines) HEAD SEEDS MEASURE lines
#define PLAIN(lines) HEAD SEEDS MEASURE VARIANTS lines
#define SEEDED(lines) HEAD MEASURE VARIANTS lines
#define MEASURED(lines) HEAD SEEDS VARIANTS lines
#define MATRIX(entries) RUNS("matrix: {" entries "}\n")
#define PLAN(entries) RUNS("sensitivity: {" entries "}\n")
#define TUNE(entries) HEAD "seeds: [1, 2]\n" MEASURE "tune: {" entries "}\n"
#define TUNED "params: {x: [0, 1]}, goal: {s.mean: 1}"

#define NO_MEASURE                                                                                 \
    "a measure is a field of a record output, as in score.game, something of a map, as in "        \
    "height.mean, seconds, or a formula over those before it, as in {good: score.game / "          \
    "score.erosion}"
#define NO_COUNT "a run of seeds needs count:, as in {from: 1, count: 100}"
#define BINS(output) "'" output ".histogram(0, 1, 100)', "

/* `found`: line:column: message, and in the next line the hint. */
static const struct row {
    const char *text, *found;
} rows[] = {
    {"thalweg: 1\nsize: 64\nnodes: {}\n",
     "1:1: this is a recipe; expected an experiment\n"
     "thalweg run runs recipes; an experiment begins with thalweg-experiment: 1"},
    /* the head */
    {"- 1\n", "1:1: an experiment is a list; expected a mapping"},
    {"recipe: r.yaml\n" SEEDS MEASURE VARIANTS,
     "1:1: an experiment starts with 'thalweg-experiment: 1'"},
    {"thalweg-experiment: [1]\nrecipe: r.yaml\n" SEEDS MEASURE VARIANTS,
     "1:21: an experiment starts with 'thalweg-experiment: 1'"},
    {"thalweg-experiment: 2\nrecipe: r.yaml\n" SEEDS MEASURE VARIANTS,
     "1:21: an experiment starts with 'thalweg-experiment: 1'"},
    {PLAIN("basline: soft\n"), "6:1: an experiment has no key 'basline'\n"
                               "did you mean 'baseline'?"},
    {SEEDED(""), "1:1: an experiment needs seeds:, as in {from: 1, count: 100}"},
    {MEASURED(""), "1:1: an experiment needs measure:, as in [score.game]"},
    {"thalweg-experiment: 1\n" SEEDS MEASURE VARIANTS, "1:1: an experiment needs recipe:"},
    {"thalweg-experiment: 1\nrecipe: [r.yaml]\n" SEEDS MEASURE VARIANTS,
     "2:9: recipe is a list; expected one value"},
    {"thalweg-experiment: 1\nrecipe: parts/aux.yaml\n" SEEDS MEASURE VARIANTS,
     "2:15: a recipe is 'parts/aux.yaml', where 'aux' is a device on Windows, with any ending; "
     "expected another name"},
    {RUNS("variants: {soft: {recipe: 'r.'}}\n"),
     "5:29: a recipe is 'r.', with '.' at the end of a name, which Windows drops; expected another "
     "end"},
    {"thalweg-experiment: 1\nrecipe: /r.yaml\n" SEEDS MEASURE VARIANTS,
     "2:9: /r.yaml lies outside the recipe's folder\n"
     "--allow-path DIR lets recipes read files below DIR"},
    {RUNS(""), "1:1: an experiment needs variants:, matrix:, sensitivity: or tune:"},
    {PLAIN("size: [8]\n"), "6:7: size is [8]; expected a whole number of cells from 1 to 65536"},
    {PLAIN("size: eight\n"),
     "6:7: size is 'eight'; expected a whole number of cells from 1 to 65536"},
    {PLAIN("size: 0\n"), "6:7: size is 0; expected a whole number of cells from 1 to 65536"},
    {PLAIN("size: 65537\n"),
     "6:7: size is 65537; expected a whole number of cells from 1 to 65536"},
    {PLAIN("size: 8.5\n"), "6:7: size is 8.5; expected a whole number of cells from 1 to 65536"},
    {PLAIN("times: [3]\n"), "6:8: times is [3]; expected a number of runs from 1 to 1000"},
    {PLAIN("times: some\n"), "6:8: times is 'some'; expected a number of runs from 1 to 1000"},
    {PLAIN("times: 0\n"), "6:8: times is 0; expected a number of runs from 1 to 1000"},
    {PLAIN("times: 1001\n"), "6:8: times is 1001; expected a number of runs from 1 to 1000"},
    {PLAIN("picture: [height]\n"), "6:10: picture is a list; expected one value"},
    {PLAIN("about: [height]\n"), "6:8: about is a list; expected one value"},
    {PLAIN("baseline: [soft]\n"), "6:11: baseline is a list; expected one value"},
    {PLAIN("baseline: sotf\n"),
     "6:11: baseline is 'sotf'; expected the name of a variant\ndid you mean 'soft'?"},

    /* seeds */
    {SEEDED("seeds: 3\n"),
     "5:8: seeds is 3; expected a list, or a run as in {from: 1, count: 100}"},
    {SEEDED("seeds: []\n"), "5:8: there are 0 seeds; expected 1 to 10000000"},
    {SEEDED("seeds: [1, two]\n"),
     "5:12: a seed is 'two'; expected a whole number from 0 to 2^64 - 1"},
    {SEEDED("seeds: [1, [2]]\n"),
     "5:12: a seed is [2]; expected a whole number from 0 to 2^64 - 1"},
    {SEEDED("seeds: [1, 2, 4, 2, 1]\n"), "5:21: seed 1 is listed twice; expected each once: the "
                                         "same map again is not a further sample"},
    {SEEDED("seeds: {from: 1}\n"), "5:8: " NO_COUNT},
    {SEEDED("seeds: {count: [1]}\n"), "5:16: " NO_COUNT},
    {SEEDED("seeds: {count: two}\n"), "5:16: " NO_COUNT},
    {SEEDED("seeds: {count: 0}\n"), "5:16: there are 0 seeds; expected 1 to 10000000"},
    {SEEDED("seeds: {count: 10000001}\n"),
     "5:16: there are 10000001 seeds; expected 1 to 10000000"},
    {SEEDED("seeds: {from: -1, count: 2}\n"),
     "5:15: a seed is -1; expected a whole number from 0 to 2^64 - 1"},
    {SEEDED("seeds: {from: [1], count: 2}\n"),
     "5:15: a seed is [1]; expected a whole number from 0 to 2^64 - 1"},
    {SEEDED("seeds: {form: 1, count: 2}\n"), "5:9: seeds has no key 'form'\n"
                                             "did you mean 'from'?"},
    {SEEDED("seeds: {from: 18446744073709551615, count: 2}\n"),
     "5:8: seeds go from 18446744073709551615 past 2^64 - 1; expected at most 1 of them"},

    /* measures */
    {MEASURED("measure: s.mean\n"), "5:10: measure is a single value; expected a list"},
    {MEASURED("measure: []\n"), "5:10: nothing is measured"},
    {MEASURED("measure: [[s.mean]]\n"), "5:11: " NO_MEASURE},
    {MEASURED("measure: [second]\n"), "5:11: " NO_MEASURE},
    {MEASURED("measure: [.mean]\n"), "5:11: " NO_MEASURE},
    {MEASURED("measure: [s.]\n"), "5:11: " NO_MEASURE},
    {MEASURED("measure: [S.mean]\n"), "5:11: " NO_MEASURE},
    {MEASURED("measure: ['s.quantile(0.5']\n"), "5:11: " NO_MEASURE},
    {MEASURED("measure: [s.mean, s.share(0, 1), none]\n"),
     "5:19: a measure is 's.share(0', where '(' is not closed\n"
     "a ',' ends an entry of a list; expected quotes, as in \"height.share(0, 1)\"\n"
     "5:34: " NO_MEASURE},
    {MEASURED("measure: ['s.quantile(0.5) ']\n"), "5:11: " NO_MEASURE},
    {MEASURED("measure: [{a: s.mean, b: s.max}]\n"), "5:11: " NO_MEASURE},
    {MEASURED("measure: [{a: [s.mean]}]\n"), "5:11: " NO_MEASURE},
    {MEASURED("measure: [s.mean, {twice: 2 * s_mean}]\n"),
     "5:31: 's_mean' is not measured before this; expected the name of a measure above\n"
     "did you mean 's.mean'?"},
    {MEASURED("measure: [s.mean, {half: s.mena / 2}]\n"),
     "5:26: 's.mena' is not measured before this; expected the name of a measure above\n"
     "did you mean 's.mean'?"},
    {MEASURED("measure: [{late: 2 * s.mean}, s.mean]\n"),
     "5:22: 's.mean' is not measured before this; expected the name of a measure above"},
    {MEASURED("measure: [s.mean, {open: (s.mean}]\n"),
     "5:26: this '(' is not closed; expected a ')'"},
    {MEASURED("measure: ['h.histogram(1, 0, 3)']\n"),
     "5:11: a measure is 'h.histogram(1, 0, 3)'; expected histogram(LOW, HIGH, BINS) with LOW "
     "below HIGH and 1 to 100 bins"},
    {MEASURED("measure: ['h.histogram(1, 1, 3)']\n"),
     "5:11: a measure is 'h.histogram(1, 1, 3)'; expected histogram(LOW, HIGH, BINS) with LOW "
     "below HIGH and 1 to 100 bins"},
    {MEASURED("measure: ['h.histogram(0, 1, 0)']\n"),
     "5:11: a measure is 'h.histogram(0, 1, 0)'; expected histogram(LOW, HIGH, BINS) with LOW "
     "below HIGH and 1 to 100 bins"},
    {MEASURED("measure: ['h.histogram(0, 1, 1e300)']\n"),
     "5:11: a measure is 'h.histogram(0, 1, 1e300)'; expected histogram(LOW, HIGH, BINS) with "
     "LOW below HIGH and 1 to 100 bins"},
    {MEASURED("measure: ['h.histogram(0, 1, 101)']\n"),
     "5:11: a measure is 'h.histogram(0, 1, 101)'; expected histogram(LOW, HIGH, BINS) with "
     "LOW below HIGH and 1 to 100 bins"},
    {MEASURED("measure: ['h.slope.histogram(0, 1, 2.5)']\n"),
     "5:11: a measure is 'h.slope.histogram(0, 1, 2.5)'; expected histogram(LOW, HIGH, BINS) "
     "with LOW below HIGH and 1 to 100 bins"},
    {MEASURED("measure: ['h.histogram(0, 1)']\n"),
     "5:11: a measure is 'h.histogram(0, 1)'; expected histogram(LOW, HIGH, BINS) with LOW "
     "below HIGH and 1 to 100 bins"},
    {MEASURED("measure: ['h.histogram(0, 1, 2, 3)']\n"),
     "5:11: a measure is 'h.histogram(0, 1, 2, 3)'; expected histogram(LOW, HIGH, BINS) with "
     "LOW below HIGH and 1 to 100 bins"},
    {MEASURED("measure: ['h.histogram(low, 1, 2)']\n"),
     "5:11: a measure is 'h.histogram(low, 1, 2)'; expected histogram(LOW, HIGH, BINS) with "
     "LOW below HIGH and 1 to 100 bins"},
    {MEASURED("measure: ['h.histogram(']\n"),
     "5:11: a measure is 'h.histogram('; expected histogram(LOW, HIGH, BINS) with LOW below "
     "HIGH and 1 to 100 bins"},
    {MEASURED("measure: ['h.histogram(0, 1, 2']\n"),
     "5:11: a measure is 'h.histogram(0, 1, 2'; expected histogram(LOW, HIGH, BINS) with LOW "
     "below HIGH and 1 to 100 bins"},
    {MEASURED("measure: [" BINS("a") BINS("b") BINS("c") BINS("d") BINS("e") BINS("f") BINS("g")
                  BINS("h") BINS("i") BINS("j") "s.mean]\n"),
     "5:10: more than 1000 measures"},
    {PLAIN("goal: up\n"), "6:7: goal is a single value; expected a mapping"},
    {PLAIN("goal: {s.mena: up}\n"),
     "6:8: 's.mena' is not measured; expected the name of a measure\n"
     "did you mean 's.mean'?"},
    {PLAIN("goal: {s.mean: left}\n"), "6:16: goal of s.mean is 'left'; expected up or down"},
    {PLAIN("goal: {s.mean: [up]}\n"), "6:16: goal of s.mean is [up]; expected up or down"},
    {SEEDED("baseline: soft\nseeds: {count: 2, until: 3}\n"),
     "6:26: until is a single value; expected a mapping"},
    {SEEDED("seeds: {count: 2, until: {s.mean: 3}}\n"),
     "5:26: until: is about differences to the baseline, and there is none"},
    {SEEDED("baseline: sotf\nseeds: {count: 2, until: {s.mean: 3}}\n"),
     "5:11: baseline is 'sotf'; expected the name of a variant\ndid you mean 'soft'?"},
    {SEEDED("baseline: soft\nseeds: {count: 2, until: {s.mena: 3}}\n"),
     "6:27: 's.mena' is not measured; expected the name of a measure\n"
     "did you mean 's.mean'?"},
    {SEEDED("baseline: soft\nseeds: {count: 2, until: {s.mean: 0}}\n"),
     "6:35: until of s.mean is 0; expected the width of an interval, above 0"},
    {SEEDED("baseline: soft\nseeds: {count: 2, until: {s.mean: [3]}}\n"),
     "6:35: until of s.mean is [3]; expected the width of an interval, above 0"},
    {SEEDED("baseline: soft\nseeds: {count: 2, until: {s.mean: soon}}\n"),
     "6:35: until of s.mean is 'soon'; expected the width of an interval, above 0"},
    {PLAIN("assert: 3\n"), "6:9: assert is a single value; expected a mapping"},
    {PLAIN("assert: {}\n"), "6:9: nothing is asserted; expected measures, as in "
                            "{score.game: {mean: {min: 0.5}}}"},
    {PLAIN("assert: {s.mean: {}}\n"),
     "6:18: nothing is asserted; expected a statistic, as in {mean: {min: 0.5}}"},
    {PLAIN("assert: {s.mean: {mean: {}}}\n"),
     "6:25: nothing is asserted; expected a limit, as in {min: 0.5}"},
    {PLAIN("assert: {s.mean: {mean: {min: 5, max: 1}}}\n"),
     "6:19: at least 5 and at most 1 is asserted; no result is both"},
    {PLAIN("assert: {s.mean: {min: 5, max: 1}}\n"),
     "6:27: at least 5 and at most 1 is asserted; no result is both"},
    {RUNS("variants: {soft: {assert: {}}}\n"),
     "5:27: nothing is asserted; expected measures, as in {score.game: {mean: {min: 0.5}}}"},
    {PLAIN("assert: {s.mena: {mean: {min: 1}}}\n"),
     "6:10: 's.mena' is not measured; expected the name of a measure\n"
     "did you mean 's.mean'?"},
    {PLAIN("assert: {s.mean: 3}\n"), "6:18: s.mean is a single value; expected a mapping"},
    {PLAIN("assert: {s.mean: {median: {min: 1}}}\n"),
     "6:19: 'median' is not a statistic; expected mean, deviation, min or max"},
    {PLAIN("assert: {s.mean: {mean: 1}}\n"), "6:25: mean is a single value; expected a mapping"},
    {PLAIN("assert: {s.mean: {mean: {mim: 1}}}\n"), "6:26: an assertion has no key 'mim'\n"
                                                    "did you mean 'min'?"},
    {PLAIN("assert: {s.mean: {mean: {min: low}}}\n"), "6:31: min is 'low'; expected a number"},
    {PLAIN("assert: {s.mean: {mean: {min: 1, max: [2]}}}\n"),
     "6:39: max is [2]; expected a number"},

    /* variants */
    {RUNS("variants: 3\n"), "5:11: variants is a single value; expected a mapping"},
    {RUNS("variants: {}\n"), "5:11: an experiment needs at least one variant"},
    {RUNS("variants: {soft: 3}\n"), "5:18: soft is a single value; expected a mapping"},
    {RUNS("variants: {soft: {param: {x: 1}}}\n"), "5:19: a variant has no key 'param'\n"
                                                  "did you mean 'params'?"},
    {RUNS("variants: {soft: {params: 3}}\n"), "5:27: params is a single value; expected a mapping"},
    {RUNS("variants: {soft: {nodes: 3}}\n"), "5:26: nodes is a single value; expected a mapping"},
    {RUNS("variants: {soft: {recipe: [r.yaml]}}\n"), "5:27: recipe is a list; expected one value"},
    {RUNS("variants: {soft: {params: {x: [1]}}}\n"), "5:31: x is a list; expected one value"},
    {RUNS("variants: {soft: {sweep: x}}\n"),
     "5:26: sweep is 'x'; expected one parameter with a list of its values"},
    {RUNS("variants: {soft: {sweep: {}}}\n"),
     "5:26: sweep is a mapping; expected one parameter with a list of its values"},
    {RUNS("variants: {soft: {sweep: {x: [1], y: [2]}}}\n"),
     "5:35: sweep has a second parameter, 'y'; expected one\n"
     "matrix: combines the values of several parameters"},
    {RUNS("variants: {soft: {sweep: {x: 1}}}\n"),
     "5:26: sweep is a mapping; expected one parameter with a list of its values"},
    {RUNS("variants: {soft: {sweep: {x: [1, [2]]}}}\n"), "5:34: x is a list; expected one value"},
    {RUNS("variants: {soft: {sweep: {x: []}}}\n"),
     "5:30: parameter x is []; expected at least one value"},
    {RUNS("variants: {soft: {sweep: {x: [1, 1]}}}\n"), "5:34: parameter x: 1 is listed twice"},
    {RUNS("variants: {soft: {sweep: {x: [0, -0.0]}}}\n"),
     "5:34: parameter x: -0.0 is the same number as 0"},
    {RUNS("variants: {soft: {sweep: {x: [1, 2]}, params: 3}}\n"),
     "5:47: params is a single value; expected a mapping"},

    /* a matrix */
    {RUNS("matrix: 3\n"), "5:9: matrix is a single value; expected a mapping"},
    {RUNS("matrix: {}\n"), "5:9: matrix: names no parameter"},
    {MATRIX("x: 3"),
     "5:13: parameter x is 3; expected a list of values, or a range as in {from: 0, to: 1, "
     "steps: 5}"},
    {MATRIX("x: []"), "5:13: parameter x is []; expected at least one value"},
    {MATRIX("x: [1, [2]]"), "5:17: x is a list; expected one value"},
    {MATRIX("x: [1, 2, 1]"), "5:20: parameter x: 1 is listed twice"},
    {MATRIX("x: [1e0, 2, 1.0, 1]"), "5:22: parameter x: 1.0 is the same number as 1e0"},
    {MATRIX("x: [a, b, a]"), "5:20: parameter x: a is listed twice"},
    {MATRIX("x: {from: 0, to: 1}"),
     "5:13: parameter x: a range needs steps:, or draws: in the matrix"},
    {MATRIX("x: {from: 0, to: 1, step: 3}"),
     "5:30: a range has no key 'step'\n"
     "did you mean 'steps'?\n"
     "5:13: parameter x: a range needs steps:, or draws: in the matrix"},
    {MATRIX("x: {from: 1, to: 0, steps: 3}"),
     "5:13: parameter x is a mapping; expected two numbers, the smaller first, as in {from: 0, "
     "to: 1}, whose difference is finite"},
    {MATRIX("x: {from: 1, to: 1, steps: 3}"),
     "5:13: parameter x is a mapping; expected two numbers, the smaller first, as in {from: 0, "
     "to: 1}, whose difference is finite"},
    {MATRIX("x: {from: [0], to: 1, steps: 3}"),
     "5:13: parameter x is a mapping; expected two numbers, the smaller first, as in {from: 0, "
     "to: 1}, whose difference is finite"},
    {MATRIX("x: {from: 0, to: one, steps: 3}"),
     "5:13: parameter x is a mapping; expected two numbers, the smaller first, as in {from: 0, "
     "to: 1}, whose difference is finite"},
    {MATRIX("x: {from: -1e308, to: 1e308, steps: 3}"),
     "5:13: parameter x is a mapping; expected two numbers, the smaller first, as in {from: 0, "
     "to: 1}, whose difference is finite"},
    {MATRIX("x: {to: 1, steps: 3}"),
     "5:13: parameter x is a mapping; expected two numbers, the smaller first, as in {from: 0, "
     "to: 1}, whose difference is finite"},
    {MATRIX("x: {from: 0, to: 1, steps: 1}"),
     "5:37: steps of parameter x is 1; expected a whole number from 2 to 10000"},
    {MATRIX("x: {from: 0, to: 1, steps: 10001}"),
     "5:37: steps of parameter x is 10001; expected a whole number from 2 to 10000"},
    {MATRIX("x: {from: 0, to: 1, steps: [3]}"),
     "5:37: steps of parameter x is [3]; expected a whole number from 2 to 10000"},
    {MATRIX("x: {from: 0, to: 1, steps: few}"),
     "5:37: steps of parameter x is 'few'; expected a whole number from 2 to 10000"},
    {MATRIX("x: {from: 0, to: 9, steps: 10, whole: yes}"),
     "5:48: whole of parameter x is 'yes'; expected true or false"},
    {MATRIX("x: {from: 0, to: 9, steps: 10, whole: [true]}"),
     "5:48: whole of parameter x is [true]; expected true or false"},
    {MATRIX("x: {from: 0.5, to: 9, steps: 10, whole: true}"),
     "5:13: parameter x is a mapping; expected whole ends of a range of whole numbers"},
    {MATRIX("x: {from: 0, to: 9.5, steps: 10, whole: true}"),
     "5:13: parameter x is a mapping; expected whole ends of a range of whole numbers"},
    {MATRIX("x: {from: 0, to: 1, steps: 101}, y: {from: 0, to: 1, steps: 100}"),
     "5:9: a matrix of more than 10000 combinations"},
    {MATRIX("x: {from: 0, to: 1}, y: {from: 0, to: 1, steps: 100}, draws: {sobol: 101}"),
     "5:9: a matrix of more than 10000 combinations"},
    {MATRIX("a: [1], b: [1], c: [1], d: [1], e: [1], f: [1], g: [1], h: [1], i: [1], j: [1], "
            "k: [1], l: [1], m: [1], n: [1], o: [1], p: [1], q: [1]"),
     "5:138: more than 16 parameters"},
    {MATRIX("x: {from: 0, to: 1}, draws: 3"), "5:38: draws is a single value; expected a mapping"},
    {MATRIX("x: {from: 0, to: 1}, draws: {}"),
     "5:38: draws is a mapping; expected {random: N} or {sobol: N}, N from 1 to 10000"},
    {MATRIX("x: {from: 0, to: 1}, draws: {soble: 3, random: 3}"), "5:39: draws has no key 'soble'\n"
                                                                  "did you mean 'sobol'?"},
    {MATRIX("x: {from: 0, to: 1}, draws: {sobol: 3, random: 3}"),
     "5:38: draws is a mapping; expected {random: N} or {sobol: N}, N from 1 to 10000"},
    {MATRIX("x: {from: 0, to: 1}, draws: {sobol: 0}"),
     "5:38: draws is a mapping; expected {random: N} or {sobol: N}, N from 1 to 10000"},
    {MATRIX("x: {from: 0, to: 1}, draws: {sobol: 10001}"),
     "5:38: draws is a mapping; expected {random: N} or {sobol: N}, N from 1 to 10000"},
    {MATRIX("x: {from: 0, to: 1}, draws: {random: [3]}"),
     "5:38: draws is a mapping; expected {random: N} or {sobol: N}, N from 1 to 10000"},
    {MATRIX("x: {from: 0, to: 1}, draws: {random: some}"),
     "5:38: draws is a mapping; expected {random: N} or {sobol: N}, N from 1 to 10000"},
    {MATRIX("x: {from: 0, to: 1}, draws: {sobol: 3, seed: 1}"),
     "5:55: seed is 1; expected a whole number with random, none with sobol"},
    {MATRIX("x: {from: 0, to: 1}, draws: {random: 3, seed: [1]}"),
     "5:56: seed is [1]; expected a whole number with random, none with sobol"},
    {MATRIX("x: {from: 0, to: 1}, draws: {random: 3, seed: one}"),
     "5:56: seed is 'one'; expected a whole number with random, none with sobol"},
    {MATRIX("x: [1, 2], draws: {random: 3}"), "5:9: draws: needs a range without steps"},
    {MATRIX("x: [1, 2], exclude: 3"), "5:30: exclude is a single value; expected a list"},
    {MATRIX("x: [1, 2], exclude: [3]"), "5:31: exclude is a single value; expected a mapping"},
    {MATRIX("x: [1, 2], exclude: [{x: [1]}]"), "5:35: x is a list; expected one value"},
    {MATRIX("size: [1, 2], exclude: [{sise: 1}]"), "5:35: 'sise' is not a parameter of the matrix\n"
                                                   "did you mean 'size'?"},
    {MATRIX("x: [1, 2], exclude: [{x: 3}]"), "5:31: exclude: no combination has these values"},
    {MATRIX("x: [1, 2], include: 3"), "5:30: include is a single value; expected a list"},
    {MATRIX("x: [1, 2], include: [{x: 1, y: [2]}]"), "5:41: y is a list; expected one value"},
    {MATRIX("x: [1, 2], include: [{a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1, "
            "k: 1, l: 1, m: 1, n: 1, o: 1, p: 1, q: 1, r: 1, s: 1, t: 1, u: 1, v: 1, w: 1, y: 1}]"),
     "5:31: more than 24 parameters with the matrix's"},
    {MATRIX("x: [1, 2], include: [{a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1, "
            "k: 1, l: 1}, {m: 1, n: 1, o: 1, p: 1, q: 1, r: 1, s: 1, t: 1, u: 1, v: 1, w: 1, "
            "y: 1}]"),
     "5:172: more than 24 parameters with those of other entries that match"},

    /* a plan */
    {RUNS("sensitivity: 3\n"), "5:14: sensitivity is a single value; expected a mapping"},
    {PLAN("morris: 4"),
     "5:14: sensitivity needs params: with 1 to 32 ranges, as in {talus: [2, 40]}"},
    {PLAN("params: 3, morris: 4"),
     "5:23: sensitivity needs params: with 1 to 32 ranges, as in {talus: [2, 40]}"},
    {PLAN("params: {}, morris: 4"),
     "5:23: sensitivity needs params: with 1 to 32 ranges, as in {talus: [2, 40]}"},
    {PLAN("params: {x: 3}, morris: 4"), "5:27: parameter x is 3; expected a range, as in [2, 40]"},
    {PLAN("params: {x: [0]}, morris: 4"),
     "5:27: parameter x is [0]; expected a range, as in [2, 40]"},
    {PLAN("params: {x: [0, 1, 2]}, morris: 4"),
     "5:27: parameter x is [0, 1, 2]; expected a range, as in [2, 40]"},
    {PLAN("params: {x: []}, morris: 4"),
     "5:27: parameter x is []; expected a range, as in [2, 40]"},
    {PLAN("params: {x: [1, 0]}, morris: 4"),
     "5:27: parameter x is [1, 0]; expected two numbers, the smaller first, as in {from: 0, "
     "to: 1}, whose difference is finite"},
    {PLAN("params: {x: {from: 0, to: 1, steps: 3}}, morris: 4"),
     "5:44: a range has no key 'steps'\n"
     "known: from, to, whole"},
    {PLAN("params: {x: [0, 1]}, moris: 4, curves: 3"), "5:36: sensitivity has no key 'moris'\n"
                                                       "did you mean 'morris'?"},
    {PLAN("params: {x: [0, 1]}"),
     "5:14: sensitivity plans no runs; expected morris: 20, indices: 512 or curves: 9"},
    {PLAN("params: {x: [0, 1]}, morris: 1"),
     "5:44: morris is 1; expected a whole number from 2 to 500"},
    {PLAN("params: {x: [0, 1]}, morris: [4]"),
     "5:44: morris is [4]; expected a whole number from 2 to 500"},
    {PLAN("params: {x: [0, 1]}, morris: many"),
     "5:44: morris is 'many'; expected a whole number from 2 to 500"},
    {PLAN("params: {x: [0, 1]}, morris: 501"),
     "5:44: morris is 501; expected a whole number from 2 to 500"},
    {PLAN("params: {x: [0, 1]}, morris: 4, levels: 1"),
     "5:55: levels is 1; expected a whole number from 2 to 100"},
    {PLAN("params: {x: [0, 1]}, morris: 4, levels: 101"),
     "5:55: levels is 101; expected a whole number from 2 to 100"},
    {PLAN("params: {x: [0, 1]}, morris: 4, levels: 5"),
     "5:14: levels is 5; expected an even number"},
    {PLAN("params: {x: [0, 1]}, curves: 1"),
     "5:44: curves is 1; expected a whole number from 2 to 500"},
    {PLAN("params: {x: [0, 1]}, curves: 501"),
     "5:44: curves is 501; expected a whole number from 2 to 500"},
    {PLAN("params: {a: [0, 1], b: [0, 1], c: [0, 1], d: [0, 1], e: [0, 1], f: [0, 1], g: [0, 1], "
          "h: [0, 1], i: [0, 1], j: [0, 1], k: [0, 1], l: [0, 1], m: [0, 1], n: [0, 1], o: [0, 1], "
          "p: [0, 1]}, morris: 500, curves: 500"),
     "5:14: more than 10000 variants"},

    /* tuning */
    {RUNS("tune: 3\n"), "5:7: tune is a single value; expected a mapping"},
    {TUNE("goal: {s.mean: 1}, budget: 9"),
     "5:7: tune needs params: with 1 to 16 ranges, as in {talus: [2, 40]}"},
    {TUNE("params: {x: [0, 1]}, budget: 9"),
     "5:7: tune needs goal:, as in {score.game: 0.8} or {score.game: maximise}"},
    {TUNE("params: {x: [0, 1]}, goal: 1, budget: 9"),
     "5:35: tune needs goal:, as in {score.game: 0.8} or {score.game: maximise}"},
    {TUNE("params: {x: [0, 1]}, goal: {}, budget: 9"),
     "5:35: tune needs goal:, as in {score.game: 0.8} or {score.game: maximise}"},
    {TUNE("params: {x: [0, 1]}, goal: {s.mena: 1}, budget: 9"),
     "5:36: 's.mena' is not measured; expected the name of a measure\n"
     "did you mean 's.mean'?"},
    {TUNE("params: {x: [0, 1]}, goal: {s.mean: [1]}, budget: 9"),
     "5:44: goal of s.mean is [1]; expected a number, maximise or minimise, or a "
     "constraint as in {min: 0.9}, {max: 2}, {near: 2.4, within: 5 %} or {near: baseline}"},
    {TUNE("params: {x: [0, 1]}, goal: {s.mean: high}, budget: 9"),
     "5:44: goal of s.mean is 'high'; expected a number, maximise or minimise, or a "
     "constraint as in {min: 0.9}, {max: 2}, {near: 2.4, within: 5 %} or {near: baseline}"},
    {HEAD SEEDS "measure: [s.mean, s.max]\ntune: {params: {x: [0, 1]}, "
                "goal: {s.max: minimise, s.mean: maximise}, budget: 9}\n",
     "5:61: goal: a second measure to maximise or minimise; expected one, subject to constraints "
     "as in {min: 0.9}"},
    {TUNE(TUNED ", budget: 9") "times: 2\n",
     "6:8: times: is about variants, and there are none; expected variants: or matrix:"},
    {TUNE(TUNED ", budget: 9") "sizes: [8]\n",
     "6:8: sizes: is about variants, and there are none; expected variants: or matrix:"},
    {TUNE(TUNED ", budget: 9, assert: 3"), "5:67: assert is 3; expected true or false"},
    {TUNE(TUNED), "5:7: tune needs budget:, runs to spend, from 2 (the seeds) to 10000000"},
    {TUNE(TUNED ", budget: 1"),
     "5:56: tune needs budget:, runs to spend, from 2 (the seeds) to 10000000"},
    {TUNE(TUNED ", budget: [9]"),
     "5:56: tune needs budget:, runs to spend, from 2 (the seeds) to 10000000"},
    {TUNE(TUNED ", budget: much"),
     "5:56: tune needs budget:, runs to spend, from 2 (the seeds) to 10000000"},
    {TUNE(TUNED ", budget: 10000001"),
     "5:56: tune needs budget:, runs to spend, from 2 (the seeds) to 10000000"},
    {TUNE(TUNED ", budget: 9, seed: [1]"), "5:65: seed is [1]; expected a whole number"},
    {TUNE(TUNED ", budget: 9, seed: one"), "5:65: seed is 'one'; expected a whole number"},
    {TUNE(TUNED ", budget: 9, seeds: 1"), "5:59: tune has no key 'seeds'\n"
                                          "did you mean 'seed'?"},
};

/* What is allowed, up to its ends. */
static const char *const allowed[] = {
    PLAIN("about: a pair\n"),
    PLAIN("size: 1\n"),
    PLAIN("size: 65536\n"),
    PLAIN("times: 1\n"),
    PLAIN("times: 1000\n"),
    SEEDED("seeds: [0, 18446744073709551615]\n"),
    SEEDED("seeds: {count: 1}\n"),
    SEEDED("seeds: {from: 0, count: 10000000}\n"),
    SEEDED("seeds: {from: 18446744073709551615, count: 1}\n"),
    SEEDED("seeds: {from: 18446744073709551614, count: 2}\n"),
    MEASURED("measure: [seconds, {long: seconds}]\n"),
    MEASURED("measure: ['h.histogram(0, 1, 1)', 'h.slope.histogram(0, 1, 100)']\n"),
    MEASURED("measure: [" BINS("a") BINS("b") BINS("c") BINS("d") BINS("e") BINS("f") BINS("g")
                 BINS("h") BINS("i") "'j.histogram(0, 1, 100)']\n"),
    PLAIN("goal: {s.mean: up}\nassert: {s.mean: {mean: {min: -1}, deviation: {max: 1}}}\n"),
    MATRIX("x: {from: 0, to: 1, steps: 2}"),
    MATRIX("x: {from: 0, to: 9999, steps: 10000}"),
    MATRIX("x: {from: 0, to: 99, steps: 100}, y: {from: 0, to: 99, steps: 100}"),
    MATRIX("x: {from: 0, to: 1}, y: {from: 0, to: 99, steps: 100}, draws: {sobol: 100}"),
    MATRIX("x: {from: 0, to: 1}, draws: {sobol: 1}"),
    MATRIX("x: {from: 0, to: 1}, draws: {random: 10000, seed: 18446744073709551615}"),
    MATRIX("a: {from: 0, to: 1}, b: {from: 0, to: 1}, c: {from: 0, to: 1}, d: {from: 0, to: 1}, e: "
           "{from: 0, to: 1}, f: {from: 0, to: 1}, g: {from: 0, to: 1}, h: {from: 0, to: 1}, i: "
           "{from: 0, to: 1}, j: {from: 0, to: 1}, k: {from: 0, to: 1}, l: {from: 0, to: 1}, m: "
           "{from: 0, to: 1}, n: {from: 0, to: 1}, o: {from: 0, to: 1}, p: {from: 0, to: 1}, "
           "draws: {sobol: 2}"),
    MATRIX("x: [1, 2], include: [{a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1, "
           "k: 1, l: 1, m: 1, n: 1, o: 1, p: 1, q: 1, r: 1, s: 1, t: 1, u: 1, v: 1, w: 1}]"),
    PLAN("params: {a: [0, 1], b: [0, 1], c: [0, 1], d: [0, 1], e: [0, 1], f: [0, 1], g: [0, 1], h: "
         "[0, 1], i: [0, 1], j: [0, 1], k: [0, 1], l: [0, 1], m: [0, 1], n: [0, 1], o: [0, 1], p: "
         "[0, 1]}, morris: 2"),
    PLAN("params: {x: [0, 1]}, morris: 500, levels: 2, curves: 2"),
    PLAN("params: {x: [0, 1]}, curves: 500"),
    PLAN("params: {x: [0, 1]}, morris: 2, levels: 100"),
    TUNE("params: {a: [0, 1], b: [0, 1], c: [0, 1], d: [0, 1], e: [0, 1], f: [0, 1], g: [0, 1], h: "
         "[0, 1], i: [0, 1], j: [0, 1], k: [0, 1], l: [0, 1], m: [0, 1], n: [0, 1], o: [0, 1], p: "
         "[0, 1]}, goal: {s.mean: minimise}, budget: 2"),
    TUNE(TUNED ", budget: 10000000, seed: 0"),
};

static char found[4000];

static void collect(void *context, bool fault, const struct tw_error *error,
                    const char *source_line)
{
    size_t used = strlen(found);
    (void)context;
    (void)source_line;
    assert_true(fault);
    assert_int_equal(error->status, TW_RECIPE);
    snprintf(found + used, sizeof found - used, "%s%d:%d: %s%s%s", used ? "\n" : "",
             (int)error->line, (int)error->column, error->message, error->hint[0] ? "\n" : "",
             error->hint);
}

static void load(const char *text)
{
    const struct tw_load_options options = {.diagnostic = collect};
    struct tw_experiment *experiment = NULL;
    struct tw_error error = {.status = TW_OK};
    command_write("e.yaml", text, strlen(text));
    found[0] = 0;
    if (tw_experiment_load("e.yaml", &options, &experiment, &error) == TW_OK)
        snprintf(found, sizeof found, "no fault");
    tw_experiment_release(experiment);
}

static void every_mistake_gets_its_words(void **state)
{
    int wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        load(rows[i].text);
        if (strcmp(found, rows[i].found) == 0)
            continue;
        print_error("of\n%sexpected %s\nfound    %s\n", rows[i].text, rows[i].found, found);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void the_ends_of_what_is_allowed_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        load(allowed[i]);
        if (strcmp(found, "no fault") != 0)
            fail_msg("of\n%s%s", allowed[i], found);
    }
}

static int set_up(void **state)
{
    (void)state;
    command_enter();
    command_write("r.yaml", "", 0);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_mistake_gets_its_words),
                                       cmocka_unit_test(the_ends_of_what_is_allowed_are)};
    return cmocka_run_group_tests(tests, set_up, command_tear_down);
}
