/* SPDX-License-Identifier: MIT */
/* matrix: makes variants of all combinations of parameter values, with GitHub's workflow keywords.
 * Draws values for ranges without steps. The last parameter changes fastest. */
#include "study/experiment_private.h"
#include "study/statistics/sobol.h"

#include "base/text/number.h"
#include "base/text/suggest.h"

#include <thalweg/kernel.h>

#include <stdio.h>
#include <string.h>

enum { AXES_MAX = 16, SETTINGS_MAX = 24, DRAW_DIGITS = 6 };
_Static_assert((int)AXES_MAX <= TW_SOBOL_DIMENSIONS_MAX, "each may be drawn from");
enum { MATCHES_MAX = 10000000 }; /* entries of include: or exclude: times combinations */

struct draws {
    bool sobol;
    int32_t count; /* 0: none */
    uint64_t seed;
};

/* A combination: one value per axis, plus those that include: adds. */
struct combination {
    struct tw_setting settings[SETTINGS_MAX];
    int32_t count;
    bool excluded;
};

struct matrix {
    struct tw_experiment_reader *reader;
    const struct tw_yaml *yaml;
    struct tw_axis *axes;
    int32_t axis_count;
    struct draws draws;
    struct combination *all;
    int32_t count;
};

#define MATRIX_FAULT(matrix, place, ...) TW_EXPERIMENT_FAULT((matrix)->reader, place, __VA_ARGS__)

/* ---- reading ---- */

static bool is_key(const char *name)
{
    return strcmp(name, "include") == 0 || strcmp(name, "exclude") == 0 ||
           strcmp(name, "draws") == 0;
}

static bool is_drawn(const struct tw_axis *axis) { return !axis->values; }

/* Reads draws: {sobol: 64}, or {random: 64, seed: 3} */
static bool read_draws(struct matrix *m, const struct tw_yaml *value)
{
    static const char *const known[] = {"random", "sobol", "seed", NULL};
    if (!tw_expect_kind(m->reader->log, value, TW_YAML_MAPPING, "draws"))
        return false;
    tw_expect_keys(m->reader->log, &m->reader->experiment->arena, value, "draws", known);
    const struct tw_yaml *sobol = tw_yaml_find(value, "sobol"), *seed = tw_yaml_find(value, "seed");
    const struct tw_yaml *number = sobol ? sobol : tw_yaml_find(value, "random");
    uint64_t count = 0;
    if (!number || (sobol && tw_yaml_find(value, "random")) || number->kind != TW_YAML_SCALAR ||
        !tw_number_parse_whole(number->text, &count) || count < 1 || count > TW_VARIANTS_MAX) {
        MATRIX_FAULT(m, value->place,
                     "draws is %s; expected {random: N} or {sobol: N}, N from 1 to %d",
                     TW_YAML_FOUND(value), TW_VARIANTS_MAX);
        return false;
    }
    if (seed && (sobol || seed->kind != TW_YAML_SCALAR ||
                 !tw_number_parse_whole(seed->text, &m->draws.seed))) {
        MATRIX_FAULT(m, seed->place,
                     "seed is %s; expected a whole number with random, none with sobol",
                     TW_YAML_FOUND(seed));
        return false;
    }
    m->draws.sobol = sobol != NULL;
    m->draws.count = (int32_t)count;
    return true;
}

static bool too_many(const struct matrix *m)
{
    MATRIX_FAULT(m, m->yaml->place, "a matrix of more than %d combinations", TW_VARIANTS_MAX);
    return false;
}

static bool read_axes(struct matrix *m)
{
    int32_t drawn = 0;
    int64_t lists = 1;
    for (const struct tw_yaml_item *item = m->yaml->items; item; item = item->next) {
        if (is_key(item->key->text))
            continue;
        if (m->axis_count == AXES_MAX) {
            MATRIX_FAULT(m, item->key->place, "more than %d parameters", (int)AXES_MAX);
            return false;
        }
        struct tw_axis *axis = &m->axes[m->axis_count++];
        if (!tw_axis_read(m->reader->log, &m->reader->experiment->arena, item, axis))
            return false;
        lists *= is_drawn(axis) ? 1 : axis->count;
        if (lists > TW_VARIANTS_MAX)
            return too_many(m);
        if (!tw_axis_check_values(m->reader->log, &m->reader->experiment->arena, axis))
            return false;
        drawn += is_drawn(axis);
        if (is_drawn(axis) && m->draws.count == 0) {
            MATRIX_FAULT(m, axis->place,
                         "parameter %.60s: a range needs steps:, or draws: in the matrix",
                         axis->name);
            return false;
        }
    }
    if (drawn == 0 && m->draws.count > 0)
        MATRIX_FAULT(m, m->yaml->place, "draws: needs a range without steps");
    return drawn > 0 || m->draws.count == 0;
}

/* ---- combinations ---- */

/* Coordinate 0..1 of a draw in one dimension; a random one is a multiple of 2^-24. */
static double share_of(const struct draws *draws, int32_t point, int32_t dimension)
{
    if (draws->sobol)
        return tw_sobol((uint32_t)point, dimension);
    return (double)tw_uniform(
        tw_random(draws->seed, (uint32_t)point, (uint32_t)dimension, 0, 0).at[0]);
}

/* `index` counts through the lists, `point` through the draws. */
static bool fill(struct matrix *m, int32_t index, int32_t point, struct combination *to)
{
    int32_t dimension = 0;
    to->count = m->axis_count;
    for (int32_t i = m->axis_count; i-- > 0;)
        if (!is_drawn(&m->axes[i])) {
            to->settings[i] = m->axes[i].values[index % m->axes[i].count];
            index /= m->axes[i].count;
        }
    for (int32_t i = 0; i < m->axis_count; i++) {
        const struct tw_axis *axis = &m->axes[i];
        if (!is_drawn(axis))
            continue;
        const char *text = tw_axis_text(&m->reader->experiment->arena, axis,
                                        share_of(&m->draws, point, dimension++), DRAW_DIGITS);
        if (!text)
            return tw_experiment_no_memory(m->reader);
        to->settings[i] = (struct tw_setting){axis->name, text, axis->place};
    }
    return true;
}

/* Makes all combinations, with room for entries of include:. */
static bool combine(struct matrix *m, size_t included)
{
    int64_t lists = 1, points = m->draws.count > 0 ? m->draws.count : 1;
    for (int32_t i = 0; i < m->axis_count; i++)
        lists *= is_drawn(&m->axes[i]) ? 1 : m->axes[i].count;
    if (lists * points > TW_VARIANTS_MAX)
        return too_many(m);
    m->all = tw_arena_alloc(&m->reader->experiment->arena, (size_t)(lists * points) + included,
                            sizeof *m->all);
    if (!m->all)
        return tw_experiment_no_memory(m->reader);
    for (int32_t i = 0; m->axis_count > 0 && i < lists; i++)
        for (int32_t p = 0; p < points; p++)
            if (!fill(m, i, p, &m->all[m->count++]))
                return false;
    return true;
}

/* ---- exclude, include ---- */

static bool is_same(const char *a, const char *b)
{
    double x, y;
    return strcmp(a, b) == 0 || (tw_number_parse(a, &x) && tw_number_parse(b, &y) && x == y);
}

static bool is_axis(const struct matrix *m, const char *name)
{
    for (int32_t i = 0; i < m->axis_count; i++)
        if (strcmp(m->axes[i].name, name) == 0)
            return true;
    return false;
}

/* Whether the combination has the entry's values of all axes that it names. */
static bool matches(const struct matrix *m, const struct combination *c,
                    const struct tw_yaml *entry)
{
    for (int32_t i = 0; i < m->axis_count; i++) {
        const struct tw_yaml *value = tw_yaml_find(entry, m->axes[i].name);
        if (value && !is_same(value->text, c->settings[i].text))
            return false;
    }
    return true;
}

/* Checks a list of mappings of scalars; for exclude: they may only name axes. */
static bool check_entries(struct matrix *m, const struct tw_yaml *list, const char *key,
                          bool axes_only)
{
    struct tw_fault_log *log = m->reader->log;
    if (!tw_expect_kind(log, list, TW_YAML_SEQUENCE, key))
        return false;
    if ((int64_t)list->count * m->count > MATCHES_MAX) {
        MATRIX_FAULT(m, list->place, "%s: %d entries for %d combinations; expected at most %d", key,
                     (int)list->count, (int)m->count, (int)(MATCHES_MAX / m->count));
        return false;
    }
    for (const struct tw_yaml_item *entry = list->items; entry; entry = entry->next) {
        if (!tw_expect_kind(log, entry->value, TW_YAML_MAPPING, key))
            return false;
        for (const struct tw_yaml_item *row = entry->value->items; row; row = row->next) {
            if (!tw_expect_kind(log, row->value, TW_YAML_SCALAR, row->key->text))
                return false;
            if (!axes_only || is_axis(m, row->key->text))
                continue;
            struct tw_suggestion suggestion = {.unknown = row->key->text};
            for (int32_t i = 0; i < m->axis_count; i++)
                tw_suggest_offer(&suggestion, m->axes[i].name);
            tw_fault_log_add(log, TW_RECIPE, row->key->place,
                             tw_suggest_hint(&suggestion, &m->reader->experiment->arena),
                             "'%.60s' is not a parameter of the matrix", row->key->text);
            return false;
        }
        if (m->axis_count + entry->value->count > SETTINGS_MAX) {
            MATRIX_FAULT(m, entry->value->place, "more than %d parameters with the matrix's",
                         (int)SETTINGS_MAX);
            return false;
        }
    }
    return true;
}

static bool exclude(struct matrix *m, const struct tw_yaml *list)
{
    if (!check_entries(m, list, "exclude", true))
        return false;
    for (const struct tw_yaml_item *entry = list->items; entry; entry = entry->next) {
        bool found = false;
        for (int32_t i = 0; i < m->count; i++)
            if (matches(m, &m->all[i], entry->value))
                m->all[i].excluded = found = true;
        if (!found)
            MATRIX_FAULT(m, entry->value->place, "exclude: no combination has these values");
    }
    return true;
}

static bool add_settings(const struct matrix *m, const struct tw_yaml *entry, bool axes,
                         struct combination *to)
{
    for (const struct tw_yaml_item *row = entry->items; row; row = row->next) {
        if (is_axis(m, row->key->text) != axes)
            continue;
        if (to->count == SETTINGS_MAX) {
            MATRIX_FAULT(m, row->key->place,
                         "more than %d parameters with those of other entries that match",
                         (int)SETTINGS_MAX);
            return false;
        }
        to->settings[to->count++] =
            (struct tw_setting){row->key->text, row->value->text, row->value->place};
    }
    return true;
}

/* Adds an entry's other values to the combinations that match it; an entry that matches none
 * becomes a combination. */
static bool include(struct matrix *m, const struct tw_yaml *list)
{
    int32_t combined = m->count;
    if (!check_entries(m, list, "include", false))
        return false;
    for (const struct tw_yaml_item *entry = list->items; entry; entry = entry->next) {
        bool found = false;
        for (int32_t i = 0; i < combined; i++)
            if (!m->all[i].excluded && matches(m, &m->all[i], entry->value)) {
                if (!add_settings(m, entry->value, false, &m->all[i]))
                    return false;
                found = true;
            }
        if (found)
            continue;
        struct combination *own = &m->all[m->count++];
        if (!add_settings(m, entry->value, true, own) || !add_settings(m, entry->value, false, own))
            return false;
    }
    return true;
}

/* ---- variants ---- */

/* Makes "talus=4,rate=0.5"; NULL after a fault. */
static const char *name_of(struct matrix *m, const struct combination *c)
{
    char name[TW_VARIANT_NAME_MAX + 1] = "";
    size_t used = 0;
    for (int32_t i = 0; i < c->count; i++) {
        const struct tw_setting *setting = &c->settings[i];
        size_t length = strlen(setting->name) + strlen(setting->text) + (i ? 2 : 1);
        if (!tw_experiment_check_name(m->reader, m->yaml->place, used + length))
            return NULL;
        snprintf(name + used, sizeof name - used, "%s%s=%s", i ? "," : "", setting->name,
                 setting->text);
        used += length;
    }
    const char *copy = tw_arena_copy(&m->reader->experiment->arena, name, used);
    if (!copy)
        tw_experiment_no_memory(m->reader);
    return copy;
}

static bool add_variants(struct matrix *m)
{
    struct tw_arena *arena = &m->reader->experiment->arena;
    for (int32_t i = 0; i < m->count; i++) {
        const struct combination *c = &m->all[i];
        if (c->excluded)
            continue;
        const char *name = name_of(m, c);
        if (!name)
            return false;
        struct tw_setting *settings = tw_arena_alloc(arena, (size_t)c->count + 1, sizeof *settings);
        if (!settings)
            return tw_experiment_no_memory(m->reader);
        memcpy(settings, c->settings, (size_t)c->count * sizeof *settings);
        const struct tw_variant variant = {.name = name,
                                           .recipe = m->reader->recipe,
                                           .settings = settings,
                                           .setting_count = c->count,
                                           .in_matrix = true,
                                           .place = m->yaml->place};
        if (!tw_experiment_add_variant(m->reader, &variant))
            return false;
    }
    return true;
}

void tw_experiment_read_matrix(struct tw_experiment_reader *reader, const struct tw_yaml *mapping)
{
    struct matrix m = {.reader = reader, .yaml = mapping};
    const struct tw_yaml *draws = tw_yaml_find(mapping, "draws");
    const struct tw_yaml *excluded = tw_yaml_find(mapping, "exclude");
    const struct tw_yaml *included = tw_yaml_find(mapping, "include");
    if (!tw_expect_kind(reader->log, mapping, TW_YAML_MAPPING, "matrix"))
        return;
    m.axes = tw_arena_alloc(&reader->experiment->arena, AXES_MAX, sizeof *m.axes);
    if (!m.axes) {
        tw_experiment_no_memory(reader);
        return;
    }
    if ((draws && !read_draws(&m, draws)) || !read_axes(&m) ||
        !combine(&m, included ? (size_t)included->count + 1 : 1) ||
        (excluded && !exclude(&m, excluded)) || (included && !include(&m, included)) ||
        !add_variants(&m))
        return;
    reader->experiment->axes = m.axes;
    reader->experiment->axis_count = m.axis_count;
    if (m.count == 0)
        TW_EXPERIMENT_FAULT(reader, mapping->place, "matrix: names no parameter");
}
