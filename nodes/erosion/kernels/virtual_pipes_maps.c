/* SPDX-License-Identifier: MIT */
/* Shallow water in maps without frames: from a coarser level and for a finer one, and as
 * velocities. */
#include "erosion/kernels/virtual_pipes.h"

#include <thalweg/kernel.h>

#include <string.h>

/* ---- velocities ---- */

static float bounded(float v, float most) { return tw_clamp(v, -most, most); }

void tw_virtual_pipes_velocity(const struct tw_virtual_pipes *m, int32_t y, float fastest,
                               struct tw_vector *velocity)
{
    float *const *flux = m->flux;
    float cell = 1.0f / (float)m->width;
    for (int32_t x = 0; x < m->width; x++) {
        size_t at = tw_virtual_pipes_row(m, y) + (size_t)x, up = at - m->stride,
               down = at + m->stride;
        float depth = m->water[at], per = depth > 0 ? 0.5f * cell / depth : 0;
        float along = (flux[TW_VIRTUAL_PIPES_RIGHT][at - 1] - flux[TW_VIRTUAL_PIPES_LEFT][at]) +
                      (flux[TW_VIRTUAL_PIPES_RIGHT][at] - flux[TW_VIRTUAL_PIPES_LEFT][at + 1]);
        float across = (flux[TW_VIRTUAL_PIPES_DOWN][up] - flux[TW_VIRTUAL_PIPES_UP][at]) +
                       (flux[TW_VIRTUAL_PIPES_DOWN][at] - flux[TW_VIRTUAL_PIPES_UP][down]);
        velocity[x].x = bounded(along * per, fastest);
        velocity[x].y = bounded(across * per, fastest);
    }
}

/* ---- levels ---- */

enum { STATE_WATER, STATE_SEDIMENT, STATE_FLUX };

static void states_of(const struct tw_virtual_pipes *m, float *maps[TW_VIRTUAL_PIPES_STATES])
{
    maps[STATE_WATER] = m->water;
    maps[STATE_SEDIMENT] = m->sediment;
    for (int k = 0; k < 4; k++)
        maps[STATE_FLUX + k] = m->flux[k];
}

static bool is_open(const struct tw_virtual_pipes *m, int side) { return m->open >> side & 1; }

/* Nothing flows over a closed side, whatever fluxes one cell inland have been smoothed to. */
static void close_sides(const struct tw_virtual_pipes *m)
{
    size_t row = (size_t)m->width * sizeof(float);
    for (int32_t y = 0; y < m->height; y++) {
        size_t first = tw_virtual_pipes_row(m, y);
        if (!is_open(m, TW_SIDE_WEST))
            m->flux[TW_VIRTUAL_PIPES_LEFT][first] = 0;
        if (!is_open(m, TW_SIDE_EAST))
            m->flux[TW_VIRTUAL_PIPES_RIGHT][first + (size_t)m->width - 1] = 0;
    }
    if (!is_open(m, TW_SIDE_NORTH))
        memset(m->flux[TW_VIRTUAL_PIPES_UP] + tw_virtual_pipes_row(m, 0), 0, row);
    if (!is_open(m, TW_SIDE_SOUTH))
        memset(m->flux[TW_VIRTUAL_PIPES_DOWN] + tw_virtual_pipes_row(m, m->height - 1), 0, row);
}

void tw_virtual_pipes_resume(struct tw_task *task, const struct tw_level *level,
                             const struct tw_virtual_pipes *m)
{
    float *maps[TW_VIRTUAL_PIPES_STATES];
    states_of(m, maps);
    for (int i = 0; i < TW_VIRTUAL_PIPES_STATES; i++)
        tw_level_state(task, level, i, maps[i] + tw_virtual_pipes_row(m, 0), m->stride);
    close_sides(m);
}

struct leaving {
    const struct tw_virtual_pipes *m;
    const float *map;
    float *to, scale;
};

static void leave_rows(void *context, int32_t begin, int32_t end)
{
    const struct leaving *c = context;
    for (int32_t y = begin; y < end; y++) {
        const float *from = c->map + tw_virtual_pipes_row(c->m, y);
        float *to = c->to + (size_t)y * (size_t)c->m->width;
        for (int32_t x = 0; x < c->m->width; x++)
            to[x] = from[x] * c->scale;
    }
}

/* Water of the same depth and speed passes a cell half as long in half the time: fluxes double. */
void tw_virtual_pipes_leave(struct tw_task *task, const struct tw_level *level,
                            const struct tw_virtual_pipes *m)
{
    float *maps[TW_VIRTUAL_PIPES_STATES];
    states_of(m, maps);
    for (int i = 0; i < TW_VIRTUAL_PIPES_STATES; i++) {
        struct leaving state = {m, maps[i], level->states[i], i < STATE_FLUX ? 1 : 2};
        tw_rows(task, m->height, 16, leave_rows, &state);
    }
    struct leaving ground = {m, m->ground, level->after, 1};
    tw_rows(task, m->height, 16, leave_rows, &ground);
}
