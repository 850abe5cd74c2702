/* SPDX-License-Identifier: MIT */
/* The nearest points have the distances of a plain search of all around, also where more points of
 * a ring of regions must be looked at than are gathered at once. */
#include "support/harness.h"
#include "voronoi/kernels/nearest_points.h"

#include <thalweg/kernel.h>

#include <stdlib.h>

enum { REGIONS = 7, OWN = 3, LANES = TW_NEAREST_POINTS_LANES, MOST = TW_NEAREST_POINTS_MAX };

static struct tw_point points[REGIONS * REGIONS * MOST];
static struct tw_nearest_points given;
static struct tw_point_lanes lanes;

/* Where the points of a region lie, in regions from its corner: those beyond the first ring close
 * to the own region, those within it as far as can be from its corner at the west and north, where
 * a lane is, so that this lane has nothing nearer. */
static float place_of(int32_t region)
{
    const int32_t away = region - OWN;
    const float end = 0.999f;
    if (away == 0)
        return end;
    if (away > 1)
        return 1 - end;
    return away < -1 || away == 1 ? end : 1 - end;
}

static void fill(int32_t per_region, bool scattered)
{
    for (int32_t i = 0; i < REGIONS * REGIONS * per_region; i++) {
        int32_t region = i / per_region, x = region % REGIONS, y = region / REGIONS;
        struct tw_random4 words = tw_random(7, (uint32_t)i, 0, 0, 0);
        float own_x = scattered ? tw_uniform(words.at[0]) : place_of(x);
        float own_y = scattered ? tw_uniform(words.at[1]) : place_of(y);
        points[i] =
            (struct tw_point){.x = ((float)x + own_x) / REGIONS, .y = ((float)y + own_y) / REGIONS};
    }
}

static int compare(const void *a, const void *b)
{
    const float *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

/* Of all points, on the map and on those around it. */
static void check_lane(int32_t lane)
{
    static float all[REGIONS * REGIONS * MOST * 9];
    int32_t count = 0, points_count = REGIONS * REGIONS * given.per_region;
    for (int32_t i = 0; i < points_count; i++)
        for (int32_t side = 0; side < 9; side++) {
            float dx = points[i].x + (float)(side % 3 - 1) - lanes.x[lane];
            float dy = points[i].y + (float)(side / 3 - 1) - lanes.y[lane];
            all[count++] = dx * dx + dy * dy;
        }
    qsort(all, (size_t)count, sizeof *all, compare);
    for (int32_t k = 0; k < given.distances; k++)
        assert_true(lanes.nearest[k][lane] == all[k]);
}

/* The lanes are corners of the own region and places between them. */
static void find(void)
{
    static struct tw_points_around around;
    lanes.count = 49;
    for (int32_t i = 0; i < LANES; i++) {
        int32_t at = i < lanes.count ? i : lanes.count - 1;
        lanes.x[i] = ((float)OWN + (float)(at % 7) / 6.001f) / REGIONS;
        lanes.y[i] = ((float)OWN + (float)(at / 7) / 6.001f) / REGIONS;
    }
    tw_points_around_find(&given, OWN, OWN, &around);
    tw_nearest_points_find(&given, &around, &lanes);
}

static void check(void)
{
    find();
    for (int32_t lane = 0; lane < lanes.count; lane += 6) /* corners, too */
        check_lane(lane);
}

static void distances_are_those_of_a_plain_search(void **state)
{
    static const int32_t per_region[] = {1, 2, 5, 9, 10, MOST}, distances[] = {1, 2, 3, MOST};
    (void)state;
    for (int32_t i = 0; i < 2 * 6 * 4; i++) {
        given = (struct tw_nearest_points){.points = points,
                                           .regions = REGIONS,
                                           .per_region = per_region[i / 2 % 6],
                                           .distances = distances[i / 12],
                                           .labelled = i % 2 == 1};
        fill(given.per_region, i % 2 == 1);
        check();
    }
}

static void of_points_at_one_place_the_first_stays(void **state)
{
    static const int32_t distances[] = {1, 2, 3, MOST};
    (void)state;
    for (int i = 0; i < 4; i++) {
        given = (struct tw_nearest_points){.points = points,
                                           .regions = REGIONS,
                                           .per_region = 3,
                                           .distances = distances[i],
                                           .labelled = true};
        fill(given.per_region, true);
        for (int32_t k = 0; k < REGIONS * REGIONS * given.per_region; k++)
            points[k] = points[k - k % given.per_region];
        find();
        for (int32_t lane = 0; lane < lanes.count; lane++)
            assert_int_equal(lanes.first[lane] % given.per_region, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_a_plain_search),
        cmocka_unit_test(of_points_at_one_place_the_first_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
