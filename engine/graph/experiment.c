/* SPDX-License-Identifier: MIT */
#include "graph/experiment.h"
#include "graph/expect.h"

#include "base/file.h"
#include "base/suggest.h"
#include "field/field.h"
#include "node/param.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const tw_statistic_names[TW_STATISTICS] = {"mean", "deviation", "min", "max"};

struct reader {
    struct tw_experiment *made;
    struct tw_report *report;
    const struct tw_load_options *options;
    const char *folder;
    const struct tw_yaml *root;
    const char *recipe; /* of variants that name none */
};

#define FAULT(reader, place, ...)                                                                  \
    tw_report_fault((reader)->report, TW_RECIPE, place, NULL, __VA_ARGS__)

static bool no_memory(struct reader *reader)
{
    tw_report_fault(reader->report, TW_MEMORY, reader->root->place, NULL, "out of memory");
    return false;
}

/* ---- seeds ---- */

static bool read_seed(struct reader *reader, const struct tw_yaml *value, uint64_t *seed)
{
    if (value && value->kind == TW_YAML_SCALAR && tw_param_seed(value->text, seed))
        return true;
    FAULT(reader, value ? value->place : reader->root->place,
          "a seed must be a whole number from 0 to 2^64 - 1");
    return false;
}

static bool alloc_seeds(struct reader *reader, struct tw_place place, uint64_t count)
{
    if (count < 1 || count > TW_SEEDS_MAX) {
        FAULT(reader, place, "there must be 1 to %d seeds", TW_SEEDS_MAX);
        return false;
    }
    reader->made->seeds =
        tw_arena_alloc(&reader->made->arena, (size_t)count, sizeof *reader->made->seeds);
    return reader->made->seeds || no_memory(reader);
}

/* {from: 1, count: 100} or a list */
static void read_seeds(struct reader *reader, const struct tw_yaml *value)
{
    static const char *const known[] = {"from", "count", NULL};
    uint64_t from = 1, count = 0;
    struct tw_experiment *made = reader->made;
    if (value->kind == TW_YAML_MAPPING) {
        const struct tw_yaml *first = tw_yaml_find(value, "from");
        tw_expect_keys(reader->report, &reader->made->arena, value, "seeds", known);
        if ((first && !read_seed(reader, first, &from)) ||
            !read_seed(reader, tw_yaml_find(value, "count"), &count) ||
            !alloc_seeds(reader, value->place, count))
            return;
        for (uint64_t i = 0; i < count; i++)
            made->seeds[made->seed_count++] = from + i;
    } else if (tw_expect_kind(reader->report, value, TW_YAML_SEQUENCE, "seeds")) {
        for (const struct tw_yaml_item *item = value->items; item; item = item->next)
            count++;
        if (!alloc_seeds(reader, value->place, count))
            return;
        for (const struct tw_yaml_item *item = value->items; item; item = item->next)
            if (read_seed(reader, item->value, &made->seeds[made->seed_count]))
                made->seed_count++;
    }
}

static void read_size(struct reader *reader, const struct tw_yaml *value)
{
    double side = 0;
    if (value->kind != TW_YAML_SCALAR || !tw_param_number(value->text, &side) || side < 1 ||
        side > 65536 || side != (double)(int32_t)side)
        FAULT(reader, value->place, "size must be a whole number of cells from 1 to 65536");
    else
        reader->made->width = reader->made->height = (int32_t)side;
}

/* ---- measures and bounds ---- */

static void read_measure(struct reader *reader, const struct tw_yaml *value,
                         struct tw_measure *measure)
{
    const char *dot = value->kind == TW_YAML_SCALAR ? strchr(value->text, '.') : NULL;
    if (!dot || dot == value->text || !dot[1]) {
        FAULT(reader, value->place, "a measure is a field of a record output, as in score.game");
        return;
    }
    *measure = (struct tw_measure){
        value->text, tw_arena_copy(&reader->made->arena, value->text, (size_t)(dot - value->text)),
        dot + 1};
}

static void read_measures(struct reader *reader, const struct tw_yaml *list)
{
    size_t count = 0;
    if (!tw_expect_kind(reader->report, list, TW_YAML_SEQUENCE, "measure"))
        return;
    for (const struct tw_yaml_item *item = list->items; item; item = item->next)
        count++;
    reader->made->measures =
        tw_arena_alloc(&reader->made->arena, count + 1, sizeof *reader->made->measures);
    if (!reader->made->measures) {
        no_memory(reader);
        return;
    }
    for (const struct tw_yaml_item *item = list->items; item; item = item->next)
        read_measure(reader, item->value, &reader->made->measures[reader->made->measure_count++]);
    if (count == 0)
        FAULT(reader, list->place, "nothing is measured");
}

static int32_t find_measure(struct reader *reader, const struct tw_yaml *name)
{
    struct tw_suggestion suggestion = {.wanted = name->text};
    for (int32_t i = 0; i < reader->made->measure_count; i++) {
        const char *measure = reader->made->measures[i].name;
        if (measure && strcmp(measure, name->text) == 0)
            return i;
        if (measure)
            tw_suggest_offer(&suggestion, measure);
    }
    tw_report_fault(reader->report, TW_RECIPE, name->place,
                    tw_suggest_hint(&suggestion, &reader->made->arena), "'%s' is not measured",
                    name->text);
    return -1;
}

static int find_statistic(struct reader *reader, const struct tw_yaml *name)
{
    for (int i = 0; i < TW_STATISTICS; i++)
        if (strcmp(tw_statistic_names[i], name->text) == 0)
            return i;
    FAULT(reader, name->place, "'%s' is no statistic; allowed are mean, deviation, min and max",
          name->text);
    return -1;
}

static bool read_limit(struct reader *reader, const struct tw_yaml *interval, const char *key,
                       double *limit)
{
    const struct tw_yaml *value = tw_yaml_find(interval, key);
    if (!value || (value->kind == TW_YAML_SCALAR && tw_param_number(value->text, limit)))
        return true;
    FAULT(reader, value->place, "%s must be a number", key);
    return false;
}

/* {mean: {min: 0.5}} of one measure */
static void read_bound(struct reader *reader, int32_t variant, int32_t measure,
                       const struct tw_yaml_item *row)
{
    static const char *const known[] = {"min", "max", NULL};
    struct tw_bound bound = {.variant = variant, .measure = measure, .min = -1e300, .max = 1e300};
    int statistic = find_statistic(reader, row->key);
    if (statistic < 0 ||
        !tw_expect_kind(reader->report, row->value, TW_YAML_MAPPING, row->key->text))
        return;
    tw_expect_keys(reader->report, &reader->made->arena, row->value, "an assertion", known);
    if (!read_limit(reader, row->value, "min", &bound.min) ||
        !read_limit(reader, row->value, "max", &bound.max))
        return;
    struct tw_bound *kept = tw_arena_alloc(&reader->made->arena, 1, sizeof *kept);
    if (!kept) {
        no_memory(reader);
        return;
    }
    bound.statistic = (enum tw_statistic)statistic;
    bound.place = row->key->place;
    bound.next = reader->made->bounds;
    *kept = bound;
    reader->made->bounds = kept;
}

static void read_bounds(struct reader *reader, int32_t variant, const struct tw_yaml *mapping)
{
    if (!mapping || !tw_expect_kind(reader->report, mapping, TW_YAML_MAPPING, "assert"))
        return;
    for (const struct tw_yaml_item *item = mapping->items; item; item = item->next) {
        int32_t measure = find_measure(reader, item->key);
        if (measure < 0 ||
            !tw_expect_kind(reader->report, item->value, TW_YAML_MAPPING, item->key->text))
            continue;
        for (const struct tw_yaml_item *row = item->value->items; row; row = row->next)
            read_bound(reader, variant, measure, row);
    }
}

/* ---- variants ---- */

/* "name=value" for every entry, and one more for a swept parameter. */
static const char *const *read_set(struct reader *reader, const struct tw_yaml *params,
                                   const char *swept)
{
    struct tw_arena *arena = &reader->made->arena;
    size_t count = 0;
    for (const struct tw_yaml_item *item = params ? params->items : NULL; item; item = item->next)
        count++;
    const char **set = tw_arena_alloc(arena, count + 2, sizeof *set);
    if (!set) {
        no_memory(reader);
        return NULL;
    }
    count = 0;
    for (const struct tw_yaml_item *item = params ? params->items : NULL; item; item = item->next)
        if (tw_expect_kind(reader->report, item->value, TW_YAML_SCALAR, item->key->text))
            set[count++] = tw_arena_print(arena, "%s=%s", item->key->text, item->value->text);
    set[count] = swept;
    return set;
}

static const char *find_recipe(struct reader *reader, const struct tw_yaml *recipe)
{
    struct tw_error error = {.status = TW_OK};
    char path[PATH_MAX];
    if (!tw_expect_kind(reader->report, recipe, TW_YAML_SCALAR, "recipe"))
        return NULL;
    if (tw_file_resolve(reader->folder, recipe->text, reader->options->allow, path, &error) !=
        TW_OK) {
        FAULT(reader, recipe->place, "%s", error.message);
        return NULL;
    }
    return tw_arena_copy(&reader->made->arena, path, strlen(path));
}

static void add_variant(struct reader *reader, const char *name, const struct tw_yaml *value,
                        const char *swept)
{
    struct tw_experiment *made = reader->made;
    const struct tw_yaml *params = tw_yaml_find(value, "params");
    const struct tw_yaml *nodes = tw_yaml_find(value, "nodes");
    if (made->variant_count == TW_VARIANTS_MAX) {
        FAULT(reader, value->place, "more than %d variants", TW_VARIANTS_MAX);
        return;
    }
    if ((params && !tw_expect_kind(reader->report, params, TW_YAML_MAPPING, "params")) ||
        (nodes && !tw_expect_kind(reader->report, nodes, TW_YAML_MAPPING, "nodes")))
        return;
    const struct tw_yaml *recipe = tw_yaml_find(value, "recipe");
    struct tw_variant *variant = &made->variants[made->variant_count];
    *variant = (struct tw_variant){.name = name,
                                   .recipe = recipe ? find_recipe(reader, recipe) : reader->recipe,
                                   .set = read_set(reader, params, swept),
                                   .nodes = nodes,
                                   .place = value->place};
    read_bounds(reader, made->variant_count, tw_yaml_find(value, "assert"));
    made->variant_count++;
}

/* sweep: {iterations: [0, 10, 20]}: the variant once for each value, named VARIANT/VALUE. */
static void sweep_variant(struct reader *reader, const struct tw_yaml_item *item,
                          const struct tw_yaml *sweep)
{
    const struct tw_yaml_item *row = sweep->kind == TW_YAML_MAPPING ? sweep->items : NULL;
    if (!row || row->next || row->value->kind != TW_YAML_SEQUENCE) {
        FAULT(reader, sweep->place, "sweep takes one parameter and a list of its values");
        return;
    }
    for (const struct tw_yaml_item *value = row->value->items; value; value = value->next) {
        if (!tw_expect_kind(reader->report, value->value, TW_YAML_SCALAR, row->key->text))
            return;
        struct tw_arena *arena = &reader->made->arena;
        const char *name = tw_arena_print(arena, "%s/%s", item->key->text, value->value->text);
        const char *set = tw_arena_print(arena, "%s=%s", row->key->text, value->value->text);
        if (name && set)
            add_variant(reader, name, item->value, set);
    }
}

static void read_variants(struct reader *reader, const struct tw_yaml *mapping)
{
    static const char *const known[] = {"params", "nodes", "recipe", "sweep", "assert", NULL};
    reader->made->variants =
        tw_arena_alloc(&reader->made->arena, TW_VARIANTS_MAX, sizeof *reader->made->variants);
    if (!reader->made->variants) {
        no_memory(reader);
        return;
    }
    if (!tw_expect_kind(reader->report, mapping, TW_YAML_MAPPING, "variants"))
        return;
    for (const struct tw_yaml_item *item = mapping->items; item; item = item->next) {
        if (!tw_expect_kind(reader->report, item->value, TW_YAML_MAPPING, item->key->text))
            continue;
        tw_expect_keys(reader->report, &reader->made->arena, item->value, "a variant", known);
        const struct tw_yaml *sweep = tw_yaml_find(item->value, "sweep");
        if (sweep)
            sweep_variant(reader, item, sweep);
        else
            add_variant(reader, item->key->text, item->value, NULL);
    }
    if (!mapping->items)
        FAULT(reader, mapping->place, "an experiment needs at least one variant");
}

static void read_baseline(struct reader *reader, const struct tw_yaml *value)
{
    if (!tw_expect_kind(reader->report, value, TW_YAML_SCALAR, "baseline"))
        return;
    struct tw_suggestion suggestion = {.wanted = value->text};
    for (int32_t i = 0; i < reader->made->variant_count; i++) {
        if (strcmp(reader->made->variants[i].name, value->text) == 0)
            reader->made->baseline = i;
        tw_suggest_offer(&suggestion, reader->made->variants[i].name);
    }
    if (reader->made->baseline < 0)
        tw_report_fault(reader->report, TW_RECIPE, value->place,
                        tw_suggest_hint(&suggestion, &reader->made->arena),
                        "baseline must name a variant");
}

/* ---- the file ---- */

static void read_experiment(struct reader *reader)
{
    static const char *const known[] = {
        "thalweg-experiment", "about",  "recipe",  "size", "seeds", "variants", "measure",
        "baseline",           "assert", "picture", NULL};
    const struct tw_yaml *root = reader->root, *version, *value;
    if (!tw_expect_kind(reader->report, root, TW_YAML_MAPPING, "an experiment"))
        return;
    version = tw_yaml_find(root, "thalweg-experiment");
    if (!version || version->kind != TW_YAML_SCALAR || strcmp(version->text, "1") != 0)
        FAULT(reader, version ? version->place : root->place,
              "an experiment starts with 'thalweg-experiment: 1'");
    tw_expect_keys(reader->report, &reader->made->arena, root, "an experiment", known);
    if ((value = tw_yaml_find(root, "about")) && value->kind == TW_YAML_SCALAR)
        reader->made->about = value->text;
    if ((value = tw_yaml_find(root, "picture")) &&
        tw_expect_kind(reader->report, value, TW_YAML_SCALAR, "picture"))
        reader->made->picture = value->text;
    if ((value = tw_yaml_find(root, "size")))
        read_size(reader, value);
    if ((value = tw_yaml_find(root, "seeds")))
        read_seeds(reader, value);
    else
        FAULT(reader, root->place, "an experiment needs seeds:, as in {from: 1, count: 100}");
    if ((value = tw_yaml_find(root, "measure")))
        read_measures(reader, value);
    else
        FAULT(reader, root->place, "an experiment needs measure:, as in [score.game]");
    if ((value = tw_yaml_find(root, "recipe")))
        reader->recipe = find_recipe(reader, value);
    else
        FAULT(reader, root->place, "an experiment needs recipe:");
    if ((value = tw_yaml_find(root, "variants")))
        read_variants(reader, value);
    else
        FAULT(reader, root->place, "an experiment needs variants:");
    if ((value = tw_yaml_find(root, "baseline")))
        read_baseline(reader, value);
    read_bounds(reader, -1, tw_yaml_find(root, "assert"));
}

static char *folder_of(struct tw_arena *arena, const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? tw_arena_copy(arena, file, (size_t)(slash - file + 1))
                 : tw_arena_copy(arena, ".", 1);
}

enum tw_status tw_experiment_load(const char *path, const struct tw_load_options *options,
                                  struct tw_experiment **experiment, struct tw_error *err)
{
    unsigned char *data = NULL;
    size_t length = 0;
    struct tw_report report = {.sink = options->diagnostic, .context = options->context};
    struct tw_experiment *made = calloc(1, sizeof *made);
    if (!made)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status = tw_file_read(path, TW_YAML_BYTES_MAX, &data, &length, err);
    made->baseline = -1;
    made->about = "";
    if (status == TW_OK) {
        const char *text = tw_arena_copy(&made->arena, (const char *)data, length);
        made->file = tw_arena_copy(&made->arena, path, strlen(path));
        struct reader reader = {made, &report, options, folder_of(&made->arena, path), NULL, NULL};
        if (text && made->file && reader.folder)
            reader.root = tw_yaml_parse(&made->arena, &report, made->file, text, length);
        if (reader.root)
            read_experiment(&reader);
        status = report.faults ? report.first.status : TW_OK;
        if (report.faults && err)
            *err = report.first;
        if (made->arena.failed) /* whatever else was found may follow from that */
            status = tw_error_set(err, TW_MEMORY, "out of memory");
    } else if (status == TW_IO) {
        status = TW_INPUT;
    }
    free(data);
    if (status == TW_OK)
        *experiment = made;
    else
        tw_experiment_release(made);
    return status;
}

void tw_experiment_release(struct tw_experiment *experiment)
{
    if (!experiment)
        return;
    tw_arena_release(&experiment->arena);
    free(experiment);
}

/* ---- a variant's recipe ---- */

static enum tw_status set_place(const struct tw_experiment *experiment,
                                const struct tw_variant *variant, struct tw_error *err)
{
    if (err) {
        snprintf(err->file, sizeof err->file, "%s", experiment->file);
        err->line = variant->place.line;
        err->column = variant->place.column;
    }
    return TW_RECIPE;
}

static enum tw_status check_measures(const struct tw_experiment *experiment,
                                     const struct tw_variant *variant,
                                     const struct tw_recipe *recipe, struct tw_error *err)
{
    for (int32_t i = 0; i < experiment->measure_count; i++) {
        const struct tw_output *output = recipe->outputs;
        while (output && strcmp(output->name, experiment->measures[i].output) != 0)
            output = output->next;
        if (output && tw_source_type(recipe, output->source) == TW_RECORD)
            continue;
        tw_error_set(err, TW_RECIPE, "variant %s: %s measures the output '%s', which %s",
                     variant->name, experiment->measures[i].name, experiment->measures[i].output,
                     output ? "is no record" : "its recipe does not have");
        return set_place(experiment, variant, err);
    }
    return TW_OK;
}

/* Pages shade maps: a value of another shape must not get that far. */
static enum tw_status check_picture(const struct tw_experiment *experiment,
                                    const struct tw_variant *variant,
                                    const struct tw_recipe *recipe, struct tw_error *err)
{
    const struct tw_output *output = recipe->outputs;
    if (!experiment->picture)
        return TW_OK;
    while (output && strcmp(output->name, experiment->picture) != 0)
        output = output->next;
    enum tw_type type = output ? tw_source_type(recipe, output->source) : TW_RECORD;
    if (type == TW_HEIGHTMAP || type == TW_MASK || type == TW_IMAGE)
        return TW_OK;
    tw_error_set(err, TW_RECIPE,
                 "variant %s: the picture '%s' must be a heightmap, a mask or an image; it is %s",
                 variant->name, experiment->picture,
                 output ? tw_type_name(type) : "no output of its recipe");
    return set_place(experiment, variant, err);
}

enum tw_status tw_experiment_recipe(const struct tw_experiment *experiment, int32_t variant,
                                    uint64_t seed, const struct tw_load_options *options,
                                    struct tw_recipe **recipe, struct tw_error *err)
{
    const struct tw_variant *row = &experiment->variants[variant];
    struct tw_load_options own = *options;
    struct tw_recipe *made = NULL;
    own.set = row->set;
    own.has_seed = true;
    own.seed = seed;
    if (experiment->width > 0 && own.width == 0) {
        own.width = experiment->width;
        own.height = experiment->height;
    }
    enum tw_status status = tw_recipe_load_with(row->recipe, &own, row->nodes, &made, err);
    if (status == TW_OK)
        status = check_measures(experiment, row, made, err);
    if (status == TW_OK)
        status = check_picture(experiment, row, made, err);
    if (status == TW_OK)
        *recipe = made;
    else
        tw_recipe_release(made);
    return status;
}
