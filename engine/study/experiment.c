/* SPDX-License-Identifier: MIT */
/* Reads an experiment's file. Purpose and size here; seeds, variants and measures in separate
 * files. */
#include "study/experiment_private.h"

#include "base/os/file.h"
#include "base/os/file_name.h"
#include "base/os/links.h"
#include "base/text/number.h"
#include "value/field.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool tw_experiment_no_memory(struct tw_experiment_reader *reader)
{
    tw_fault_log_add(reader->log, TW_MEMORY, reader->root->place, NULL, "out of memory");
    return false;
}

const char *tw_experiment_find_recipe(struct tw_experiment_reader *reader,
                                      const struct tw_yaml *recipe)
{
    struct tw_error error = {.status = TW_OK};
    struct tw_file_name_fault name;
    char path[PATH_MAX];
    if (!tw_expect_kind(reader->log, recipe, TW_YAML_SCALAR, "recipe"))
        return NULL;
    if (!tw_file_name_check_relative(recipe->text, &name)) {
        tw_fault_log_add(reader->log, TW_RECIPE, tw_yaml_place_within(recipe, name.at), NULL,
                         "a recipe is '%s', %s", recipe->text, name.message);
        return NULL;
    }
    if (tw_file_resolve(reader->folder, recipe->text, reader->options->allow, path, &error) !=
        TW_OK) {
        tw_fault_log_add(reader->log, TW_RECIPE, recipe->place,
                         error.hint[0] ? error.hint
                                       : "the path is relative to the folder of the experiment",
                         "%s", error.message);
        return NULL;
    }
    char joined[PATH_MAX]; /* so that the loader also sees a link */
    bool linked =
        reader->options->suspects_links && tw_links_lead_from(reader->folder, recipe->text, joined);
    const char *found = linked ? joined : path;
    return tw_arena_copy(&reader->experiment->arena, found, strlen(found));
}

int32_t tw_experiment_read_side(struct tw_experiment_reader *reader, const struct tw_yaml *value)
{
    double side = 0;
    if (value->kind == TW_YAML_SCALAR && tw_number_parse(value->text, &side) && side >= 1 &&
        side <= TW_SIDE_MAX && side == (double)(int32_t)side)
        return (int32_t)side;
    TW_EXPERIMENT_FAULT(reader, value->place,
                        "size is %s; expected a whole number of cells from 1 to %d",
                        TW_YAML_FOUND(value), TW_SIDE_MAX);
    return 0;
}

static void read_times(struct tw_experiment_reader *reader, const struct tw_yaml *value)
{
    uint64_t times = 0;
    if (value->kind == TW_YAML_SCALAR && tw_number_parse_whole(value->text, &times) && times >= 1 &&
        times <= TW_TIMES_MAX)
        reader->experiment->times = (int32_t)times;
    else
        TW_EXPERIMENT_FAULT(reader, value->place,
                            "times is %s; expected a number of runs from 1 to %d",
                            TW_YAML_FOUND(value), TW_TIMES_MAX);
}

static void read_head(struct tw_experiment_reader *reader)
{
    const struct tw_yaml *root = reader->root, *value;
    if ((value = tw_yaml_find(root, "about")) &&
        tw_expect_kind(reader->log, value, TW_YAML_SCALAR, "about"))
        reader->experiment->about = value->text;
    if ((value = tw_yaml_find(root, "picture")) &&
        tw_expect_kind(reader->log, value, TW_YAML_SCALAR, "picture")) {
        reader->experiment->picture = value->text;
        reader->experiment->picture_place = value->place;
    }
    if ((value = tw_yaml_find(root, "times")))
        read_times(reader, value);
    if ((value = tw_yaml_find(root, "size")))
        reader->experiment->width = reader->experiment->height =
            tw_experiment_read_side(reader, value);
}

/* Reads the keys that every experiment needs. */
static void read_subject(struct tw_experiment_reader *reader)
{
    const struct tw_yaml *root = reader->root, *value;
    if ((value = tw_yaml_find(root, "seeds")))
        tw_experiment_read_seeds(reader, value);
    else
        TW_EXPERIMENT_FAULT(reader, root->place,
                            "an experiment needs seeds:, as in {from: 1, count: 100}");
    if ((value = tw_yaml_find(root, "measure")))
        tw_experiment_read_measures(reader, value);
    else
        TW_EXPERIMENT_FAULT(reader, root->place,
                            "an experiment needs measure:, as in [score.game]");
    if ((value = tw_yaml_find(root, "recipe")))
        reader->experiment->recipe = reader->recipe = tw_experiment_find_recipe(reader, value);
    else
        TW_EXPERIMENT_FAULT(reader, root->place, "an experiment needs recipe:");
}

static void read_runs(struct tw_experiment_reader *reader)
{
    const struct tw_yaml *root = reader->root, *value;
    tw_experiment_read_variants(reader, tw_yaml_find(root, "variants"));
    if ((value = tw_yaml_find(root, "matrix")))
        tw_experiment_read_matrix(reader, value);
    tw_experiment_read_levels(reader);
    reader->experiment->variant_count = reader->experiment->run_count;
    if ((value = tw_yaml_find(root, "sensitivity")))
        tw_experiment_read_sensitivity(reader, value);
    if ((value = tw_yaml_find(root, "tune")))
        tw_experiment_read_tune(reader, value);
    else if (reader->log->faults == 0 && reader->experiment->run_count == 0)
        TW_EXPERIMENT_FAULT(reader, root->place,
                            "an experiment needs variants:, matrix:, sensitivity: or tune:");
}

/* Reports keys that have no effect without variants. */
static void refuse_without_variants(struct tw_experiment_reader *reader)
{
    static const char *const keys[] = {"times", "assert", "sizes", "crossed"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct tw_yaml *value = tw_yaml_find(reader->root, keys[i]);
        /* A tuning asserts of its best trial. */
        bool tuned = strcmp(keys[i], "assert") == 0 && reader->experiment->tune.param_count > 0;
        if (value && !tuned && reader->experiment->variant_count == 0)
            TW_EXPERIMENT_FAULT(reader, value->place,
                                "%s: is about variants, and there are none; expected variants: or "
                                "matrix:",
                                keys[i]);
    }
}

static void read_experiment(struct tw_experiment_reader *reader)
{
    static const char *const known[] = {"thalweg-experiment",
                                        "about",
                                        "recipe",
                                        "size",
                                        "sizes",
                                        "crossed",
                                        "seeds",
                                        "variants",
                                        "matrix",
                                        "sensitivity",
                                        "tune",
                                        "match",
                                        "measure",
                                        "baseline",
                                        "goal",
                                        "front",
                                        "adjust",
                                        "assert",
                                        "picture",
                                        "times",
                                        NULL};
    const struct tw_yaml *root = reader->root, *version, *value;
    if (!tw_expect_kind(reader->log, root, TW_YAML_MAPPING, "an experiment"))
        return;
    version = tw_yaml_find(root, "thalweg-experiment");
    if (!version && tw_yaml_find(root, "thalweg")) {
        tw_fault_log_add(
            reader->log, TW_RECIPE, root->items->key->place,
            "thalweg run runs recipes; an experiment begins with thalweg-experiment: 1",
            "this is a recipe; expected an experiment");
        return;
    }
    if (!version || version->kind != TW_YAML_SCALAR || strcmp(version->text, "1") != 0)
        TW_EXPERIMENT_FAULT(reader, version ? version->place : root->place,
                            "an experiment starts with 'thalweg-experiment: 1'");
    tw_expect_keys(reader->log, &reader->experiment->arena, root, "an experiment", known);
    read_head(reader);
    read_subject(reader);
    read_runs(reader);
    if (reader->log->faults == 0)
        refuse_without_variants(reader);
    if ((value = tw_yaml_find(root, "baseline")))
        tw_experiment_read_baseline(reader, value);
    tw_experiment_read_goals(reader, tw_yaml_find(root, "goal"));
    tw_experiment_read_match(reader, tw_yaml_find(root, "match"));
    tw_experiment_read_front(reader, tw_yaml_find(root, "front"));
    tw_experiment_read_adjust(reader, tw_yaml_find(root, "adjust"));
    tw_experiment_read_until(reader, tw_yaml_find(tw_yaml_find(root, "seeds"), "until"));
    tw_experiment_read_bounds(reader, -1, tw_yaml_find(root, "assert"));
}

static char *folder_of(struct tw_arena *arena, const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? tw_arena_copy(arena, file, (size_t)(slash - file + 1))
                 : tw_arena_copy(arena, ".", 1);
}

/* Reads the text as that of a file at `path`. */
static enum tw_status read_text(const char *text, size_t length, const char *path, bool hides,
                                const struct tw_load_options *options,
                                struct tw_experiment **experiment, struct tw_error *err)
{
    struct tw_fault_log log = {
        .sink = options->diagnostic, .context = options->context, .hides = hides};
    struct tw_experiment *loaded = calloc(1, sizeof *loaded);
    if (!loaded)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    loaded->baseline = -1;
    loaded->level_count = 1;
    loaded->about = "";
    const char *copy = tw_arena_copy(&loaded->arena, text, length);
    loaded->file = tw_arena_copy(&loaded->arena, path, strlen(path));
    struct tw_experiment_reader reader = {loaded, &log, options, folder_of(&loaded->arena, path),
                                          NULL,   NULL};
    if (copy && loaded->file && reader.folder)
        reader.root = tw_yaml_parse(&loaded->arena, &log, loaded->file, copy, length);
    if (reader.root)
        read_experiment(&reader);
    enum tw_status status = log.faults ? log.first.status : TW_OK;
    if (log.faults && err)
        *err = log.first;
    if (loaded->arena.failed) /* other faults may follow from this one */
        status = tw_error_set(err, TW_MEMORY, "out of memory");
    if (status == TW_OK)
        *experiment = loaded;
    else
        tw_experiment_release(loaded);
    return status;
}

enum tw_status tw_experiment_parse(const char *text, size_t length, const char *name,
                                   const struct tw_load_options *options,
                                   struct tw_experiment **experiment, struct tw_error *err)
{
    if (length > TW_YAML_BYTES_MAX)
        return tw_error_set(err, TW_LIMIT, "an experiment has at most %zu bytes",
                            TW_YAML_BYTES_MAX);
    return tw_file_as_input(read_text(text, length, name, false, options, experiment, err), err);
}

enum tw_status tw_experiment_load(const char *path, const struct tw_load_options *options,
                                  struct tw_experiment **experiment, struct tw_error *err)
{
    unsigned char *data = NULL;
    size_t length = 0;
    const bool hides = options->suspects_links && tw_links_lead_to(path);
    enum tw_status status = options->suspects_links ? tw_links_check(path, err) : TW_OK;
    if (status == TW_OK)
        status = tw_file_read(path, TW_YAML_BYTES_MAX, &data, &length, err);
    if (status == TW_OK)
        status = read_text((const char *)data, length, path, hides, options, experiment, err);
    free(data);
    return tw_file_as_input(status, err);
}

void tw_experiment_release(struct tw_experiment *experiment)
{
    if (!experiment)
        return;
    tw_arena_release(&experiment->arena);
    free(experiment);
}
