/* SPDX-License-Identifier: MIT */
/* Parameters that a surface and every view of it have in common: one row each, and what they mean.
 *
 *     struct params { TW_SCENE_FIELDS; float pitch; };
 *     ... TW_SCENE_PARAMS(struct params), ...
 *     struct tw_scene scene = tw_scene_of(&TW_SCENE_CHOICE(p)); */
#ifndef TW_NODES_RENDER_KERNELS_SCENE_H
#define TW_NODES_RENDER_KERNELS_SCENE_H

#include "render/kernels/surface_light.h"

#define TW_SCENE_FIELDS                                                                            \
    int32_t mood;                                                                                  \
    float sea, exaggeration;                                                                       \
    struct tw_list sun, time, size

#define TW_NO_SEA (-1e9)
#define TW_SNOW_LINE 0.6 /* of the alpine mood, see `snow` of render.surface */

/* Below any map. The field is `float sea`. */
#define TW_PARAM_SEA(S, help)                                                                      \
    TW_PARAM_F32_OR(S, sea, "none", TW_NO_SEA, TW_NO_SEA, TW_NO_SEA, 1e9, TW_UNIT_HEIGHT, help,    \
                    TW_USUAL(0, 1))

#define TW_SCENE_PARAMS(S)                                                                         \
    TW_PARAM_ENUM(S, mood, TW_ALPINE, TW_MOOD_LABELS, "colours of ground, water and light"),       \
        TW_SCENE_MORE_PARAMS(S)

#define TW_SCENE_MORE_PARAMS(S)                                                                    \
    TW_PARAM_SEA(S, "level of the sea"),                                                           \
        TW_PARAM_EXAGGERATION(S, exaggeration, 0.15, TW_UNIT_SIDE_LONGER),                         \
        TW_PARAM_LIST(S, sun, "290 30", -90, 360, TW_UNIT_DEGREES,                                 \
                      "azimuth, clockwise from north, and altitude, -90 to 90"),                   \
        TW_PARAM_LIST(S, time, "", 0, 24, "hours",                                                 \
                      "time of day instead of sun: at 45 degrees north, at equinox",               \
                      TW_USUAL(4, 20))

#define TW_SIZE_PARAM(S, text)                                                                     \
    TW_PARAM_LIST(S, size, text, 1, 65536, "pixels",                                               \
                  "width and height of the picture, or its side", TW_USUAL(256, 4096))

struct tw_scene_choice {
    enum tw_mood mood;
    float sea, exaggeration;
    const struct tw_list *sun, *time, *size;
};

#define TW_SCENE_CHOICE(p)                                                                         \
    ((struct tw_scene_choice){(enum tw_mood)(p)->mood, (p)->sea,                                   \
                              tw_exaggeration((p)->exaggeration), &(p)->sun, &(p)->time,           \
                              &(p)->size})

struct tw_scene tw_scene_of(const struct tw_scene_choice *choice);
/* Sets the picture's size; `width` and `height` do not change where none is given. */
void tw_scene_size(const struct tw_list *size, int32_t *width, int32_t *height);
/* For a descriptor's `check`. */
struct tw_rule tw_scene_check(const struct tw_scene_choice *choice);

/* A surface as a view of a map needs it: as given, or lit here with the mood's own colours. */
struct tw_scene_ground {
    const struct tw_surface_cell *cells;
    int32_t factor; /* its cells per cell of the map and axis */
};
/* `given` may be NULL; `picture` is the picture's width. */
enum tw_status tw_scene_ground(struct tw_task *task, const struct tw_surface_job *job,
                               const struct tw_value *given, int32_t picture,
                               struct tw_scene_ground *ground);
/* The factor of the ground, with a given surface of so many cells unless that is 0. */
int32_t tw_scene_ground_factor(const struct tw_forecast *f, int64_t given, int32_t picture);
/* What it takes without a given surface; the scratch of `light` is given back. */
void tw_scene_ground_forecast(struct tw_forecast *f, struct tw_forecast *light, int32_t factor,
                              bool shadow);

/* The surface of a map that has no nodes' inputs but the map: what views light by themselves. */
struct tw_surface_job tw_scene_plain_job(struct tw_task *task, const struct tw_scene *scene);

#endif
