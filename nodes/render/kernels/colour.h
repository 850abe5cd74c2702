/* SPDX-License-Identifier: MIT */
/* Colours for drawing: ramps between stops and blending, in floats 0..255. */
#ifndef TW_NODES_RENDER_KERNELS_COLOUR_H
#define TW_NODES_RENDER_KERNELS_COLOUR_H

#include <stdint.h>

struct tw_colour {
    float at[3]; /* red, green, blue */
};

struct tw_colour_stop {
    float value;
    struct tw_colour colour;
};

static inline struct tw_colour tw_colour_of(const uint8_t *bytes)
{
    return (struct tw_colour){{(float)bytes[0], (float)bytes[1], (float)bytes[2]}};
}

/* `share` of b over a. */
static inline struct tw_colour tw_colour_mix(struct tw_colour a, struct tw_colour b, float share)
{
    for (int k = 0; k < 3; k++)
        a.at[k] += (b.at[k] - a.at[k]) * share;
    return a;
}

/* Linear between stops of rising values; the first and last colour beyond them. */
static inline struct tw_colour tw_colour_ramp(const struct tw_colour_stop *stops, int count,
                                              float value)
{
    int i = 1;
    while (i < count - 1 && value > stops[i].value)
        i++;
    float share = (value - stops[i - 1].value) / (stops[i].value - stops[i - 1].value);
    share = share > 0 ? share < 1 ? share : 1 : 0;
    return tw_colour_mix(stops[i - 1].colour, stops[i].colour, share);
}

static inline void tw_colour_store(struct tw_colour colour, uint8_t *pixel)
{
    for (int k = 0; k < 3; k++) {
        float v = colour.at[k] + 0.5f;
        pixel[k] = (uint8_t)(v > 0 ? v < 255 ? v : 255 : 0);
    }
}

#endif
