/* SPDX-License-Identifier: MIT */
/* The bytes of every format that no library packs, with its options, in tiles and for engines, and
 * their sidecars: tests/golden/files.txt has a digest of each (THALWEG_UPDATE_GOLDEN=1 writes it
 * anew, which users of these files have to be told). */
#include "base/memory/digest.h"
#include "base/os/file.h"
#include "support/command.h"
#include "support/golden.h"
#include "support/harness.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char recipe[] =
    "thalweg: 1\nsize: [24, 16]\nworld: {side_m: 1000, height_m: 200, sea_level: 0.3}\nnodes:\n"
    "  h: {type: noise.perlin}\n"
    "  m: {type: mask.slope, in: h}\n"
    "  parts: {type: measure.landforms, in: h}\n"
    "  ways: {type: shape.gradient, in: h}\n"
    "  lit: {type: render.surface, in: h}\n"
    "  picture: {type: render.relief, in: h}\n"
    "  peaks: {type: feature.points, count: 5}\n"
    "  side: {type: feature.profile, points: [[0, 1], [20, 0.4], [80, 0]]}\n"
    "  line: {type: feature.curve, points: [{curve: 0, x: 0.1, y: 0.2, z: 0.5},\n"
    "    {curve: 0, x: 0.9, y: 0.7, z: 1}]}\n"
    "  facts: {type: measure.statistics, in: h}\n"
    "export:\n"
    "  h.npy: h\n  m.npy: m\n  parts.npy: parts.out\n  ways.npy: ways\n  lit.npy: lit\n  "
    "picture.npy: picture\n"
    "  h.r16: h\n  low.r16: {from: h, range: [0.4, 0.6], clip: true, flip: true}\n"
    "  h.raw: {from: h, sidecar: true}\n  h.r32: h\n  tall.r32: {from: h, metres: true, flip: "
    "true}\n"
    "  h.bmp: h\n  m.bmp: m\n  h.glb: h\n  rough.glb: {from: h, step: 3, skirt: 0.05}\n"
    "  h.obj: h\n  rough.obj: {from: m, step: 4, skirt: 0.1}\n"
    "  peaks.csv: peaks\n  peaks.json: peaks\n  line.csv: line\n  side.json: side\n"
    "  facts.csv: facts\n  all.json: [facts, peaks, line]\n"
    "  t.r16: {from: h, tiles: {cells: 8}, sidecar: true}\n"
    "  u.r32: {from: h, tiles: {cells: 8, origin: 1, flip_y: true, pattern: gaea}}\n";

/* What engines take has sides of its own. */
static const char engines[] =
    "thalweg: 1\nsize: 65\nworld: {side_m: 1000, height_m: 200, sea_level: 0.3}\nnodes:\n"
    "  h: {type: noise.perlin}\n"
    "export:\n"
    "  unity.raw: {from: h, for: unity}\n  godot.r16: {from: h, for: godot}\n"
    "  city.bmp: {from: h, for: simcity4}\n"
    "  tiles.raw: {from: h, for: unity, tiles: {cells: 33}}\n";

static struct golden golden;

static int is_ours(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');
    return end && end[1] && strcmp(end, ".png") != 0;
}

static void add_digest(const char *folder, const char *name)
{
    char path[300], line[400], hex[33];
    unsigned char *bytes = NULL;
    size_t length = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(tw_file_read(path, 1 << 24, &bytes, &length, NULL), TW_OK);
    struct tw_digest digest = tw_digest_of(bytes, length);
    tw_hex(digest.at, sizeof digest.at, hex);
    snprintf(line, sizeof line, "%s %zu %s\n", path, length, hex);
    golden_line(&golden, line);
    free(bytes);
}

static void export(const char *text, const char *folder)
{
    struct command_result result;
    struct dirent **entries;
    char arguments[100];
    command_write("recipe.yaml", text, strlen(text));
    snprintf(arguments, sizeof arguments, "run recipe.yaml -q --no-cache -o %s", folder);
    command_run(arguments, &result);
    if (result.code != 0)
        fail_msg("%s", result.err);
    int count = scandir(folder, &entries, is_ours, alphasort);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        add_digest(folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

static void files_change_on_purpose_only(void **state)
{
    (void)state;
    golden_begin(&golden, TW_GOLDEN "/files.txt");
    export(recipe, "plain");
    export(engines, "engines");
    golden_end(&golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(files_change_on_purpose_only)};
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
