/* SPDX-License-Identifier: MIT */
/* The sentences of a comparison, word by word: who does better, what other measures say, why it
 * ended and what its seeds are too few for. */
#include "report/verdict/ending.h"
#include "report/verdict/verdict.h"

#include "study/tuning.h"
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VARIANTS = 7, MEASURES = 2 };

static const struct row {
    int32_t variants, seeds, of;
    int goals[MEASURES];
    double shift[VARIANTS]; /* of the first measure, to the baseline; the second has twice that */
    int32_t alike;          /* so many of the last variants measure as the baseline does */
    bool timed;             /* the second measure is of time, which differs all the same */
    bool alone;             /* without a baseline */
    double until;
    bool narrow;
    const char *signal;
    int32_t failed;
    enum tw_text_form form;
    const char *words;
} rows[] = {
    {.variants = 2,
     .seeds = 20,
     .goals = {1},
     .shift = {0, 1},
     .words = "<one> scores better than base on s.mean: +1 [+0.755, +1.24], 20 seeds. Besides, "
              "s.max: 1 higher, 0 lower, 0 not shown."},
    {.variants = 3,
     .seeds = 20,
     .goals = {1},
     .shift = {0, 1, 2},
     .words = "two scores better than base on s.mean: +2 [+1.63, +2.37], 20 seeds; so does <one>. "
              "Besides, s.max: 2 higher, 0 lower, 0 not shown."},
    {.variants = 4,
     .seeds = 20,
     .goals = {1},
     .shift = {0, 1, 2, 3},
     .words = "three scores better than base on s.mean: +3 [+2.51, +3.49], 20 seeds; so do two, "
              "<one>. Besides, s.max: 3 higher, 0 lower, 0 not shown."},
    {.variants = 7,
     .seeds = 20,
     .goals = {1},
     .shift = {0, 1, 2, 3, 4, 5, 6},
     .words = "six scores better than base on s.mean: +6 [+5.14, +6.86], 20 seeds; so do five, "
              "four, three and 2 more. Besides, s.max: 6 higher, 0 lower, 0 not shown."},
    {.variants = 5,
     .seeds = 20,
     .goals = {1},
     .shift = {0, -1, 2, -3, -0.5},
     .words = "two scores better than base on s.mean: +2 [+1.63, +2.37], 20 seeds; worse: three "
              "(-3 [-3.49, -2.51]), <one> (-1 [-1.24, -0.755]); nothing shown for four. Besides, "
              "s.max: 1 higher, 2 lower, 1 not shown."},
    {.variants = 6,
     .seeds = 20,
     .goals = {1},
     .shift = {0, -1, -2, -3, -4, -5},
     .words = "No variant is shown to score better than base on s.mean, 20 seeds; worse: five (-5 "
              "[-5.73, -4.27]), four (-4 [-4.61, -3.39]), three (-3 [-3.49, -2.51]) and 2 more. "
              "Besides, s.max: 0 higher, 5 lower, 0 not shown."},
    {.variants = 3,
     .seeds = 20,
     .goals = {-1, 1},
     .shift = {0, -1, 0},
     .words = "<one> scores better than base on s.mean: -1 [-1.24, -0.755], 20 seeds; nothing "
              "shown for two. Besides, s.max: 0 better, 1 worse, 1 not shown."},
    {.variants = 3,
     .seeds = 20,
     .goals = {0, -1},
     .shift = {0, 1, -1},
     .words = "two scores better than base on s.max: -2 [-2.37, -1.63], 20 seeds; worse: <one> (+2 "
              "[+1.76, +2.24]). Besides, s.mean: 1 higher, 1 lower, 0 not shown."},
    {.variants = 3,
     .seeds = 20,
     .shift = {0, 1, -1},
     .words = "<one> is higher than base on s.mean: +1 [+0.755, +1.24], 20 seeds; lower: two (-1 "
              "[-1.37, -0.633]). Besides, s.max: 1 higher, 1 lower, 0 not shown."},
    {.variants = 3,
     .seeds = 20,
     .shift = {0, -1, -2},
     .words = "two is lower than base on s.mean: -2 [-2.37, -1.63], 20 seeds; so is <one>. "
              "Besides, s.max: 0 higher, 2 lower, 0 not shown."},
    {.variants = 2,
     .seeds = 20,
     .shift = {0, 0},
     .words = "Nothing is shown for <one> on s.mean, 20 seeds. Besides, s.max: 0 higher, 0 lower, "
              "1 not shown."},
    {.variants = 2,
     .seeds = 20,
     .alike = 1,
     .form = TW_TEXT_HTML,
     .words = "Nothing is shown for <b>&lt;one&gt;</b> on s.mean, 20 seeds. Besides, s.max: 0 "
              "higher, 0 lower, 1 not shown. / &lt;one&gt; measures the same as base in every "
              "seed: what it changes reaches no measure."},
    {.variants = 2,
     .seeds = 3,
     .alike = 1,
     .timed = true,
     .words = "Nothing can be shown by 3 seeds.  / <one> measures the same as base in every seed: "
              "what it changes reaches no measure. / Too few seeds: 2 comparisons need at least 7 "
              "to show anything."},
    {.variants = 7,
     .seeds = 20,
     .shift = {0, 1},
     .alike = 5,
     .words =
         "<one> is higher than base on s.mean: +1 [+0.755, +1.24], 20 seeds; nothing shown for "
         "two, three, four and 2 more. Besides, s.max: 1 higher, 0 lower, 5 not shown. / two, "
         "three, four and 2 more measure the same as base in every seed: what they change "
         "reaches no measure."},
    {.variants = 3,
     .seeds = 20,
     .goals = {1},
     .shift = {0, 1, 0},
     .form = TW_TEXT_HTML,
     .words =
         "<b>&lt;one&gt;</b> scores better than <b>base</b> on s.mean: +1 [+0.755, +1.24], 20 "
         "seeds; nothing shown for <b>two</b>. Besides, s.max: 1 higher, 0 lower, 1 not shown."},
    {.variants = 3,
     .seeds = 20,
     .goals = {1},
     .shift = {0, 1, 1},
     .form = TW_TEXT_MARKDOWN,
     .words = "&lt;one> scores better than base on s.mean: +1 [+0.755, +1.24], 20 seeds; so does "
              "two. Besides, s.max: 2 higher, 0 lower, 0 not shown."},
    {.variants = 2,
     .seeds = 5,
     .shift = {0, 1},
     .words = "Nothing can be shown by 5 seeds.  / Too few seeds: 2 comparisons need at least 7 to "
              "show anything."},
    {.variants = 2,
     .seeds = 1,
     .shift = {0, 1},
     .words = "Nothing can be shown by 1 seed.  / Too few seeds: 2 comparisons need at least 7 to "
              "show anything."},
    {.variants = 4,
     .seeds = 6,
     .shift = {0, 1, 2, 3},
     .words = "Nothing can be shown by 6 seeds.  / Too few seeds: 6 comparisons need at least 8 to "
              "show anything."},
    {.variants = 1, .seeds = 20, .words = "There is nothing to compare the baseline with. "},
    {.variants = 1,
     .seeds = 20,
     .alone = true,
     .words = "1 variant over 20 seeds; without a baseline none is compared. "},
    {.variants = 2,
     .seeds = 1,
     .alone = true,
     .words = "2 variants over 1 seed; without a baseline none is compared. "},
    {.variants = 2,
     .seeds = 20,
     .of = 30,
     .shift = {0, 1},
     .signal = "SIGINT",
     .words = "<one> is higher than base on s.mean: +1 [+0.755, +1.24], 20 seeds. Besides, s.max: "
              "1 higher, 0 lower, 0 not shown. / Stopped by SIGINT after 20 of 30 seeds."},
    {.variants = 2,
     .seeds = 0,
     .of = 30,
     .shift = {0, 1},
     .signal = "SIGTERM",
     .words = "Nothing can be shown by 0 seeds.  / Stopped by SIGTERM."},
    {.variants = 2,
     .seeds = 20,
     .of = 21,
     .shift = {0, 1},
     .failed = 1,
     .words = "<one> is higher than base on s.mean: +1 [+0.755, +1.24], 20 seeds. Besides, s.max: "
              "1 higher, 0 lower, 0 not shown. / 1 seed failed and is left out."},
    {.variants = 2,
     .seeds = 20,
     .of = 22,
     .shift = {0, 1},
     .failed = 2,
     .words = "<one> is higher than base on s.mean: +1 [+0.755, +1.24], 20 seeds. Besides, s.max: "
              "1 higher, 0 lower, 0 not shown. / 2 seeds failed and are left out."},
    {.variants = 2,
     .seeds = 20,
     .of = 50,
     .shift = {0, 1},
     .until = 1,
     .narrow = true,
     .words = "<one> is higher than base on s.mean: +1 [+0.755, +1.24], 20 seeds. Besides, s.max: "
              "1 higher, 0 lower, 0 not shown. / Ended after 20 of 50 seeds: every interval is as "
              "narrow as until: says."},
    {.variants = 3,
     .seeds = 20,
     .shift = {0, 1, 3},
     .until = 0.001,
     .words = "two is higher than base on s.mean: +3 [+2.63, +3.37], 20 seeds; so is <one>. "
              "Besides, s.max: 2 higher, 0 lower, 0 not shown. / All 20 seeds ran and the interval "
              "of two on s.mean is still 0.735 wide; until: says 0.001."},
    {.variants = 3,
     .seeds = 20,
     .shift = {0, 1, 3},
     .until = 0.5,
     .words = "two is higher than base on s.mean: +3 [+2.63, +3.37], 20 seeds; so is <one>. "
              "Besides, s.max: 2 higher, 0 lower, 0 not shown. / All 20 seeds ran and the interval "
              "of two on s.mean is still 0.735 wide; until: says 0.5."},
    {.variants = 3,
     .seeds = 20,
     .shift = {0, 1, 3},
     .until = 0.001,
     .form = TW_TEXT_HTML,
     .words = "<b>two</b> is higher than <b>base</b> on s.mean: +3 [+2.63, +3.37], 20 seeds; so is "
              "<b>&lt;one&gt;</b>. Besides, s.max: 2 higher, 0 lower, 0 not shown. / All 20 seeds "
              "ran and the interval of two on s.mean is still 0.735 wide; until: says 0.001."},
    {.variants = 3,
     .seeds = 20,
     .shift = {0, 1, 3},
     .until = 10,
     .words = "two is higher than base on s.mean: +3 [+2.63, +3.37], 20 seeds; so is <one>. "
              "Besides, s.max: 2 higher, 0 lower, 0 not shown."},
    {.variants = 2,
     .seeds = 20,
     .of = 50,
     .shift = {0, 1},
     .until = 0.001,
     .signal = "SIGINT",
     .words = "<one> is higher than base on s.mean: +1 [+0.755, +1.24], 20 seeds. Besides, s.max: "
              "1 higher, 0 lower, 0 not shown. / Stopped by SIGINT after 20 of 50 seeds."},
    {.variants = 2,
     .seeds = 1,
     .shift = {0, 1},
     .until = 0.001,
     .words = "Nothing can be shown by 1 seed.  / Too few seeds: 2 comparisons need at least 7 to "
              "show anything."},
};

/* Where nothing shifts it, a variant is above as often as below. */
static double sample_of(const struct row *row, int32_t seed, int32_t variant, int32_t measure)
{
    double shift = row->shift[variant] * (measure + 1);
    double about = variant == 0 ? 0 : seed % 2 == 0 ? 0.25 : -0.25;
    return seed % 7 + shift + about * (1 + seed % 5 * 0.01) * (1 + variant);
}

static char words[2000];

static void say(const struct row *row, const struct tw_comparison *c)
{
    const struct tw_ending_form form = {" / ", "", row->form};
    FILE *out = fmemopen(words, sizeof words, "w");
    assert_non_null(out);
    tw_verdict_sentence(out, c, row->form);
    fputs(" ", out);
    tw_verdict_others(out, c, row->form);
    tw_comparison_ending(out, c, &form);
    assert_int_equal(fclose(out), 0);
}

static void say_row(const struct row *row)
{
    struct tw_variant variants[VARIANTS] = {{.name = "base"},  {.name = "<one>"}, {.name = "two"},
                                            {.name = "three"}, {.name = "four"},  {.name = "five"},
                                            {.name = "six"}};
    struct tw_measure measures[MEASURES] = {{.name = "s.mean", .output = "s"},
                                            {.name = "s.max", .output = row->timed ? NULL : "s"}};
    struct tw_comparison c;
    measures[0].goal = row->goals[0];
    measures[1].goal = row->goals[1];
    measures[0].until = row->until;
    const struct tw_experiment e = {.variants = variants,
                                    .variant_count = row->variants,
                                    .level_variants = row->variants,
                                    .level_count = 1,
                                    .run_count = row->variants,
                                    .measures = measures,
                                    .measure_count = MEASURES,
                                    .baseline = row->alone ? -1 : 0,
                                    .seed_count = row->of ? row->of : row->seeds};
    assert_int_equal(tw_comparison_create(&e, &c, NULL), TW_OK);
    for (int32_t i = 0; i < row->seeds; i++) {
        double samples[VARIANTS * MEASURES], seconds[VARIANTS] = {0};
        for (int32_t k = 0; k < row->variants * MEASURES; k++)
            samples[k] =
                (row->timed && k % MEASURES == 1 ? i % 3 * k : 0) +
                sample_of(row, i, k / MEASURES < row->variants - row->alike ? k / MEASURES : 0,
                          k % MEASURES);
        assert_int_equal(tw_comparison_add(&c, (uint64_t)i, samples, seconds, NULL), TW_OK);
    }
    assert_int_equal(tw_compare_judge(&c, NULL), TW_OK);
    c.failed = row->failed;
    c.signal = row->signal;
    c.narrow = row->narrow;
    say(row, &c);
    tw_comparison_release(&c);
}

static void a_comparison_is_said_in_words(void **state)
{
    int wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        say_row(&rows[i]);
        if (strcmp(words, rows[i].words) == 0)
            continue;
        print_error("%d: expected %s\nfound    %s\n", (int)i, rows[i].words, words);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* ---- tuning ---- */

static const struct tuning_row {
    int32_t params, goals, trials;
    int direction;
    double loss;
    bool reached;
    enum tw_text_form form;
    const char *words;
} tunings[] = {
    {1, 1, 1, 0, 0.5, false, TW_TEXT_TERMINAL,
     "Not reached, the nearest is: talus 4.5 brings s.mean to 1.25 (target 1.5, missed by 17 %): "
     "the best of 1 trial."},
    {2, 1, 9, 1, -3, false, TW_TEXT_TERMINAL,
     "talus 4.5, rate 0.25 bring s.mean to 1.25: the best of 9 trials."},
    {2, 2, 9, 0, 0, true, TW_TEXT_HTML,
     "<b>talus</b> <b>4.5</b>, <b>rate</b> <b>0.25</b> bring s.mean to 1.25 (target 1.5, missed by 17 %), s.max to "
     "1.2346e+05 (target 2e+06, missed by 94 %): reached, the best of 9 trials."},
    {1, 1, 4, 0, HUGE_VAL, false, TW_TEXT_TERMINAL, "All 4 trials failed."},
    {1, 1, 1, 0, HUGE_VAL, false, TW_TEXT_TERMINAL, "The only trial failed."},
};

static void a_tuning_is_said_in_words(void **state)
{
    static const struct tw_setting settings[] = {{.name = "talus", .text = "4.5"},
                                                 {.name = "rate", .text = "0.25"}};
    static const double means[] = {1.25, 123456.789};
    struct tw_measure measures[MEASURES] = {{.name = "s.mean"}, {.name = "s.max"}};
    int wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof tunings / sizeof *tunings; i++) {
        const struct tuning_row *row = &tunings[i];
        struct tw_tune_goal goals[] = {{.measure = 0,
                                        .kind = row->direction ? TW_TUNE_EXTREME : TW_TUNE_NEAR,
                                        .direction = row->direction,
                                        .target = 1.5},
                                       {.measure = 1, .target = 2e6}};
        struct tw_trial trials[9] = {
            {.settings = settings, .means = means, .loss = {HUGE_VAL, HUGE_VAL}},
            {.settings = settings, .means = means, .loss = {row->loss, row->loss}}};
        const struct tw_tuning tuning = {
            .trials = trials, .count = row->trials, .best = 1, .reached = row->reached};
        const struct tw_experiment e = {
            .level_count = 1,
            .measures = measures,
            .measure_count = MEASURES,
            .baseline = -1,
            .tune = {.param_count = row->params, .goals = goals, .goal_count = row->goals}};
        const struct tw_comparison c = {.experiment = &e, .tuning = &tuning};
        FILE *out = fmemopen(words, sizeof words, "w");
        assert_non_null(out);
        tw_verdict_sentence(out, &c, row->form);
        assert_int_equal(fclose(out), 0);
        if (strcmp(words, row->words) == 0)
            continue;
        print_error("%d: expected %s\nfound    %s\n", (int)i, row->words, words);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_comparison_is_said_in_words),
                                       cmocka_unit_test(a_tuning_is_said_in_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
