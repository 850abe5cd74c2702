/* SPDX-License-Identifier: MIT */
#include "report/sweep.h"

#include "base/text/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double tw_sweep_value(const struct tw_experiment *e, int32_t variant, const char *param)
{
    const char *text = tw_variant_value(&e->variants[variant], param);
    double value;
    return text && tw_number_parse(text, &value) ? value : NAN;
}

double *tw_sweep_values(struct tw_arena *arena, const struct tw_experiment *e,
                        const int32_t *variants, int32_t variant_count, const char *param,
                        int32_t *count)
{
    double *all = tw_arena_alloc(arena, (size_t)variant_count, sizeof *all);
    int32_t kept = 0;
    for (int32_t i = 0; all && i < variant_count; i++)
        all[i] = tw_sweep_value(e, variants[i], param);
    if (all)
        qsort(all, (size_t)variant_count, sizeof *all, tw_number_compare);
    for (int32_t i = 0; all && i < variant_count; i++)
        if (i == 0 || all[i] > all[kept - 1])
            all[kept++] = all[i];
    *count = kept;
    return all;
}

/* ---- families of variants ---- */

/* "steps/12" belongs to steps; all variants of a matrix belong together. 0: to no family. */
static int family_length(const struct tw_variant *variant)
{
    const char *slash = strrchr(variant->name, '/');
    return slash ? (int)(slash - variant->name) : 0;
}

static bool is_family(const struct tw_variant *a, const struct tw_variant *b)
{
    int length = family_length(a);
    if (a->in_matrix || b->in_matrix)
        return a->in_matrix && b->in_matrix;
    return length > 0 && length == family_length(b) &&
           strncmp(a->name, b->name, (size_t)length) == 0;
}

static bool has_all(const struct tw_variant *variant, const struct tw_variant *first)
{
    for (int32_t i = 0; i < first->setting_count; i++)
        if (!tw_variant_value(variant, first->settings[i].name))
            return false;
    return true;
}

struct family {
    struct tw_arena *arena;
    const struct tw_experiment *e;
    int32_t number; /* its first variant */
    const char *name;
    int32_t *variants;
    int32_t count;
    const char *params[TW_SWEEP_PARAMS_MAX]; /* those that vary: numbers, then words */
    int32_t param_count, number_count;
};

static bool gather(struct family *f, bool *taken)
{
    const struct tw_variant *first = &f->e->variants[f->number];
    f->variants = tw_arena_alloc(f->arena, (size_t)f->e->variant_count, sizeof *f->variants);
    f->name = first->in_matrix ? "matrix"
                               : tw_arena_copy(f->arena, first->name, (size_t)family_length(first));
    if (!f->variants || !f->name)
        return false;
    for (int32_t v = f->number; v < f->e->variant_count; v++) {
        if (taken[v] || !is_family(first, &f->e->variants[v]))
            continue;
        taken[v] = true;
        if (has_all(&f->e->variants[v], first))
            f->variants[f->count++] = v;
    }
    return f->count > 1;
}

/* ---- what varies ---- */

static bool is_same(const struct family *f, int32_t a, int32_t b, const char *param)
{
    double x = tw_sweep_value(f->e, a, param), y = tw_sweep_value(f->e, b, param);
    if (!isnan(x) && !isnan(y))
        return x == y;
    return strcmp(tw_variant_value(&f->e->variants[a], param),
                  tw_variant_value(&f->e->variants[b], param)) == 0;
}

static bool varies(const struct family *f, const char *param)
{
    for (int32_t i = 1; i < f->count; i++)
        if (!is_same(f, f->variants[0], f->variants[i], param))
            return true;
    return false;
}

static bool is_number(const struct family *f, const char *param)
{
    for (int32_t i = 0; i < f->count; i++)
        if (isnan(tw_sweep_value(f->e, f->variants[i], param)))
            return false;
    return true;
}

static bool find_params(struct family *f)
{
    const struct tw_variant *first = &f->e->variants[f->number];
    for (int words = 0; words < 2; words++) {
        for (int32_t i = 0; i < first->setting_count; i++) {
            const char *param = first->settings[i].name;
            if (is_number(f, param) == words || !varies(f, param))
                continue;
            if (f->param_count == TW_SWEEP_PARAMS_MAX)
                return false;
            f->params[f->param_count++] = param;
        }
        f->number_count = words ? f->number_count : f->param_count;
    }
    return f->number_count > 0;
}

/* A grid has about as many places as variants, even with exclusions; drawn points have far more. */
static bool is_drawn(const struct family *f)
{
    double places = 1;
    for (int32_t i = 0; i < f->number_count; i++) {
        int32_t count = 1;
        if (!tw_sweep_values(f->arena, f->e, f->variants, f->count, f->params[i], &count))
            return false;
        places *= count;
    }
    return f->number_count > 1 && places > 4.0 * f->count;
}

/* ---- slices ---- */

static struct tw_sweep *add_sweep(const struct family *f, enum tw_sweep_kind kind, int32_t params)
{
    struct tw_sweep *sweep = tw_arena_alloc(f->arena, 1, sizeof *sweep);
    if (!sweep)
        return NULL;
    *sweep = (struct tw_sweep){
        .kind = kind, .name = f->name, .family = f->number, .param_count = params};
    memcpy(sweep->params, f->params, (size_t)params * sizeof *f->params);
    sweep->variants = tw_arena_alloc(f->arena, (size_t)f->count, sizeof *sweep->variants);
    return sweep->variants ? sweep : NULL;
}

/* Prints "hills=1, kind=soft" */
static const char *name_slice(const struct family *f, int32_t axes, int32_t variant)
{
    const char *name = "";
    for (int32_t i = axes; name && i < f->param_count; i++)
        name = tw_arena_print(f->arena, "%s%s%s=%s", name, i > axes ? ", " : "", f->params[i],
                              tw_variant_value(&f->e->variants[variant], f->params[i]));
    return name;
}

static bool is_slice(const struct family *f, int32_t axes, int32_t a, int32_t b)
{
    for (int32_t i = axes; i < f->param_count; i++)
        if (!is_same(f, a, b, f->params[i]))
            return false;
    return true;
}

/* Appends slices after `last`; returns the new end, NULL if memory runs out. */
static struct tw_sweep **add_slices(const struct family *f, struct tw_sweep **last)
{
    int32_t axes = f->number_count < 2 ? 1 : 2;
    bool *placed = tw_arena_alloc(f->arena, (size_t)f->count, sizeof *placed);
    for (int32_t i = 0; placed && i < f->count; i++) {
        if (placed[i])
            continue;
        struct tw_sweep *sweep = add_sweep(f, axes == 1 ? TW_SWEEP_CURVE : TW_SWEEP_GRID, axes);
        if (!sweep)
            return NULL;
        sweep->sliced = f->param_count > axes;
        if (sweep->sliced && !(sweep->name = name_slice(f, axes, f->variants[i])))
            return NULL;
        for (int32_t k = i; k < f->count; k++)
            if (!placed[k] && is_slice(f, axes, f->variants[i], f->variants[k])) {
                placed[k] = true;
                sweep->variants[sweep->count++] = f->variants[k];
            }
        *last = sweep;
        last = &sweep->next;
    }
    return placed ? last : NULL;
}

static struct tw_sweep **add_scatter(const struct family *f, struct tw_sweep **last)
{
    struct tw_sweep *sweep = add_sweep(f, TW_SWEEP_SCATTER, f->number_count);
    if (!sweep)
        return NULL;
    memcpy(sweep->variants, f->variants, (size_t)f->count * sizeof *f->variants);
    sweep->count = f->count;
    *last = sweep;
    return &sweep->next;
}

struct tw_sweep *tw_sweeps_find(struct tw_arena *arena, const struct tw_experiment *e)
{
    struct tw_sweep *first = NULL, **last = &first;
    bool *taken = tw_arena_alloc(arena, (size_t)e->variant_count + 1, sizeof *taken);
    for (int32_t v = 0; taken && v < e->variant_count; v++) {
        struct family f = {.arena = arena, .e = e, .number = v};
        if (taken[v] || !gather(&f, taken) || !find_params(&f))
            continue;
        last = is_drawn(&f) ? add_scatter(&f, last) : add_slices(&f, last);
        if (!last)
            break;
    }
    return first;
}
