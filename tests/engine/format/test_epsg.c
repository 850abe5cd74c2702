/* SPDX-License-Identifier: MIT */
/* Which codes are not of metres, and zones of UTM. */
#include "support/harness.h"

#include "format/epsg.h"

#include <string.h>

static void expect_unit(int32_t code, const char *unit)
{
    const char *found = tw_epsg_unit(code);
    if (unit ? !found || strcmp(found, unit) != 0 : found != NULL)
        fail_msg("EPSG:%d: %s; expected %s", (int)code, found ? found : "metres",
                 unit ? unit : "metres");
}

static void codes_of_metres_are_told_apart(void **state)
{
    static const int32_t metres[] = {2056,  2154,  2180,  2193,  3035,  3067,  3395,
                                     3857,  5070,  5514,  25832, 26917, 27700, 28992,
                                     31467, 32601, 32632, 32660, 32701, 32760, 5041};
    static const int32_t degrees[] = {4326, 4258, 4269, 4230, 4979, 4978, 5703, 7405, 4937, 9057};
    (void)state;
    for (size_t i = 0; i < sizeof metres / sizeof *metres; i++)
        expect_unit(metres[i], NULL);
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++)
        expect_unit(degrees[i], TW_EPSG_UNPROJECTED);
    expect_unit(2263, "US survey feet");
    expect_unit(2225, "US survey feet");
    expect_unit(6586, "US survey feet");
    expect_unit(2222, "feet");
    expect_unit(3167, "a unit that is no metre");
    expect_unit(32766, NULL); /* of no edition so far */
    expect_unit(0, NULL);
}

/* As many of each as the queries of epsg.c give. */
static void all_codes_of_the_edition_are_there(void **state)
{
    int unprojected = 0, us_feet = 0, feet = 0, others = 0;
    (void)state;
    for (int32_t code = 1; code <= 32767; code++) {
        const char *unit = tw_epsg_unit(code);
        unprojected += unit && strcmp(unit, TW_EPSG_UNPROJECTED) == 0;
        us_feet += unit && strcmp(unit, "US survey feet") == 0;
        feet += unit && strcmp(unit, "feet") == 0;
        others += unit && strcmp(unit, "a unit that is no metre") == 0;
    }
    assert_int_equal(unprojected, 1742);
    assert_int_equal(us_feet, 789);
    assert_int_equal(feet, 144);
    assert_int_equal(others, 33);
}

static void places_have_zones(void **state)
{
    (void)state;
    assert_int_equal(tw_epsg_utm(8.5, 47.4), 32632);    /* Zurich */
    assert_int_equal(tw_epsg_utm(-74, 40.7), 32618);    /* New York */
    assert_int_equal(tw_epsg_utm(151.2, -33.9), 32756); /* Sydney */
    assert_int_equal(tw_epsg_utm(-180, 0), 32601);
    assert_int_equal(tw_epsg_utm(180, 0), 32660);
    assert_int_equal(tw_epsg_utm(5.3, 60.4), 32632); /* Bergen, in the wide zone */
    assert_int_equal(tw_epsg_utm(5.3, 64), 32631);
    assert_int_equal(tw_epsg_utm(15.6, 78.2), 32633); /* Longyearbyen */
    assert_int_equal(tw_epsg_utm(33, 75), 32637);
    assert_int_equal(tw_epsg_utm(0, 85), 32661);
    assert_int_equal(tw_epsg_utm(0, -85), 32761);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(codes_of_metres_are_told_apart),
                                       cmocka_unit_test(all_codes_of_the_edition_are_there),
                                       cmocka_unit_test(places_have_zones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
