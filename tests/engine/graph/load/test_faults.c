/* SPDX-License-Identifier: MIT */
/* What is said of mistakes that few recipes have: each fault and warning with its place and hint,
 * in tests/golden/faults.txt (write it anew with THALWEG_UPDATE_GOLDEN=1, and read what changed).
 */
#include "support/golden.h"
#include "support/harness.h"

#include <stdio.h>
#include <string.h>

/* A recipe of one node with those parameters, or with lines behind it. */
#define NODE(type, more) "thalweg: 1\nnodes:\n  n: {type: " type ", " more "}\noutputs: {n: n}\n"
#define NEXT(type, more)                                                                           \
    "thalweg: 1\nnodes:\n  n: {type: noise.perlin}\n  a: {type: " type ", " more                   \
    "}\noutputs: {a: a}\n"
#define NOISE(more) NODE("noise.perlin", more)
#define FORMULA(scalar)                                                                            \
    "thalweg: 1\nnodes:\n  a: {type: noise.perlin}\n  n: {type: combine.formula, a: a,\n"          \
    "      formula: " scalar "}\noutputs: {n: n}\n"
#define BLOCK(lines)                                                                               \
    "thalweg: 1\nnodes:\n  a: {type: noise.perlin}\n  n:\n    type: combine.formula\n    a: a\n"   \
    "    formula: " lines "outputs: {n: n}\n"
#define HEAD(lines) "thalweg: 1\n" lines "nodes: {n: {type: noise.perlin}}\noutputs: {n: n}\n"
#define EXPORT(lines)                                                                              \
    "thalweg: 1\nsize: 64\nnodes:\n  n: {type: noise.perlin}\n  m: {type: mask.height, in: n}\n"   \
    "  s: {type: measure.statistics, in: n}\n  i: {type: render.hillshade, in: n}\n"               \
    "outputs: {n: n, m: m, s: s, i: i}\nexport:\n" lines

#define DIGITS_50 "12345678901234567890123456789012345678901234567890"
#define DIGITS DIGITS_50 DIGITS_50 DIGITS_50

static const struct {
    const char *name, *text;
} rows[] = {
    /* ---- numbers and arithmetic ---- */
    {"an unknown name in arithmetic", NOISE("frequency: '${qqqqqqqq * 2}'")},
    {"a name like another", "params: {freq: 3}\n" NOISE("frequency: '${frec * 2}'")},
    {"a name like another behind the head",
     "thalweg: 1\nparams: {freq: 3}\nnodes:\n  n: {type: noise.perlin, frequency: '${frec * 2}'}\n"
     "outputs: {n: n}\n"},
    {"a word in arithmetic",
     "thalweg: 1\nparams: {word: soft}\nnodes:\n  n: {type: noise.perlin, frequency: '${word * 2}'}"
     "\noutputs: {n: n}\n"},
    {"not a number", NOISE("frequency: 0x10")},
    {"too large a number", NOISE("frequency: 1e999")},
    {"two numbers for one", NOISE("frequency: [1, 2]")},
    {"a fraction for a whole number", NOISE("octaves: 2.5")},
    {"a long number", NOISE("frequency: 1234567890123456789012345678901234567890123456789012345")},
    {"a seed below 0", HEAD("seed: -1\n")},
    {"a seed of a node that is not a number", NOISE("seed: [1]")},
    {"a unit that is none", NOISE("frequency: 5m")},
    {"a steep unit", NODE("mask.slope", "in: n, low: 90deg")},
    {"no number before a unit", NODE("mask.slope", "in: n, low: deg")},
    {"a unit without world", NODE("erosion.thermal", "in: n, talus: 30 deg")},

    /* ---- expressions ---- */
    {"an exponent without digits", FORMULA("'1e+'")},
    {"a number with a letter", FORMULA("'a + 2x'")},
    {"a number of many digits", FORMULA("'a + " DIGITS "'")},
    {"a point first", FORMULA("'.5 + .a'")},
    {"a name too long", FORMULA("'a + b" DIGITS "'")},
    {"a call that is not closed", FORMULA("'min(a, 2'")},
    {"a call with a blank instead of a comma", FORMULA("'min(a 2)'")},
    {"one argument for min", FORMULA("'min(a)'")},
    {"three arguments for clamp", FORMULA("'clamp(a, 1, 2, 3)'")},
    {"an unknown function", FORMULA("'sqr(a)'")},
    {"a relation of nothing", FORMULA("'a < '")},
    {"a power of nothing", FORMULA("'a ^ '")},
    {"not nothing", FORMULA("'!'")},
    {"unequal first", FORMULA("'!= a'")},
    {"a parenthesis that is not closed", FORMULA("'(a + 1'")},
    {"a brace that is not closed", FORMULA("'${a + 1'")},
    {"a parenthesis too many", FORMULA("'a + 1)'")},
    {"nothing", FORMULA("''")},
    {"an input that is not connected", FORMULA("'a + b" DIGITS "'")},

    /* ---- places within a text ---- */
    {"plain", FORMULA("a + q")},
    {"behind a quote that is doubled", FORMULA("'a + ''q'")},
    {"behind an escape", FORMULA("\"a +\\x20q\"")},
    {"behind a longer escape", FORMULA("\"a +\\u0020q\"")},
    {"behind the longest escape", FORMULA("\"a +\\U00000020q\"")},
    {"behind a short escape", FORMULA("\"a +\\tq\"")},
    {"behind an end of line that is escaped", FORMULA("\"a + \\\n        q\"")},
    {"behind a line that is folded", FORMULA("'a +\n        q'")},
    {"behind an empty line", FORMULA("\"a +\n\n        q\"")},
    {"behind two empty lines", FORMULA("\"a +\n\n\n        q\"")},
    {"behind an anchor", FORMULA("&f 'a + q'")},
    {"behind an anchor and a line", BLOCK("&f\n      a + q\n")},
    {"in a block", BLOCK("|\n      a +\n      q\n")},
    {"in a folded block", BLOCK(">-\n      a +\n\n      1 +\n      q\n")},
    {"behind letters of two bytes", FORMULA("'\xc3\xa4 + q'")},

    /* ---- YAML ---- */
    {"a quote that does not end", HEAD("about: \"a \\\" b\n")},
    {"a quote that ends below", HEAD("about: 'a\nseed: 1 'b'\n")},
    {"a brace that is not closed",
     "thalweg: 1\nnodes: {n: {type: noise.perlin}\noutputs: {n: n}\n"},
    {"a brace closed by a bracket", "thalweg: 1\nnodes: {n: {type: noise.perlin]}\n"},
    {"a brace in a comment",
     "thalweg: 1\nnodes: {n: {type: noise.perlin, # }\n  seed: 1\noutputs: {n: n}\n"},
    {"a brace in a text", "thalweg: 1\nnodes: {n: {type: \"a\\\"}\", seed: '}'\noutputs: {n: n}\n"},
    {"a brace too many", "thalweg: 1\nnodes: {n: {type: noise.perlin}}}\n"},
    {"a bracket too many", "thalweg: 1\nsize: [4, 5]]\n"},
    {"a bracket alone", "thalweg: 1\nabout: ]\n"},
    {"a missing comma", "thalweg: 1\nnodes: {n: {type: noise.perlin seed: 1}}\n"},
    {"a world in degrees", HEAD("world: {epsg: 4326, west: 8.5, north: 47.4}\n")},
    {"a world in degrees without a place", HEAD("world: {epsg: 4258}\n")},
    {"a world in feet", HEAD("world: {epsg: 2263, west: 980000, north: 200000}\n")},
    {"a world in heights", HEAD("world: {epsg: 5703}\n")},
    {"a tab", "thalweg: 1\nnodes:\n\tn: {type: noise.perlin}\n"},
    {"no colon", "thalweg: 1\nsize 64\nnodes: {n: {type: noise.perlin}}\n"},
    {"two colons", "thalweg: 1\nabout: a: b\n"},
    {"an indent of its own",
     "thalweg: 1\n# about\nnodes:\n    n:\n      type: noise.perlin\n   seed: 1\n"},
    {"an indent of a key", "thalweg: 1\nsize: 4\n  seed: 1\n"},
    {"a percent sign", "thalweg: 1\nabout: %a\n"},
    {"an unknown alias", "thalweg: 1\nsize: *side\n"},
    {"a key twice", HEAD("size: 4\nsize: 5\n")},

    /* ---- the head ---- */
    {"a size as of the command line", HEAD("size: 64x32\n")},
    {"half a size", HEAD("size: 64x\n")},
    {"a size without width", HEAD("size: x64\n")},
    {"three sides", HEAD("size: 4x5x6\n")},
    {"a list of three sides", HEAD("size: [4, 5, 6]\n")},
    {"a size of 0", HEAD("size: 0\n")},
    {"a size beyond", HEAD("size: 65537\n")},
    {"a world of its name", HEAD("world: earth\n")},
    {"a world of no size", HEAD("world: {side_m: 0, height_m: a, sea_level: [1], epsg: 1.5}\n")},
    {"an unknown key of the world", HEAD("world: {side_km: 3}\n")},
    {"borders of another kind", HEAD("borders: [wrap]\n")},
    {"borders like others", HEAD("borders: clsed\n")},
    {"inputs of no type", HEAD("inputs: {a: [heightmap], b: heigtmap, c: 7}\n")},
    {"no version", "nodes: {n: {type: noise.perlin}}\n"},
    {"another version", "thalweg: 2\nnodes: {n: {type: noise.perlin}}\n"},
    {"a version of several", "thalweg: [1]\nnodes: {n: {type: noise.perlin}}\n"},
    {"names of nodes",
     "thalweg: 1\nnodes:\n  N: {type: noise.perlin}\n  a-b: {type: noise.perlin}\n"
     "  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: {type: "
     "noise.perlin}\n"},
    {"a name that is none is not offered",
     "thalweg: 1\nnodes:\n  N: {type: noise.perlin}\n  a: {type: noise.perlin}\n"
     "  eroded: {type: erosion.thermal, in: qqqqqqqq}\n"},

    /* ---- types ---- */
    {"no type", "thalweg: 1\nnodes: {n: {seed: 1}}\n"},
    {"a list for a type", "thalweg: 1\nnodes: {n: {type: [noise.perlin]}}\n"},
    {"a node of one word", "thalweg: 1\nnodes: {n: noise.perlin}\n"},
    {"a recipe of one line",
     "{thalweg: 1, nodes: {n: {type: noise.perlin, octaves: '4 + ${x}'}}, outputs: {h: n}}\n"},
    {"an unknown kind", NODE("erosion.zzzzzz", "in: n")},
    {"a kind of another family", NODE("erosion.perlin", "seed: 1")},
    {"an unknown family", NODE("zzzzzz.qqqqqq", "seed: 1")},
    {"a word of summaries", NODE("rivers", "seed: 1")},
    {"a word of a family", NODE("erosion.rain", "seed: 1")},
    {"a short word", NODE("qq", "seed: 1")},
    {"a spelling", NODE("noise.perlim", "seed: 1")},
    {"repeat of a node", NOISE("repeat: 3")},
    {"a parameter like another", NOISE("frequenzy: 3")},
    {"an input of another name", NEXT("mask.height", "input: n, high: 1")},
    {"an output for an input of another name", NEXT("mask.height", "source: n.out")},
    {"a name of no node for an input of another name", NEXT("mask.height", "input: q")},
    {"a parameter like none for a missing input", NEXT("mask.height", "lwo: 1")},
    {"a parameter like none", NOISE("qqqqqqqqq: 3")},

    /* ---- lists and labels ---- */
    {"a text for a list", NODE("feature.points", "cost: 0 20")},
    {"a letter for a list", NODE("feature.points", "cost: x")},
    {"a text with commas for a list", NODE("feature.points", "cost: '0, 20,'")},
    {"blanks for a list", NODE("feature.points", "cost: ' '")},
    {"lists in a list", NODE("feature.points", "cost: [[0, 1], 2]")},
    {"a list too long",
     NODE("feature.points", "area: [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1]")},
    {"a mapping for a list", NODE("feature.points", "cost: {low: 0}")},
    {"a number for a table", NODE("feature.points", "points: 3")},
    {"a row of a number", NODE("feature.points", "points: [3]")},
    {"a row too long", NODE("feature.points", "points: [[0, 0, 1, 2, 3, 4, 5]]")},
    {"a row too short", NODE("feature.points", "points: [[0]]")},
    {"no labels", NODE("mask.labels", "in: n, biomes: ''")},
    {"a label beyond", NODE("combine.switch", "in: [n], index: 3")},

    /* ---- exports ---- */
    {"an unknown ending", EXPORT("  a.gif: n\n")},
    {"no ending", EXPORT("  a: n\n")},
    {"an ending of another type", EXPORT("  a.csv: n\n")},
    {"a control map for no engine", EXPORT("  a.exr: {from: [m, m, m, m, m]}\n")},
    {"heights for holes", EXPORT("  a.exr: {from: [m, m], for: terrain3d, holes: n}\n")},
    {"a record among masks", EXPORT("  a.png: {from: [m, s]}\n")},
    {"several in a map", EXPORT("  a.npy: {from: [m, m]}\n")},
    {"ranges", EXPORT("  a.png: {from: n, range: [1]}\n  b.png: {from: n, range: [1, 2, 3]}\n"
                      "  c.png: {from: n, range: [a, 2]}\n  d.png: {from: n, range: [1, b]}\n"
                      "  e.png: {from: n, range: [[1], 2]}\n  f.png: {from: n, range: [1, [2]]}\n"
                      "  g.png: {from: n, range: [2, 1]}\n  h.png: {from: n, range: [1, 1]}\n"
                      "  i.png: {from: n, range: 7}\n  j.png: {from: n, range: fits}\n")},
    {"options",
     EXPORT(
         "  a.png: {from: n, bits: 12}\n  b.npy: {from: n, bits: 8}\n  c.png: {from: n, bit: 8}\n"
         "  d.csv: {from: s, clip: true}\n")},
    {"for a picture", EXPORT("  a.png: {from: i, for: unreal}\n")},
    {"for several", EXPORT("  a.png: {from: [m, m], for: unreal}\n")},
    {"for a picture of godot",
     EXPORT("  a.exr: {from: n, for: [godot]}\n  b.png: {from: i, for: godot}\n")},
    {"for what is unknown", EXPORT("  a.png: {from: n, for: unreel}\n")},
    {"for another ending",
     EXPORT("  a.bmp: {from: n, for: unreal}\n  b.exr: {from: m, for: unreal}\n")},
    {"for other bits", EXPORT("  a.png: {from: n, for: unreal, bits: 8}\n")},
    {"for sides that do not fit", EXPORT("  a.png: {from: n, for: unreal}\n")},
    {"tiles",
     EXPORT(
         "  a.png: {from: n, tiles: 0}\n  b.png: {from: n, tiles: 4097}\n"
         "  c.png: {from: n, tiles: 24}\n  d.png: {from: n, tiles: 65}\n"
         "  e.png: {from: n, tiles: [8]}\n  f.png: {from: n, tiles: {cells: 1, share_edge: true}}\n"
         "  g.png: {from: n, tiles: {cells: 200, share_edge: true}}\n")},
    {"patterns", EXPORT("  a.png: {from: n, tiles: {cells: 8, pattern: '%x%_%y'}}\n"
                        "  b.png: {from: n, tiles: {cells: 8, pattern: '%07x%_%y%'}}\n"
                        "  c.png: {from: n, tiles: {cells: 8, pattern: '%x%_%x%'}}\n"
                        "  d.png: {from: n, tiles: {cells: 8, pattern: '%00x%_%y%'}}\n"
                        "  e.png: {from: n, tiles: {cells: 8, pattern: 'a/%x%_%y%'}}\n"
                        "  f.png: {from: n, tiles: {cells: 8, pattern: [1]}}\n"
                        "  g.png: {from: n, tiles: {cells: 8, pattern: '%x_%y%_%x%'}}\n")},
    {"files outside",
     EXPORT("  ../a.png: n\n  b/../../a.png: n\n  /a.png: n\n  c/..: n\n  '': n\n")},
    {"files twice", EXPORT("  a.png: n\n  ./a.png: m\n  b//a.png: n\n  b/./a.png: n\n")},
    {"files twice in a line", EXPORT("  {a.png: n, ./a.png: m, .//a.png: n}\n")},
    {"a tab after an entry", "thalweg: 1\nnodes:\n  a: {type: noise.perlin}\n\tb: 1\n"},
    {"a tab behind spaces", "thalweg: 1\nnodes:\n  a:\n    type: noise.perlin\n  \tseed: 1\n"},
    {"a tab in the head", "thalweg: 1\n\tsize: 64\n"},
    {"a tab before a list", "thalweg: 1\nnodes:\n  - b\n\t- c\n"},
    {"a tab before a key of a text", "thalweg: 1\nabout: it\n\tis: 2\n"},
    {"a quoted name without a colon", "thalweg: 1\n'size'\nseed: 1\n"},
    {"a quoted name before its value", "thalweg: 1\n'size' 64\nseed: 1\n"},
    {"a quoted name in two", "thalweg: 1\n\"c d\" e\nseed: 3\n"},
    {"quotes that are doubled", "thalweg: 1\n''c\nseed: 1\n"},
    {"quotes within", "thalweg: 1\n'c 'd'\nseed: 1\n"},
    {"files of other systems",
     EXPORT("  \"..\\\\up.png\": n\n  a:b.png: n\n  'b/c.png/C:/x.png': n\n  b/aux.png: n\n"
            "  \"d /d.png\": n\n  e./e.png: n\n  'f\"|?.png': n\n  g*.png: n\n"
            "  Com1.tar.png: n\n  ok-1/(2).png: n\n")},
    {"files that differ in case",
     EXPORT("  a.png: n\n  A.png: n\n  b/a.png: n\n  B/b.png: n\n  C/C/a.png: n\n"
            "  C/c/b.png: n\n  a.PNG/x.png: n\n  D/d.png: n\n  d.png: n\n  e/x.png/y.png: n\n"
            "  E/x.png: n\n  e/X.png: n\n  h.r16: n\n  H.r16: n\n")},
    {"tiles of other systems",
     EXPORT("  com.png: {from: n, tiles: {cells: 8, pattern: '%x%.%y%'}}\n"
            "  T_x0_y0.png: n\n  t.png: {from: n, tiles: 8}\n")},
    {"no source", EXPORT("  a.png: {bits: 8}\n  b.png: [n, m]\n  c.png: {from: {n: m}}\n")},
    {"a source that is unknown", EXPORT("  a.png: q\n  b.png: n.q\n  c.png: n.out\n")},
    {"an output with a fault",
     "thalweg: 1\nnodes: {n: {type: noise.perlin}}\noutputs: {height: m}\n"
     "export: {a.png: height, b.png: hieght, c.png: qqqqqqq}\n"},
    {"a list of exports", EXPORT("  [a.png, b.png]\n")},
};

struct listener {
    struct golden golden;
    const char *name; /* of the row */
};

static void print(struct listener *to, const char *kind, const char *text)
{
    char line[1200];
    snprintf(line, sizeof line, "%s: %s%s\n", to->name, kind, text);
    golden_line(&to->golden, line);
}

static void hear(void *listener, bool fault, const struct tw_error *error, const char *line)
{
    char text[1100];
    const char *hint = error->hint;
    (void)line;
    snprintf(text, sizeof text, "%d:%d: %s%s%s%s", (int)error->line, (int)error->column,
             error->message, hint[0] ? " (" : "", hint, hint[0] ? ")" : "");
    print(listener, fault ? "" : "warning ", text);
}

static void faults_are_worded_as_before(void **state)
{
    struct listener listener;
    (void)state;
    golden_begin(&listener.golden, TW_GOLDEN "/faults.txt");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tw_recipe *recipe = NULL;
        const struct tw_load_options options = {.diagnostic = hear, .context = &listener};
        const char *text = rows[i].text;
        listener.name = rows[i].name;
        if (tw_recipe_parse(text, strlen(text), "test.yaml", &options, &recipe, NULL) == TW_OK)
            print(&listener, "", "loads");
        tw_recipe_release(recipe);
    }
    golden_end(&listener.golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults_are_worded_as_before)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
