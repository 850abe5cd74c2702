/* SPDX-License-Identifier: MIT */
/* The sun and the sky by the sun's altitude, so that one number, the time of day, gives the light
 * of a picture. */
#ifndef TW_NODES_RENDER_KERNELS_SUN_H
#define TW_NODES_RENDER_KERNELS_SUN_H

#include "render/kernels/shading_math.h"

struct tw_sun {
    double azimuth, altitude;     /* degrees, clockwise from north and above the horizon */
    float x, y, z;                /* unit vector towards it: east, south, up */
    struct tw_rgb light;          /* on a surface that faces it; black below the horizon */
    struct tw_rgb zenith, around; /* sky light from above and from the horizon */
};

/* `sky` is the strength of the sky by day. Below the horizon the sky fades to moonlight over 12
 * degrees of dusk. */
struct tw_sun tw_sun_at(double azimuth, double altitude, float sky);
/* tw_sun_at() for a world without air: the sun is white at any altitude. */
struct tw_sun tw_sun_in_space(double azimuth, double altitude, float sky);

/* The direction of the sun at an hour, 0 to 24, on the day of equinox at 45 degrees north. */
void tw_sun_by_hour(double hour, double *azimuth, double *altitude);

#endif
