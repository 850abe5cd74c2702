/* SPDX-License-Identifier: MIT */
/* Formulas as keys and locks have them: what is read is printed again as it was, and what no
 * formula can be is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory/bytes.h"
#include "node/formula_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 3 };

static bool reads(const char *text, struct tw_formula_step *at, int32_t *count)
{
    char copy[4000];
    snprintf(copy, sizeof copy, "%s", text);
    return tw_formula_read(copy, INPUTS, at, count);
}

static void expect(const char *text, bool expected)
{
    static struct tw_formula_step at[TW_FORMULA_STEPS_MAX];
    struct tw_formula formula = {.at = at};
    struct tw_bytes printed = {0};
    if (reads(text, at, &formula.count) != expected)
        fail_msg("'%s' is %s", text, expected ? "refused" : "read");
    if (!expected)
        return;
    assert_true(tw_formula_print(&printed, &formula));
    assert_int_equal(printed.length, strlen(text));
    assert_memory_equal(printed.at, text, printed.length);
    free(printed.at);
}

static void what_is_read_is_printed_again(void **state)
{
    static const struct {
        const char *text;
        bool expected;
    } rows[] = {{" #1", true},
                {" #-0.25", true},
                {" $0", true},
                {" $2", true},
                {" $3", false}, /* of three inputs */
                {" $-1", false},
                {" $", false},
                {" #", false},
                {" #a", false},
                {" a", false},
                {"", false},
                {" +", false},
                {" #1 +", false},
                {" #1 $1 +", true},
                {" #1 $1", false}, /* two results */
                {" #1 $1 + +", false},
                {" #1 0-", true},
                {" #1 #2 ?:", false},
                {" #1 #2 $0 ?:", true},
                {" #1 #2 smooth", false},
                {" $0 #2 #1 smooth", true},
                {" $0 sqrt abs ln exp floor sin cos round ! ^2 ^3 ^4", true},
                {" $0 #1 min #2 max #3 pow #4 - #5 * #6 /", true},
                {" $0 #1 < #1 <= #1 > #1 >= #1 == #1 != #1 && #1 || #1 step", true},
                {" $0 #0 #1 clamp #2 #3 mix", true}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect(rows[i].text, rows[i].expected);
}

/* " #1" as often, then " +" until one is left. */
static void expect_waiting(int waiting, bool expected)
{
    char text[4000] = "";
    for (int i = 0; i < waiting; i++)
        strcat(text, " #1");
    for (int i = 1; i < waiting; i++)
        strcat(text, " +");
    expect(text, expected);
}

static void formulas_end_at_their_limits(void **state)
{
    char text[4000] = " $0";
    (void)state;
    expect_waiting(TW_FORMULA_WAITING_MAX, true);
    expect_waiting(TW_FORMULA_WAITING_MAX + 1, false);
    for (int i = 1; i < TW_FORMULA_STEPS_MAX; i++)
        strcat(text, " 0-");
    expect(text, true);
    strcat(text, " 0-");
    expect(text, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_is_printed_again),
        cmocka_unit_test(formulas_end_at_their_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
