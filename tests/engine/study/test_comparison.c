/* SPDX-License-Identifier: MIT */
/* More seeds than samples are kept of: what is kept is a sample of all of them, and the numbers say
 * which seeds they are about. */
#include "support/harness.h"

#include "study/comparison.h"

#include <math.h>
#include <stdlib.h>

enum { SEEDS = 450000 };

static struct tw_measure measures[] = {{.name = "height", .goal = 1}};
static struct tw_variant variants[] = {{.name = "a"}, {.name = "b"}};
static struct tw_experiment experiment = {.variants = variants,
                                          .variant_count = 2,
                                          .level_variants = 2,
                                          .level_count = 1,
                                          .run_count = 2,
                                          .measures = measures,
                                          .measure_count = 1,
                                          .seed_count = SEEDS};

/* Between -1 and 1, another for every seed. */
static double noise(uint64_t seed)
{
    return (double)(seed * 2654435761u % 2000003) / 1000001.5 - 1;
}

/* The first third of the seeds says that b is worse, the others that it is better. */
static double difference(uint64_t seed) { return noise(seed) + (seed < SEEDS / 3 ? -0.2 : 0.2); }

static void add(struct tw_comparison *c, uint64_t seed)
{
    const double samples[] = {noise(7 * seed), noise(7 * seed) + difference(seed)};
    const double seconds[] = {1, 2};
    assert_int_equal(tw_comparison_add(c, seed, samples, seconds, NULL), TW_OK);
}

static void fill(struct tw_comparison *c, uint64_t seeds)
{
    assert_int_equal(tw_comparison_create(&experiment, c, NULL), TW_OK);
    for (uint64_t seed = 0; seed < seeds; seed++)
        add(c, seed);
}

/* Each kept one with the samples that were added, in order, from the whole run alike. */
static void check_kept(const struct tw_comparison *c)
{
    int32_t in_part[9] = {0};
    for (int32_t i = 0; i < c->count; i++) {
        uint64_t seed = c->seeds[i];
        assert_true(i == 0 || seed > c->seeds[i - 1]);
        assert_true(tw_samples(c, 0, 0)[i] == noise(7 * seed));
        assert_true(tw_samples(c, 1, 0)[i] == noise(7 * seed) + difference(seed));
        in_part[seed / (SEEDS / 9)]++;
    }
    for (int part = 0; part < 9; part++)
        assert_true(fabs(in_part[part] - c->count / 9.0) < 5 * sqrt(c->count / 9.0));
}

static void what_is_kept_is_a_sample_of_all_seeds(void **state)
{
    struct tw_comparison c;
    (void)state;
    fill(&c, SEEDS);
    assert_int_equal(c.total, SEEDS);
    assert_true(c.count <= TW_SEEDS_KEPT_MAX && c.count > TW_SEEDS_KEPT_MAX / 2);
    assert_true(c.capacity <= TW_SEEDS_KEPT_MAX);
    check_kept(&c);
    tw_comparison_release(&c);
}

static void the_mean_is_of_all_and_the_ranks_of_the_sample(void **state)
{
    struct tw_comparison c;
    double sum = 0;
    (void)state;
    fill(&c, SEEDS);
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        sum += difference(seed);
    assert_int_equal(tw_compare_judge(&c, NULL), TW_OK);
    const struct tw_paired *pair = tw_pair_of(&c, 1, 0);
    assert_int_equal(pair->count, SEEDS);
    assert_int_equal(pair->ranked, c.count);
    assert_true(fabs(pair->difference - sum / SEEDS) < 1e-12);
    assert_true(pair->low < pair->difference && pair->difference < pair->high);
    assert_true(pair->shift_low <= pair->hodges_lehmann &&
                pair->hodges_lehmann <= pair->shift_high);
    assert_string_equal(tw_verdict_names[pair->verdict], "better"); /* the first third is worse */
    tw_comparison_release(&c);
}

/* What is kept depends on which seeds there are and not on how they came. */
static void the_sample_does_not_depend_on_the_order(void **state)
{
    struct tw_comparison c, back;
    const uint64_t seeds = 2 * TW_SEEDS_KEPT_MAX;
    (void)state;
    fill(&c, seeds);
    assert_int_equal(tw_comparison_create(&experiment, &back, NULL), TW_OK);
    for (uint64_t seed = seeds; seed-- > 0;)
        add(&back, seed);
    assert_int_equal(c.halvings, back.halvings);
    assert_int_equal(c.count, back.count);
    for (int32_t i = 0; i < c.count; i++)
        assert_true(c.seeds[i] == back.seeds[c.count - 1 - i]);
    tw_comparison_release(&c);
    tw_comparison_release(&back);
}

static void many_cells_keep_fewer_seeds(void **state)
{
    struct tw_experiment e = {.run_count = 671, .measure_count = 1};
    (void)state;
    assert_int_equal(tw_samples_limit(&e), TW_SEEDS_KEPT_MAX);
    e.measure_count = 10;
    assert_int_equal(tw_samples_limit(&e), 10001);
    e.measure_count = TW_MEASURES_MAX;
    assert_int_equal(tw_samples_limit(&e), TW_SEEDS_KEPT_MIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_is_a_sample_of_all_seeds),
        cmocka_unit_test(the_mean_is_of_all_and_the_ranks_of_the_sample),
        cmocka_unit_test(the_sample_does_not_depend_on_the_order),
        cmocka_unit_test(many_cells_keep_fewer_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
