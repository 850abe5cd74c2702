/* SPDX-License-Identifier: MIT */
/* Turns sensitivity: {params: {talus: [2, 40]}, morris: 20, indices: 512, curves: 9} into variants.
 * Each trajectory starts at a random point of a grid of an even number of levels, and moves one
 * factor after another, in random order, by half the levels; from each level only one direction
 * stays in range. */
#include "study/experiment_private.h"
#include "study/statistics/indices.h"
#include "study/statistics/sobol.h"

#include "base/text/number.h"

#include <thalweg/kernel.h>

#include <stdio.h>

enum { DIGITS = 9, CURVE_DIGITS = 6, LEVELS = 4, TRAJECTORIES_MAX = 500, POINTS_MAX = 500 };
enum { ROWS_MIN = 8 };
enum { DRAW_ORDER, DRAW_START, DRAW_SHIFT };
_Static_assert(2 * TW_FACTORS_MAX <= TW_SOBOL_DIMENSIONS_MAX, "a row has two points");

static uint32_t draw(int32_t trajectory, int32_t factor, uint32_t purpose)
{
    return tw_random(0, (uint32_t)trajectory, (uint32_t)factor, purpose, 0).at[0];
}

/* Fisher-Yates shuffle, from the end. */
void tw_morris_order(int32_t trajectory, int32_t factors, int32_t *order)
{
    for (int32_t i = 0; i < factors; i++)
        order[i] = i;
    for (int32_t i = factors - 1; i > 0; i--) {
        int32_t k = (int32_t)(draw(trajectory, i, DRAW_ORDER) % (uint32_t)(i + 1)), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
}

/* The level at which a factor starts. */
static int32_t start_of(int32_t trajectory, int32_t factor, int32_t levels)
{
    return (int32_t)(draw(trajectory, factor, DRAW_START) % (uint32_t)levels);
}

/* ---- variants ---- */

/* Adds a variant named "PREFIX/talus=4,rate=0.5"; shares[i] is the position in factor i's range,
 * below 0 to leave it alone. */
static bool add_point(struct tw_experiment_reader *reader, const struct tw_yaml *yaml,
                      const char *prefix, const double *shares, int digits)
{
    const struct tw_sensitivity *s = &reader->experiment->sensitivity;
    struct tw_arena *arena = &reader->experiment->arena;
    struct tw_setting *settings = tw_arena_alloc(arena, (size_t)s->factor_count, sizeof *settings);
    struct tw_variant variant = {
        .name = prefix, .recipe = reader->recipe, .settings = settings, .place = yaml->place};
    if (!settings)
        return tw_experiment_no_memory(reader);
    for (int32_t i = 0; i < s->factor_count; i++) {
        if (shares[i] < 0)
            continue;
        const char *text = tw_axis_text(arena, &s->factors[i], shares[i], digits);
        variant.name =
            text ? tw_arena_print(arena, "%s%c%s=%s", variant.name,
                                  variant.setting_count ? ',' : '/', s->factors[i].name, text)
                 : NULL;
        if (!variant.name)
            return tw_experiment_no_memory(reader);
        settings[variant.setting_count++] =
            (struct tw_setting){s->factors[i].name, text, s->factors[i].place};
    }
    return tw_experiment_add_variant(reader, &variant);
}

static bool add_trajectory(struct tw_experiment_reader *reader, const struct tw_yaml *yaml,
                           int32_t trajectory)
{
    const struct tw_sensitivity *s = &reader->experiment->sensitivity;
    int32_t order[TW_FACTORS_MAX] = {0}, level[TW_FACTORS_MAX] = {0};
    double shares[TW_FACTORS_MAX] = {0};
    tw_morris_order(trajectory, s->factor_count, order);
    for (int32_t i = 0; i < s->factor_count; i++)
        level[i] = start_of(trajectory, i, s->levels);
    for (int32_t step = 0; step <= s->factor_count; step++) {
        char prefix[40];
        if (step > 0)
            level[order[step - 1]] = tw_morris_moved(level[order[step - 1]], s->levels);
        for (int32_t i = 0; i < s->factor_count; i++)
            shares[i] = (double)level[i] / (s->levels - 1);
        snprintf(prefix, sizeof prefix, "morris/%d.%d", (int)trajectory + 1, (int)step);
        if (!add_point(reader, yaml, prefix, shares, DIGITS))
            return false;
    }
    return true;
}

/* A coordinate of a row: those of point A, followed by those of point B. The random digital shift
 * keeps the sequence even and its first points, such as the origin, from being the same in all
 * dimensions. */
static double coordinate(int32_t row, int32_t dimension)
{
    uint32_t bits = (uint32_t)(tw_sobol((uint32_t)row, dimension) * 0x1p32);
    return (double)(bits ^ draw(0, dimension, DRAW_SHIFT)) * 0x1p-32;
}

static bool add_row(struct tw_experiment_reader *reader, const struct tw_yaml *yaml, int32_t row)
{
    const struct tw_sensitivity *s = &reader->experiment->sensitivity;
    double a[TW_FACTORS_MAX] = {0}, b[TW_FACTORS_MAX] = {0};
    for (int32_t i = 0; i < s->factor_count; i++) {
        a[i] = coordinate(row, i);
        b[i] = coordinate(row, s->factor_count + i);
    }
    bool ok = true;
    for (int32_t column = 0; ok && column < s->factor_count + 2; column++) {
        char prefix[40];
        double mixed[TW_FACTORS_MAX] = {0};
        for (int32_t i = 0; i < s->factor_count; i++)
            mixed[i] = column == 1 || column == tw_index_column(i) ? b[i] : a[i];
        snprintf(prefix, sizeof prefix, "indices/%d.%d", (int)row + 1, (int)column);
        ok = add_point(reader, yaml, prefix, mixed, DIGITS);
    }
    return ok;
}

static bool add_curves(struct tw_experiment_reader *reader, const struct tw_yaml *yaml)
{
    const struct tw_sensitivity *s = &reader->experiment->sensitivity;
    double shares[TW_FACTORS_MAX] = {0};
    for (int32_t i = 0; i < s->factor_count; i++)
        for (int32_t p = 0; p < s->points; p++) {
            for (int32_t k = 0; k < s->factor_count; k++)
                shares[k] = k == i ? (double)p / (s->points - 1) : -1;
            if (!add_point(reader, yaml, "curve", shares, CURVE_DIGITS))
                return false;
        }
    return true;
}

/* ---- reading ---- */

static bool read_number(struct tw_experiment_reader *reader, const struct tw_yaml *yaml,
                        const char *key, int32_t least, int32_t most, int32_t *number)
{
    const struct tw_yaml *value = tw_yaml_find(yaml, key);
    uint64_t found = 0;
    if (!value)
        return true;
    if (value->kind == TW_YAML_SCALAR && tw_number_parse_whole(value->text, &found) &&
        found >= (uint64_t)least && found <= (uint64_t)most) {
        *number = (int32_t)found;
        return true;
    }
    TW_EXPERIMENT_FAULT(reader, value->place, "%s is %s; expected a whole number from %d to %d",
                        key, TW_YAML_FOUND(value), (int)least, (int)most);
    return false;
}

bool tw_experiment_read_ranges(struct tw_experiment_reader *reader, const struct tw_yaml *yaml,
                               const char *what, int32_t most, struct tw_axis **axes,
                               int32_t *count)
{
    const struct tw_yaml *params = tw_yaml_find(yaml, "params");
    if (!params || params->kind != TW_YAML_MAPPING || params->count < 1 || params->count > most) {
        TW_EXPERIMENT_FAULT(reader, params ? params->place : yaml->place,
                            "%s needs params: with 1 to %d ranges, as in {talus: [2, 40]}", what,
                            (int)most);
        return false;
    }
    *axes = tw_arena_alloc(&reader->experiment->arena, (size_t)params->count, sizeof **axes);
    if (!*axes)
        return tw_experiment_no_memory(reader);
    for (const struct tw_yaml_item *item = params->items; item; item = item->next)
        if (!tw_axis_read_range(reader->log, &reader->experiment->arena, item,
                                &(*axes)[(*count)++]))
            return false;
    return true;
}

static bool read_plan(struct tw_experiment_reader *reader, const struct tw_yaml *yaml)
{
    static const char *const known[] = {"params", "morris", "levels", "indices", "curves", NULL};
    struct tw_sensitivity *s = &reader->experiment->sensitivity;
    if (!tw_expect_kind(reader->log, yaml, TW_YAML_MAPPING, "sensitivity"))
        return false;
    tw_expect_keys(reader->log, &reader->experiment->arena, yaml, "sensitivity", known);
    s->levels = LEVELS;
    if (!tw_experiment_read_ranges(reader, yaml, "sensitivity", TW_FACTORS_MAX, &s->factors,
                                   &s->factor_count) ||
        !read_number(reader, yaml, "morris", 2, TRAJECTORIES_MAX, &s->trajectories) ||
        !read_number(reader, yaml, "levels", 2, 100, &s->levels) ||
        !read_number(reader, yaml, "indices", ROWS_MIN, TW_VARIANTS_MAX / (s->factor_count + 2),
                     &s->rows) ||
        !read_number(reader, yaml, "curves", 2, POINTS_MAX, &s->points))
        return false;
    if (s->levels % 2 == 0 && s->trajectories + s->rows + s->points > 0)
        return true;
    if (s->levels % 2)
        TW_EXPERIMENT_FAULT(reader, yaml->place, "levels is %d; expected an even number",
                            (int)s->levels);
    else
        TW_EXPERIMENT_FAULT(
            reader, yaml->place,
            "sensitivity plans no runs; expected morris: 20, indices: 512 or curves: 9");
    return false;
}

/* The plan's variants follow all others: they run, but are not compared with the baseline. */
void tw_experiment_read_sensitivity(struct tw_experiment_reader *reader, const struct tw_yaml *yaml)
{
    struct tw_experiment *e = reader->experiment;
    struct tw_sensitivity *s = &e->sensitivity;
    bool ok = read_plan(reader, yaml);
    s->first_step = e->run_count;
    for (int32_t t = 0; ok && t < s->trajectories; t++)
        ok = add_trajectory(reader, yaml, t);
    s->first_index = e->run_count;
    for (int32_t r = 0; ok && r < s->rows; r++)
        ok = add_row(reader, yaml, r);
    s->first_point = e->run_count;
    if (ok)
        add_curves(reader, yaml);
}
