/* SPDX-License-Identifier: MIT */
/* Limits for recipes from elsewhere: --untrusted and --max-time (docs/security.md). */
#include "support/command.h"
#include "support/harness.h"

#include <stdio.h>
#include <string.h>

static struct command_result result;

static void expect(const char *recipe, const char *arguments, int code, const char *words)
{
    command_write("a.yaml", recipe, strlen(recipe));
    command_run(arguments, &result);
    if (result.code != code || (words && !strstr(result.err, words)))
        fail_msg("thalweg %s: exit code %d, expected %d and '%s':\n%s", arguments, result.code,
                 code, words ? words : "", result.err);
}

static void size_and_paths_are_bounded(void **state)
{
    static const char large[] =
        "thalweg: 1\nsize: [20000, 1000]\nnodes:\n  a: {type: noise.perlin}\n"
        "outputs: {a: a}\n";
    static const char wide[] = "thalweg: 1\nsize: [16384, 8192]\nnodes:\n"
                               "  a: {type: noise.perlin}\noutputs: {a: a}\n";
    static const char small[] = "thalweg: 1\nsize: 32\nnodes:\n  a: {type: noise.perlin}\n"
                                "outputs: {a: a}\n";
    (void)state;
    expect(large, "check a.yaml", 0, NULL);
    expect(large, "check --untrusted a.yaml", 3, "from 1 to 16384");
    expect(wide, "check a.yaml", 0, NULL);
    expect(wide, "check --untrusted a.yaml", 3, "expected at most 67108864 cells");
    expect(small, "check --untrusted --size 16385 a.yaml", 3,
           "command line: error: size has a side of 16385 cells; expected at most 16384");
    expect(small, "run --untrusted a.yaml", 0, NULL);
    expect(small, "run --untrusted --allow-path / a.yaml", 2, "exclude each other");
}

static void nodes_are_bounded(void **state)
{
    static char text[1 << 17];
    size_t used = (size_t)snprintf(text, sizeof text, "thalweg: 1\nsize: 8\nnodes:\n");
    (void)state;
    for (int i = 0; i < 2001; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "  n%d: {type: source.constant, value: %d}\n", i, i);
    snprintf(text + used, sizeof text - used, "outputs: {a: n2000}\n");
    expect(text, "check a.yaml", 0, NULL);
    expect(text, "check --untrusted a.yaml", 3, "more than 2000 nodes");
}

/* A lock names what is computed again, whatever its recipe is now. */
static void nodes_of_locks_are_bounded(void **state)
{
    static const char small[] = "thalweg: 1\nsize: 8\nnodes:\n  n0: {type: noise.perlin}\n"
                                "outputs: {a: n0}\n";
    static char text[1 << 17];
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "thalweg: 1\nsize: 8\nnodes:\n  n0: {type: noise.perlin}\n");
    (void)state;
    for (int i = 1; i < 2001; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "  n%d: {type: shape.invert, in: n%d}\n", i, i - 1);
    snprintf(text + used, sizeof text - used, "outputs: {a: n2000}\n");
    expect(text, "lock --no-cache a.yaml", 0, NULL);
    expect(small, "verify --no-cache a.yaml", 1, NULL);
    expect(small, "verify --no-cache --untrusted a.yaml", 3,
           "the lock has 2001 nodes; expected at most 2000");
    command_run("lock --no-cache --yes a.yaml", &result);
    expect(small, "verify --no-cache --untrusted a.yaml", 0, NULL);
}

/* An hour of work, unless it is stopped. */
static void time_is_bounded(void **state)
{
    (void)state;
    expect("thalweg: 1\nsize: 2048\nnodes:\n  a: {type: noise.perlin}\n"
           "  b: {type: erosion.thermal, in: a, iterations: 100000}\noutputs: {b: b}\n"
           "export: {b.npy: b}\n",
           "run --max-time 1 --no-cache a.yaml", 3, "longer than the 1 seconds allowed");
    expect("thalweg: 1\nsize: 32\nnodes:\n  a: {type: noise.perlin}\noutputs: {a: a}\n",
           "run --max-time 1000 a.yaml", 0, NULL);
}

/* Values may wait on disk, but not those of a recipe from elsewhere. */
static void disks_are_not_filled(void **state)
{
    static const char six[] =
        "thalweg: 1\nsize: 512\nnodes:\n  a: {type: noise.perlin, seed: 1}\n"
        "  b: {type: noise.perlin, seed: 2}\n  c: {type: noise.perlin, seed: 3}\n"
        "  d: {type: noise.perlin, seed: 4}\n  e: {type: noise.perlin, seed: 5}\n"
        "  f: {type: combine.add, a: d, b: e}\n  g: {type: combine.add, a: c, b: f}\n"
        "  h: {type: combine.add, a: b, b: g}\n  i: {type: combine.add, a: a, b: h}\n"
        "  out: {type: shape.normalize, in: i}\nexport: {out.npy: out}\n";
    (void)state;
    expect(six, "run --untrusted --max-memory 4M a.yaml", 3, "the run needs ");
    expect(six, "run --max-memory 4M a.yaml", 0, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(size_and_paths_are_bounded), cmocka_unit_test(nodes_are_bounded),
        cmocka_unit_test(nodes_of_locks_are_bounded), cmocka_unit_test(time_is_bounded),
        cmocka_unit_test(disks_are_not_filled),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
