/* SPDX-License-Identifier: MIT */
/* Cliffs, platforms and beaches. Distances count from lines between cells. */
#include "common/ground_maps.h"
#include "common/sides.h"
#include "erosion/kernels/coast/coast.h"

#include <thalweg/kernel.h>

#define BELOW 1.5       /* berms below the sea to which platforms reach */
#define DEEPENING 23.5f /* Dean's A in berms, at distances in map sides */
#define SHELTER 1.2f    /* sand lies where 1.2 - 1.6 exposure is above 0 */
#define EXPOSED 1.6f

/* ---- cliffs and platforms ---- */

/* What the sea took it has worn down already; hard ground next to it gives less. */
static void lower_to(struct tw_coast *c, int32_t i, double height)
{
    const double drop = (double)c->in[i] - height;
    const bool hard = c->hardness && c->kind[i] != TW_COAST_TAKEN;
    if (drop > 0)
        c->changed[i] =
            (float)((double)c->in[i] - drop * (hard ? (double)tw_softness(c->hardness[i]) : 1));
}

/* Behind the line where the sea stopped the ground rises no steeper than a cliff. */
static enum tw_status cut_cliffs(struct tw_coast *c)
{
    const double foot = (double)c->level + (double)c->p->berm / 2;
    const double step = (double)c->p->cliff * c->cell;
    double highest = foot;
    for (int32_t i = 0; i < c->cells; i++) {
        c->slow[i] = c->kind[i] == TW_COAST_LAND ? 1 : INFINITY;
        highest = (double)c->in[i] > highest ? (double)c->in[i] : highest;
    }
    enum tw_status status = tw_coast_march(c, c->slow, (highest - foot) / step + 1, false);
    for (int32_t i = 0; status == TW_OK && i < c->cells; i++)
        if (c->kind[i] == TW_COAST_LAND && c->march.time[i] < INFINITY)
            lower_to(c, i, foot + step * c->march.time[i]);
    return status;
}

/* Before it the ground falls gently to where waves no longer reach it, and goes on at that depth as
 * far as shores can go back: what they leave is no shoal. */
static enum tw_status cut_platforms(struct tw_coast *c)
{
    const double top = (double)c->level + (double)c->p->berm / 2;
    const double bottom = (double)c->level - BELOW * (double)c->p->berm;
    const double step = (double)c->p->platform * c->cell;
    for (int32_t i = 0; i < c->cells; i++)
        c->ahead[i] = c->kind[i] == TW_COAST_SEA ? INFINITY : -c->ahead[i];
    for (int32_t i = 0; i < c->cells; i++)
        if (c->kind[i] == TW_COAST_TAKEN && c->ahead[i] <= 0)
            c->ahead[i] = 1e-9f;
    const double width = step > 0 ? (top - bottom) / step : INFINITY;
    enum tw_status status =
        tw_coast_march(c, NULL, width + tw_sides_in_cells(c->p->retreat, c->march.width), false);
    for (int32_t i = 0; status == TW_OK && i < c->cells; i++) {
        const double height = top - step * c->march.time[i];
        if (c->kind[i] == TW_COAST_TAKEN || c->march.time[i] < INFINITY)
            lower_to(c, i, height > bottom ? height : bottom);
    }
    return status;
}

/* ---- beaches ---- */

/* The sand that would make a beach of a cell this far from the water's edge. */
static void want_sand(struct tw_coast *c, int32_t i, bool below)
{
    const double x = c->march.time[i] * c->cell, berm = (double)c->p->berm;
    const double width = berm / (double)c->p->beach;
    if (!(x < TW_COAST_WIDTHS * width))
        return;
    const float fade = 1 - (float)(x / (TW_COAST_WIDTHS * width));
    const float room = tw_clamp(SHELTER - EXPOSED * c->march.carried[i], 0, 1);
    const double above = x * (double)c->p->beach;
    const double rise = below          ? -DEEPENING * berm * tw_pow(x, 2.0 / 3)
                        : above < berm ? above
                                       : berm;
    const double target = (double)c->level + rise;
    const float depth = (float)(target - (double)c->changed[i]);
    c->sand[i] = room * fade * fade * (3 - 2 * fade) * tw_max(depth, 0);
}

static enum tw_status want_beaches(struct tw_coast *c, bool below)
{
    const double limit = TW_COAST_WIDTHS * (double)c->p->berm / (double)c->p->beach / c->cell + 1;
    for (int32_t i = 0; i < c->cells; i++) {
        const float height = c->changed[i] - c->level;
        const bool water = c->kind[i] != TW_COAST_LAND && height < 0;
        const float above = tw_max(height, 1e-9f);
        c->ahead[i] = below ? (water ? -height : -above) : (water ? height : above);
    }
    enum tw_status status = tw_coast_march(c, NULL, limit, true);
    for (int32_t i = 0; status == TW_OK && i < c->cells; i++)
        if (c->ahead[i] > 0)
            want_sand(c, i, below);
    return status;
}

static double weight_of(const struct tw_coast *c, int32_t i)
{
    return c->mask ? (double)tw_clamp(c->mask[i], 0, 1) : 1;
}

/* Lays down as much of the wanted sand as the share allows. */
static void lay_sand(struct tw_coast *c)
{
    double wanted = 0;
    for (int32_t i = 0; i < c->cells; i++) {
        c->eroded += weight_of(c, i) * ((double)c->in[i] - (double)c->changed[i]);
        wanted += weight_of(c, i) * (double)c->sand[i];
    }
    const double most = (double)c->p->share * c->eroded;
    const float part = wanted > most ? (float)(most / wanted) : 1;
    for (int32_t i = 0; i < c->cells; i++) {
        c->sand[i] *= part * (float)weight_of(c, i);
        c->laid += (double)c->sand[i];
    }
}

enum tw_status tw_coast_erode(struct tw_coast *c)
{
    enum tw_status status = tw_coast_take_land(c);
    if (status == TW_OK)
        status = cut_cliffs(c);
    if (status == TW_OK)
        status = cut_platforms(c);
    if (status == TW_OK)
        status = want_beaches(c, false);
    if (status == TW_OK)
        status = want_beaches(c, true);
    if (status == TW_OK)
        lay_sand(c);
    return status;
}
