/* SPDX-License-Identifier: MIT */
#include "noise/kernels/octaves.h"

#include "noise/kernels/lattice_cells.h"
#include "noise/kernels/lattice_rows.h"

#include <thalweg/kernel.h>

enum { TILE_ROWS = 64 };

struct walk {
    struct tw_task *task;
    const struct tw_octaves *octaves;
    const struct tw_lattice *at;
    int32_t width, height;
    int32_t top; /* row of the map that the task's first one is */
    enum tw_simd simd;
};

/* Columns that an octave has placed, as lattices need that are rotated or not. */
union placed {
    struct tw_lattice_strip strip;
    struct tw_lattice_columns columns;
};

/* Map row span->y of an octave. */
static void walk_row(const struct walk *w, const struct tw_lattice *o,
                     const struct tw_lattice_span *span, union placed *placed)
{
    TW_LATTICE_ALIGNED float noise[TW_LATTICE_ROW];
    if (o->rotated)
        tw_lattice_cells(o, w->simd, &placed->columns, span, noise);
    else
        tw_lattice_strip_row(o, w->simd, span->y, &placed->strip, noise);
    w->octaves->sink(
        w->octaves->context,
        &(struct tw_noise_row){(int32_t)o->index, span->x, span->y - w->top, span->count, noise});
}

/* All octaves of a tile that stays in the cache. */
static void walk_tile(const struct walk *w, int32_t x, int32_t columns, int32_t begin, int32_t end)
{
    union placed placed;
    for (int32_t k = 0; k < w->octaves->count; k++) {
        const struct tw_lattice *o = &w->at[k];
        if (o->rotated)
            tw_lattice_columns_place(o, x, columns, &placed.columns);
        else
            tw_lattice_strip_place(o, x, columns, &placed.strip);
        for (int32_t y = begin; y < end; y++)
            walk_row(w, o, &(struct tw_lattice_span){x, w->top + y, columns}, &placed);
    }
}

static void walk_rows(void *context, int32_t begin, int32_t end)
{
    const struct walk *w = context;
    for (int32_t y = begin; y < end; y += TILE_ROWS)
        for (int32_t x = 0; x < w->width && !tw_task_cancelled(w->task); x += TW_LATTICE_STRIP)
            walk_tile(w, x, w->width - x < TW_LATTICE_STRIP ? w->width - x : TW_LATTICE_STRIP, y,
                      end - y < TILE_ROWS ? end : y + TILE_ROWS);
}

/* Degrees from one octave's lattice to the next: 60 over the golden ratio. Multiples spread evenly
 * over the 60 degrees after which a simplex lattice repeats, and over the 90 of a square one. */
#define TURN 37.082039324993690

/* Of a lattice cell, from one row to the next; about 1 less the golden ratio's inverse, so that
 * columns never align. */
#define SLIP 0.381966

static double cells_of_octave(const struct tw_octaves *octaves, int32_t k)
{
    double cells = (double)octaves->frequency;
    for (int32_t i = 0; i < k; i++)
        cells *= (double)octaves->lacunarity;
    return cells;
}

/* One noise for all octaves, whose second key is the node's. An octave's own first key moves its
 * lattice by whole cells, since points are counted by an odd factor, and its start by a part of
 * one: lattice points of octaves do not coincide. */
static void prepare(struct tw_task *task, const struct tw_octaves *octaves, int32_t k,
                    struct tw_lattice *out)
{
    int32_t width = tw_task_width(task), height = tw_task_map_height(task);
    double step = cells_of_octave(octaves, k) / (double)(width > height ? width : height);
    struct tw_random4 node = tw_random(tw_task_seed(task), 0, 1, 0, 0);
    struct tw_random4 own = tw_random(tw_task_seed(task), (uint32_t)k, 0, 0, 0);
    *out = (struct tw_lattice){.basis = octaves->basis,
                               .index = (uint32_t)k,
                               .key = {own.at[0], node.at[0]},
                               .step_x = step,
                               .step_y = step,
                               .start_x = (double)tw_uniform(own.at[1]),
                               .start_y = (double)tw_uniform(own.at[2]),
                               .width = width,
                               .rotated = !octaves->tile};
    if (octaves->tile) {
        double across = step * (double)width, down = step * (double)height;
        out->wrap_x = across < 1 ? 1 : (int32_t)(across + 0.5);
        out->wrap_y = down < 1 ? 1 : (int32_t)(down + 0.5);
        out->climb = own.at[3] & 1 ? 1 : -1;
        out->slip = (int32_t)((double)out->wrap_y * SLIP);
        out->step_x =
            ((double)out->wrap_x - (double)(out->climb * out->slip) / (double)out->wrap_y) /
            (double)width;
        out->step_y = (double)out->wrap_y / (double)height;
    } else {
        double angle =
            360.0 * (double)tw_uniform(node.at[1]) + TURN * k + (double)octaves->turn * k;
        out->cosine = tw_cos_degrees(angle) * step;
        out->sine = tw_sin_degrees(angle) * step;
    }
}

struct tw_rule tw_octaves_check(const struct tw_octaves *octaves, const char *count)
{
    if (octaves->basis == TW_BASIS_SIMPLEX && octaves->tile)
        return (struct tw_rule){.param = "basis",
                                .expected = "perlin or value, unless tile is false",
                                .hint =
                                    "the lattice of simplex noise is skewed, so it cannot tile"};
    if (cells_of_octave(octaves, octaves->count - 1) > TW_OCTAVES_FINEST)
        return (struct tw_rule){.param = count,
                                .expected = "a lower number for",
                                .other = octaves->lacunarity > 2 ? "lacunarity" : "frequency",
                                .hint =
                                    "the last octave may have at most 65536 lattice cells a side"};
    return TW_RULES_HOLD;
}

enum tw_status tw_octaves_run(struct tw_task *task, const struct tw_octaves *octaves)
{
    struct tw_lattice *at = tw_task_scratch(task, (size_t)octaves->count, sizeof *at);
    if (!at)
        return tw_task_no_memory(task);
    for (int32_t k = 0; k < octaves->count; k++)
        prepare(task, octaves, k, &at[k]);
    struct walk walk = {task,
                        octaves,
                        at,
                        tw_task_width(task),
                        tw_task_height(task),
                        tw_task_top(task),
                        tw_task_simd(task)};
    tw_rows(task, walk.height, 16, walk_rows, &walk);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

void tw_octaves_forecast(struct tw_forecast *f, int32_t octaves)
{
    tw_forecast_scratch(f, (uint64_t)octaves, sizeof(struct tw_lattice));
}
