/* SPDX-License-Identifier: MIT */
#include "report/charts/svg.h"

#include "support/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void scales_hold_their_values_on_round_ticks(void **state)
{
    static const double ranges[][3] = {
        {0.05, 0.74, 0.2},      {-1.6, 0.13, 0.5},     {0, 1, 0.2},      {3, 3, 0.1},
        {1e-7, 9e-7, 2e-7},     {0, 12345, 5000},      {-2e9, 3e9, 1e9}, {1e150, 1e150, 2e148},
        {-1e150, 1e150, 5e149}, {1e15, 1e15 + 1, 2e13}};
    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        struct tw_scale s = tw_scale_fit(ranges[i][0], ranges[i][1], 10, 110, 5);
        assert_true(s.low <= ranges[i][0] && s.high >= ranges[i][1] && s.high > s.low);
        if (!(fabs(s.step / ranges[i][2] - 1) < 1e-9))
            fail_msg("row %zu: a step of %g, expected %g", i, s.step, ranges[i][2]);
        assert_true(fabs(tw_scale_at(&s, s.low) - 10) < 1e-9);
        assert_true(fabs(tw_scale_at(&s, s.high) - 110) < 1e-9);
        assert_true((s.high - s.low) / s.step < 8);
    }
}

/* The least of 1, 2 and 5 times a power of ten that is enough, at and on both sides of each. */
static void steps_are_the_least_round_ones(void **state)
{
    static const double factors[] = {1, 2, 5},
                        shares[] = {0.51, 0.9, 0.99, 0.9999, 1.0001, 1.01, 1.09, 1.5, 1.99};
    (void)state;
    for (int k = -9; k < 9; k++)
        for (int i = 0; i < 27; i++) {
            double least = pow(10, k) * factors[i / 9] * shares[i % 9], expected = 0;
            for (int j = 0; expected < least; j++)
                expected = pow(10, k - 1 + j / 3) * factors[j % 3];
            struct tw_scale s = tw_scale_fit(0, 7 * least, 0, 1, 7);
            if (!(fabs(s.step / expected - 1) < 1e-9))
                fail_msg("for %.17g a step of %.17g, expected %g", least, s.step, expected);
            int digits = (int)fmax(0, -floor(log10(expected * 1.0001)));
            assert_int_equal(s.digits, digits);
        }
}

static void long_names_are_cut_at_characters_and_told_in_full(void **state)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    (void)state;
    assert_non_null(out);
    tw_svg_name(out, 1, 2, TW_END, 4, "\xC3\xA4\xC3\xB6\xC3\xBC<xyz");
    fclose(out);
    assert_non_null(strstr(text, "<title>\xC3\xA4\xC3\xB6\xC3\xBC&lt;xyz</title>"
                                 "\xC3\xA4\xC3\xB6\xC3\xBC\xE2\x80\xA6</text>"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scales_hold_their_values_on_round_ticks),
        cmocka_unit_test(steps_are_the_least_round_ones),
        cmocka_unit_test(long_names_are_cut_at_characters_and_told_in_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
