/* SPDX-License-Identifier: MIT */
/* The front of random points, and its knee, against a search through all pairs. */
#include "study/statistics/front.h"

#include "support/dice.h"
#include "support/harness.h"

#include <math.h>
#include <string.h>

enum { MOST = 60 };

static bool dominates(const struct tw_front_point *a, const struct tw_front_point *b)
{
    return a->x >= b->x && a->y >= b->y && (a->x > b->x || a->y > b->y);
}

static bool is_on_front(const struct tw_front_point *points, int32_t count, int32_t i)
{
    for (int32_t k = 0; k < count; k++)
        if (dominates(&points[k], &points[i]))
            return false;
    return true;
}

/* Distance from the line between the ends, by its normal, in shares of the ranges. */
static double beyond(const struct tw_front_point *front, int32_t count, int32_t i)
{
    double width = front[count - 1].x - front[0].x, height = front[0].y - front[count - 1].y;
    double u = (front[i].x - front[0].x) / width, v = (front[i].y - front[count - 1].y) / height;
    return (u + v - 1) / sqrt(2);
}

static void check_knee(const struct tw_front_point *front, int32_t count)
{
    int32_t knee = tw_front_knee(front, count);
    double most = 0;
    for (int32_t i = 0; front[count - 1].x > front[0].x && i < count; i++)
        most = fmax(most, beyond(front, count, i));
    if (knee < 0)
        assert_true(most < 1e-8);
    else
        assert_true(fabs(beyond(front, count, knee) - most) < 1e-12);
}

static void check_front(const struct tw_front_point *given, int32_t count)
{
    struct tw_front_point sorted[MOST];
    bool seen[MOST] = {false};
    memcpy(sorted, given, (size_t)count * sizeof *given);
    int32_t on = tw_front_find(sorted, count);
    for (int32_t i = 0; i < count; i++) {
        int32_t at = sorted[i].at;
        assert_false(seen[at]);
        seen[at] = true;
        assert_true(sorted[i].x == given[at].x && sorted[i].y == given[at].y);
        assert_int_equal(i < on, is_on_front(given, count, at));
        assert_true(i == 0 || i >= on || sorted[i - 1].x <= sorted[i].x);
    }
    if (on > 0)
        check_knee(sorted, on);
}

/* Few different numbers make ties; many make none. */
static void fronts_are_those_of_all_pairs(void **state)
{
    struct dice dice = {.key = 52};
    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct tw_front_point points[MOST];
        int32_t count = dice_below(&dice, MOST + 1);
        int32_t values = round % 2 ? 5 : 1000000;
        for (int32_t i = 0; i < count; i++)
            points[i] = (struct tw_front_point){.x = (double)dice_below(&dice, values) - 2,
                                                .y = (double)dice_below(&dice, values) / 7,
                                                .at = i};
        check_front(points, count);
    }
}

static void a_knee_lies_beyond_the_line(void **state)
{
    static const struct tw_front_point bulging[] = {{0, 10, 0}, {6, 9, 1}, {9, 5, 2}, {10, 0, 3}};
    static const struct tw_front_point straight[] = {{0, 2, 0}, {1, 1, 1}, {2, 0, 2}};
    static const struct tw_front_point hollow[] = {{0, 9, 0}, {1, 1, 1}, {9, 0, 2}};
    (void)state;
    assert_int_equal(tw_front_knee(bulging, 4), 1);
    assert_int_equal(tw_front_knee(straight, 3), -1);
    assert_int_equal(tw_front_knee(hollow, 3), -1);
    assert_int_equal(tw_front_knee(bulging, 2), -1);
    assert_int_equal(tw_front_knee(bulging, 0), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fronts_are_those_of_all_pairs),
        cmocka_unit_test(a_knee_lies_beyond_the_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
