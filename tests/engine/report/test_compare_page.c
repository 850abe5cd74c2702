/* SPDX-License-Identifier: MIT */
/* What the page says of more seeds than it can show. */
#include "report/compare_page.h"

#include "support/harness.h"

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
    tw_compare_page(out, &(struct tw_compare_page){.comparison = &c});
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_chart_says_which_seeds_it_shows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
