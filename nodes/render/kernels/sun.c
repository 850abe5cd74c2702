/* SPDX-License-Identifier: MIT */
/* Air mass by Kasten and Young 1989; optical depths of Rayleigh scattering and a thin haze at 680,
 * 550 and 440 nm, relative to the sun at 60 degrees, which is white. */
#include "render/kernels/sun.h"

static const float depths[3] = {0.125f, 0.209f, 0.394f};
#define SUN 3.0f         /* against a sky of about 1 */
#define MASS_AT_60 1.154 /* air mass where the sun is white */
#define NIGHT 0.07f      /* moonlit sky, share of the day's */

static double air_mass(double altitude)
{
    return 1.0 / (tw_sin_degrees(altitude) + 0.50572 * tw_pow(altitude + 6.07995, -1.6364));
}

struct tw_sun tw_sun_at(double azimuth, double altitude, float sky)
{
    double flat = tw_cos_degrees(altitude);
    struct tw_sun sun = {.azimuth = azimuth,
                         .altitude = altitude,
                         .x = (float)(flat * tw_sin_degrees(azimuth)),
                         .y = (float)(-flat * tw_cos_degrees(azimuth)),
                         .z = (float)tw_sin_degrees(altitude)};
    float at[3] = {0, 0, 0};
    for (int i = 0; i < 3 && altitude > 0; i++)
        at[i] = SUN * (float)tw_exp(-(double)depths[i] * (air_mass(altitude) - MASS_AT_60));
    float dusk = tw_mix(NIGHT, 1.0f, tw_smoothstep(-12.0f, 8.0f, (float)altitude)) * sky;
    sun.light = (struct tw_rgb){at[0], at[1], at[2]};
    sun.zenith = (struct tw_rgb){0.66f * dusk, 0.80f * dusk, 1.08f * dusk};
    sun.around = (struct tw_rgb){dusk, 0.98f * dusk, 0.98f * dusk};
    return sun;
}

struct tw_sun tw_sun_in_space(double azimuth, double altitude, float sky)
{
    struct tw_sun sun = tw_sun_at(azimuth, altitude, sky);
    if (altitude > 0)
        sun.light = (struct tw_rgb){SUN, SUN, SUN};
    return sun;
}

void tw_sun_by_hour(double hour, double *azimuth, double *altitude)
{
    const double half = 0.7071067811865476; /* sine and cosine of the latitude */
    double angle = 15.0 * (hour - 12.0);
    double east = -tw_sin_degrees(angle), south = tw_cos_degrees(angle) * half;
    double up = tw_cos_degrees(angle) * half, flat = sqrt(east * east + south * south);
    *azimuth = tw_atan2(east, -south) * 57.29577951308232;
    *azimuth += *azimuth < 0 ? 360.0 : 0.0;
    *altitude = tw_atan2(up, flat) * 57.29577951308232;
}
