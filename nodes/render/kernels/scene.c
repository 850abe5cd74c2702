/* SPDX-License-Identifier: MIT */
/* From parameters to a scene. */
#include "render/kernels/scene.h"

#include "render/kernels/enlarge.h"

#include <thalweg/kernel.h>

enum { PICTURE_CELLS_MAX = 1 << 28 };
#define SUN_SOFTNESS 1.2f

struct tw_scene tw_scene_of(const struct tw_scene_choice *choice)
{
    double azimuth = (double)choice->sun->at[0], altitude = (double)choice->sun->at[1];
    if (choice->time->count > 0)
        tw_sun_by_hour((double)choice->time->at[0], &azimuth, &altitude);
    float sky = tw_mood_light(choice->mood)->sky;
    return (struct tw_scene){choice->mood, choice->sea, choice->exaggeration,
                             choice->mood == TW_MOON ? tw_sun_in_space(azimuth, altitude, sky)
                                                     : tw_sun_at(azimuth, altitude, sky)};
}

void tw_scene_size(const struct tw_list *size, int32_t *width, int32_t *height)
{
    if (size->count == 0)
        return;
    *width = (int32_t)size->at[0];
    *height = (int32_t)size->at[size->count - 1];
}

static bool is_whole(float v) { return (float)(int32_t)v == v; }

static struct tw_rule check_size(const struct tw_list *size)
{
    int32_t width = 1, height = 1;
    if (size->count > 2)
        return TW_RULE("size", "one side, or [width, height]");
    for (int32_t i = 0; i < size->count; i++)
        if (!is_whole(size->at[i]))
            return TW_RULE("size", "whole numbers of pixels");
    tw_scene_size(size, &width, &height);
    if ((int64_t)width * height > PICTURE_CELLS_MAX)
        return TW_RULE("size", "at most 2^28 pixels");
    return TW_RULES_HOLD;
}

struct tw_rule tw_scene_check(const struct tw_scene_choice *choice)
{
    const struct tw_list *sun = choice->sun;
    if (sun->count != 2)
        return TW_RULE("sun", "[azimuth, altitude]");
    if (sun->at[1] > 90 || sun->at[0] < 0)
        return TW_RULE("sun", "an azimuth from 0 to 360 and an altitude from -90 to 90");
    if (choice->time->count > 1)
        return TW_RULE("time", "one hour from 0 to 24");
    return check_size(choice->size);
}

struct tw_surface_job tw_scene_plain_job(struct tw_task *task, const struct tw_scene *scene)
{
    return (struct tw_surface_job){.scene = *scene,
                                   .heights = tw_floats(tw_task_input(task, 0)),
                                   .width = tw_task_width(task),
                                   .height = tw_task_height(task),
                                   .enlarge = 1,
                                   .snow = (float)TW_SNOW_LINE,
                                   .bump = 1,
                                   .shading = 1,
                                   .softness = SUN_SOFTNESS};
}

enum tw_status tw_scene_ground(struct tw_task *task, const struct tw_surface_job *job,
                               const struct tw_value *given, int32_t picture,
                               struct tw_scene_ground *ground)
{
    int32_t width = job->width, height = job->height;
    if (given) {
        *ground = (struct tw_scene_ground){tw_surface(given), given->width / width};
        if (ground->factor < 1 || ground->factor > TW_ENLARGE_MAX ||
            given->width != width * ground->factor || given->height != height * ground->factor)
            return tw_task_fail(task,
                                "the surface has %d x %d cells; expected the map's %d x %d, or 2 "
                                "to 4 times as many a side",
                                (int)given->width, (int)given->height, (int)width, (int)height);
        return TW_OK;
    }
    struct tw_surface_job own = *job;
    own.enlarge = ground->factor = tw_enlarge_factor(width, height, picture);
    size_t cells = (size_t)width * (size_t)height * (size_t)own.enlarge * (size_t)own.enlarge;
    struct tw_surface_cell *to = tw_task_scratch(task, cells, sizeof *to);
    if (!to)
        return tw_task_no_memory(task);
    ground->cells = to;
    return tw_surface_light(task, &own, to);
}

int32_t tw_scene_ground_factor(const struct tw_forecast *f, int64_t given, int32_t picture)
{
    int64_t cells = (int64_t)f->width * f->height;
    int32_t factor = 1;
    if (given == 0)
        return tw_enlarge_factor(f->width, f->height, picture);
    while (factor < TW_ENLARGE_MAX && given > cells * factor * factor)
        factor++;
    return factor;
}

void tw_scene_ground_forecast(struct tw_forecast *f, struct tw_forecast *light, int32_t factor,
                              bool shadow)
{
    uint64_t cells = (uint64_t)f->width * (uint64_t)f->height * (uint64_t)factor * (uint64_t)factor;
    tw_forecast_scratch(f, cells, sizeof(struct tw_surface_cell));
    tw_surface_light_forecast(light, f->width, f->height, factor, shadow);
}
