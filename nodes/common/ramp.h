/* SPDX-License-Identifier: MIT */
/* Colours between given ones. */
#ifndef TW_NODES_RAMP_H
#define TW_NODES_RAMP_H

#include <thalweg/node.h>

struct tw_colour {
    float at[3]; /* red, green, blue, 0..255 */
};

/* A colour of a ramp: `at` rises. */
struct tw_stop {
    float at;
    struct tw_colour colour;
};

/* Straight between the stops, the first and the last colour beyond them. */
static inline struct tw_colour tw_ramp(const struct tw_stop *stops, int count, float at)
{
    if (at <= stops[0].at)
        return stops[0].colour;
    for (int i = 1; i < count; i++)
        if (at < stops[i].at) {
            const struct tw_stop *a = stops + i - 1, *b = stops + i;
            float t = (at - a->at) / (b->at - a->at);
            struct tw_colour colour;
            for (int k = 0; k < 3; k++)
                colour.at[k] = a->colour.at[k] * (1.0f - t) + b->colour.at[k] * t;
            return colour;
        }
    return stops[count - 1].colour;
}

/* `light` 1 leaves the colour as it is. */
static inline void tw_colour_store(struct tw_colour colour, float light, uint8_t *pixel)
{
    for (int k = 0; k < 3; k++) {
        float level = colour.at[k] * light + 0.5f;
        pixel[k] = (uint8_t)(level < 255.0f ? level : 255.0f);
    }
}

#endif
