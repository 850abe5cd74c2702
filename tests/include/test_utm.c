/* SPDX-License-Identifier: MIT */
/* Zones of UTM: places as PROJ 9.1 has them, and the way back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <thalweg/utm.h>

static void places_are_those_of_proj(void **state)
{
    /* +proj=etmerc +lon_0=MERIDIAN +k=0.9996 +x_0=500000 +y_0=0 or 1e7 +ellps=WGS84 */
    static const struct {
        int32_t zone;
        double longitude, latitude, east, north;
    } rows[] = {
        {33, 15, 0, 500000.000000002, 0.000000000},
        {33, 13.5, 52.5, 398178.396968773, 5817709.526407857},
        {32, 9.25, 47, 519006.389856132, 5205194.436199967},
        {32, 12.4, 59.9, 690160.671127313, 6645158.001790784},
        {1, -179.9, -45, 271435.514118339, 5012957.693384510},
        {60, 179.9, -45, 728564.485881663, 5012957.693384509},
        {25, -34.9, -8, 290584.397708867, 9115218.772889802},
        {16, -84.4, 36.6, 732567.197987721, 4053647.962498611},
        {31, 3, 84, 500000.000000000, 9328093.830560509},
        {37, 40, -80, 519384.803295973, 1118247.585192559},
        {33, -15, 60, -1132525.464391377, 7034625.010991832},
        {33, 44.9, -30, 3448364.046974028, 6272891.821163865},
        {1, 179, 10, 61280.711983614, 1108075.001429198},
        {18, -70, -1e-07, 1057087.120061157, 9999999.988904489},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct tw_utm utm = tw_utm_of(rows[i].zone, rows[i].latitude < 0);
        double east, north, longitude, latitude;
        tw_utm_forward(&utm, rows[i].longitude, rows[i].latitude, &east, &north);
        tw_utm_inverse(&utm, east, north, &longitude, &latitude);
        if (fabs(east - rows[i].east) > 1e-5 || fabs(north - rows[i].north) > 1e-5)
            fail_msg("%zu: %.9f %.9f", i, east, north);
        assert_true(fabs(tw_utm_turn(longitude - rows[i].longitude)) < 1e-10);
        assert_true(fabs(latitude - rows[i].latitude) < 1e-10);
    }
}

static void zones_are_those_of_norway_too(void **state)
{
    static const struct {
        double longitude, latitude;
        int32_t zone;
    } rows[] = {{-180, 0, 1}, {180, 0, 60}, {5.9, 10, 31}, {6, 10, 32},
                {5, 60, 32},  {5, 64, 31},  {5, 75, 31},   {10, 75, 33},
                {30, 75, 35}, {41, 83, 37}, {42, 75, 38},  {-84.4, 36, 16}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(tw_utm_zone(rows[i].longitude, rows[i].latitude), rows[i].zone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places_are_those_of_proj),
                                       cmocka_unit_test(zones_are_those_of_norway_too)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
