/* SPDX-License-Identifier: MIT */
/* How often a comparison of equals gets a word, with `until` at several widths and with a fixed
 * number of seeds: at most 5 %, give or take two standard errors of 2,000 repetitions. The table of
 * docs/experiments.md has these numbers. */
#include "support/dice.h"
#include "support/harness.h"

#include "study/comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPETITIONS = 2000, SEEDS = 200 };

static struct tw_measure measures[] = {{.name = "height"}};
static struct tw_variant variants[] = {{.name = "a"}, {.name = "b"}};

/* Normal by the polar method, with a deviation of 1. */
static double draw_normal(struct dice *dice)
{
    double x, y, square;
    do {
        x = 2 * dice_share(dice) - 1;
        y = 2 * dice_share(dice) - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    return x * sqrt(-2 * log(square) / square);
}

struct found {
    double false_words, seeds; /* share of repetitions; mean number */
};

/* `width` 0: no `until`. */
static struct found repeat(double width, int32_t seeds)
{
    struct found found = {0, 0};
    const struct tw_experiment e = {.variants = variants,
                                    .variant_count = 2,
                                    .level_variants = 2,
                                    .level_count = 1,
                                    .run_count = 2,
                                    .measures = measures,
                                    .measure_count = 1,
                                    .seed_count = seeds};
    measures[0].until = width;
    for (uint32_t r = 0; r < REPETITIONS; r++) {
        struct dice dice = {.key = 52, .set = r};
        struct tw_comparison c;
        bool narrow = false;
        assert_int_equal(tw_comparison_create(&e, &c, NULL), TW_OK);
        for (int32_t i = 0; i < seeds && !narrow; i++) {
            const double samples[] = {0, draw_normal(&dice)}, seconds[] = {1, 1};
            assert_int_equal(tw_comparison_add(&c, (uint64_t)i, samples, seconds, NULL), TW_OK);
            narrow = tw_compare_is_narrow(&c);
        }
        assert_int_equal(tw_compare_judge(&c, NULL), TW_OK);
        enum tw_verdict verdict = tw_pair_of(&c, 1, 0)->verdict;
        found.false_words += (verdict == TW_HIGHER || verdict == TW_LOWER) / (double)REPETITIONS;
        found.seeds += c.total / (double)REPETITIONS;
        tw_comparison_release(&c);
    }
    return found;
}

static void expect_row(const char *page, const char *start, const struct found *found)
{
    char row[100];
    if (found->false_words > 0.06)
        fail_msg("%s: %.1f %% false words", start, 100 * found->false_words);
    snprintf(row, sizeof row, "| %s | %.1f | %.1f %% |", start, found->seeds,
             100 * found->false_words);
    if (!strstr(page, row))
        fail_msg("docs/experiments.md lacks the row %s", row);
}

static char *read_page(void)
{
    char *page = calloc(1, 1 << 17);
    FILE *file = fopen(TW_DOCS "/experiments.md", "r");
    assert_non_null(page);
    assert_non_null(file);
    assert_true(fread(page, 1, (1 << 17) - 1, file) > 0);
    fclose(file);
    return page;
}

/* Widths in deviations of the differences: they end after few seeds, some, and all of 200. */
static void words_are_false_as_seldom_as_said(void **state)
{
    static const double widths[] = {3, 2, 1.5, 1, 0.7, 0.5, 0.4, 0.3, 0.2};
    static const int32_t fixed[] = {6, 10, 20, 50, 200};
    char *page = read_page(), start[60];
    (void)state;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct found found = repeat(widths[i], SEEDS);
        snprintf(start, sizeof start, "`until` at a width of %g deviations", widths[i]);
        expect_row(page, start, &found);
    }
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        struct found found = repeat(0, fixed[i]);
        snprintf(start, sizeof start, "%d seeds, fixed", (int)fixed[i]);
        expect_row(page, start, &found);
    }
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_false_as_seldom_as_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
