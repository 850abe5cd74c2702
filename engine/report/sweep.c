/* SPDX-License-Identifier: MIT */
#include "report/sweep.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

double tw_sweep_value(const struct tw_experiment *e, int32_t variant, const char *param)
{
    const char *text = tw_variant_value(&e->variants[variant], param);
    double value;
    return text && tw_number_parse(text, &value) ? value : NAN;
}

/* "steps/12" belongs to steps; all of a matrix belong together. 0: to nothing. */
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

static bool varies(const struct tw_experiment *e, const struct tw_sweep *sweep, const char *param)
{
    double first = tw_sweep_value(e, sweep->variants[0], param);
    for (int32_t i = 1; i < sweep->count; i++) {
        double value = tw_sweep_value(e, sweep->variants[i], param);
        if (value < first || value > first)
            return true;
    }
    return false;
}

static bool all_numbers(const struct tw_experiment *e, const struct tw_sweep *sweep,
                        const char *param)
{
    for (int32_t i = 0; i < sweep->count; i++)
        if (isnan(tw_sweep_value(e, sweep->variants[i], param)))
            return false;
    return true;
}

/* False when more than two vary, or a word does. */
static bool find_params(const struct tw_experiment *e, struct tw_sweep *sweep)
{
    const struct tw_variant *first = &e->variants[sweep->variants[0]];
    for (int32_t i = 0; i < first->setting_count; i++) {
        const char *param = first->settings[i].name;
        if (!all_numbers(e, sweep, param) || !varies(e, sweep, param))
            continue;
        if (sweep->param_count == 2)
            return false;
        sweep->params[sweep->param_count++] = param;
    }
    return sweep->param_count > 0;
}

static struct tw_sweep *collect(struct tw_arena *arena, const struct tw_experiment *e,
                                int32_t first, bool *taken)
{
    struct tw_sweep *sweep = tw_arena_alloc(arena, 1, sizeof *sweep);
    if (!sweep)
        return NULL;
    sweep->variants = tw_arena_alloc(arena, (size_t)e->variant_count, sizeof *sweep->variants);
    sweep->name = e->variants[first].in_matrix ? "matrix" : e->variants[first].name;
    sweep->name_length = e->variants[first].in_matrix ? 6 : family_length(&e->variants[first]);
    if (!sweep->variants)
        return NULL;
    for (int32_t v = first; v < e->variant_count; v++)
        if (!taken[v] && is_family(&e->variants[first], &e->variants[v])) {
            taken[v] = true;
            sweep->variants[sweep->count++] = v;
        }
    return sweep->count > 1 && find_params(e, sweep) ? sweep : NULL;
}

struct tw_sweep *tw_sweeps_find(struct tw_arena *arena, const struct tw_experiment *e)
{
    struct tw_sweep *first = NULL, **last = &first;
    bool *taken = tw_arena_alloc(arena, (size_t)e->variant_count + 1, sizeof *taken);
    for (int32_t v = 0; taken && v < e->variant_count; v++) {
        struct tw_sweep *sweep = taken[v] ? NULL : collect(arena, e, v, taken);
        if (!sweep)
            continue;
        *last = sweep;
        last = &sweep->next;
    }
    return first;
}
