/* SPDX-License-Identifier: MIT */
#include "shape/kernels/exemplar.h"

#include "common/area_mean.h"
#include "shape/kernels/patches.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 256 /* atoms compared at a time */, ROW_GRAIN = 8, MOST = 4 /* times its detail */ };

/* The atom of a patch, and what it is scaled by. */
struct choice {
    int32_t atom;
    double scale;
};

struct synthesis {
    struct tw_task *task;
    struct tw_patches patches, atoms; /* of the input, and of the exemplar */
    float *small;                     /* means of the map under way */
    double *detail;                   /* of the exemplar, above the smooth surface of its means */
    double *values;                   /* of atoms: component after component, each for all atoms */
    double *squares;                  /* their sums of squares */
    struct choice *choices;
    float *out;
};

static bool lay_out(struct tw_scratch *s, struct synthesis *y, struct tw_patch_map map)
{
    y->patches = tw_patches_of(map, TW_PATCH_STEP, true);
    y->atoms = tw_patches_of(map, tw_patches_spacing(map), false);
    const uint64_t cells = (uint64_t)map.width * (uint64_t)map.height;
    const uint64_t atoms = (uint64_t)tw_patches_count(&y->atoms);
    y->small = tw_scratch_take(s, cells, sizeof *y->small);
    y->detail = tw_scratch_maps(s, 1, sizeof *y->detail);
    y->values = tw_scratch_take(s, atoms * TW_PATCH_CELLS, sizeof *y->values);
    y->squares = tw_scratch_take(s, atoms, sizeof *y->squares);
    y->choices = tw_scratch_take(s, (uint64_t)tw_patches_count(&y->patches), sizeof *y->choices);
    return tw_scratch_is_laid(s);
}

static struct tw_patch_map map_of(int32_t width, int32_t height, int32_t factor, bool wrap)
{
    return (struct tw_patch_map){(width + factor - 1) / factor, (height + factor - 1) / factor,
                                 width, height, wrap};
}

/* ---- the dictionary ---- */

static void gather_rows(void *context, int32_t begin, int32_t end)
{
    const struct synthesis *s = context;
    const size_t count = (size_t)tw_patches_count(&s->atoms);
    double patch[TW_PATCH_CELLS];
    for (int32_t i = begin * s->atoms.across; i < end * s->atoms.across; i++) {
        s->squares[i] = tw_patches_read(&s->atoms, i, s->small, patch);
        for (size_t k = 0; k < TW_PATCH_CELLS; k++)
            s->values[k * count + (size_t)i] = patch[k];
    }
}

/* ---- matching ---- */

/* Products of a patch with `count` atoms from `first` on. */
static void multiply(const struct synthesis *s, const double *patch, size_t first, size_t count,
                     double *products)
{
    const size_t all = (size_t)tw_patches_count(&s->atoms);
    memset(products, 0, CHUNK * sizeof *products);
    for (size_t k = 0; k < TW_PATCH_CELLS; k++) {
        const double *at = s->values + k * all + first, value = patch[k];
        for (size_t j = 0; j < count; j++)
            products[j] += value * at[j];
    }
}

/* How like: the product over the atom's length; what is level is like what is level. */
static double likeness(double product, double square, double own)
{
    if (own <= 0 || square <= 0)
        return own <= 0 && square <= 0 ? 1 : 0;
    return product > 0 ? product / sqrt(square) : 0;
}

/* Keeps the first of the atoms from `first` on that is more like the patch than `best`. */
static void compare(const struct synthesis *s, const double *patch, double own, int32_t first,
                    int32_t count, double *best, struct choice *choice)
{
    double products[CHUNK];
    multiply(s, patch, (size_t)first, (size_t)count, products);
    for (int32_t j = 0; j < count; j++) {
        const double square = s->squares[first + j];
        const double like = likeness(products[j], square, own);
        if (like <= *best)
            continue;
        *best = like;
        choice->atom = first + j;
        choice->scale = square > 0 && own > 0 ? products[j] / square : 1;
    }
}

/* The atom most like the patch; among equals the one at its own place, then the first. */
static struct choice choose(const struct synthesis *s, int32_t index)
{
    double patch[TW_PATCH_CELLS], best = 0;
    const double own = tw_patches_read(&s->patches, index, s->small, patch);
    const int32_t count = tw_patches_count(&s->atoms);
    const int32_t home = tw_patches_find(&s->atoms, &s->patches, index);
    struct choice choice = {.atom = home, .scale = 0};
    compare(s, patch, own, home, 1, &best, &choice);
    for (int32_t first = 0; first < count; first += CHUNK)
        compare(s, patch, own, first, count - first < CHUNK ? count - first : CHUNK, &best,
                &choice);
    choice.scale = choice.scale < MOST ? choice.scale : MOST;
    return choice;
}

static void choose_rows(void *context, int32_t begin, int32_t end)
{
    const struct synthesis *s = context;
    for (int32_t i = begin * s->patches.across; i < end * s->patches.across; i++) {
        if (tw_task_cancelled(s->task))
            return;
        s->choices[i] = choose(s, i);
    }
}

/* ---- detail ---- */

/* What the patches that cover a cell make of it, weighted by how far inside them it lies. */
static double detail_at(const struct synthesis *s, int32_t x, struct tw_patch_span across,
                        int32_t y, struct tw_patch_span down)
{
    double sum = 0, weights = 0;
    for (int32_t v = down.begin; v < down.end; v++)
        for (int32_t u = across.begin; u < across.end; u++) {
            const struct choice *c = s->choices + v * s->patches.across + u;
            const struct tw_patch_spot place =
                tw_patches_place(&s->patches, u, v, &s->atoms, c->atom, x, y);
            weights += place.weight;
            sum += place.weight * (c->scale * s->detail[place.cell]);
        }
    return weights > 0 ? sum / weights : 0;
}

static void add_rows(void *context, int32_t begin, int32_t end)
{
    const struct synthesis *s = context;
    const struct tw_patch_map *map = &s->patches.map;
    for (int32_t y = begin; y < end; y++) {
        const struct tw_patch_span down = tw_patches_over(&s->patches, y, false);
        float *out = s->out + (size_t)y * (size_t)map->fine_width;
        for (int32_t x = 0; x < map->fine_width; x++) {
            const struct tw_patch_span across = tw_patches_over(&s->patches, x, true);
            out[x] = (float)((double)out[x] + detail_at(s, x, across, y, down));
        }
    }
}

/* detail = exemplar - the smooth surface there, exactly: added to that it gives the exemplar. */
static void subtract(const float *exemplar, const float *smooth, double *detail, size_t cells)
{
    for (size_t i = 0; i < cells; i++)
        detail[i] = (double)exemplar[i] - (double)smooth[i];
}

/* Fills `small` with the means of `from`, and `smooth` with the surface that has these. */
static enum tw_status smooth_of(struct tw_task *task, const struct synthesis *s, const float *from,
                                float *smooth)
{
    const struct tw_patch_map *map = &s->patches.map;
    const struct tw_scratch_mark mark = tw_task_scratch_mark(task);
    const size_t cells = (size_t)map->width * (size_t)map->height;
    struct tw_regrid regrid;
    float *copy = tw_task_scratch(task, cells, sizeof *copy);
    if (!copy)
        return tw_task_no_memory(task);
    enum tw_status status =
        tw_regrid_init(task, &regrid, (struct tw_regrid_size){map->width, map->height}, map->wrap);
    if (status == TW_OK) {
        tw_area_mean(task, from, map->width, map->height, s->small);
        memcpy(copy, s->small, cells * sizeof *copy);
        tw_regrid_spread(task, &regrid, copy, smooth);
    }
    tw_task_scratch_return(task, mark);
    return tw_task_cancelled(task) ? TW_CANCELLED : status;
}

enum tw_status tw_exemplar_amplify(struct tw_task *task, int32_t factor, bool wrap,
                                   const float *exemplar, const float *in, float *out)
{
    struct synthesis s = {.task = task, .out = out};
    const struct tw_patch_map map = map_of(tw_task_width(task), tw_task_height(task), factor, wrap);
    if (!lay_out(&(struct tw_scratch){.task = task}, &s, map))
        return tw_task_no_memory(task);
    enum tw_status status = smooth_of(task, &s, exemplar, out);
    if (status != TW_OK)
        return status;
    subtract(exemplar, out, s.detail, (size_t)map.fine_width * (size_t)map.fine_height);
    tw_rows(task, s.atoms.down, 1, gather_rows, &s);
    status = smooth_of(task, &s, in, out);
    if (status != TW_OK)
        return status;
    tw_rows(task, s.patches.down, 1, choose_rows, &s);
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    tw_task_progress(task, 0.9);
    tw_rows(task, map.fine_height, ROW_GRAIN, add_rows, &s);
    return TW_OK;
}

void tw_exemplar_forecast(struct tw_forecast *f, int32_t factor, bool wrap)
{
    const struct tw_patch_map map = map_of(f->width, f->height, factor, wrap);
    const struct tw_regrid_size size = {map.width, map.height};
    struct tw_scratch scratch = {.forecast = f};
    struct synthesis s;
    struct tw_regrid regrid;
    lay_out(&scratch, &s, map);
    tw_forecast_scratch(f, (uint64_t)map.width * (uint64_t)map.height, sizeof(float));
    tw_regrid_lay_out(&scratch, &regrid, size, wrap);
}
