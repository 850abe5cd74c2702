/* SPDX-License-Identifier: MIT */
/* What an experiment can measure of the outputs of its recipes, and what it says of the rest: each
 * text as a measure or picture of one experiment. */
#include "support/command.h"
#include "support/harness.h"

#include "study/experiment.h"

#include <stdio.h>
#include <string.h>

static const char recipe_text[] =
    "thalweg: 1\nsize: 4\nnodes:\n  a: {type: noise.midpoint}\n  f: {type: mask.height, in: a}\n"
    "  r: {type: measure.statistics, in: a}\n  p: {type: feature.points, count: 3}\n"
    "  i: {type: render.hillshade, in: a}\noutputs: {h: a, f: f, r: r, p: p, i: i}\n";

static const char export_text[] =
    "thalweg: 1\nsize: 4\nnodes:\n  a: {type: noise.midpoint}\nexport: {a.npy: a}\n";

#define HEAD "thalweg-experiment: 1\nrecipe: r.yaml\nseeds: [1]\n"
#define M(measure) HEAD "variants: {plain: {}}\nmeasure: ['" measure "']\n"
#define B(measure) M(measure) "baseline: plain\n"
#define WITHOUT_OUTPUTS(measure)                                                                   \
    "thalweg-experiment: 1\nrecipe: none.yaml\nseeds: [1]\nvariants: {plain: {}}\n"                \
    "measure: [" measure "]\n"
#define P(picture) M("h.mean") "picture: " picture "\n"

/* Of the map h. */
#define NOT(field)                                                                                 \
    "e.yaml:5:11: h." field ": '" field                                                            \
    "' cannot be measured of a map; expected mean, deviation, "                                    \
    "min, max, volume, quantile(SHARE), share(LOW, HIGH), histogram(LOW, HIGH, BINS), "            \
    "slope.share(LOW, HIGH), slope.histogram(LOW, HIGH, BINS), difference.mean, difference.rms, "  \
    "difference.max, or TYPE.FIELD of a node measure.TYPE"
#define WITH(field, expected)                                                                      \
    "e.yaml:5:11: h." field ": '" field "' cannot be measured of a map; expected " expected
#define QUANTILE "quantile(SHARE) with SHARE from 0 to 1"
#define SHARE "share(LOW, HIGH) with LOW at most HIGH"
#define BINS "histogram(LOW, HIGH, BINS) with no name of its own"

static const struct row {
    const char *text, *words;
} rows[] = {
    {M("r.mean"), "fine"},
    {M("r.any"), "fine"}, /* what a record has is known when it is there */
    {M("h.mean"), "fine"},
    {M("h.deviation"), "fine"},
    {M("h.min"), "fine"},
    {M("h.max"), "fine"},
    {M("h.volume"), "fine"},
    {M("f.mean"), "fine"},
    {M("h.average"), NOT("average")},
    {M("h.quantile(0)"), "fine"},
    {M("h.quantile(1)"), "fine"},
    {M("h.quantile(0.5)"), "fine"},
    {M("h.quantile(1.5)"), WITH("quantile(1.5)", QUANTILE)},
    {M("h.quantile(-0.5)"), WITH("quantile(-0.5)", QUANTILE)},
    {M("h.quantile(half)"), WITH("quantile(half)", QUANTILE)},
    {M("h.quantile()"), WITH("quantile()", QUANTILE)},
    {M("h.quantile(0.5, 1)"), WITH("quantile(0.5, 1)", QUANTILE)},
    {M("h.share(0, 1)"), "fine"},
    {M("h.share(1, 1)"), "fine"},
    {M("h.share(1, 0)"), WITH("share(1, 0)", SHARE)},
    {M("h.meen"), NOT("meen") "\ndid you mean 'mean'?"},
    {M("h.slope.shar(0, 1)"), NOT("slope.shar(0, 1)") "\ndid you mean 'slope.share'?"},
    {HEAD "variants: {plain: {}}\nmeasure: [{n: 'h.slope.histogram(0, 1, 2)'}]\n",
     "e.yaml:5:15: n: 'slope.histogram(0, 1, 2)' cannot be measured of a map; expected slope." BINS},
    {M("h.share(1)"), WITH("share(1)", SHARE)},
    {M("h.share(1, 2, 3)"), WITH("share(1, 2, 3)", SHARE)},
    {M("h.slope.share(0, 10)"), "fine"},
    {M("h.slope.share(10, 0)"), WITH("slope.share(10, 0)", "slope." SHARE)},
    {M("h.share(-1e9, 1e9)"), "fine"},
    {M("h.share(-1e9, 1.1e9)"), "e.yaml:5:11: h.share(-1e9, 1.1e9) is about -1e+09 to 1.1e+09; "
                                "expected a band within -1e+09 to 1e+09"},
    {M("h.slope.share(0, 1e9)"), "fine"},
    {M("h.slope.share(-1, 2)"),
     "e.yaml:5:11: h.slope.share(-1, 2) is about -1 to 2; expected a band within 0 to 1e+09"},
    {M("h.slope.histogram(-2, 2, 2)"),
     "e.yaml:5:11: h.slope.share(-2, 0) is about -2 to 0; expected a band within 0 to 1e+09"},
    {M("h.score.game"), "fine"},
    {M("h.statistics.mean"), "fine"},
    {M("h.nothing.mean"), NOT("nothing.mean")},
    {M("h.difference.mean"),
     "e.yaml:5:11: h.difference.mean is about the baseline's map; expected baseline:"},
    {M("h.difference.rms"),
     "e.yaml:5:11: h.difference.rms is about the baseline's map; expected baseline:"},
    {B("h.difference.mean"), "fine"},
    {B("h.difference.rms"), "fine"},
    {B("h.difference.max"), "fine"},
    {B("h.difference.least"), NOT("difference.least") "\ndid you mean 'difference.mean'?"},
    {M("p.mean"), "e.yaml:5:11: variant plain: p.mean measures the output 'p', which is neither a "
                  "record nor a map"},
    {M("i.mean"), "e.yaml:5:11: variant plain: i.mean measures the output 'i', which is neither a "
                  "record nor a map"},
    {M("none.mean"), "e.yaml:5:11: variant plain: none.mean measures the output 'none', which its "
                     "recipe does not have\nknown: h, f, r, p, i"},
    {M("seconds"), "fine"},
    {WITHOUT_OUTPUTS("seconds"), "e.yaml:5:11: variant plain: seconds are those of a run of "
                                 "outputs, of which its recipe has none; expected outputs:"},
    {P("h"), "fine"},
    {P("f"), "fine"},
    {P("i"), "fine"},
    {P("r"), "e.yaml:6:10: variant plain: the picture 'r' is record; expected a "
             "heightmap, a mask or an image"},
    {P("p"), "e.yaml:6:10: variant plain: the picture 'p' is points; expected a "
             "heightmap, a mask or an image"},
    {P("none"), "e.yaml:6:10: variant plain: the picture 'none' is not an output of "
                "its recipe; expected a heightmap, a mask or an image\nknown: h, f, r, p, i"},
};

static char words[1000];

static void load(const char *text)
{
    const struct tw_load_options options = {.set = NULL};
    struct tw_experiment *experiment = NULL;
    struct tw_recipe *recipe = NULL;
    struct tw_error error = {.status = TW_OK};
    command_write("e.yaml", text, strlen(text));
    if (tw_experiment_load("e.yaml", &options, &experiment, &error) != TW_OK)
        fail_msg("%s%s", text, error.message);
    enum tw_status status = tw_experiment_recipe(experiment, 0, 1, &options, &recipe, &error);
    snprintf(words, sizeof words, "fine");
    if (status != TW_OK) {
        assert_int_equal(status, TW_RECIPE);
        snprintf(words, sizeof words, "%s:%d:%d: %s%s%s", error.file, (int)error.line,
                 (int)error.column, error.message, error.hint[0] ? "\n" : "", error.hint);
    }
    tw_recipe_release(recipe);
    tw_experiment_release(experiment);
}

static void every_output_has_its_measures(void **state)
{
    int wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        load(rows[i].text);
        if (strcmp(words, rows[i].words) == 0)
            continue;
        print_error("of\n%sexpected %s\nfound    %s\n", rows[i].text, rows[i].words, words);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static int set_up(void **state)
{
    (void)state;
    command_enter();
    command_write("r.yaml", recipe_text, strlen(recipe_text));
    command_write("none.yaml", export_text, strlen(export_text));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_output_has_its_measures)};
    return cmocka_run_group_tests(tests, set_up, command_tear_down);
}
