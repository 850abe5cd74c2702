/* SPDX-License-Identifier: MIT */
/* What `thalweg compare` prints of small experiments, whole, but for what a run took: tables,
 * assertions, samples, seeds that fail, trials. */
#include "support/gate.h"

#define OF(recipe, seeds) "thalweg-experiment: 1\nrecipe: " recipe ".yaml\nseeds: " seeds "\n"
#define SUM OF("sum", "{from: 1, count: 3}") "measure: [stats.mean]\n"
#define PAIR SUM "variants: {plain: {}, more: {params: {a: 1}}}\nbaseline: plain\n"
#define NOISE(seeds)                                                                               \
    OF("noise", seeds)                                                                             \
    "measure: [height.mean, height.max]\n"                                                         \
    "variants: {plain: {}, twice: {params: {gain: 2}}}\nbaseline: plain\n"
#define CREEP                                                                                      \
    "variants: {slow: {}, fast: {params: {dt: 50}}, other: {nodes: {b: {type: erosion.creep, in: " \
    "m, dt: 60, substeps: one}}}}\n"

static const struct row {
    const char *text, *arguments; /* of e.yaml; after "compare e.yaml" */
    int code;
    const char *out, *err;
} rows[] = {
    {PAIR, "-q", 0,
     "e.yaml: 3 seeds from 1, 2 x 2 cells\n"
     "Too few seeds: 1 comparison needs at least 6 to show anything.\n"
     "\n"
     "stats.mean\n"
     "  variant        mean  deviation      95 % of the mean       paired            95 % of it\n"
     "  plain        0.0000     0.0000     0.0000     0.0000\n"
     "  more         1.0000     0.0000     1.0000     1.0000      +1.0000    +1.0000    +1.0000  "
     "too few\n"
     "\n"
     "paired: differences to plain with the same seed; the word: Wilcoxon's signed-rank test at 5 "
     "%, all comparisons together (Holm); intervals: each by itself\n"
     "\n"
     "variant    ",
     ""},
    {PAIR, "-q --markdown", 0,
     "**Nothing can be shown by 3 seeds.** \n"
     "\n"
     "Too few seeds: 1 comparison needs at least 6 to show anything.\n"
     "\n"
     "| variant | stats.mean |\n"
     "|---|---:|\n"
     "| plain (baseline) | 0 ± 0 |\n"
     "| more | … +1 [+1, +1] |\n"
     "\n"
     "3 seeds, 2 x 2 cells. Mean paired differences to the baseline with 95 % intervals, each by itself; of the "
     "baseline the mean. ▲ better, ▼ worse, ↑ higher, ↓ lower, ~ nothing shown, … too few seeds: "
     "Wilcoxon's signed-rank test at 5 %, all comparisons together (Holm).\n",
     ""},
    {PAIR, "-q --csv -", 0,
     "variant,seed,size,a,b,stats.mean\n"
     "plain,1,2,0,0,0\n"
     "more,1,2,1,0,1\n"
     "plain,2,2,0,0,0\n"
     "more,2,2,1,0,1\n"
     "plain,3,2,0,0,0\n"
     "more,3,2,1,0,1\n",
     ""},
    {PAIR, "-q --seeds 1", 0,
     "e.yaml: 1 seed from 1, 2 x 2 cells\n"
     "Too few seeds: 1 comparison needs at least 6 to show anything.\n"
     "\n"
     "stats.mean\n"
     "  variant        mean  deviation      95 % of the mean       paired            95 % of it\n"
     "  plain        0.0000          -          -          -\n"
     "  more         1.0000          -          -          -      +1.0000          -          -  "
     "too few\n"
     "\n"
     "paired: differences to plain with the same seed; the word: Wilcoxon's signed-rank test at 5 "
     "%, all comparisons together (Holm); intervals: each by itself\n"
     "\n"
     "variant    ",
     ""},
    {PAIR, "-q --seeds 8", 0,
     "e.yaml: 8 seeds from 1, 2 x 2 cells\n"
     "\n"
     "stats.mean\n"
     "  variant        mean  deviation      95 % of the mean       paired            95 % of it\n"
     "  plain        0.0000     0.0000     0.0000     0.0000\n"
     "  more         1.0000     0.0000     1.0000     1.0000      +1.0000    +1.0000    +1.0000  "
     "higher\n"
     "\n"
     "paired: differences to plain with the same seed; the word: Wilcoxon's signed-rank test at 5 "
     "%, all comparisons together (Holm); intervals: each by itself\n"
     "\n"
     "variant    ",
     ""},
    {PAIR, "-q --size 3x1", 0,
     "e.yaml: 3 seeds from 1, 3 x 1 cells\n"
     "Too few seeds: 1 comparison needs at least 6 to show anything.\n"
     "\n"
     "stats.mean\n"
     "  variant        mean  deviation      95 % of the mean       paired            95 % of it\n"
     "  plain        0.0000     0.0000     0.0000     0.0000\n"
     "  more         1.0000     0.0000     1.0000     1.0000      +1.0000    +1.0000    +1.0000  "
     "too few\n"
     "\n"
     "paired: differences to plain with the same seed; the word: Wilcoxon's signed-rank test at 5 "
     "%, all comparisons together (Holm); intervals: each by itself\n"
     "\n"
     "variant    ",
     ""},
    {PAIR "goal: {stats.mean: up}\n", "-q --seeds 8", 0,
     "e.yaml: 8 seeds from 1, 2 x 2 cells\n"
     "\n"
     "stats.mean\n"
     "  variant        mean  deviation      95 % of the mean       paired            95 % of it\n"
     "  plain        0.0000     0.0000     0.0000     0.0000\n"
     "  more         1.0000     0.0000     1.0000     1.0000      +1.0000    +1.0000    +1.0000  "
     "better\n"
     "\n"
     "paired: differences to plain with the same seed; the word: Wilcoxon's signed-rank test at 5 "
     "%, all comparisons together (Holm); intervals: each by itself\n"
     "\n"
     "variant    ",
     ""},
    {PAIR "goal: {stats.mean: down}\n", "-q --seeds 8 --markdown", 0,
     "**No variant is shown to score better than plain on stats.mean, 8 seeds; worse: more (+1 "
     "[+1, +1]).** \n"
     "\n"
     "| variant | stats.mean ↓ |\n"
     "|---|---:|\n"
     "| plain (baseline) | 0 ± 0 |\n"
     "| more | ▼ +1 [+1, +1] |\n"
     "\n"
     "8 seeds, 2 x 2 cells. Mean paired differences to the baseline with 95 % intervals, each by itself; of the "
     "baseline the mean. ▲ better, ▼ worse, ↑ higher, ↓ lower, ~ nothing shown, … too few seeds: "
     "Wilcoxon's signed-rank test at 5 %, all comparisons together (Holm).\n",
     ""},
    {PAIR "assert: {stats.mean: {mean: {min: 0.5}}}\n", "-q", 1,
     "e.yaml: 3 seeds from 1, 2 x 2 cells\n"
     "Too few seeds: 1 comparison needs at least 6 to show anything.\n"
     "\n"
     "stats.mean\n"
     "  variant        mean  deviation      95 % of the mean       paired            95 % of it\n"
     "  plain        0.0000     0.0000     0.0000     0.0000\n"
     "  more         1.0000     0.0000     1.0000     1.0000      +1.0000    +1.0000    +1.0000  "
     "too few\n"
     "\n"
     "paired: differences to plain with the same seed; the word: Wilcoxon's signed-rank test at 5 "
     "%, all comparisons together (Holm); intervals: each by itself\n"
     "\n"
     "variant    ",
     "e.yaml:7:23: error: variant plain: mean of stats.mean is 0; asserted is at least 0.5\n"
     "    assert: {stats.mean: {mean: {min: 0.5}}}\n"
     "                          ^\n"},
    {PAIR "assert: {stats.mean: {mean: {max: 0.5}, min: {max: -1}, max: {min: 2}, deviation: {min: "
          "0.25}}}\n",
     "-q", 1,
     "e.yaml: 3 seeds from 1, 2 x 2 cells\n"
     "Too few seeds: 1 comparison needs at least 6 to show anything.\n"
     "\n"
     "stats.mean\n"
     "  variant        mean  deviation      95 % of the mean       paired            95 % of it\n"
     "  plain        0.0000     0.0000     0.0000     0.0000\n"
     "  more         1.0000     0.0000     1.0000     1.0000      +1.0000    +1.0000    +1.0000  "
     "too few\n"
     "\n"
     "paired: differences to plain with the same seed; the word: Wilcoxon's signed-rank test at 5 "
     "%, all comparisons together (Holm); intervals: each by itself\n"
     "\n"
     "variant    ",
     "e.yaml:7:72: error: variant plain: deviation of stats.mean is 0; asserted is at least 0.25\n"
     "    assert: {stats.mean: {mean: {max: 0.5}, min: {max: -1}, max: {min: 2}, deviation: {min: "
     "0.25}}}\n"
     "                                                                           ^\n"
     "e.yaml:7:72: error: variant more: deviation of stats.mean is 0; asserted is at least 0.25\n"
     "    assert: {stats.mean: {mean: {max: 0.5}, min: {max: -1}, max: {min: 2}, deviation: {min: "
     "0.25}}}\n"
     "                                                                           ^\n"
     "e.yaml:7:57: error: variant plain: max of stats.mean is 0; asserted is at least 2\n"
     "    assert: {stats.mean: {mean: {max: 0.5}, min: {max: -1}, max: {min: 2}, deviation: {min: "
     "0.25}}}\n"
     "                                                            ^\n"
     "e.yaml:7:57: error: variant more: max of stats.mean is 1; asserted is at least 2\n"
     "    assert: {stats.mean: {mean: {max: 0.5}, min: {max: -1}, max: {min: 2}, deviation: {min: "
     "0.25}}}\n"
     "                                                            ^\n"
     "e.yaml:7:41: error: variant plain: min of stats.mean is 0; asserted is at most -1\n"
     "    assert: {stats.mean: {mean: {max: 0.5}, min: {max: -1}, max: {min: 2}, deviation: {min: "
     "0.25}}}\n"
     "                                            ^\n"
     "e.yaml:7:41: error: variant more: min of stats.mean is 1; asserted is at most -1\n"
     "    assert: {stats.mean: {mean: {max: 0.5}, min: {max: -1}, max: {min: 2}, deviation: {min: "
     "0.25}}}\n"
     "                                            ^\n"
     "e.yaml:7:23: error: variant more: mean of stats.mean is 1; asserted is at most 0.5\n"
     "    assert: {stats.mean: {mean: {max: 0.5}, min: {max: -1}, max: {min: 2}, deviation: {min: "
     "0.25}}}\n"
     "                          ^\n"},
    {SUM "variants: {plain: {assert: {stats.mean: {mean: {min: 1, max: 2}}}}, more: {}}\n", "-q", 1,
     "e.yaml: 3 seeds from 1, 2 x 2 cells\n"
     "\n"
     "stats.mean\n"
     "  variant        mean  deviation      95 % of the mean\n"
     "  plain        0.0000     0.0000     0.0000     0.0000\n"
     "  more         0.0000     0.0000     0.0000     0.0000\n"
     "\n"
     "variant    ",
     "e.yaml:5:42: error: variant plain: mean of stats.mean is 0; asserted is at least 1\n"
     "    variants: {plain: {assert: {stats.mean: {mean: {min: 1, max: 2}}}}, more: {}}\n"
     "                                             ^\n"},
    {NOISE("{from: 1, count: 8}"), "-q", 0,
     "e.yaml: 8 seeds from 1, 4 x 4 cells\n"
     "\n"
     "height.mean\n"
     "  variant        mean  deviation      95 % of the mean       paired            95 % of it\n"
     "  plain        0.4715     0.0476     0.4316     0.5113\n"
     "  twice        0.9429     0.0952     0.8633     1.0225      +0.4715    +0.4316    +0.5113  "
     "higher\n"
     "\n"
     "height.max\n"
     "  variant        mean  deviation      95 % of the mean       paired            95 % of it\n"
     "  plain        0.9409     0.0673     0.8846     0.9972\n"
     "  twice        1.8818     0.1346     1.7692     1.9943      +0.9409    +0.8846    +0.9972  "
     "higher\n"
     "\n"
     "paired: differences to plain with the same seed; the word: Wilcoxon's signed-rank test at 5 "
     "%, all comparisons together (Holm); intervals: each by itself\n"
     "\n"
     "variant    ",
     ""},
    {NOISE("{from: 1, count: 40, until: {height.mean: 0.5}}"), "-q", 0,
     "e.yaml: 9 seeds from 1, 4 x 4 cells\n"
     "Ended after 9 of 40 seeds: every interval is as narrow as until: says.\n"
     "\n"
     "height.mean\n"
     "  variant        mean  deviation      95 % of the mean       paired            95 % of it\n"
     "  plain        0.4694     0.0450     0.4348     0.5039\n"
     "  twice        0.9388     0.0899     0.8696     1.0079      +0.4694    +0.4348    +0.5039  "
     "higher\n"
     "\n"
     "height.max\n"
     "  variant        mean  deviation      95 % of the mean       paired            95 % of it\n"
     "  plain        0.9452     0.0643     0.8958     0.9946\n"
     "  twice        1.8903     0.1285     1.7916     1.9891      +0.9452    +0.8958    +0.9946  "
     "higher\n"
     "\n"
     "paired: differences to plain with the same seed; the word: Wilcoxon's signed-rank test at 5 "
     "%, all comparisons together (Holm); intervals: each by itself\n"
     "\n"
     "variant    ",
     ""},
    {NOISE("{from: 1, count: 4, until: {height.mean: 0.000001}}"), "-q --markdown", 0,
     "**Nothing can be shown by 4 seeds.** \n"
     "\n"
     "All 4 seeds ran and the interval of twice on height.mean is still 0.17 wide; until: says "
     "1e-06.\n"
     "\n"
     "Too few seeds: 2 comparisons need at least 7 to show anything.\n"
     "\n"
     "| variant | height.mean | height.max |\n"
     "|---|---:|---:|\n"
     "| plain (baseline) | 0.491 ± 0.085 | 0.9746 ± 0.055 |\n"
     "| twice | … +0.491 [+0.406, +0.576] | … +0.975 [+0.919, +1.03] |\n"
     "\n"
     "4 seeds, 4 x 4 cells. Mean paired differences to the baseline with 95 % intervals, each by itself; of the "
     "baseline the mean. ▲ better, ▼ worse, ↑ higher, ↓ lower, ~ nothing shown, … too few seeds: "
     "Wilcoxon's signed-rank test at 5 %, all comparisons together (Holm).\n",
     ""},
    {NOISE("[7, 5, 9]"), "-q --csv -", 0,
     "variant,seed,size,gain,height.mean,height.max\n"
     "plain,7,4,1,0.458227554,0.914068639\n"
     "twice,7,4,2,0.916455109,1.82813728\n"
     "plain,5,4,1,0.448375192,0.948108613\n"
     "twice,5,4,2,0.896750383,1.89621723\n"
     "plain,9,4,1,0.452766258,0.979394555\n"
     "twice,9,4,2,0.905532517,1.95878911\n",
     ""},
    {OF("noise", "[7]") "measure: ['height.histogram(0, 1, 3)']\nvariants: {v: {}}\n", "-q --csv -",
     0,
     "variant,seed,size,gain,\"height.share(0, 0.333333)\",\"height.share(0.333333, "
     "0.666667)\",\"height.share(0.666667, 1)\"\n"
     "v,7,4,1,0.3125,0.375,0.3125\n",
     ""},
    {OF("noise",
        "{from: 1, count: 4, until: {height.mean: 0.01}}") "measure: [height.mean]\n"
                                                           "variants: {plain: {}, twice: {params: "
                                                           "{gain: 2}}, same: {params: {gain: "
                                                           "2}}}\nbaseline: plain\n",
     "-q", 0,
     "e.yaml: 4 seeds from 1, 4 x 4 cells\n"
     "All 4 seeds ran and the interval of twice on height.mean is still 0.17 wide; until: says "
     "0.01.\n"
     "Too few seeds: 2 comparisons need at least 7 to show anything.\n"
     "\n"
     "height.mean\n"
     "  variant        mean  deviation      95 % of the mean       paired            95 % of it\n"
     "  plain        0.4910     0.0535     0.4059     0.5761\n"
     "  twice        0.9820     0.1070     0.8118     1.1523      +0.4910    +0.4059    +0.5761  "
     "too few\n"
     "  same         0.9820     0.1070     0.8118     1.1523      +0.4910    +0.4059    +0.5761  "
     "too few\n"
     "\n"
     "paired: differences to plain with the same seed; the word: Wilcoxon's signed-rank test at 5 "
     "%, all comparisons together (Holm); intervals: each by itself\n"
     "\n"
     "variant    ",
     ""},
    {OF("fails", "{from: 1, count: 3}") "measure: [stats.mean]\nvariants: {low: {}, high: {params: "
                                        "{value: 0.5}}}\n",
     "-q -j 1 --html p.html --picture-seed 4", 4,
     "e.yaml: 3 seeds from 1, 1 x 1 cells\n\n"
     "stats.mean\n  variant        mean  deviation      95 % of the mean\n"
     "  low          0.0064     0.0025     0.0002     0.0126\n"
     "  high         0.0257     0.0100     0.0008     0.0506\n\nvariant    ",
     "/fails.yaml:7:6: error: m: a height of 1e+38 to the power of 2 is beyond all heights\n"
     "      m: {type: shape.power, in: f, exponent: 2}\n         ^\n"
     "    there are no pictures of seed 4\n"},
    {SUM "matrix: {a: [0, 1], b: [0, 2]}\n", "-q", 0,
     "e.yaml: 3 seeds from 1, 2 x 2 cells\n"
     "\n"
     "stats.mean\n"
     "  variant        mean  deviation      95 % of the mean\n"
     "  a=0,b=0      0.0000     0.0000     0.0000     0.0000\n"
     "  a=0,b=2      4.0000     0.0000     4.0000     4.0000\n"
     "  a=1,b=0      1.0000     0.0000     1.0000     1.0000\n"
     "  a=1,b=2      5.0000     0.0000     5.0000     5.0000\n"
     "\n"
     "variant    ",
     ""},
    {OF("sum",
        "[1]") "measure: [stats.mean, {half: stats.mean / 2}, stats.none]\nvariants: {v: {}}\n",
     "-q", 3, "",
     "e.yaml:4:47: error: stats.none: the record 'stats' has no field 'none'\n"
     "    measure: [stats.mean, {half: stats.mean / 2}, stats.none]\n"
     "                                                  ^\n"
     "    known: min, max, mean, deviation, volume\n"},
    {OF("sum", "[1]") "measure: [stats.mean, {half: stats.mean / 2}, height.max, 'height.share(0, "
                      "1)']\nvariants: {v: {params: {b: 3}}}\n",
     "-q", 0,
     "e.yaml: 1 seed from 1, 2 x 2 cells\n"
     "\n"
     "stats.mean\n"
     "  variant        mean  deviation      95 % of the mean\n"
     "  v            6.0000          -          -          -\n"
     "\n"
     "half\n"
     "  variant        mean  deviation      95 % of the mean\n"
     "  v            3.0000          -          -          -\n"
     "\n"
     "height.max\n"
     "  variant        mean  deviation      95 % of the mean\n"
     "  v            6.0000          -          -          -\n"
     "\n"
     "height.share(0, 1)\n"
     "  variant        mean  deviation      95 % of the mean\n"
     "  v            0.0000          -          -          -\n"
     "\n"
     "variant    ",
     ""},
    {OF("creep", "[1, 2]") "measure: [stats.mean]\n" CREEP, "-q -j 1", 4, "",
     "/creep.yaml:6:6: error: b: a step of dt 50 is not stable; at this size and these slopes the "
     "largest stable one is 39.06 (or set substeps: auto)\n"
     "      b: {type: erosion.creep, in: m, dt: \"${dt}\", substeps: one}\n"
     "         ^\n"
     "    seed 1 is left out\n"
     "    variant fast alone: thalweg run /creep.yaml --seed 1 -s dt=50\n"
     "/creep.yaml:6:6: error: b: a step of dt 50 is not stable; at this size and these slopes the "
     "largest stable one is 39.06 (or set substeps: auto)\n"
     "      b: {type: erosion.creep, in: m, dt: \"${dt}\", substeps: one}\n"
     "         ^\n"
     "    seed 2 is left out\n"
     "    variant fast alone: thalweg run /creep.yaml --seed 2 -s dt=50\n"},
    {OF("creep", "[1, 2]") "measure: [stats.mean]\nvariants: {alone: {nodes: {b: {type: "
                           "erosion.creep, in: m, dt: 60, substeps: one}}}}\n",
     "-q -j 1", 4, "",
     "e.yaml:5:31: error: b: a step of dt 60 is not stable; at this size and these slopes the "
     "largest stable one is 39.06 (or set substeps: auto)\n"
     "    variants: {alone: {nodes: {b: {type: erosion.creep, in: m, dt: 60, substeps: one}}}}\n"
     "                                  ^\n"
     "    seed 1 is left out\n"
     "    variant alone alone: thalweg run /creep.yaml --seed 1, with the variant's nodes in the "
     "recipe\n"
     "e.yaml:5:31: error: b: a step of dt 60 is not stable; at this size and these slopes the "
     "largest stable one is 39.06 (or set substeps: auto)\n"
     "    variants: {alone: {nodes: {b: {type: erosion.creep, in: m, dt: 60, substeps: one}}}}\n"
     "                                  ^\n"
     "    seed 2 is left out\n"
     "    variant alone alone: thalweg run /creep.yaml --seed 2, with the variant's nodes in the "
     "recipe\n"},
    {SUM "tune: {params: {b: [0, 3]}, goal: {stats.mean: 1}, budget: 4}\n", "-q --seeds 5", 3, "",
     "error: tune: a budget of 4 runs is less than one trial of 5 seeds\n"},
    {SUM "tune: {params: {b: [0, 3]}, goal: {stats.mean: 1}, budget: 30}\n", "-q", 0,
     "e.yaml\n"
     "\n"
     "tuning: 10 trials of 3 seeds each, the goals are not reached\n"
     "  trial             b        stats.mean\n"
     "      1           1.5                 3\n"
     "      2           2.4               4.8\n"
     "      3           0.6               1.2\n"
     "      4             0                 0\n"
     "      5          0.15               0.3\n"
     "      6          1.05               2.1\n"
     "      7         0.375              0.75\n"
     "      8         0.825              1.65\n"
     "      9        0.4875             0.975  best\n"
     "     10       0.54375            1.0875\n"
     "\n"
     "Not reached, the nearest is: b 0.4875 brings stats.mean to 0.975 (target 1, missed by 2.5 %): "
     "the best of 10 trials.\n"
     "best: thalweg run /sum.yaml --seed 1 --size 2x2 -s b=0.4875\n",
     ""},
    {SUM
     "tune: {params: {b: [0, 3], a: [0, 1]}, goal: {stats.mean: maximise}, budget: 12, seed: 4}\n",
     "-q --markdown", 0,
     "**b 2.4, a 0.8 bring stats.mean to 5.6: the best of 4 trials.** \n"
     "\n"
     "3 seeds, 2 x 2 cells.\n",
     ""},
    {SUM "sensitivity: {params: {a: [0, 1], b: [0, 1]}, morris: 2, curves: 3}\n", "-q", 0,
     "e.yaml: 3 seeds from 1, 2 x 2 cells\n"
     "\n"
     "stats.mean: effects over the whole range (Morris, 2 trajectories, 4 levels), mu* with the half width of 95 %\n"
     "  parameter         mu*                     mu      sigma\n"
     "  a              1.0000 +-   0.0000    +1.0000     0.0000\n"
     "  b              2.0000 +-   0.0000    +2.0000     0.0000\n"
     "\n"
     "one parameter at a time, the others as in the recipe: means, with the half width of 95 %\n"
     "\n"
     "  a                       stats.mean\n"
     "  0               0.0000 +-   0.0000\n"
     "  0.5             0.5000 +-   0.0000\n"
     "  1               1.0000 +-   0.0000\n"
     "\n"
     "  b                       stats.mean\n"
     "  0               0.0000 +-   0.0000\n"
     "  0.5             1.0000 +-   0.0000\n"
     "  1               2.0000 +-   0.0000\n",
     ""},
    {SUM "sensitivity: {params: {a: [0, 1], b: [0, 1]}, curves: 3}\n", "-q --markdown", 0,
     "**b matters most for stats.mean (its mean spans 2), then a (1); 3 seeds.** \n"
     "\n"
     "3 seeds, 2 x 2 cells.\n",
     ""},
    {PAIR, "-q --shard 2/2", 0, "", ""},
    {PAIR, "-q --shard 1/2", 0, "", ""},
    {PAIR, "-q --gather", 0,
     "e.yaml: 3 seeds from 1, 2 x 2 cells\n"
     "Too few seeds: 1 comparison needs at least 6 to show anything.\n"
     "\n"
     "stats.mean\n"
     "  variant        mean  deviation      95 % of the mean       paired            95 % of it\n"
     "  plain        0.0000     0.0000     0.0000     0.0000\n"
     "  more         1.0000     0.0000     1.0000     1.0000      +1.0000    +1.0000    +1.0000  "
     "too few\n"
     "\n"
     "paired: differences to plain with the same seed; the word: Wilcoxon's signed-rank test at 5 "
     "%, all comparisons together (Holm); intervals: each by itself\n"
     "\n"
     "variant    ",
     ""},
    {OF("sum", "[1]") "measure: [stats.mean]\nvariants: {a: {params: {z: 1}}}\n", "-q", 3, "",
     "e.yaml:5:28: error: 'z' is not a parameter of /sum.yaml\n"
     "    variants: {a: {params: {z: 1}}}\n"
     "                               ^\n"
     "    known: b, a\n"},
    {OF("sum", "[1]") "measure: [stats.mean]\nvariants: {a: {recipe: wide.yaml}, b: {}}\n", "-q", 3,
     "", "error: variant b: its recipe's world: differs from the first variant's\n"},
};

static void write_all(void)
{
    static const char *const files[][2] = {
        {"sum.yaml", "thalweg: 1\nsize: 2\nparams: {a: 0, b: 0}\nnodes:\n"
                     "  m: {type: source.constant, value: \"${a + 2 * b}\"}\n"
                     "  stats: {type: measure.statistics, in: m}\n"
                     "outputs: {height: m, stats: stats}\n"},
        {"noise.yaml", "thalweg: 1\nsize: 4\nparams: {gain: 1}\nnodes:\n"
                       "  n: {type: noise.midpoint}\n"
                       "  m: {type: shape.remap, in: n, to: [0, \"${gain}\"]}\n"
                       "outputs: {height: m}\n"},
        {"wide.yaml", "thalweg: 1\nsize: 2\nworld: {side_m: 10}\nnodes:\n"
                      "  m: {type: source.constant}\n"
                      "  stats: {type: measure.statistics, in: m}\n"
                      "outputs: {height: m, stats: stats}\n"},
        {"fails.yaml", "thalweg: 1\nsize: 1\nparams: {value: 0.25}\nnodes:\n"
                       "  n: {type: noise.midpoint}\n  f: {type: combine.formula, a: n, "
                       "formula: \"a > 0.8 ? 1e38 : a * ${value}\"}\n"
                       "  m: {type: shape.power, in: f, exponent: 2}\n"
                       "  stats: {type: measure.statistics, in: m}\n"
                       "outputs: {height: m, stats: stats}\n"},
        {"creep.yaml", "thalweg: 1\nsize: 8\nparams: {dt: 1}\nnodes:\n"
                       "  m: {type: source.constant}\n"
                       "  b: {type: erosion.creep, in: m, dt: \"${dt}\", substeps: one}\n"
                       "  stats: {type: measure.statistics, in: b}\n"
                       "outputs: {height: b, stats: stats}\n"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        write_text(files[i][0], files[i][1]);
}

/* The folder of the test, and the last table, of seconds. */
static void forget(char *text)
{
    char here[400];
    char *table = strstr(text, "seconds a run\n");
    if (table)
        *table = 0;
    assert_non_null(getcwd(here, sizeof here));
    for (char *at = text; (at = strstr(at, here));)
        memmove(at, at + strlen(here), strlen(at + strlen(here)) + 1);
}

static void every_experiment_has_its_words(void **state)
{
    char arguments[200];
    int wrong = 0;
    (void)state;
    write_all();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_text("e.yaml", rows[i].text);
        snprintf(arguments, sizeof arguments, "compare e.yaml %s", rows[i].arguments);
        run(arguments);
        forget(result.out);
        forget(result.err);
        if (result.code == rows[i].code && strcmp(result.out, rows[i].out) == 0 &&
            strcmp(result.err, rows[i].err) == 0)
            continue;
        print_error("%sthalweg %s\nexpected %d\n%s%s\n", rows[i].text, arguments, rows[i].code,
                    rows[i].out, rows[i].err);
        print_error("found %d\n%s%s\n", result.code, result.out, result.err);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* The means of the two variants are exactly 0 and 1. */
static void a_bound_that_is_met_holds(void **state)
{
    (void)state;
    write_all();
    write_text("e.yaml", PAIR "assert: {stats.mean: {mean: {min: 0, max: 1}}}\n");
    run("compare e.yaml -q");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.err, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {GATE_TEST(every_experiment_has_its_words),
                                       GATE_TEST(a_bound_that_is_met_holds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
