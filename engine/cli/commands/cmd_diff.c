/* SPDX-License-Identifier: MIT */
/* thalweg diff: compares two maps cell by cell, or two recipes by their graphs and results. */
#include "base/os/file.h"
#include "base/os/links.h"
#include "cli/gate/gate.h"
#include "cli/options.h"
#include "console/output_file.h"
#include "console/stop.h"
#include "gate/inspect.h"
#include "gate/revision.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- maps ---- */

static bool is_recipe(const char *file)
{
    const char *ending = tw_format_ending(file);
    return strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0;
}

/* Rescales levels, which decode to 0..1, to heights from `low` to `high`. */
static void to_heights(struct tw_value *map, double low, double high)
{
    float *cells = tw_floats(map);
    size_t count = tw_value_count(map);
    for (size_t i = 0; map->type != TW_IMAGE && cells && i < count; i++)
        cells[i] = (float)(low + (double)cells[i] * (high - low));
}

/* Reads a map without a header, using the size and range in its sidecar. */
static enum tw_status read_bare(const char *file, struct tw_value *map, struct tw_error *err)
{
    struct tw_inspection *inspection = calloc(1, sizeof *inspection);
    if (!inspection)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status =
        tw_inspect(file, &(struct tw_inspect_request){.how = NULL}, inspection, err);
    if (status == TW_OK) {
        *map = inspection->value;
        inspection->value = (struct tw_value){.type = TW_HEIGHTMAP};
        if (inspection->ranged)
            to_heights(map, inspection->low, inspection->high);
        else if (inspection->height_of_1 != 1)
            to_heights(map, 0, inspection->height_of_1);
    }
    tw_inspection_release(inspection);
    free(inspection);
    return status;
}

/* Rescales a decoded map to heights if a sidecar, or the file itself, gives the range of its
 * levels. */
static enum tw_status apply_range(const char *file, const struct tw_notes *notes,
                                  struct tw_value *map, struct tw_error *err)
{
    char path[sizeof((struct tw_sidecar_facts *)0)->path];
    struct tw_sidecar_facts facts = {.ranged = false};
    bool found = false;
    enum tw_status status = tw_sidecar_find(file, path, &found, err);
    if (status == TW_OK && found)
        status = tw_sidecar_read(path, &facts, err);
    if (status != TW_OK)
        return status;
    const double unit = (double)tw_sidecar_height_of_1(&facts);
    if (facts.ranged || tw_notes_range(notes, &facts.low, &facts.high))
        to_heights(map, facts.low, facts.high);
    else if (unit != 1)
        to_heights(map, 0, unit);
    return TW_OK;
}

static enum tw_status read_headed(const char *file, struct tw_value *map, struct tw_error *err)
{
    unsigned char *data = NULL;
    size_t length = 0;
    struct tw_notes notes = {.count = 0};
    enum tw_status status = tw_file_read(file, (size_t)1 << 31, &data, &length, err);
    if (status == TW_OK)
        status = tw_format_decode(data, length, file, map, err);
    if (status == TW_OK)
        tw_notes_read(tw_format_recognise(tw_formats, data, length, file), data, length, &notes);
    free(data);
    return status == TW_OK ? apply_range(file, &notes, map, err) : status;
}

static int read_map(const struct tw_settings *settings, const char *file, struct tw_value *map)
{
    struct tw_error error = {.status = TW_OK};
    bool linked = false;
    enum tw_status status =
        settings->untrusted ? tw_sidecar_check_links(file, &linked, &error) : TW_OK;
    if (status == TW_OK) {
        status =
            tw_format_bare(file) ? read_bare(file, map, &error) : read_headed(file, map, &error);
        if (status != TW_OK && linked)
            tw_links_hide(&error);
    }
    (void)tw_file_as_input(status, &error);
    if (status != TW_OK && !error.file[0])
        snprintf(error.file, sizeof error.file, "%s", file);
    return status == TW_OK ? 0 : tw_console_error(&error);
}

static int write_picture(const char *file, const struct tw_value *a, const struct tw_value *b,
                         double scale)
{
    const struct tw_overwrite_guard none = {0}; /* tw_console_check_outputs() checked the path */
    const struct tw_export_range any = {0, 1, true, 8};
    struct tw_error error = {.status = TW_OK};
    struct tw_value image = {0};
    struct tw_bytes png = {0};
    enum tw_status status = tw_map_difference_draw(a, b, scale, &image, &error);
    if (status == TW_OK)
        status = tw_png_encode(&image, &any, &png, &error);
    if (status == TW_OK)
        status = tw_console_write_output(&none, file, &png, &error);
    tw_field_clear(&image);
    free(png.at);
    return status == TW_OK ? 0 : tw_console_error(&error);
}

static void print_maps(const struct tw_settings *settings, char **files,
                       const struct tw_map_difference *d, bool equal)
{
    if (settings->json)
        tw_gate_json_maps(files, d, equal);
    else if (!settings->quiet && !tw_console_is_stdout(settings->picture))
        printf("mean     %.9g\nmax      %.9g at (%d, %d)\nrms      %.9g\npercent  %.9g\n"
               "cells    %lld of %lld differ\n",
               d->mean, d->greatest, (int)d->x, (int)d->y, d->rms, d->percent,
               (long long)d->differing, (long long)d->cells);
}

static int compare_maps(const struct tw_settings *settings, char **files, const struct tw_value *a,
                        const struct tw_value *b)
{
    if (!tw_map_is_comparable(a, b)) {
        struct tw_error error;
        tw_error_set(&error, TW_INPUT, "%s is a %s of %d x %d cells, %s a %s of %d x %d", files[0],
                     tw_type_name(a->type), (int)a->width, (int)a->height, files[1],
                     tw_type_name(b->type), (int)b->width, (int)b->height);
        snprintf(error.hint, sizeof error.hint, "maps of one type and size can be compared");
        return tw_console_error(&error);
    }
    struct tw_map_difference d = tw_map_difference_find(a, b);
    bool equal = d.greatest <= settings->tolerance;
    print_maps(settings, files, &d, equal);
    int code = 0;
    if (settings->picture)
        code = write_picture(settings->picture, a, b, d.greatest);
    return code == 0 && !equal ? tw_status_exit_code(TW_DIFFERENCE) : code;
}

static int diff_maps(const struct tw_settings *settings, char **files)
{
    struct tw_value maps[2] = {{0}, {0}};
    int code = read_map(settings, files[0], &maps[0]);
    if (code == 0)
        code = read_map(settings, files[1], &maps[1]);
    if (code == 0)
        code = compare_maps(settings, files, &maps[0], &maps[1]);
    tw_field_clear(&maps[0]);
    tw_field_clear(&maps[1]);
    return code;
}

/* ---- recipes ---- */

/* One side of the comparison: a file, or a revision's file checked out to a temporary folder. */
struct state {
    const char *name;
    char folder[PATH_MAX], file[PATH_MAX]; /* "" unless a revision was checked out */
    struct tw_recipe *recipe;
    struct tw_snapshot *snapshot;
};

/* Replaces the temporary path in a message by the user's name for the file:
 * "/tmp/thalweg-x/tree/hills.yaml" becomes "HEAD~1:hills.yaml". */
static void name_revision(const struct state *state, char *text, size_t size)
{
    char tree[PATH_MAX + 8], named[2 * sizeof((struct tw_error *)0)->message];
    const char *colon = strchr(state->name, ':'), *slash = strrchr(colon, '/');
    int folder = (int)((slash ? slash : colon) + 1 - state->name);
    int length = snprintf(tree, sizeof tree, "%s/tree/", state->folder);
    for (char *at; (at = strstr(text, tree));) {
        snprintf(named, sizeof named, "%.*s%s", folder, state->name, at + length);
        snprintf(at, size - (size_t)(at - text), "%s", named);
    }
}

static void on_revision(void *context, bool fault, const struct tw_error *error,
                        const char *source_line)
{
    struct tw_error shown = *error;
    name_revision(context, shown.file, sizeof shown.file);
    name_revision(context, shown.message, sizeof shown.message);
    name_revision(context, shown.hint, sizeof shown.hint);
    tw_console_diagnostic(NULL, fault, &shown, source_line);
}

static int load_revision(const struct tw_settings *settings, struct state *state)
{
    struct tw_load_options options = tw_console_load_options(settings);
    struct tw_error error = {.status = TW_OK};
    options.diagnostic = on_revision;
    options.context = state;
    options.suspects_links = true;
    tw_case_begin(state->name, "recipe");
    enum tw_status status = tw_recipe_load(state->file, &options, &state->recipe, &error);
    if (status != TW_OK && !error.file[0]) {
        name_revision(state, error.message, sizeof error.message);
        tw_console_file_error(state->name, &error);
    }
    return tw_status_exit_code(status);
}

static int open_state(const struct tw_settings *settings, const char *name, struct state *state)
{
    struct tw_error error = {.status = TW_OK};
    state->name = name;
    if (!tw_revision_is_one(name))
        return tw_gate_load(settings, name, NULL, &state->recipe, &error);
    if (tw_revision_check_out(name, state->folder, state->file, &error) == TW_OK)
        return load_revision(settings, state);
    state->folder[0] = 0;
    return tw_console_error(&error);
}

static void close_state(struct state *state)
{
    tw_recipe_release(state->recipe);
    if (state->folder[0])
        tw_file_remove_folder(state->folder);
}

/* Compares two loaded states. Recipes of equal size run as one merged graph. */
static int diff_states(const struct tw_settings *settings, struct state *before,
                       struct state *after)
{
    struct tw_gate_item *items = calloc(2, sizeof *items);
    struct tw_gate_item *item = items;
    if (!items)
        return tw_console_no_memory();
    int32_t computed = 0;
    items[0].recipe = after->recipe;
    items[1].recipe = before->recipe;
    item->file = after->name;
    int code = settings->out ? tw_gate_check_page(settings, items, 1, 2) : 0;
    if (code == 0)
        code = tw_gate_compare(settings, items, before->name, &computed);
    bool differs =
        code == 0 && item->drift && (tw_drift_matters(item->drift) || item->drift->node_count > 0);
    if (differs && settings->out)
        code = tw_gate_write_page(settings, items, 1, 2);
    if (code == 0 && settings->json)
        tw_gate_json(item, 1, computed, settings->out);
    else if (code == 0 && !settings->quiet)
        tw_gate_print_graphs(stdout, item);
    items[0].recipe = items[1].recipe = NULL;
    tw_gate_release(items, 2);
    return code == 0 && differs ? tw_status_exit_code(TW_DIFFERENCE) : code;
}

static int diff_recipes(const struct tw_settings *settings, char **names)
{
    struct state *states = calloc(2, sizeof *states);
    if (!states)
        return tw_console_no_memory();
    int code = open_state(settings, names[0], &states[0]);
    if (code == 0)
        code = open_state(settings, names[1], &states[1]);
    if (code == 0)
        code = diff_states(settings, &states[0], &states[1]);
    close_state(&states[0]);
    close_state(&states[1]);
    free(states);
    return code;
}

int tw_cmd_diff(const struct tw_settings *settings, char **operands)
{
    if (!tw_stdin_check("diff", settings, operands, false))
        return tw_status_exit_code(TW_USAGE);
    bool recipes = is_recipe(operands[0]);
    if (recipes != is_recipe(operands[1]))
        return tw_console_usage("diff compares two maps or two recipes, not one of each");
    tw_stop_catch();
    return recipes ? diff_recipes(settings, operands) : diff_maps(settings, operands);
}
