/* SPDX-License-Identifier: MIT */
/* Compares every node's forecast with what a run takes: as the engine counts values and scratch
 * when it allocates them, and as the system counts a process's pages; also memory for writing
 * files. A forecast may not be too low, nor more than a tenth too high. */
#define _DEFAULT_SOURCE /* wait4 */
#include "support/example.h"
#include "support/folder.h"
#include "support/picture.h"
#include "support/sanitized.h"

#include "format/format.h"
#include "format/preset.h"
#include "node/param.h"
#include "node/registry.h"
#include "runner/runner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    SLACK = 1 << 19, /* bytes: tables of a few rows or points need no closer forecast */
    FEW_STEPS = 9
};

struct size {
    int32_t width, height;
};

static bool is_close(uint64_t forecast, uint64_t taken)
{
    return taken <= forecast && forecast <= taken + taken / 10 + SLACK;
}

/* Nodes whose forecast is only a bound. Diffusion solves the box around its curves' envelopes; the
 * forecast takes it to be the map. Shadow has up to four sources per cell where a picture's shadows
 * begin; the forecast assumes natural pictures that are mostly shadow. */
static bool is_bound(const struct tw_node_type *type)
{
    return strcmp(type->name, "feature.diffusion") == 0 ||
           strcmp(type->name, "feature.shadow") == 0;
}

/* Prints every failure, so that one run shows all. */
static int check_node(const struct tw_node *node, const struct tw_node_summary *report,
                      struct size size)
{
    if (report->outcome != TW_OUTCOME_COMPUTED)
        return 0;
    if (is_close(report->forecast.scratch, report->scratch_bytes) ||
        (is_bound(node->type) && report->scratch_bytes <= report->forecast.scratch))
        return 0;
    print_error("%s at %d x %d: %" PRIu64 " bytes of scratch forecast, %" PRIu64 " taken\n",
                node->type->name, size.width, size.height, report->forecast.scratch,
                report->scratch_bytes);
    return 1;
}

/* Later steps reuse a step's scratch, so a few suffice. */
static void take_few_steps(struct tw_recipe *recipe)
{
    static const char *const names[] = {"steps", "iterations"};
    for (int32_t i = 0; i < recipe->count; i++)
        for (int k = 0; k < 2; k++) {
            struct tw_node *node = &recipe->nodes[i];
            const struct tw_param *row = tw_param_find(node->type->params, names[k]);
            if (!row || row->kind != TW_KIND_I32)
                continue;
            int32_t *steps = (int32_t *)(void *)((unsigned char *)node->params + row->offset);
            *steps = *steps < FEW_STEPS ? *steps : FEW_STEPS;
        }
}

/* Releases the recipe. */
static int check_recipe(const struct tw_node_type *type, struct tw_recipe *recipe, struct size size)
{
    struct tw_result *result = NULL;
    struct tw_run_summary report = {0};
    struct tw_error error = {.status = TW_OK};
    const struct tw_run_options options = {.threads = 1};
    const struct tw_run_request request = {.options = &options, .report = &report};
    int failures = 0;
    take_few_steps(recipe);
    if (tw_run_execute(recipe, &request, &result, &error) != TW_OK)
        fail_msg("%s: %s: %s", type->name, error.path, error.message);
    for (int32_t i = 0; i < recipe->count; i++)
        failures += check_node(&recipe->nodes[i], &report.nodes[i], size);
    if (!is_close(report.peak_bytes, report.used_bytes) &&
        !(is_bound(type) && report.used_bytes <= report.peak_bytes)) {
        print_error("%s at %d x %d: a peak of %" PRIu64 " bytes forecast, %" PRIu64 " taken\n",
                    type->name, size.width, size.height, report.peak_bytes, report.used_bytes);
        failures++;
    }
    tw_run_summary_release(&report);
    tw_result_release(result);
    tw_recipe_release(recipe);
    return failures;
}

static int check_example(const struct tw_node_type *type, struct size size)
{
    return check_recipe(type, example_load(type, size.width, size.height), size);
}

static void forecasts_are_what_nodes_take(void **state)
{
    int failures = 0;
    (void)state;
    EACH_NODE_TYPE(type)
    failures += check_example(*type, (struct size){300, 500});
    assert_int_equal(failures, 0);
}

static void closed_borders_are_forecast(void **state)
{
    int failures = 0;
    (void)state;
    EACH_NODE_TYPE(type)
    failures += check_recipe(*type, example_load_closed(*type, 300, 500), (struct size){300, 500});
    assert_int_equal(failures, 0);
}

/* Settings that take other scratch than the example's. */
static void settings_are_forecast(void **state)
{
    static const struct tw_node_type sided = {
        .name = "erosion.droplets",
        .example = "noise: {type: noise.midpoint}\n"
                   "eroded: {type: erosion.droplets, in: noise, side: 200}\n"};
    /* nearly every cell */
    static const struct tw_node_type with_outlets = {
        .name = "erosion.stream_power",
        .example = "noise: {type: noise.midpoint}\n"
                   "mouths: {type: mask.height, in: noise, high: 0.95}\n"
                   "cut: {type: erosion.stream_power, in: noise, outlets: mouths}\n"};
    /* more peaks than shadows begin at */
    static const struct tw_node_type with_peaks = {
        .name = "feature.shadow",
        .example = "base: {type: source.constant, value: 0.1}\n"
                   "cells: {type: voronoi.cells}\n"
                   "spots: {type: voronoi.domain, domain: cells.domain, values: binary}\n"
                   "land: {type: feature.shadow, in: base, image: spots, peaks: 100000}"};
    /* as large as a picture of 1280 pixels, whatever the map's size */
    static const struct tw_node_type with_surface = {
        .name = "render.relief",
        .example = "noise: {type: noise.midpoint}\n"
                   "lit: {type: render.surface, in: noise, size: [1280, 720]}\n"
                   "map: {type: render.relief, in: noise, surface: lit, mood: temperate}\n"};
    (void)state;
    assert_int_equal(check_example(&with_surface, (struct size){300, 500}), 0);
    assert_int_equal(check_example(&with_peaks, (struct size){300, 500}), 0);
    assert_int_equal(check_example(&sided, (struct size){1024, 512}), 0);
    assert_int_equal(check_example(&sided, (struct size){190, 1000}), 0);
    assert_int_equal(check_example(&with_outlets, (struct size){300, 500}), 0);
}

/* Land on a torus drains to all of its lowest cells: here to all cells, or to a sea of most. */
static void broad_outlets_are_forecast(void **state)
{
    static const char *const names[] = {"shape.fill_depressions", "measure.pits", "measure.flow"};
    static const char *const lands[] = {
        "land: {type: source.constant, value: 0.5}\n",
        "noise: {type: noise.midpoint}\n"
        "land: {type: shape.clamp, in: noise, low: 0.6, high: 2}\n"};
    char example[400];
    int failures = 0;
    (void)state;
    for (int n = 0; n < 3; n++)
        for (int l = 0; l < 2; l++) {
            const struct tw_node_type node = {.name = names[n], .example = example};
            snprintf(example, sizeof example, "%sdrained: {type: %s, in: land, border: wrap}\n",
                     lands[l], names[n]);
            failures += check_example(&node, (struct size){300, 500});
        }
    assert_int_equal(failures, 0);
}

static bool set_levels(struct tw_recipe *recipe, const struct tw_node_type *type)
{
    const struct tw_param *row = tw_param_find(type->params, "levels");
    for (int32_t i = 0; row && row->kind == TW_KIND_I32 && i < recipe->count; i++)
        if (recipe->nodes[i].type == type)
            *(int32_t *)(void *)((unsigned char *)recipe->nodes[i].params + row->offset) = 2;
    return row && row->kind == TW_KIND_I32;
}

/* From coarse to fine: what each level holds while the next finer one runs. */
static void levels_are_forecast(void **state)
{
    const struct size size = {300, 500};
    int failures = 0;
    (void)state;
    EACH_NODE_TYPE(type)
    {
        struct tw_recipe *recipe = example_load(*type, size.width, size.height);
        if (set_levels(recipe, *type))
            failures += check_recipe(*type, recipe, size);
        else
            tw_recipe_release(recipe);
    }
    assert_int_equal(failures, 0);
}

/* ---- pages ---- */

/* Bytes besides maps and scratch: pages of code, stacks, graph, row buffers. */
#define PROCESS_SLACK ((int64_t)2 << 20)

/* Peak resident size since the process began; -1 if the system does not report it. getrusage()
 * would include the time before exec(). */
static int64_t peak_resident(void)
{
    char line[200];
    long kibibytes = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && kibibytes < 0 && fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0)
            kibibytes = strtol(line + 6, NULL, 10);
    if (file)
        fclose(file);
    return kibibytes < 0 ? -1 : 1024 * (int64_t)kibibytes;
}

static struct tw_recipe *load_example(const char *name, int32_t side)
{
    const struct tw_node_type *type = tw_registry_find(&(struct tw_registry){NULL}, name);
    return example_load(type, side, side);
}

#define STRIPES "stripes.png"

/* Loads a file instead of a node: a map from it, or the terrain whose shadows are the stripes. */
static struct tw_recipe *load_file(const char *path, int32_t side)
{
    char text[400];
    struct tw_recipe *recipe = NULL;
    const char *file = strrchr(path, '/') + 1;
    const struct tw_load_options options = {.width = side, .height = side};
    snprintf(text, sizeof text,
             "thalweg: 1\nnodes:\n  a: {type: source.heightmap, file: %s, fit: bilinear}\n"
             "  dark: {type: mask.threshold, in: a, level: 0.5}\n"
             "  land: {type: feature.shadow, in: a, image: dark, azimuth: 270}\n"
             "outputs: {a: %s}\n",
             file, strcmp(file, STRIPES) == 0 ? "land" : "a");
    if (tw_recipe_parse(text, strlen(text), path, &options, &recipe, NULL) != TW_OK)
        exit(1);
    return recipe;
}

/* `name` is "FORMAT=FOLDER": loads a recipe with an export in the format of that number, with many
 * elements and thinned meshes, and sets the folder. */
static struct tw_recipe *load_export(const char *name, int32_t side, const char **folder)
{
    char text[600];
    struct tw_recipe *recipe = NULL;
    const struct tw_format *format = tw_formats[strtol(name, NULL, 10)];
    const struct tw_load_options options = {.width = side, .height = side};
    const bool lists = format->types & TW_TYPE_BIT(TW_POINTS);
    *folder = strchr(name, '=') + 1;
    snprintf(
        text, sizeof text,
        "thalweg: 1\nnodes:\n  n: {type: noise.perlin}\n  a: {type: mask.height, in: n}\n"
        "  b: {type: shape.invert, in: a}\n  c: {type: voronoi.cells, regions: %d}\nexport: {x%s: {from: %s%s%s%s%s}}\n",
        (int)side / 2, format->ending,
        lists             ? "c.points"
        : format->several ? "[a, b]"
                          : "n",
        format->ranged ? ", clip: true" : "",
        tw_param_find(format->options, "step") ? ", step: 4" : "",
        format->only_for ? ", for: " : "", format->only_for ? format->only_for : "");
    if (tw_recipe_parse(text, strlen(text), "test.yaml", &options, &recipe, NULL) != TW_OK)
        exit(1);
    return recipe;
}

/* Work of a separate process: runs the example and prints the plan's peak, the counted peak and the
 * process's. */
static int run_alone(const char *name, int32_t side)
{
    const char *folder = NULL;
    struct tw_recipe *recipe = strchr(name, '=')   ? load_export(name, side, &folder)
                               : strchr(name, '/') ? load_file(name, side)
                                                   : load_example(name, side);
    struct tw_result *result = NULL;
    struct tw_run_summary report = {0};
    const struct tw_run_options options = {.threads = 1};
    const struct tw_run_request request = {
        .options = &options, .report = &report, .export_folder = folder};
    take_few_steps(recipe);
    if (tw_run_execute(recipe, &request, folder ? NULL : &result, NULL) != TW_OK)
        return 1;
    printf("%" PRIu64 " %" PRIu64 " %" PRId64 "\n", report.peak_bytes, report.used_bytes,
           peak_resident());
    return 0;
}

struct peak {
    int64_t planned, counted, resident; /* bytes */
};

static struct peak measure(const char *name, int32_t side)
{
    char text[32], line[64] = "", *rest = line;
    int pipes[2], status;
    snprintf(text, sizeof text, "%d", (int)side);
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(pipes[1], STDOUT_FILENO);
        close(pipes[0]);
        execl("/proc/self/exe", "forecast", name, text, (char *)NULL);
        _exit(127);
    }
    close(pipes[1]);
    ssize_t length = read(pipes[0], line, sizeof line - 1);
    close(pipes[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (length <= 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("%s at %d: the run failed", name, (int)side);
    int64_t planned = strtoll(line, &rest, 10);
    int64_t counted = strtoll(rest, &rest, 10);
    return (struct peak){planned, counted, strtoll(rest, NULL, 10)};
}

/* Subtracts `small`, which shows what any process takes. */
static int compare_peaks(const char *name, struct peak small, struct peak large, bool is_bound)
{
    int64_t planned = large.planned - small.planned, resident = large.resident - small.resident;
    bool low = resident > planned + planned / 10 + PROCESS_SLACK;
    bool high = planned > resident + resident / 10 + PROCESS_SLACK && !is_bound;
    if (low || high)
        print_error("%s: %.1f MiB planned, %.1f MiB resident\n", name, (double)planned / 1048576,
                    (double)resident / 1048576);
    return low || high;
}

/* Features are searched in a lane per worker: the forecast includes all lanes, but this run has
 * one. */
static bool is_bound_for_one(const struct tw_node_type *type)
{
    return is_bound(type) || strcmp(type->name, "feature.distance") == 0;
}

static int check_resident(const struct tw_node_type *type, int32_t side)
{
    return compare_peaks(type->name, measure(type->name, 16), measure(type->name, side),
                         is_bound_for_one(type));
}

static void plans_are_what_processes_take(void **state)
{
    int failures = 0;
    (void)state;
    if (SANITIZED)
        skip(); /* the sanitizer's shadow memory counts too */
    if (peak_resident() < 0)
        skip();
    EACH_NODE_TYPE(type)
    failures += check_resident(*type, 768);
    assert_int_equal(failures, 0);
}

/* ---- files ---- */

static void write_bytes(const char *path, struct tw_bytes bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.at, 1, bytes.length, file), bytes.length);
    assert_int_equal(fclose(file), 0);
    free(bytes.at);
}

static void write_exr(const struct tw_format *format, const struct tw_value *map,
                      struct tw_bytes *bytes)
{
    static const char options[64]; /* its defaults */
    const struct tw_encoding encoding = {
        .values = &map, .count = 1, .range = {.high = 1}, .options = options};
    assert_true(format->options_size <= sizeof options);
    assert_int_equal(tw_format_encode(format, encoding, bytes, NULL), TW_OK);
}

/* Writes the map as a file of format i into the folder; false if there is no such format. */
static bool write_file(const char *folder, int i, const struct tw_value *map, char path[300])
{
    static const char *const names[] = {"map.png", "map.npy", "map.bmp", "columns.npy", "map.exr"};
    const struct tw_export_range range = {.low = 0, .high = 1, .bits = 8};
    struct tw_bytes bytes = {0};
    const struct tw_format *exr = tw_format_find(".exr", TW_HEIGHTMAP, false);
    if (i >= (int)(sizeof names / sizeof names[0]) - (exr->lacks != NULL))
        return false;
    if (i == 0)
        assert_int_equal(tw_png_encode(map, &range, &bytes, NULL), TW_OK);
    else if (i == 1)
        assert_int_equal(tw_npy_encode(map, &bytes, NULL), TW_OK);
    else if (i == 2)
        assert_int_equal(tw_bmp_encode(map, &range, &bytes, NULL), TW_OK);
    else if (i == 3)
        bytes = picture_columns(map);
    else
        write_exr(exr, map, &bytes);
    snprintf(path, 300, "%s/%s", folder, names[i]);
    write_bytes(path, bytes);
    return true;
}

/* Maps of 16 x 16 from files of 16 and 3072 squared: 36 MiB more in floats. */
static void files_are_planned_as_they_are_read(void **state)
{
    char folder[] = "/tmp/thalweg-forecast-XXXXXX", path[300];
    struct tw_value maps[2] = {{0}, {0}};
    int failures = 0;
    (void)state;
    if (SANITIZED)
        skip(); /* the sanitizer's shadow memory counts too */
    if (peak_resident() < 0)
        skip();
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 2; i++) {
        int32_t side = i ? 3072 : 16;
        assert_int_equal(tw_field_alloc(&maps[i], TW_HEIGHTMAP, side, side, NULL), TW_OK);
        memset(maps[i].data, 0, tw_value_count(&maps[i]) * sizeof(float));
    }
    for (int i = 0; write_file(folder, i, &maps[0], path); i++) {
        struct peak small = measure(path, 16);
        write_file(folder, i, &maps[1], path);
        failures += compare_peaks(path, small, measure(path, 16), false);
    }
    tw_field_clear(&maps[0]);
    tw_field_clear(&maps[1]);
    assert_int_equal(folder_remove(folder), 0);
    assert_int_equal(failures, 0);
}

/* A piece of a file, and rows of its encoder. */
#define WRITING_SLACK ((int64_t)1 << 20)

/* The least side of at least so many cells that the format's engine loads. */
static int32_t side_for(const struct tw_format *format, int32_t least)
{
    const struct tw_preset *preset = format->only_for ? tw_preset_find(format->only_for) : NULL;
    const int32_t *side = preset ? preset->sizes : NULL;
    while (side && *side && *side < least)
        side++;
    return side ? *side : least;
}

static void plans_are_what_writing_files_takes(void **state)
{
    char folder[] = "/tmp/thalweg-forecast-XXXXXX", name[100];
    int failures = 0;
    (void)state;
    if (SANITIZED)
        skip(); /* the sanitizer's shadow memory counts too */
    if (peak_resident() < 0)
        skip();
    assert_non_null(mkdtemp(folder));
    for (int i = 0; tw_formats[i]; i++) {
        if (!tw_formats[i]->encode)
            continue;
        snprintf(name, sizeof name, "%d=%s", i, folder);
        const struct peak small = measure(name, side_for(tw_formats[i], 16));
        struct peak large = measure(name, side_for(tw_formats[i], 768));
        large.planned += WRITING_SLACK;
        failures += compare_peaks(tw_formats[i]->ending, small, large, true);
    }
    assert_int_equal(folder_remove(folder), 0);
    assert_int_equal(failures, 0);
}

/* Stripes a cell wide have a generator in nearly every cell, which the plan cannot know; but the
 * engine must count what they take, since it compares that with the limit. */
static void stripes_take_what_is_counted(void **state)
{
    char folder[] = "/tmp/thalweg-forecast-XXXXXX", path[300];
    struct peak peaks[2];
    (void)state;
    if (SANITIZED)
        skip(); /* the sanitizer's shadow memory counts too */
    if (peak_resident() < 0)
        skip();
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/" STRIPES, folder);
    for (int i = 0; i < 2; i++) {
        int32_t side = i ? 768 : 16;
        struct tw_value map = {0};
        assert_int_equal(tw_field_alloc(&map, TW_HEIGHTMAP, side, side, NULL), TW_OK);
        for (int32_t k = 0; k < side * side; k++)
            tw_floats(&map)[k] = (float)(k % 2);
        picture_write(path, &map, 8);
        tw_field_clear(&map);
        peaks[i] = measure(path, side);
        peaks[i].planned = peaks[i].counted;
    }
    assert_int_equal(folder_remove(folder), 0);
    assert_int_equal(compare_peaks("stripes", peaks[0], peaks[1], false), 0);
}

int main(int argc, char **argv)
{
    if (argc == 3)
        return run_alone(argv[1], (int32_t)strtol(argv[2], NULL, 10));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forecasts_are_what_nodes_take),
        cmocka_unit_test(closed_borders_are_forecast),
        cmocka_unit_test(settings_are_forecast),
        cmocka_unit_test(broad_outlets_are_forecast),
        cmocka_unit_test(levels_are_forecast),
        cmocka_unit_test(plans_are_what_processes_take),
        cmocka_unit_test(files_are_planned_as_they_are_read),
        cmocka_unit_test(plans_are_what_writing_files_takes),
        cmocka_unit_test(stripes_take_what_is_counted),
    };
    cmocka_set_test_filter(getenv("THALWEG_TEST")); /* a pattern; all tests without it */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
