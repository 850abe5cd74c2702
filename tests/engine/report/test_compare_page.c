/* SPDX-License-Identifier: MIT */
/* What the page says of more seeds than it can show, and its section of times, whose numbers differ
 * from run to run elsewhere. */
#include "report/compare_page.h"

#include "base/memory/digest.h"
#include "support/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The page of an experiment of two variants over so many seeds; free(). */
static char *make_page(int32_t seeds)
{
    struct tw_measure measures[] = {{.name = "height", .goal = 1}};
    struct tw_variant variants[] = {{.name = "a"}, {.name = "b"}};
    const struct tw_experiment experiment = {.file = "test.yaml",
                                             .variants = variants,
                                             .variant_count = 2,
                                             .level_variants = 2,
                                             .level_count = 1,
                                             .run_count = 2,
                                             .measures = measures,
                                             .measure_count = 1,
                                             .seed_count = seeds};
    const double seconds[] = {0.001, 0.002};
    struct tw_comparison c;
    char *page = NULL;
    size_t length = 0;
    assert_int_equal(tw_comparison_create(&experiment, &c, NULL), TW_OK);
    for (int32_t i = 0; i < seeds; i++) {
        const double samples[] = {i % 7, i % 7 + i % 3};
        assert_int_equal(tw_comparison_add(&c, (uint64_t)i, samples, seconds, NULL), TW_OK);
    }
    c.width = c.height = 8;
    assert_int_equal(tw_compare_judge(&c, NULL), TW_OK);
    FILE *out = open_memstream(&page, &length);
    assert_non_null(out);
    tw_compare_page(out, &(struct tw_compare_page){.comparison = &c, .shown = &c});
    assert_int_equal(fclose(out), 0);
    tw_comparison_release(&c);
    return page;
}

static void expect(int32_t seeds, const char *words)
{
    char *page = make_page(seeds);
    if (!strstr(page, words))
        fail_msg("%d seeds: the page does not say '%s'", (int)seeds, words);
    free(page);
}

static void a_chart_says_which_seeds_it_shows(void **state)
{
    (void)state;
    expect(100, "<figcaption>Every seed;");
    expect(10000, "<figcaption>One dot for ");
    expect(120000, " of the 120000 seeds;");
    expect(120000, "<figcaption>A random sample of ");
}

/* Three variants of 8 seeds: one second, two that vary, half of one; free(). */
static char *make_times(struct tw_variant_time *times)
{
    struct tw_measure measures[] = {{.name = "height"}};
    struct tw_variant variants[] = {{.name = "one"}, {.name = "two"}, {.name = "<half>"}};
    const struct tw_experiment experiment = {.file = "test.yaml",
                                             .variants = variants,
                                             .variant_count = 3,
                                             .level_variants = 3,
                                             .level_count = 1,
                                             .run_count = 3,
                                             .measures = measures,
                                             .measure_count = 1,
                                             .seed_count = 8};
    struct tw_comparison c;
    char *section = NULL;
    size_t length = 0;
    assert_int_equal(tw_comparison_create(&experiment, &c, NULL), TW_OK);
    for (int32_t i = 0; i < 8; i++) {
        const double samples[] = {i, i, i}, seconds[] = {1, 1.5 + i % 3 * 0.5, 0.5};
        assert_int_equal(tw_comparison_add(&c, (uint64_t)i, samples, seconds, NULL), TW_OK);
    }
    assert_int_equal(tw_compare_judge(&c, NULL), TW_OK);
    c.times = times;
    FILE *out = open_memstream(&section, &length);
    assert_non_null(out);
    tw_section_times(out, &c);
    assert_int_equal(fclose(out), 0);
    c.times = NULL;
    tw_comparison_release(&c);
    return section;
}

/* A change on purpose is looked at; the new digest stands in the message. */
static void expect_digest(struct tw_variant_time *times, const char *expected)
{
    char *section = make_times(times), hex[33];
    struct tw_digest digest = tw_digest_of(section, strlen(section));
    tw_hex(digest.at, sizeof digest.at, hex);
    if (strcmp(hex, expected) != 0)
        fail_msg("digest %s of\n%s", hex, section);
    free(section);
}

static void times_are_drawn_as_they_are(void **state)
{
    struct tw_variant_time times[] = {{{1, 0.9, 1.2}, {3.5, 3.25, 4}, 9},
                                      {{2, 1.5, 2.5}, {7, 6, 8.75}, 9},
                                      {{0.5, 0.25, 0.75}, {0.5, 0.4, 0.6}, 9}};
    (void)state;
    expect_digest(NULL, "883ae87992b3d4707bdfb93e354dac8e");
    expect_digest(times, "18fde5fa6fc1879abe5b101b1e2e4c94");
    for (int i = 0; i < 3; i++) { /* too few runs */
        times[i].count = 3;
        times[i].wall.low = times[i].wall.high = NAN;
        times[i].processor.low = times[i].processor.high = NAN;
    }
    expect_digest(times, "0994353d2d7fdb3721cfc933ca07ee36");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_chart_says_which_seeds_it_shows),
                                       cmocka_unit_test(times_are_drawn_as_they_are)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
