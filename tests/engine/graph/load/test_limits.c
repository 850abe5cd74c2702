/* SPDX-License-Identifier: MIT */
/* Limits of recipes met exactly, and exceeded by one, with what is then said. */
#include "support/harness.h"

#include "graph/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TAIL "nodes: {n: {type: noise.perlin}}\noutputs: {n: n}\n"
#define FORMULA_HEAD                                                                               \
    "thalweg: 1\nnodes:\n  a: {type: noise.perlin}\n  n: {type: combine.formula, a: a, formula: '"
#define FORMULA_TAIL "'}\noutputs: {n: n}\n"
#define NOISE(setting) "nodes: {n: {type: noise.perlin, " setting "}}\noutputs: {n: n}\n"
#define NODE_HEAD                                                                                  \
    "thalweg: 1\nnodes:\n  a: {type: noise.perlin}\n  v: {type: voronoi.cells}\n  n: {type: "
#define NODE_TAIL "]}\noutputs: {n: n}\n"
#define EXPORT_HEAD                                                                                \
    "thalweg: 1\nsize: 64\nnodes:\n  n: {type: noise.perlin}\n  m: {type: mask.height, in: n}\n"   \
    "outputs: {n: n, m: m}\nexport:\n  "
#define ID_WORDS                                                                                   \
    "is not an id; expected lower-case letters, digits and _, a letter first, at most 100"

/* Fails the test when the text loads, but `message` is not NULL, or does not say that. */
static void expect(const char *text, const char *message)
{
    struct tw_recipe *recipe = NULL;
    struct tw_error error = {.status = TW_OK};
    const struct tw_load_options options = {.feeds = true};
    const bool loads =
        tw_recipe_parse(text, strlen(text), "test.yaml", &options, &recipe, &error) == TW_OK;
    if (loads != !message || (message && !strstr(error.message, message)))
        fail_msg("'%.300s': %d:%d: %s; expected %s", text, (int)error.line, (int)error.column,
                 loads ? "loads" : error.message, message ? message : "that it loads");
    tw_recipe_release(recipe);
}

/* ---- how many ---- */

/* A text with `count` pieces, in which %d is the number of the piece, is allowed; with one more it
 * is not. */
static const struct repeated {
    const char *before, *piece, *after;
    int count;
    const char *message;
} repeated[] = {
    {"thalweg: 1\nparams:\n", "  p%d: 1\n", TAIL, 1000, "more than 1000 parameters"},
    {"thalweg: 1\ninputs:\n", "  i%d: heightmap\n", TAIL, 64,
     "more than the 64 inputs that a recipe may have"},
    {"thalweg: 1\nnodes:\n", "  n%d: {type: noise.perlin}\n", "outputs: {n: n0}\n", 10000,
     "more than 10000 nodes after expansion"},
    {NODE_HEAD "combine.switch, in: [", "a, ", NODE_TAIL, 64,
     "65 inputs are more than the 64 a node may have"},

    /* lists of a node */
    {NODE_HEAD "mask.labels, in: v.domain, labels: [", "%d, ", NODE_TAIL, 16,
     "labels is too long; expected at most 16 numbers"},
    {NODE_HEAD "erosion.fir, in: a, order: [", "we, ", NODE_TAIL, 16,
     "order is too long; expected at most 16 words"},

    /* bytes of a name */
    {"thalweg: 1\nnodes: {", "n",
     ": {type: noise.perlin}, n0: {type: noise.perlin}}\n"
     "outputs: {n: n0}\n",
     100, ID_WORDS},
    {EXPORT_HEAD, "a", ".png: n\n", 996,
     "the name of an export has 1001 bytes; expected at most 1000"},

    /* formulas */
    {FORMULA_HEAD, "-", "a" FORMULA_TAIL, 62, "nested deeper than 64 levels; expected fewer"},
    {FORMULA_HEAD, "1 + ", "a" FORMULA_TAIL, 127,
     "more than 256 numbers, names and operations; expected fewer"},
    {FORMULA_HEAD, "a ^ ", "a" FORMULA_TAIL, 23,
     "more than 24 values wait for an operation; expected fewer"},

    /* files of several values */
    {EXPORT_HEAD "h.png: [", "m, ", "]\n", 64, "65 values in one .png; expected 64 at most"},
};

static void print_text(const struct repeated *row, int count, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", row->before);
    for (int i = 0; i < count; i++) {
        const char *number = strstr(row->piece, "%d");
        int before = number ? (int)(number - row->piece) : (int)strlen(row->piece);
        used += (size_t)snprintf(text + used, size - used, "%.*s", before, row->piece);
        if (number)
            used += (size_t)snprintf(text + used, size - used, "%d%s", i, number + 2);
    }
    used += (size_t)snprintf(text + used, size - used, "%s", row->after);
    assert_true(used < size);
}

static void so_many_are_allowed_and_no_more(void **state)
{
    enum { SIZE = 1 << 20 };
    char *text = malloc(SIZE);
    (void)state;
    for (size_t i = 0; i < sizeof repeated / sizeof *repeated; i++) {
        print_text(&repeated[i], repeated[i].count, text, SIZE);
        expect(text, NULL);
        print_text(&repeated[i], repeated[i].count + 1, text, SIZE);
        expect(text, repeated[i].message);
    }
    free(text);
}

/* ---- how much ---- */

#define HEAD(lines) "thalweg: 1\n" lines TAIL
#define WORLD(entry) HEAD("world: {" entry "}\n")
#define TILES(size, tiles)                                                                         \
    "thalweg: 1\nsize: " size "\nnodes: {n: {type: noise.perlin}}\noutputs: {n: n}\n"              \
    "export: {h.npy: {from: n, tiles: " tiles "}}\n"

#define LONG_10 "pppppppppp"
#define LONG_90 LONG_10 LONG_10 LONG_10 LONG_10 LONG_10 LONG_10 LONG_10 LONG_10 LONG_10
#define NAMED(name) "thalweg: 1\nparams: {" name ": 3}\n" NOISE("octaves: '${" name "}'")

/* Of one thing the most, or the least, that is allowed, and what is next to it. */
static const struct {
    const char *allowed, *refused, *message;
} pairs[] = {
    {HEAD("size: 1\n"), HEAD("size: 0\n"), "expected a whole number of cells from 1 to 65536"},
    {HEAD("size: [65536, 4096]\n"), HEAD("size: [65537, 1]\n"),
     "expected a whole number of cells from 1 to 65536"},
    {HEAD("size: 16384\n"), HEAD("size: [16384, 16385]\n"),
     "size is 16384 x 16385 cells; expected at most 268435456 cells"},
    {HEAD("seed: 0\n"), HEAD("seed: -1\n"),
     "seed is -1; expected a whole number from 0 to 2^64 - 1"},
    {HEAD("seed: 18446744073709551615\n"), HEAD("seed: 18446744073709551616\n"),
     "expected a whole number from 0 to 2^64 - 1"},

    {WORLD("side_m: 0.001"), WORLD("side_m: 0.000999"),
     "side_m is 0.000999; expected a number from 0.001"},
    {WORLD("side_m: 1e9"), WORLD("side_m: 1000000001"),
     "side_m is 1000000001; expected a number from 0.001"},
    {WORLD("height_m: 0.001"), WORLD("height_m: 0.000999"),
     "height_m is 0.000999; expected a number from"},
    {WORLD("height_m: 1e9"), WORLD("height_m: 1000000001"),
     "height_m is 1000000001; expected a number from"},
    {WORLD("sea_level: -1e6"), WORLD("sea_level: -1000001"),
     "sea_level is -1000001; expected a number from"},
    {WORLD("sea_level: 1e6"), WORLD("sea_level: 1000001"),
     "sea_level is 1000001; expected a number from"},
    {WORLD("epsg: 32766"), WORLD("epsg: 32767"),
     "epsg is 32767; expected a whole number from 0 to 32766"},

    {"thalweg: 1\n" NOISE("octaves: 1"), "thalweg: 1\n" NOISE("octaves: 0"),
     "octaves is 0; allowed 1 to 16"},
    {"thalweg: 1\n" NOISE("frequency: 0.01, octaves: 16"), "thalweg: 1\n" NOISE("octaves: 17"),
     "octaves is 17; allowed 1 to 16"},
    {"thalweg: 1\n" NOISE("frequency: 0.01"), "thalweg: 1\n" NOISE("frequency: 0.0099"),
     "allowed 0.01 to 4096"},
    {"thalweg: 1\n" NOISE("octaves: 1, frequency: 4096"), "thalweg: 1\n" NOISE("frequency: 4097"),
     "allowed 0.01 to 4096"},
    {"thalweg: 1\n" NOISE("seed: 18446744073709551615"),
     "thalweg: 1\n" NOISE("seed: 18446744073709551616"),
     "expected a whole number from 0 to 2^64 - 1"},

    {NAMED(LONG_90 LONG_10), NAMED(LONG_90 LONG_10 "p"),
     "a name in '${...}' has 101 bytes; expected at most 100"},

    {TILES("128", "2"), TILES("128", "1"), "expected a tile's side, 2 to 65536"},
    {TILES("128", "2"), TILES("[130, 128]", "2"), "65 x 64 tiles; expected at most 4096"},
    {TILES("64", "{cells: 32, pattern: '%06x%_%y%'}"),
     TILES("64", "{cells: 32, pattern: '%07x%_%y%'}"), "pattern is '%07x%_%y%'"},
    {TILES("64", "{cells: 32, pattern: '%01x%_%y%'}"),
     TILES("64", "{cells: 32, pattern: '%00x%_%y%'}"), "pattern is '%00x%_%y%'"},
};

static void so_much_is_allowed_and_no_more(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        expect(pairs[i].allowed, NULL);
        expect(pairs[i].refused, pairs[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(so_many_are_allowed_and_no_more),
        cmocka_unit_test(so_much_is_allowed_and_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
