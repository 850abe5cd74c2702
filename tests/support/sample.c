/* SPDX-License-Identifier: MIT */
#include "support/sample.h"

#include "support/command.h"
#include "support/harness.h"
#include "support/picture.h"

#include "base/os/file.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char recipe_text[] =
    "thalweg: 1\n"
    "about: a little of everything\n"
    "size: [24, 16]\n"
    "seed: 7\n"
    "world: {side_m: 1000, height_m: 200}\n"
    "params:\n"
    "  talus: 8\n"
    "  share: {default: 0.5, min: 0, max: 1, about: of the picture}\n"
    "nodes:\n"
    "  ground: {type: source.heightmap, file: ground.png, fit: bilinear}\n"
    "  hills:  {type: ./hills.yaml, below: ground, share: \"${share}\"}\n"
    "  curved: {type: shape.curve, in: hills, points: [[0, 0], {x: 0.5, y: 0.2}, [1, 1]]}\n"
    "  near:   {type: feature.points, count: 3}\n"
    "  far:    {type: feature.points, points: [{x: 0.5, y: 0.5}]}\n"
    "  all:    {type: feature.merge, generators: [near, far]}\n"
    "  eroded: {type: erosion.thermal, in: curved, talus: \"${talus}\", iterations: 3}\n"
    "  facts:  {type: measure.statistics, in: eroded}\n"
    "outputs: {height: eroded, facts: facts, points: all}\n"
    "export:\n"
    "  height.png: height\n"
    "  maps/height.npy: height\n"
    "  height.bmp: {from: height, range: fit}\n"
    "  preview.png: {from: height, as: hillshade}\n"
    "  facts.json: facts\n"
    "  both.json: {from: {one: facts, two: facts}}\n";

static const char *const files[] = {"height.png",  "maps/height.npy", "height.bmp",
                                    "preview.png", "facts.json",      "both.json"};

static const char hills_text[] = "thalweg: 1\n"
                                 "inputs: {below: heightmap}\n"
                                 "params: {share: 0.1}\n"
                                 "nodes:\n"
                                 "  noise: {type: noise.midpoint}\n"
                                 "  mixed: {type: combine.mix, a: noise, b: below, "
                                 "weight: \"${share}\"}\n"
                                 "outputs: {height: mixed}\n";

static const char experiment_text[] = "thalweg-experiment: 1\n"
                                      "recipe: recipe.yaml\n"
                                      "seeds: [1, 2]\n"
                                      "variants:\n"
                                      "  gentle: {params: {talus: 4}}\n"
                                      "  steep:\n"
                                      "    nodes:\n"
                                      "      eroded: {type: erosion.thermal, in: curved}\n"
                                      "measure: [facts.mean, facts.volume]\n"
                                      "baseline: gentle\n"
                                      "assert: {facts.mean: {mean: {min: 0}}}\n";

void sample_write(void)
{
    struct tw_value ground = harness_terrain(24, 16, 3);
    picture_write("ground.png", &ground, 16);
    free(ground.data);
    command_write("recipe.yaml", recipe_text, strlen(recipe_text));
    command_write("hills.yaml", hills_text, strlen(hills_text));
    command_write("experiment.yaml", experiment_text, strlen(experiment_text));
}

static bool is_temporary(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".tmp") == 0;
}

static bool ignore_temporary;

static int compare_one(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    char other[300];
    unsigned char *found = NULL, *expected = NULL;
    size_t length = 0, expected_length = 0;
    (void)info;
    (void)at;
    if (kind != FTW_F || (ignore_temporary && is_temporary(path)))
        return 0;
    snprintf(other, sizeof other, "expected%s", path + strlen("out"));
    assert_int_equal(tw_file_read(path, 1 << 24, &found, &length, NULL), TW_OK);
    if (tw_file_read(other, 1 << 24, &expected, &expected_length, NULL) != TW_OK)
        fail_msg("%s should not be there", path);
    if (length != expected_length || memcmp(found, expected, length) != 0)
        fail_msg("%s has other bytes than it should", path);
    free(found);
    free(expected);
    return 0;
}

void sample_check(bool all, bool leftovers)
{
    char path[300];
    ignore_temporary = leftovers;
    nftw("out", compare_one, 16, FTW_PHYS);
    for (size_t i = 0; all && i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "out/%s", files[i]);
        if (access(path, R_OK) != 0)
            fail_msg("%s is missing", path);
    }
}

static int temporary_count;

static int count_one(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    (void)at;
    temporary_count += kind == FTW_F && is_temporary(path);
    return 0;
}

int sample_count_temporary(const char *folder)
{
    temporary_count = 0;
    nftw(folder, count_one, 16, FTW_PHYS);
    return temporary_count;
}
