/* SPDX-License-Identifier: MIT */
#include "layer/kernels/dunes.h"

#include <thalweg/kernel.h>

enum { NOWHERE = -1, AWAY = -2, ROWS = 16, FALLS = 4, LOOK_EVERY = 16 };
enum { SHORTEST_HOP = 1 }; /* in cells */
enum { EMISSION, HOPS };   /* kinds of draws */

/* Probabilities of 65536 that a slab stays where it lands. */
static const float stays_on_sand = 0.6f * 65536, stays_on_rock = 0.4f * 65536;

bool tw_dunes_lay_out(struct tw_scratch *s, struct tw_dunes *d)
{
    const uint64_t width = (uint64_t)d->width, height = (uint64_t)d->height;
    const uint64_t longer = width > height ? width : height;
    d->rock = tw_scratch_take(s, width * height, sizeof *d->rock);
    d->sand = tw_scratch_take(s, width * height, sizeof *d->sand);
    d->tops = tw_scratch_take(s, (width + 2) * (height + 2), sizeof *d->tops);
    d->shade = tw_scratch_take(s, width * height, sizeof *d->shade);
    d->moves = tw_scratch_take(s, width * height, sizeof *d->moves);
    d->around = tw_scratch_take(s, width * height, sizeof *d->around);
    d->sums = tw_scratch_take(s, width, sizeof *d->sums);
    d->offsets = tw_scratch_take(s, longer + TW_DUNES_REACH, sizeof *d->offsets);
    return tw_scratch_is_laid(s);
}

static int32_t nearest(double v)
{
    const int32_t whole = (int32_t)(v + 0.5);
    return (double)whole > v + 0.5 ? whole - 1 : whole;
}

struct tw_wind tw_dunes_wind(double azimuth)
{
    struct tw_wind wind = {.east = -tw_sin_degrees(azimuth), .south = tw_cos_degrees(azimuth)};
    for (int32_t i = 0; i < TW_DUNES_WAYS; i++) {
        wind.dx[i] = nearest(wind.east * (i + 1));
        wind.dy[i] = nearest(wind.south * (i + 1));
    }
    return wind;
}

struct hops {
    struct tw_dunes *d;
    const struct tw_wind *wind;
};

/* Returns the length of a hop: wind is faster over what is higher than the ground around (Momiji
 * and others 2000, equation 1, with C1 = 0.8 cells a slab and C2 = 0). */
static int32_t hop_length(const struct tw_dunes *d, int32_t x, int32_t y)
{
    const size_t cell = (size_t)y * (size_t)d->width + (size_t)x;
    const float rise =
        d->tops[(size_t)(y + 1) * ((size_t)d->width + 2) + (size_t)x + 1] - d->around[cell];
    const float length = 5 + 0.8f * rise;
    return nearest((double)tw_clamp(length, SHORTEST_HOP, TW_DUNES_LONGEST_HOP));
}

/* Returns the cell that a slab from x, y reaches after `way` + 1 cells; AWAY beyond a closed
 * border. */
static int32_t reached(const struct hops *h, int32_t x, int32_t y, int32_t way)
{
    const struct tw_dunes *d = h->d;
    x += h->wind->dx[way];
    y += h->wind->dy[way];
    if (x >= 0 && x < d->width && y >= 0 && y < d->height)
        return y * d->width + x;
    return d->wraps ? tw_wrap(y, d->height) * d->width + tw_wrap(x, d->width) : AWAY;
}

/* Returns where hop i ends, counted from 1: after its whole length, or before in the first shadow,
 * since behind a brink sand falls on the slip face at once. */
static int32_t hop(const struct hops *h, int32_t x, int32_t y, int32_t length, int32_t i)
{
    int32_t to = AWAY;
    for (int32_t way = length * (i - 1); way < length * i; way++) {
        to = reached(h, x, y, way);
        if (to == AWAY || h->d->shade[to])
            return to;
    }
    return to;
}

/* Returns whether a slab stays where it lands, by a draw below 65536. */
static bool stays(const struct tw_dunes *d, int32_t cell, uint32_t draw)
{
    const float bare = d->sand[cell] > 0 ? stays_on_sand : stays_on_rock;
    const float chance = d->hold ? bare + (65536 - bare) * d->hold[cell] : bare;
    return d->shade[cell] || (float)draw < chance;
}

static uint32_t half_of(const struct tw_random4 *words, int32_t i)
{
    return words->at[i / 2 % 4] >> (i % 2 * 16) & 0xFFFF;
}

/* Returns where a slab of the cell at x, y comes to rest; NOWHERE if vegetation keeps it. Each four
 * words give eight draws: the first is whether it leaves. */
static int32_t blow(const struct hops *h, int32_t x, int32_t y)
{
    const struct tw_dunes *d = h->d;
    const int32_t from = y * d->width + x;
    const int32_t length = hop_length(d, x, y);
    struct tw_random4 words = {{0}};
    int32_t to = AWAY;
    for (int32_t i = 0; i <= TW_DUNES_HOPS; i++) {
        if (i % 8 == 0)
            words = tw_random(d->seed, (uint32_t)from, (uint32_t)d->sweep, HOPS, (uint32_t)i / 8);
        const uint32_t draw = half_of(&words, i);
        if (i == 0 && d->hold && (float)draw < 65536 * d->hold[from])
            return NOWHERE;
        if (i == 0)
            continue;
        to = hop(h, x, y, length, i);
        if (to == AWAY || stays(d, to, draw))
            return to;
    }
    return to;
}

/* Draws for lit cells with sand whether a slab leaves, a chance of 1/4 by two bits of 128 that 64
 * cells share, and where to. */
static void blow_rows(void *context, int32_t begin, int32_t end)
{
    const struct hops *h = context;
    const struct tw_dunes *d = h->d;
    struct tw_random4 words = {{0}};
    int32_t block = -1;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < d->width; x++) {
            const int32_t cell = y * d->width + x;
            d->moves[cell] = NOWHERE;
            if (d->sand[cell] <= 0 || d->shade[cell])
                continue;
            if (cell / 64 != block) {
                block = cell / 64;
                words = tw_random(d->seed, (uint32_t)block, (uint32_t)d->sweep, EMISSION, 0);
            }
            if ((words.at[cell / 16 % 4] >> (cell % 16 * 2) & 3) == 0)
                d->moves[cell] = blow(h, x, y);
        }
}

static void land(struct tw_dunes *d)
{
    for (int32_t cell = 0; cell < d->width * d->height; cell++) {
        const int32_t to = d->moves[cell];
        if (to == NOWHERE)
            continue;
        d->sand[cell]--;
        if (to == AWAY)
            d->gone++;
        else
            d->sand[to]++;
    }
}

void tw_dunes_sweep(struct tw_task *task, struct tw_dunes *d, const struct tw_wind *wind)
{
    struct hops hops = {d, wind};
    if (d->sweep % LOOK_EVERY == 0)
        tw_dunes_look_around(d);
    tw_dunes_shade(task, d, wind);
    tw_rows(task, d->height, ROWS, blow_rows, &hops);
    land(d);
    tw_dunes_raise(task, d);
    tw_dunes_fall(task, d, FALLS);
    d->sweep++;
}
