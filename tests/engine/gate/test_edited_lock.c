/* SPDX-License-Identifier: MIT */
/* Locks that were edited by hand: what is refused when one is read, at its place, and what when its
 * state is to be computed again. */
#include "support/command.h"
#include "support/harness.h"

#include "base/os/file.h"
#include "gate/lock.h"
#include "gate/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char recipe_text[] =
    "thalweg: 1\nsize: 8\nseed: 5\nparams: {k: 2}\nnodes:\n"
    "  cells: {type: voronoi.cells, coefficients: [-1, 1]}\n"
    "  curve: {type: shape.curve, in: noise, points: [[0, 0], [1, 1]]}\n"
    "  f: {type: combine.formula, a: noise, b: curve, formula: \"a + k * b\"}\n"
    "  merged: {type: feature.merge, generators: [pick, pick]}\n"
    "  noise: {type: noise.perlin}\n"
    "  pick: {type: feature.points, count: 3}\n"
    "outputs: {height: f, c: cells, m: merged}\n"
    "export: {h.npy: height}\n";

static unsigned char *lock_text;
static char edited[1 << 14], found[4000];

static void edit(const char *from, const char *to)
{
    const char *text = (const char *)lock_text, *at = strstr(text, from);
    if (!at)
        fail_msg("there is no '%s' in:\n%s", from, text);
    snprintf(edited, sizeof edited, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    command_write("r.lock", edited, strlen(edited));
}

static void collect(void *context, bool fault, const struct tw_error *error,
                    const char *source_line)
{
    size_t used = strlen(found);
    (void)context;
    (void)source_line;
    assert_true(fault);
    snprintf(found + used, sizeof found - used, "%s%d:%d: %s", used ? "\n" : "", (int)error->line,
             (int)error->column, error->message);
}

struct row {
    const char *from, *to, *words;
};

#define SIZE "    size: [8, 8]\n    type: heightmap\n"
#define NOISE "  \"noise\":\n"

static const struct row readings[] = {
    {"thalweg-lock: 2\n", "thalweg-lock: [1]\n",
     "1:15: the lock has version ''; this engine, 0.1.0, reads versions 1 and 2"},
    {"thalweg-lock: 2\n", "thalweg-lock: 3\n",
     "1:15: the lock has version '3'; this engine, 0.1.0, reads versions 1 and 2"},
    {"thalweg-lock: 2\n", "lock: 1\n",
     "1:1: this is not a lock file: the first key is not 'thalweg-lock'"},
    {"engine: ", "machine: ",
     "2:1: a lock has no key 'machine'\n"
     "1:1: the lock has no engine here"},
    {"engine: ", "engine: [1]\nengin: ",
     "3:1: a lock has no key 'engin'\n"
     "2:9: the lock has no engine here"},
    {"given: {}\n", "", "1:1: the lock has no given: half of it is missing"},
    {"given: {}", "given: 3", "11:8: this part of the lock is a single value; expected a mapping"},
    {"given: {}", "given: {seed: [1]}", "11:15: expected one value"},
    {"given: {}", "given: {seed: one}", "11:15: expected a seed as --seed takes it"},
    {"given: {}", "given: {seed: 1, size: 8x8, set.k: 3}", "fine"},
    {"given: {}", "given: {size: 65536x1}", "fine"},
    {"given: {}", "given: {size: 1x65536}", "fine"},
    {"given: {}", "given: {size: 00000000008x8}", "fine"},
    {"given: {}", "given: {size: 000000000080x8}", "11:15: expected a size as in \"512x512\""},
    {"given: {}", "given: {size: 8}", "11:15: expected a size as in \"512x512\""},
    {"given: {}", "given: {size: 8x}", "11:15: expected a size as in \"512x512\""},
    {"given: {}", "given: {size: x8}", "11:15: expected a size as in \"512x512\""},
    {"given: {}", "given: {size: 0x8}", "11:15: expected a size as in \"512x512\""},
    {"given: {}", "given: {size: 8x0}", "11:15: expected a size as in \"512x512\""},
    {"given: {}", "given: {size: 65537x8}", "11:15: expected a size as in \"512x512\""},
    {"given: {}", "given: {size: 8x65537}", "11:15: expected a size as in \"512x512\""},
    {"given: {}", "given: {size: 8888888888888888x8}", "11:15: expected a size as in \"512x512\""},
    {"given: {}", "given: {talus: 8}", "11:9: expected seed, size or set.NAME"},
    {"outputs:\n", "outputs: 3\nwas:\n",
     "53:1: a lock has no key 'was'\n"
     "52:10: this part of the lock is a single value; expected a mapping"},
    {SIZE, "    type: heightmap\n", "5:5: expected a size as in [512, 512]"},
    {SIZE, "    size: 8\n    type: heightmap\n", "9:11: expected a size as in [512, 512]"},
    {SIZE, "    size: [8]\n    type: heightmap\n", "9:11: expected a size as in [512, 512]"},
    {SIZE, "    size: [8, [8]]\n    type: heightmap\n", "9:11: expected a size as in [512, 512]"},
    {SIZE, "    size: [8, many]\n    type: heightmap\n", "9:11: expected a size as in [512, 512]"},
    {SIZE, "    size: [8, -1]\n    type: heightmap\n", "9:11: expected a size as in [512, 512]"},
    {SIZE, "    size: [8, 2147483648]\n    type: heightmap\n",
     "9:11: expected a size as in [512, 512]"},
    {SIZE, "    size: [8, 8]\n", "5:5: the lock has no type here"},
    {SIZE, "    size: [8, 8]\n    type: heightmap\n    kind: x\n",
     "11:5: a result of the lock has no key 'kind'"},
    {"    greatest: ", "    greatest: [1]\n    greatst: ",
     "6:5: a result of the lock has no key 'greatst'\n"
     "5:15: expected a number"},
    {"    greatest: ", "    greatest: x", "5:15: expected a number"},
    {"sha256: \"", "sha256: \"0", "5:5: expected a SHA-256 of 64 digits"},
    {"sha256: \"", "sha256: [1]\n    sha: \"",
     "9:5: a result of the lock has no key 'sha'\n"
     "8:13: the lock has no sha256 here\n"
     "5:5: expected a SHA-256 of 64 digits"},
    {"  \"h.npy\":\n", "  \"h.npy\": 3\n  \"i.npy\":\n",
     "4:12: a result of the lock is a single value; expected a mapping"},
    {"nodes:\n", "nodes: 3\nwas:\n",
     "13:1: a lock has no key 'was'\n"
     "12:8: nodes is a single value; expected a mapping"},
    {NOISE, "  \"more\": 3\n" NOISE,
     "38:11: a node of the lock is a single value; expected a mapping"},
    {NOISE, "  \"more\": {type: x, version: 1}\n" NOISE, "fine"},
    {NOISE, "  \"more\": {type: x, version: [1]}\n" NOISE, "38:30: the lock has no version here"},
    {NOISE, "  \"more\": {version: 1}\n" NOISE, "38:11: the lock has no type here"},
    {NOISE, "  \"more\": {type: x, version: 1, inputs: 3}\n" NOISE,
     "38:41: this part of the lock is a single value; expected a mapping"},
    {NOISE, "  \"more\": {type: x, version: 1, inputs: {in: [1]}}\n" NOISE,
     "38:46: expected one value"},
    {NOISE, "  \"more\": {type: x, version: 1, inputs: {in: none.out}}\n" NOISE,
     "38:46: the lock has no node 'none', which is an input here"},
    {NOISE, "  \"more\": {type: x, version: 1, inputs: {in: none}}\n" NOISE,
     "38:46: the lock has no node 'none', which is an input here"},
    {NOISE, "  \"more\": {type: x, version: 1, inputs: {in: \"noise.out\\tnone.a.out\"}}\n" NOISE,
     "38:46: the lock has no node 'none.a', which is an input here"},
    {NOISE, "  \"more\": {type: x, version: 1, prams: {}}\n" NOISE,
     "38:33: a node of the lock has no key 'prams'"},
};

#define WORLD(height, width)                                                                       \
    "height: \"" height                                                                            \
    "\", height_m: \"600\", north: \"0\", sea_level: \"0\", seed: \"5\", side_m: \"4096\", "       \
    "west: \"0\", width: \"" width "\""

static const struct row buildings[] = {
    {"width: \"8\"", "width: \"8.5\"", "world: the size is out of range"},
    {WORLD("8", "8"), WORLD("1", "65536"), "fine"},
    {WORLD("8", "8"), WORLD("65536", "1"), "fine"},
    {"width: \"8\"", "width: \"0\"", "world: the size is out of range"},
    {"height: \"8\", height_m", "height: \"0\", height_m", "world: the size is out of range"},
    {"height: \"8\", height_m", "height: \"65537\", height_m", "world: the size is out of range"},
    {"width: \"8\"", "width: \"65537\"", "world: the size is out of range"},
    {"width: \"8\"", "wide: \"8\"", "world: a number is missing"},
    {"seed: \"5\"", "seed: \"-5\"", "world: the seed is out of range"},
    {"seed: \"5\", ", "", "fine"},
    {"width: \"8\"", "width: \"wide\"", "world: a number is missing"},
    {"side_m: \"4096\"", "side_m: \"0\"", "world: a number is out of range: side_m"},
    {"side_m: \"4096\"", "side_m: \"1e99\"", "world: a number is out of range: side_m"},
    {"side_m: \"4096\", ", "", "world: a number is missing"},
    {"type: \"shape.curve\"", "type: \"shape.bend\"",
     "curve: this engine has no node type shape.bend"},
    {"type: \"shape.curve\"\n    version: \"", "type: \"shape.curve\"\n    version: \"9",
     "curve: this engine has another version of shape.curve"},
    {"    seed: \"14243845022997205895\"\n", "", "cells: has no seed"},
    {"seed: \"", "seed: \"x", "cells: has no seed"},
    {"basis: \"perlin\"", "basis: \"none\"",
     "noise: basis is 'none'; expected one of perlin, simplex, value"},
    {"basis: \"perlin\", ", "", "noise: has no value for basis"},
    {"octaves: \"8\"", "octaves: \"99\"", "noise: octaves is 99; allowed 1 to 16"},
    {"octaves: \"8\"", "octaves: \"many\"",
     "noise: octaves is 'many'; expected a whole number from 1 to 16"},
    {"coefficients: \"-1 1\"", "coefficients: \"-1 one\"",
     "cells: coefficients is 'one'; expected a number from -1000 to 1000"},
    {"coefficients: \"-1 1\"", "coefficients: \"\"",
     "cells: coefficients is []; expected at least one number"},
    {"points: \"0 0 1 1\"", "points: \"0 0 1\"", "curve: has rows of another length"},
    {"points: \"0 0 1 1\"", "points: \"0 0 one 1\"",
     "curve: x is 'one'; expected a number from -1e+09 to 1e+09"},
    {"points: \"0 0 1 1\"", "points: \"1 0 0 1\"",
     "curve: points.x is 0 in row 2; expected more than in the row before"},
    {"points: \"0 0 1 1\"", "points: \"0 0 0.5 0.25 1 1\"", "fine"},
    {"formula: \"", "formula: \"$9 ", "f: has a formula of unknown steps"},
    {"formula: \"", "formula: \"?? ", "f: has a formula of unknown steps"},
    {"a: \"noise.out\"", "a: \"noise.inside\"", "f: cannot be connected: inputs.a"},
    {"a: \"noise.out\"", "a: \"noise.out\\tnoise.out\"", "f: cannot be connected: inputs.a"},
    {"a: \"noise.out\"", "a: \"f.out\"", "nodes: nodes feed each other in a cycle: f <- f"},
    {"a: \"noise.out\"", "a: \"cells.domain\"", "f: gets another type than it takes: a"},
    {"a: \"noise.out\"", "a: \"merged.out\"", "f: gets another type than it takes: a"},
    {"a: \"noise.out\", ", "", "f: has a formula of an input that is not connected"},
    {", b: \"curve.out\"", "", "f: has a formula of an input that is not connected"},
    {"inputs: {in: \"noise.out\"}", "inputs: {}", "curve: is not connected: inputs.in"},
    {"inputs: {in: \"noise.out\"}", "inputs: {in: \"pick.out\"}",
     "curve: gets another type than it takes: in"},
    {"generators: \"pick.out\\tpick.out\"", "generators: \"pick.out\"", "fine"},
    {"generators: \"pick.out\\tpick.out\"", "generators: \"noise.out\"",
     "merged: gets another type than it takes: generators"},
    {"borders: \"wrap\"", "borders: \"closed\"", "fine"},
};

static void read_lock(bool build)
{
    const struct tw_load_options options = {.diagnostic = collect};
    struct tw_snapshot *snapshot = NULL;
    struct tw_recipe *recipe = NULL;
    struct tw_error error = {.status = TW_OK};
    found[0] = 0;
    enum tw_status status = tw_lock_read("r.lock", &options, &snapshot, &error);
    if (status == TW_OK && build) {
        status = tw_snapshot_recipe(snapshot, ".", NULL, &recipe, &error);
        snprintf(found, sizeof found, "%s", status == TW_OK ? "" : error.message);
    }
    if (status == TW_OK)
        snprintf(found, sizeof found, "fine");
    tw_recipe_release(recipe);
    tw_snapshot_release(snapshot);
}

static int count_wrong(const struct row *rows, size_t count, bool build)
{
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        edit(rows[i].from, rows[i].to);
        read_lock(build);
        if (strcmp(found, rows[i].words) == 0)
            continue;
        print_error("%s -> %s\nexpected %s\nfound    %s\n", rows[i].from, rows[i].to, rows[i].words,
                    found);
        wrong++;
    }
    return wrong;
}

static void what_is_no_lock_is_refused_at_its_place(void **state)
{
    (void)state;
    assert_int_equal(count_wrong(readings, sizeof readings / sizeof *readings, false), 0);
}

static void what_cannot_be_computed_again_has_a_reason(void **state)
{
    (void)state;
    assert_int_equal(count_wrong(buildings, sizeof buildings / sizeof *buildings, true), 0);
}

static int set_up(void **state)
{
    static struct command_result result;
    size_t length = 0;
    (void)state;
    command_enter();
    command_write("r.yaml", recipe_text, strlen(recipe_text));
    command_expect("lock r.yaml -q", 0, &result);
    return tw_file_read("r.yaml.lock", 1 << 20, &lock_text, &length, NULL) == TW_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    free(lock_text);
    return command_tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_lock_is_refused_at_its_place),
        cmocka_unit_test(what_cannot_be_computed_again_has_a_reason),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
