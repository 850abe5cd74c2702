/* SPDX-License-Identifier: MIT */
/* Reads sizes: [32, 64] and crossed: {talus: [8, 16]}: variants are repeated for every combination,
 * the last parameter changing fastest and the size slowest. */
#include "study/levels.h"

#include "study/experiment_private.h"

#include <stddef.h>

enum { CROSSED_MAX = 8 };

struct crossing {
    struct tw_experiment_reader *reader;
    const int32_t *sides;
    int32_t side_count; /* 0: sizes: is not a factor */
    struct tw_axis axes[CROSSED_MAX];
    int32_t axis_count;
};

/* ---- reading ---- */

static bool read_sides(struct crossing *x, const struct tw_yaml *list)
{
    if (!tw_expect_kind(x->reader->log, list, TW_YAML_SEQUENCE, "sizes"))
        return false;
    int32_t *sides =
        tw_arena_alloc(&x->reader->experiment->arena, (size_t)list->count + 1, sizeof *sides);
    if (!sides)
        return tw_experiment_no_memory(x->reader);
    for (const struct tw_yaml_item *item = list->items; item; item = item->next) {
        int32_t side = tw_experiment_read_side(x->reader, item->value);
        for (int32_t i = 0; side > 0 && i < x->side_count; i++)
            if (sides[i] == side) {
                TW_EXPERIMENT_FAULT(x->reader, item->value->place,
                                    "sizes: %d is listed twice; expected each once", (int)side);
                return false;
            }
        if (side == 0)
            return false;
        sides[x->side_count++] = side;
    }
    x->sides = sides;
    if (x->side_count == 0)
        TW_EXPERIMENT_FAULT(x->reader, list->place, "sizes: is empty; expected [256, 512]");
    return x->side_count > 0;
}

/* Refuses a variant that sets a crossed parameter itself: one of the values would be lost. */
static bool is_free(const struct crossing *x, const struct tw_axis *axis)
{
    const struct tw_experiment *e = x->reader->experiment;
    for (int32_t v = 0; v < e->run_count; v++)
        if (tw_variant_value(&e->variants[v], axis->name)) {
            TW_EXPERIMENT_FAULT(x->reader, axis->place,
                                "crossed: variant %.60s sets '%.60s' too; expected a parameter "
                                "that no variant sets",
                                e->variants[v].name, axis->name);
            return false;
        }
    return true;
}

static bool read_crossed(struct crossing *x, const struct tw_yaml *mapping)
{
    struct tw_arena *arena = &x->reader->experiment->arena;
    if (!tw_expect_kind(x->reader->log, mapping, TW_YAML_MAPPING, "crossed"))
        return false;
    for (const struct tw_yaml_item *item = mapping->items; item; item = item->next) {
        if (x->axis_count == CROSSED_MAX) {
            TW_EXPERIMENT_FAULT(x->reader, item->key->place, "crossed: more than %d parameters",
                                (int)CROSSED_MAX);
            return false;
        }
        struct tw_axis *axis = &x->axes[x->axis_count++];
        if (!tw_axis_read(x->reader->log, arena, item, axis))
            return false;
        if (!axis->values) {
            TW_EXPERIMENT_FAULT(x->reader, item->value->place,
                                "crossed: parameter %.60s is a range; expected values, or steps: "
                                "in it",
                                axis->name);
            return false;
        }
        if (!tw_axis_check_values(x->reader->log, arena, axis) || !is_free(x, axis))
            return false;
    }
    if (x->axis_count == 0)
        TW_EXPERIMENT_FAULT(x->reader, mapping->place,
                            "crossed: names no parameter; expected one, as in {talus: [8, 16]}");
    return x->axis_count > 0;
}

/* ---- levels ---- */

/* Values of combination `index` of the crossed parameters. */
static bool fill(const struct crossing *x, int64_t index, struct tw_factor_level *level)
{
    struct tw_setting *settings =
        tw_arena_alloc(&x->reader->experiment->arena, (size_t)x->axis_count + 1, sizeof *settings);
    if (!settings)
        return tw_experiment_no_memory(x->reader);
    for (int32_t i = x->axis_count; i-- > 0; index /= x->axes[i].count)
        settings[i] = x->axes[i].values[index % x->axes[i].count];
    level->settings = settings;
    level->setting_count = x->axis_count;
    level->side = x->side_count > 0 ? x->sides[index] : 0;
    return true;
}

static bool make_levels(const struct crossing *x)
{
    struct tw_experiment *e = x->reader->experiment;
    int64_t count = x->side_count > 0 ? x->side_count : 1;
    for (int32_t i = 0; i < x->axis_count; i++)
        count = count <= TW_VARIANTS_MAX ? count * x->axes[i].count : count;
    int64_t most = TW_VARIANTS_MAX / (e->run_count > 0 ? e->run_count : 1);
    if (count > most) {
        TW_EXPERIMENT_FAULT(x->reader, x->reader->root->place,
                            "%d variants with more than %d levels of sizes: and crossed:; expected "
                            "at most %d together",
                            (int)e->run_count, (int)most, TW_VARIANTS_MAX);
        return false;
    }
    e->levels = tw_arena_alloc(&e->arena, (size_t)count, sizeof *e->levels);
    if (!e->levels)
        return tw_experiment_no_memory(x->reader);
    e->level_count = (int32_t)count;
    for (int64_t i = 0; i < count; i++)
        if (!fill(x, i, &e->levels[i]))
            return false;
    return true;
}

/* A level's copy of a variant. */
static bool set_level(const struct crossing *x, const struct tw_factor_level *level,
                      struct tw_variant *variant)
{
    size_t own = (size_t)variant->setting_count, all = own + (size_t)level->setting_count;
    variant->side = level->side;
    if (all == own)
        return true;
    struct tw_setting *settings =
        tw_arena_alloc(&x->reader->experiment->arena, all, sizeof *settings);
    if (!settings)
        return tw_experiment_no_memory(x->reader);
    for (size_t i = 0; i < all; i++)
        settings[i] = i < own ? variant->settings[i] : level->settings[i - own];
    variant->settings = settings;
    variant->setting_count = (int32_t)all;
    return true;
}

static bool repeat_variants(const struct crossing *x)
{
    struct tw_experiment *e = x->reader->experiment;
    int32_t each = e->run_count;
    for (int32_t level = 1; level < e->level_count; level++)
        for (int32_t v = 0; v < each; v++) {
            const struct tw_variant copy = e->variants[v];
            if (!tw_experiment_add_variant(x->reader, &copy))
                return false;
        }
    for (int32_t v = 0; v < e->run_count; v++)
        if (!set_level(x, &e->levels[v / each], &e->variants[v]))
            return false;
    return true;
}

void tw_experiment_read_levels(struct tw_experiment_reader *reader)
{
    struct crossing x = {.reader = reader};
    struct tw_experiment *e = reader->experiment;
    const struct tw_yaml *sizes = tw_yaml_find(reader->root, "sizes");
    const struct tw_yaml *crossed = tw_yaml_find(reader->root, "crossed");
    e->level_variants = e->run_count;
    if (sizes && tw_yaml_find(reader->root, "size")) {
        TW_EXPERIMENT_FAULT(reader, sizes->place,
                            "sizes: and size: exclude each other; expected one of them");
        return;
    }
    if ((sizes && !read_sides(&x, sizes)) || (crossed && !read_crossed(&x, crossed)))
        return;
    if (reader->options->width > 0) /* --size replaces them */
        x.side_count = 0;
    if (x.side_count > 0)
        e->width = e->height = x.sides[0]; /* of the plan and of tuning */
    if (make_levels(&x))
        repeat_variants(&x);
}

/* ---- parts ---- */

int32_t tw_experiment_parts(const struct tw_experiment *e)
{
    bool planned = e->run_count > e->variant_count;
    return e->level_count > 1 && planned ? e->level_count + 1 : e->level_count;
}

struct tw_experiment tw_experiment_part(const struct tw_experiment *e, int32_t part, int32_t *first)
{
    struct tw_experiment own = *e;
    *first = 0;
    if (e->level_count <= 1)
        return own;
    bool planned = part == e->level_count;
    int32_t pairs = tw_compare_count_pairs(e);
    *first = part * e->level_variants;
    own.first_run = *first;
    own.variants += *first;
    own.variant_count = planned ? 0 : e->level_variants;
    own.run_count = planned ? e->run_count - e->variant_count : e->level_variants;
    own.levels += planned ? 0 : part;
    own.level_count = 1;
    own.pairs_elsewhere = planned ? 0 : pairs - pairs / e->level_count;
    own.baseline = planned ? -1 : e->baseline;
    own.sensitivity = (struct tw_sensitivity){0};
    own.tune = (struct tw_tune){0};
    return own;
}

struct tw_comparison tw_comparison_level(const struct tw_comparison *c, int32_t number,
                                         struct tw_experiment *level)
{
    struct tw_comparison own = *c;
    int32_t first;
    *level = tw_experiment_part(c->experiment, number, &first);
    size_t cell = tw_cell_of(c, first, 0);
    own.experiment = level;
    if (c->experiment->level_count <= 1)
        return own;
    own.samples = c->samples ? c->samples + cell * (size_t)c->capacity : NULL;
    own.sums += cell;
    own.differences += cell;
    own.seconds += first;
    own.pairs += cell;
    own.times = c->times ? c->times + first : NULL;
    own.tuning = NULL;
    if (level->levels->side > 0)
        own.width = own.height = level->levels->side;
    return own;
}

void tw_level_write(FILE *out, const struct tw_factor_level *level, enum tw_text_form form)
{
    if (level->side > 0)
        fprintf(out, "size %d", (int)level->side);
    for (int32_t i = 0; i < level->setting_count; i++) {
        fputs(i > 0 || level->side > 0 ? ", " : "", out);
        tw_text_write(out, level->settings[i].name, form);
        fputs(" ", out);
        tw_text_write(out, level->settings[i].text, form);
    }
}

void tw_level_write_variant(FILE *out, const struct tw_experiment *e,
                            const struct tw_variant *variant, enum tw_text_form form)
{
    ptrdiff_t at = variant - e->variants;
    tw_text_write(out, variant->name, form);
    if (e->level_count <= 1 || at < 0 || at >= e->variant_count)
        return;
    fputs(" (", out);
    tw_level_write(out, &e->levels[tw_level_of(e, (int32_t)at)], form);
    fputs(")", out);
}
